"""Kernels of the formulation `lie_group`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations.newton_euler.kernel import omega_rate
from quatviz.physics.formulations.rotation_vector.kernel import theta_rate
from quatviz.physics.kernels.algebra import dot3, exponential, product
from quatviz.physics.kernels.binder import Kernels, inline


class LieGroupParameters(BodyParameters):
    """Parameters of the kernels of `lie_group`: the fields of `BodyParameters`. numba selects the kernels by
    this type.
    """


def lie_group(par, t, y):
    """Return the derivative: omega' by Euler's equation, theta' = dexp^-1(theta) omega, and p = base exp(theta) with a
    constant base."""
    omega, theta, reference_quaternion = y[:3], y[3:6], y[6:]
    p = reference_quaternion
    if par.loads.present:
        p = product(reference_quaternion, exponential(theta))
    return (*omega_rate(par, t, p, omega), *theta_rate(theta, omega), 0.0, 0.0, 0.0, 0.0)


def reset_chart(par, y):
    """Return the state for the next step: the attitude that the last step reached becomes the base, and theta
    becomes 0.
    """
    if dot3(y[3:6], y[3:6]) == 0.0:
        return y
    p = product(y[6:], exponential(y[3:6]))
    return (y[0], y[1], y[2], 0.0, 0.0, 0.0, p[0], p[1], p[2], p[3])


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state `y`, with p = base exp(theta)."""
    return product(y[6:10], exponential(y[3:6])), y[:3]


KERNELS = Kernels(rhs=lie_group, chart=reset_chart, observed=attitude)
