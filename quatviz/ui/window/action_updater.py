"""Updates of the window's actions after changes of the document or view state."""

from typing import Any

from PySide6.QtCore import QObject

from quatviz.display.document.document import Document, UndoStep
from quatviz.display.view_state.view_state import ViewState, has_same_choices
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.actions import ActionRegistry


class ActionUpdater(QObject):
    """Updater of the window's actions and of the edit markers on the timeline. It reacts to changes of document and view
    state."""

    def __init__(
        self, document: Document, registry: ActionRegistry[Any], scrubber: Scrubber, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._registry, self._scrubber = document, registry, scrubber
        self._last_step: UndoStep | None = None
        """Last undo step at the previous update. Further steps of the same drag need no update."""
        document.changed.connect(lambda _: self.update_undo())
        self.update_undo()

    def update_undo(self) -> None:
        """Update the texts of the actions Undo and Redo, and the edit markers on the timeline."""
        last, self._last_step = self._last_step, self._document.steps[-1] if self._document.steps else None
        if self._last_step is not None and self._last_step.supersedes(last):
            return  # during a drag nothing changes here after the first step
        self._registry.refresh()
        self._scrubber.show_edits(self._document.edit_markers)

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Refresh the actions after a change of the view state that affects which actions are checked."""
        if new.follow != old.follow or new.theme != old.theme or not has_same_choices(old, new):
            self._registry.refresh()
