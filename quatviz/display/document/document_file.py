"""The file in which a document is saved."""

from pathlib import Path
from typing import Any

from quatviz.display.view_state.view_state import choices_of
from quatviz.files.files import file_signature


class DocumentFile:
    """Path of a document and the content that was saved there.

    All states that derive from one opened run share this object, so that it follows undo and redo: undoing past an
    opened run returns to the file of the previous run. A run that is opened, pasted or started anew gets another
    object.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        """Path of the session file; None until the document is saved, or if it was not opened from a session file."""
        self._signature: tuple[int, int] | None = None
        """Modification time and size of the file when this document was last read from it or written to it."""
        self._saved_content: Any = None

    def mark_saved(
        self, state: Any, path: Path | None = None, signature: tuple[int, int] | None = None
    ) -> None:
        """Record that `state` is saved in `path`. Without a path, it counts as the first state of the document.

        `signature` is that of the file when `state` was read from it (default: its signature now).
        """
        if path is not None:
            self.path, self._signature = path, signature or file_signature(path)
        self._saved_content = _content(state)

    def mark_unsaved(self) -> None:
        """Record that this document is saved in no file."""
        self._saved_content = None

    def is_modified(self, state: Any) -> bool:
        """Return True if `state` differs from the saved state, or from the first one if it was never saved."""
        return self._saved_content is None or _content(state) != self._saved_content

    def is_run_modified(self, state: Any) -> bool:
        """Return True if the run of `state` differs from that of the saved state. Their view states are not compared."""
        return self._saved_content is None or state.preset != self._saved_content[0]

    @property
    def was_changed_elsewhere(self) -> bool:
        """True if another program or another window has written to the file since this document read or wrote it."""
        return self.path is not None and file_signature(self.path) not in (None, self._signature)


def _content(state: Any) -> tuple[Any, ...]:
    """Return the parts of a state that a session file stores and that only the user changes."""
    view = None if state.view_state is None else choices_of(state.view_state)
    return state.preset, state.lane_styles, view
