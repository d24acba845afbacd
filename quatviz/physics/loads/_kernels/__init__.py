"""How kernels read loads, and the sum over those that are not constant: modules of compiled code alone."""
