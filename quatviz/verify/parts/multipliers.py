"""The Lagrange multiplier of every form that has one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quatviz.verify.check import Check, vanishing
from quatviz.verify.lanes import described, run
from quatviz.verify.motions import preset_of, random_preset, states
from quatviz.verify.parts.agreement import LOADS
from quatviz.verify.parts.base import Part

TOLERANCE = 1e-8
CASE = "point_force"


class Multipliers(Part):
    """S0 section 4: one point force, six lambdas, one motion; and in other motions the sum of the terms of theory."""

    name = "multipliers"
    title = "Lagrange multipliers [J], largest error over time"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from _six()
        for kind, loads in LOADS.items():
            for seed in range(10 if full else 1):
                preset = random_preset(seed, loads)
                for lane in run(preset, dt=1e-3, duration=2.0, sample_interval=0.05):
                    if lane.formulation.has_multiplier and lane.formulation.multiplier_terms is not None:
                        terms = " + ".join(lane.formulation.multiplier_terms) or "0"
                        error = np.abs(lane.lam - lane.lam_theory).max()
                        name = f"{preset.name}, {kind}: lambda = {terms}"
                        yield vanishing(name, error, TOLERANCE, described(preset, lane))


def _six() -> Iterator[Check]:
    """Each of the six at the times of the reference, where they are between 0 and 13 J."""
    reference = states()[CASE]
    rows = np.rint(np.array(reference["times"]) / 0.01).astype(int)
    preset = preset_of(CASE)
    lanes = run(
        preset, list(reference["lambda"][0]), dt=1e-3, duration=reference["times"][-1], sample_interval=0.01
    )
    for lane in lanes:
        expected = np.array([row[lane.name] for row in reference["lambda"]])
        error = np.abs(lane.lam[rows] - expected).max()
        yield vanishing(f"{CASE}: lambda at the reference times", error, TOLERANCE, described(preset, lane))
