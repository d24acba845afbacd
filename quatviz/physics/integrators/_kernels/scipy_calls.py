"""What the solvers of SciPy call, compiled."""

from quatviz.physics.kernels.binder import chart, compiled, rhs, singularity


@compiled
def slope(par, t, y):
    """The derivative of the state y at t [s]."""
    return rhs(par, t, y)


@compiled
def end_of_step(par, t, y):
    """`(y, singularity)` where a step has ended, in the coordinates that suit it best."""
    new = chart(par, y)
    return new, singularity(par, t, new)
