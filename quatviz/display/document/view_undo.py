"""Making a step of what changes of how a window shows its run, and showing it as it was at another."""

from collections.abc import Mapping
from typing import Protocol

from quatviz.display.document.document import Document
from quatviz.display.view_state.view_state import (
    ViewState,
    describe_change,
    is_coalescible,
    undoable_part,
    with_undoable_part,
)


class ViewStateHost(Protocol):
    """What is asked of a window."""

    document: Document

    @property
    def view_state(self) -> ViewState: ...
    @property
    def lesson_active(self) -> bool:
        """Whether a lesson has it: what it shows is not a person's wish."""

    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""

    def apply(self, view_state: ViewState) -> None: ...


class ViewUndoRecorder:
    """Compares, from `start` to `stop`, what the window shows with what the document knows of it. It rests while a lesson has the
    window."""

    def __init__(self, window: ViewStateHost) -> None:
        self._window, self._is_recording = window, False
        window.document.about_to_change.connect(self.record)

    def start(self) -> None:
        """From now on a change is a step."""
        self._is_recording = True

    def stop(self) -> None:
        """The window closes."""
        self._is_recording = False

    def record(self) -> None:
        """Let the document know how the run is shown by now."""
        if not self._is_recording or self._window.lesson_active:
            return
        document, view_state = self._window.document, undoable_part(self._window.view_state)
        before = document.state.view_state
        if before is None or view_state != undoable_part(before):
            description = "" if before is None else describe_change(before, view_state, *self._window.titles)
            document.record_view_change(
                view_state, description, before is not None and is_coalescible(before, view_state)
            )

    def restore(self, chosen: ViewState | None) -> None:
        """Show the run as it was shown at the step that the document has come to."""
        if chosen is not None and self._is_recording and not self._window.lesson_active:
            view_state = self._window.view_state
            if undoable_part(view_state) != chosen:
                self._window.apply(with_undoable_part(view_state, chosen))
                self._window.document.set_view_state(
                    undoable_part(self._window.view_state)
                )  # a screen may have no room for all of it
