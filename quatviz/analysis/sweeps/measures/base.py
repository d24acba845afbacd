"""Base class of the measures of a sweep."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock
from quatviz.base.translation import tr
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun


class SweepMeasure(ABC):
    """Base class of measures that reduce a run to a few numbers.

    The contract, from which a measure can be written:

    1. A module in `quatviz/analysis/sweeps/measures/`, or in another package behind an entry point of the group
       `quatviz.sweep_measures`, defines one concrete subclass. `name` is the name of the module (free for a plug-in),
       `title` and `unit` are displayed, `summary` is shown in the table of the help, and `sort_order` is its position
       there.
    2. Runs are not stored. An instance is made for a group of runs that are computed together. `update` receives their
       samples in consecutive blocks; `result` returns the values (b, *shape), NaN for a run without a value. The memory
       that an instance uses must not grow with the number of samples.
    3. `shape` is () for a single number, otherwise the shape of the result of one run. `component_names` may name the
       entries along its last axis.
    4. Rows after an early end of a run are NaN: `numpy.fmax` ignores NaN, and comparisons with NaN are false.
    5. `unsupported_reason` says why a motion does not have the measure, or returns "". It is called before any
       computation.
    6. `is_count` is True for counts: maps then show integers.
    7. `plane_titles` are the titles of two axes if the result is a set of points (n, 2), which are then drawn in a
       plane. If points have a third number, the time [s] of the crossing, a click on a point shows the run at that
       time.
    8. `category_titles` are titles if the result is the index of a category: maps then use distinct colors.
    9. `set_outcome` receives how the runs ended, before `result` is called. `measures_end` is True if the measure
       describes this outcome; maps then do not hide runs that ended early.
    10. `needs_lane` is True if the measure reads the whole lane after the run, which `set_lane` then passes. Such runs
        are computed one after the other.
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
    needs_lane: ClassVar[bool] = False

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        """Return why a motion does not have the measure, such as "nothing acts on the body", or ""."""
        return ""

    @classmethod
    def source_digest(cls) -> str:
        """Return a text that changes with the code of the measure. For a measure that is not registered, it is part of
        the identity of a sweep's file."""
        return f"{cls.__module__}.{cls.__qualname__}"

    def __init__(self, runs: RunGroup) -> None:
        self.runs = runs

    @abstractmethod
    def update(self, block: SampleBlock) -> None:
        """Process a block of samples that follows the previous one."""

    def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
        """Receive the final status of the runs, before `result` is called. Most measures ignore this status.

        `status` (b,) are indices into `quatviz.analysis.sweeps.runs.STATUSES`; `ended` (b,) are the times [s] of runs that
        ended early, NaN for the others.
        """

    def set_lane(self, lane: LaneRun) -> None:
        """Receive the only lane of a run after its end, before `set_outcome`, if `needs_lane` is True."""

    @abstractmethod
    def result(self) -> np.ndarray:
        """Return the measured values (b, *shape)."""

    @classmethod
    def axis_label(cls) -> str:
        """Title and unit as an axis label."""
        title = tr(cls.title)
        return f"{title} [{cls.unit}]" if cls.unit else title
