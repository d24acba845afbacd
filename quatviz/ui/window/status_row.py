"""What lies over the foot of the window: what was just said, with a link to its section of the help, and what is prepared; and
what of it and of the picture is told to who does not see them."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QWidget

from quatviz.base.tr import tr
from quatviz.export.description import described, ended
from quatviz.feed.frame import ALIVE, Frame, Source
from quatviz.look.theme import UNIT
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.style import theme_of
from quatviz.ui.kit.widgets import (
    READ,
    Button,
    Dialog,
    column,
    label,
    learn_more,
    open_topic,
    row,
)

_READ = READ | Qt.TextInteractionFlag.TextSelectableByKeyboard
_WIDTH = 560
_LINE = 360
"""Pixels that a sentence fills before it wraps, or more where it is long."""
_SHOWN_MS, _LINKED_MS = 10_000, 30_000
"""How long a sentence stands there, and one with a link, to which a person has to come."""


class StatusRow(Guarded, QFrame):
    """Tab leads to the link, Enter and space follow it. A sentence without a topic has none. It lies over the window while it has
    something to say, and takes no room of what is below."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("popup")
        self.topic = ""
        self.more = learn_more(lambda: open_topic(self.topic))
        self._words, self._notice = label(), label("muted")
        self._ends = QTimer(self, singleShot=True)
        self._ends.timeout.connect(self.clear)
        self.setLayout(row(self._words, self.more, self._notice, gap=2 * UNIT, margins=(2 * UNIT, UNIT) * 2))
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

    def clear(self) -> None:
        """Say nothing more."""
        self.say("")
        self._ends.stop()

    def show_notice(self, notice: str) -> None:
        """Show what goes on, beside what is said."""
        if notice != self._notice.text():
            self._notice.setText(notice)
            self._stand()

    def _stand(self) -> None:
        self._words.setVisible(bool(self.sentence))
        self.more.setVisible(bool(self.topic))
        self._notice.setVisible(bool(self._notice.text()))
        wide = self._words.fontMetrics().horizontalAdvance(self.sentence)
        self._words.setMinimumWidth(min(wide, theme_of(self).pixels(_LINE)))
        self.setVisible(bool(self.sentence or self._notice.text()))


class Narrator(QObject):
    """Follows the run; each lane's end is told once."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._source: Source | None = None
        self._told: set[str] = set()
        self.frame: Frame | None = None

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._told = source, set()

    def show_frame(self, frame: Frame) -> None:
        """Tell of lanes that have ended."""
        self.frame = frame
        for lane in frame.lanes:
            if lane.status not in ALIVE and lane.name not in self._told:
                self._told.add(lane.name)
                self.announce(ended(lane))

    def announce(self, sentence: str) -> None:
        """Have screen readers say it."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, sentence))

    def describe(self) -> None:
        """Show the picture of now in words, which can be read, copied and heard."""
        if self.frame is None or self._source is None:
            return
        said = described(self.frame, self._source.info)
        dialog = Dialog(tr("What is seen"), self._window)
        text, close = label("", said), Button(tr("Close"), dialog.accept)
        text.setTextInteractionFlags(_READ)
        dialog.setLayout(column(text, row(None, close), gap=2 * UNIT, margins=2 * UNIT))
        dialog.resize(_WIDTH, 0)
        dialog.open()
