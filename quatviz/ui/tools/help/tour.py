"""The tour of a first start: it points at one part of the real window after another, while all of it goes on."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QRegion
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget
from shiboken6 import isValid

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.teaching.help import Section, pages
from quatviz.ui.widgets.controls import Button, QuietButton, column, label, row, within
from quatviz.ui.widgets.focus import widgets_in
from quatviz.ui.widgets.richtext import Words
from quatviz.ui.widgets.style import Painted, Themed, clear

PAGE = "first_steps"

_FOLLOWING_MS = 150
"""How often it looks where its target has gone."""
_MARGIN = UNIT // 2
_VEIL = 0.55


def steps() -> tuple[Section, ...]:
    """The sections of the page, one for each step."""
    return pages()[PAGE].sections[1:]


class Tour(Painted, QWidget):
    """Lies over the window, with a hole where it points, through which the mouse reaches the window."""

    ended = Signal()

    def __init__(self, window: QWidget, targets: Mapping[str, QWidget]) -> None:
        """`targets` are the parts of the window that sections of the page point at, by their slugs."""
        super().__init__(window)
        self._window, self._targets = window, targets
        self._steps = steps()
        self.number = 0
        self._before: dict[QScrollBar, int] = {}
        """What it has scrolled, and from where."""
        self.hole = QRect()
        self.card = _Card(self)
        self.card.next.clicked.connect(lambda: self.go(self.number + 1))
        self.card.back.clicked.connect(lambda: self.go(self.number - 1))
        self.card.skip.clicked.connect(self.end)
        self._timer = QTimer(self, interval=_FOLLOWING_MS)
        self._timer.timeout.connect(self.follow)
        self.setAccessibleName(tr("Tour of the window"))
        self.hide()

    def begin(self) -> None:
        """Show the first step."""
        self._window.installEventFilter(self)
        self._timer.start()
        self.show()
        self.raise_()
        self.go(0)

    def go(self, number: int) -> None:
        """Show a step; beyond the last one the tour ends."""
        if number >= len(self._steps):
            self.end()
            return
        self.number = max(number, 0)
        step, target = self._steps[self.number], self.target
        if target is not None:
            self._scroll_to(target)
        self.card.show_step(step, self.number, len(self._steps))
        self.hole = QRect()
        self.follow(anew=True)
        self.card.setFocus()

    def end(self) -> None:
        """Go away; the window has its keys again."""
        if self.isHidden():
            return
        self._timer.stop()
        self._window.removeEventFilter(self)
        self.hide()
        for bar, value in self._before.items():
            if isValid(bar):  # what it scrolled may have been made anew
                bar.setValue(value)
        self._before.clear()
        self._window.setFocus()
        self.ended.emit()

    @property
    def target(self) -> QWidget | None:
        """What this step points at."""
        return self._targets.get(self._steps[self.number].slug)

    def _scroll_to(self, widget: QWidget) -> None:
        """Bring it into sight where it stands in something that scrolls."""
        parent = widget.parentWidget()
        while parent is not None:
            if isinstance(parent, QScrollArea):
                self._before.setdefault(parent.verticalScrollBar(), parent.verticalScrollBar().value())
                parent.ensureWidgetVisible(widget, 0, 0)
            parent = parent.parentWidget()

    def follow_theme(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, lambda: self.follow(anew=True))  # when its card has followed too

    def follow(self, anew: bool = False) -> None:
        """Lie where the window is now, and point where the target is."""
        target, hole = self.target, QRect()
        if target is not None:
            hole = seen_of(target, self._window)
            if not hole.isEmpty():
                hole = hole.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN) & self._window.rect()
        if not anew and hole == self.hole and self.geometry() == self._window.rect():
            return
        self.hole = hole
        self.setGeometry(self._window.rect())
        self.card.fit(max(hole.left(), self.width() - hole.right()) - 3 * UNIT)
        size = self.card.sizeHint()
        self.card.setGeometry(QRect(place_of(size, hole, self.rect()).topLeft(), size))
        veiled = QRegion(self.rect())
        if not hole.isEmpty():
            veiled -= QRegion(hole.adjusted(2, 2, -2, -2))
        self.setMask(veiled | QRegion(self.card.geometry()))
        self.update()
        for part in (target, *widgets_in(target)) if target is not None else ():
            part.update()  # Qt leaves under a new hole what the veil has painted there

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that nothing else in the window has taken, before its shortcuts are."""
        if event.type() == QEvent.Type.Resize:
            self.follow(anew=True)
        if not isinstance(event, QKeyEvent) or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        do = {
            Qt.Key.Key_Right: lambda: self.go(self.number + 1),
            Qt.Key.Key_Left: lambda: self.go(self.number - 1),
            Qt.Key.Key_Return: lambda: self.go(self.number + 1),
            Qt.Key.Key_Enter: lambda: self.go(self.number + 1),
            Qt.Key.Key_Escape: self.end,
        }.get(Qt.Key(event.key()))
        if do is None:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            do()
            return True
        return False

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        dark = theme.name == "dark"
        veil = clear("#000000", _VEIL) if dark else clear(theme.text, _VEIL - 0.15)
        painter.fillRect(self.rect(), veil)
        if not self.hole.isEmpty():
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawRect(QRectF(self.hole).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(QRectF(self.card.geometry()).adjusted(0.5, 0.5, -0.5, -0.5), UNIT, UNIT)


def seen_of(widget: QWidget, window: QWidget) -> QRect:
    """The part of a widget that is not scrolled away, in the window's pixels; empty where there is none."""
    if not widget.isVisible():
        return QRect()
    seen, parent = QRect(widget.mapTo(window, QPoint()), widget.size()), widget.parentWidget()
    while parent is not None and parent is not window:
        seen &= QRect(parent.mapTo(window, QPoint()), parent.size())
        parent = parent.parentWidget()
    return seen


def place_of(size: QSize, hole: QRect, room: QRect) -> QRect:
    """Where a card stands beside a hole: where there is room for it, or else where it covers least of the hole.

    >>> place_of(QSize(360, 220), QRect(310, 40, 250, 340), QRect(0, 0, 850, 480)).left()
    8
    """
    gap = 2 * UNIT
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
    inside = room.adjusted(UNIT, UNIT, -UNIT, -UNIT)
    corners.append(QPoint(hole.right() - size.width() - gap, hole.bottom() - size.height() - gap))

    def covered(place: QRect) -> int:
        over = place & hole
        return max(over.width(), 0) * max(over.height(), 0)

    return min((within(QRect(corner, size), inside) for corner in corners), key=covered)


class _Card(Themed, QWidget):
    """The words of a step, and its buttons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._count, self._title, self._words = label("muted", wraps=False), label("heading"), Words()
        self.skip = QuietButton(tr("Skip the tour"))
        self.back, self.next = Button(tr("Back")), Button(tr("Next"), look="primary")
        for button in (self.back, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        buttons = row(self.skip, None, self.back, self.next)
        margins = 3 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT
        self._column = column(self._count, self._title, self._words, buttons, margins=margins)
        self.setLayout(self._column)
        self.follow_theme()

    def show_step(self, step: Section, number: int, count: int) -> None:
        """Say what a step says."""
        self._count.setText(tr("{number} of {count}", number=number + 1, count=count))
        self._title.setText(step.title)
        self._words.say(step.text)
        self.back.setEnabled(number > 0)
        last = number + 1 == count
        self.next.setText(tr("Done") if last else tr("Next"))
        self.skip.setText(tr("Skip the tour (Esc)"))
        self.skip.setVisible(not last)
        self.setAccessibleName(step.title)
        self.setAccessibleDescription(self._words.text)

    def fit(self, beside: int) -> None:
        """Be as wide as is read well, or as there is room `beside` what it is about, rather than stand over that."""
        most = 28 * self.theme.normal
        self.setFixedWidth(beside if 2 / 3 * most <= beside < most else most)

    def follow_theme(self) -> None:
        self.fit(0)

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self._column.heightForWidth(self.width()))
