"""Functions that compiled torque laws call."""

from quatviz.physics.kernels.binder import inline


@inline
def where(condition, a, b):
    """Return `a` if the condition holds, otherwise `b`."""
    return a if condition else b


@inline
def sign(a):
    """Return -1, 0 or 1; NaN for NaN."""
    if a > 0.0:
        return 1.0
    if a < 0.0:
        return -1.0
    return a


@inline
def smaller(a, b):
    """Return the smaller of two numbers; NaN if either is NaN."""
    return a if a < b or a != a else b


@inline
def larger(a, b):
    """Return the larger of two numbers; NaN if either is NaN."""
    return a if a > b or a != a else b
