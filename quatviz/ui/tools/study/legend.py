"""The legend above the plots: it covers nothing, and breaks into as many lines as it needs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QBuffer, QLineF, QSize
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QLabel

from quatviz.base.tr import tr
from quatviz.ui.kit.painting import drawn
from quatviz.ui.tools.study.look import CurveStyle, paint_marker

_SWATCH = QSize(32, 28)
_RISE = 3.0
"""Of the middle of small letters over their base line [pixels], on which Qt puts the middle of a picture."""
_NO_BREAK = "\u00a0"


class StudyLegend(QLabel):
    """Marker, lane, integrator and fitted order of each curve."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        """What it says, in order."""
        self.setWordWrap(True)
        self.setAccessibleName(tr("Legend"))

    def show_looks(self, looks: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self.texts = [look.text for look in looks]
        self.setText((3 * f"{_NO_BREAK} ").join(map(self._told, looks)))

    def _told(self, look: CurveStyle) -> str:
        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = _SWATCH.height() / 2 - _RISE
            painter.setPen(QPen(look.colour, 2, look.dash))
            painter.drawLine(QLineF(0, middle, _SWATCH.width(), middle))
            paint_marker(painter, look, _SWATCH.width() / 2, middle, min(look.size, 18.0))

        held = QBuffer()
        held.open(QBuffer.OpenModeFlag.WriteOnly)
        ratio = self.devicePixelRatioF()
        drawn(_SWATCH, ratio, QColor("transparent"), draw).save(held, "PNG")
        source = bytes(held.data().toBase64().data()).decode()
        size = f'width="{_SWATCH.width()}" height="{_SWATCH.height()}"'
        picture = f'<img src="data:image/png;base64,{source}" {size} style="vertical-align: middle">'
        return picture + escape(f" {look.text}").replace(" ", _NO_BREAK)
