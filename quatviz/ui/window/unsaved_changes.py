"""Tracking of unsaved changes: the file name in the window title, and the question when the window is closed."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.files.preset_edits import shown_title
from quatviz.ui.window.file_actions import FileActions
from quatviz.ui.window.save_dialog import UnsavedChangesDialog


class UnsavedChanges(QObject):
    """Unsaved changes of a document: their mark in the title of the window, and the question when the window is closed."""

    def __init__(self, window: QWidget, document: Document, file_actions: FileActions) -> None:
        super().__init__(window)
        self._window, self._document, self._file_actions = window, document, file_actions
        self._are_discarded = False
        document.changed.connect(lambda _: self._update_title())
        document.saved.connect(self._update_title)
        self._update_title()

    def confirm_close(self) -> bool:
        """Return True if the window may close now. Otherwise ask the user, and close the window after the answer.

        Work without a file needs no question, because *Continue* restores it.
        """
        path = self._document.unsaved_path
        if path is None or self._are_discarded:
            return True
        UnsavedChangesDialog(path.name, self._save_and_close, self.discard_and_close, self._window).open()
        return False

    def discard_and_close(self) -> None:
        """Close the window without saving the changes."""
        self._are_discarded = True
        self._window.close()

    def _save_and_close(self) -> None:
        self._file_actions.save_own_run()
        if self._document.unsaved_path is None:
            self._window.close()

    def _update_title(self) -> None:
        """Show run title, file name and modified mark in the window title."""
        path = self._document.file.path
        title = shown_title(self._document.state.preset).replace("[*]", "[*][*]")
        named = f"{title} ({path.name})" if path is not None else title
        window_title = tr("{title}[*] – quatviz", title=named)
        # Both setters send requests to the window system even for equal values, and this runs at every step of a drag.
        if window_title != self._window.windowTitle():
            self._window.setWindowTitle(window_title)
        if self._document.is_modified != self._window.isWindowModified():
            self._window.setWindowModified(self._document.is_modified)
