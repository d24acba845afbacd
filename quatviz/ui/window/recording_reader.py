"""Reading of the large recordings of a preset before it is opened, so that the window does not wait for them."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

from quatviz.base.cancellation import reporting_progress
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.files.preset import Preset
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.loading import load, slow_recordings
from quatviz.ui.widgets.background_job import BackgroundJobs, JobSpec

log = logging.getLogger(__name__)

_JOB = "read"
_READING_SHARE = 0.9
"""Share of a file's progress that is reported while its bytes are read. The rest is for the conversion of its numbers."""


class RecordingReader(QObject):
    """Reader of large recordings. It reads in a thread while a dialog shows the progress and offers to cancel.

    The recordings are stored in the cache from which lanes load them.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.jobs = BackgroundJobs(self)
        self.jobs.failed.connect(lambda _, error: self._fail(error))
        self.jobs.changed.connect(self._show_progress)
        self.dialog: QProgressDialog | None = None
        """Dialog that is shown while recordings are read."""
        self._on_ended: Callable[[bool], object] | None = None

    def is_needed(self, preset: Preset) -> bool:
        """Return True if the preset has a recording that is too large to be read while the window waits."""
        return bool(slow_recordings(preset))

    def read(self, preset: Preset, on_ended: Callable[[bool], object]) -> None:
        """Read the recordings of a preset, and then call `on_ended` with True. If the user cancels the reading, call it with
        False."""
        recordings = slow_recordings(preset)
        self.stop()
        self._on_ended = on_ended
        self.dialog = QProgressDialog(self._window)
        self.dialog.setWindowTitle(tr("Open a session, a preset or a recording"))
        names = ", ".join(options.path.name for options in recordings)
        self.dialog.setLabelText(tr("Reading {file}", file=names))
        self.dialog.setCancelButtonText(tr("Cancel"))
        self.dialog.setRange(0, 1000)
        self.dialog.setMinimumDuration(0)
        self.dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self.dialog.canceled.connect(self.stop)
        self.dialog.show()
        self.jobs.start(
            _JOB,
            lambda: JobSpec(recordings, lambda progress: _read_all(recordings, progress)),
            lambda _: self._end(True),
        )

    def stop(self) -> None:
        """Stop reading and close the dialog."""
        self.jobs.cancel(_JOB)
        self._end(False)

    def shutdown(self) -> None:
        """Stop reading and wait until it has ended."""
        self._close()
        self.jobs.shutdown()

    def _show_progress(self) -> None:
        if self.dialog is not None:
            self.dialog.setValue(round(1000 * self.jobs.progress(_JOB)))

    def _fail(self, error: object) -> None:
        log.error("the recordings of a preset could not be read: %s", error)
        self._end(False)

    def _end(self, is_read: bool) -> None:
        self._close()
        on_ended, self._on_ended = self._on_ended, None
        if on_ended is not None:
            on_ended(is_read)

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.canceled.disconnect(self.stop)
            dialog.close()
            dialog.deleteLater()


def _read_all(recordings: Sequence[ReadOptions], progress: Callable[[float], object]) -> None:
    """Read recordings into the cache. Errors are ignored here, because the lane that shows the recording explains them."""
    for number, options in enumerate(recordings):
        with suppress(InputError), reporting_progress(partial(_report, progress, number, len(recordings))):
            load(options)


def _report(progress: Callable[[float], object], number: int, count: int, fraction: float) -> None:
    """Report the progress of reading `count` files after `fraction` of the bytes of file `number` (from 0) have been read.

    The reported value stays below 1, because the numbers are converted after the last byte is read.
    """
    progress((number + _READING_SHARE * fraction) / count)
