"""The numbers of every lane at the cursor, in one painted line each."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.tr import tr
from quatviz.base.words import MISSING
from quatviz.feed.numbers import COLUMNS
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import Themed, tabular

INDENT = 3 * UNIT
_GAP = 6.0


class NumbersLine(Themed, QWidget):
    """One text per column, each right-aligned in its place: the heads, or a lane's numbers."""

    def __init__(self, texts: tuple[str, ...] = (MISSING,) * len(COLUMNS)) -> None:
        super().__init__()
        self.texts = texts
        self._fitted: tuple[object, int] = (None, 0)
        self.setAccessibleName(tr("Numbers at the cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAutoFillBackground(True)  # or all that lies behind it is painted, of every lane

    def say(self, texts: tuple[str, ...]) -> None:
        if texts != self.texts:
            self.texts = texts
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.small + UNIT)

    @property
    def pixels(self) -> int:
        """The type size: that of the theme's small type, or less where the column is narrow."""
        key = (self.width(), self.theme)
        if key != self._fitted[0]:
            size = self.theme.small
            while size > 8 and sum(self._widths(size)) > self.width() - INDENT:
                size -= 1
            self._fitted = key, size
        return self._fitted[1]

    def places(self) -> list[QRectF]:
        """Where each text is: what is left of the room is shared out."""
        widths = self._widths(self.pixels)
        spare = (self.width() - INDENT - sum(widths)) / len(widths)
        found, x = [], float(INDENT)
        for wide in widths:
            found.append(QRectF(x + spare, 0, wide, self.height()))
            x += wide + spare
        return found

    def _widths(self, size: int) -> list[float]:
        metrics = QFontMetricsF(tabular(self.theme, size))
        lines = [(column.widest, *tr(column.head).split("\n")) for column in COLUMNS]
        return [max(metrics.horizontalAdvance(text) for text in texts) + _GAP for texts in lines]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(tabular(self.theme, self.pixels))
        painter.setPen(QColor(self.theme.muted))
        for text, place in zip(self.texts, self.places(), strict=True):
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text)
        painter.end()


class NumbersHead(NumbersLine):
    """What the columns are, with a tip that says it in words."""

    def __init__(self) -> None:
        super().__init__(tuple(tr(column.head) for column in COLUMNS))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._reference = ""
        self.setAccessibleName(tr("Numbers of every lane at the cursor"))

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self.theme.small + UNIT + UNIT // 2)

    def name_reference(self, reference: str) -> None:
        """Say which lane the error is against."""
        if reference != self._reference:
            self._reference = reference
            tip = "\n".join(tr(column.told) for column in COLUMNS).replace(
                tr("reference lane"), tr("reference lane {reference}", reference=reference)
            )
            self.setToolTip(tip)
            self.setAccessibleDescription(tip)
