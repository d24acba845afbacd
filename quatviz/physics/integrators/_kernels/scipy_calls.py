"""Compiled functions that SciPy's solvers call."""

from quatviz.physics.kernels.binder import chart, compiled, rhs, singularity


@compiled
def slope(par, t, y):
    """Return the derivative of the state y at t [s]."""
    return rhs(par, t, y)


@compiled
def end_of_step(par, t, y):
    """Return the state after a step, converted to other coordinates if the formulation needs it, and its
    singularity measure.
    """
    new = chart(par, y)
    return new, singularity(par, t, new)
