"""Sweep measure: orientation error relative to the exact solution."""

import pickle
from functools import lru_cache
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.exact.base import ExactSolution
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun

_CACHED_SOLUTIONS = 256
"""Number of exact solutions that are cached; each takes little memory."""
_CACHED_ATTITUDES = 8
"""Number of sampled solutions that are cached, each of about 0.2 MB. They stay in memory after the sweep."""


class OrientationError(SweepMeasure):
    """Largest angle between the computed and the exact attitude at the samples.

    NaN for bodies and initial conditions without a known exact solution. Solutions are cached, because they are
    expensive and equal for runs that differ only in the method.
    """

    name = "error"
    title = "Largest orientation error"
    unit = "rad"
    summary = "the largest angle from the exact solution, where one is known"
    sort_order: ClassVar[int] = 50

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        if preset.events:
            return phrase("the exact solution does not cover the events of the preset")
        try:
            solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))
        except NoClosedForm as fault:
            return str(fault.args[0])
        return ""

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        bodies = [
            _pickle_body(runs.preset_of(number))
            for number in range(1 if runs.has_shared_body else runs.count)
        ]
        self._motions = [
            (
                bodies[0 if runs.has_shared_body else number],
                runs.p[:, number].tobytes(),
                runs.omega[:, number].tobytes(),
            )
            for number in range(runs.count)
        ]
        known = [_solution(*motion) is not None for motion in self._motions]
        self._largest = np.where(known, 0.0, np.nan)

    def update(self, block: SampleBlock) -> None:
        for number in np.flatnonzero(np.isfinite(self._largest)):
            p = _attitudes(*self._motions[number], block.t.tobytes())
            angle = relative_angle(block.unit_p[..., number].T, p)
            self._largest[number] = np.fmax(self._largest[number], np.fmax.reduce(angle))

    def result(self) -> np.ndarray:
        return self._largest


def _pickle_body(preset: Preset) -> bytes:
    """Return the pickled data that determine the motion, apart from the initial conditions."""
    return pickle.dumps((preset.body, tuple(preset.loads)))


@lru_cache(maxsize=_CACHED_SOLUTIONS)
def _solution(body: bytes, p: bytes, omega: bytes) -> ExactSolution | None:
    try:
        rigid_body, loads = pickle.loads(body)
        return solve(rigid_body, loads, np.frombuffer(p), np.frombuffer(omega))
    except NoClosedForm:
        return None


@lru_cache(maxsize=_CACHED_ATTITUDES)
def _attitudes(body: bytes, p: bytes, omega: bytes, times: bytes) -> Array:
    """Return p (4, n) of the exact solution. All arguments are bytes, so that they can be cache keys."""
    solution = _solution(body, p, omega)
    assert solution is not None
    return solution.evaluate(np.frombuffer(times))[0]
