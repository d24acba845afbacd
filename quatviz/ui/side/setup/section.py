"""A part of the side column that folds away under its heading."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import tabular
from quatviz.ui.kit.widgets import Pressable, column, held

HEIGHT = 40
_ARROW = 2 * UNIT
"""Room for the arrow on the right."""


class Section(QWidget):
    """Heading and content. While it is folded the heading says in short what is inside."""

    def __init__(self, title: str, content: QWidget, opened: bool = False) -> None:
        super().__init__()
        self.title = title
        self.content = content
        self.opened = opened
        self.heading = _Heading(title)
        self.heading.clicked.connect(lambda: self.set_open(not self.opened))
        self._room = held(column(content, margins=(0, UNIT // 2, 0, 2 * UNIT)))
        self.setLayout(column(self.heading, self._room, gap=0))
        self._fold()

    def set_open(self, opened: bool) -> None:
        """Unfold or fold."""
        if opened != self.opened:
            self.opened = opened
            self._fold()

    def _fold(self) -> None:
        self._room.setVisible(self.opened)
        self.heading.show_open(self.opened)

    def say(self, synopsis: str) -> None:
        """What is inside, in a few words."""
        self.heading.say(synopsis)


class Fold(Pressable):
    """A heading below which something unfolds."""

    def __init__(self) -> None:
        super().__init__()
        self._opened = False

    def show_open(self, opened: bool) -> None:
        """Whether it is unfolded."""
        self._opened = opened
        self.setAccessibleDescription(tr("unfolded") if opened else tr("folded"))
        self.update()

    def _paint_arrow(self, painter: QPainter, colour: QColor) -> None:
        """Points at the title while folded, down at the content while not."""
        painter.setPen(QPen(colour, 1.5))
        painter.save()
        painter.translate(self.width() - 4.0, self.height() / 2)
        painter.rotate(90 if self._opened else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])
        painter.restore()


class _Heading(Fold):
    def __init__(self, title: str) -> None:
        super().__init__()
        self.synopsis = ""
        """What stands beside the title while the section is folded."""
        self.setText(title)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def say(self, synopsis: str) -> None:
        self.synopsis = synopsis
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        painter.fillRect(QRectF(0, 0, self.width(), 1), QColor(theme.line))
        ink = QColor(theme.accent if self.hasFocus() or self.underMouse() else theme.text)
        self._paint_arrow(painter, QColor(theme.accent if self.hasFocus() else theme.muted))
        title = tabular(theme, theme.title, QFont.Weight.DemiBold)
        painter.setFont(title)
        painter.setPen(ink)
        room = QRectF(0, 0, self.width() - _ARROW, self.height())
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, left | middle, self.text())
        if not self._opened and self.synopsis:
            small = tabular(theme, theme.small)
            room.setLeft(QFontMetricsF(title).horizontalAdvance(self.text()) + 2 * UNIT)
            short = QFontMetricsF(small).elidedText(self.synopsis, Qt.TextElideMode.ElideRight, room.width())
            painter.setFont(small)
            painter.setPen(QColor(theme.muted))
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, short)
