"""When whoever keeps something of a window looks for what a hand has changed."""

from PySide6.QtCore import QObject, QTimer, Signal


class PollTimer(QTimer):
    """The way back is kept at every beat, for what acts change is seen at once, and files at each fifth."""

    fifth_timeout = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=400)
        self._count = 0
        self.timeout.connect(self._count_timeout)

    def _count_timeout(self) -> None:
        self._count += 1
        if self._count % 5 == 0:
            self.fifth_timeout.emit()
