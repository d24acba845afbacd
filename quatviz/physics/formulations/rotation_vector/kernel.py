"""Kernels of the formulation `rotation_vector`: its equations, and the parameters that they read."""

import math

from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations.newton_euler.kernel import omega_rate
from quatviz.physics.kernels.algebra import combined3, cross, dot3, exponential
from quatviz.physics.kernels.binder import Kernels, inline


class RotationVectorParameters(BodyParameters):
    """Parameters of the kernels of `rotation_vector`: the fields of `BodyParameters`. numba selects the
    kernels by this type.
    """


@inline
def theta_rate(theta, omega):
    """Return theta' = omega + 1/2 theta x omega + c theta x (theta x omega), c = (1 - (a/2) cot(a/2)) / a^2,
    a = |theta|."""
    square = dot3(theta, theta)
    if square < 1e-2:
        c = 1.0 / 12.0 + square / 720.0 * (1.0 + square / 42.0 * (1.0 + square / 40.0))
    else:
        half = 0.5 * math.sqrt(square)
        c = (1.0 - half * math.cos(half) / math.sin(half)) / square
    once = cross(theta, omega)
    return combined3(1.0, combined3(1.0, omega, 0.5, once), c, cross(theta, once))


def rotation_vector(par, t, y):
    """Return the derivative of the state (omega, theta) by J omega' = n - omega x J omega and the kinematics
    of the exponential map.
    """
    omega, theta = y[:3], y[3:]
    return omega_rate(par, t, exponential(theta), omega) + theta_rate(theta, omega)


def singularity_measure(par, t, y):
    """Return 1 - |theta|/(2 pi), which is zero at a whole turn."""
    return 1.0 - math.sqrt(dot3(y[3:], y[3:])) / (2.0 * math.pi)


STEPS_TO_SINGULARITY = 5.0
"""Smallest number of steps, at the present speed, after which the angle may reach a whole turn.

With fewer, a single step rotates the direction of theta by more than a fifth of a radian, which is too much
for a fixed step.
"""


def singularity_limit(par, dt, y):
    """Return the value of 1 - |theta|/(2 pi) at which steps of dt [s] become too long.

    This value times 2 pi is the angle that remains to a whole turn. A step rotates the body by dt |omega|.
    """
    return STEPS_TO_SINGULARITY * abs(dt) * math.sqrt(dot3(y[:3], y[:3])) / (2.0 * math.pi)


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state (omega, theta)."""
    return exponential(y[3:6]), y[:3]


KERNELS = Kernels(
    rhs=rotation_vector,
    singularity=singularity_measure,
    singularity_limit=singularity_limit,
    observed=attitude,
)
