"""Explanation of wrong rates that no known mistake explains: the component, factor or term that is wrong.

The residual, that is the rates of the formulation minus those of the motion, is fitted at random states by terms that
occur in equations of a rigid body. The simplest exact fit is described in words.
"""

from collections.abc import Callable

import numpy as np

from quatviz.physics.mechanics.state import StateVariable
from quatviz.verification.judging.attitude_errors import explain_attitude, explain_own_coordinates
from quatviz.verification.judging.fits import amount_text, fit
from quatviz.verification.judging.rate_table import PART_NAMES, RateTable
from quatviz.verification.judging.rotation_errors import explain_rotation

_SAME_STATE = 1e-6
"""Largest relative difference at which the state at the start counts as equal to the prescribed state."""


def explain_start(table: RateTable) -> str:
    """Return a sentence if p or omega at the start differ from the prescribed values, otherwise ""."""
    p = table.observed_p
    lengths = np.linalg.norm(p, axis=1)
    if np.abs(lengths - 1.0).max() > _SAME_STATE:
        return "p is not normalized: the attitude gives numbers with |p| different from 1"
    sides = np.sign(np.einsum("ni,ni->n", p, table.p))[:, None]
    if np.abs(sides * p - table.p).max() > _SAME_STATE:
        conjugates = table.p * [1.0, -1.0, -1.0, -1.0]
        sides = np.sign(np.einsum("ni,ni->n", p, conjugates))[:, None]
        if np.abs(sides * p - conjugates).max() <= _SAME_STATE:
            return "the start values, or the attitude, give the conjugate of p"
        return "start values and attitude do not agree: p of the start values is another attitude"
    size = np.abs(table.omega).max()
    if np.abs(table.observed_omega - table.omega).max() > _SAME_STATE * size:
        return "start values and attitude do not agree: omega of the start values is another one"
    return ""


def explain_constraint(table: RateTable) -> str:
    """Return a sentence about the rate at which the constraint is violated, or "" if no simple explanation exists."""
    T = np.array([state.T for state in table.states])
    squared = np.einsum("ni,ni->n", table.omega, table.omega)
    work = np.einsum("ni,ni->n", table.omega, table.torque)
    if table.velocity_kind is StateVariable.EULER_MOMENTA and (match := fit([4.0 * T], table.constraint)):
        missing = float(match.coefficients[0])
        for part, sentence in ((2.0, "λ has the opposite sign"), (0.5, "λ has 2T in place of 4T")):
            if abs(missing - part) < 1e-6:
                return sentence
    for name, column in (("|p'|²", 0.25 * squared), ("T", T), ("ω·n", work), ("", np.ones(len(table)))):
        match = fit([column], table.constraint)
        if match:
            return (
                f"the constraint is violated at the rate {amount_text(match.coefficients[0])} {name}".rstrip()
            )
    return ""


def _explain_rotation(table: RateTable) -> str:
    return explain_own_coordinates(table) or explain_rotation(table)


EXPLAINERS: dict[str, Callable[[RateTable], str]] = dict(
    zip(PART_NAMES, (explain_attitude, _explain_rotation, explain_constraint), strict=True)
)
"""Maps the name of each part of the rates to the function that explains its errors."""
