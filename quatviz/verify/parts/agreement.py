"""All lanes describe one motion, whatever the body and the loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quatviz.core.loads.base import Load
from quatviz.core.loads.damping import Damping
from quatviz.core.loads.gravity import Gravity
from quatviz.core.loads.guided_spring import GuidedSpring
from quatviz.core.loads.point_force import PointForce
from quatviz.core.loads.spring import Spring
from quatviz.core.loads.torque import Torque
from quatviz.core.rotations import relative_angle
from quatviz.verify.check import Check, vanishing
from quatviz.verify.lanes import Tried, attitude, endings, run
from quatviz.verify.motions import random_preset
from quatviz.verify.parts.base import Part

TOLERANCE = 1e-8
LOADS: dict[str, Sequence[Load]] = {
    "free": [],
    "gravity": [Gravity(weight=9.0, centre=[0.2, -0.3, 0.4])],
    "every load": [
        Damping(coefficient=0.2),
        Gravity(weight=5.0, centre=[0.1, 0.2, -0.3]),
        GuidedSpring(stiffness=3.0, point=[0.4, 0.1, -0.6], direction=[0.2, 0.9, 0.3]),
        PointForce(force=[1.0, 2.0, -1.5], point=[0.3, -0.2, 0.7]),
        PointForce(force=[0.5, -1.0, 0.4], point=[-0.1, 0.2, 0.3], frame="body"),
        Spring(stiffness=4.0, point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0], rest_length=0.8),
        Torque(torque=[0.3, -0.8, 0.5], frame="space"),
    ],
}


class Agreement(Part):
    """Random motions of bodies with full inertia matrices: for each lane the other that it is farthest from, by what the
    two are allowed."""

    name = "agreement"
    title = "Agreement of the formulations, largest angle [rad] between any two"

    def checks(self, full: bool) -> Iterator[Check]:
        for kind, loads in LOADS.items():
            for seed in range(20 if full else 3):
                tries = run(random_preset(seed, loads), dt=1e-3, duration=5.0, sample_interval=0.05)
                yield from _pairs(kind, [tried for tried in tries if tried.regular])
                yield from endings(tries)


def _pairs(kind: str, tries: Sequence[Tried]) -> Iterator[Check]:
    allowed = [tried.allowed(TOLERANCE, attitude) for tried in tries]
    for i, tried in enumerate(tries):
        found = []
        for j, other in enumerate(tries):
            common = min(tried.regular, other.regular)
            if j != i:
                angle = relative_angle(tried.motion.p[:common], other.motion.p[:common]).max()
                name = f"{tried.preset.name}, {kind}: {tried.lane.name} to {other.lane.name}"
                tolerance = allowed[i] + allowed[j]
                found.append(vanishing(name, angle, tolerance, tried.described, f"{kind}: any two lanes"))
        yield max(found, key=lambda check: check.error / check.tolerance)
