"""A running sweep: threads or other workers compute it in chunks, and the caller polls it for results."""

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
    """Compute a plan in workers.

    `poll` writes new points into `results`, arrays of shape (lanes, *shape, ...); the sweep advances only when it is
    polled. `cancel` keeps the results so far. Use it in a `with` statement, or close it.

    Parameters
    ----------
    plan
        Preset, axes and measures.
    executor, jobs, waits
        Choice of workers: arguments `executor`, `jobs` and `wait` of `create_workers`; by default threads
        of this process.
    store
        Storage in which results are kept, and from which the sweep is resumed.
    """

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
        executor_choice = THREADS if executor is None else executor
        super().__init__(
            create_workers(executor_choice, run_chunk.__module__, jobs=jobs, wait=waits), run_chunk,
            SharedPayload(plan, (lane.formulation for lane in plan.preset.lanes)), missing,
        )  # fmt: skip

    @property
    def points_computed(self) -> int:
        """Number of computed points."""
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
            return tr("{runs}, about {seconds:.0f} s remaining", runs=runs, seconds=self.seconds_left)
        return tr(self.wait_reason) or tr("Compiling")

    def poll(self, timeout: float = 0.0) -> list[Chunk]:
        """Return the new chunks, after storing them in `results`. Waits up to `timeout` [s] for the first."""
        chunks = super().poll(timeout)
        for chunk in chunks:
            self._store_chunk(chunk)
        return chunks

    def close(self) -> None:
        super().close()
        clear_cache()

    def complete(self, progress: "Callable[[Sweep], object] | None" = None) -> SweepResults:
        """Wait for the end and return the results. `progress` is called several times a second with the sweep.

        Raises `InputError` if the workers refused the plan.
        """
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
