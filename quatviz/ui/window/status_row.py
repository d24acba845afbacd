"""What lies over the foot of the 3D view: what was just said, with a link to its section of the help, and what is prepared; and
what of it and of the picture is told to who does not see them."""

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.view_state.theme import UNIT
from quatviz.export.description import Ends, described
from quatviz.ui.scene.view_grid import Views
from quatviz.ui.widgets.controls import (
    READ,
    Button,
    Dialog,
    column,
    label,
    learn_more,
    open_topic,
    row,
)
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import theme_of

_READ = READ | Qt.TextInteractionFlag.TextSelectableByKeyboard
_WIDTH = 560
_LINE, _BESIDE = 420, 240
"""Pixels that a sentence fills before it wraps, and those that it needs to stand beside the legend."""
_SHOWN_MS, _LINKED_MS = 10_000, 30_000
"""How long a sentence stands there, and one with a link, to which a person has to come."""


class StatusRow(Guarded, QFrame):
    """Tab leads to the link, Enter and space follow it. A sentence without a topic has none. It lies over the last 3D view, or what
    stands in its place, while it has something to say, where nothing is read: at the right of its foot, beside the legend or above
    it."""

    def __init__(self, window: QWidget, views: Views) -> None:
        super().__init__(window)
        self._window, self._views = window, views
        self.setObjectName("popup")
        self.topic = ""
        self.more = learn_more(lambda: open_topic(self.topic))
        self._words, self._notice = label(), label("muted")
        self._ends = QTimer(self, singleShot=True)
        self._ends.timeout.connect(self.clear)
        self.more.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._inside = column(self._words, self.more, self._notice, gap=0, margins=(2 * UNIT, UNIT) * 2)
        self.setLayout(self._inside)
        self.clear()

    @property
    def sentence(self) -> str:
        """What is said now."""
        return self._words.text()

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence for a while, and a link where a topic explains it."""
        self.topic = topic
        self.more.setAccessibleName(tr("Learn more: {said}", said=sentence))
        self._words.setText(sentence)
        self._ends.start(_LINKED_MS if topic else _SHOWN_MS)
        self._stand()

    def take_back(self, sentence: str) -> None:
        """It holds no longer."""
        if sentence == self.sentence:
            self.clear()

    def clear(self) -> None:
        """Say nothing more."""
        self.say("")
        self._ends.stop()

    def show_notice(self, notice: str) -> None:
        """Show what goes on, below what is said; told with every frame."""
        self._notice.setText(notice)
        self._stand()

    def _stand(self) -> None:
        noticed, measure = self._notice.text(), self.fontMetrics().horizontalAdvance
        for part, words in ((self._words, self.sentence), (self.more, self.topic), (self._notice, noticed)):
            part.setVisible(bool(words))
        if self.isHidden():
            self.raise_()
        self.setVisible(bool(self.sentence or noticed))
        if self.isHidden():
            return
        window, view, pixels = self._window, self._views.shown[-1], theme_of(self).pixels
        room, legend = QRect(view.mapTo(window, QPoint()), view.size()), view.words.legend_size
        wide = min(max(measure(self.sentence), measure(noticed)) + 5 * UNIT, pixels(_LINE))
        foot, beside = room.bottom() - UNIT, room.width() - legend.width() - 2 * UNIT
        if beside < min(wide, pixels(_BESIDE)):
            foot, beside = foot - legend.height(), room.width() - 2 * UNIT
        wide = min(wide, beside if view.isVisible() else wide)
        high = self._inside.totalHeightForWidth(wide)
        corner = QPoint(UNIT, window.height() - UNIT - high)
        place = QPoint(room.right() - UNIT - wide, foot - high)
        self.setGeometry(QRect(place if view.isVisible() else corner, QSize(wide, high)))


class Narrator(QObject):
    """Follows the run; ends of lanes are told, and that one is not to be trusted."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._source: Source | None = None
        self._ends = Ends()
        self.frame: Frame | None = None

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._ends = source, Ends()

    def show_frame(self, frame: Frame) -> None:
        """Tell of lanes that have ended."""
        self.frame = frame
        for sentence in self._ends.news(frame):
            self.announce(sentence)

    def announce(self, sentence: str) -> None:
        """Have screen readers say it."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, sentence))

    def describe(self, sequence: str, rings: bool) -> None:
        """Show the picture of now in words, which can be read, copied and heard: with the angles of a `sequence` that are seen, if
        any, and whether their gimbal `rings` are."""
        if self.frame is None or self._source is None:
            return
        said = described(self.frame, self._source.info, sequence, rings)
        dialog = Dialog(tr("What is seen"), self._window)
        text, close = label("", said), Button(tr("Close"), dialog.accept)
        text.setTextInteractionFlags(_READ)
        dialog.setLayout(column(text, row(None, close), gap=2 * UNIT, margins=2 * UNIT))
        dialog.resize(_WIDTH, 0)
        dialog.open()
