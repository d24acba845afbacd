"""A study in progress: polled by whoever asked for it, computed by processes or other workers."""

import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from quatviz.analysis.executors.factory import PROCESSES, workers_of
from quatviz.analysis.executors.payload import Parcel
from quatviz.analysis.executors.polled_task import Work
from quatviz.analysis.studies.files import Result
from quatviz.analysis.studies.measurement import Point, compile_case, compute_reference, lane_of, measure
from quatviz.analysis.studies.plan import Case, Plan
from quatviz.analysis.studies.reference import USUAL_PAIR, Reference
from quatviz.analysis.studies.tables import ended
from quatviz.base.errors import phrase
from quatviz.base.translation import told, tr
from quatviz.simulation.compilation import is_kept, mark_of

Pair = tuple[str, str]


class Study(Work):
    """Runs a plan. `poll` brings the points that are new, in the order in which runs finish; nothing happens between
    polls but with the workers: `jobs` processes, or what `executor` says; `nice` and `waits` are as in `workers_of`. `cancel` at
    any time leaves no process behind. Use it in a `with` statement, or close it."""

    def __init__(
        self,
        plan: Plan,
        executor: object = None,
        *,
        jobs: int | None = None,
        nice: int = 0,
        waits: bool = True,
    ) -> None:
        self.plan = plan
        self.points: list[Point] = []
        self.method = ""
        """How the reference was made; empty until it is there."""
        self.levels: dict[str, float] = {}
        who = PROCESSES if executor is None else executor
        super().__init__(workers_of(who, measure.__module__, jobs=jobs, nice=nice, waits=waits))
        self._forms = {lane.formulation for lane in plan.lanes}
        self._plan = Parcel(plan, self._forms)
        self._measured: Parcel[Any] = self._plan
        """With the reference, once it is there."""
        self._began = 0.0
        """When the first case was handed out."""
        self._waiting = deque(plan.cases)
        self._compiling: set[Pair] = set()
        self._begin()

    # --- reading

    @property
    def total(self) -> int:
        """How many points there will be."""
        return len(self.plan.cases)

    @property
    def stage(self) -> str:
        """What is being done, in a few words."""
        if self.done:
            return phrase("Cancelled") if self.cancelled else self.fault or phrase("Complete")
        if self.lack:
            return self.lack
        if self.points:
            return phrase("Measuring")
        return phrase("Compiling") if self._compiling else phrase("Computing the reference")

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first point. Fine steps, which come last, take the longest."""
        if not self.points:
            return float("inf")
        steps = sum(1.0 / case.dt for case in self.plan.cases)
        share = sum(1.0 / point.case.dt for point in self.points) / steps
        return (time.monotonic() - self._began) * (1.0 - share) / share

    @property
    def said(self) -> str:
        if self.done:
            return ended(self.result)
        left, total, stage = self.total - len(self.points), self.total, told(self.stage)
        if math.isfinite(self.seconds_left):
            return tr(
                "{stage}: {left} of {total} runs to go, about {seconds:.0f} s",
                stage=stage, left=left, total=total, seconds=self.seconds_left,
            )  # fmt: skip
        return tr("{stage}: {left} of {total} runs to go", stage=stage, left=left, total=total)

    @property
    def result(self) -> Result:
        """What has been measured so far."""
        return Result(
            self.plan, tuple(self.points), self.method, dict(self.levels), self.cancelled, self.fault
        )

    # --- running

    def poll(self, timeout: float = 0.0) -> list[Point]:
        """The points that are new; waits up to `timeout` [s] for the first."""
        before = len(self.points)
        self._advance(timeout)
        return self.points[before:]

    def complete(self, report: "Callable[[Study], object] | None" = None) -> Result:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second."""
        self.finish(report)
        return self.result

    # --- what is done when

    def _begin(self) -> None:
        if not self._waiting:
            return
        self._submit(self._take_reference, self._end, self._plan, compute_reference)
        pairs: dict[Pair, Case] = {}
        for case in self._waiting:
            pairs.setdefault((case.lane.formulation, case.integrator), case)
        for pair, case in pairs.items():
            if pair == USUAL_PAIR:
                continue
            lane = lane_of(self.plan, case)
            if is_kept(lane) and not mark_of(lane).exists():
                self._compiling.add(pair)
                taken = partial(self._take_compiled, pair)
                self._submit(taken, taken, self._plan, compile_case, case)

    def _take_reference(self, made: Reference | str) -> None:
        if isinstance(made, str):
            self._end(made)
            return
        self.method, self.levels = made.method, made.levels
        self._measured = Parcel((self.plan, made), self._forms)
        self._began = time.monotonic()
        self._submit_cases()

    def _take_lost(self, case: Case, sentence: str) -> None:
        self.points.append(Point(case, "lost", sentence))

    def _take_compiled(self, pair: Pair, _: object) -> None:
        self._compiling.discard(pair)
        if self.method:
            self._submit_cases()

    def _submit_cases(self) -> None:
        """Hand out the cases whose kernels are there."""
        held: deque[Case] = deque()
        while self._waiting:
            case = self._waiting.popleft()
            if (case.lane.formulation, case.integrator) in self._compiling:
                held.append(case)
            else:
                lost = partial(self._take_lost, case)
                self._submit(self.points.append, lost, self._measured, measure, case)
        self._waiting = held
