"""What the window remembers between starts, given to it and taken from it."""

import logging
from dataclasses import replace

from PySide6.QtCore import QByteArray

from quatviz.display.document.window_memory import Memory, Remembered
from quatviz.display.view_state.scope import ROOM
from quatviz.display.view_state.view_state import IN_SETTINGS, Look
from quatviz.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)


class Settings(Remembered):
    """Of one window at a time."""

    def reset(self, window: MainWindow) -> None:
        """Forget everything but the tour, and give the window the look of a first start."""
        self.write(Memory(toured=self.memory.toured))
        window.dress(Look())

    def restore(self, window: MainWindow) -> None:
        """Give the window the look, the size and the place that it had."""
        if self.memory.place and not window.restoreGeometry(
            QByteArray.fromBase64(self.memory.place.encode())
        ):
            log.info("the remembered place of the window is none")
        window.dress(self.memory.look.taking(window.look, (ROOM,)))

    def save(self, window: MainWindow) -> None:
        """Remember the window's look, size and place."""
        place = bytes(window.saveGeometry().toBase64().data()).decode()
        look = replace(Look().taking(window.look, IN_SETTINGS), scale=self.memory.look.scale)
        self.write(replace(self.memory, place=place, look=look))

    def keep(self, window: MainWindow) -> None:
        """The same, unless a lesson has the window. One that is killed has said nothing at its end."""
        if not window.lent:
            self.save(window)
