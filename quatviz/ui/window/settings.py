"""Settings of the window that persist between starts."""

import logging
from dataclasses import replace

from PySide6.QtCore import QByteArray

from quatviz.base.translation import tr
from quatviz.display.document.window_memory import WindowMemory, WindowMemoryFile
from quatviz.display.view_state.view_state import SETTINGS_SCOPES, ViewState, with_undoable_part
from quatviz.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)


class Settings(WindowMemoryFile):
    """The persistent settings of a window."""

    def reset(self, window: MainWindow) -> None:
        """Reset all settings and apply the default view state. The record that the tour was seen is kept."""
        self.write(WindowMemory(toured=self.memory.toured))
        first = ViewState()
        fields = {name: getattr(first, name) for name in ViewState.field_names()}
        window.store.update(tr("reset of layout and appearance"), **fields)

    def restore_geometry(self, window: MainWindow) -> None:
        """Restore size and position of the window."""
        if self.memory.place and not window.restoreGeometry(
            QByteArray.fromBase64(self.memory.place.encode())
        ):
            log.info("the stored window geometry is invalid")

    def save(self, window: MainWindow) -> None:
        """Save view state, size and position of the window to the settings file."""
        geometry = bytes(window.saveGeometry().toBase64().data()).decode()
        shown, own_choices = window.view_state, window.document.state.own_choices
        if own_choices is not None:
            shown = with_undoable_part(shown, own_choices)  # a preset's proposal is not the user's choice
        view_state = replace(ViewState().merged_with(shown, SETTINGS_SCOPES), scale=self.memory.look.scale)
        self.write(replace(self.memory, place=geometry, look=view_state))

    def save_unless_lesson_active(self, window: MainWindow) -> None:
        """Save unless a lesson is active, whose view state is not the user's."""
        if window.store.is_recording:
            self.save(window)
