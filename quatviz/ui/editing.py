"""What a person edits, and the way back: every change is a step on one undo stack."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.ui import undo_limit
from quatviz.ui.display import Display
from quatviz.ui.tr import told, tr
from quatviz.ui.undo_limit import weight

log = logging.getLogger(__name__)

_STEPS = 200
"""How many steps can be undone, if they fit into `undo_limit.BYTES`."""


@dataclass(frozen=True)
class State:
    """All that edits change: what is computed, and how its lanes are shown."""

    preset: Preset
    display: Display

    @classmethod
    def of(cls, preset: Preset) -> State:
        """A preset as it is first shown."""
        return cls(preset, Display.of(len(preset.lanes)))

    def with_preset(self, **fields: Any) -> State:
        """With fields of the preset replaced; the lanes stay the same ones."""
        return State(replace(self.preset, **fields), self.display)

    def with_display(self, display: Display) -> State:
        """With the lanes shown in another way."""
        return State(self.preset, display)


Make = Callable[[State], State]


class Editor(QObject):
    """Holds the state. `show` makes the window show another one, or raises a `Refusal` and changes nothing."""

    changed = Signal(object)
    """The `State` that is shown now."""
    refused = Signal(str, str)
    """A step of undo or redo could not be shown."""
    forgot = Signal(str)
    """The oldest steps cannot be undone any more; why."""

    def __init__(self, state: State, show: Callable[[State], None]) -> None:
        super().__init__()
        self.state = state
        self._show = show
        self.clock: Callable[[], float] = lambda: 0.0
        """Where the cursor is [s], to remember with each step."""
        self.apply: Callable[[Make, State], State] = lambda make, state: make(state)
        """How an edit makes another state of one: from the start of the run, or from the cursor on."""
        self.proposing = False
        """Whether what is shown is a new step, neither undone nor redone."""
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(_STEPS)

    @property
    def steps(self) -> list[Step]:
        """What led to the state that is shown: every step taken and not undone."""
        commands = (self.stack.command(index) for index in range(self.stack.index()))
        return [step for step in commands if isinstance(step, Step)]

    def propose(self, text: str, make: Make, anew: bool = False) -> Refusal | None:
        """Show what `make` makes of the state, as one step called `text`; the refusal where it cannot be shown.

        `anew` says that it is another run altogether.
        Making the new state may raise a `Refusal` too: whatever is refused leaves everything as it was.
        """
        before, time = self.state, self.clock()
        try:
            after = make(before) if anew else self.apply(make, before)
            if after == before:
                return None
            self.proposing = True
            self._show(after)
        except Refusal as refusal:
            return refusal
        finally:
            self.proposing = False
        self._take(after)
        self.stack.push(Step(text, self, before, after, time))
        self._forget_oldest()
        return None

    def go(self, state: State) -> None:
        """Show a state that was shown before."""
        try:
            self._show(state)
        except Refusal as refusal:
            log.warning("a step could not be taken: %s", refusal)
            self.refused.emit(f"{told(refusal.place)}: {told(refusal.found)}", refusal.topic)
        else:
            self._take(state)

    def close(self) -> None:
        """Forget all steps, while there is a window to hear of it."""
        self.stack.clear()

    def _forget_oldest(self) -> None:
        """Keep as many of the newest steps as fit into memory. Qt's stack forgets by their number only: it is filled anew."""
        steps = self.steps
        total, first = sum(step.weight for step in steps), 0
        while total > undo_limit.BYTES and first < len(steps) - 1:
            total -= steps[first].weight
            first += 1
        if first == 0:
            return
        kept = [Step(step.text(), self, step.before, step.after, step.time) for step in steps[first:]]
        before = self.stack.blockSignals(True)  # nobody is to hear of an empty one
        self.stack.clear()
        for step in kept[:-1]:
            self.stack.push(step)
        self.stack.blockSignals(before)
        self.stack.push(kept[-1])
        mega = undo_limit.BYTES // 2**20
        self.forgot.emit(
            tr("The oldest steps cannot be undone any more: all together took more than {mega} MB", mega=mega)
        )

    def _take(self, state: State) -> None:
        self.state = state
        self.changed.emit(state)


class Step(QUndoCommand):
    """From one state to another, with the cursor at `time` [s].

    The stack calls `redo` when it takes the step, which has been made by then.
    """

    def __init__(self, text: str, editor: Editor, before: State, after: State, time: float) -> None:
        super().__init__(text)
        self._editor, self.before, self.after, self.time = editor, before, after, time
        self.weight = weight(after, before)
        """Bytes that it adds to what the steps keep."""
        self._made = True

    def redo(self) -> None:
        if not self._made:
            self._editor.go(self.after)
        self._made = False

    def undo(self) -> None:
        self._editor.go(self.before)
