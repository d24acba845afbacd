"""Checks of every lane against reference states that were computed in 80-bit arithmetic."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import (
    MAX_TOLERANCE_FACTOR,
    attitude,
    check_endings,
    normalized_momentum,
    run_lanes,
)
from quatviz.verification.motions import reference_cases, reference_preset
from quatviz.verification.parts.base import VerificationPart

SAMPLE_INTERVAL = 0.01


class CaseSettings(NamedTuple):
    """Settings of a case: the step [s], and the tolerance, which is in rad for the attitude and relative for h."""

    dt: float
    tolerance: float


SETTINGS_BY_CASE = {
    "heavy_top": CaseSettings(1e-4, 1e-8),
    "simo_wong_top": CaseSettings(1e-4, 1e-8),
    # It turns three times as fast. With half this step, rounding dominates in lanes that solve a 4x4 system.
    "heavy_top_lie_group": CaseSettings(2.5e-5, 2e-8),
    # Errors, including rounding, grow by a factor of 4000 per flip.
    "intermediate_axis": CaseSettings(1e-3, 1e-5),
}
DEFAULT_SETTINGS = CaseSettings(1e-3, 1e-9)


class ReferenceStates(VerificationPart):
    """Checks of attitude and angular momentum at the reference times, for the documents' problems and tops of the
    literature.
    """

    name = "states"
    title = "Reference states, largest error over their times"

    def checks(self, full: bool) -> Iterator[Check]:
        for case in reference_cases():
            yield from check_case(case, halvings=1 if full else 0)


def check_case(case: str, halvings: int = 0) -> Iterator[Check]:
    """Yield the checks of a case, with its usual step and with `halvings` successively halved steps."""
    dt, tolerance = SETTINGS_BY_CASE.get(case, DEFAULT_SETTINGS)
    reference = reference_cases()[case]
    times, e, h = (np.array(reference[key]) for key in ("times", "e", "h_body"))
    rows = np.rint(times / SAMPLE_INTERVAL).astype(int)
    for step in (dt / 2**halving for halving in range(halvings + 1)):
        pairs = run_lanes(
            reference_preset(case),
            dt=step,
            duration=times[-1],
            sample_interval=SAMPLE_INTERVAL,
            # Shorter steps would make rounding errors dominate.
            target_error=MAX_TOLERANCE_FACTOR * tolerance,
        )
        for pair in pairs:
            is_regular = rows < pair.regular_samples
            sample_rows = rows[is_regular]
            if not sample_rows.size:
                continue
            prefix = f"{case} to t = {times[is_regular][-1]:g} s: "
            angle = relative_angle(pair.motion.p[sample_rows], e[is_regular])
            momentum_error = np.linalg.norm(
                pair.motion.h[sample_rows] - h[is_regular], axis=1
            ) / np.linalg.norm(h[is_regular], axis=1)
            allowed = pair.allowed_error(tolerance, attitude)
            category = f"{case}: attitude [rad]"
            yield check_zero(f"{prefix}attitude [rad]", angle, allowed, pair.description, category)
            allowed = pair.allowed_error(tolerance, normalized_momentum)
            category = f"{case}: h, relative"
            yield check_zero(f"{prefix}h, relative", momentum_error, allowed, pair.description, category)
        yield from check_endings(pairs)
