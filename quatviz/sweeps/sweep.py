"""A sweep in progress: polled by whoever asked for it, computed in chunks by threads or other workers."""

from collections.abc import Callable
from types import TracebackType

import numpy as np

from quatviz.executing.choosing import THREADS, workers_of
from quatviz.executing.chunks import Chunk, Chunks
from quatviz.executing.parcel import Parcel
from quatviz.sweeps.chunk import STATUSES, Found, run_chunk
from quatviz.sweeps.files import Store
from quatviz.sweeps.plan import SweepPlan


class Sweep:
    """Computes a plan. `poll` puts what is new into `found`, arrays (lanes, *shape, ...); nothing happens between polls but
    with the workers: `jobs` threads of this process, or what `executor` says as in `workers_of`. `cancel` at any time
    leaves what was found; in a `store` it is kept, and gone on with. Use it in a `with` statement, or close it."""

    def __init__(
        self, plan: SweepPlan, executor: object = None, *, jobs: int | None = None, store: Store | None = None
    ) -> None:
        self.plan = plan
        self.found = Found.nothing(plan, *plan.shape)
        self._store = store
        missing = [(0, plan.points)] if store is None else store.take_up(self.found)
        self._chunks = Chunks(
            workers_of(THREADS if executor is None else executor, run_chunk.__module__, jobs=jobs), run_chunk,
            Parcel(plan, (lane.formulation for lane in plan.preset.lanes)), missing,
        )  # fmt: skip

    @property
    def computed(self) -> int:
        """Points that are there."""
        return self.plan.points - self._chunks.left

    @property
    def cancelled(self) -> bool:
        return self._chunks.cancelled

    @property
    def fault(self) -> str:
        """Why it ended before its end, in a sentence."""
        return self._chunks.fault

    @property
    def done(self) -> bool:
        """Whether no more points will come."""
        return self._chunks.done

    @property
    def seconds_left(self) -> float:
        """About how long it will take [s]; infinite before the first point."""
        return self._chunks.seconds_left

    def poll(self, timeout: float = 0.0) -> list[np.ndarray]:
        """The numbers (n, d) along the dimensions of the points that are new; waits up to `timeout` [s] for the first."""
        return [self._take(chunk) for chunk in self._chunks.poll(timeout)]

    def complete(self, report: "Callable[[Sweep], object] | None" = None) -> Found:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second."""
        while not self.done:
            self.poll(0.2)
            if report is not None:
                report(self)
        return self.found

    def cancel(self) -> None:
        """End it with what is there."""
        self._chunks.cancel()

    def close(self) -> None:
        """Let go of what is left to do, and wait for what is being computed. Safe to call twice."""
        self._chunks.close()

    def __enter__(self) -> "Sweep":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    def _take(self, chunk: Chunk) -> np.ndarray:
        numbers = self.plan.numbers(chunk.start, chunk.stop)
        found = chunk.found
        if chunk.lack:
            lost = Found.nothing(self.plan, len(numbers))
            lost.status[:], lost.reason[:] = STATUSES.index("failed"), chunk.lack
            found = lost.as_dict()
        elif self._store is not None:
            self._store.keep(chunk.start, chunk.stop, found)
        self.found.put(numbers, found)
        return numbers
