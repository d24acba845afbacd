"""What is told of a lane that reaches the end of its run with numbers that are no motion of the body."""

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.words import true_minus
from quatviz.motion.observables import QUANTITIES, Motion

LOOKS = 200
"""Samples that are looked at, the first and the last among them."""
OFF = 0.1
"""Of |p|² − 1, and of the energy, from which on nobody is to take a lane for the motion: a tenth is seen in every picture."""


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
