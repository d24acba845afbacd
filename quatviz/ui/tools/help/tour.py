"""Tour of the main window for new users. It points at one part after another of the running window."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QRegion
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget
from shiboken6 import isValid

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.teaching.help import Section, pages
from quatviz.ui.widgets.buttons import Button, QuietButton
from quatviz.ui.widgets.focus import iter_descendants
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.richtext import RichTextLabel
from quatviz.ui.widgets.style import PaintedWidget, Themed, with_opacity
from quatviz.ui.widgets.windows import move_inside

TOUR_PAGE = "first_steps"

_FOLLOW_INTERVAL_MS = 150
"""Interval at which the position of the target is checked [ms]."""
_MARGIN = GRID_UNIT // 2
_SHADE_OPACITY = 0.55


def steps() -> tuple[Section, ...]:
    """Return the sections of the tour's help page, one for each step."""
    return pages()[TOUR_PAGE].sections[1:]


def tour_targets(window: Any) -> dict[str, QWidget]:
    """Map section anchors of the tour page to the widgets of the main window that these sections describe."""
    side = window.side
    return {
        "one-motion-many-ways": window.views,
        "the-body-in-3d": window.views,
        "one-cursor-for-everything": window.transport,
        "the-lanes": side.sections["Lanes"],
        "the-curves": window.board,
        "choose-another-motion": side.picker,
        "change-it": side.setup,
        "where-to-find-help": side.help_button,
    }


