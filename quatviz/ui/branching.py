"""Edits that begin at the cursor: the run branches off there instead of starting anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from quatviz.core.events import sample_of
from quatviz.core.events.change import Change
from quatviz.core.events.lane_change import LaneChange
from quatviz.core.preset import Preset
from quatviz.simulation.segments import settings_of_run
from quatviz.simulation.simulation import lane_names
from quatviz.ui.branching_lanes import events_of_lanes, lanes_branched, lanes_in_force
from quatviz.ui.editing import Editor, Make, State
from quatviz.ui.tr import tr


class Branching(QObject):
    """While it is `on`, an edit of body, loads or dt becomes an event `change` at the cursor, one of a lane's step,
    stabilisation or J0 an event `lane_change`, and one of its formulation or integrator a lane beside it; all other edits,
    and those at t = 0, change the run from its start as ever."""

    changed = Signal()
    said = Signal(str, str)
    """A sentence for the status row, and the topic that explains it."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._beside = ""
        """The lane that the edit which is being made has put beside another."""
        self._known: tuple[State, int, State] | None = None
        """What was seen last: every frame asks."""
        self.on = False
        editor.apply = self._apply
        editor.changed.connect(self._tell)

    def set_on(self, on: bool) -> None:
        """Let edits begin at the cursor, or at the start."""
        if on != self.on:
            self.on = on
            self.changed.emit()

    def seen(self, state: State, time: float) -> State:
        """The state with body, loads, dt and lanes as edits at `time` [s] find them."""
        if not self.on:
            return state
        sample = _sample(state.preset, time)
        if self._known is None or self._known[0] is not state or self._known[1] != sample:
            self._known = (state, sample, in_force(state, sample))
        return self._known[2]

    def _apply(self, make: Make, state: State) -> State:
        at, self._beside = _sample(state.preset, self._editor.clock()), ""
        after = branched(make, state, at, self._note) if self.on and at > 0 else make(state)
        events = events_of_lanes(state.preset, after.preset)
        return after if events == after.preset.events else after.with_preset(events=events)

    def _note(self, lane: str) -> None:
        self._beside = lane

    def _tell(self) -> None:
        """Only what was not refused has changed the state."""
        if self._beside:
            self.said.emit(
                tr(
                    "A lane keeps its formulation and its integrator on its way: “{beside}” runs beside "
                    "it, from t = 0",
                    beside=self._beside,
                ),
                "",
            )
        self._beside = ""


def branched(
    make: Make, state: State, sample: int, beside: Callable[[str], None] = lambda lane: None
) -> State:
    """What `make` does to the state at a sample: what it changes of body, loads, dt and the settings of lanes as a branch
    there, the rest as ever. `beside` hears of a lane that was put beside the one that was edited."""
    seen = in_force(state, sample)
    after = make(seen)
    old, new, first = seen.preset, after.preset, state.preset
    pairs = (("body", old.body, new.body), ("loads", old.loads, new.loads), ("dt", old.run.dt, new.run.dt))
    changes = {name: value for name, before, value in pairs if value != before}
    run = replace(new.run, dt=first.run.dt)
    lanes, of_lanes = lanes_branched(first, old, new)
    whole = replace(new, body=first.body, loads=first.loads, run=run, lanes=lanes)
    if changes:
        whole = replace(whole, events=with_change(whole, sample, Change, changes))
    for lane, settings in of_lanes.items():
        whole = replace(whole, events=with_change(whole, sample, LaneChange, {"lane": lane, **settings}))
    display = after.display
    for _ in range(len(lanes) - len(new.lanes)):
        display = display.added()
        beside(lane_names(lanes)[-1])
    return State(whole, display)


def with_change(
    preset: Preset, sample: int, kind: type[Change | LaneChange], changes: dict[str, Any]
) -> tuple[Any, ...]:
    """The events of a preset and the `changes` at a sample: in the last of that kind there, of the same lane if it is of
    one, or in one of its own."""
    interval = preset.run.sample_interval
    events = list(preset.events)
    for number in reversed(range(len(events))):
        event = events[number]
        same = type(event) is kind and sample_of(event.at, interval) == sample
        if same and getattr(event, "lane", None) == changes.get("lane"):
            events[number] = replace(event, **changes)
            return tuple(events)
    return (*events, kind(at=float(f"{sample * interval:.12g}"), **changes))


def in_force(state: State, sample: int) -> State:
    """With the setting that holds at a sample."""
    preset = state.preset
    setting = [setting for first, setting in settings_of_run(preset) if first <= sample][-1]
    if setting.body == preset.body and setting.loads == preset.loads and setting.dt == preset.run.dt:
        fields: dict[str, Any] = {}
    else:
        run = replace(preset.run, dt=setting.dt)
        fields = {"body": setting.body, "loads": setting.loads, "run": run}
    if setting.lanes:
        fields["lanes"] = lanes_in_force(preset.lanes, setting.lanes)
    return state.with_preset(**fields) if fields else state


def _sample(preset: Preset, time: float) -> int:
    return round(time / preset.run.sample_interval)
