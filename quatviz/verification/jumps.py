"""Motions cut where a torque jumps.

A step that meets a jump has an error of the first order in dt, whatever the method, and which of its stages lie beyond is
decided by the last digits of each lane: 2.7e-4 rad after 4.5 s at 1 ms, between lanes that agree to 1e-11 before. On either
side all lanes follow one smooth motion again, and can be held to it.
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
    """`preset`, and that motion again from behind each jump, with the duration [s] in whole samples until the next one.

    A piece starts at t = 0, so that loads that depend on time make another motion of it. Pieces of less than two samples
    are left out.
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
    """For each load that may jump on which side of its jump it is, (m, n)."""
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
