"""The single owner of how a run is shown."""

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
    """What was done, for the undo menu, in the middle of a sentence; empty if the change is not an undo step."""
    coalesces: bool = False
    """True if the change joins the undo step before it, if that has the same text."""


class ViewStore:
    """Holds the view state of one window.

    Every choice about how the run is shown is read from `state` and made by `update`: a signal of a widget calls `update`,
    and a slot that is connected to `changed` shows what changed. No widget holds a choice of its own.

    A document that has this store keeps the undo steps: it listens to `committed`, and restores a state with `assign`.

    >>> store = ViewStore()
    >>> store.changed.connect(lambda old, new: print(old.difference, "->", new.difference))
    >>> store.update(difference=True)
    False -> True
    """

    def __init__(self, state: ViewState | None = None) -> None:
        self._state = state or ViewState()
        self.changed = Signal()
        """Emitted with the states (old, new) after every change. A slot may call `update`: its change is delivered after this
        one has reached all slots."""
        self.committed = Signal()
        """Emitted with every `ViewChange` that is the user's, after `changed`: none while `is_recording` is False."""
        self.is_recording = True
        """False while a lesson shows its scenes: what changes then is neither an undo step nor saved."""
        self._queue: list[ViewChange] = []
        self._is_delivering = False

    @property
    def state(self) -> ViewState:
        """The state that is shown."""
        return self._state

    def update(self, text: str = "", coalesce: bool = False, **fields: Any) -> None:
        """Change fields of the state, as the user asks.

        Parameters
        ----------
        text
            What was done, for the undo menu ("hide “Energy”"). If it is empty, it follows from the fields that change.
        coalesce
            True if repeated changes are one undo step.
        **fields
            New values by the names of the fields of `ViewState`. A change that touches no undoable field is no undo step.
        """
        old, new = self._state, replace(self._state, **fields)
        if has_same_choices(old, new):
            self._deliver(ViewChange(old, new))
        else:
            self._deliver(ViewChange(old, new, text or describe_change(old, new), coalesce))

    def assign(self, state: ViewState) -> None:
        """Show another state altogether, without an undo step: that of a session, a lesson, or an undo step."""
        self._deliver(ViewChange(self._state, state))

    def _deliver(self, change: ViewChange) -> None:
        """Announce changes one after the other, though slots may ask for more; the first error is raised at the end."""
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
    """Emit a signal; the error of a slot, if one has failed."""
    try:
        signal.emit(*values)
    except PLUGIN_EXCEPTIONS as error:
        return [error]
    return []
