"""A sweep in progress: polled by whoever asked for it, computed in chunks by threads or other workers."""

import math
from collections.abc import Callable

from quatviz.analysis.executors.chunks import Chunk, ChunkedTask
from quatviz.analysis.executors.factory import THREADS, create_workers
from quatviz.analysis.executors.payload import SharedPayload
from quatviz.analysis.sweeps.chunk import SweepResults, clear_cache, run_chunk
from quatviz.analysis.sweeps.files import SweepStore
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.base.translation import tr


class Sweep(ChunkedTask):
    """Computes a plan. `poll` puts what is new into `results`, arrays (lanes, *shape, ...); nothing happens between polls but
    with the workers: `jobs` threads of this process, or what `executor` says; `waits` is as in `workers_of`. `cancel` at any
    time leaves what was found; in a `store` it is kept, and gone on with. Use it in a `with` statement, or close it."""

    def __init__(
        self,
        plan: SweepPlan,
        executor: object = None,
        *,
        jobs: int | None = None,
        store: SweepStore | None = None,
        waits: bool = True,
    ) -> None:
        self.plan = plan
        self.results = SweepResults.empty(plan, *plan.shape)
        self._store = store
        missing = [(0, plan.point_count)] if store is None else store.resume(self.results)
        who = THREADS if executor is None else executor
        super().__init__(
            create_workers(who, run_chunk.__module__, jobs=jobs, wait=waits), run_chunk,
            SharedPayload(plan, (lane.formulation for lane in plan.preset.lanes)), missing,
        )  # fmt: skip

    @property
    def points_computed(self) -> int:
        """Points that are there."""
        return self.plan.point_count - self.remaining

    @property
    def status_text(self) -> str:
        runs = tr("{count:,} of {all:,} runs", count=self.points_computed, all=self.plan.point_count)
        if self.done:
            return (
                tr("Cancelled after {runs}", runs=runs)
                if self.cancelled
                else tr("{runs} complete", runs=runs)
            )
        if math.isfinite(self.seconds_left):
            return tr("{runs}, about {left:.0f} s to go", runs=runs, left=self.seconds_left)
        return tr(self.wait_reason) or tr("Compiling")

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """The chunks of points that are new, which are in `results` now; waits up to `timeout` [s] for the first."""
        chunks = super().poll(timeout)
        for chunk in chunks:
            self._store_chunk(chunk)
        return chunks

    def close(self) -> None:
        super().close()
        clear_cache()

    def complete(self, progress: "Callable[[Sweep], object] | None" = None) -> SweepResults:
        """Wait for the end; `progress` is called whenever there may be something new, a few times a second. Raises `InputError` for
        what was refused only where it was computed."""
        self.finish(progress)
        if self.refusal is not None:
            raise self.refusal
        return self.results

    def _store_chunk(self, chunk: Chunk) -> None:
        numbers = self.plan.grid_indices(chunk.start, chunk.stop)
        arrays = chunk.result
        if chunk.error_message:
            failed = SweepResults.empty(self.plan, len(numbers))
            failed.status[:], failed.reason[:] = STATUSES.index("failed"), chunk.error_message
            arrays = failed.as_dict()
        elif self._store is not None:
            self._store.save_chunk(chunk.start, chunk.stop, arrays)
        self.results.store(numbers, arrays)
