"""What the window says: sentences in the status row, which screen readers are told of too."""

from PySide6.QtCore import QObject

from quatviz.base.errors import InputError
from quatviz.base.translation import translated_error
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.files.preset import Preset
from quatviz.ui.window.status_row import Narrator, StatusRow


class WindowMessages(QObject):
    """Shows messages of the document and of the parts of its window, and takes back those that hold no longer."""

    def __init__(self, document: Document, status: StatusRow, narrator: Narrator) -> None:
        super().__init__(status)
        self._document, self._status, self._narrator = document, status, narrator
        self._run_message: tuple[str, Preset | None] = "", None
        """The last message of the document, and the run that it is about."""
        self._refusal_message = ""
        document.message_emitted.connect(self._show_run_message)
        document.changed.connect(self._clear_outdated)

    def show(self, message: str, topic: str = "") -> None:
        """Show a sentence in the status row, with a link where a topic of the help explains it."""
        self._status.show_message(message, topic)
        self._narrator.announce(message)

    def explain(self, refusal: InputError | None) -> None:
        """Say why something cannot be; None takes back what was said so last."""
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
        """Take back what was said of a run that is another by now, such as of an edit that is undone."""
        message, preset = self._run_message
        if preset is not state.preset:
            self._status.clear_message(message)
