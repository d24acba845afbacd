"""What is told of a lane that reaches the end of its run with numbers that are no motion of the body, or cannot be followed."""

import math

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import use_minus_sign
from quatviz.physics.observables.quantities import QUANTITIES, Motion

CHECKED_SAMPLES = 200
"""Samples that are looked at, the first and the last among them."""
MAX_RELATIVE_ERROR = 0.1
"""Of |p|² − 1, and of the energy, from which on nobody is to take a lane for the motion: a tenth is seen in every picture."""

MAX_TURN_PER_SAMPLE = 0.5 * math.pi
"""The turn [rad] from a sample to the next up to which angles and signs of p can be carried on from one to the other: beyond half a
turn nobody can tell which way it went, and one angle of three turns faster than the body."""


def divergence_warning(lane_name: str, motion: Motion, conserves_energy: bool, remedy: str) -> str:
    """When the `lane_name` left what every motion keeps, in these samples, by what, and the `remedy`; empty where it did not.
    `conserves_energy` says that nothing takes energy from the body or gives any."""
    with np.errstate(all="ignore"):
        constraint_error = np.nan_to_num(QUANTITIES["constraint"].values(motion))
        energy_error = np.nan_to_num(
            QUANTITIES["energy_drift"].values(motion) if conserves_energy else np.zeros_like(constraint_error)
        )
    (violations,) = np.nonzero(
        (np.abs(constraint_error) > MAX_RELATIVE_ERROR) | (np.abs(energy_error) > MAX_RELATIVE_ERROR)
    )
    if not len(violations):
        return ""
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
    violation_text = constraint_text if abs(largest_constraint_error) > MAX_RELATIVE_ERROR else energy_text
    if abs(largest_constraint_error) > MAX_RELATIVE_ERROR and abs(largest_energy_error) > MAX_RELATIVE_ERROR:
        violation_text = phrase("{kept}; {energy}", kept=constraint_text, energy=energy_text)
    return phrase(
        "{lane} is not to be trusted from t = {time:.4g} s on: {what}. {remedy}",
        lane=lane_name, time=float(motion.t[violations[0]]), what=violation_text, remedy=remedy,
    )  # fmt: skip


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
