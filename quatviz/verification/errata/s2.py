"""Errata of S2, Bernstein, Goel and Kouba (2023)."""

import numpy as np

from quatviz.physics.mechanics.rotations import normalize
from quatviz.verification.arrays import random_p
from quatviz.verification.errata.base import STATE_COUNT, Erratum, ErratumResiduals


def first_entry_of_S(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate the entry (1, 1) of the equation M^T S = 8/q1 I, with the first entry of S as corrected and as
    printed."""
    q = random_p(random, STATE_COUNT)
    q[:, 0] = 0.3 + np.abs(q[:, 0])
    q = normalize(q)
    q1, q2, q3, q4 = q.T
    below = np.stack((-q4 + q2 * q3 / q1, q3 + q2 * q4 / q1), axis=1)
    residuals = []
    for first in (q1 + q2**2 / q1, q1 + q2 / q1):
        column = np.column_stack((first, below))
        residuals.append((np.stack((q1, -q4, q3), axis=1) * column).sum(1) - 1.0)
    return ErratumResiduals(*residuals)


ERRATA = (
    Erratum(
        "S2(5)",
        "symbol of the kinetic energy",
        r"$\Gamma(q, \dot q) = \tfrac12\omega^T J\omega$",
        r"$T(q, \dot q) = \tfrac12\omega^T J\omega$",
        r"S2(6) to (8) differentiate $T$. The check takes the derivatives of this function numerically.",
        "S2(5, 6): dT/dq' = S^T J S q'",
        "coordinates",
    ),
    Erratum(
        "S2, proof of Proposition 1",
        "numbers of equations",
        "“(30)–(32) with (33)–(34)”; (21) follows from “(18)–(20) and (22)”",
        "(30)–(32) with (33)–(35); (21) follows from (18)–(20) and (23)",
        r"There are three unit vectors, and (35) is $R(e_3)$. Equation (21) needs $S^T[S_2 \times S_3, \ldots] = "
        r"(\det S) I$, which is (23). The page [Operators](operators.md) has the proof with numbers.",
        "S2(32, 35): L(e3) - R(e3) is made of the residuals of (19) and (20)",
        "operators",
    ),
    Erratum(
        "S2(36), (37)",
        "index of a rate",
        r"$\dot q_{q_1}^T[\partial_{q_1}S]^T$, likewise below it",
        r"$\dot q^T[\partial_{q_1}S]^T$",
        r"The rows are the transposed columns $\partial_{q_i}S\,\dot q$ of S2(16). The stray index may be of our copy only: "
        r"S2(38) has none.",
        "S2(16, 36): S' + (S q')~ S = [dS/dq1 q', ...]",
        "coordinates",
    ),
    Erratum(
        "S2(55)",
        "first entry of the product",
        r"$q_1 + q_2/q_1$",
        r"$q_1 + q_2^2/q_1$",
        r"It is the first entry of $S$ in S2(50). Only with the square the first row times the first column is "
        r"$q_1^2 + q_2^2 + q_3^2 + q_4^2 = 1$.",
        "S2(55): first entry of the product",
        residuals=first_entry_of_S,
    ),
)
