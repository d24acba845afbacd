"""Checks that all lanes agree on the same motion, for random bodies and loads and for every preset."""

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
"""Largest accepted angle [rad] between lanes for random motions."""
PRESET_TOLERANCE = 3e-8
"""Largest accepted angle [rad] between lanes for presets.

It allows for the rounding error of the fundamental equation. The error is 2e-8 after the 2e5 steps of the top with
moments 15 and 0.5 kg m^2.
"""
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
"""Largest compared duration [s] of each preset: in the usual comparison, and in a second comparison of the full
verification, in which p and p' (or g) are projected.

Longer durations would not be informative: errors grow by a factor of 4000 per flip about the intermediate axis.
"""
MIN_SAMPLES = 40
"""Smallest number of compared samples. The compared duration is extended to include this number if the sample
interval is long."""
PROJECTED_FOR_FAST_TOPS = ("hamilton_canonical",)
"""Formulations that run with projection, as the help recommends for a fast top. Without it, the drift of p.g would
cost four digits."""


class Agreement(VerificationPart):
    """Agreement in random motions of bodies with full inertia matrices, and in every preset without a ring.

    Each lane is compared with one other lane: the one with the largest difference relative to the accepted error of
    both.
    """

    name = "agreement"
    title = "Agreement of the formulations, largest angle [rad] between any two"

    def checks(self, full: bool) -> Iterator[Check]:
        for load_case, loads in LOADS.items():
            for seed in range(20 if full else 3):
                yield from _check_motion(random_preset(seed, loads), load_case)
        for path in sorted(resources.preset_folder().glob("*.toml")):
            preset = read_preset(path)
            if preset.body.ring is None:
                preset = replace(preset, events=())  # Off the sphere formulations may differ.
                yield from check_preset(preset, "preset", MAX_DURATION, PROJECTED_FOR_FAST_TOPS)
                if full:
                    yield from check_preset(
                        preset, "preset, projected", MAX_DURATION_FULL, _drifting_formulations()
                    )


def _drifting_formulations() -> list[str]:
    """Return the formulations that do not keep p.p' or p.g at zero by themselves.

    Discretization and rounding errors of this constraint change the length of p and, as a consequence, the
    spin. In 10 s they cost up to two digits of accuracy for the fast top and for the tumbling handle.
    """
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
    """Yield the checks of a preset.

    Parameters
    ----------
    preset
        Preset to compute.
    category
        Text that names the group of checks.
    max_duration
        Duration that is compared [s].
    projected
        Names of formulations that run with stabilization "project".
    lane_subset
        Lane ids to compare; by default all.
    """
    lanes = [
        f"{lane},stabilisation=project" if lane.partition("/")[0] in projected else lane
        for lane in lane_subset or lane_ids(bool(preset.body.rotors))
    ]
    interval, dt = preset.run.sample_interval, preset.run.dt
    duration = min(preset.run.duration, max(max_duration, MIN_SAMPLES * interval))
    # The interval must also be a multiple of twice the step.
    needs_half_step = steps_per_sample(dt, interval) % 2
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
    """Yield a check of each lane against the lane with the largest difference relative to the accepted error of both."""
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
        other = int(fractions.argmax())  # argmax returns the index of NaN if there is one.
        name = f"{pair.preset.name}, {category}: {pair.lane.name} to {pairs[other].lane.name}"
        allowed_difference = float(allowed[index] + allowed[other])
        yield check_zero(
            name, largest[other], allowed_difference, pair.description, f"{category}: any two lanes"
        )
