"""How far a run is off the motion that is known in closed form."""

import pickle
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.exact import NoClosedForm, solve
from quatviz.exact.base import Solution
from quatviz.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.sweeps.measures.base import SweepMeasure
from quatviz.sweeps.runs import Array, Block, Runs
from quatviz.text.preset import Preset, RunSettings

_KEPT = 256
"""Motions."""
_ANY = RunSettings(1.0, 1.0, 1.0)


class Error(SweepMeasure):
    """The largest angle between the body and where the exact solution has it, at the samples. Of bodies and starts for which none
    is known it is nothing. To solve a motion takes a while: some are kept, for runs that differ in how they are computed."""

    name = "error"
    title = "Largest orientation error"
    unit = "rad"
    told = "the largest angle from the exact solution, where one is known"
    place: ClassVar[int] = 50

    @classmethod
    def lack(cls, preset: Preset, lane: LaneRun) -> str:
        if preset.events:
            return phrase("events happen in it")
        try:
            _solved(preset)
        except NoClosedForm as fault:
            return str(fault.args[0])
        return ""

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._motions = [_motion(runs.presets(number)) for number in range(runs.count)]
        known = [_solution(motion) is not None for motion in self._motions]
        self._most = np.where(known, 0.0, np.nan)

    def take(self, block: Block) -> None:
        for number in np.flatnonzero(np.isfinite(self._most)):
            p = _attitudes(self._motions[number], block.t.tobytes())
            away = relative_angle(block.unit_p[..., number].T, p)
            self._most[number] = np.fmax(self._most[number], np.fmax.reduce(away))

    def end(self) -> np.ndarray:
        return self._most


def _solved(preset: Preset) -> Solution:
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    return solve(preset.body, preset.loads, p, omega)


def _motion(preset: Preset) -> bytes:
    """What decides about the motion of a preset, and not about how it is computed."""
    return pickle.dumps(
        replace(
            preset,
            title="",
            source="",
            summary="",
            watch="",
            lanes=(),
            map=None,
            run=_ANY,
            name="",
            path=None,
        )
    )


@lru_cache(maxsize=_KEPT)
def _solution(motion: bytes) -> Solution | None:
    try:
        return _solved(pickle.loads(motion))
    except NoClosedForm:
        return None


@lru_cache(maxsize=_KEPT)
def _attitudes(motion: bytes, times: bytes) -> Array:
    """Where the solution has the body (n, 4) at times, whose bytes these are."""
    solution = _solution(motion)
    assert solution is not None
    return solution.at(np.frombuffer(times))[0]
