"""Lagrange's equations in three of the four Euler parameters; singular at half a turn."""

import math

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations._three_coordinates import acceleration
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.kernels.algebra import combined3, cross, dot3, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.loads import body_torque
from quatviz.physics.mechanics.rotations import matrix_L, omega_from_rate, rate_from_omega
from quatviz.physics.mechanics.state import StateVariable, numbered_block


class ReducedParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def scalar_part(q):
    """q1 = +sqrt(1 - q2^2 - q3^2 - q4^2); NaN beyond half a turn."""
    return math.sqrt(1.0 - dot3(q, q))


@inline
def column(q, q1, axis):
    """A column of S(q) = 2 (q1 I - q~ + q q^T / q1), S2(50), for the unit vector `axis`."""
    partial_column = combined3(2.0 * q1, axis, -2.0, cross(q, axis))
    return combined3(1.0, partial_column, 2.0 * dot3(q, axis) / q1, q)


def reduced_euler_parameters(par, t, y):
    """S^T J S q'' = S^T (n - J S' q' - omega x J omega), S' q' = 2 (q'.q' + q1'^2) q / q1; S2(11, 50)."""
    q, rate = y[:3], y[3:]
    q1 = scalar_part(q)
    s1, s2, s3 = (
        column(q, q1, (1.0, 0.0, 0.0)),
        column(q, q1, (0.0, 1.0, 0.0)),
        column(q, q1, (0.0, 0.0, 1.0)),
    )
    q1_rate = -dot3(q, rate) / q1
    omega = combined3(1.0, combined3(rate[0], s1, rate[1], s2), rate[2], s3)
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    drift = times_inertia(par.principal, par.inertia, q)
    moment = combined3(1.0, moment, -2.0 * (dot3(rate, rate) + q1_rate * q1_rate) / q1, drift)
    if par.loads.present:
        p = (q1, q[0], q[1], q[2])
        moment = combined3(1.0, moment, 1.0, body_torque(par.loads, t, p, omega))
    return y[3:] + acceleration(par, s1, s2, s3, moment)


def singularity_measure(par, t, y):
    """q1 = e0; det S is 8/q1."""
    return scalar_part(y[:3])


class ReducedEulerParameters(Formulation):
    """q = (e1, e2, e3) with e0 = +sqrt(1 - q.q): no constraint and no multiplier, but det S = 8/q1 blows up where the
    body has turned by 180 degrees, whatever the axis. State (q, q'), 6; singular where q1 = 0; 3.7 times the cost of
    `newton_euler`."""

    name = "reduced_euler_parameters"
    title = "Lagrange in reduced Euler parameters"
    summary = "three of the four, singular at half a turn"
    source = "S2(11, 49-55)"
    blocks = (
        numbered_block(StateVariable.COORDINATES, "q", (2, 3, 4)),
        numbered_block(StateVariable.COORDINATE_RATES, "q", (2, 3, 4), "_rate"),
    )
    sort_order = 110
    measured = (Performance(197, 218, ("-", "-", "-")),)
    mutations = (
        Mutation("-2.0 * (dot3(rate, rate) +", "-2.0 * (dot3(rate, rate) -"),
        Mutation("-2.0, cross(q, axis)", "2.0, cross(q, axis)"),
    )
    second_order = True
    parameter_type = ReducedParameters
    kernels = Kernels(rhs=reduced_euler_parameters, singularity=singularity_measure)
    singularity_title = "q₁"
    threshold = 5e-3

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: ReducedParameters) -> np.ndarray:
        p = -p if p[0] < 0.0 else p
        return np.concatenate((p[1:], rate_from_omega(p, omega)[1:]))

    def observe(self, states: np.ndarray, parameters: ReducedParameters) -> tuple[np.ndarray, np.ndarray]:
        q, rate = states[:, :3], states[:, 3:]
        q1 = np.sqrt(np.maximum(1.0 - np.einsum("ni,ni->n", q, q), 0.0))
        with np.errstate(
            divide="ignore", invalid="ignore"
        ):  # a lane may start at half a turn, where q1' is lost
            q1_rate = np.where(q1 > 0.0, -np.einsum("ni,ni->n", q, rate) / q1, 0.0)
        p = np.column_stack((q1, q))
        return p, omega_from_rate(p, np.column_stack((q1_rate, rate)))

    def system_matrix(self, states: np.ndarray, parameters: ReducedParameters) -> np.ndarray:
        q = states[:, :3]
        q1 = np.sqrt(np.maximum(1.0 - np.einsum("ni,ni->n", q, q), 1e-300))
        p = np.column_stack((q1, q))
        L = matrix_L(p)
        matrix = 2.0 * (L[:, :, 1:] - L[:, :, :1] * (q / q1[:, None])[:, None, :])
        return np.swapaxes(matrix, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ matrix

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        q = state[:3]
        angle = math.degrees(2.0 * math.asin(min(1.0, math.sqrt(float(q @ q)))))
        return phrase(
            "the body has turned by {angle:.2f} of 180 deg, where q1 = {q1:.2g} and det S = 8/q1 blows up; try any form "
            "with all four Euler parameters",
            angle=angle,
            q1=singularity,
        )
