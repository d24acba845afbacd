"""Threads, processes and executors given by scripts: results, failures, cancellation."""

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from quatviz.analysis.executors.chunks import Chunk, ChunkedTask
from quatviz.analysis.executors.external_executor import ExternalExecutor
from quatviz.analysis.executors.factory import create_workers
from quatviz.analysis.executors.payload import SharedPayload, run_on_payload
from quatviz.analysis.executors.processes import ProcessWorkers
from quatviz.analysis.executors.threads import ThreadWorkers
from quatviz.analysis.executors.workers import MAX_WORKER_DEATHS, WorkersLost
from quatviz.base.cancellation import Cancelled, raise_if_cancelled
from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.base import Formulation


def squares(_: object, start: int, stop: int) -> np.ndarray:
    return np.arange(start, stop) ** 2


def wait(_: object, start: int, stop: int) -> None:
    """Take a tenth of a millisecond per index."""
    time.sleep(1e-4 * (stop - start))


def die_at(folder: Path, start: int, stop: int) -> np.ndarray:
    """Kill the process at index 20, up to the count given by the folder."""
    if start <= 20 < stop and len(list(folder.glob("died*"))) < int((folder / "deaths").read_text()):
        (folder / f"died-{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(None, start, stop)


def refuse(_: object, start: int, stop: int) -> None:
    raise InputError("here", expected="something", found=f"{start} to {stop}", remedy="nothing")


def divide(_: object, start: int, stop: int) -> None:
    raise ZeroDivisionError


def wait_for_stop(mark: Path) -> None:
    mark.touch()
    while True:
        raise_if_cancelled()
        time.sleep(0.01)


def squares_of(chunks: list[Chunk], count: int) -> np.ndarray:
    values = np.full(count, -1)
    for chunk in chunks:
        if not chunk.error_message:
            values[chunk.start : chunk.stop] = chunk.result
    return values


def all_of(chunks: ChunkedTask) -> list[Chunk]:
    with chunks:
        return [chunk for _ in iter(lambda: chunks.done, True) for chunk in chunks.poll(1.0)]


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1) as made:
        yield made


@pytest.mark.parametrize(
    "make", [lambda _: ThreadWorkers(2), lambda _: ProcessWorkers(2), lambda pool: ExternalExecutor(pool)]
)
def test_every_index_is_computed_once(
    make: Callable[[ProcessPoolExecutor], Any], pool: ProcessPoolExecutor
) -> None:
    workers = make(pool)
    results = all_of(ChunkedTask(workers, squares, SharedPayload(None), [(0, 400), (450, 1000)]))
    places = sorted((chunk.start, chunk.stop) for chunk in results)
    assert [stop for _, stop in places if stop not in (400, 1000)] == [
        start for start, _ in places if start not in (0, 450)
    ]
    expected = np.arange(1000) ** 2
    expected[400:450] = -1
    np.testing.assert_array_equal(squares_of(results, 1000), expected)


def test_chunks_are_large_enough_to_outweigh_their_overhead() -> None:
    chunks = all_of(ChunkedTask(ThreadWorkers(2), wait, SharedPayload(None), [(0, 2000)]))
    sizes = [chunk.stop - chunk.start for chunk in chunks]
    assert sum(sizes) == 2000
    # The cost of the first chunk is unknown, and the last contains the remainder.
    assert min(sizes[2:-2]) > 10


def test_large_arguments_and_results_are_passed() -> None:
    data = np.random.default_rng(1).normal(size=300_000)
    with ProcessWorkers(1) as workers:
        np.testing.assert_array_equal(workers.submit(np.negative, data).result(), -data)


@pytest.mark.parametrize("deaths", [1, MAX_WORKER_DEATHS - 1, MAX_WORKER_DEATHS])
def test_killed_process_loses_only_its_chunk(deaths: int, tmp_path: Path) -> None:
    (tmp_path / "deaths").write_text(str(deaths))
    workers = ProcessWorkers(2)
    chunks = all_of(ChunkedTask(workers, die_at, SharedPayload(tmp_path), [(0, 64)]))
    results = squares_of(chunks, 64)
    lost = [chunk for chunk in chunks if chunk.error_message]
    if deaths < MAX_WORKER_DEATHS:
        assert not lost
        np.testing.assert_array_equal(results, np.arange(64) ** 2)
    else:
        (lost_chunk,) = lost
        assert lost_chunk.start <= 20 < lost_chunk.stop
        assert "died during this task" in lost_chunk.error_message
        expected = np.arange(64) ** 2
        expected[lost_chunk.start : lost_chunk.stop] = -1
        np.testing.assert_array_equal(results, expected)
    assert len(list(tmp_path.glob("died*"))) == deaths
    # At most two processes, and a replacement for each killed one.
    assert len(workers.processes) <= 2 + deaths