class Tour(PaintedWidget, QWidget):
    """Overlay that darkens the window except for a hole at the target. The target in the hole receives mouse events."""

    ended = Signal()

    def __init__(self, window: QWidget, targets: Mapping[str, QWidget]) -> None:
        """Create the overlay. `targets` is the result of `tour_targets`."""
        super().__init__(window)
        self._window, self._targets = window, targets
        self._steps = steps()
        self.number = 0
        self._scroll_positions: dict[QScrollBar, int] = {}
        """Scroll bars that the tour has moved, and their original values."""
        self.hole = QRect()
        self.card = _TourCard(self)
        self.card.next_button.clicked.connect(lambda: self.show_step(self.number + 1))
        self.card.back_button.clicked.connect(lambda: self.show_step(self.number - 1))
        self.card.skip_button.clicked.connect(self.end)
        self._timer = QTimer(self, interval=_FOLLOW_INTERVAL_MS)
        self._timer.timeout.connect(self.follow)
        self.setAccessibleName(tr("Tour of the window"))
        self.hide()

    def begin(self) -> None:
        """Start the tour at its first step."""
        self._window.installEventFilter(self)
        self._timer.start()
        self.show()
        self.raise_()
        self.show_step(0)

    def show_step(self, number: int) -> None:
        """Show a step. A number beyond the last one ends the tour."""
        if number >= len(self._steps):
            self.end()
            return
        self.number = max(number, 0)
        step, target = self._steps[self.number], self.target
        if target is not None:
            self._scroll_to(target)
        self.card.show_step(step, self.number, len(self._steps))
        self.hole = QRect()
        self.follow(force=True)
        self.card.setFocus()

    def end(self) -> None:
        """End the tour, and restore the scroll positions and the focus from before it."""
        if self.isHidden():
            return
        self._timer.stop()
        self._window.removeEventFilter(self)
        self.hide()
        for bar, value in self._scroll_positions.items():
            if isValid(bar):  # the widget may have been deleted
                bar.setValue(value)
        self._scroll_positions.clear()
        self._window.setFocus()
        self.ended.emit()

    @property
    def target(self) -> QWidget | None:
        """Widget that the current step points at, or None."""
        return self._targets.get(self._steps[self.number].slug)

    def _scroll_to(self, widget: QWidget) -> None:
        """Scroll all enclosing scroll areas so that the widget is visible."""
        parent = widget.parentWidget()
        while parent is not None:
            if isinstance(parent, QScrollArea):
                self._scroll_positions.setdefault(
                    parent.verticalScrollBar(), parent.verticalScrollBar().value()
                )
                parent.ensureWidgetVisible(widget, 0, 0)
            parent = parent.parentWidget()

    def follow_theme(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, lambda: self.follow(force=True))  # after the card has its new theme

    def follow(self, force: bool = False) -> None:
        """Move the overlay's hole and card if the window's size or the target's position has changed, or if `force` is True."""
        target, hole = self.target, QRect()
        if target is not None:
            hole = visible_rect(target, self._window)
            if not hole.isEmpty():
                hole = hole.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN) & self._window.rect()
        if not force and hole == self.hole and self.geometry() == self._window.rect():
            return
        self.hole = hole
        self.setGeometry(self._window.rect())
        self.card.fit(max(hole.left(), self.width() - hole.right()) - 3 * GRID_UNIT)
        size = self.card.sizeHint()
        self.card.setGeometry(QRect(card_rect(size, hole, self.rect()).topLeft(), size))
        shaded = QRegion(self.rect())
        if not hole.isEmpty():
            shaded -= QRegion(hole.adjusted(2, 2, -2, -2))
        self.setMask(shaded | QRegion(self.card.geometry()))
        self.update()
        for part in (target, *iter_descendants(target)) if target is not None else ():
            part.update()  # otherwise Qt leaves the shade in the new hole

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the tour before they trigger shortcuts of the window. Keys that a widget has used are left
        alone."""
        if event.type() == QEvent.Type.Resize:
            self.follow(force=True)
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        handler = {
            Qt.Key.Key_Right: lambda: self.show_step(self.number + 1),
            Qt.Key.Key_Left: lambda: self.show_step(self.number - 1),
            Qt.Key.Key_Return: lambda: self.show_step(self.number + 1),
            Qt.Key.Key_Enter: lambda: self.show_step(self.number + 1),
            Qt.Key.Key_Escape: self.end,
        }.get(Qt.Key(event.key()))
        if handler is None:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            handler()
            return True
        return False

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        is_dark = theme.name == "dark"
        shade = (
            with_opacity("#000000", _SHADE_OPACITY)
            if is_dark
            else with_opacity(theme.text, _SHADE_OPACITY - 0.15)
        )
        painter.fillRect(self.rect(), shade)
        if not self.hole.isEmpty():
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawRect(QRectF(self.hole).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(
            QRectF(self.card.geometry()).adjusted(0.5, 0.5, -0.5, -0.5), GRID_UNIT, GRID_UNIT
        )


def visible_rect(widget: QWidget, window: QWidget) -> QRect:
    """Return the visible part of a widget in window coordinates [pixels]. It is empty if the widget is scrolled away."""
    if not widget.isVisible():
        return QRect()
    visible, parent = QRect(widget.mapTo(window, QPoint()), widget.size()), widget.parentWidget()
    while parent is not None and parent is not window:
        visible &= QRect(parent.mapTo(window, QPoint()), parent.size())
        parent = parent.parentWidget()
    return visible


def card_rect(size: QSize, hole: QRect, room: QRect) -> QRect:
    """Return the rectangle of a card beside a hole.

    If there is no space beside it, the card covers as little of the hole as possible.

    >>> card_rect(QSize(360, 220), QRect(310, 40, 250, 340), QRect(0, 0, 850, 480)).left()
    8
    """
    gap = 2 * GRID_UNIT
    middle_x = min(max(hole.center().x() - size.width() // 2, gap), room.width() - size.width() - gap)
    top = min(max(hole.top(), gap), room.height() - size.height() - gap)
    if hole.isEmpty():
        return QRect(room.center() - QRect(QPoint(), size).center(), size)
    corners = [
        QPoint(hole.right() + gap, top),
        QPoint(hole.left() - gap - size.width(), top),
        QPoint(middle_x, hole.top() - gap - size.height()),
        QPoint(middle_x, hole.bottom() + gap),
    ]
    inside = room.adjusted(GRID_UNIT, GRID_UNIT, -GRID_UNIT, -GRID_UNIT)
    corners.append(QPoint(hole.right() - size.width() - gap, hole.bottom() - size.height() - gap))

    def covered_area(rect: QRect) -> int:
        overlap = rect & hole
        return max(overlap.width(), 0) * max(overlap.height(), 0)

    return min((move_inside(QRect(corner, size), inside) for corner in corners), key=covered_area)


class _TourCard(Themed, QWidget):
    """Card with the text of a step, and its buttons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._count, self._title, self._words = (
            label("muted", word_wrap=False),
            label("heading"),
            RichTextLabel(),
        )
        self.skip_button = QuietButton(tr("Skip the tour"))
        self.back_button, self.next_button = Button(tr("Back")), Button(tr("Next"), object_name="primary")
        for button in (self.back_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        buttons = row(self.skip_button, None, self.back_button, self.next_button)
        margins = 3 * GRID_UNIT, 2 * GRID_UNIT, 3 * GRID_UNIT, 2 * GRID_UNIT
        self._column = column(self._count, self._title, self._words, buttons, margins=margins)
        self.setLayout(self._column)
        self.follow_theme()

    def show_step(self, step: Section, number: int, count: int) -> None:
        """Show the text of a step."""
        self._count.setText(tr("{number} of {count}", number=number + 1, count=count))
        self._title.setText(step.title)
        self._words.set_markdown(step.text)
        self.back_button.setEnabled(number > 0)
        is_last = number + 1 == count
        self.next_button.setText(tr("Done") if is_last else tr("Next"))
        self.skip_button.setText(tr("Skip the tour (Esc)"))
        self.skip_button.setVisible(not is_last)
        self.setAccessibleName(step.title)
        self.setAccessibleDescription(self._words.text)

    def fit(self, available_width: int) -> None:
        """Set the width of the card to `available_width`, the width beside the target [pixels].

        The comfortable width is used instead if the available width is below two thirds of it, or exceeds it.
        """
        max_width = 28 * self.theme.normal
        self.setFixedWidth(available_width if 2 / 3 * max_width <= available_width < max_width else max_width)

    def follow_theme(self) -> None:
        self.fit(0)

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self._column.heightForWidth(self.width()))
