"""One equation: its terms in lines, on one base line, with the unit and frame that they share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.tr import tr
from quatviz.base.words import MISSING, fixed, power_of_ten, scientific
from quatviz.cards import Equation, Point
from quatviz.cards.equation import BODY, PARAMETERS
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import Themed, tabular
from quatviz.ui.tools.cards.term_view import TermView

_LABELS = {BODY: ("1", "2", "3"), PARAMETERS: ("e₀", "e₁", "e₂", "e₃")}
INDENT = 3 * UNIT
AGREEING = 1e-13
"""Difference of two sides, relative to the largest term, that is rounding."""


class EquationView(Themed, QWidget):
    """Terms that do not fit into the width go on in the next line."""

    pointed = Signal(object)
    """The `TermView` that is pointed at, or None."""

    def __init__(self, equation: Equation, marks: Sequence[bool] = ()) -> None:
        super().__init__()
        self.equation = equation
        self.note = ""
        """What is said above it: unit, frame, and by what its sides differ."""
        self._greatest = 0.0
        """The largest number so far, which decides on decimals: digits keep their places."""
        self.views: list[TermView] = []
        marked = marks or (False,) * len(equation.terms)
        for number, term in enumerate(equation.terms):
            view = TermView(term, operator_of(equation, number), marked[number])
            view.setParent(self)
            view.setHidden(term.optional)  # until it is seen to be there
            view.pointed.connect(self.pointed)
            self.views.append(view)
        self.setAccessibleName(tr(equation.words))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._line_up()

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._line_up)  # when its terms have followed too

    def _line_up(self) -> None:
        """Put all terms on one line, as high as the highest."""
        extents = [view.extent for view in self.views]
        for view in self.views:
            view.ascent, view.descent = max(one[0] for one in extents), max(one[1] for one in extents)
        self._arrange(self.width())
        self.updateGeometry()
        self.update()

    def show_point(self, at: Point) -> None:
        """Show the numbers of this moment."""
        with np.errstate(all="ignore"):
            values = [np.atleast_1d(view.term.sign * np.asarray(view.term.value(at))) for view in self.views]
            sides = len(self.equation.left)
            left = np.sum(values[:sides], axis=0) - np.sum(values[sides:], axis=0)
        finite = [np.abs(value[np.isfinite(value)]) for value in values]
        self._greatest = max([self._greatest, *(float(value.max()) for value in finite if len(value))])
        exponent = _exponent(self._greatest)
        rows, before = max(view.rows for view in self.views), [view.isHidden() for view in self.views]
        for view, value in zip(self.views, values, strict=True):
            if view.term.optional and np.any(value):
                view.show()
        unit = f"{power_of_ten(exponent)} {self.equation.unit}" if exponent else self.equation.unit
        for view, value in zip(self.views, values, strict=True):
            shown = value * view.term.sign / 10.0**exponent
            view.say(tuple(_text(one, self._greatest / 10.0**exponent) for one in shown), unit)
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
            self.update()

    # --- layout

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        width = max(self.width(), 480)
        return QSize(width, self._arrange(width, move=False))

    @property
    def _head(self) -> int:
        return self.theme.small + UNIT

    def _arrange(self, width: int, move: bool = True) -> int:
        """Put the terms in their places, and give the height that they need."""
        x, y, tallest = INDENT, self._head, 0
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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setFont(tabular(theme, theme.small))
        painter.setPen(QColor(theme.muted))
        head = QRectF(0, 0, self.width(), self._head)
        words = self.accessibleName()
        painter.drawText(
            head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, words[:1].upper() + words[1:]
        )
        painter.drawText(head, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, self.note)
        labels = _LABELS.get(self.equation.frame, ())
        for view in self.views:
            if view.x() == INDENT and len(view.numbers) == len(labels):
                for row, text in enumerate(labels):
                    top = view.y() + view.first_line() + row * view.line_height()
                    place = QRectF(0, top, INDENT - UNIT / 2, view.line_height())
                    painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


def operator_of(equation: Equation, number: int) -> str:
    """What stands before a term, in LaTeX."""
    left = len(equation.left)
    minus = equation.terms[number].sign < 0
    if number == left:
        return "=\\,-" if minus else "="
    if minus:
        return "-"
    return "+" if number else ""


def formulae_of(equations: Iterable[Equation]) -> list[str]:
    """All LaTeX that their views draw."""
    return [
        latex
        for equation in equations
        for number, term in enumerate(equation.terms)
        for latex in (term.latex, operator_of(equation, number))
        if latex
    ]


def _exponent(greatest: float) -> int:
    """The power of ten that is taken out of all numbers: 0 where they can be read as they are."""
    if greatest == 0.0 or 1e-2 <= greatest < 1e4:
        return 0
    return 3 * math.floor(math.log10(greatest) / 3.0)


def _text(value: float, greatest: float) -> str:
    if not math.isfinite(value):
        return MISSING
    return fixed(value, min(max(4 - math.floor(math.log10(max(greatest, 1e-9))), 0), 4))
