"""Kernels that several formulations share, and the types of their parameters: modules of compiled code alone."""
