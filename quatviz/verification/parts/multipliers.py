"""The Lagrange multiplier of every form that has one."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, vanishing
from quatviz.verification.lanes import StepHalvingPair, run
from quatviz.verification.motions import preset_of, random_preset, states
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import Part

TOLERANCE = 1e-8
THEORY_TOLERANCE = 1e-7
"""The theory takes the slope of a spring's potential by a rule of five points, which is good to some 1e-8 J."""
CASE = "point_force"


class Multipliers(Part):
    """S0 section 4: one point force, six lambdas, one motion; and in other motions the sum of the terms of theory."""

    name = "multipliers"
    title = "Lagrange multipliers [J], largest error over time"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from _six()
        for kind, loads in LOADS.items():
            for seed in range(10 if full else 1):
                for tried in run(random_preset(seed, loads), dt=1e-3, duration=2.0, sample_interval=0.05):
                    yield from _against_theory(kind, tried)


def _against_theory(kind: str, tried: StepHalvingPair) -> Iterator[Check]:
    form = tried.lane.formulation
    if form.has_multiplier and form.multiplier_terms is not None and tried.regular:
        told = f"{kind}: lambda = {' + '.join(form.multiplier_terms) or '0'}"
        yield tried.vanishing(f"{tried.preset.name}, {told}", _excess, THEORY_TOLERANCE, told)


def _excess(motion: Motion) -> np.ndarray:
    return motion.lam - motion.lam_theory


def _six() -> Iterator[Check]:
    """Each of the six at the times of the reference, where they are between 0 and 13 J."""
    reference = states()[CASE]
    rows = np.rint(np.array(reference["times"]) / 0.01).astype(int)
    lanes = list(reference["lambda"][0])
    duration = reference["times"][-1]
    for tried in run(preset_of(CASE), lanes, dt=1e-3, duration=duration, sample_interval=0.01):
        expected = np.array([row[tried.lane.name] for row in reference["lambda"]])
        error = tried.motion.lam[rows] - expected
        yield vanishing(f"{CASE}: lambda at the reference times", error, TOLERANCE, tried.described)
