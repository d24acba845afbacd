"""Kernels of the formulation `modified_rodrigues`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations.newton_euler.kernel import omega_rate
from quatviz.physics.kernels.algebra import combined3, cross, dot3
from quatviz.physics.kernels.binder import Kernels, inline


class ModifiedRodriguesParameters(BodyParameters):
    """Parameters of the kernels of `modified_rodrigues`: the fields of `BodyParameters`. numba selects the
    kernels by this type.
    """


@inline
def attitude(sigma):
    """Return p (4) of sigma (3) = e / (1 + e0)."""
    square = dot3(sigma, sigma)
    scale = 1.0 / (1.0 + square)
    return ((1.0 - square) * scale, 2.0 * scale * sigma[0], 2.0 * scale * sigma[1], 2.0 * scale * sigma[2])


def modified_rodrigues(par, t, y):
    """Return the derivative of the state (omega, sigma, sign) by J omega' = n - omega x J omega, sigma' = 1/4
    ((1 - s.s) I + 2 s~ + 2 s s^T) omega.
    """
    omega, sigma = y[:3], y[3:6]
    partial_rate = combined3(0.25 * (1.0 - dot3(sigma, sigma)), omega, 0.5, cross(sigma, omega))
    sigma_rate = combined3(1.0, partial_rate, 0.5 * dot3(sigma, omega), sigma)
    return (*omega_rate(par, t, attitude(sigma), omega), *sigma_rate, 0.0)


def switch_to_shadow_set(par, y):
    """Return the state `y` with sigma replaced by the shadow set -sigma / |sigma|^2 if |sigma| exceeds 1, that is,
    beyond half a turn.

    The attitude stays the same. It is then described by the shorter rotation, and `sign`, the sign of p, changes.
    """
    square = y[3] * y[3] + y[4] * y[4] + y[5] * y[5]
    if square > 1.0:
        scale = -1.0 / square
        return (y[0], y[1], y[2], scale * y[3], scale * y[4], scale * y[5], -y[6])
    return y


@inline
def attitude_and_rate(par, y):
    """Return `(p, omega)` of the state (omega, sigma, sign). p ignores `sign`, since loads and rotors do not
    depend on the sign of p.
    """
    return attitude(y[3:6]), y[:3]


KERNELS = Kernels(rhs=modified_rodrigues, chart=switch_to_shadow_set, observed=attitude_and_rate)
