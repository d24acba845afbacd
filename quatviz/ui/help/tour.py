"""The tour of a first start: it points at one part of the real window after another, while all of it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from quatviz.help import Section, pages
from quatviz.ui.cards.notes_view import rich
from quatviz.ui.guard import guarded
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.study.look import sheet
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.main_window import MainWindow

PAGE = "first_steps"

TARGETS: dict[str, Callable[[MainWindow], QWidget | None]] = {
    "one-motion-many-ways": lambda window: None,
    "the-body-in-3d": lambda window: window.views,
    "one-cursor-for-everything": lambda window: window.transport,
    "the-lanes": lambda window: window.side.sections["Lanes"],
    "the-curves": lambda window: window.board,
    "choose-another-motion": lambda window: window.side.picker,
    "change-it": lambda window: window.side.setup,
    "where-to-find-help": lambda window: window.side.help,
}
"""What each section of the page points at."""

_FOLLOWING_MS = 150
"""How often it looks where its target has gone."""
_MARGIN = UNIT // 2
_VEIL = 0.55


def steps() -> tuple[Section, ...]:
    """The sections of the page, one for each step."""
    return pages()[PAGE].sections[1:]


class Tour(QWidget):
    """Lies over the window, with a hole where it points, through which the mouse reaches the window."""

    ended = Signal()

    def __init__(self, theme: Theme, window: MainWindow) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._steps = steps()
        self.number = 0
        self.hole = QRect()
        self.card = _Card(self)
        self.card.next.clicked.connect(lambda: self.go(self.number + 1))
        self.card.back.clicked.connect(lambda: self.go(self.number - 1))
        self.card.skip.clicked.connect(self.end)
        self._timer = QTimer(self)
        self._timer.setInterval(_FOLLOWING_MS)
        self._timer.timeout.connect(self.follow)
        self.setAccessibleName(tr("Tour of the window"))
        self.restyle(theme)
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
        if target is not None and self._window.side.isAncestorOf(target):
            self._window.side.ensureWidgetVisible(target, 0, 0)
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
        self._window.setFocus()
        self.ended.emit()

    @property
    def target(self) -> QWidget | None:
        """What this step points at."""
        return TARGETS[self._steps[self.number].slug](self._window)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.card.restyle(theme)
        if self.isVisible():
            self.follow(anew=True)
        self.update()

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
        size = self.card.sizeHint()
        self.card.setGeometry(QRect(place_of(size, hole, self.rect()).topLeft(), size))
        veiled = QRegion(self.rect())
        if not hole.isEmpty():
            veiled -= QRegion(hole.adjusted(2, 2, -2, -2))
        self.setMask(veiled | QRegion(self.card.geometry()))
        self.update()
        for part in (target, *target.findChildren(QWidget)) if target is not None else ():
            part.update()  # Qt leaves under a new hole what the veil has painted there

    @guarded
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

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        veil = QColor("#000000" if theme.name == "dark" else theme.text)
        veil.setAlphaF(_VEIL if theme.name == "dark" else _VEIL - 0.15)
        painter.fillRect(self.rect(), veil)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.hole.isEmpty():
            painter.setPen(QPen(QColor(theme.accent), 3))
            painter.drawRect(QRectF(self.hole).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(QRectF(self.card.geometry()).adjusted(0.5, 0.5, -0.5, -0.5), UNIT, UNIT)
        painter.end()


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
    """Where a card stands beside a hole: where there is room for it, or else in a corner of the hole."""
    gap = 2 * UNIT
    middle_x = min(max(hole.center().x() - size.width() // 2, gap), room.width() - size.width() - gap)
    top = min(max(hole.top(), gap), room.height() - size.height() - gap)
    choices = [
        QRect(hole.right() + gap, top, size.width(), size.height()),
        QRect(hole.left() - gap - size.width(), top, size.width(), size.height()),
        QRect(middle_x, hole.top() - gap - size.height(), size.width(), size.height()),
        QRect(middle_x, hole.bottom() + gap, size.width(), size.height()),
    ]
    if hole.isEmpty():
        return QRect(room.center() - QRect(0, 0, size.width(), size.height()).center(), size)
    inside = room.adjusted(UNIT, UNIT, -UNIT, -UNIT)
    for place in choices:
        if inside.contains(place):
            return place
    return QRect(
        hole.right() - size.width() - gap, hole.bottom() - size.height() - gap, size.width(), size.height()
    )


class _Card(QWidget):
    """The words of a step, and its buttons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._count, self._title, self._words = QLabel(), QLabel(), QLabel()
        self._count.setObjectName("muted")
        self._title.setObjectName("heading")
        for label in (self._title, self._words):
            label.setWordWrap(True)
        self.skip = QuietButton(tr("Skip the tour"))
        self.back, self.next = QPushButton(tr("Back")), QPushButton(tr("Next"))
        self.next.setObjectName("primary")
        for button in (self.back, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT)
        for label in (self._count, self._title, self._words):
            column.addWidget(label)
        column.addSpacing(UNIT)
        row = QHBoxLayout()
        row.setSpacing(UNIT)
        row.addWidget(self.skip)
        row.addStretch(1)
        row.addWidget(self.back)
        row.addWidget(self.next)
        column.addLayout(row)

    def show_step(self, step: Section, number: int, count: int) -> None:
        """Say what a step says."""
        words = rich(" ".join(step.text.split()))
        self._count.setText(tr("{number} of {count}", number=number + 1, count=count))
        self._title.setText(step.title)
        self._words.setText(words)
        self.back.setEnabled(number > 0)
        last = number + 1 == count
        self.next.setText(tr("Done") if last else tr("Next"))
        self.skip.setText(tr("Skip the tour (Esc)"))
        self.skip.setVisible(not last)
        self.setAccessibleName(step.title)
        self.setAccessibleDescription(step.text)

    def restyle(self, theme: Theme) -> None:
        """Take the colours and the type of another theme."""
        self.setFixedWidth(28 * theme.normal)
        self.setStyleSheet(sheet(theme))

    def sizeHint(self) -> QSize:
        return QSize(self.width(), self._column.heightForWidth(self.width()))
