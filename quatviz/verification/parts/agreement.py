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
from quatviz.verification.check import Check, check_zero
from quatviz.verification.jumps import smooth_pieces
from quatviz.verification.lanes import StepHalvingPair, attitude, check_endings, lane_ids, run_lanes
from quatviz.verification.motions import random_preset, sample_loads
from quatviz.verification.parts.base import VerificationPart

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
    "every load": sample_loads(),
}


MAX_DURATION, MAX_DURATION_FULL = 2.0, 10.0
"""Seconds of a preset that are compared, as the lanes are, and where everything is asked for once more with p and p' (or g)
projected: from turn to turn of the intermediate axis errors grow by a factor of 4000, so that 40 s tell nothing about a form."""
MIN_SAMPLES = 40
"""Samples that are compared of a motion that is so slow that these seconds have none."""
PROJECTED_FOR_FAST_TOPS = ("hamilton_canonical",)
"""What the help tells to project: on a fast top p.g drifts, and without this costs four digits."""


class Agreement(VerificationPart):
    """Random motions of bodies with full inertia matrices, and every preset without a ring: for each lane the other that
    it is farthest from, by what the two are allowed."""

    name = "agreement"
    title = "Agreement of the formulations, largest angle [rad] between any two"

    def checks(self, full: bool) -> Iterator[Check]:
        for load_case, loads in LOADS.items():
            for seed in range(20 if full else 3):
                yield from _check_motion(random_preset(seed, loads), load_case)
        for path in sorted(resources.preset_folder().glob("*.toml")):
            preset = read_preset(path)
            if preset.body.ring is None:
                preset = replace(preset, events=())  # off the sphere forms may differ
                yield from check_preset(preset, "preset", MAX_DURATION, PROJECTED_FOR_FAST_TOPS)
                if full:
                    yield from check_preset(
                        preset, "preset, projected", MAX_DURATION_FULL, _drifting_formulations()
                    )


def _drifting_formulations() -> list[str]:
    """Families that have nothing to hold p.p' or p.g where it is: what a step or rounding leaves there turns into length,
    and length into spin. On the fast top it costs them up to two digits in 10 s, on the handle that turns over as many."""
    return [
        name
        for name, family in FORMULATIONS.items()
        if "project" in family.stabilisations and (name in PROJECTED_FOR_FAST_TOPS or family.second_order)
    ]


def _check_motion(preset: Preset, load_case: str) -> Iterator[Check]:
    for piece, duration in smooth_pieces(preset, dt=1e-3, duration=5.0, sample_interval=0.05):
        pairs = run_lanes(piece, dt=1e-3, duration=duration, sample_interval=0.05)
        yield from _compare_pairs(load_case, [pair for pair in pairs if pair.regular_samples])
        yield from check_endings(pairs)


def check_preset(
    preset: Preset,
    category: str,
    max_duration: float,
    projected: Collection[str],
    lane_subset: Collection[str] = (),
) -> Iterator[Check]:
    """The checks of one preset over its first `max_duration` seconds, of all lanes or `lane_subset` of those ids; families named in
    `projected` run with that stabilisation."""
    lanes = [
        f"{lane},stabilisation=project" if lane.partition("/")[0] in projected else lane
        for lane in lane_subset or lane_ids(bool(preset.body.rotors))
    ]
    interval, dt = preset.run.sample_interval, preset.run.dt
    duration = min(preset.run.duration, max(max_duration, MIN_SAMPLES * interval))
    needs_half_step = steps_per_sample(dt, interval) % 2  # twice the step has to divide the interval too
    pairs = run_lanes(
        preset,
        lanes,
        dt=dt / 2 if needs_half_step else dt,
        duration=math.floor(duration / interval + 1e-9) * interval,
        sample_interval=interval,
    )
    yield from _compare_pairs(category, [pair for pair in pairs if pair.regular_samples], PRESET_TOLERANCE)
    yield from check_endings(pairs)


def _compare_pairs(
    category: str, pairs: Sequence[StepHalvingPair], tolerance: float = TOLERANCE
) -> Iterator[Check]:
    """For each lane its comparison with the one that takes up most of what the two are allowed."""
    if len(pairs) == 1:
        raise ValueError(f"{pairs[0].description}: one lane agrees with nothing")
    allowed = np.array([pair.allowed_error(tolerance, attitude) for pair in pairs])
    regular = np.array([pair.regular_samples for pair in pairs])
    attitudes = np.zeros((len(pairs), max(regular, default=0), 4))
    for row, pair in zip(attitudes, pairs, strict=True):
        row[: pair.regular_samples] = pair.motion.p
    for index, pair in enumerate(pairs):
        common = np.arange(regular[index]) < regular[:, None]
        angles = np.where(
            common, relative_angle(attitudes[index, : regular[index]], attitudes[:, : regular[index]]), 0.0
        )
        largest = angles.max(axis=1)
        fractions = largest / (allowed[index] + allowed)
        fractions[index] = -1.0
        other = int(fractions.argmax())  # NaN, where there is any
        name = f"{pair.preset.name}, {category}: {pair.lane.name} to {pairs[other].lane.name}"
        allowed_difference = float(allowed[index] + allowed[other])
        yield check_zero(
            name, largest[other], allowed_difference, pair.description, f"{category}: any two lanes"
        )
