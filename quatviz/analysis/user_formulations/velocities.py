"""What a state holds beside p, by the name of the argument that a person gives it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.equations.equation import BODY, PARAMETERS, SPACE
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
    Block,
    Kind,
)


class Velocity(NamedTuple):
    """A velocity v of the attitude p; J is the inertia (3, 3) [kg m^2, body]."""

    block: Block
    latex: str
    unit: str
    """Of its rate."""
    omega: Callable[..., Any]
    """`f(par, p, v)`, a kernel: omega (3) [rad/s, body]."""
    start: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    """`f(p, omega, J)`, v (k,) at p (4,) and omega (3,)."""
    observe: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    """`f(p, v, J)`, omega (n, 3) of p (n, 4) and v (n, k)."""

    @property
    def frame(self) -> str:
        """In which its components are."""
        kinds = {Kind.SPACE_RATE: SPACE, Kind.SPACE_MOMENTUM: SPACE}
        return PARAMETERS if len(self.block.names) == 4 else kinds.get(self.block.kind, BODY)

    @property
    def second_order(self) -> bool:
        """Whether it is p', so that the equations give p''."""
        return self.block is EULER_RATES


@inline
def _as_it_is(par, p, v):
    return v


@inline
def _back(par, p, v):
    return to_body(on_sphere(p), v)


@inline
def _by_inertia(par, p, v):
    return times_inertia(par.principal, par.inverse_inertia, v)


@inline
def _back_by_inertia(par, p, v):
    return times_inertia(par.principal, par.inverse_inertia, to_body(on_sphere(p), v))


@inline
def _of_rate(par, p, v):
    omega = twice_L_times(p, v)
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
    return (omega[0] / square, omega[1] / square, omega[2] / square)


@inline
def _of_momenta(par, p, v):
    h = L_times(p, v)
    return times_inertia(par.principal, par.inverse_inertia, (0.5 * h[0], 0.5 * h[1], 0.5 * h[2]))


def _divided(J: np.ndarray, h: np.ndarray) -> np.ndarray:
    return np.linalg.solve(J, h.T).T


VELOCITIES = {
    "omega": Velocity(
        BODY_RATE, r"\omega", "rad/s²", _as_it_is, lambda p, omega, J: omega, lambda p, v, J: v
    ),
    "omega_space": Velocity(
        Block(Kind.SPACE_RATE, ("omega_x", "omega_y", "omega_z")), r"\omega_s", "rad/s²", _back,
        lambda p, omega, J: rotate(p, omega), lambda p, v, J: rotate_back(p, v),
    ),
    "h": Velocity(
        BODY_MOMENTUM, "h", "N m", _by_inertia, lambda p, omega, J: J @ omega, lambda p, v, J: _divided(J, v)
    ),
    "h_space": Velocity(
        Block(Kind.SPACE_MOMENTUM, ("h_x", "h_y", "h_z")), "h_s", "N m", _back_by_inertia,
        lambda p, omega, J: rotate(p, J @ omega), lambda p, v, J: _divided(J, rotate_back(p, v)),
    ),
    "p_rate": Velocity(
        EULER_RATES, r"\dot p", "1/s²", _of_rate, lambda p, omega, J: rate_from_omega(p, omega),
        lambda p, v, J: omega_from_rate(p, v) / np.einsum("ni,ni->n", p, p)[:, None],
    ),
    "g": Velocity(
        EULER_MOMENTA, "g", "J", _of_momenta, lambda p, omega, J: 2.0 * matrix_L(p).T @ (J @ omega),
        lambda p, v, J: _divided(J, 0.5 * (matrix_L(p) @ v[:, :, None])[:, :, 0]),
    ),
}  # fmt: skip
"""omega and h in body components, omega_space and h_space in space, p_rate = p', g = 2 L^T h the momenta conjugate to p."""
