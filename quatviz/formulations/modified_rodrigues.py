"""Newton and Euler with modified Rodrigues parameters, switched to their shadow set at half a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from quatviz.core.kernel import chart_of, combined3, cross, dot3, equations, inline
from quatviz.formulations._attitude import AttitudeForm
from quatviz.formulations._body_parameters import BodyParameters
from quatviz.formulations.newton_euler import omega_rate


class ModifiedRodriguesParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def attitude(sigma):
    """p (4) of sigma (3) = e / (1 + e0)."""
    square = dot3(sigma, sigma)
    scale = 1.0 / (1.0 + square)
    return ((1.0 - square) * scale, 2.0 * scale * sigma[0], 2.0 * scale * sigma[1], 2.0 * scale * sigma[2])


@equations(ModifiedRodriguesParameters)
def modified_rodrigues(par, t, y):
    """J omega' = n - omega x J omega, sigma' = 1/4 ((1 - s.s) I + 2 s~ + 2 s s^T) omega."""
    omega, sigma = y[:3], y[3:6]
    turned = combined3(0.25 * (1.0 - dot3(sigma, sigma)), omega, 0.5, cross(sigma, omega))
    sigma_rate = combined3(1.0, turned, 0.5 * dot3(sigma, omega), sigma)
    return (*omega_rate(par, t, attitude(sigma), omega), *sigma_rate, 0.0)


@chart_of(ModifiedRodriguesParameters)
def shadow(par, y):
    """Beyond half a turn sigma becomes -sigma / |sigma|^2: the same attitude by the shorter way. `sign` turns with it."""
    square = y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    if square > 1.0:
        scale = -1.0 / square
        return (y[0], y[1], y[2], scale * y[3], scale * y[4], scale * y[5], -y[6])
    return y


class ModifiedRodrigues(AttitudeForm):
    """Three numbers without a singularity, at the price of a switch: |sigma| never exceeds 1. The state remembers the
    sign of p, so that its curves stay smooth. State (omega, sigma, sign), 7; 1.1 times the cost of `newton_euler`."""

    name = "modified_rodrigues"
    title = "Newton–Euler, modified Rodrigues"
    source = "Schaub and Junkins, Analytical Mechanics of Space Systems, 3.5"
    parameter_type = ModifiedRodriguesParameters

    @property
    def state(self) -> tuple[str, ...]:
        return ("omega1", "omega2", "omega3", "sigma1", "sigma2", "sigma3", "sign")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        sign = -1.0 if p[0] < 0.0 else 1.0
        return np.concatenate((omega, sign * p[1:] / (1.0 + abs(p[0])), [sign]))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        sigma, sign = states[:, 3:6], states[:, 6:]
        square = np.einsum("ni,ni->n", sigma, sigma)[:, None]
        return sign * np.hstack((1.0 - square, 2.0 * sigma)) / (1.0 + square), self.omega_of(states)