def test_refusal_propagates_and_ends_the_chunks() -> None:
    workers = ProcessWorkers(1)
    chunks = ChunkedTask(workers, refuse, SharedPayload(None), [(0, 10)])
    assert all_of(chunks) == []
    assert chunks.refusal is not None
    assert chunks.refusal.found.endswith("to 5")
    assert chunks.refusal.found in chunks.error_message
    assert "in refuse" in "".join(chunks.refusal.__notes__)
    assert not chunks.cancelled
    assert not any(map(lives, workers.processes))


def test_other_exceptions_propagate_and_end_the_chunks() -> None:
    workers = ProcessWorkers(1)
    chunks = ChunkedTask(workers, divide, SharedPayload(None), [(0, 10)])
    with pytest.raises(ZeroDivisionError):
        all_of(chunks)
    assert chunks.done
    assert not any(map(lives, workers.processes))


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_closing_ends_busy_processes() -> None:
    workers = ProcessWorkers(1)
    busy, waiting = workers.submit(time.sleep, 1e6), workers.submit(time.sleep, 1e6)
    workers.close()
    for future in (busy, waiting):
        with pytest.raises(CancelledError):
            future.result(60)
    assert not any(map(lives, workers.processes))
    with pytest.raises(RuntimeError):
        workers.submit(int)
    workers.close()


def test_threads_are_asked_to_stop(tmp_path: Path) -> None:
    workers = ThreadWorkers(1)
    future: Future[Any] = workers.submit(wait_for_stop, tmp_path / "begun")
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    workers.close()
    with pytest.raises(Cancelled):
        future.result(0)


def test_chunks_grow_to_the_target_duration_and_report_the_remaining_work() -> None:
    clock = Clockwork(2)
    chunks = ChunkedTask(clock, squares, SharedPayload(None), [(0, 100_000)], seconds=1.0)
    assert chunks.seconds_left == np.inf
    with chunks:
        sizes = [chunk.stop - chunk.start for chunk in chunks.poll()]
        assert chunks.seconds_left == pytest.approx(1e-3 * (100_000 - sum(sizes)) / clock.jobs)
        sizes += [chunk.stop - chunk.start for chunk in all_of(chunks)]
    assert sizes[0] == 16
    assert max(sizes) == 1000
    assert sum(sizes) == 100_000
    assert all(later <= 8 * before for before, later in pairwise(sizes))
    assert sizes[-1] < 100


class Clockwork(ThreadWorkers):
    """Executor that computes at once and reports one millisecond per index."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        _, _, _, start, stop = arguments
        future: Future[Any] = Future()
        future.set_result((squares(None, start, stop), 1e-3 * (stop - start)))
        return future


def test_broken_executor_gives_a_message() -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool("it died"))
            return future

    with Broken(1) as executor:
        chunks = ChunkedTask(create_workers(executor, __name__), squares, SharedPayload(None), [(0, 9)])
        assert all_of(chunks) == []
    assert "no longer works: it died" in chunks.error_message
    assert not chunks.cancelled


@pytest.mark.parametrize("executor", ["thread", 3, "4"])
def test_invalid_executor_is_refused(executor: object) -> None:
    with pytest.raises(InputError) as refusal:
        create_workers(executor, __name__)
    assert "threads, processes" in str(refusal.value)


def test_executor_names_have_common_spellings() -> None:
    made = [create_workers(executor, __name__, jobs=3) for executor in ("threads", "processes")]
    assert [type(workers) for workers in made] == [ThreadWorkers, ProcessWorkers]
    assert [workers.jobs for workers in made] == [3, 3]
    assert create_workers(made[0], __name__) is made[0]
    for workers in made:
        workers.close()


def spun_up(factor: float) -> type[Formulation]:
    return type("SpunUp", (FORMULATIONS["newton_euler"],), {"name": "spun_up", "factor": factor})


def factor_of(_: object) -> float:
    """Return the factor registered under this name in this process."""
    return float(getattr(FORMULATIONS["spun_up"], "factor"))  # noqa: B009


def test_user_formulations_reach_workers_and_are_replaced() -> None:
    parcels = []
    for factor in (2.0, 3.0):
        FORMULATIONS.add(partial(spun_up, factor))
        parcels.append(SharedPayload(None, ["spun_up"]))
        pickle.dumps(parcels[-1])
    with ProcessWorkers(1) as workers:
        results = [workers.submit(run_on_payload, parcels[index], factor_of).result() for index in (0, 1, 0)]
    assert results == [2.0, 3.0, 2.0]


def test_missing_module_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ModuleType("no_such")
    exec("class Wind: pass", vars(mine))
    monkeypatch.setitem(sys.modules, "no_such", mine)
    with ProcessWorkers(1) as workers:
        future = workers.submit(run_on_payload, SharedPayload(mine.Wind()), repr)
        with pytest.raises(InputError) as refusal:
            future.result()
    assert "No module named 'no_such'" in str(refusal.value)
    assert "install them on the workers" in str(refusal.value)


def test_lost_exception_pickles() -> None:
    assert pickle.loads(pickle.dumps(WorkersLost("a sentence"))).sentence == "a sentence"
