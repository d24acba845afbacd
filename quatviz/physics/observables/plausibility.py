"""Checks of samples against what every motion of a rigid body keeps, and against what can be seen between samples."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import use_minus_sign
from quatviz.physics.observables.quantities import QUANTITIES, Motion

MAX_RELATIVE_ERROR = 0.1
"""Largest accepted | |p|² − 1 | and relative energy error. An error of 10 % is visible in every plot."""

MAX_TURN_PER_SAMPLE = 0.5 * math.pi
"""Largest turn [rad] between samples for which angles and signs of p can be continued from one to the next. Beyond half a turn its
direction is ambiguous, and one angle of three turns faster than the body."""


class InvariantViolation(NamedTuple):
    """Time [s] from which a motion violates an invariant of rigid-body motion, and a phrase that says which one and by how much."""

    time: float
    reason: str


def invariant_violation(motion: Motion, conserves_energy: bool) -> InvariantViolation | None:
    """Find where a motion stops satisfying the invariants of rigid-body motion.

    Parameters
    ----------
    motion
        Sampled motion of a lane.
    conserves_energy
        True if no load adds or removes energy, so that the energy error is meaningful.

    Returns
    -------
    InvariantViolation or None
        The first sample at which an invariant is off by more than `MAX_RELATIVE_ERROR`; None if all hold.
    """
    with np.errstate(all="ignore"):
        constraint_error = np.nan_to_num(QUANTITIES["constraint"].values(motion))
        energy_error = np.nan_to_num(
            QUANTITIES["energy_drift"].values(motion) if conserves_energy else np.zeros_like(constraint_error)
        )
    (violations,) = np.nonzero(
        (np.abs(constraint_error) > MAX_RELATIVE_ERROR) | (np.abs(energy_error) > MAX_RELATIVE_ERROR)
    )
    if not len(violations):
        return None
    largest_constraint_error, largest_energy_error = (
        float(errors[np.abs(errors).argmax()]) for errors in (constraint_error, energy_error)
    )
    constraint_text = phrase(
        "|p|² − 1, which is 0 in every motion, comes to {size}",
        size=use_minus_sign(f"{largest_constraint_error:.2g}"),
    )
    energy_text = phrase(
        "its energy, which nothing changes, is {share} % off",
        share=use_minus_sign(f"{100.0 * largest_energy_error:+.0f}"),
    )
    reason = constraint_text if abs(largest_constraint_error) > MAX_RELATIVE_ERROR else energy_text
    if abs(largest_constraint_error) > MAX_RELATIVE_ERROR and abs(largest_energy_error) > MAX_RELATIVE_ERROR:
        reason = phrase("{kept}; {energy}", kept=constraint_text, energy=energy_text)
    return InvariantViolation(float(motion.t[violations[0]]), reason)


def undersampling_warning(motion: Motion, interval: float) -> str:
    """That the body turns too far from sample to sample of this `interval` [s] for its turns to be counted, though what is computed
    is right; empty where it does not."""
    rates = np.linalg.norm(motion.omega, axis=1)
    rate = float(np.max(rates, where=np.isfinite(rates), initial=0.0))
    if not rate * interval > MAX_TURN_PER_SAMPLE:
        return ""
    return phrase(
        "the body turns by up to {turn:.2g} rad from sample to sample, too far to count its turns: unwrapped angles, and Euler "
        "parameters without a jump, may go the wrong way round. Try a sample interval of {less:g} s",
        turn=rate * interval, less=_round_down(MAX_TURN_PER_SAMPLE / rate),
    )  # fmt: skip


def _round_down(value: float) -> float:
    """The largest of 1, 2 and 5, times a power of ten, that is no more than this."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= value) * power:.1g}")
