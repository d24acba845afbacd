"""What is compiled: algebra, solves, the rules by which a kernel is found and cached. Numba lives here and in the kinds."""
