"""Velocity variables that a user function can integrate with p, selected by the name of its third argument."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.equations.equation import BODY, EULER_PARAMETERS, SPACE
from quatviz.physics.kernels.algebra import L_times, on_sphere, times_inertia, to_body, twice_L_times
from quatviz.physics.kernels.binder import inline
from quatviz.physics.mechanics.rotations import (
    matrix_L,
    omega_from_rate,
    rate_from_omega,
    rotate,
    rotate_back,
)
from quatviz.physics.mechanics.state import (
    BODY_MOMENTUM,
    BODY_RATE,
    EULER_MOMENTA,
    EULER_RATES,
    StateBlock,
    StateVariable,
)


class VelocityVariable(NamedTuple):
    """A velocity variable v and its relation to omega, given the attitude p and the inertia J (3, 3) [kg m^2, body]."""

    block: StateBlock
    """Block of the state that holds v."""
    latex: str
    """Symbol of v."""
    unit: str
    """Unit of dv/dt."""
    omega: Callable[..., Any]
    """Kernel `f(par, p, v)` that returns omega (3) [rad/s, body]."""
    start: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    """`f(p, omega, J)` returns v (k,) for p (4,) and omega (3,) [rad/s, body]."""
    observe: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    """`f(p, v, J)` returns omega (n, 3) [rad/s, body] for p (n, 4) and v (n, k)."""

    @property
    def frame(self) -> str:
        """Frame in which the components of v are given."""
        frames = {StateVariable.SPACE_RATE: SPACE, StateVariable.SPACE_MOMENTUM: SPACE}
        return EULER_PARAMETERS if len(self.block.names) == 4 else frames.get(self.block.variable, BODY)

    @property
    def second_order(self) -> bool:
        """True if v is p'. The user function then returns p''."""
        return self.block is EULER_RATES


@inline
def _omega_from_omega(par, p, v):
    return v


@inline
def _omega_from_space_omega(par, p, v):
    return to_body(on_sphere(p), v)


@inline
def _omega_from_h(par, p, v):
    return times_inertia(par.principal, par.inverse_inertia, v)


@inline
def _omega_from_space_h(par, p, v):
    return times_inertia(par.principal, par.inverse_inertia, to_body(on_sphere(p), v))


@inline
def _omega_from_p_rate(par, p, v):
    omega = twice_L_times(p, v)
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
    return (omega[0] / square, omega[1] / square, omega[2] / square)


@inline
def _omega_from_g(par, p, v):
    h = L_times(p, v)
    return times_inertia(par.principal, par.inverse_inertia, (0.5 * h[0], 0.5 * h[1], 0.5 * h[2]))


def _solve_inertia(J: np.ndarray, h: np.ndarray) -> np.ndarray:
    return np.linalg.solve(J, h.T).T


VELOCITIES = {
    "omega": VelocityVariable(
        BODY_RATE, r"\omega", "rad/s²", _omega_from_omega, lambda p, omega, J: omega, lambda p, v, J: v
    ),
    "omega_space": VelocityVariable(
        StateBlock(StateVariable.SPACE_RATE, ("omega_x", "omega_y", "omega_z")), r"\omega_s", "rad/s²", _omega_from_space_omega,
        lambda p, omega, J: rotate(p, omega), lambda p, v, J: rotate_back(p, v),
    ),
    "h": VelocityVariable(
        BODY_MOMENTUM, "h", "N m", _omega_from_h, lambda p, omega, J: J @ omega, lambda p, v, J: _solve_inertia(J, v)
    ),
    "h_space": VelocityVariable(
        StateBlock(StateVariable.SPACE_MOMENTUM, ("h_x", "h_y", "h_z")), "h_s", "N m", _omega_from_space_h,
        lambda p, omega, J: rotate(p, J @ omega), lambda p, v, J: _solve_inertia(J, rotate_back(p, v)),
    ),
    "p_rate": VelocityVariable(
        EULER_RATES, r"\dot p", "1/s²", _omega_from_p_rate, lambda p, omega, J: rate_from_omega(p, omega),
        lambda p, v, J: omega_from_rate(p, v) / np.einsum("ni,ni->n", p, p)[:, None],
    ),
    "g": VelocityVariable(
        EULER_MOMENTA, "g", "J", _omega_from_g, lambda p, omega, J: 2.0 * matrix_L(p).T @ (J @ omega),
        lambda p, v, J: _solve_inertia(J, 0.5 * (matrix_L(p) @ v[:, :, None])[:, :, 0]),
    ),
}  # fmt: skip
"""Velocity variables by argument name: omega and h have body components, omega_space and h_space have space
components.

p_rate is p'; g = 2 L^T h is the momentum conjugate to p.
"""
