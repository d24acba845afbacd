"""A real scheduler of Dask with four worker processes on this machine."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask_work
import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.executors.chunks import Chunk, ChunkedTask
from quatviz.analysis.executors.cluster import ANY_PROCESSOR, Cluster
from quatviz.analysis.executors.identity import PROCESSOR, differences, identity
from quatviz.analysis.executors.payload import SharedPayload, run_on_payload
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.study import Study
from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS

if TYPE_CHECKING:
    from distributed import Client

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CHUNK = "quatviz.analysis.sweeps.chunk"
OVER = {
    "initial.angular_velocity[0]": np.linspace(-1, 1, 8),
    "initial.angular_velocity[2]": np.linspace(-1, 1, 8),
}


@contextmanager
def dask(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `dask` with these arguments and end it afterwards."""
    paths = os.pathsep.join(map(str, (ROOT, HERE)))
    settings = {
        "PYTHONPATH": paths, "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver",
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", **environment,
    }  # fmt: skip
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    with subprocess.Popen(
        command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def scheduler(file: Path) -> Iterator[subprocess.Popen[bytes]]:
    with dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)) as process:
        until(
            lambda: file.exists() and file.read_text().rstrip().endswith("}")
        )  # the file exists before it is written
        yield process


@contextmanager
def workers(address: str, folder: Path, count: int, **environment: str) -> Iterator[None]:
    options = f"--nworkers {count} --nthreads 1 --memory-limit 0 --local-directory".split()
    preload = "--preload-nanny", str(HERE / "dask_nanny.py")
    with dask("worker", address, *options, str(folder), *preload, **environment):
        yield


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with scheduler(file):
        scheduler_address = str(json.loads(file.read_text())["address"])
        with workers(scheduler_address, file.parent, 4):
            from distributed import Client

            with Client(scheduler_address, set_as_default=False) as client:
                client.wait_for_workers(4, timeout=120)
            yield scheduler_address


@pytest.fixture
def client(address: str) -> "Iterator[Client]":
    from distributed import Client

    with Client(address, set_as_default=False) as made:
        made.wait_for_workers(4, timeout=120)
        yield made


def all_of(chunks: ChunkedTask) -> list[Chunk]:
    with chunks:
        return [chunk for _ in iter(lambda: chunks.done, True) for chunk in chunks.poll(1.0)]


def test_cluster_results_equal_local_results_exactly(address: str) -> None:
    preset = qv.load_preset("intermediate_axis")
    settings: dict[str, Any] = {
        "lanes": ["newton_euler", "exact"],
        "measure": ["flips", "first_flip"],
        "dt": 1e-2,
        "duration": 8.0,
    }
    local, remote = (
        qv.sweep(preset, OVER, executor=executor, **settings) for executor in ("threads", address)
    )
    assert remote.identical(local)
    assert local["flips"].max() > 0


def test_cluster_study_measures_the_same_errors(address: str) -> None:
    plan = StudyPlan.create(
        qv.load_preset("torque_free"), lanes=["newton_euler", "hamilton"], steps=[0.1, 0.05], duration=2.0
    )
    results = []
    for executor in ("threads", address):
        with Study(plan, executor) as study:
            results.append(study.complete())
    local, remote = (
        {f"{point.case} {point.status} {point.steps} {point.errors}" for point in result.points}
        for result in results
    )
    assert local == remote
    assert len(local) == 4
    assert results[0].levels == results[1].levels


def test_killed_worker_loses_only_its_current_chunk(address: str, client: "Client", tmp_path: Path) -> None:
    places = [(start, start + 1) for start in range(40)]
    chunks = ChunkedTask(Cluster(address, CHUNK), dask_work.slow_squares, SharedPayload(tmp_path), places)
    chunks.poll()
    until(lambda: list(tmp_path.glob("*-*")))
    (first,) = tmp_path.glob("*-*")
    pid = int(first.name.partition("-")[2])
    os.kill(pid, signal.SIGKILL)
    (tmp_path / "go").touch()
    results = all_of(chunks)
    assert {chunk.start: chunk.result.tolist() for chunk in results} == {
        start: [start**2] for start in range(40)
    }
    done = [path.name.partition("-")[0] for path in tmp_path.glob("*-*")]
    assert len(done) == 41
    assert done.count(first.name.partition("-")[0]) == 2


def test_chunk_that_kills_workers_is_abandoned(address: str, client: "Client") -> None:
    results = all_of(
        ChunkedTask(
            Cluster(address, CHUNK), dask_work.kill_worker, SharedPayload(None), [(0, 16), (16, 24), (24, 40)]
        )
    )
    assert len(results) >= 3
    for chunk in results:
        assert ("died" in chunk.error_message) == (chunk.start <= 20 < chunk.stop)


def test_newer_formulation_replaces_the_older(address: str) -> None:
    parcels = []
    for factor in (2.0, 3.0):
        FORMULATIONS.add(partial(dask_work.make_plugin_formulation, factor))
        parcels.append(SharedPayload(None, ["spun_up"]))
        pickle.dumps(parcels[-1])
    with Cluster(address, CHUNK) as cluster:
        for index, factor in ((0, 2.0), (1, 3.0), (0, 2.0)):  # enough that every worker gets some of each
            futures = [cluster.submit(run_on_payload, parcels[index], dask_work.factor_of) for _ in range(16)]
            assert {future.result(60) for future in futures} == {factor}


