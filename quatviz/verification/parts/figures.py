"""Checks of the statements in the captions of Figures 2 to 6 of S3. The captions of Figures 7 and 8 state
nothing beyond Table 5."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.mechanics.euler_sequences import p_from_angles
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.printed_angles import angles_as_printed, angles_by_quadrant
from quatviz.physics.observables.published_values import J, disk_angle
from quatviz.verification.check import Check, check_close, check_exceeds, check_zero
from quatviz.verification.errata.s3 import (
    FIGURE_6_DURATION,
    FIGURE_6_JUMPS,
    FIGURE_6_JUMPS_AS_PRINTED,
    FIGURE_6_WRONG_SHARE,
)
from quatviz.verification.lanes import StepHalvingPair, run_lanes
from quatviz.verification.motions import reference_preset
from quatviz.verification.parts.base import VerificationPart

LANES = ("hamilton", "newton_euler")
TOLERANCE = 1e-8
INTERVAL = 0.01
MIN_JUMP = 0.5 * np.pi
"""Change of an angle [rad] between samples that counts as a jump. Regular changes are below 0.02 rad."""
MAX_ANGLE_ERROR = 1e-6
"""Rotation angle [rad] above which two orientations count as different."""


class FigureCaptions(VerificationPart):
    """Checks of h and p of the disk against the solution for its single angle (eq. S3(46) with its erratum),
    and of the continuity of Euler parameters where 3-1-3 angles jump.

    The available copy of S3 does not contain the curves, so that pictures cannot be compared.
    """

    name = "figures"
    title = "Captions of S3's figures"

    def checks(self, full: bool) -> Iterator[Check]:
        lanes = None if full else LANES
        for pair in _complete_pairs("spring_disk", lanes, 10.0):
            yield from _check_disk(pair)
        for pair in _complete_pairs("torque_free", lanes, FIGURE_6_DURATION):
            yield from _check_tumbling(pair)


def _complete_pairs(case: str, lanes: tuple[str, ...] | None, duration: float) -> Iterator[StepHalvingPair]:
    pairs = run_lanes(reference_preset(case), lanes, dt=1e-3, duration=duration, sample_interval=INTERVAL)
    # Lanes that become singular are checked in other parts.
    return (pair for pair in pairs if pair.is_complete)


def _check_disk(pair: StepHalvingPair) -> Iterator[Check]:
    motion, description = pair.motion, pair.description
    angle, rate = disk_angle(motion.t)
    largest = np.abs(J * rate).max()
    tolerance = pair.allowed_error(TOLERANCE, lambda motion: motion.h / largest)
    error = (motion.h[:, 2] - J * rate) / largest
    yield check_zero("Figure 2: h_z as by the one angle of (46), relative", error, tolerance, description)
    yield check_zero("Figure 2: h_x = h_y = 0", motion.h[:, :2], 1e-14, description)
    yield check_zero("Figure 3: e1 = e2 = 0", motion.p[:, 1:3], 1e-15, description)
    angle_of_p = 2.0 * np.arctan2(motion.p[:, 3], motion.p[:, 0])
    error = np.sin(0.5 * (angle_of_p - angle))
    yield check_zero("Figure 3: e0 and e3 determine the angle of (46) [rad]", error, tolerance, description)


def _check_tumbling(pair: StepHalvingPair) -> Iterator[Check]:
    motion, description = pair.motion, pair.description
    fastest = 0.5 * np.linalg.norm(motion.omega, axis=1).max() * INTERVAL
    excess = max(float(np.linalg.norm(np.diff(motion.unit_p, axis=0), axis=1).max() / fastest) - 1.0, 0.0)
    yield check_zero("Figure 5: e moves by no more than 1/2 |omega| dt a sample", excess, 1e-9, description)
    # Angles within one turn, as S3(2-4) defines them.
    largest = np.abs(np.diff(motion.angles("313"), axis=0)).max()
    yield check_exceeds("Figure 6: a 3-1-3 angle jumps by [rad]", largest, np.pi, description)
    yield from _check_printed_angles(pair)


def _check_printed_angles(pair: StepHalvingPair) -> Iterator[Check]:
    """Check the numbers of jumps of the angles phi and psi, and the fractions of samples with a wrong
    orientation, for eqs. S3(2-4) as corrected (with atan2) and as printed.
    """
    p, description = pair.motion.unit_p, pair.description
    for name, angles, jumps, wrong_share in (
        ("with atan2", angles_by_quadrant(p), FIGURE_6_JUMPS, 0.0),
        ("as printed", angles_as_printed(p), FIGURE_6_JUMPS_AS_PRINTED, FIGURE_6_WRONG_SHARE),
    ):
        is_defined = np.isfinite(angles).all(axis=1)
        error = relative_angle(p_from_angles(angles[is_defined], "313"), p[is_defined])
        steps = np.abs(np.diff(angles[is_defined], axis=0))
        count, share = int((steps > MIN_JUMP).sum()), float((error > MAX_ANGLE_ERROR).mean())
        yield check_close(
            f"Figure 6, (2, 3) {name}: jumps in {FIGURE_6_DURATION:.0f} s", count, jumps, 0.0, description
        )
        name = f"Figure 6, (2, 3) {name}: share of samples with another orientation"
        yield check_close(name, share, wrong_share, 5e-3, description)
