"""The store that owns the view state of a window."""

from dataclasses import dataclass, replace
from typing import Any

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_state import ViewState, describe_change, has_same_choices


@dataclass(frozen=True)
class ViewChange:
    """One change of the view state, from `old` to `new`."""

    old: ViewState
    new: ViewState
    text: str = ""
    """Description for the undo menu that fits inside a sentence; "" if the change is not an undo step."""
    coalesces: bool = False
    """True if the change is merged with the previous undo step if that has the same text."""


class ViewStore:
    """The view state of one window.

    Every choice about how the run is shown is read from `state` and changed by `update`: a signal of a widget calls
    `update`, and a slot connected to `changed` applies the change. No widget stores a choice of its own.

    The document keeps the undo steps: it listens to `committed` and restores a state with `assign`.

    Examples
    --------
    >>> store = ViewStore()
    >>> store.changed.connect(lambda old, new: print(old.difference, "->", new.difference))
    >>> store.update(difference=True)
    False -> True
    """

    def __init__(self, state: ViewState | None = None) -> None:
        self._state = state or ViewState()
        self.changed = Signal()
        """Emitted with the states (old, new) after every change. A slot may call `update`. The resulting change
        is emitted after all slots have received the current change."""
        self.committed = Signal()
        """Emitted with each `ViewChange` made by the user, after `changed`; not while `is_recording` is False."""
        self.is_recording = True
        """False while a lesson shows its scenes. Changes are then not saved and are no undo steps."""
        self._queue: list[ViewChange] = []
        self._is_delivering = False

    @property
    def state(self) -> ViewState:
        """The current view state."""
        return self._state

    def update(self, text: str = "", coalesce: bool = False, **fields: Any) -> None:
        """Change fields of the view state.

        Parameters
        ----------
        text
            Description for the undo menu, such as "hide “Energy”". If it is empty, it is derived from the changed
            fields.
        coalesce
            True to merge repeated changes into one undo step.
        **fields
            New values by field name. A change without an undoable field is no undo step.
        """
        old, new = self._state, replace(self._state, **fields)
        if has_same_choices(old, new):
            self._deliver(ViewChange(old, new))
        else:
            self._deliver(ViewChange(old, new, text or describe_change(old, new), coalesce))

    def assign(self, state: ViewState) -> None:
        """Show another view state without an undo step, as for a session, a lesson, or undo."""
        self._deliver(ViewChange(self._state, state))

    def _deliver(self, change: ViewChange) -> None:
        """Emit the signals for a change, and then those for changes that slots have requested meanwhile. If slots raise
        errors, the first one is raised at the end."""
        if change.new == change.old:
            return
        self._state = change.new
        self._queue.append(change)
        if self._is_delivering:
            return
        errors: list[BaseException] = []
        self._is_delivering = True
        try:
            while self._queue:
                current = self._queue.pop(0)
                errors += _call(self.changed, current.old, current.new)
                if self.is_recording:
                    errors += _call(self.committed, current)
        finally:
            self._is_delivering = False
        if errors:
            raise errors[0]


def _call(signal: Signal, *values: object) -> list[BaseException]:
    """Emit a signal; return the errors of its slots."""
    try:
        signal.emit(*values)
    except PLUGIN_EXCEPTIONS as error:
        return [error]
    return []
