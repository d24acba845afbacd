"""Functions that a compiled torque law calls."""

from quatviz.physics.kernels.binder import inline


@inline
def where(condition, a, b):
    """`a` where the condition holds, else `b`."""
    return a if condition else b


@inline
def sign(a):
    """-1, 0 or 1; NaN for NaN."""
    if a > 0.0:
        return 1.0
    if a < 0.0:
        return -1.0
    return a


@inline
def smaller(a, b):
    """The lesser of two; NaN if either is NaN."""
    return a if a < b or a != a else b


@inline
def larger(a, b):
    """The greater of two; NaN if either is NaN."""
    return a if a > b or a != a else b
