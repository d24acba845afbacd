"""A picture of what will be written, made anew as settings change, in a thread."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.tr import told, tr
from quatviz.export.table import Progress
from quatviz.look.theme import UNIT
from quatviz.ui.kit.job import Cancelled, Job
from quatviz.ui.kit.widgets import column

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from quatviz.export.figures.figure import FigureRequest
    from quatviz.export.figures.paper import Paper

Sketch = Callable[[Progress], QImage]
"""Makes the picture; it runs in a thread."""

SIZE = QSize(400, 440)
SETTLED_MS = 250
"""After the last change: nobody wants a picture of half a number."""
_DRAWING = "quatviz.export.figures.drawing"
_MM_PER_INCH = 25.4


class Preview(QWidget):
    """`sketch` describes, in the window's thread, what there is to draw now, and gives what draws it; or it draws at once.
    An `InputError` stands in the place of the picture. The library that draws is loaded in a thread, too."""

    def __init__(self, sketch: Callable[[], Sketch | QImage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sketch = sketch
        self._job: Job | None = None
        self._outdated = False
        self.picture = QLabel()
        self.picture.setFixedSize(SIZE)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setWordWrap(True)
        self.picture.setAccessibleName(tr("Preview"))
        self.drawn = 0
        """How many pictures there have been."""
        self.setLayout(column(self.picture, margins=(UNIT, 0, 0, 0)))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED_MS)
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

    def _begin(self) -> None:
        if self._job is not None:
            self._outdated = True
            self._job.cancel()
            return
        if _DRAWING not in sys.modules:
            self._start(_load)
            return
        try:
            made = self._sketch()
        except InputError as refusal:
            self._show(refusal)
            return
        if isinstance(made, QImage):
            self._show(made)
        else:
            self._start(made)

    def _start(self, work: Callable[[Progress], object]) -> None:
        self._job = Job(work, self)
        self._job.ended.connect(self._end)
        self._job.start()

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
            scaled = QPixmap.fromImage(outcome.scaled(SIZE * ratio, *how))
            scaled.setDevicePixelRatio(ratio)
            self.picture.setPixmap(scaled)
            self.drawn += 1
        elif not isinstance(outcome, Cancelled):
            said = (
                tr("Expected {expected}.", expected=told(outcome.expected))
                if isinstance(outcome, InputError)
                else str(outcome)
            )
            self.picture.setText(tr("No preview. {said}", said=said))


def drawn(request: FigureRequest, paper: Paper, progress: Progress) -> tuple[Figure, str]:
    """A figure of matplotlib, and its title: 0.4 of what there is to do where it is written then."""
    from quatviz.export.figures.drawing import draw

    picture = request.picture(lambda share: progress(0.3 * share))
    figure = draw(picture, paper)
    progress(0.4)
    return figure, picture.title


def sketch_of(request: FigureRequest, paper: Paper) -> Sketch:
    """What draws a figure coarsely."""

    def draw(progress: Progress) -> QImage:
        from quatviz.export.figures.paper import styled

        figure, _ = drawn(request, paper, progress)
        with styled(paper), io.BytesIO() as stream:
            # Twice as fine as it is shown: thin lines keep their weight when it is scaled.
            figure.savefig(stream, format="png", dpi=2 * SIZE.width() / paper.width * _MM_PER_INCH)
            progress(0.9)
            return QImage.fromData(stream.getvalue())

    return draw


def _load(progress: Progress) -> None:
    importlib.import_module(_DRAWING)
