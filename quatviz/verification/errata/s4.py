"""Errata of S4, Udwadia and Schutte (2010)."""

import numpy as np

from quatviz.physics.mechanics import rotations as r
from quatviz.verification.arrays import (
    E4,
    derivative_at_zero,
    dot,
    outer,
    partial_derivatives,
    random_p,
    scale_rows,
    times,
    transpose,
)
from quatviz.verification.errata.base import STATE_COUNT, Erratum, ErratumResiduals

_J0 = 0.7
_J4 = np.diag([_J0, 1.0, 2.0, 2.5])
"""Matrix J (4, 4) of eq. S4(4): J0 and three principal moments of inertia [kg m^2]."""


def rates_off_the_sphere(random: np.random.Generator) -> ErratumResiduals:
    """Compare 2 E u' with -2 E' u, which are equal if u.u' = 0 as corrected, and unequal for other u' as
    printed."""
    u, rate = 1.2 * random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    tangent = rate - scale_rows(dot(u, rate), u) / dot(u, u)[:, None]
    return ErratumResiduals(*(times(E4(u), v) + times(E4(v), u) for v in (tangent, rate)))


def lagrange_for_independent_u(random: np.random.Generator) -> ErratumResiduals:
    """Compare d/dt dT/du' - dT/du, by finite differences off the sphere |u| = 1, with the left side of eq.
    S4(10) as corrected and as printed."""
    u = 1.2 * random_p(random, STATE_COUNT)
    v, a = random.normal(size=(2, STATE_COUNT, 4))

    def momentum(at: np.ndarray, rate: np.ndarray) -> np.ndarray:
        E = E4(at)
        return 4.0 * times(transpose(E) @ _J4 @ E, rate)

    momentum_rate = derivative_at_zero(lambda s: momentum(u + s * v, v + s * a))
    slope = partial_derivatives(lambda at: 0.5 * dot(momentum(at, v), v), u)
    E, E_rate = E4(u), E4(v)
    left_side = momentum(u, a) + 8.0 * times(transpose(E_rate) @ _J4 @ E, v)
    left_side += 4.0 * _J0 * scale_rows(dot(v, v), u)
    missing = 8.0 * _J0 * scale_rows(dot(u, v), v)
    printed = left_side - momentum_rate + slope
    return ErratumResiduals(printed - missing, printed)


def inverse_off_the_sphere(random: np.random.Generator) -> ErratumResiduals:
    """Compare the product of M_u and its inverse by eq. S4(13) with the identity matrix, for u of any length. The
    inverse contains the factor 1/|u|^4 as corrected, and lacks it as printed."""
    u = 1.2 * random_p(random, STATE_COUNT)
    E = E4(u)
    mass, inverse = transpose(E) @ _J4 @ E, transpose(E) @ np.linalg.inv(_J4) @ E
    scale = (dot(u, u) ** 2)[:, None, None]
    return ErratumResiduals(mass @ inverse / scale - np.eye(4), mass @ inverse - np.eye(4))


def twice_or_four_times(random: np.random.Generator) -> ErratumResiduals:
    """Compare 2 omega^T J omega with 4T as corrected, and with 2T as printed."""
    p, omega = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 3))
    omega = r.omega_from_rate(p, r.rate_from_omega(p, omega))
    value = 2.0 * dot(omega, times(_J4[1:, 1:], omega))
    T = 0.5 * dot(omega, times(_J4[1:, 1:], omega))
    return ErratumResiduals(value - 4.0 * T, value - 2.0 * T)


def torque_of_three_components(random: np.random.Generator) -> ErratumResiduals:
    """Compare the virtual work of the generalized torque, eq. S4(31), with that of the torque, for the
    components Gamma_B as corrected and as printed in eq. S4(30)."""
    p = random_p(random, STATE_COUNT)
    torque, rotation = random.normal(size=(2, STATE_COUNT, 3))
    step = r.rate_from_omega(p, rotation)
    work = dot(torque, rotation)
    residuals = []
    for components in (torque, torque[:, [0, 1, 0]]):
        Q = 2.0 * times(transpose(r.matrix_L(p)), components)
        residuals.append(dot(Q, step) - work)
    return ErratumResiduals(*residuals)


