"""A picture of what will be written, made anew as settings change, in a thread."""

import importlib
import sys
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QImage, QPixmap
from PySide6.QtWidgets import QWidget

from quatviz.analysis.executors.cancellation import Stopped
from quatviz.base.errors import InputError
from quatviz.base.translation import told, tr
from quatviz.display.view_state.theme import UNIT
from quatviz.export.table import Progress
from quatviz.ui.widgets.background_job import Job
from quatviz.ui.widgets.controls import column, label
from quatviz.ui.widgets.guard import Guarded

Sketch = Callable[[Progress], QImage]
"""Makes the picture; it runs in a thread."""

SIZE = QSize(400, 440)
_AROUND = 200
"""Height of all that stands above and below it on a screen, with the frame of the window [pixels]."""
SETTLED_MS = 250
"""After the last change: nobody wants a picture of half a number."""
_DRAWING = "quatviz.export.figures.drawing"


class Preview(Guarded, QWidget):
    """`sketch` describes, in the window's thread, what there is to draw now, and gives what draws it; or it draws at once.
    An `InputError` stands in the place of the picture. The library that draws is loaded in a thread, too."""

    def __init__(self, sketch: Callable[[], Sketch | QImage]) -> None:
        super().__init__()
        self._sketch = sketch
        self._job: Job | None = None
        self._outdated = False
        self.picture = label()
        room = self.screen().availableGeometry().height() - _AROUND
        self.picture.setFixedSize(SIZE.width(), min(SIZE.height(), room))
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setAccessibleName(tr("Preview"))
        self.drawn = 0
        """How many pictures there have been."""
        self.setLayout(column(self.picture, margins=(UNIT, 0, 0, 0)))
        self._timer = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._timer.timeout.connect(self._begin)

    def renew(self) -> None:
        """Something has changed."""
        self._timer.start()

    @property
    def busy(self) -> bool:
        """Whether another picture will come."""
        return self._timer.isActive() or self._job is not None

    def shut_down(self) -> None:
        """Draw no more."""
        self._timer.stop()
        if self._job is not None:
            self._job.shut_down()
            self._job = None

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees it: a picture as large as it may be is not kept until somebody does."""
        super().hideEvent(event)
        if self._job is None:
            self.picture.clear()

    def _begin(self) -> None:
        if self._job is not None:
            self._outdated = True
            self._job.cancel()
            return
        self._timer.stop()  # what it waits for is drawn now
        if _DRAWING not in sys.modules:
            self._job = Job(_load, self, self._end)
            return
        try:
            made = self._sketch()
        except InputError as refusal:
            self._show(refusal)
            return
        if isinstance(made, QImage):
            self._show(made)
        else:
            self._job = Job(made, self, self._end)

    def _end(self, outcome: object) -> None:
        self._job = None
        again, self._outdated = self._outdated or outcome is None, False
        if again:
            self._begin()
        else:
            self._show(outcome)

    def _show(self, outcome: object) -> None:
        if isinstance(outcome, QImage):
            ratio = self.devicePixelRatioF()
            how = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            scaled = QPixmap.fromImage(outcome.scaled(self.picture.size() * ratio, *how))
            scaled.setDevicePixelRatio(ratio)
            self.picture.setPixmap(scaled)
            self.drawn += 1
        elif not isinstance(outcome, Stopped):
            said = (
                tr("Expected {expected}.", expected=told(outcome.expected))
                if isinstance(outcome, InputError)
                else str(outcome)
            )
            self.picture.setText(tr("No preview. {said}", said=said))


def _load(progress: Progress) -> None:
    importlib.import_module(_DRAWING)
