"""Kernels that several formulations share, and the types of their parameters. These modules contain compiled code
only."""
