"""What an edit of lanes is where it begins at the cursor, and events of lanes that are renamed or gone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.display.document.state import Make, State
from quatviz.display.view_state.signal import Told
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events import sample_of
from quatviz.physics.events.base import Event
from quatviz.physics.events.change import Change
from quatviz.physics.events.lane_change import SETTINGS, LaneChange
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import BAUMGARTE_RATE, tolerances_of
from quatviz.simulation.schedule import settings_of_run
from quatviz.simulation.simulation import lane_names, numbered

_KINDS = ("formulation", "integrator")
"""What makes another kind of state, or of step, of a lane."""


def lanes_in_force(lanes: Sequence[Lane], settings: Mapping[str, Mapping[str, Any]]) -> tuple[Lane, ...]:
    """The lanes with what they set by then, by name; those that nothing has changed are the same ones."""
    names = lane_names(lanes)
    return tuple(
        _plain(replace(lane, **settings[name])) if name in settings else lane
        for name, lane in zip(names, lanes, strict=True)
    )


def lanes_branched(
    first: Preset, old: Preset, new: Preset
) -> tuple[tuple[Lane, ...], dict[str, dict[str, Any]]]:
    """The lanes of a run whose `first` lanes were seen as those of `old` and edited to those of `new`, and what each one by
    its name sets from the cursor on. A lane that has got another formulation or integrator stays, and has the edited one
    beside it, at the end."""
    places = {id(lane): place for place, lane in enumerate(old.lanes)}
    lanes, beside, changes = [], [], {}
    names = lane_names(first.lanes)
    for place, lane in enumerate(new.lanes):
        if id(lane) in places:
            lanes.append(first.lanes[places[id(lane)]])
        elif len(new.lanes) != len(old.lanes):
            lanes.append(lane)
        elif any(getattr(lane, key) != getattr(old.lanes[place], key) for key in _KINDS):
            lanes.append(first.lanes[place])
            beside.append(lane)
        else:
            before, own = old.lanes[place], first.lanes[place]
            lanes.append(replace(lane, **{key: getattr(own, key) for key in SETTINGS}))
            edited = [key for key in SETTINGS if getattr(lane, key) != getattr(before, key)]
            if edited:
                changes[names[place]] = _said(lane, edited, new)
    for lane in beside:
        taken = {other.name for other in lanes}
        named = lane.name is not None and lane.name in taken
        lanes.append(replace(lane, name=numbered(lane.name or "", taken)) if named else lane)
    return tuple(lanes), changes


def events_of_lanes(before: Preset, after: Preset) -> tuple[Event, ...]:
    """The events of `after`, in which lanes that have another name than `before` are called by it; without those of lanes
    that are gone."""
    if before.lanes == after.lanes or not any(isinstance(event, LaneChange) for event in after.events):
        return tuple(after.events)
    called = _called_now(before.lanes, after.lanes)
    events: list[Event] = []
    for event in after.events:
        now = called.get(event.lane, event.lane) if isinstance(event, LaneChange) else None
        if isinstance(event, LaneChange) and now is not None:
            events.append(event if now == event.lane else replace(event, lane=now))
        elif not isinstance(event, LaneChange):
            events.append(event)
    return tuple(events)


def _called_now(before: Sequence[Lane], after: Sequence[Lane]) -> dict[str, str | None]:
    """What lanes are called now, by what they were called; None for those that are gone."""
    names: list[str] = lane_names(after)
    called: dict[str, str | None] = {}
    for place, (lane, name) in enumerate(zip(before, lane_names(before), strict=True)):
        found = [now for now, other in enumerate(after) if other is lane]
        if len(after) == len(before) and not found:
            found = [place]
        called[name] = names[place if place in found else found[0]] if found else None
    return called


def _plain(lane: Lane) -> Lane:
    """With nothing in place of the stabilisation "none", as forms have it."""
    return replace(lane, stabilisation=None) if lane.stabilisation == "none" else lane


def _said(lane: Lane, edited: Sequence[str], preset: Preset) -> dict[str, Any]:
    """What a lane sets, in words that an event can hold: a field that was cleared has the value that it then stands for."""
    damped = lane.stabilisation == "baumgarte"
    method = INTEGRATORS.get(lane.integrator or preset.run.integrator)
    tolerances = tolerances_of(lane, preset.run, method) if method is not None else None
    cleared = {
        **dict(zip(("rtol", "atol"), tolerances or (None, None), strict=True)),
        "dt": preset.run.dt,
        "stabilisation": "none",
        "alpha": BAUMGARTE_RATE if damped else None,
        "beta": BAUMGARTE_RATE if damped else None,
        "J0": float(np.trace(preset.body.inertia)) / 3.0,
    }
    return {key: cleared[key] if getattr(lane, key) is None else getattr(lane, key) for key in edited}


class Branching:
    """While it is `on`, an edit of body, loads or dt becomes an event `change` at the cursor, one of a lane's step,
    tolerance, stabilisation or J0 an event `lane_change`, and one of its formulation or integrator a lane beside it; all other
    edits, and those at t = 0, change the run from its start as ever."""

    def __init__(self) -> None:
        self.on = False
        self.changed = Told()
        self._known: tuple[State, int, State] | None = None
        """What was seen last: every frame asks."""

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

    def applied(self, make: Make, state: State, time: float) -> tuple[State, str]:
        """What an edit at `time` [s] makes of a state, and the name of the lane that it has put beside another, if any."""
        at = _sample(state.preset, time)
        beside: list[str] = []
        after = branched(make, state, at, beside.append) if self.on and at > 0 else make(state)
        events = events_of_lanes(state.preset, after.preset)
        after = after if events == after.preset.events else after.with_preset(events=events)
        return after, beside[-1] if beside else ""


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
