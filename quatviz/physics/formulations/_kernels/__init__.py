"""Kernels that several formulations share, and the types of the parameters that they read.

These modules contain compiled code only. The argument `par` of a kernel is an instance of such a type, and `y` is a
state as a tuple of floats.
"""
