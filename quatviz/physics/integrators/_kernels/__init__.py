"""Kernels that several integrators share, and the types of their methods. These modules contain compiled code only."""
