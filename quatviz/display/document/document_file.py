"""The file in which a document is kept."""

from pathlib import Path
from typing import Any

from quatviz.display.view_state.view_state import choices_of
from quatviz.files.files import file_signature


class DocumentFile:
    """Where one document is saved, and what was saved there.

    All states that follow from one opened run by edits share this object, so that it follows undo and redo: a state of the
    run that was open before belongs to the file of that run. A run that is opened, pasted or begun anew has another one.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        """None until the document is saved, or if it was not opened from a session file."""
        self._signature: tuple[int, int] | None = None
        """Time and size of the file when this document was read from it or written to it."""
        self._saved_content: Any = None

    def mark_saved(self, state: Any, path: Path | None = None) -> None:
        """Note that `state` is what the file has; without `path`, that it is how the document began."""
        if path is not None:
            self.path, self._signature = path, file_signature(path)
        self._saved_content = _content(state)

    def mark_unsaved(self) -> None:
        """Note that no file has this document."""
        self._saved_content = None

    def is_modified(self, state: Any) -> bool:
        """Return True if `state` differs from what was saved, or from how the document began."""
        return self._saved_content is None or _content(state) != self._saved_content

    @property
    def was_changed_elsewhere(self) -> bool:
        """True if another program, or another window, has written to the file since."""
        return self.path is not None and file_signature(self.path) not in (None, self._signature)


def _content(state: Any) -> tuple[Any, ...]:
    """What a session file keeps of a state, but for what changes without the user."""
    view = None if state.view_state is None else choices_of(state.view_state)
    return state.preset, state.lane_styles, view
