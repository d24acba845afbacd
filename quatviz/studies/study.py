"""A study in progress: polled by whoever asked for it, computed by processes."""

import tempfile
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from quatviz.base.errors import phrase
from quatviz.simulation.compilation import is_kept, mark_of
from quatviz.studies.files import Result
from quatviz.studies.measurement import Point, compile_case, compute_reference, hand_out, lane_of, measure
from quatviz.studies.plan import Case, Plan
from quatviz.studies.processes import WorkerPool, processors
from quatviz.studies.reference import USUAL_PAIR

Pair = tuple[str, str]


class Study:
    """Runs a plan. `poll` brings the points that are new, in the order in which runs finish; nothing happens between
    polls but in the processes. `cancel` at any time leaves no process behind. Use it in a `with` statement, or close it.
    """

    def __init__(self, plan: Plan, *, jobs: int | None = None, nice: int = 0) -> None:
        self.plan = plan
        self.points: list[Point] = []
        self.method = ""
        """How the reference was made; empty until it is there."""
        self.levels: dict[str, float] = {}
        self.fault = ""
        """Why the study ended before its end, in a sentence."""
        self.cancelled = False
        self._directory = tempfile.TemporaryDirectory(prefix="quatviz-study-")
        self._folder = Path(self._directory.name)
        self._pool = WorkerPool(jobs or processors(), nice)
        self._pending: dict[Future[Any], Callable[[Any], None]] = {}
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
        if self.points:
            return phrase("Measuring")
        return phrase("Compiling") if self._compiling else phrase("Computing the reference")

    @property
    def processes(self) -> tuple[int, ...]:
        """Process ids of those that work for it."""
        return self._pool.processes

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
        """End the processes and forget the files. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pending.clear()
            self._waiting.clear()
            self._pool.close()
            self._directory.cleanup()

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
        hand_out(self.plan, self._folder)
        self._submit(self._take_reference, compute_reference, self._folder)
        pairs: dict[Pair, Case] = {}
        for case in self._waiting:
            pairs.setdefault((case.lane.formulation, case.integrator), case)
        for pair, case in pairs.items():
            if pair == USUAL_PAIR:
                continue
            lane = lane_of(self.plan, case)
            if is_kept(lane) and not mark_of(lane).exists():
                self._compiling.add(pair)
                self._submit(partial(self._take_compiled, pair), compile_case, self._folder, case)

    def _submit(self, take: Callable[[Any], None], work: Callable[..., Any], *arguments: Any) -> None:
        self._pending[self._pool.submit(work, *arguments)] = take

    def _take(self, future: Future[Any]) -> None:
        take = self._pending.pop(future, None)
        if take is None:  # the study ended while others of the same poll were taken
            return
        try:
            take(future.result())
        except BrokenProcessPool:
            self._end(phrase("a process of the study was ended from outside, perhaps for want of memory"))

    def _end(self, sentence: str) -> None:
        self.fault = sentence
        self.close()

    def _take_reference(self, made: tuple[str, dict[str, float], str]) -> None:
        self.method, self.levels, refusal = made
        if refusal:
            self._end(refusal)
        else:
            self._submit_cases()

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
                self._submit(self.points.append, measure, self._folder, case)
        self._waiting = held
