"""What the captions of S3's Figures 2 to 6 state. Figures 7 and 8 state nothing that Table 5 has not."""

from collections.abc import Iterator

import numpy as np

from quatviz.physics.observables.published_values import J, one_angle
from quatviz.verification.check import Check, exceeding, vanishing
from quatviz.verification.lanes import StepHalvingPair, run
from quatviz.verification.motions import preset_of
from quatviz.verification.parts.base import Part

LANES = ("hamilton", "newton_euler")
TOLERANCE = 1e-8
INTERVAL = 0.01


class Figures(Part):
    """The disk by its one angle, S3(46) with its erratum, against all three components of h and all four of p; that
    Euler parameters are continuous where 3-1-3 angles jump. The curves themselves are not in our copy: nothing is
    compared with a picture."""

    name = "figures"
    title = "Captions of S3's figures"

    def checks(self, full: bool) -> Iterator[Check]:
        lanes = None if full else LANES
        for tried in _tries("spring_disk", lanes, 10.0):
            yield from _disk(tried)
        for tried in _tries("torque_free", lanes, 40.0):
            yield from _tumbling(tried)


def _tries(case: str, lanes: tuple[str, ...] | None, duration: float) -> Iterator[StepHalvingPair]:
    tries = run(preset_of(case), lanes, dt=1e-3, duration=duration, sample_interval=INTERVAL)
    # forms that are singular on the way are told of in other parts
    return (tried for tried in tries if tried.complete)


def _disk(tried: StepHalvingPair) -> Iterator[Check]:
    motion, described = tried.motion, tried.described
    angle, rate = one_angle(motion.t)
    largest = np.abs(J * rate).max()
    tolerance = tried.allowed(TOLERANCE, lambda motion: motion.h / largest)
    error = (motion.h[:, 2] - J * rate) / largest
    yield vanishing("Figure 2: h_z as by the one angle of (46), relative", error, tolerance, described)
    yield vanishing("Figure 2: h_x = h_y = 0", motion.h[:, :2], 1e-14, described)
    yield vanishing("Figure 3: e1 = e2 = 0", motion.p[:, 1:3], 1e-15, described)
    turned = 2.0 * np.arctan2(motion.p[:, 3], motion.p[:, 0])
    error = np.sin(0.5 * (turned - angle))
    yield vanishing("Figure 3: e0 and e3 determine the angle of (46) [rad]", error, tolerance, described)


def _tumbling(tried: StepHalvingPair) -> Iterator[Check]:
    motion, described = tried.motion, tried.described
    fastest = 0.5 * np.linalg.norm(motion.omega, axis=1).max() * INTERVAL
    excess = max(float(np.linalg.norm(np.diff(motion.unit_p, axis=0), axis=1).max() / fastest) - 1.0, 0.0)
    yield vanishing("Figure 5: e moves by no more than 1/2 |omega| dt a sample", excess, 1e-9, described)
    largest = np.abs(
        np.diff(motion.angles("313"), axis=0)
    ).max()  # of the angles as S3(2-4) gives them, in one turn
    yield exceeding("Figure 6: a 3-1-3 angle jumps by [rad]", largest, np.pi, described)
