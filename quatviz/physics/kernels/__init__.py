"""Compiled code: algebra and linear solves that kernels use, and the selection, compilation and caching of kernels
with numba.

A kernel is a function that numba compiles and that other compiled code calls.
"""
