"""Newton and Euler with modified Rodrigues parameters, switched to their shadow set at half a turn."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.formulations.newton_euler import omega_rate
from quatviz.physics.kernels.algebra import combined3, cross, dot3
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.mechanics.state import BODY_RATE, StateBlock, StateVariable


class ModifiedRodriguesParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def attitude(sigma):
    """p (4) of sigma (3) = e / (1 + e0)."""
    square = dot3(sigma, sigma)
    scale = 1.0 / (1.0 + square)
    return ((1.0 - square) * scale, 2.0 * scale * sigma[0], 2.0 * scale * sigma[1], 2.0 * scale * sigma[2])


def modified_rodrigues(par, t, y):
    """J omega' = n - omega x J omega, sigma' = 1/4 ((1 - s.s) I + 2 s~ + 2 s s^T) omega."""
    omega, sigma = y[:3], y[3:6]
    partial_rate = combined3(0.25 * (1.0 - dot3(sigma, sigma)), omega, 0.5, cross(sigma, omega))
    sigma_rate = combined3(1.0, partial_rate, 0.5 * dot3(sigma, omega), sigma)
    return (*omega_rate(par, t, attitude(sigma), omega), *sigma_rate, 0.0)


def switch_to_shadow_set(par, y):
    """Beyond half a turn sigma becomes -sigma / |sigma|^2: the same attitude by the shorter way. `sign` turns with it."""
    square = y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    if square > 1.0:
        scale = -1.0 / square
        return (y[0], y[1], y[2], scale * y[3], scale * y[4], scale * y[5], -y[6])
    return y


class ModifiedRodrigues(Formulation):
    """Three numbers without a singularity, at the price of a switch: |sigma| never exceeds 1. The state remembers the
    sign of p, so that its curves stay smooth. State (omega, sigma, sign), 7; 1.1 times the cost of `newton_euler`."""

    name = "modified_rodrigues"
    title = "Newton–Euler, modified Rodrigues"
    summary = "another attitude, for comparison"
    source = "Schaub and Junkins, Analytical Mechanics of Space Systems, 3.5"
    blocks = (BODY_RATE, StateBlock(StateVariable.COORDINATES, ("sigma1", "sigma2", "sigma3", "sign")))
    sort_order = 140
    measured = (Performance(59, 112, ("2.7e-12", "7.5e-13", "5.0e-11")),)
    mutations = (Mutation("0.25 * (1.0 - dot3(sigma", "0.25 * (1.0 + dot3(sigma"),)
    parameter_type = ModifiedRodriguesParameters
    kernels = Kernels(rhs=modified_rodrigues, chart=switch_to_shadow_set)

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        sign = -1.0 if p[0] < 0.0 else 1.0
        return np.concatenate((omega, sign * p[1:] / (1.0 + abs(p[0])), [sign]))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        sigma, sign = states[:, 3:6], states[:, 6:]
        square = np.einsum("ni,ni->n", sigma, sigma)[:, None]
        return sign * np.hstack((1.0 - square, 2.0 * sigma)) / (1.0 + square), states[:, :3]
