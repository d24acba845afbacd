"""A study in progress: polled by whoever asked for it, computed by processes or other workers."""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple

from quatviz.base.errors import InputError, phrase
from quatviz.executing.choosing import PROCESSES, workers_of
from quatviz.executing.parcel import Parcel, work_on
from quatviz.executing.workers import Lost
from quatviz.simulation.compilation import is_kept, mark_of
from quatviz.studies.files import Result
from quatviz.studies.measurement import Point, compile_case, compute_reference, lane_of, measure, refused
from quatviz.studies.plan import Case, Plan
from quatviz.studies.reference import USUAL_PAIR, Reference

Pair = tuple[str, str]


class _Takes(NamedTuple):
    """Who takes what is found, or the sentence that says why nothing is."""

    found: Callable[[Any], None]
    lost: Callable[[str], None]


class Study:
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
        self.fault = ""
        """Why the study ended before its end, in a sentence."""
        self.refusal: InputError | None = None
        """The same where it was refused, as by a cluster that was still to be reached."""
        self.cancelled = False
        self._workers = workers_of(
            PROCESSES if executor is None else executor, measure.__module__, jobs=jobs, nice=nice, waits=waits
        )
        self._forms = {lane.formulation for lane in plan.lanes}
        self._plan = Parcel(plan, self._forms)
        self._measured: Parcel[Any] = self._plan
        """With the reference, once it is there."""
        self._began = 0.0
        """When the first case was handed out."""
        self._pending: dict[Future[Any], _Takes] = {}
        self._waiting = deque(plan.cases)
        self._compiling: set[Pair] = set()
        self._closed = False
        self._begin()

    # --- reading

    @property
    def total(self) -> int:
        """How many points there will be."""
        return len(self.plan.cases)

    @property
    def done(self) -> bool:
        """Whether no more points will come."""
        return self._closed

    @property
    def stage(self) -> str:
        """What is being done, in a few words."""
        if self.done:
            return phrase("Cancelled") if self.cancelled else self.fault or phrase("Complete")
        if self._workers.lack:
            return self._workers.lack
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
    def processes(self) -> tuple[int, ...]:
        """Process ids of those that work for it."""
        return self._workers.processes

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
        if self._pending:
            finished, _ = wait(self._pending, timeout, FIRST_COMPLETED)
            for future in finished:
                self._take(future)
        if not self._pending and not self._waiting:
            self.close()
        return self.points[before:]

    def complete(self, report: "Callable[[Study], object] | None" = None) -> Result:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second."""
        while not self.done:
            self.poll(0.2)
            if report is not None:
                report(self)
        return self.result

    def cancel(self) -> None:
        """End it now, with what has been measured."""
        if not self.done:
            self.cancelled = True
            self.close()

    def close(self) -> None:
        """End what is computed. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pending.clear()
            self._waiting.clear()
            self._workers.close()

    def __enter__(self) -> "Study":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    # --- what is done when

    def _begin(self) -> None:
        if not self._waiting:
            return
        self._submit(_Takes(self._take_reference, self._end), self._plan, compute_reference)
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
                self._submit(_Takes(taken, taken), self._plan, compile_case, case)

    def _submit(self, takes: "_Takes", parcel: Parcel[Any], work: Callable[..., Any], *cases: Case) -> None:
        self._pending[self._workers.submit(work_on, parcel, work, *cases)] = takes

    def _take(self, future: Future[Any]) -> None:
        takes = self._pending.pop(future, None)
        if takes is None:  # the study ended while others of the same poll were taken
            return
        try:
            found = future.result()
        except Lost as lost:
            takes.lost(lost.sentence)
        except InputError as refusal:
            self.refusal = refusal
            self._end(refused(refusal))
        except BrokenExecutor as broken:
            self._end(phrase("the executor that was given computes no more: {broken}", broken=broken))
        else:
            takes.found(found)

    def _end(self, sentence: str) -> None:
        self.fault = sentence
        self.close()

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
                takes = _Takes(self.points.append, partial(self._take_lost, case))
                self._submit(takes, self._measured, measure, case)
        self._waiting = held
