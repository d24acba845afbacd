"""When whoever keeps something of a window looks for what a hand has changed."""

from PySide6.QtCore import QObject, QTimer, Signal


class Keeper(QTimer):
    """The way back is kept at every beat, for what acts change is seen at once, and files at each fifth."""

    seldom = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=400)
        self._beats = 0
        self.timeout.connect(self._beat)

    def _beat(self) -> None:
        self._beats += 1
        if self._beats % 5 == 0:
            self.seldom.emit()
