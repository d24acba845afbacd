"""How far a run is off the motion that is known in closed form."""

from typing import ClassVar

import numpy as np

from quatviz.base.errors import phrase
from quatviz.exact import NoClosedForm, solve
from quatviz.exact.base import Solution
from quatviz.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.sweeps.measures.base import SweepMeasure
from quatviz.sweeps.runs import Block, Runs
from quatviz.text.preset import Preset


class Error(SweepMeasure):
    """The largest angle between the body and where the exact solution has it, at the samples. Of bodies and starts for which none
    is known it is nothing. Solving takes some milliseconds a run."""

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
        self._solutions = [_or_none(runs.presets(number)) for number in range(runs.count)]
        self._most = np.array([np.nan if each is None else 0.0 for each in self._solutions])

    def take(self, block: Block) -> None:
        for number, solution in enumerate(self._solutions):
            if solution is not None:
                p, _ = solution.at(block.t)
                away = relative_angle(block.unit_p[..., number].T, p)
                self._most[number] = np.fmax(self._most[number], np.fmax.reduce(away))

    def end(self) -> np.ndarray:
        return self._most


def _solved(preset: Preset) -> Solution:
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    return solve(preset.body, preset.loads, p, omega)


def _or_none(preset: Preset) -> Solution | None:
    try:
        return _solved(preset)
    except NoClosedForm:
        return None
