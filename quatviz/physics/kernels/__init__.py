"""Compiled code: algebra and linear solves that kernels use, and the selection, compilation and caching of kernels
with numba.

Terms: a *kernel* is a function that numba compiles and that other compiled code calls. Its argument `par` contains
the parameters of a formulation, `method` the data of an integrator, `y` a state as a tuple of floats, and `t` the
time [s]. A *stub* is a Python function in whose place compiled code calls the kernel of the formulation or
integrator at hand. A *block* is a series of samples that one call computes. To change the *chart* means to express
the same state in other coordinates.
"""
