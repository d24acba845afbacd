"""What is written over the picture of a view: labels, a heading, the legend in the corner, and which view is active."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from quatviz.ui.icon_button import TARGET
from quatviz.ui.scene.labels import LabelPainter
from quatviz.ui.scene.primitives import Label
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

Line = tuple[str, str]
"""A text and its colour."""

CAMERA = "camera"
"""Key of the legend's line that says from where the view is seen; a heading says it in its place."""
_LEGEND = 0.4
"""Share of the height that the legend may take: in a small view it would cover the body."""
_ACCENT = 2
"""Height of the line over the active view [pixels]."""


class Words:
    """Of one view."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.labels = LabelPainter(theme)
        self.heading: tuple[Line, ...] = ()
        """Lines at the top, the first one large."""
        self.stamp = ""
        """What stands in the upper right corner, such as the time of a picture."""
        self.inset = QSize(0, 0)
        """Room in the upper left corner that something else takes [pixels]."""
        self.active = False
        """Whether a line over the view marks it."""
        self.said_elsewhere: Callable[[Line], bool] = lambda line: False
        """Whether another view's legend has this line: in one of them is enough."""

    def restyle(self, theme: Theme) -> None:
        """Take another theme."""
        self._theme = theme
        self.labels.restyle(theme)

    def paint(
        self, painter: QPainter, whole: QRectF, labels: Sequence[Label], points: np.ndarray,
        corner: Mapping[str, Line], as_lines: bool,
    ) -> None:  # fmt: skip
        """Write it all over the `whole` view. `labels` stand at `points` (n, 2) [logical pixels]; `corner` is the legend
        by key."""
        area = whole.adjusted(4, 4, -4, -4)
        taken = [*self._paint_heading(painter, area), *self._paint_stamp(painter, area)]
        self.labels.paint(painter, labels, points, area, taken)
        self.labels.paint_corner(painter, self.legend(corner, as_lines), area, _LEGEND * area.height())
        if self.active:
            painter.fillRect(QRectF(0, 0, whole.width(), _ACCENT), QColor(self._theme.accent))

    def legend(self, corner: Mapping[str, Line], as_lines: bool) -> list[Line]:
        """The lines in the corner."""
        return [line for line in self.lines(corner, as_lines) if not self.said_elsewhere(line)]

    def lines(self, corner: Mapping[str, Line], as_lines: bool) -> list[Line]:
        """These, and those that another view says."""
        lines = [line for key, line in corner.items() if not (key == CAMERA and self.heading)]
        return [(tr("drawn as lines, without OpenGL"), self._theme.muted), *lines] if as_lines else lines

    def _paint_heading(self, painter: QPainter, area: QRectF) -> list[QRectF]:
        """Where it stands."""
        taken, x, y = [], area.left() + UNIT + self.inset.width(), area.top() + UNIT
        if self.inset.width() and self._heading_width(painter) > area.right() - x - TARGET - UNIT:
            x, y = area.left() + UNIT, y + self.inset.height() - UNIT
        for place, (text, colour) in enumerate(self.heading):
            picture = self._heading_picture(painter, place, text, colour)
            size = picture.deviceIndependentSize()
            box = QRectF(x, y, size.width(), size.height())
            painter.drawImage(box, picture)
            taken.append(box)
            y = box.bottom() - UNIT / 2
        return taken

    def _paint_stamp(self, painter: QPainter, area: QRectF) -> list[QRectF]:
        """Where it stands."""
        if not self.stamp:
            return []
        picture = self._heading_picture(painter, 0, self.stamp, self._theme.text)
        size = picture.deviceIndependentSize()
        box = QRectF(area.right() - UNIT - size.width(), area.top() + UNIT, size.width(), size.height())
        painter.drawImage(box, picture)
        return [box]

    def _heading_width(self, painter: QPainter) -> float:
        pictures = (self._heading_picture(painter, place, *line) for place, line in enumerate(self.heading))
        return max((picture.deviceIndependentSize().width() for picture in pictures), default=0.0)

    def _heading_picture(self, painter: QPainter, place: int, text: str, colour: str) -> QImage:
        pixels = self._theme.small if place else self._theme.title
        return self.labels.picture(text, colour, painter.device().devicePixelRatioF(), pixels)
