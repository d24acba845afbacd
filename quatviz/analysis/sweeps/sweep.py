"""A sweep in progress: polled by whoever asked for it, computed in chunks by threads or other workers."""

import math
from collections.abc import Callable

from quatviz.analysis.executors.chunks import Chunk, Chunks
from quatviz.analysis.executors.factory import THREADS, workers_of
from quatviz.analysis.executors.payload import Parcel
from quatviz.analysis.sweeps.chunk import Found, forget, run_chunk
from quatviz.analysis.sweeps.files import Store
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.translation import told, tr


class Sweep(Chunks):
    """Computes a plan. `poll` puts what is new into `found`, arrays (lanes, *shape, ...); nothing happens between polls but
    with the workers: `jobs` threads of this process, or what `executor` says; `waits` is as in `workers_of`. `cancel` at any
    time leaves what was found; in a `store` it is kept, and gone on with. Use it in a `with` statement, or close it."""

    def __init__(
        self,
        plan: SweepPlan,
        executor: object = None,
        *,
        jobs: int | None = None,
        store: Store | None = None,
        waits: bool = True,
    ) -> None:
        self.plan = plan
        self.found = Found.nothing(plan, *plan.shape)
        self._store = store
        missing = [(0, plan.points)] if store is None else store.take_up(self.found)
        who = THREADS if executor is None else executor
        super().__init__(
            workers_of(who, run_chunk.__module__, jobs=jobs, waits=waits), run_chunk,
            Parcel(plan, (lane.formulation for lane in plan.preset.lanes)), missing,
        )  # fmt: skip

    @property
    def computed(self) -> int:
        """Points that are there."""
        return self.plan.points - self.left

    @property
    def said(self) -> str:
        runs = tr("{count:,} of {all:,} runs", count=self.computed, all=self.plan.points)
        if self.done:
            return (
                tr("Cancelled after {runs}", runs=runs)
                if self.cancelled
                else tr("{runs} complete", runs=runs)
            )
        if math.isfinite(self.seconds_left):
            return tr("{runs}, about {left:.0f} s to go", runs=runs, left=self.seconds_left)
        return told(self.lack) or tr("Compiling")

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """The chunks of points that are new, which are in `found` now; waits up to `timeout` [s] for the first."""
        chunks = super().poll(timeout)
        for chunk in chunks:
            self._put(chunk)
        return chunks

    def close(self) -> None:
        super().close()
        forget()

    def complete(self, report: "Callable[[Sweep], object] | None" = None) -> Found:
        """Wait for the end; `report` is called whenever there may be something new, a few times a second. Raises `InputError` for
        what was refused only where it was computed."""
        self.finish(report)
        if self.refusal is not None:
            raise self.refusal
        return self.found

    def _put(self, chunk: Chunk) -> None:
        numbers = self.plan.numbers(chunk.start, chunk.stop)
        found = chunk.found
        if chunk.lack:
            lost = Found.nothing(self.plan, len(numbers))
            lost.status[:], lost.reason[:] = STATUSES.index("failed"), chunk.lack
            found = lost.as_dict()
        elif self._store is not None:
            self._store.keep(chunk.start, chunk.stop, found)
        self.found.put(numbers, found)
