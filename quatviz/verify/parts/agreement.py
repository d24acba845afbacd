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
from quatviz.simulation.simulation import Simulation
from quatviz.verify.check import Check, vanishing
from quatviz.verify.lanes import allowance, described, endings, regular_samples, run
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
    """Each lane's largest angle to any other lane, in random motions of bodies with full inertia matrices."""

    name = "agreement"
    title = "Agreement of the formulations, largest angle [rad] between any two"

    def checks(self, full: bool) -> Iterator[Check]:
        for kind, loads in LOADS.items():
            for seed in range(20 if full else 3):
                preset = random_preset(seed, loads)
                lanes = run(preset, dt=1e-3, duration=5.0, sample_interval=0.05)
                yield from _pairs(f"{preset.name}, {kind}", lanes)
                yield from endings(preset, lanes)


def _pairs(what: str, lanes: Simulation) -> Iterator[Check]:
    regular = {lane.name: regular_samples(lane) for lane in lanes}
    compared = [lane for lane in lanes if regular[lane.name]]
    allowed = {lane.name: allowance(lane, TOLERANCE, regular[lane.name]) for lane in compared}
    p = {lane.name: lane.p for lane in compared}
    for lane in compared:
        excess = {}
        for other in (name for name in p if name != lane.name):
            common = min(regular[lane.name], regular[other])
            angle = relative_angle(p[lane.name][:common], p[other][:common]).max()
            excess[other] = angle / max(allowed[lane.name], allowed[other])
        worst = max(excess, key=lambda other: excess[other])
        tolerance = max(allowed[lane.name], allowed[worst])
        text = described(lanes.preset, lane)
        yield vanishing(f"{what}: {lane.name} to {worst}", excess[worst] * tolerance, tolerance, text)
