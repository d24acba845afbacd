"""Checks of samples against the invariants of rigid-body motion, and of the sample interval against the rotation
rate."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import use_minus_sign
from quatviz.physics.observables.quantities import QUANTITIES, Motion

MAX_RELATIVE_ERROR = 0.1
"""Largest accepted | |p|² − 1 | and relative energy error. An error of 10 % is visible in every plot."""

MAX_TURN_PER_SAMPLE = 0.5 * math.pi
"""Largest rotation [rad] between samples at which angles and signs of p can be continued from one sample to the next.

The limit is a quarter turn, because the direction of the rotation would be ambiguous beyond half a turn, and one of
the three angles may turn faster than the body.
"""


class InvariantViolation(NamedTuple):
    """Violation of an invariant of rigid-body motion: the time [s] of the first sample that violates it, and
    a phrase that names the invariant and its error.
    """

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
        "|p|² − 1, which should be 0, reaches {size}",
        size=use_minus_sign(f"{largest_constraint_error:.2g}"),
    )
    energy_text = phrase(
        "the energy, which should be constant, changes by {share} %",
        share=use_minus_sign(f"{100.0 * largest_energy_error:+.0f}"),
    )
    reason = constraint_text if abs(largest_constraint_error) > MAX_RELATIVE_ERROR else energy_text
    if abs(largest_constraint_error) > MAX_RELATIVE_ERROR and abs(largest_energy_error) > MAX_RELATIVE_ERROR:
        reason = phrase("{constraint}; {energy}", constraint=constraint_text, energy=energy_text)
    return InvariantViolation(float(motion.t[violations[0]]), reason)


def undersampling_warning(motion: Motion, interval: float) -> str:
    """Return a warning if the body turns too far between samples to count its turns; otherwise "".

    Parameters
    ----------
    motion
        Motion of a lane. It may be correct even if it is undersampled.
    interval
        Sample interval [s].
    """
    rates = np.linalg.norm(motion.omega, axis=1)
    rate = float(np.max(rates, where=np.isfinite(rates), initial=0.0))
    if not rate * interval > MAX_TURN_PER_SAMPLE:
        return ""
    return phrase(
        "the body turns by up to {turn:.2g} rad between samples, too far to count its turns. Unwrapped angles and continuous "
        "Euler parameters may turn the wrong way. Try a sample interval of {interval:g} s",
        turn=rate * interval, interval=_round_down(MAX_TURN_PER_SAMPLE / rate),
    )  # fmt: skip


def _round_down(value: float) -> float:
    """Return the largest number that is 1, 2 or 5 times a power of ten and does not exceed `value`."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= value) * power:.1g}")
