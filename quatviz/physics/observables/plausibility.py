"""What is told of a lane that reaches the end of its run with numbers that are no motion of the body, or cannot be followed."""

import math

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.formatting import true_minus
from quatviz.physics.observables.quantities import QUANTITIES, Motion

LOOKS = 200
"""Samples that are looked at, the first and the last among them."""
OFF = 0.1
"""Of |p|² − 1, and of the energy, from which on nobody is to take a lane for the motion: a tenth is seen in every picture."""

FOLLOWED = 0.5 * math.pi
"""The turn [rad] from a sample to the next up to which angles and signs of p can be carried on from one to the other: beyond half a
turn nobody can tell which way it went, and one angle of three turns faster than the body."""


def strayed(lane: str, motion: Motion, keeps_energy: bool, remedy: str) -> str:
    """When the `lane` left what every motion keeps, in these samples, by what, and the `remedy`; empty where it did not.
    `keeps_energy` says that nothing takes energy from the body or gives any."""
    with np.errstate(all="ignore"):
        off = np.nan_to_num(QUANTITIES["constraint"].values(motion))
        lost = np.nan_to_num(
            QUANTITIES["energy_drift"].values(motion) if keeps_energy else np.zeros_like(off)
        )
    (gone,) = np.nonzero((np.abs(off) > OFF) | (np.abs(lost) > OFF))
    if not len(gone):
        return ""
    size, part = (float(one[np.abs(one).argmax()]) for one in (off, lost))
    kept = phrase("|p|² − 1, which is 0 in every motion, comes to {size}", size=true_minus(f"{size:.2g}"))
    energy = phrase(
        "its energy, which nothing changes, is {share} % off", share=true_minus(f"{100.0 * part:+.0f}")
    )
    what = kept if abs(size) > OFF else energy
    if abs(size) > OFF and abs(part) > OFF:
        what = phrase("{kept}; {energy}", kept=kept, energy=energy)
    return phrase(
        "{lane} is not to be trusted from t = {time:.4g} s on: {what}. {remedy}",
        lane=lane, time=float(motion.t[gone[0]]), what=what, remedy=remedy,
    )  # fmt: skip


def outrun(motion: Motion, interval: float) -> str:
    """That the body turns too far from sample to sample of this `interval` [s] for its turns to be counted, though what is computed
    is right; empty where it does not."""
    rates = np.linalg.norm(motion.omega, axis=1)
    rate = float(np.max(rates, where=np.isfinite(rates), initial=0.0))
    if not rate * interval > FOLLOWED:
        return ""
    return phrase(
        "the body turns by up to {turn:.2g} rad from sample to sample, too far to count its turns: unwrapped angles, and Euler "
        "parameters without a jump, may go the wrong way round. Try a sample interval of {less:g} s",
        turn=rate * interval, less=_rounder(FOLLOWED / rate),
    )  # fmt: skip


def _rounder(number: float) -> float:
    """The largest of 1, 2 and 5, times a power of ten, that is no more than this."""
    power = 10.0 ** math.floor(math.log10(number))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= number) * power:.1g}")