def displacement_on_the_sphere(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate eq. S4(34), u.du = 0, for the displacement du of eq. S4(35)."""
    u, step = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    return ErratumResiduals(dot(u, step - scale_rows(dot(u, step), u)))


def factor_of_the_torque(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate eq. S4(36), 2 (I - u u^T) E^T Gamma_B = (I - u u^T) Gamma_u, for a Gamma_u that does the same
    work as Gamma_B."""
    u, torque = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 3))
    projector = np.eye(4) - outer(u, u)
    torque4 = np.concatenate((np.zeros((STATE_COUNT, 1)), torque), axis=1)
    # Gamma_u is determined by its work on rotations about three axes, up to a component along u that does no
    # work.
    axes = np.stack([r.rate_from_omega(u, axis) for axis in np.eye(3)], axis=1)
    gamma = np.linalg.solve(
        np.concatenate((axes, u[:, None, :]), axis=1),
        np.concatenate((torque, random.normal(size=(STATE_COUNT, 1))), axis=1)[:, :, None],
    )[:, :, 0]
    return ErratumResiduals(times(2.0 * projector @ transpose(E4(u)), torque4) - times(projector, gamma))


ERRATA = (
    Erratum(
        "S4(1) and (7)",
        "equality off the sphere",
        r"$2E\dot u = -2\dot E u$, and the last equality of (7)",
        r"only where $u^T\dot u = 0$",
        r"The lower three rows agree always. The first rows are $2u^T\dot u$ and $-2\dot u^T u$, which have opposite signs. For "
        r"independent $u$, as in (5) to (10), they are not zero.",
        "S4(1, 7): E u' = -E' u",
        residuals=rates_off_the_sphere,
    ),
    Erratum(
        "S4(8) and (10)",
        "Lagrange's equation for independent u",
        r"$4E^TJE\ddot u + 8\dot{E}{}^TJE\dot u + 4J_0(\dot u^T\dot u)u = \Gamma_u$",
        r"$4E^TJE\ddot u + 8\dot{E}{}^TJE\dot u + 4J_0(\dot u^T\dot u)u - 8J_0(u^T\dot u)\dot u = \Gamma_u$",
        r"The last equality of (7) has the wrong sign in the row of $J_0$, which is worth $8J_0(u^T\dot u)\dot u$. On the sphere "
        r"the term is zero, so (40) and (42) are right. Without the constraint it is not: with $r = |u|^2$ the printed equation "
        r"gives $r\ddot r + \dot r^2 = 2T/J_0$ and the consistent one $r\ddot r = 2T/J_0$. Free of torque $|u|$ grows like "
        r"$t^{1/4}$ and like $t^{1/2}$. "
        r"[udwadia_schutte_unconstrained](formulations.md#udwadia_schutte_unconstrained-udwadiaschutte-unconstrained) is "
        r"the lane as printed, `udwadia_schutte_unconstrained_consistent` the corrected one.",
        "S4(8, 10): Lagrange's equation off the sphere",
        residuals=lagrange_for_independent_u,
    ),
    Erratum(
        "S4(13)",
        "inverse off the sphere",
        r"$M_u^{-1} = \tfrac14 E^TJ^{-1}E$",
        r"divided by $|u|^4$ for independent $u$",
        r"$EE^T = |u|^2 I$, which (13) uses twice as $I$. At $|u| = 1$ there is no difference.",
        "S4(13): M_u times its inverse",
        residuals=inverse_off_the_sphere,
    ),
    Erratum(
        "S4 below (20)",
        "twice the kinetic energy",
        r"$2\omega^TJ\omega$ “is twice the kinetic energy of rotation”",
        r"four times",
        r"S4(4) is $T = \tfrac12\omega^TJ\omega$, so $2\omega^TJ\omega = 4T$.",
        "S4 below (20): 2 omega^T J omega in T",
        residuals=twice_or_four_times,
    ),
    Erratum(
        "S4(30)",
        "third component of the torque",
        r"$[0, \Gamma_{1,B}, \Gamma_{2,B}, \Gamma_{1,B}]^T$",
        r"$[0, \Gamma_{1,B}, \Gamma_{2,B}, \Gamma_{3,B}]^T$",
        r"The work $\Gamma_B^T\delta\theta$ of (31) has all three components, as the definition below (10) has.",
        "S4(30): virtual work",
        residuals=torque_of_three_components,
    ),
    Erratum(
        "S4(35)",
        "symbol of the virtual displacement",
        r"$\partial u = (I - uu^T)\delta w$",
        r"$\delta u = (I - uu^T)\delta w$",
        r"It solves (34), $u^T\delta u = 0$, for $\delta u$. The symbol may be misread in our copy only.",
        "S4(34, 35): u^T du = 0",
        residuals=displacement_on_the_sphere,
    ),
    Erratum(
        "S4(37)",
        "illegible factor",
        r"a sign that looks like $L$ before $(I - uu^T)E^T\Gamma_B$",
        r"$2(I - uu^T)E^T\Gamma_B = (I - uu^T)\Gamma_u$",
        r"It is (36) without $\delta w$, transposed, and (36) has the 2. Equation (38) repeats it. The sign may be misread in our "
        r"copy only.",
        "S4(37): the factor is 2",
        residuals=factor_of_the_torque,
    ),
)
