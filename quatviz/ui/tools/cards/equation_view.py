"""View of one equation: its terms on a common baseline, the numbers below them, and their common unit and frame."""

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

from quatviz.base.formatting import capitalize_first, format_power_of_ten, format_scientific
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.equations import Equation, EvaluationPoint, Term
from quatviz.physics.equations.equation import BODY, EULER_PARAMETERS, SPACE
from quatviz.physics.equations.number_text import common_exponent, format_component
from quatviz.ui.widgets.painting import ALIGN_RIGHT
from quatviz.ui.widgets.style import PaintedWidget, plot_style, tabular_font, tint
from quatviz.ui.widgets.typeset import Formula, formula_picture

WIDEST_NUMBER = "−00.0000"
"""The widest number that is displayed. Its width is reserved, so that nothing moves while numbers change."""
_LEADING = 4
"""Vertical space between two lines of numbers [pixels]."""
LAYOUT_OPTIONS = (1.0, True), (0.7, True), (0.6, True), (0.7, False), (0.6, False)
"""Layouts in order of preference: type size of formulas relative to the normal size, and True if numbers are shown."""


class TermView(PaintedWidget, QWidget):
    """View of one term. Pointing at the term, or moving the focus to it, shows what it means."""

    pointed = Signal(object)
    """Emitted when the mouse or the focus enters the term (with this view) or leaves it (with None)."""

    def __init__(self, term: Term, operator: str, marked: bool = False) -> None:
        super().__init__()
        self.term, self.operator, self.is_marked = term, operator, marked
        self.numbers: tuple[str, ...] = ()
        self.scale, self.shows_numbers = LAYOUT_OPTIONS[0]
        self.pointed_row: int | None = None
        """Index of the number that the mouse or the keyboard has selected. None selects all numbers."""
        self.ascent = self.descent = 0.0
        """Ascent and descent of the line that contains the term [pixels]. They may be larger than ascent and
        descent of the term itself."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.words = tr(term.words)
        self.setAccessibleName(self.words)
        self.setToolTip(self.words)

    def set_numbers(self, numbers: tuple[str, ...], unit: str) -> None:
        """Show these numbers."""
        if numbers != self.numbers:
            self.numbers = numbers
            self.setAccessibleDescription(f"{', '.join(numbers)} {unit}")
            self.update()

    @property
    def em(self) -> float:
        """Type size of formulas [pixels]."""
        return self.scale * 1.45 * self.theme.title

    @property
    def _padding(self) -> int:
        """Free space at the left and at the right of the formula [pixels]."""
        return GRID_UNIT if self.scale == 1.0 else GRID_UNIT // 2

    @property
    def color(self) -> str:
        """Color of the formula: the accent color for a marked term, else that of the quantity's arrow in 3D or of text."""
        if self.is_marked:
            return self.theme.accent
        return str(getattr(self.theme, self.term.quantity, self.theme.text))

    @property
    def extent(self) -> tuple[float, float]:
        """Ascent and descent of the term's formula [pixels]."""
        own = self._formula
        return own.ascent * self.em, own.descent * self.em

    def line_height(self) -> float:
        """Return the height of a line of numbers [pixels]."""
        return self.theme.small + _LEADING

    def first_line(self) -> float:
        """Return the vertical position of the first line of numbers below the formula, from the top of the
        widget [pixels]."""
        return self.ascent + self.descent + GRID_UNIT

    def sizeHint(self) -> QSize:
        width = max(self._formula.width * self.em, self._numbers_width()) + self._operator_width()
        lines = self.rows if self.shows_numbers else 0
        high = self.first_line() + self.line_height() * lines
        return QSize(round(width) + 2 * self._padding, round(high) + GRID_UNIT // 2)

    @property
    def rows(self) -> int:
        """Number of lines with numbers below the formula, at least 1."""
        return max(len(self.numbers), 1)

    @property
    def _formula(self) -> Formula:
        return formula_picture(self.term.latex, self.color)

    def _operator_width(self) -> float:
        if not self.operator:
            return 0.0
        return formula_picture(self.operator, self.theme.muted).width * self.em + GRID_UNIT

    def _numbers_width(self) -> float:
        style = plot_style(self.theme)
        return style.text_width(style.small_metrics, WIDEST_NUMBER) if self.shows_numbers else 0.0

    def draw(self, painter: QPainter) -> None:
        theme, x = self.theme, float(self._padding)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(tint(theme.accent, theme.surface, 0.16))
            at = self._operator_width() + self._padding / 2
            painter.drawRoundedRect(QRectF(at, 0.5, self.width() - at - 1, self.height() - 1), 4, 4)
        if self.operator:
            formula_picture(self.operator, theme.muted).paint(painter, x, self.ascent, self.em)
            x += self._operator_width()
        available_width = self.width() - self._padding - x
        shape = self._formula
        shape.paint(painter, x + (available_width - shape.width * self.em) / 2, self.ascent, self.em)
        painter.setFont(tabular_font(theme, theme.small))
        painter.setPen(QColor(theme.text))
        right = x + (available_width + self._numbers_width()) / 2
        if self.pointed_row is not None and self.pointed_row < len(self.numbers):
            top = self.first_line() + self.pointed_row * self.line_height()
            painter.fillRect(
                QRectF(x, top, available_width, self.line_height()), tint(theme.accent, theme.surface, 0.4)
            )
        for row, text in enumerate(self.numbers if self.shows_numbers else ()):
            rect = QRectF(x, self.first_line() + row * self.line_height(), right - x, self.line_height())
            painter.drawText(rect, ALIGN_RIGHT, text)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._point_at_row(self._row_at(event.position().y()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position().y())
        if row != self.pointed_row:
            self._point_at_row(row)

    def leaveEvent(self, event: QEvent) -> None:
        self._clear_pointed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._point_at_row(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._clear_pointed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the previous or next number on Up and Down. Beyond the first and last number, all numbers are selected."""
        by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if by is None or not self.numbers:
            event.ignore()
            return
        row_choices = [None, *range(len(self.numbers) if self.shows_numbers else 0)]
        self._point_at_row(row_choices[(row_choices.index(self.pointed_row) + by) % len(row_choices)])

    def _row_at(self, y: float) -> int | None:
        """Return the index of the number at a vertical position, or None above the numbers."""
        row = int((y - self.first_line()) // self.line_height())
        return row if self.shows_numbers and y >= self.first_line() and row < len(self.numbers) else None

    def _point_at_row(self, row: int | None) -> None:
        self.pointed_row = row
        self.pointed.emit(self)
        self.update()

    def _clear_pointed(self) -> None:
        self.pointed_row = None
        self.pointed.emit(None)
        self.update()


_LABELS = {BODY: ("1", "2", "3"), SPACE: ("x", "y", "z"), EULER_PARAMETERS: ("e₀", "e₁", "e₂", "e₃")}
_MIN_INDENT = 3 * GRID_UNIT
"""Smallest width of the column with the names of the components, at the left of the terms [pixels]."""
AGREEMENT_TOLERANCE = 1e-13
"""Largest difference between the two sides of an equation that counts as round-off, relative to the largest term."""


class EquationView(PaintedWidget, QWidget):
    """View of one equation. Terms that do not fit are continued on the next line."""

    pointed = Signal(object)
    """The pointed term changed. Emitted with its `TermView`, or None."""

    def __init__(self, equation: Equation, marks: Sequence[bool] = ()) -> None:
        super().__init__()
        self.equation = equation
        self.note = self._longest_note = ""
        """Text above the equation (unit, frame, whether both sides are equal), and the longest one so far, which reserves space."""
        self._largest_value = 0.0
        """Largest value so far. It determines the number of decimals, so that digits keep their positions."""
        self._space_above = 0
        """Empty space above the equation in the card [pixels]."""
        self._layout_state = LAYOUT_OPTIONS[0], 0
        self.views: list[TermView] = []
        marked = marks or (False,) * len(equation.terms)
        for number, term in enumerate(equation.terms):
            view = TermView(term, equation.operator(number), marked[number])
            view.setParent(self)
            view.setHidden(term.optional)  # until a value differs from zero
            view.pointed.connect(self.pointed)
            self.views.append(view)
        self.setAccessibleName(tr(equation.words))
        # With a fixed height, further lines of terms would be cut in a narrow card.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._align_terms()

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self._align_terms)  # after the terms have their new theme

    def _align_terms(self) -> None:
        """Align all terms on a common baseline, on a line as high as the tallest term."""
        self._align_extents()
        self._arrange(self.width())
        self.updateGeometry()
        self.update()

    def _align_extents(self) -> None:
        extents = [view.extent for view in self.views]
        for view in self.views:
            view.ascent, view.descent = (
                max(extent[0] for extent in extents),
                max(extent[1] for extent in extents),
            )

    def show_point(self, at: EvaluationPoint) -> None:
        """Show the values of the terms at one time."""
        with np.errstate(all="ignore"):
            values = [np.atleast_1d(view.term.sign * np.asarray(view.term.value(at))) for view in self.views]
            sides = len(self.equation.left)
            imbalance = np.sum(values[:sides], axis=0) - np.sum(values[sides:], axis=0)
        finite = [np.abs(value[np.isfinite(value)]) for value in values]
        self._largest_value = max(
            [self._largest_value, *(float(value.max()) for value in finite if len(value))]
        )
        exponent = common_exponent(self._largest_value)
        rows, before = max(view.rows for view in self.views), [view.isHidden() for view in self.views]
        for view, value in zip(self.views, values, strict=True):
            if view.term.optional and np.any(value):
                view.show()
        unit = f"{format_power_of_ten(exponent)} {self.equation.unit}" if exponent else self.equation.unit
        for view, value in zip(self.views, values, strict=True):
            shown = value * view.term.sign / 10.0**exponent
            view.set_numbers(
                tuple(
                    format_component(component, self._largest_value / 10.0**exponent) for component in shown
                ),
                unit,
            )
        size = float(np.abs(imbalance).max())
        agreement = (
            tr("both sides equal")
            if size <= AGREEMENT_TOLERANCE * self._largest_value
            else tr("sides differ by {size}", size=format_scientific(size))
        )
        frame = f", {tr(self.equation.frame)}" if self.equation.frame else ""
        self._set_note(f"{unit}{frame}; {agreement}" if math.isfinite(size) else f"{unit}{frame}")
        hidden = [view.isHidden() for view in self.views]
        if rows != max(view.rows for view in self.views) or hidden != before:
            self._arrange(self.width())
            self.updateGeometry()

    def _set_note(self, note: str) -> None:
        if note != self.note:
            self.note = note
            if len(note) > len(
                self._longest_note
            ):  # reserved space is kept, otherwise everything below moves with the digits
                self._longest_note = note
                self._arrange(self.width())
                self.updateGeometry()
            self.update()

    # --- layout

    def height_in_layout(self, option: tuple[float, bool], width: int, space_above: int = 0) -> int:
        """Return the height of the equation [pixels] for one of the `LAYOUT_OPTIONS`, this width and this space above.

        Call `apply_layout` afterwards. Until then, the terms keep the tried settings.
        """
        self._space_above = space_above
        for view in self.views:
            view.scale, view.shows_numbers = option
        self._align_extents()
        return self._arrange(width, move=False)

    def apply_layout(self, option: tuple[float, bool], width: int, space_above: int = 0) -> int:
        """Lay out the equation with one of the `LAYOUT_OPTIONS`, in this width and with this space above, and
        return its height [pixels]."""
        height, before, self._layout_state = (
            self.height_in_layout(option, width, space_above),
            self._layout_state,
            (option, space_above),
        )
        if before != self._layout_state:
            self._align_terms()
        return height

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        width = max(self.width(), 480)
        return QSize(width, self._arrange(width, move=False))

    def header_rects(self, width: float) -> tuple[QRectF, QRectF]:
        """Return the rectangles of the equation's name and of its note. If both do not fit on one line, the note is below."""
        metrics, lead = plot_style(self.theme).small_metrics, self._space_above
        line_rect = QRectF(0, lead, max(width, 1.0), self.theme.small + GRID_UNIT)
        beside = (
            metrics.horizontalAdvance(self.accessibleName())
            + metrics.horizontalAdvance(self._longest_note)
            + 2 * GRID_UNIT
        )
        if beside <= width:
            return line_rect, line_rect
        flags = int(Qt.TextFlag.TextWordWrap)
        high, low = (
            metrics.boundingRect(QRectF(0, 0, line_rect.width(), 1e4), flags, text).height()
            for text in (self.accessibleName(), self._longest_note)
        )
        above = QRectF(0, lead, line_rect.width(), high)
        return above, QRectF(0, above.bottom(), line_rect.width(), low + GRID_UNIT / 2)

    @property
    def _component_names(self) -> tuple[str, ...]:
        return _LABELS.get(self.equation.frame, ())

    @property
    def indent(self) -> int:
        """Width of the column with the names of the components, at the left of the terms [pixels]."""
        metrics = plot_style(self.theme).small_metrics
        name_width = max(map(metrics.horizontalAdvance, self._component_names), default=0.0)
        return max(_MIN_INDENT, math.ceil(name_width) + GRID_UNIT)

    def _arrange(self, width: int, move: bool = True) -> int:
        """Compute the positions of the terms for this width, and return the height of the equation [pixels].

        The terms are moved only if `move` is True.
        """
        indent = self.indent
        x, y, tallest = indent, round(self.header_rects(width)[1].bottom()), 0
        for view in self.views:
            if view.isHidden():
                continue
            size = view.sizeHint()
            if x > indent and x + size.width() > width:
                x, y = indent, y + tallest + GRID_UNIT
            if move:
                view.setGeometry(x, y, size.width(), size.height())
            x, tallest = x + size.width(), max(tallest, size.height())
        return y + tallest

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange(self.width())

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        painter.setFont(tabular_font(theme, theme.small))
        painter.setPen(QColor(theme.muted))
        name_rect, note_rect = self.header_rects(self.width())
        words, align_left = self.accessibleName(), Qt.AlignmentFlag.AlignLeft
        wraps = int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(name_rect, int(align_left) | wraps, capitalize_first(words))
        side = Qt.AlignmentFlag.AlignRight if name_rect == note_rect else align_left
        painter.drawText(note_rect, int(side) | wraps, self.note)
        labels, indent = self._component_names, self.indent
        for view in self.views:
            if view.x() == indent and len(view.numbers) == len(labels) and view.shows_numbers:
                for row, text in enumerate(labels):
                    top = view.y() + view.first_line() + row * view.line_height()
                    rect = QRectF(0, top, indent - GRID_UNIT / 2, view.line_height())
                    painter.drawText(rect, ALIGN_RIGHT, text)
