"""Jobs in background threads. They report progress and can be cancelled, and a result is delivered only while its inputs are
current."""

import threading
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from quatviz.base.cancellation import Cancelled, cancellable
from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.export.table import Progress

POLL_INTERVAL_MS = 50


class BackgroundJob(QObject):
    """A job in a thread, which starts at once.

    `work` receives a function that reports progress; its argument is the completed fraction, 0 to 1. After `cancel`,
    the next call of this function or of `quatviz.base.cancellation.raise_if_cancelled` in the work raises `Cancelled`.
    The signal `progressed` is emitted with the fraction, and `finished` with the returned value or the raised
    exception.
    """

    progressed = Signal(float)
    finished = Signal(object)

    def __init__(
        self, work: Callable[[Progress], object], parent: QObject, on_finished: Callable[[Any], object]
    ) -> None:
        """Start the thread and connect `on_finished` to `finished`."""
        super().__init__(parent)
        self._work = work
        self._progress = 0.0
        self._cancelled = False
        self._outcome: object = None
        self._thread = threading.Thread(target=self._run, name="quatviz-export", daemon=True)
        self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._timer.timeout.connect(self._poll)
        self.finished.connect(on_finished)
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        """Stop the work at its next progress report or cancellation check."""
        self._cancelled = True

    def cancel_and_wait(self) -> None:
        """Cancel the work and wait until it has ended, without emitting `finished`."""
        self._timer.stop()
        self.cancel()
        self._thread.join()
        self.deleteLater()

    def _set_progress(self, progress: float) -> None:
        if self._cancelled:
            raise Cancelled
        self._progress = progress

    def _run(self) -> None:
        try:
            with cancellable(lambda: self._cancelled):
                self._outcome = self._work(self._set_progress)
        except BaseException as error:
            self._outcome = error

    def _poll(self) -> None:
        if self._thread.is_alive():
            self.progressed.emit(self._progress)
            return
        self._timer.stop()
        self.deleteLater()
        self.finished.emit(self._outcome)


class JobSpec(NamedTuple):
    """The work of a job, and the inputs on which its result depends."""

    inputs: Hashable
    """All inputs of the work that may change while the job runs. The result is delivered only if they are still the
    same."""
    work: Callable[[Progress], object]


class _Request(NamedTuple):
    prepare: Callable[[], JobSpec]
    on_result: Callable[[Any], object]


class BackgroundJobs(QObject):
    """The background jobs of one owner, by name. There is at most one thread for each name.

    A result is delivered only if its inputs are still current. Otherwise the job starts again with the current inputs. A job
    that is cancelled or replaced delivers nothing.
    """

    changed = Signal()
    """Emitted when a job has started, made progress or ended."""
    failed = Signal(str, object)
    """Emitted with the name of a job and the exception that ended it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._requests: dict[str, _Request] = {}
        """Jobs by name that were requested and whose results have not been delivered yet."""
        self._threads: dict[str, BackgroundJob] = {}
        """Jobs by name whose thread is running. Cancelled jobs stay here until their thread ends."""
        self._progress: dict[str, float] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the jobs whose results are awaited, in the order in which they were started."""
        return tuple(self._requests)

    def progress(self, name: str) -> float:
        """Return the completed fraction of a job, 0 to 1."""
        return self._progress.get(name, 0.0)

    def start(self, name: str, prepare: Callable[[], JobSpec], on_result: Callable[[Any], object]) -> None:
        """Start a job and replace a running one of the same name.

        Parameters
        ----------
        name
            Name of the job.
        prepare
            Returns the current inputs and the work. It is called when the job starts, and again when the work has
            ended, to find out whether the inputs have changed.
        on_result
            Receives the return value of the work.
        """
        request = _Request(prepare, on_result)
        self._requests[name] = request
        if name in self._threads:
            self._threads[name].cancel()  # the new job starts when the old thread has ended
        else:
            self._begin(name, request)
        self.changed.emit()

    def cancel(self, *names: str) -> None:
        """Cancel the named jobs, or all jobs without a name."""
        for name in names or tuple(self._requests):
            if self._requests.pop(name, None) is not None and name in self._threads:
                self._threads[name].cancel()
        self.changed.emit()

    def shutdown(self) -> None:
        """Cancel all jobs and wait until their threads have ended."""
        self._requests.clear()
        threads, self._threads = self._threads, {}
        for job in threads.values():
            job.cancel_and_wait()

    def _begin(self, name: str, request: _Request) -> None:
        try:
            spec = request.prepare()
        except PLUGIN_EXCEPTIONS as error:
            self._fail(name, error)
            return
        self._progress[name] = 0.0
        job = BackgroundJob(
            spec.work, self, lambda outcome: self._finish(name, request, spec.inputs, outcome)
        )
        job.progressed.connect(lambda share: self._show_progress(name, share))
        self._threads[name] = job

    def _show_progress(self, name: str, share: float) -> None:
        self._progress[name] = share
        self.changed.emit()

    def _finish(self, name: str, request: _Request, inputs: Hashable, outcome: object) -> None:
        self._threads.pop(name, None)
        current = self._requests.get(name)
        if current is request:
            self._deliver(name, request, inputs, outcome)
        elif current is not None:
            self._begin(name, current)
        self.changed.emit()

    def _deliver(self, name: str, request: _Request, inputs: Hashable, outcome: object) -> None:
        try:
            is_outdated = request.prepare().inputs != inputs
        except PLUGIN_EXCEPTIONS as error:
            self._fail(name, error)
            return
        if is_outdated:
            self._begin(name, request)
            return
        if isinstance(outcome, BaseException):
            self._fail(name, outcome)
            return
        del self._requests[name]
        request.on_result(outcome)

    def _fail(self, name: str, error: BaseException) -> None:
        self._requests.pop(name, None)
        self.failed.emit(name, error)
