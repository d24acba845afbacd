"""Edits that begin at the cursor: the run branches off there instead of starting anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from quatviz.core.events import sample_of
from quatviz.core.events.change import Change
from quatviz.core.preset import Preset
from quatviz.simulation.segments import settings_of_run
from quatviz.ui.editing import Editor, Make, State


class Branching(QObject):
    """While it is `on`, an edit of body, loads or dt becomes an event `change` at the cursor; all other edits, and those
    at t = 0, change the run from its start as ever."""

    changed = Signal()

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.on = False
        editor.apply = self._apply

    def set_on(self, on: bool) -> None:
        """Let edits begin at the cursor, or at the start."""
        if on != self.on:
            self.on = on
            self.changed.emit()

    def seen(self, state: State, time: float) -> State:
        """The state with body, loads and dt as edits at `time` [s] find them."""
        return in_force(state, _sample(state.preset, time)) if self.on else state

    def _apply(self, make: Make, state: State) -> State:
        at = _sample(state.preset, self._editor.clock())
        return branched(make, state, at) if self.on and at > 0 else make(state)


def branched(make: Make, state: State, sample: int) -> State:
    """What `make` does to the state at a sample: what it changes of body, loads and dt as a branch there, the rest as
    ever."""
    seen = in_force(state, sample)
    after = make(seen)
    old, new, first = seen.preset, after.preset, state.preset
    pairs = (("body", old.body, new.body), ("loads", old.loads, new.loads), ("dt", old.run.dt, new.run.dt))
    changes = {name: value for name, before, value in pairs if value != before}
    whole = replace(new, body=first.body, loads=first.loads, run=replace(new.run, dt=first.run.dt))
    if changes:
        whole = replace(whole, events=with_change(whole, sample, changes))
    return State(whole, after.display)


def with_change(preset: Preset, sample: int, changes: dict[str, Any]) -> tuple[Any, ...]:
    """The events of a preset and the `changes` at a sample: in the last change there, or in one of its own."""
    interval = preset.run.sample_interval
    events = list(preset.events)
    for number in reversed(range(len(events))):
        event = events[number]
        if isinstance(event, Change) and sample_of(event.at, interval) == sample:
            events[number] = replace(event, **changes)
            return tuple(events)
    return (*events, Change(at=float(f"{sample * interval:.12g}"), **changes))


def in_force(state: State, sample: int) -> State:
    """With the setting that holds at a sample."""
    preset = state.preset
    setting = [setting for first, setting in settings_of_run(preset) if first <= sample][-1]
    if setting.body == preset.body and setting.loads == preset.loads and setting.dt == preset.run.dt:
        return state
    run = replace(preset.run, dt=setting.dt)
    return state.with_preset(body=setting.body, loads=setting.loads, run=run)


def _sample(preset: Preset, time: float) -> int:
    return round(time / preset.run.sample_interval)