def test_cancelling_leaves_no_task_running(address: str, client: "Client", tmp_path: Path) -> None:
    chunks = ChunkedTask(
        Cluster(client, CHUNK), dask_work.run_until_stopped, SharedPayload(tmp_path), [(0, 1000)]
    )
    chunks.poll()
    until(lambda: list(tmp_path.glob("*-begun")))
    chunks.cancel()
    until(lambda: len(list(tmp_path.glob("*-over"))) == len(list(tmp_path.glob("*-begun"))))
    study = Study(
        StudyPlan.create(qv.load_preset("torque_free"), steps=[0.1, 1e-7], duration=10_000.0), address
    )
    while not study.points:  # the first is short, the other takes hours
        study.poll(1.0)
    study.cancel()
    until(lambda: not any(client.run(tasks).values()))


def tasks(dask_worker: Any) -> int:
    return len(dask_worker.state.tasks)


def test_different_worker_is_excluded_refused_or_accepted(
    address: str, client: "Client", tmp_path: Path
) -> None:
    here = set(client.scheduler_info(n_workers=-1)["workers"])
    with Cluster(address, CHUNK) as early, workers(address, tmp_path, 1, QUATVIZ_TEST_PROCESSOR="another"):
        client.wait_for_workers(5, timeout=120)
        (other,) = set(client.scheduler_info(n_workers=-1)["workers"]) - here
        with pytest.raises(InputError) as refusal:
            Cluster(address, CHUNK)
        assert refusal.value.found == f"{other}: processor another (here {identity(CHUNK)[PROCESSOR]})"
        late = Cluster(address, CHUNK, wait=False)
        with pytest.raises(InputError, match="processor another"):
            late.submit(abs, -1).result(60)
        late.close()
        # The worker joined late: nothing is computed on it.
        remote_pids = client.run(os.getpid)
        futures = [early.submit(os.getpid) for _ in range(40)]
        assert {future.result(60) for future in futures} <= {remote_pids[worker] for worker in here}
        with Cluster(address + ANY_PROCESSOR, CHUNK) as agreed:
            assert agreed.jobs == 5
            futures = [agreed.submit(dask_work.sleep_briefly) for _ in range(40)]
            assert remote_pids[other] in {future.result(60) for future in futures}
    until(lambda: set(client.scheduler_info(n_workers=-1)["workers"]) == here)


def test_different_code_is_always_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = identity(CHUNK)
    assert isinstance(mine, dict)
    monkeypatch.setitem(mine, "quatviz", "another")
    monkeypatch.setitem(mine, PROCESSOR, "another")
    with pytest.raises(InputError) as refusal:
        Cluster(address + ANY_PROCESSOR, CHUNK)
    assert refusal.value.found.count("(here another)") == 4
    assert "processor" not in refusal.value.found
    assert refusal.value.topic == "clusters#refusals"


def test_unreachable_scheduler_gives_a_message(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    for executor in (
        "tcp://127.0.0.1:9",
        "tcp://host.invalid:8786",
        "odd://127.0.0.1:9",
        str(tmp_path / "bad.json"),
        "no.json",
    ):
        with pytest.raises(InputError) as refusal:
            qv.study(qv.load_preset("torque_free"), steps=2, duration=1.0, executor=executor)
        assert refusal.value.place == f"the scheduler {executor}"
        assert refusal.value.expected == "a scheduler that answers within 5 s"
        assert "dask scheduler" in refusal.value.remedy


def test_work_submitted_after_the_refusal_is_refused_too() -> None:
    cluster = Cluster("tcp://127.0.0.1:9", CHUNK, wait=False)
    with pytest.raises(InputError):
        cluster.submit(abs, -1).result(60)
    with pytest.raises(InputError):
        cluster.submit(abs, -1).result(60)
    cluster.close()


def test_ended_scheduler_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    with scheduler(file) as process:
        cluster = Cluster(str(file), CHUNK)
        future = cluster.submit(abs, -1)
        assert (cluster.jobs, cluster.title) == (1, f"0 workers of {file}")
        process.kill()
        with pytest.raises(BrokenExecutor):
            future.result(60)
        cluster.close()
    # Closing the connection to an ended scheduler may take very long.
    until(lambda: all(thread.name != "quatviz-cluster" for thread in threading.enumerate()))


def test_identities_report_differences() -> None:
    here = dict(identity(CHUNK))
    assert differences(here, here) == []
    assert differences({"a": "1", "b": "2"}, {"a": "3", "c": "4"}) == [
        "a 3 (here 1)",
        "b missing (here 2)",
        "c 4 (here missing)",
    ]
    assert {"quatviz", "python", "numba", "llvmlite", "numpy", "scipy", "C library", PROCESSOR} <= here.keys()
    assert here["quatviz"] != identity("quatviz.analysis.studies.plan")["quatviz"]
