"""What the window remembers between starts, given to it and taken from it."""

import logging
from dataclasses import replace

from PySide6.QtCore import QByteArray

from quatviz.base.translation import tr
from quatviz.display.document.window_memory import WindowMemory, WindowMemoryFile
from quatviz.display.view_state.view_state import SETTINGS_SCOPES, ViewState, with_undoable_part
from quatviz.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)


class Settings(WindowMemoryFile):
    """Of one window at a time."""

    def reset(self, window: MainWindow) -> None:
        """Forget everything but the tour, and give the window the look of a first start."""
        self.write(WindowMemory(toured=self.memory.toured))
        first = ViewState()
        fields = {name: getattr(first, name) for name in ViewState.field_names()}
        window.store.update(tr("reset of layout and look"), **fields)

    def restore_geometry(self, window: MainWindow) -> None:
        """Give the window the size and the position that it had."""
        if self.memory.place and not window.restoreGeometry(
            QByteArray.fromBase64(self.memory.place.encode())
        ):
            log.info("the remembered place of the window is none")

    def save(self, window: MainWindow) -> None:
        """Remember the window's look, size and place."""
        geometry = bytes(window.saveGeometry().toBase64().data()).decode()
        shown, own_choices = window.view_state, window.document.state.own_choices
        if own_choices is not None:
            shown = with_undoable_part(shown, own_choices)  # what a preset proposed is not the user's choice
        view_state = replace(ViewState().merged_with(shown, SETTINGS_SCOPES), scale=self.memory.look.scale)
        self.write(replace(self.memory, place=geometry, look=view_state))

    def save_unless_lesson_active(self, window: MainWindow) -> None:
        """The same, unless a lesson has the window. One that is killed has said nothing at its end."""
        if window.store.is_recording:
            self.save(window)
