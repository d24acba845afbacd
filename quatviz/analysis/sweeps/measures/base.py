"""The protocol of what a sweep measures of a run."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock
from quatviz.base.translation import tr
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun


class SweepMeasure(ABC):
    """A few numbers of a run. The contract, from which a measure can be written:

    1. One module in `quatviz/analysis/sweeps/measures/`, or in an outside package behind an entry point of the group
       `quatviz.sweep_measures`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` and
       `unit` are what people read, `summary` what the help's table says of it, `sort_order` where it stands there.
    2. A run is never kept. An instance is made for runs that are computed side by side (begin); `update` is given their samples in
       blocks as they come, in their order; `result` gives what was found, (b, *shape), NaN for a run that has no such number.
       What is kept in between does not grow with the samples.
    3. `shape` is () for a number; else the lengths of what is found of a run, and `component_names` may name what stands along
       the last of them.
    4. Rows behind the end of a run that ended early are NaN: `numpy.fmax` passes over them, and no comparison holds for them.
    5. `unsupported_reason` says in a clause why a motion cannot have it, and is asked before any work; empty where it can.
    6. `is_count` says that it is a count, or nothing: a map shows whole numbers then.
    7. `plane_titles` has the titles of two axes where what is found are points (n, 2) in a plane: they are drawn as such. With
       a third number of each, the time [s] when it was passed, a click goes to that moment of the run.
    8. `category_titles` has titles where what is found is the number of one of them: a map shows them in colours set apart.
    9. `set_outcome` is told at last how the runs ended; `measures_end` says that the measure tells of just that, so that a map
       hides no run that ended early.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    sort_order: ClassVar[int] = 1000
    shape: ClassVar[tuple[int, ...]] = ()
    component_names: ClassVar[tuple[str, ...]] = ()
    is_count: ClassVar[bool] = False
    plane_titles: ClassVar[tuple[str, ...]] = ()
    category_titles: ClassVar[tuple[str, ...]] = ()
    measures_end: ClassVar[bool] = False

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        """What keeps a motion from having it, such as "nothing acts on the body"; or nothing."""
        return ""

    def __init__(self, runs: RunGroup) -> None:
        self.runs = runs

    @abstractmethod
    def update(self, block: SampleBlock) -> None:
        """Take in samples that follow those before."""

    def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
        """Receive how the runs ended, before `result` is called. Most measures ignore it.

        `status` (b,) are indices into `quatviz.analysis.sweeps.runs.STATUSES`; `ended` (b,) are the times [s] of runs that
        ended early, NaN for the others.
        """

    @abstractmethod
    def result(self) -> np.ndarray:
        """What was found (b, *shape)."""

    @classmethod
    def axis_label(cls) -> str:
        """Title and unit, for an axis."""
        title = tr(cls.title)
        return f"{title} [{cls.unit}]" if cls.unit else title
