"""The protocol of what a sweep measures of a run."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.runs import Block, Runs
from quatviz.base.translation import tr
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun


class SweepMeasure(ABC):
    """A few numbers of a run. The contract, from which a measure can be written:

    1. One module in `quatviz/analysis/sweeps/measures/`, or in an outside package behind an entry point of the group
       `quatviz.sweep_measures`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` and
       `unit` are what people read, `told` what the help's table says of it, `place` where it stands there.
    2. A run is never kept. An instance is made for runs that are computed side by side (begin); `take` is given their samples in
       blocks as they come, in their order; `end` gives what was found, (b, *shape), NaN for a run that has no such number.
       What is kept in between does not grow with the samples.
    3. `shape` is () for a number; else the lengths of what is found of a run, and `parts` may name what stands along the last
       of them.
    4. Rows behind the end of a run that ended early are NaN: `numpy.fmax` passes over them, and no comparison holds for them.
    5. `lack` says in a clause why a motion cannot have it, and is asked before any work; empty where it can.
    6. `whole` says that it is a count, or nothing: a map shows whole numbers then.
    7. `plane` has the titles of two axes where what is found are points (n, 2) in a plane: they are drawn as such. With a third
       number of each, the time [s] when it was passed, a click goes to that moment of the run.
    8. `kinds` has titles where what is found is the number of one of them: a map shows them in colours set apart.
    9. `hear` is told at last how the runs ended; `of_ends` says that the measure tells of just that, so that a map hides no run
       that ended early.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = ""
    told: ClassVar[str] = ""
    place: ClassVar[int] = 1000
    shape: ClassVar[tuple[int, ...]] = ()
    parts: ClassVar[tuple[str, ...]] = ()
    whole: ClassVar[bool] = False
    plane: ClassVar[tuple[str, ...]] = ()
    kinds: ClassVar[tuple[str, ...]] = ()
    of_ends: ClassVar[bool] = False

    @classmethod
    def lack(cls, preset: Preset, lane: LaneRun) -> str:
        """What keeps a motion from having it, such as "nothing acts on the body"; or nothing."""
        return ""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    @abstractmethod
    def take(self, block: Block) -> None:
        """Take in samples that follow those before."""

    def hear(self, status: np.ndarray, ended: np.ndarray) -> None:
        """Receive how the runs ended, before `end` is called. Most measures ignore it.

        `status` (b,) are indices into `quatviz.analysis.sweeps.runs.STATUSES`; `ended` (b,) are the times [s] of runs that
        ended early, NaN for the others.
        """

    @abstractmethod
    def end(self) -> np.ndarray:
        """What was found (b, *shape)."""

    @classmethod
    def axis(cls) -> str:
        """Title and unit, for an axis."""
        title = tr(cls.title)
        return f"{title} [{cls.unit}]" if cls.unit else title
