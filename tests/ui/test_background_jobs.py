"""Background jobs: one thread for each name, cancellation, and results that belong to their inputs."""

import threading
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import InputError
from quatviz.export.table import Progress
from quatviz.ui.widgets.background_job import BackgroundJob, BackgroundJobs, JobSpec


class Worker:
    """Job that waits until it is released, and counts the threads that run it."""

    def __init__(self) -> None:
        self.started: list[Any] = []
        self.ended: list[Any] = []
        self.release = threading.Event()
        self.running = self.most_running = 0
        self._lock = threading.Lock()

    def spec(self, inputs: Any) -> JobSpec:
        return JobSpec(inputs, lambda progress: self._work(inputs, progress))

    def _work(self, inputs: Any, progress: Progress) -> Any:
        with self._lock:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        self.started.append(inputs)
        try:
            while not self.release.wait(0.002):
                raise_if_cancelled()
        finally:
            with self._lock:
                self.running -= 1
            self.ended.append(inputs)
        return f"of {inputs}"


@pytest.fixture
def jobs(qtbot: QtBot) -> Any:
    owner = QObject()
    made = BackgroundJobs(owner)
    yield made
    made.shutdown()


def test_job_delivers_result(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    results: list[str] = []
    worker = Worker()
    worker.release.set()
    jobs.start("read", lambda: worker.spec("a"), results.append)
    assert jobs.names == ("read",)
    qtbot.waitUntil(lambda: results == ["of a"])
    assert jobs.names == ()


def test_cancelled_job_reports_no_progress_and_no_result(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    results: list[str] = []
    worker = Worker()
    jobs.start("flight", lambda: worker.spec("a"), results.append)
    qtbot.waitUntil(lambda: worker.started == ["a"])
    jobs.cancel("flight")
    assert jobs.names == ()
    qtbot.waitUntil(lambda: worker.ended == ["a"] and not jobs.findChildren(BackgroundJob))
    assert results == []


def test_replaced_jobs_do_not_accumulate(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    results: list[str] = []
    worker = Worker()
    for inputs in range(20):
        jobs.start("beside", partial(worker.spec, inputs), results.append)
    qtbot.waitUntil(lambda: worker.started[-1:] == [19])
    worker.release.set()
    qtbot.waitUntil(lambda: results == ["of 19"])
    assert worker.most_running == 1
    assert len(worker.started) < 20


def test_result_of_changed_inputs_is_computed_again(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    results: list[str] = []
    worker, fields = Worker(), {"reading": "first"}
    jobs.start("import", lambda: worker.spec(fields["reading"]), results.append)
    qtbot.waitUntil(lambda: worker.started == ["first"])
    fields["reading"] = "second"
    worker.release.set()
    qtbot.waitUntil(lambda: bool(results))
    assert results == ["of second"]
    assert worker.started == ["first", "second"]


def test_failure_is_reported_with_job_name(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    failures: list[tuple[str, str]] = []
    jobs.failed.connect(lambda name, error: failures.append((name, str(error.found))))

    def fail(progress: Progress) -> None:
        raise InputError("file", expected="columns", found="none", remedy="choose another")

    jobs.start("read", lambda: JobSpec(1, fail), lambda result: pytest.fail("no result"))
    qtbot.waitUntil(lambda: failures == [("read", "none")])
    assert jobs.names == ()


def test_shutdown_waits_for_cancelled_jobs(jobs: BackgroundJobs, qtbot: QtBot) -> None:
    worker = Worker()
    jobs.start("read", lambda: worker.spec("a"), lambda result: None)
    jobs.start("lay", lambda: worker.spec("b"), lambda result: None)
    qtbot.waitUntil(lambda: len(worker.started) == 2)
    jobs.cancel("lay")
    jobs.shutdown()
    assert sorted(worker.ended) == ["a", "b"]
    assert worker.running == 0
