"""Preview of an export, redrawn in a thread when settings change."""

import importlib
import sys
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QImage, QPixmap
from PySide6.QtWidgets import QWidget

from quatviz.base.cancellation import Cancelled
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.table import Progress
from quatviz.ui.widgets.background_job import BackgroundJob
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column

SketchFunction = Callable[[Progress], QImage]
"""Function that draws the preview in a thread."""

PREVIEW_SIZE = QSize(400, 440)
_OTHER_HEIGHT = 200
"""Height on the screen used by everything but the preview, including the window frame [pixels]."""
SETTLE_MS = 250
"""Delay between the last change of the settings and the new preview [ms], so that no preview is drawn for a partly typed
number."""
_DRAWING_MODULE = "quatviz.export.figures.drawing"


class Preview(Guarded, QWidget):
    """Preview of an export.

    `make_sketch` is called in the window's thread. It returns the image, or a function that draws the image in another
    thread. An `InputError` is shown in place of the image. The drawing library is also imported in a thread.
    """

    def __init__(self, make_sketch: Callable[[], SketchFunction | QImage]) -> None:
        super().__init__()
        self._make_sketch = make_sketch
        self._job: BackgroundJob | None = None
        self._is_outdated = False
        self.image_label = label()
        available_height = self.screen().availableGeometry().height() - _OTHER_HEIGHT
        self.image_label.setFixedSize(PREVIEW_SIZE.width(), min(PREVIEW_SIZE.height(), available_height))
        self.image_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.image_label.setAccessibleName(tr("Preview"))
        self.drawn_count = 0
        """Number of previews drawn so far."""
        self.setLayout(column(self.image_label, margins=(GRID_UNIT, 0, 0, 0)))
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._start)

    def invalidate(self) -> None:
        """Schedule a new preview after a change."""
        self._timer.start()

    @property
    def is_busy(self) -> bool:
        """True if a new preview is being drawn or is scheduled."""
        return self._timer.isActive() or self._job is not None

    def shutdown(self) -> None:
        """Cancel drawing."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel_and_wait()
            self._job = None

    def hideEvent(self, event: QHideEvent) -> None:
        """Free the image, which may be large, while the preview is hidden."""
        super().hideEvent(event)
        if self._job is None:
            self.image_label.clear()

    def _start(self) -> None:
        if self._job is not None:
            self._is_outdated = True
            self._job.cancel()
            return
        self._timer.stop()  # the scheduled preview is drawn now
        if _DRAWING_MODULE not in sys.modules:
            self._job = BackgroundJob(_import_drawing, self, self._finish)
            return
        try:
            sketch = self._make_sketch()
        except InputError as refusal:
            self._show(refusal)
            return
        if isinstance(sketch, QImage):
            self._show(sketch)
        else:
            self._job = BackgroundJob(sketch, self, self._finish)

    def _finish(self, outcome: object) -> None:
        self._job = None
        is_stale, self._is_outdated = self._is_outdated or outcome is None, False
        if is_stale:
            self._start()
        else:
            self._show(outcome)

    def _show(self, outcome: object) -> None:
        if isinstance(outcome, QImage):
            ratio = self.devicePixelRatioF()
            scale_modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            scaled = QPixmap.fromImage(outcome.scaled(self.image_label.size() * ratio, *scale_modes))
            scaled.setDevicePixelRatio(ratio)
            self.image_label.setPixmap(scaled)
            self.drawn_count += 1
        elif not isinstance(outcome, Cancelled):
            message = (
                tr("Expected {expected}.", expected=tr(outcome.expected))
                if isinstance(outcome, InputError)
                else str(outcome)
            )
            self.image_label.setText(tr("No preview. {reason}", reason=message))


def _import_drawing(progress: Progress) -> None:
    importlib.import_module(_DRAWING_MODULE)
