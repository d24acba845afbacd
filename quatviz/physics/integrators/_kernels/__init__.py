"""Kernels that several integrators share, and the types of their methods: modules of compiled code alone."""
