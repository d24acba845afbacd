"""Messages of the window, shown in the status row and announced to screen readers."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from quatviz.base.errors import InputError
from quatviz.base.translation import tr, translated_error
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.document.user_files import DeletedPreset
from quatviz.files.preset import Preset
from quatviz.ui.window.status_row import Narrator, StatusRow


class WindowMessages(QObject):
    """Display of messages from the document and from parts of the window. Messages that no longer apply are removed."""

    def __init__(self, document: Document, status: StatusRow, narrator: Narrator) -> None:
        super().__init__(status)
        self._document, self._status, self._narrator = document, status, narrator
        self._run_message: tuple[str, Preset | None] = "", None
        """The last message of the document, and the preset that was shown when it was emitted."""
        self._refusal_message = ""
        document.message_emitted.connect(self._show_run_message)
        document.changed.connect(self._clear_outdated)

    def show(self, message: str, topic: str = "", undo: Callable[[], object] | None = None) -> None:
        """Show a message and announce it to screen readers.

        A help topic adds a link to the message. `undo`, which reverts the reported change, adds an Undo button.
        """
        self._status.show_message(message, topic, undo)
        self._narrator.announce(message)

    def show_deleted(self, deleted: DeletedPreset, restore: Callable[[DeletedPreset], object]) -> None:
        """Show that a preset of the user was deleted, with a button that restores it."""
        self.show(tr("Deleted “{title}”", title=deleted.title), undo=lambda: restore(deleted))

    def explain(self, refusal: InputError | None) -> None:
        """Show why an input was refused. None removes the last such message."""
        if refusal is None:
            self._status.clear_message(self._refusal_message)
            return
        refusal = translated_error(refusal)
        self._refusal_message = f"{refusal.place}: {refusal.found}; {refusal.remedy}"
        self.show(self._refusal_message, refusal.topic)

    def _show_run_message(self, message: str, topic: str) -> None:
        self._run_message = message, self._document.state.preset
        self.show(message, topic)

    def _clear_outdated(self, state: State) -> None:
        """Remove a message about an earlier run, for example after undo."""
        message, preset = self._run_message
        if preset is not state.preset:
            self._status.clear_message(message)
