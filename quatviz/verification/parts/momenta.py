"""Checks of eqs. S3(16-44): the generalized momenta of the Euler parameters, and the reduction of Hamilton's
equations to h."""

from collections.abc import Mapping

import numpy as np

from quatviz.physics.mechanics.rotations import matrix_L, rotation_matrix, skew
from quatviz.verification.arrays import (
    derivative_at_zero,
    dot,
    partial_derivatives,
    random_inertia,
    random_p,
    random_rate,
    scale_rows,
    times,
    transpose,
)
from quatviz.verification.parts.base import IdentityVerificationPart


class MomentumIdentities(IdentityVerificationPart):
    """Checks of S3 for full inertia matrices and a potential of the orientation, for motions on the sphere.

    G of S3 is L of S0. Derivatives of energies are finite differences, independent of the formulas they are compared
    with.
    """

    name = "momenta"
    title = "S3, generalized momenta, largest deviation"
    seed = 38
    tolerance = 1e-9

    def residuals(self, random: np.random.Generator, count: int) -> Mapping[str, np.ndarray]:
        e = random_p(random, count)
        rate, J = random_rate(random, e), random_inertia(random, count)
        return {
            **_energy_residuals(e, rate, J),
            **_reduction_residuals(random, e, rate, J),
        }


def generalized_momenta(e: np.ndarray, rate: np.ndarray, J: np.ndarray) -> np.ndarray:
    """Return the generalized momenta g = 4 G^T J G e' (n, 4) of the Euler parameters, eq. S3(17)."""
    G = matrix_L(e)
    return 4.0 * times(transpose(G) @ J @ G, rate)


def slope_of_coenergy(e: np.ndarray, rate: np.ndarray, J: np.ndarray) -> np.ndarray:
    """Return the partial derivative of the kinetic coenergy with respect to e, k = 4 G'^T J G' e (n, 4), eq.
    S3(20)."""
    G_rate = matrix_L(rate)
    return 4.0 * times(transpose(G_rate) @ J @ G_rate, e)


def _energy_residuals(e: np.ndarray, rate: np.ndarray, J: np.ndarray) -> dict[str, np.ndarray]:
    """Return the residuals of eqs. S3(11) to S3(22), which concern the energies of the rotation."""
    G, G_rate, inverse = matrix_L(e), matrix_L(rate), np.linalg.inv(J)
    omega = 2.0 * times(G, rate)
    h = times(J, omega)
    coenergy = 0.5 * dot(omega, h)
    g = generalized_momenta(e, rate, J)

    def coenergy_at(e: np.ndarray, rate: np.ndarray) -> np.ndarray:
        G = matrix_L(e)
        return 2.0 * dot(rate, times(transpose(G) @ J @ G, rate))

    energy = dot(g, times(transpose(G) @ inverse @ G, g)) / 8.0
    by_rate = partial_derivatives(lambda rate: coenergy_at(e, rate), rate)
    by_e = partial_derivatives(lambda e: coenergy_at(e, rate), e)
    by_g = partial_derivatives(lambda g: dot(g, times(transpose(G) @ inverse @ G, g)) / 8.0, g)
    return {
        "S3(11): G e' = -G' e": times(G, rate) + times(G_rate, e),
        "S3(14): Omega = 2 G G'^T = -2 G' G^T": np.concatenate(
            (
                skew(omega) - 2.0 * G @ transpose(G_rate),
                skew(omega) + 2.0 * G_rate @ transpose(G),
            )
        ),
        "S3(16): T* = 2 e'^T G^T J G e'": coenergy_at(e, rate) - coenergy,
        "S3(17): g = dT*/de'": by_rate - g,
        "S3(18): g = 2 G^T J omega": g - 2.0 * times(transpose(G), h),
        "S3(18): omega = 1/2 J^-1 G g": 0.5 * times(inverse @ G, g) - omega,
        "S3(19): T* = 2 e^T G'^T J G' e": 2.0 * dot(e, times(transpose(G_rate) @ J @ G_rate, e)) - coenergy,
        "S3(20): k = dT*/de": by_e - slope_of_coenergy(e, rate, J),
        "S3(21, 22): T = g e' - T*": energy - dot(g, rate) + coenergy,
        "S3(31): e' = dH/dg": by_g - rate,
        "S3(44): e' = 1/2 G^T J^-1 h": 0.5 * times(transpose(G) @ inverse, h) - rate,
    }


def _reduction_residuals(
    random: np.random.Generator, e: np.ndarray, rate: np.ndarray, J: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the residuals of eqs. S3(29) and S3(36) to S3(42): h' along an arbitrary motion, and h' by the
    momentum balance."""
    count = len(e)
    G, G_rate = matrix_L(e), matrix_L(rate)
    omega = 2.0 * times(G, rate)
    h, g, k = times(J, omega), generalized_momenta(e, rate, J), slope_of_coenergy(e, rate, J)
    # An arbitrary acceleration on the sphere: e.e'' = -e'.e'.
    acceleration = random_rate(random, e) - scale_rows(dot(rate, rate), e)

    def motion(s: float) -> tuple[np.ndarray, np.ndarray]:
        return e + s * rate + 0.5 * s * s * acceleration, rate + s * acceleration

    def h_at(s: float) -> np.ndarray:
        position, velocity = motion(s)
        return 2.0 * times(J @ matrix_L(position), velocity)

    def g_at(s: float) -> np.ndarray:
        return generalized_momenta(*motion(s), J)

    h_rate, g_rate = derivative_at_zero(h_at), derivative_at_zero(g_at)
    axis, weight = random.normal(size=(2, count, 3))

    def potential(e: np.ndarray) -> np.ndarray:
        return dot(weight, times(rotation_matrix(e), axis))

    slope, lam = partial_derivatives(potential, e), random.normal(size=count)
    torque = random.normal(size=(count, 3))
    balance = k - slope + 2.0 * times(transpose(G), torque) + scale_rows(lam, e)
    loads = torque - 0.5 * times(G, slope)
    reduced = 0.5 * times(G, balance) + 0.5 * times(G_rate, g)
    half_gyroscopic = 0.5 * times(skew(omega), h)
    torque_of_potential = np.cross(axis, times(transpose(rotation_matrix(e)), -weight))
    return {
        "S3(29): 2 G^T T does the work of T": dot(2.0 * times(transpose(G), torque), rate)
        - dot(torque, omega),
        "S3(38): h' = 1/2 G g' + 1/2 G' g": h_rate - 0.5 * times(G, g_rate) - 0.5 * times(G_rate, g),
        "S3(39): h' = 1/2 G' g + 1/2 G k + T - 1/2 G dV/de": reduced
        - 0.5 * times(G_rate, g)
        - 0.5 * times(G, k)
        - loads,
        "S3(40): 1/2 G' g = -1/2 Omega h": 0.5 * times(G_rate, g) + half_gyroscopic,
        "S3(40): h' = -1/2 Omega h + 1/2 G k + T - 1/2 G dV/de": reduced
        + half_gyroscopic
        - 0.5 * times(G, k)
        - loads,
        "S3(42): 1/2 G k = -1/2 Omega h": 0.5 * times(G, k) + half_gyroscopic,
        "S3(42): h' = -Omega h + T - 1/2 G dV/de": reduced + 2.0 * half_gyroscopic - loads,
        "S3(42): -1/2 G dV/de is the torque of V": -0.5 * times(G, slope) - torque_of_potential,
    }
