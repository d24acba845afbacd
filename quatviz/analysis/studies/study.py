"""A running study: processes or other workers compute it, and the caller polls it for results."""

import math
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from quatviz.analysis.executors.factory import PROCESSES, create_workers
from quatviz.analysis.executors.payload import SharedPayload
from quatviz.analysis.executors.polled_task import PolledTask
from quatviz.analysis.studies.files import StudyResult
from quatviz.analysis.studies.measurement import (
    StudyPoint,
    compile_case,
    compute_reference,
    make_lane,
    measure_case,
)
from quatviz.analysis.studies.plan import StudyCase, StudyPlan
from quatviz.analysis.studies.reference import DEFAULT_REFERENCE_PAIR, ReferenceSolution
from quatviz.analysis.studies.tables import completion_text
from quatviz.base.errors import phrase
from quatviz.base.translation import tr
from quatviz.simulation.compilation import is_cacheable, mark_path

Pair = tuple[str, str]


class Study(PolledTask):
    """Computation of a study plan by workers.

    `poll` returns new points in the order in which runs finish; the study advances only when it is polled. `cancel`
    stops the computation at any time. Use the study in a `with` statement, or close it.

    Parameters
    ----------
    plan
        Lanes, integrators and steps to compute.
    executor, jobs, nice, waits
        Choice of workers: arguments `executor`, `jobs`, `nice` and `wait` of `create_workers`; by default one process
        per processor.
    """

    def __init__(
        self,
        plan: StudyPlan,
        executor: object = None,
        *,
        jobs: int | None = None,
        nice: int = 0,
        waits: bool = True,
    ) -> None:
        self.plan = plan
        self.points: list[StudyPoint] = []
        self.method = ""
        """Description of the reference solution; empty until the reference is computed."""
        self.levels: dict[str, float] = {}
        executor_choice = PROCESSES if executor is None else executor
        super().__init__(
            create_workers(executor_choice, measure_case.__module__, jobs=jobs, nice=nice, wait=waits)
        )
        self._formulations = {lane.formulation for lane in plan.lanes}
        self._plan_payload = SharedPayload(plan, self._formulations)
        self._case_payload: SharedPayload[Any] = self._plan_payload
        """Payload of the cases: the plan, and also the reference once it is computed."""
        self._start_time = 0.0
        """Monotonic time at which the first case was submitted [s]."""
        self._waiting = deque(plan.cases)
        self._compiling: set[Pair] = set()
        self._begin()

    # --- reading

    @property
    def point_count(self) -> int:
        """Total number of points of the study."""
        return len(self.plan.cases)

    @property
    def stage(self) -> str:
        """Short description of the current activity."""
        if self.done:
            return phrase("Cancelled") if self.cancelled else self.error_message or phrase("Complete")
        if self.wait_reason:
            return self.wait_reason
        if self.points:
            return phrase("Measuring")
        return phrase("Compiling") if self._compiling else phrase("Computing the reference")

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time [s]; infinite before the first point.

        The estimate is based on the number of steps and not of points, because fine steps come last and take longest.
        """
        if not self.points:
            return float("inf")
        steps = sum(1.0 / case.dt for case in self.plan.cases)
        share = sum(1.0 / point.case.dt for point in self.points) / steps
        return (time.monotonic() - self._start_time) * (1.0 - share) / share

    @property
    def status_text(self) -> str:
        if self.done:
            return completion_text(self.result)
        remaining, total, stage = self.point_count - len(self.points), self.point_count, tr(self.stage)
        if math.isfinite(self.seconds_left):
            return tr(
                "{stage}: {remaining} of {total} runs remaining, about {seconds:.0f} s",
                stage=stage, remaining=remaining, total=total, seconds=self.seconds_left,
            )  # fmt: skip
        return tr(
            "{stage}: {remaining} of {total} runs remaining", stage=stage, remaining=remaining, total=total
        )

    @property
    def result(self) -> StudyResult:
        """Result with the points measured so far."""
        return StudyResult(
            self.plan, tuple(self.points), self.method, dict(self.levels), self.cancelled, self.error_message
        )

    # --- running

    def poll(self, timeout: float = 0.0) -> list[StudyPoint]:
        """Return new points, after waiting up to `timeout` [s] for the first."""
        before = len(self.points)
        self._advance(timeout)
        return self.points[before:]

    def complete(self, progress: "Callable[[Study], object] | None" = None) -> StudyResult:
        """Wait for the end and return the result. `progress` is called several times a second with the study."""
        self.finish(progress)
        return self.result

    # --- what is done when

    def _begin(self) -> None:
        if not self._waiting:
            return
        self._submit(self._take_reference, self._fail, self._plan_payload, compute_reference)
        pairs: dict[Pair, StudyCase] = {}
        for case in self._waiting:
            pairs.setdefault((case.lane.formulation, case.integrator), case)
        for pair, case in pairs.items():
            if pair == DEFAULT_REFERENCE_PAIR:
                continue
            lane = make_lane(self.plan, case)
            if is_cacheable(lane) and not mark_path(lane).exists():
                self._compiling.add(pair)
                on_compiled = partial(self._take_compiled, pair)
                self._submit(on_compiled, on_compiled, self._plan_payload, compile_case, case)

    def _take_reference(self, reference: ReferenceSolution | str) -> None:
        if isinstance(reference, str):
            self._fail(reference)
            return
        self.method, self.levels = reference.method, reference.levels
        self._case_payload = SharedPayload((self.plan, reference), self._formulations)
        self._start_time = time.monotonic()
        self._submit_cases()

    def _take_lost(self, case: StudyCase, sentence: str) -> None:
        self.points.append(StudyPoint(case, "lost", sentence))

    def _take_compiled(self, pair: Pair, _: object) -> None:
        self._compiling.discard(pair)
        if self.method:
            self._submit_cases()

    def _submit_cases(self) -> None:
        """Submit the waiting cases whose kernels are compiled."""
        deferred: deque[StudyCase] = deque()
        while self._waiting:
            case = self._waiting.popleft()
            if (case.lane.formulation, case.integrator) in self._compiling:
                deferred.append(case)
            else:
                on_lost = partial(self._take_lost, case)
                self._submit(self.points.append, on_lost, self._case_payload, measure_case, case)
        self._waiting = deferred
