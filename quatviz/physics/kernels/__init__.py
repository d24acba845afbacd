"""Compiled code: algebra and linear solves for kernels, and how kernels are selected, compiled and cached with
numba."""
