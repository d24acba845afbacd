"""One term of an equation: its formula, and below it the numbers that it has now."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from quatviz.base.tr import tr
from quatviz.cards import Term
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import Themed, tabular, tint
from quatviz.ui.kit.typeset import Formula, formula

WIDEST = "−00.0000"
"""Room for the numbers, so that nothing moves while they change."""
_LEADING = 4
"""Pixels between lines of numbers."""


class TermView(Themed, QWidget):
    """Pointing at it, by mouse or by the Tab key, tells what it stands for."""

    pointed = Signal(object)
    """This term's view, or None."""

    def __init__(self, term: Term, operator: str, marked: bool = False) -> None:
        super().__init__()
        self.term, self.operator, self.marked = term, operator, marked
        self.numbers: tuple[str, ...] = ()
        self.row: int | None = None
        """The number that is pointed at; None for all of them."""
        self.ascent = self.descent = 0.0
        """Of the whole line that it stands in [pixels]."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.words = tr(term.words)
        self.setAccessibleName(self.words)
        self.setToolTip(self.words)

    def say(self, numbers: tuple[str, ...], unit: str) -> None:
        """Show these numbers."""
        if numbers != self.numbers:
            self.numbers = numbers
            self.setAccessibleDescription(f"{', '.join(numbers)} {unit}")
            self.update()

    @property
    def em(self) -> float:
        """The type size of formulae [pixels]."""
        return 1.45 * self.theme.title

    @property
    def colour(self) -> str:
        """Of the formula: that of its arrow in 3D, where it has one."""
        if self.marked:
            return self.theme.accent
        return str(getattr(self.theme, self.term.quantity, self.theme.text))

    @property
    def extent(self) -> tuple[float, float]:
        """Ascent and descent of its own formula [pixels]."""
        own = self._formula
        return own.ascent * self.em, own.descent * self.em

    def line_height(self) -> float:
        """Of a line of numbers [pixels]."""
        return self.theme.small + _LEADING

    def first_line(self) -> float:
        """Where the first line of numbers begins [pixels]."""
        return self.ascent + self.descent + UNIT

    def sizeHint(self) -> QSize:
        width = max(self._formula.width * self.em, self._numbers_width()) + self._operator_width()
        return QSize(
            round(width) + 2 * UNIT, round(self.first_line() + self.line_height() * self.rows) + UNIT // 2
        )

    @property
    def rows(self) -> int:
        """How many lines of numbers there is room for."""
        return max(len(self.numbers), 1)

    @property
    def _formula(self) -> Formula:
        return formula(self.term.latex, self.colour)

    def _operator_width(self) -> float:
        if not self.operator:
            return 0.0
        return formula(self.operator, self.theme.muted).width * self.em + UNIT

    def _numbers_width(self) -> float:
        return QFontMetricsF(tabular(self.theme, self.theme.small)).horizontalAdvance(WIDEST)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, x = self.theme, float(UNIT)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(tint(theme.accent, theme.surface, 0.16))
            at = self._operator_width() + UNIT / 2
            painter.drawRoundedRect(QRectF(at, 0.5, self.width() - at - 1, self.height() - 1), 4, 4)
        if self.operator:
            formula(self.operator, theme.muted).paint(painter, x, self.ascent, self.em)
            x += self._operator_width()
        room = self.width() - UNIT - x
        shape = self._formula
        shape.paint(painter, x + (room - shape.width * self.em) / 2, self.ascent, self.em)
        painter.setFont(tabular(theme, theme.small))
        painter.setPen(QColor(theme.text))
        right = x + (room + self._numbers_width()) / 2
        if self.row is not None and self.row < len(self.numbers):
            top = self.first_line() + self.row * self.line_height()
            painter.fillRect(QRectF(x, top, room, self.line_height()), tint(theme.accent, theme.surface, 0.4))
        for row, text in enumerate(self.numbers):
            place = QRectF(x, self.first_line() + row * self.line_height(), right - x, self.line_height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._point(self._row_at(event.position().y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().y())
        if row != self.row:
            self._point(row)

    def leaveEvent(self, event: QEvent) -> None:
        self._forget()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._point(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down go through the numbers, and over either end to all of them."""
        by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if by is None or not self.numbers:
            event.ignore()
            return
        places = [None, *range(len(self.numbers))]
        self._point(places[(places.index(self.row) + by) % len(places)])

    def _row_at(self, y: float) -> int | None:
        """The number at a height; None for the formula above."""
        row = int((y - self.first_line()) // self.line_height())
        return row if y >= self.first_line() and row < len(self.numbers) else None

    def _point(self, row: int | None) -> None:
        self.row = row
        self.pointed.emit(self)
        self.update()

    def _forget(self) -> None:
        self.row = None
        self.pointed.emit(None)
        self.update()
