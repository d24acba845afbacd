"""Messages about one lane: the verdict on its accuracy, remarks, and the text of its status."""

from typing import Any, Protocol

import numpy as np

from quatviz.base.translation import tr
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.observables.plausibility import undersampling_warning
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.end_reasons import with_lane_title
from quatviz.simulation.problem import Problem
from quatviz.simulation.verdict import AccuracyVerdict, VerdictSource

CHECKED_SAMPLES = 200
"""Number of samples, first and last included, at which the rotation per sample interval is checked."""


class DiagnosedLane(Protocol):
    """Interface of a lane that `LaneDiagnostics` requires."""

    name: str
    index: int
    status: str
    message: str
    interval: float
    problem: Problem
    formulation: Formulation

    @property
    def samples(self) -> int: ...

    def motion_at(self, samples: np.ndarray) -> Motion: ...


class LaneDiagnostics:
    """Messages about a lane. The verdict on its accuracy is computed on request, by `diagnostics.accuracy_verdict`."""

    def __init__(self, lane: DiagnosedLane) -> None:
        self._lane = lane
        self.remarks: tuple[str, ...] = ()
        """Sentences about events that have no or only a partial effect on this lane, and remarks of its
        formulation."""
        self.accuracy_check: Any = None
        """`simulation.diagnostics.AccuracyCheck` of the lane, created on request."""
        self._cached_undersampling: tuple[int, str] = 0, ""
        """Cached warning about samples that are too far apart, and the number of samples to which it applies."""

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """Verdict on the accuracy, or None if `diagnostics.accuracy_verdict` has not computed it yet."""
        source: VerdictSource | None = self.accuracy_check
        return None if source is None else source.verdict

    @property
    def status_text(self) -> str:
        """Reason why the lane ended early or is not accurate, with the title of the lane; "" if there is none."""
        verdict, lane = self.verdict, self._lane
        message = lane.message
        if lane.status == "ok" and verdict is not None and not verdict.is_about_equations:
            message = verdict.message
        return tr(with_lane_title(message, lane.name)) if message else ""

    @property
    def all_remarks(self) -> tuple[str, ...]:
        """`remarks`, followed by warnings that are given for complete lanes: that samples are too far apart, or that
        the equations do not describe the body."""
        verdict, remarks = self.verdict, list(self.remarks)
        if self._lane.status == "ok":
            remarks.append(self._find_undersampling())
        if verdict is not None:
            remarks += [verdict.message if verdict.is_about_equations else "", verdict.remark]
        return tuple(filter(None, remarks))

    def _find_undersampling(self) -> str:
        """Return a warning about samples that are too far apart, or "". Since it concerns the whole run, only the
        first lane has it."""
        lane = self._lane
        if lane.index > 0 or lane.formulation.is_recorded or lane.problem.contains_user_code:
            return ""
        if self._cached_undersampling[0] != lane.samples:
            samples = np.unique(np.linspace(0, lane.samples - 1, CHECKED_SAMPLES).astype(int))
            warning = undersampling_warning(lane.motion_at(samples), lane.interval)
            self._cached_undersampling = lane.samples, warning
        return self._cached_undersampling[1]
