"""A part of the side column that folds away under its heading."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT
from quatviz.ui.kit.painting import RIGHT, write
from quatviz.ui.kit.style import tabular
from quatviz.ui.kit.widgets import Pressable, column, held

HEIGHT = 40
INSET = UNIT // 2
"""Between a heading's words and the frame around them while it has the focus: what stands below them begins there too."""
_ARROW = 2 * UNIT
"""Room for the arrow on the right."""
_LEAST = 0.45
"""Of a heading's width that the words at the right have, if they need it."""


class Section(QWidget):
    """Heading and content. While it is folded the heading says in short what is inside."""

    def __init__(self, title: str, content: QWidget, opened: bool = False) -> None:
        super().__init__()
        self.title = title
        self.content = content
        self.opened = opened
        self.heading = Fold(large=True)
        self.heading.setText(title)
        self.heading.setAccessibleName(title)
        self.heading.clicked.connect(lambda: self.set_open(not self.opened))
        self._room = held(column(content, margins=(INSET, UNIT // 2, INSET, 2 * UNIT)))
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


class Fold(Pressable):
    """A heading below which something unfolds: its text at the left, and a few words at the right, which are away where both have
    no room and they tell of no danger. A `large` one is that of a section, and says its words only while it is folded."""

    def __init__(self, large: bool = False) -> None:
        super().__init__()
        self._large, self._opened, self._danger, self._marked = large, False, False, False
        self.synopsis = ""
        """The words at the right."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def say(self, synopsis: str, danger: bool = False) -> None:
        """Show these words; in the colour of `danger` where they tell of one."""
        if (synopsis, danger) != (self.synopsis, self._danger):
            self.synopsis, self._danger = synopsis, danger
            self.update()

    def mark(self, on: bool) -> None:
        """Whether what is below was edited: a dot says so."""
        if on != self._marked:
            self._marked = on
            self.show_open(self._opened)

    def show_open(self, opened: bool) -> None:
        """Whether it is unfolded."""
        self._opened = opened
        said = tr("unfolded") if opened else tr("folded")
        self.setAccessibleDescription(tr("{said}, edited", said=said) if self._marked else said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.pixels(HEIGHT if self._large else 4 * UNIT))

    def draw(self, painter: QPainter) -> None:
        theme, lit = self.theme, self.hasFocus() or self.underMouse()
        if self._large:
            painter.fillRect(QRectF(INSET, 0, self.width() - 2 * INSET, 1), QColor(theme.line))
            title = tabular(theme, theme.title, QFont.Weight.DemiBold)
        else:
            title = tabular(theme, theme.normal, QFont.Weight.Medium)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -1), 4, 4)
        self._draw_arrow(painter, QColor(theme.accent if lit else theme.muted))
        small = tabular(theme, theme.small)
        wide = QFontMetricsF(title)
        room = QRectF(INSET, 0, self.width() - 2 * INSET - _ARROW, self.height())
        words = self._words_beside(
            room.width() - wide.horizontalAdvance(self.text()) - 2 * UNIT, room.width(), QFontMetricsF(small)
        )
        taken = write(painter, room, words, small, theme.danger if self._danger else theme.muted, RIGHT)
        room.setRight(room.right() - taken - UNIT * (3 if self._marked else 1))
        ink, middle = theme.accent if lit else theme.text, Qt.TextElideMode.ElideMiddle
        said = write(painter, room, self.text(), title, ink, loses=middle)
        if self._marked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(QPointF(INSET + said + UNIT, self.height() / 2), 3, 3)

    def _words_beside(self, left: float, room: float, metrics: QFontMetricsF) -> str:
        """What stands at the right where the text leaves so many pixels of the `room`. What only says that a lane fares well makes
        way for its name."""
        if self._large and self._opened:
            return ""
        if not (self._large or self._danger) and metrics.horizontalAdvance(self.synopsis) > left:
            return ""
        return metrics.elidedText(self.synopsis, Qt.TextElideMode.ElideRight, max(left, _LEAST * room))

    def _draw_arrow(self, painter: QPainter, colour: QColor) -> None:
        """Points at the title while folded, down at the content while not."""
        painter.setPen(QPen(colour, 1.5))
        painter.save()
        painter.translate(self.width() - INSET - 4.0, self.height() / 2)
        painter.rotate(90 if self._opened else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])
        painter.restore()
