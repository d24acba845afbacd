"""A part of the side column that folds away under its heading."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.formatting.text_layout import wrap
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.controls import Pressable, column, held, keep_in_place
from quatviz.ui.widgets.painting import RIGHT, write
from quatviz.ui.widgets.style import tabular

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
    """A heading below which something unfolds: its text at the left, whole, on as many lines as it needs, and a few words at the
    right; where both have no room beside each other these are below it. A `large` one is that of a section, in one line, and says
    its words only while it is folded."""

    def __init__(self, large: bool = False) -> None:
        super().__init__()
        self._large, self._opened, self._danger, self._marked = large, False, False, False
        self.synopsis = ""
        """The words at the right."""
        # A fixed height would be that of the width that it had when the layout asked last.
        high = QSizePolicy.Policy.Fixed if large else QSizePolicy.Policy.Preferred
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, high)
        policy.setHeightForWidth(not large)
        self.setSizePolicy(policy)

    def say(self, synopsis: str, danger: bool = False) -> None:
        """Show these words; in the colour of `danger` where they tell of one."""
        if (synopsis, danger) != (self.synopsis, self._danger):
            before = self.heightForWidth(self.width())
            self.synopsis, self._danger = synopsis, danger
            if self.heightForWidth(self.width()) != before:
                keep_in_place(self)
                self.updateGeometry()
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
        return QSize(160, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.theme.pixels(HEIGHT if self._large else 4 * UNIT))

    def heightForWidth(self, width: int) -> int:
        least = self.minimumSizeHint().height()
        if self._large:
            return least
        title, small = (QFontMetricsF(font).height() for font in self._fonts)
        lines, _, below = self._laid(width)
        return max(least, round(len(lines) * title + len(below) * small + UNIT))

    @property
    def _fonts(self) -> tuple[QFont, QFont]:
        """Of its text, and of the words at the right."""
        theme = self.theme
        if self._large:
            return tabular(theme, theme.title, QFont.Weight.DemiBold), tabular(theme, theme.small)
        return tabular(theme, theme.normal, QFont.Weight.Medium), tabular(theme, theme.small)

    def _laid(self, width: int) -> tuple[list[str], str, list[str]]:
        """The lines of its text, the words beside the first one, and the lines of the words below them all."""
        title, small = map(QFontMetricsF, self._fonts)
        room = width - 2 * INSET - _ARROW
        if self._large:
            words = "" if self._opened else self.synopsis
            left = max(room - title.horizontalAdvance(self.text()) - 2 * UNIT, _LEAST * room)
            return [self.text()], small.elidedText(words, Qt.TextElideMode.ElideRight, left), []
        mark = UNIT * (3 if self._marked else 1)
        beside = small.horizontalAdvance(self.synopsis) + mark
        if title.horizontalAdvance(self.text()) + beside <= room:
            return [self.text()], self.synopsis, []
        below = wrap(self.synopsis, room, small.horizontalAdvance)
        return wrap(self.text(), room - mark, title.horizontalAdvance), "", below

    def draw(self, painter: QPainter) -> None:
        theme, lit = self.theme, self.hasFocus() or self.underMouse()
        if self._large:
            painter.fillRect(QRectF(INSET, 0, self.width() - 2 * INSET, 1), QColor(theme.line))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 2, -1, -1), 4, 4)
        self._draw_arrow(painter, QColor(theme.accent if lit else theme.muted))
        (title, small), (lines, words, below) = self._fonts, self._laid(self.width())
        high, low = QFontMetricsF(title).height(), QFontMetricsF(small).height()
        top = (self.height() - len(lines) * high - len(below) * low) / 2
        room = QRectF(INSET, top, self.width() - 2 * INSET - _ARROW, high)
        told, ink = theme.danger if self._danger else theme.muted, theme.accent if lit else theme.text
        taken = write(painter, room, words, small, told, RIGHT)
        said = 0.0
        for number, line in enumerate(lines):
            place = room.translated(0, number * high).adjusted(0, 0, 0 if number else -taken - UNIT, 0)
            said = write(painter, place, line, title, ink)
        if self._marked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(QPointF(INSET + said + UNIT, top + (len(lines) - 0.5) * high), 3, 3)
        for number, line in enumerate(below):
            place = QRectF(INSET, top + len(lines) * high + number * low, room.width(), low)
            write(painter, place, line, small, told)

    def _draw_arrow(self, painter: QPainter, colour: QColor) -> None:
        """Points at the title while folded, down at the content while not."""
        painter.setPen(QPen(colour, 1.5))
        painter.save()
        painter.translate(self.width() - INSET - 4.0, self.height() / 2)
        painter.rotate(90 if self._opened else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])
        painter.restore()
