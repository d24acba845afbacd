"""Errata of S1, the notes on multibody dynamics, which use scalar-last Euler parameters."""

import numpy as np

from quatviz.physics.mechanics import scalar_last
from quatviz.verification.arrays import derivative_at_zero, dot, random_p, scale_rows
from quatviz.verification.errata.base import STATE_COUNT, Erratum, ErratumResiduals


def _random_motion(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return random eps and eps' (n, 4) on the sphere, scalar last."""
    eps, rate = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    return eps, rate - scale_rows(dot(eps, rate), eps)


def dotted_matrix(random: np.random.Generator) -> ErratumResiduals:
    """Compare omega'_1 with the sum of eq. S1(9): the sum over i of R_3i times the time derivative of R_2i as
    corrected, and of R_i2 as printed."""
    eps, rate = _random_motion(random)
    R, R_rate = scalar_last.matrix_R(eps), derivative_at_zero(lambda s: scalar_last.matrix_R(eps + s * rate))
    omega = 2.0 * np.einsum("ni,ni->n", scalar_last.matrix_E_body(eps)[:, 0], rate)
    corrected, printed = (np.einsum("ni,ni->n", R[:, 2], slope) for slope in (R_rate[:, 1], R_rate[:, :, 1]))
    return ErratumResiduals(corrected - omega, printed - omega)


def bracket_in_the_fixed_frame(random: np.random.Generator) -> ErratumResiduals:
    """Compare omega_1 with its expansion before cancellation. The first factor 4 multiplies the first four terms as
    corrected, and only the first term as printed."""
    eps, rate = _random_motion(random)
    e1, e2, e3, e4 = eps.T
    d1, d2, d3, d4 = rate.T
    first = (e1 * e2 * e3 + e3**2 * e4) * d1
    others = (
        -(e1 * e2 * e4 + e3 * e4**2) * d2
        + (e1**2 * e2 + e1 * e3 * e4) * d3
        - (e1 * e2**2 + e2 * e3 * e4) * d4
    )
    middle = 2.0 * (d2 * e3 + e2 * d3 + d1 * e4 + e1 * d4) * (-(e1**2) + e2**2 - e3**2 + e4**2)
    last = (e1**2 * e4 - e1 * e2 * e3) * d1 + (e1 * e2 * e4 - e2**2 * e3) * d2
    last += (e3**2 * e2 - e1 * e3 * e4) * d3 + (e2 * e3 * e4 - e1 * e4**2) * d4
    remaining_terms = middle + 4.0 * last - 2.0 * dot(scalar_last.matrix_E(eps)[:, 0], rate)
    return ErratumResiduals(
        4.0 * (first + others) + remaining_terms,
        4.0 * first + others + remaining_terms,
    )


def bracket_in_the_body_frame(random: np.random.Generator) -> ErratumResiduals:
    """Compare omega'_1 with its expansion before cancellation. The first factor 4 multiplies the first four terms as
    corrected, and only the first term as printed."""
    eps, rate = _random_motion(random)
    e1, e2, e3, e4 = eps.T
    d1, d2, d3, d4 = rate.T
    first = (e1 * e2 * e3 + e2**2 * e4) * d1
    others = (
        (e1**2 * e3 + e1 * e2 * e4) * d2 - (e1 * e3 * e4 + e2 * e4**2) * d3 - (e1 * e3**2 + e2 * e3 * e4) * d4
    )
    second = (e1**2 * e4 - e1 * e2 * e3) * d1 + (e2**2 * e3 - e1 * e2 * e4) * d2
    second += (e1 * e3 * e4 - e2 * e3**2) * d3 + (e2 * e3 * e4 - e1 * e4**2) * d4
    last = 2.0 * (d2 * e3 + e2 * d3 + d1 * e4 + e1 * d4) * (-(e1**2) - e2**2 + e3**2 + e4**2)
    remaining_terms = 4.0 * second + last - 2.0 * dot(scalar_last.matrix_E_body(eps)[:, 0], rate)
    return ErratumResiduals(
        4.0 * (first + others) + remaining_terms,
        4.0 * first + others + remaining_terms,
    )


ERRATA = (
    Erratum(
        "S1(9)",
        "which matrix is differentiated",
        r"$\omega'_1 = R_{31}\dot{R}'_{12} + R_{32}\dot{R}'_{22} + R_{33}\dot{R}'_{32}$, likewise $\omega'_2$ and $\omega'_3$",
        r"$\omega'_1 = R_{31}\dot R^T_{12} + R_{32}\dot R^T_{22} + R_{33}\dot R^T_{32}$",
        r"S1(8) is $\tilde\omega' = R\dot R^T$, whose element 32 is this sum. A prime means body components everywhere else, "
        r"and $R$ has none. The worked row below writes $\dot R^T_{12}$.",
        "S1(9): the first component",
        residuals=dotted_matrix,
    ),
    Erratum(
        "S1, expansion of ω₁",
        "bracket of the first worked row",
        r"$4[(\epsilon_1\epsilon_2\epsilon_3) + \epsilon_3^2\epsilon_4]\dot\epsilon_1 - [\ldots]\dot\epsilon_2 + \ldots$: the "
        r"bracket after 4 closes behind the first term",
        r"4 multiplies all four terms",
        r"They are the products of $2(\ldots)$ and $2(\ldots)$ in the line above. After cancellation S1 writes the bracket "
        r"around all four. Only then the row is $2(\epsilon_4\dot\epsilon_1 - \epsilon_3\dot\epsilon_2 + "
        r"\epsilon_2\dot\epsilon_3 - \epsilon_1\dot\epsilon_4)$, the first of S1(4).",
        "S1, expansion of omega_1",
        residuals=bracket_in_the_fixed_frame,
    ),
    Erratum(
        "S1, expansion of ω′₁",
        "bracket of the second worked row",
        r"$4[(\epsilon_1\epsilon_2\epsilon_3) + \epsilon_2^2\epsilon_4]\dot\epsilon_1 + (\ldots)\dot\epsilon_2 - \ldots$: the "
        r"same bracket",
        r"4 multiplies all four terms",
        r"As in the first row. Only then the row is $2(\epsilon_4\dot\epsilon_1 + \epsilon_3\dot\epsilon_2 - "
        r"\epsilon_2\dot\epsilon_3 - \epsilon_1\dot\epsilon_4)$, the first of S1(10).",
        "S1, expansion of omega'_1",
        residuals=bracket_in_the_body_frame,
    ),
)
