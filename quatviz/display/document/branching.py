"""What an edit of lanes is where it begins at the cursor, and events of lanes that are renamed or gone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.display.document.state import EditFunction, State
from quatviz.display.view_state.signal import Signal
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events import sample_index
from quatviz.physics.events.base import Event
from quatviz.physics.events.change import ChangeModel
from quatviz.physics.events.lane_change import LANE_SETTINGS, LaneChange
from quatviz.physics.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import BAUMGARTE_RATE, lane_tolerances
from quatviz.simulation.schedule import physical_configs
from quatviz.simulation.simulation import lane_names, number_name

_NEW_LANE_FIELDS = ("formulation", "integrator")
"""What makes another kind of state, or of step, of a lane."""


def lanes_with_settings(lanes: Sequence[Lane], settings: Mapping[str, Mapping[str, Any]]) -> tuple[Lane, ...]:
    """The lanes with what they set by then, by name; those that nothing has changed are the same ones."""
    names = lane_names(lanes)
    return tuple(
        _normalize_stabilization(replace(lane, **settings[name])) if name in settings else lane
        for name, lane in zip(names, lanes, strict=True)
    )


def branch_lanes(
    first: Preset, old: Preset, new: Preset
) -> tuple[tuple[Lane, ...], dict[str, dict[str, Any]]]:
    """The lanes of a run whose `first` lanes were seen as those of `old` and edited to those of `new`, and what each one by
    its name sets from the cursor on. A lane that has got another formulation or integrator stays, and has the edited one
    beside it, at the end."""
    old_indices = {id(lane): index for index, lane in enumerate(old.lanes)}
    lanes, new_lanes, changes = [], [], {}
    names = lane_names(first.lanes)
    for index, lane in enumerate(new.lanes):
        if id(lane) in old_indices:
            lanes.append(first.lanes[old_indices[id(lane)]])
        elif len(new.lanes) != len(old.lanes):
            lanes.append(lane)
        elif any(getattr(lane, key) != getattr(old.lanes[index], key) for key in _NEW_LANE_FIELDS):
            lanes.append(first.lanes[index])
            new_lanes.append(lane)
        else:
            before, first_lane = old.lanes[index], first.lanes[index]
            lanes.append(replace(lane, **{key: getattr(first_lane, key) for key in LANE_SETTINGS}))
            edited = [key for key in LANE_SETTINGS if getattr(lane, key) != getattr(before, key)]
            if edited:
                changes[names[index]] = _event_values(lane, edited, new)
    for lane in new_lanes:
        used_names = {other.name for other in lanes}
        name_conflicts = lane.name is not None and lane.name in used_names
        lanes.append(replace(lane, name=number_name(lane.name or "", used_names)) if name_conflicts else lane)
    return tuple(lanes), changes


def update_lane_events(before: Preset, after: Preset) -> tuple[Event, ...]:
    """The events of `after`, in which lanes that have another name than `before` are called by it; without those of lanes
    that are gone."""
    if before.lanes == after.lanes or not any(isinstance(event, LaneChange) for event in after.events):
        return tuple(after.events)
    new_names = _renamed_lanes(before.lanes, after.lanes)
    events: list[Event] = []
    for event in after.events:
        new_name = new_names.get(event.lane, event.lane) if isinstance(event, LaneChange) else None
        if isinstance(event, LaneChange) and new_name is not None:
            events.append(event if new_name == event.lane else replace(event, lane=new_name))
        elif not isinstance(event, LaneChange):
            events.append(event)
    return tuple(events)


def _renamed_lanes(before: Sequence[Lane], after: Sequence[Lane]) -> dict[str, str | None]:
    """What lanes are called now, by what they were called; None for those that are gone."""
    names: list[str] = lane_names(after)
    new_names: dict[str, str | None] = {}
    for index, (lane, name) in enumerate(zip(before, lane_names(before), strict=True)):
        matches = [position for position, other in enumerate(after) if other is lane]
        if len(after) == len(before) and not matches:
            matches = [index]
        new_names[name] = names[index if index in matches else matches[0]] if matches else None
    return new_names


def _normalize_stabilization(lane: Lane) -> Lane:
    """With nothing in place of the stabilisation "none", as forms have it."""
    return replace(lane, stabilisation=None) if lane.stabilisation == "none" else lane


def _event_values(lane: Lane, edited: Sequence[str], preset: Preset) -> dict[str, Any]:
    """What a lane sets, in words that an event can hold: a field that was cleared has the value that it then stands for."""
    is_baumgarte = lane.stabilisation == "baumgarte"
    method = INTEGRATORS.get(lane.integrator or preset.run.integrator)
    tolerances = lane_tolerances(lane, preset.run, method) if method is not None else None
    defaults = {
        **dict(zip(("rtol", "atol"), tolerances or (None, None), strict=True)),
        "dt": preset.run.dt,
        "stabilisation": "none",
        "alpha": BAUMGARTE_RATE if is_baumgarte else None,
        "beta": BAUMGARTE_RATE if is_baumgarte else None,
        "J0": float(np.trace(preset.body.inertia)) / 3.0,
    }
    return {key: defaults[key] if getattr(lane, key) is None else getattr(lane, key) for key in edited}


class Branching:
    """While it is `on`, an edit of body, loads or dt becomes an event `change` at the cursor, one of a lane's step,
    tolerance, stabilisation or J0 an event `lane_change`, and one of its formulation or integrator a lane beside it; all other
    edits, and those at t = 0, change the run from its start as ever."""

    def __init__(self) -> None:
        self.is_enabled = False
        self.changed = Signal()
        self._cached: tuple[State, int, State] | None = None
        """What was seen last: every frame asks."""

    def set_enabled(self, enabled: bool) -> None:
        """Let edits begin at the cursor, or at the start."""
        if enabled != self.is_enabled:
            self.is_enabled = enabled
            self.changed.emit()

    def state_at(self, state: State, time: float) -> State:
        """The state with body, loads, dt and lanes as edits at `time` [s] find them."""
        if not self.is_enabled:
            return state
        sample = _sample_index(state.preset, time)
        if self._cached is None or self._cached[0] is not state or self._cached[1] != sample:
            self._cached = (state, sample, state_at_sample(state, sample))
        return self._cached[2]

    def apply_edit(self, edit: EditFunction, state: State, time: float) -> tuple[State, str]:
        """What an edit at `time` [s] makes of a state, and the name of the lane that it has put beside another, if any."""
        sample = _sample_index(state.preset, time)
        added_lanes: list[str] = []
        after = (
            branch_edit(edit, state, sample, added_lanes.append)
            if self.is_enabled and sample > 0
            else edit(state)
        )
        events = update_lane_events(state.preset, after.preset)
        after = after if events == after.preset.events else after.with_preset(events=events)
        return after, added_lanes[-1] if added_lanes else ""


def branch_edit(
    edit: EditFunction,
    state: State,
    sample: int,
    report_added_lane: Callable[[str], None] = lambda lane: None,
) -> State:
    """What `edit` does to the state at a sample: what it changes of body, loads, dt and the settings of lanes as a branch
    there, the rest as ever. `report_added_lane` hears of a lane that was put beside the one that was edited."""
    edited_state = state_at_sample(state, sample)
    after = edit(edited_state)
    old, new, start_preset = edited_state.preset, after.preset, state.preset
    fields = (("body", old.body, new.body), ("loads", old.loads, new.loads), ("dt", old.run.dt, new.run.dt))
    changes = {name: value for name, before, value in fields if value != before}
    run = replace(new.run, dt=start_preset.run.dt)
    _refuse_lane_edits_at_cursor(old, new)
    lanes, lane_changes = branch_lanes(start_preset, old, new)
    preset = replace(new, body=start_preset.body, loads=start_preset.loads, run=run, lanes=lanes)
    if changes:
        preset = replace(preset, events=with_change(preset, sample, ChangeModel, changes))
    for lane, settings in lane_changes.items():
        preset = replace(preset, events=with_change(preset, sample, LaneChange, {"lane": lane, **settings}))
    display = after.lane_styles
    for _ in range(len(lanes) - len(new.lanes)):
        display = display.with_lane_added()
        report_added_lane(lane_names(lanes)[-1])
    return State(preset, display)


def _refuse_lane_edits_at_cursor(old: Preset, new: Preset) -> None:
    """Refuse what a lane can have from the start only: an edit that holds from the cursor would act from the start."""
    if len(old.lanes) != len(new.lanes):
        return
    for n, (before, after) in enumerate(zip(old.lanes, new.lanes, strict=True)):
        for key, words in (("loads", phrase("loads of one lane")), ("equations", phrase("typed equations"))):
            if before.formulation == after.formulation and getattr(before, key) != getattr(after, key):
                raise InputError(
                    expected=phrase("an edit from the start: {what} hold for the whole run", what=words),
                    found="an edit at the cursor", remedy="let edits hold from the start, above the body",
                    key=f"lanes[{n}].{key}", topic="own#a-torque-law",
                )  # fmt: skip


def with_change(
    preset: Preset, sample: int, event_class: type[ChangeModel | LaneChange], changes: dict[str, Any]
) -> tuple[Any, ...]:
    """The events of a preset and the `changes` at a sample: in the last of that kind there, of the same lane if it is of
    one, or in one of its own."""
    interval = preset.run.sample_interval
    events = list(preset.events)
    for index in reversed(range(len(events))):
        event = events[index]
        matches = type(event) is event_class and sample_index(event.at, interval) == sample
        if matches and getattr(event, "lane", None) == changes.get("lane"):
            events[index] = replace(event, **changes)
            return tuple(events)
    return (*events, event_class(at=float(f"{sample * interval:.12g}"), **changes))


def state_at_sample(state: State, sample: int) -> State:
    """With the setting that holds at a sample."""
    preset = state.preset
    setting = [setting for first, setting in physical_configs(preset) if first <= sample][-1]
    if setting.body == preset.body and setting.loads == preset.loads and setting.dt == preset.run.dt:
        fields: dict[str, Any] = {}
    else:
        run = replace(preset.run, dt=setting.dt)
        fields = {"body": setting.body, "loads": setting.loads, "run": run}
    if setting.lanes:
        fields["lanes"] = lanes_with_settings(preset.lanes, setting.lanes)
    return state.with_preset(**fields) if fields else state


def _sample_index(preset: Preset, time: float) -> int:
    return round(time / preset.run.sample_interval)
