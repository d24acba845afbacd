"""All lanes describe one motion, whatever the body and the loads, and in every preset."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from quatviz.base import resources
from quatviz.files.preset import Preset, steps_per_sample
from quatviz.files.preset_reading import read_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.loads.point_force import PointForce
from quatviz.physics.loads.spring import Spring
from quatviz.physics.loads.torque import Torque
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.verification.check import Check, vanishing
from quatviz.verification.jumps import smooth_pieces
from quatviz.verification.lanes import StepHalvingPair, attitude, endings, lane_ids, run
from quatviz.verification.motions import load_samples, random_preset
from quatviz.verification.parts.base import Part

TOLERANCE = 1e-8
PRESET_TOLERANCE = 3e-8
"""Rounding of the fundamental equation over the 2e5 steps of the top with moments of 15 and 0.5 kg m^2 is 2e-8."""
LOADS: dict[str, Sequence[Load]] = {
    "free": [],
    "gravity": [Gravity(weight=9.0, centre=[0.2, -0.3, 0.4])],
    "loads of time": [
        Torque(torque=["0.4*sin(3*t)", 0.1, "0.3*cos(2*t)-0.2"], frame="space"),
        PointForce(force=["2*exp(-t)", "abs(1-t)", -1.5], point=[0.3, -0.2, 0.7]),
        Gravity(weight="5+2*sin(4*t)", centre=[0.1, 0.2, -0.3]),
        Damping(coefficient="0.1*min(t,2)"),
        Spring(stiffness="3+t**2/9", point=[0.5, -0.3, 0.2], anchor=[1.0, 0.4, -2.0], rest_length=0.8),
    ],
    "every load": load_samples(),
}


LONGEST, LONGEST_IN_FULL = 2.0, 10.0
"""Seconds of a preset that are compared, as the lanes are, and where everything is asked for once more with p and p' (or g)
projected: from turn to turn of the intermediate axis errors grow by a factor of 4000, so that 40 s tell nothing about a form."""
FEWEST = 40
"""Samples that are compared of a motion that is so slow that these seconds have none."""
FAST_TOPS = ("hamilton_canonical",)
"""What the help tells to project: on a fast top p.g drifts, and without this costs four digits."""


class Agreement(Part):
    """Random motions of bodies with full inertia matrices, and every preset without a ring: for each lane the other that
    it is farthest from, by what the two are allowed."""

    name = "agreement"
    title = "Agreement of the formulations, largest angle [rad] between any two"

    def checks(self, full: bool) -> Iterator[Check]:
        for kind, loads in LOADS.items():
            for seed in range(20 if full else 3):
                yield from _of_motion(random_preset(seed, loads), kind)
        for path in sorted(resources.preset_folder().glob("*.toml")):
            preset = read_preset(path)
            if preset.body.ring is None:
                preset = replace(preset, events=())  # off the sphere forms may differ
                yield from of_preset(preset, "preset", LONGEST, FAST_TOPS)
                if full:
                    yield from of_preset(preset, "preset, projected", LONGEST_IN_FULL, _drifting())


def _drifting() -> list[str]:
    """Families that have nothing to hold p.p' or p.g where it is: what a step or rounding leaves there turns into length,
    and length into spin. On the fast top it costs them up to two digits in 10 s, on the handle that turns over as many."""
    return [
        name
        for name, family in FORMULATIONS.items()
        if "project" in family.stabilisations and (name in FAST_TOPS or family.second_order)
    ]


def _of_motion(preset: Preset, kind: str) -> Iterator[Check]:
    for piece, duration in smooth_pieces(preset, dt=1e-3, duration=5.0, sample_interval=0.05):
        tries = run(piece, dt=1e-3, duration=duration, sample_interval=0.05)
        yield from _pairs(kind, [tried for tried in tries if tried.regular])
        yield from endings(tries)


def of_preset(
    preset: Preset, kind: str, longest: float, projected: Collection[str], only: Collection[str] = ()
) -> Iterator[Check]:
    """The checks of one preset over its first `longest` seconds, of all lanes or `only` of those ids; families named in
    `projected` run with that stabilisation."""
    lanes = [
        f"{lane},stabilisation=project" if lane.partition("/")[0] in projected else lane
        for lane in only or lane_ids()
    ]
    interval, dt = preset.run.sample_interval, preset.run.dt
    duration = min(preset.run.duration, max(longest, FEWEST * interval))
    halves = steps_per_sample(dt, interval) % 2  # twice the step has to divide the interval too
    tries = run(
        preset,
        lanes,
        dt=dt / 2 if halves else dt,
        duration=math.floor(duration / interval + 1e-9) * interval,
        sample_interval=interval,
    )
    yield from _pairs(kind, [tried for tried in tries if tried.regular], PRESET_TOLERANCE)
    yield from endings(tries)


def _pairs(kind: str, tries: Sequence[StepHalvingPair], tolerance: float = TOLERANCE) -> Iterator[Check]:
    """For each lane its comparison with the one that takes up most of what the two are allowed."""
    if len(tries) == 1:
        raise ValueError(f"{tries[0].described}: one lane agrees with nothing")
    allowed = np.array([tried.allowed(tolerance, attitude) for tried in tries])
    regular = np.array([tried.regular for tried in tries])
    attitudes = np.zeros((len(tries), max(regular, default=0), 4))
    for own, tried in zip(attitudes, tries, strict=True):
        own[: tried.regular] = tried.motion.p
    for one, tried in enumerate(tries):
        common = np.arange(regular[one]) < regular[:, None]
        angles = np.where(
            common, relative_angle(attitudes[one, : regular[one]], attitudes[:, : regular[one]]), 0.0
        )
        largest = angles.max(axis=1)
        shares = largest / (allowed[one] + allowed)
        shares[one] = -1.0
        other = int(shares.argmax())  # NaN, where there is any
        name = f"{tried.preset.name}, {kind}: {tried.lane.name} to {tries[other].lane.name}"
        both = float(allowed[one] + allowed[other])
        yield vanishing(name, largest[other], both, tried.described, f"{kind}: any two lanes")
