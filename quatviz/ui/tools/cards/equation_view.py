"""One equation: its terms in lines, on one base line, with their numbers of now and the unit and frame that they share."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.formatting import begun, power_of_ten, scientific
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.equations import Equation, Point, Term
from quatviz.physics.equations.equation import BODY, PARAMETERS, SPACE
from quatviz.physics.equations.number_text import component_text, exponent_of
from quatviz.ui.widgets.painting import RIGHT
from quatviz.ui.widgets.style import Painted, plot_style, tabular, tint
from quatviz.ui.widgets.typeset import Formula, formula

WIDEST = "−00.0000"
"""Room for the numbers, so that nothing moves while they change."""
_LEADING = 4
"""Pixels between lines of numbers."""
WAYS = (1.0, True), (0.7, True), (0.6, True), (0.7, False), (0.6, False)
"""How large the type of an equation is beside what it should be, and whether its numbers are there: as there is room."""


class TermView(Painted, QWidget):
    """Pointing at it, by mouse or by the Tab key, tells what it stands for."""

    pointed = Signal(object)
    """This term's view, or None."""

    def __init__(self, term: Term, operator: str, marked: bool = False) -> None:
        super().__init__()
        self.term, self.operator, self.marked = term, operator, marked
        self.numbers: tuple[str, ...] = ()
        self.part, self.numbered = WAYS[0]
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
        return self.part * 1.45 * self.theme.title

    @property
    def _pad(self) -> int:
        """Pixels that are free at either side."""
        return UNIT if self.part == 1.0 else UNIT // 2

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
        lines = self.rows if self.numbered else 0
        high = self.first_line() + self.line_height() * lines
        return QSize(round(width) + 2 * self._pad, round(high) + UNIT // 2)

    @property
    def rows(self) -> int:
        """How many lines of numbers it has."""
        return max(len(self.numbers), 1)

    @property
    def _formula(self) -> Formula:
        return formula(self.term.latex, self.colour)

    def _operator_width(self) -> float:
        if not self.operator:
            return 0.0
        return formula(self.operator, self.theme.muted).width * self.em + UNIT

    def _numbers_width(self) -> float:
        style = plot_style(self.theme)
        return style.width(style.small_metrics, WIDEST) if self.numbered else 0.0

    def draw(self, painter: QPainter) -> None:
        theme, x = self.theme, float(self._pad)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(tint(theme.accent, theme.surface, 0.16))
            at = self._operator_width() + self._pad / 2
            painter.drawRoundedRect(QRectF(at, 0.5, self.width() - at - 1, self.height() - 1), 4, 4)
        if self.operator:
            formula(self.operator, theme.muted).paint(painter, x, self.ascent, self.em)
            x += self._operator_width()
        room = self.width() - self._pad - x
        shape = self._formula
        shape.paint(painter, x + (room - shape.width * self.em) / 2, self.ascent, self.em)
        painter.setFont(tabular(theme, theme.small))
        painter.setPen(QColor(theme.text))
        right = x + (room + self._numbers_width()) / 2
        if self.row is not None and self.row < len(self.numbers):
            top = self.first_line() + self.row * self.line_height()
            painter.fillRect(QRectF(x, top, room, self.line_height()), tint(theme.accent, theme.surface, 0.4))
        for row, text in enumerate(self.numbers if self.numbered else ()):
            place = QRectF(x, self.first_line() + row * self.line_height(), right - x, self.line_height())
            painter.drawText(place, RIGHT, text)

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
        places = [None, *range(len(self.numbers) if self.numbered else 0)]
        self._point(places[(places.index(self.row) + by) % len(places)])

    def _row_at(self, y: float) -> int | None:
        """The number at a height; None for the formula above."""
        row = int((y - self.first_line()) // self.line_height())
        return row if self.numbered and y >= self.first_line() and row < len(self.numbers) else None

    def _point(self, row: int | None) -> None:
        self.row = row
        self.pointed.emit(self)
        self.update()

    def _forget(self) -> None:
        self.row = None
        self.pointed.emit(None)
        self.update()


_LABELS = {BODY: ("1", "2", "3"), SPACE: ("x", "y", "z"), PARAMETERS: ("e₀", "e₁", "e₂", "e₃")}
INDENT = 3 * UNIT
AGREEING = 1e-13
"""Difference of two sides, relative to the largest term, that is rounding."""


class EquationView(Painted, QWidget):
    """Terms that do not fit into the width go on in the next line."""

    pointed = Signal(object)
    """The `TermView` that is pointed at, or None."""

    def __init__(self, equation: Equation, marks: Sequence[bool] = ()) -> None:
        super().__init__()
        self.equation = equation
        self.note = self._longest = ""
        """What is said above it: unit, frame, and by what its sides differ."""
        self._greatest = 0.0
        """The largest number so far, which decides on decimals: digits keep their places."""
        self._lead = 0
        """Pixels that are free above it."""
        self._stands = WAYS[0], 0
        self.views: list[TermView] = []
        marked = marks or (False,) * len(equation.terms)
        for number, term in enumerate(equation.terms):
            view = TermView(term, equation.operator(number), marked[number])
            view.setParent(self)
            view.setHidden(term.optional)  # until it is seen to be there
            view.pointed.connect(self.pointed)
            self.views.append(view)
        self.setAccessibleName(tr(equation.words))
        # Of a fixed height it would be no higher than where it is wide, and lines of terms would be cut.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._line_up()

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._line_up)  # when its terms have followed too

    def _line_up(self) -> None:
        """Put all terms on one line, as high as the highest."""
        self._measure()
        self._arrange(self.width())
        self.updateGeometry()
        self.update()

    def _measure(self) -> None:
        extents = [view.extent for view in self.views]
        for view in self.views:
            view.ascent, view.descent = max(one[0] for one in extents), max(one[1] for one in extents)

    def show_point(self, at: Point) -> None:
        """Show the numbers of this moment."""
        with np.errstate(all="ignore"):
            values = [np.atleast_1d(view.term.sign * np.asarray(view.term.value(at))) for view in self.views]
            sides = len(self.equation.left)
            left = np.sum(values[:sides], axis=0) - np.sum(values[sides:], axis=0)
        finite = [np.abs(value[np.isfinite(value)]) for value in values]
        self._greatest = max([self._greatest, *(float(value.max()) for value in finite if len(value))])
        exponent = exponent_of(self._greatest)
        rows, before = max(view.rows for view in self.views), [view.isHidden() for view in self.views]
        for view, value in zip(self.views, values, strict=True):
            if view.term.optional and np.any(value):
                view.show()
        unit = f"{power_of_ten(exponent)} {self.equation.unit}" if exponent else self.equation.unit
        for view, value in zip(self.views, values, strict=True):
            shown = value * view.term.sign / 10.0**exponent
            view.say(tuple(component_text(one, self._greatest / 10.0**exponent) for one in shown), unit)
        size = float(np.abs(left).max())
        parted = (
            tr("sides agree")
            if size <= AGREEING * self._greatest
            else tr("sides differ by {size}", size=scientific(size))
        )
        frame = f", {tr(self.equation.frame)}" if self.equation.frame else ""
        self._say(f"{unit}{frame}; {parted}" if math.isfinite(size) else f"{unit}{frame}")
        hidden = [view.isHidden() for view in self.views]
        if rows != max(view.rows for view in self.views) or hidden != before:
            self._arrange(self.width())
            self.updateGeometry()

    def _say(self, note: str) -> None:
        if note != self.note:
            self.note = note
            if len(note) > len(
                self._longest
            ):  # room once given is kept, or all below would move with the digits
                self._longest = note
                self._arrange(self.width())
                self.updateGeometry()
            self.update()

    # --- layout

    def high_in(self, way: tuple[float, bool], width: int, lead: int = 0) -> int:
        """Height that it would take in one of the `WAYS`, below so much free room [pixels]; `stand` says which it is."""
        self._lead = lead
        for view in self.views:
            view.part, view.numbered = way
        self._measure()
        return self._arrange(width, move=False)

    def stand(self, way: tuple[float, bool], width: int, lead: int = 0) -> int:
        """Show it in one of the `WAYS`, below so much free room; the height that it takes [pixels]."""
        high, before, self._stands = self.high_in(way, width, lead), self._stands, (way, lead)
        if before != self._stands:
            self._line_up()
        return high

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        width = max(self.width(), 480)
        return QSize(width, self._arrange(width, move=False))

    def heads(self, width: float) -> tuple[QRectF, QRectF]:
        """Where its words are and where its note is: beside each other, or the note below them where both have no room."""
        metrics, lead = plot_style(self.theme).small_metrics, self._lead
        whole = QRectF(0, lead, max(width, 1.0), self.theme.small + UNIT)
        beside = (
            metrics.horizontalAdvance(self.accessibleName())
            + metrics.horizontalAdvance(self._longest)
            + 2 * UNIT
        )
        if beside <= width:
            return whole, whole
        flags = int(Qt.TextFlag.TextWordWrap)
        high, low = (
            metrics.boundingRect(QRectF(0, 0, whole.width(), 1e4), flags, text).height()
            for text in (self.accessibleName(), self._longest)
        )
        above = QRectF(0, lead, whole.width(), high)
        return above, QRectF(0, above.bottom(), whole.width(), low + UNIT / 2)

    def _arrange(self, width: int, move: bool = True) -> int:
        """Put the terms in their places, and give the height that they need."""
        x, y, tallest = INDENT, round(self.heads(width)[1].bottom()), 0
        for view in self.views:
            if view.isHidden():
                continue
            size = view.sizeHint()
            if x > INDENT and x + size.width() > width:
                x, y = INDENT, y + tallest + UNIT
            if move:
                view.setGeometry(x, y, size.width(), size.height())
            x, tallest = x + size.width(), max(tallest, size.height())
        return y + tallest

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange(self.width())

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        painter.setFont(tabular(theme, theme.small))
        painter.setPen(QColor(theme.muted))
        above, beside = self.heads(self.width())
        words, left = self.accessibleName(), Qt.AlignmentFlag.AlignLeft
        wraps = int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(above, int(left) | wraps, begun(words))
        side = Qt.AlignmentFlag.AlignRight if above == beside else left
        painter.drawText(beside, int(side) | wraps, self.note)
        labels = _LABELS.get(self.equation.frame, ())
        for view in self.views:
            if view.x() == INDENT and len(view.numbers) == len(labels) and view.numbered:
                for row, text in enumerate(labels):
                    top = view.y() + view.first_line() + row * view.line_height()
                    place = QRectF(0, top, INDENT - UNIT / 2, view.line_height())
                    painter.drawText(place, RIGHT, text)
