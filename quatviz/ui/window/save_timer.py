"""The timer that saves session and settings soon after a change, in case the process is killed."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from quatviz.display.document.autosave import Autosave
from quatviz.display.document.document import Document

_SAVE_DELAY_MS = 2000
"""Time between the first change and the save [ms]. All changes of a drag are saved at once."""


class SaveTimer(QTimer):
    """Single-shot timer that saves session and settings soon after a change of document, view state or window geometry.

    Parameters
    ----------
    parent
        Owner of the timer.
    document
        Document whose changes are saved, with its view state.
    autosave
        Writes the recovery file.
    save_settings
        Saves the settings of the window.
    """

    def __init__(
        self, parent: QObject, document: Document, autosave: Autosave, save_settings: Callable[[], object]
    ) -> None:
        super().__init__(parent, singleShot=True, interval=_SAVE_DELAY_MS)
        self._document, self._autosave, self._save_settings = document, autosave, save_settings
        self._is_connected = False
        self.timeout.connect(self.save)

    def begin(self) -> None:
        """Save changes from now on. Changes that were made while the window opened are saved too."""
        self._is_connected = True
        self._document.changed.connect(self.schedule)
        self._document.view.changed.connect(self.schedule)
        self.schedule()

    def end(self) -> None:
        """Stop the timer. Later changes are not saved."""
        self._is_connected = False
        self._document.changed.disconnect(self.schedule)
        self._document.view.changed.disconnect(self.schedule)
        self.stop()

    def schedule(self, *_: object) -> None:
        """Start the timer if it is not running, so that continual changes do not delay the save."""
        if self._is_connected and not self.isActive():
            self.start()

    def save(self) -> None:
        """Save the settings and request a save of the session. Restart the timer if the session is not written yet."""
        try:
            self._save_settings()
            self._autosave.save_if_changed()
        finally:
            if not self._autosave.is_settled:
                self.schedule()
