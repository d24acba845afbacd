"""What happens in the picture, told to who does not see it: as events for screen readers, and as a text that is asked for."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QPushButton, QWidget

from quatviz.base.tr import tr
from quatviz.export.description import described, ended
from quatviz.feed.frame import ALIVE, Frame, Source
from quatviz.look.theme import UNIT
from quatviz.ui.kit.widgets import Dialog, column, label, row

_READ = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_WIDTH = 560


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
        dialog, text, close = Dialog(self._window), label("", said), QPushButton(tr("Close"))
        dialog.setWindowTitle(tr("What is seen"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text.setTextInteractionFlags(_READ)
        close.clicked.connect(dialog.accept)
        dialog.setLayout(column(text, row(None, close), gap=2 * UNIT, margins=2 * UNIT))
        dialog.resize(_WIDTH, 0)
        dialog.open()
