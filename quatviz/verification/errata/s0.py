"""Errata of S0, Sherif, Nachbagauer and Steiner (2015)."""

import numpy as np

from quatviz.physics.mechanics import rotations as r
from quatviz.verification.arrays import (
    dot,
    partial_derivatives,
    random_inertia,
    random_p,
    random_rate,
    times,
    transpose,
)
from quatviz.verification.errata.base import STATE_COUNT, Erratum, ErratumResiduals


def multiplier_of_the_simplified_form(random: np.random.Generator) -> ErratumResiduals:
    """Compare lambda of eq. S0(30) with 4T as corrected, and with 2T as printed."""
    p = random_p(random, STATE_COUNT)
    rate, J = random_rate(random, p), random_inertia(random, STATE_COUNT)
    L, L_rate = r.matrix_L(p), r.matrix_L(rate)
    omega = 2.0 * times(L, rate)
    T = 0.5 * dot(omega, times(J, omega))
    lam = -8.0 * dot(p, times(transpose(L_rate) @ J @ L, rate))
    return ErratumResiduals(lam - 4.0 * T, lam - 2.0 * T)


def jacobian_of_the_constraint(random: np.random.Generator) -> ErratumResiduals:
    """Compare the derivative of p^T p - 1 with respect to p with 2 p as corrected, and with p as printed."""
    p = random_p(random, STATE_COUNT)
    slope = partial_derivatives(lambda at: dot(at, at), p)
    return ErratumResiduals(slope - 2.0 * p, slope - p)


def frame_of_the_torque(random: np.random.Generator) -> ErratumResiduals:
    """Compare the virtual work of Q = 2 L^T n with that of the torque, for n in body components as corrected,
    and in space components as printed."""
    p = random_p(random, STATE_COUNT)
    n_space, rotation = random.normal(size=(2, STATE_COUNT, 3))
    step = r.rate_from_omega(p, rotation)
    work = (n_space * r.rotate(p, rotation)).sum(1)
    LT = transpose(r.matrix_L(p))
    residuals = [(2.0 * times(LT, n) * step).sum(1) - work for n in (r.rotate_back(p, n_space), n_space)]
    return ErratumResiduals(*residuals)


ERRATA = (
    Erratum(
        "S0, introduction",
        "twice the kinetic energy",
        r"the multiplier is “equal to twice the rotational kinetic energy”",
        r"$\lambda = 4T$ in S0's own equations, which have $p\lambda$",
        r"S0(30) is $\lambda = -8 p^T \dot{L}{}^T J L \dot p$. With $\omega = 2L\dot p$ and $\dot L p = -L\dot p$ it becomes "
        r"$2\omega^T J\omega$. As $T = \tfrac12\omega^T J\omega$, this is $4T$. Twice holds for the multiplier of the Jacobian "
        r"$2p^T$, which is half as large.",
        "S0(30): lambda in T",
        residuals=multiplier_of_the_simplified_form,
    ),
    Erratum(
        "S0 below (23)",
        "Jacobian of the constraint",
        r"$p$ “is the transpose of the constraint Jacobian” of $p^T p = 1$",
        r"$p$ is half of it",
        r"$\partial(p^T p - 1)/\partial p = 2p^T$. S0 takes the constraint force as $p\lambda$, so its $\lambda$ is twice the "
        r"multiplier that belongs to $2p$.",
        "S0 below (23): Jacobian of the constraint",
        residuals=jacobian_of_the_constraint,
    ),
    Erratum(
        "S0 below (79)",
        "frame of the torque",
        r"$B_1^T f = 2L^T n$",
        r"$B_1^T f = 2L^T \bar n$, with the torque in body components",
        r"$\omega = 2L\dot p$ is in body components, so the power $\bar n^T\omega = (2L^T\bar n)^T\dot p$ needs the torque in "
        r"body components. S0(60) has the bar.",
        "S0 below (79): virtual work",
        residuals=frame_of_the_torque,
    ),
)
