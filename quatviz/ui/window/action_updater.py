"""Keeps texts and states of actions current."""

from typing import Any

from PySide6.QtCore import QObject

from quatviz.display.document.document import Document, UndoStep
from quatviz.display.view_state.view_state import ViewState, has_same_choices
from quatviz.ui.transport.scrubber import Scrubber
from quatviz.ui.widgets.actions import ActionRegistry


class ActionUpdater(QObject):
    """Refreshes the actions of a window where its document or its view state changes, and the edits on the timeline with them."""

    def __init__(
        self, document: Document, registry: ActionRegistry[Any], scrubber: Scrubber, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._registry, self._scrubber = document, registry, scrubber
        self._last_step: UndoStep | None = None
        """The step that led to what is shown."""
        document.changed.connect(lambda _: self.update_undo())
        self.update_undo()

    def update_undo(self) -> None:
        """Say in menus and tool tips what undo and redo would do, and mark edits on the timeline."""
        last, self._last_step = self._last_step, self._document.steps[-1] if self._document.steps else None
        if self._last_step is not None and self._last_step.supersedes(last):
            return  # a hand is at it, and all this was said when it took hold
        self._registry.refresh()
        self._scrubber.show_edits(self._document.edit_markers)

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Refresh the actions where a choice that they show has changed."""
        if new.follow != old.follow or new.theme != old.theme or not has_same_choices(old, new):
            self._registry.refresh()
