"""Checks of the Lagrange multipliers of all formulations that have them."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.observables.quantities import Motion
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import StepHalvingPair, run_lanes
from quatviz.verification.motions import random_preset, reference_cases, reference_preset
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import VerificationPart

TOLERANCE = 1e-8
"""Largest accepted error [J] of lambda at the reference times."""
THEORY_TOLERANCE = 1e-9
"""Largest accepted error [J] of lambda. The tolerance is small, because the theory of lambda is exact for
every force at a body point."""
POINT_FORCE_CASE = "point_force"


class Multipliers(VerificationPart):
    """Checks of S0, section 4 (one point force and one motion with six different lambdas), and of the theory
    of lambda in other motions.
    """

    name = "multipliers"
    title = "Lagrange multipliers [J], largest error over time"

    def checks(self, full: bool) -> Iterator[Check]:
        yield from _check_six_forms()
        for load_case, loads in LOADS.items():
            for seed in range(10 if full else 1):
                for pair in run_lanes(
                    random_preset(seed, loads), dt=1e-3, duration=2.0, sample_interval=0.05
                ):
                    yield from _check_theory(load_case, pair)


def _check_theory(load_case: str, pair: StepHalvingPair) -> Iterator[Check]:
    form = pair.lane.formulation
    if form.has_multiplier and form.multiplier_terms is not None and pair.regular_samples:
        description = f"{load_case}: lambda = {' + '.join(form.multiplier_terms) or '0'}"
        yield pair.check_zero(
            f"{pair.preset.name}, {description}", _lambda_error, THEORY_TOLERANCE, description
        )


def _lambda_error(motion: Motion) -> np.ndarray:
    return motion.lam - motion.lam_theory


def _check_six_forms() -> Iterator[Check]:
    """Check the six lambdas at the times of the reference states. They lie between 0 and 13 J."""
    reference = reference_cases()[POINT_FORCE_CASE]
    rows = np.rint(np.array(reference["times"]) / 0.01).astype(int)
    lanes = list(reference["lambda"][0])
    duration = reference["times"][-1]
    for pair in run_lanes(
        reference_preset(POINT_FORCE_CASE), lanes, dt=1e-3, duration=duration, sample_interval=0.01
    ):
        expected = np.array([row[pair.lane.name] for row in reference["lambda"]])
        error = pair.motion.lam[rows] - expected
        yield check_zero(
            f"{POINT_FORCE_CASE}: lambda at the reference times", error, TOLERANCE, pair.description
        )
