"""The legend above the plots: it covers nothing, and breaks into as many lines as it needs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import Themed, tabular
from quatviz.ui.tools.study.look import CurveStyle, paint_marker

_SWATCH = 5 * UNIT
_LINE = 3 * UNIT


class StudyLegend(Themed, QWidget):
    """Marker, lane, integrator and fitted order of each curve."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looks: Sequence[CurveStyle] = ()
        self._lines: list[list[CurveStyle]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        self._break()

    def show_looks(self, looks: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self._looks = looks
        self._break()

    def follow_theme(self) -> None:
        self._break()

    @property
    def texts(self) -> list[str]:
        """What it says, in order."""
        return [look.text for line in self._lines for look in line]

    def sizeHint(self) -> QSize:
        return QSize(200, _LINE * max(len(self._lines), 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self._break()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(tabular(theme, theme.normal))
        for number, line in enumerate(self._lines):
            x, middle = 0.0, (number + 0.5) * _LINE
            for look in line:
                painter.setPen(QPen(look.colour, 2, look.dash))
                painter.drawLine(QPointF(x, middle), QPointF(x + _SWATCH - UNIT, middle))
                paint_marker(painter, look, x + (_SWATCH - UNIT) / 2, middle, min(look.size, 18.0))
                painter.setPen(QColor(theme.text))
                room = QRectF(x + _SWATCH, middle - _LINE / 2, self.width() - x - _SWATCH, _LINE)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, look.text)
                x += self._width(look)
        painter.end()

    def _width(self, look: CurveStyle) -> float:
        metrics = QFontMetricsF(tabular(self.theme, self.theme.normal))
        return _SWATCH + metrics.horizontalAdvance(look.text) + 3 * UNIT

    def _break(self) -> None:
        self._lines, used = [], 0.0
        for look in self._looks:
            if not self._lines or used + self._width(look) - 3 * UNIT > self.width():
                self._lines.append([])
                used = 0.0
            self._lines[-1].append(look)
            used += self._width(look)
        self.setFixedHeight(_LINE * max(len(self._lines), 1))
        self.update()
