"""Motions divided at the times at which a torque is discontinuous.

A step across a discontinuity has an error of first order in dt for every method. The last digits of a lane
decide which stages of the step lie beyond the discontinuity. Lanes that agree to 1e-11 before a discontinuity
may therefore differ by 2.7e-4 rad after 4.5 s with steps of 1 ms. Before and after it, the motion is smooth
and lanes can be compared.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from quatviz.api.calls import simulate
from quatviz.api.solution import Solution
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.initial import Initial


def smooth_pieces(
    preset: Preset, *, dt: float, duration: float, sample_interval: float
) -> Iterator[tuple[Preset, float]]:
    """Yield the pieces of a motion between discontinuities of its torque.

    Each piece consists of a preset that starts at t = 0 and a duration [s], which is a multiple of the sample
    interval. The preset must not have loads that depend explicitly on time, because the start of time is
    shifted. Pieces with fewer than two samples are omitted.
    """
    samples, per_sample = round(duration / sample_interval), round(sample_interval / dt)
    name, jumps = preset.name, 0
    while samples > 1:
        if not len(_discontinuity_branches(preset, np.eye(1, 4))):
            yield preset, samples * sample_interval
            return
        lane = simulate(
            preset, lanes=["newton_euler"], integrator="rk4", dt=dt, duration=samples * sample_interval, sample_interval=dt
        ).lanes[0]  # fmt: skip
        before = _last_sample_before_jump(preset, lane.p)
        smooth = before // per_sample
        if smooth > 1:
            yield preset, smooth * sample_interval
        samples -= -(-(before + 1) // per_sample)
        if before + 1 < len(lane):
            jumps += 1
            preset = _restart_at(preset, lane, before + 1, f"{name} behind jump {jumps}")


def _discontinuity_branches(preset: Preset, p: np.ndarray) -> np.ndarray:
    """Return the branch of each of m discontinuous loads at each of n attitudes, as integers (m, n). A torque
    is continuous as long as its branch does not change."""
    branches = [branch for load in preset.loads if (branch := load.discontinuity_branch(p)) is not None]
    return np.reshape(branches, (len(branches), len(p)))


def _last_sample_before_jump(preset: Preset, p: np.ndarray) -> int:
    branches = _discontinuity_branches(preset, p)
    crossed = np.flatnonzero((branches[:, 1:] != branches[:, :-1]).any(axis=0))
    return int(crossed[0]) if crossed.size else len(p) - 1


def _restart_at(preset: Preset, lane: Solution, sample: int, name: str) -> Preset:
    motion = lane.motion(sample, sample + 1)
    start = Initial(euler_parameters=motion.unit_p[0].tolist(), angular_velocity=motion.omega[0].tolist())
    return replace(preset, initial=start, name=name)
