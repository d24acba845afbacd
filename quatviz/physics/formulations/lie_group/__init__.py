"""Newton and Euler on the group of unit quaternions: each step moves along an exponential from where it began."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.formulations.newton_euler import omega_rate
from quatviz.physics.formulations.rotation_vector import theta_rate
from quatviz.physics.kernels.algebra import dot3, exponential, product
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS, StateVariable, numbered_block


class LieGroupParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


def lie_group(par, t, y):
    """omega' by Euler's equation, theta' = dexp^-1(theta) omega, p = base exp(theta), the base at rest."""
    omega, theta, reference_quaternion = y[:3], y[3:6], y[6:]
    p = reference_quaternion
    if par.loads.present:
        p = product(reference_quaternion, exponential(theta))
    return (*omega_rate(par, t, p, omega), *theta_rate(theta, omega), 0.0, 0.0, 0.0, 0.0)


def reset_chart(par, y):
    """The end of a step is the base of the next: theta starts again from zero."""
    if dot3(y[3:6], y[3:6]) == 0.0:
        return y
    p = product(y[6:], exponential(y[3:6]))
    return (y[0], y[1], y[2], 0.0, 0.0, 0.0, p[0], p[1], p[2], p[3])


class LieGroup(Formulation):
    """With a Runge-Kutta method this is Munthe-Kaas's: the attitude is a product of exponentials, so that it stays on
    the sphere by construction and |p| drifts by rounding alone. State (omega, theta, base), 10; no singularity, for
    theta is the turn of one step; 1.8 times the cost of `newton_euler`."""

    name = "lie_group"
    title = "Newton–Euler on the group"
    summary = "on the group itself, for comparison"
    source = "Munthe-Kaas 1998; Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8"
    blocks = (BODY_RATE, numbered_block(StateVariable.COORDINATES, "theta", (1, 2, 3)), EULER_PARAMETERS)
    sort_order = 120
    measured = (Performance(96, 179, ("3.0e-12", "7.7e-13", "2.6e-11")),)
    mutations = (
        Mutation(
            "+ p[2] * q[3] - p[3] * q[2]", "+ p[2] * q[3] + p[3] * q[2]", file="physics/kernels/algebra.py"
        ),
    )
    parameter_type = LieGroupParameters
    kernels = Kernels(rhs=lie_group, chart=reset_chart)

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, np.zeros(3), p))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return multiply(states[:, 6:], from_rotation_vector(states[:, 3:6])), states[:, :3]
