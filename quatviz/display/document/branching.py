"""Edits that apply at the cursor, and the update of lane events when lanes are renamed or removed."""

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
"""Lane fields that determine the state vector or the stepper. They cannot change during a run."""


def lanes_with_settings(lanes: Sequence[Lane], settings: Mapping[str, Mapping[str, Any]]) -> tuple[Lane, ...]:
    """Return the lanes with the changes in `settings`, which maps lane names to new field values. Lanes
    without changes stay the same objects."""
    names = lane_names(lanes)
    return tuple(
        _normalize_stabilization(replace(lane, **settings[name])) if name in settings else lane
        for name, lane in zip(names, lanes, strict=True)
    )


def branch_lanes(
    first: Preset, old: Preset, new: Preset
) -> tuple[tuple[Lane, ...], dict[str, dict[str, Any]]]:
    """Split an edit of lanes into the lanes of the run and the settings that apply from the cursor on.

    A lane whose formulation or integrator was edited stays unchanged, and the edited version is added as a
    new lane at the end.

    Parameters
    ----------
    first
        Preset of the run, with the lanes as they are at t = 0.
    old
        Preset that the edit received, with the lanes as they are at the cursor.
    new
        Preset that the edit returned.

    Returns
    -------
    tuple
        The lanes of the run, and the changed settings by lane name.
    """
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
    """Return the events of `after`, with renamed lanes updated and without events of removed lanes."""
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
    """Return the new name of each lane by its old name; None for removed lanes."""
    names: list[str] = lane_names(after)
    new_names: dict[str, str | None] = {}
    for index, (lane, name) in enumerate(zip(before, lane_names(before), strict=True)):
        matches = [position for position, other in enumerate(after) if other is lane]
        if len(after) == len(before) and not matches:
            matches = [index]
        new_names[name] = names[index if index in matches else matches[0]] if matches else None
    return new_names


def _normalize_stabilization(lane: Lane) -> Lane:
    """Return the lane with the stabilization None instead of "none", which a form stores if the user chooses no
    stabilization."""
    return replace(lane, stabilisation=None) if lane.stabilisation == "none" else lane


def _event_values(lane: Lane, edited: Sequence[str], preset: Preset) -> dict[str, Any]:
    """Return the new values of the `edited` fields of a lane, as an event stores them. A field that the user has
    cleared gets its default value for this lane and preset."""
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
    """Rule by which edits become events at the cursor while it is enabled.

    An edit of body, loads or dt becomes an event `change` at the cursor. An edit of a lane's step, tolerance,
    stabilization or J0 becomes an event `lane_change`. An edit of a formulation or integrator adds a lane.
    All other edits, and edits at t = 0, change the run from its start.
    """

    def __init__(self) -> None:
        self.is_enabled = False
        self.changed = Signal()
        self._cached: tuple[State, int, State] | None = None
        """Cache of the last arguments and the last result of `state_at`, which is called in every frame."""

    def set_enabled(self, enabled: bool) -> None:
        """Apply edits at the cursor (True) or from the start (False)."""
        if enabled != self.is_enabled:
            self.is_enabled = enabled
            self.changed.emit()

    def state_at(self, state: State, time: float) -> State:
        """Return the state with the body, loads, dt and lanes that apply at `time` [s]."""
        if not self.is_enabled:
            return state
        sample = _sample_index(state.preset, time)
        if self._cached is None or self._cached[0] is not state or self._cached[1] != sample:
            self._cached = (state, sample, state_at_sample(state, sample))
        return self._cached[2]

    def apply_edit(self, edit: EditFunction, state: State, time: float) -> tuple[State, str]:
        """Apply an edit at `time` [s]; return the new state and the name of a lane that was added, or ""."""
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
    """Return the state after an edit at a sample.

    Changes of body, loads, dt and lane settings become events at the sample; all other changes apply from the
    start. `report_added_lane` receives the name of each lane that was added beside an edited one.
    """
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
    """Refuse to change a lane's loads or typed equations at the cursor. A lane has the same loads and equations during the whole
    run, so that the edit would also change the part before the cursor."""
    if len(old.lanes) != len(new.lanes):
        return
    for n, (before, after) in enumerate(zip(old.lanes, new.lanes, strict=True)):
        for key, words in (("loads", phrase("loads of one lane")), ("equations", phrase("typed equations"))):
            if before.formulation == after.formulation and getattr(before, key) != getattr(after, key):
                raise InputError(
                    expected=phrase("an edit from the start: {settings} apply to the whole run", settings=words),
                    found="an edit at the cursor", remedy="select “Apply edits: from the start” above the body",
                    key=f"lanes[{n}].{key}", topic="own#a-torque-law",
                )  # fmt: skip


def with_change(
    preset: Preset, sample: int, event_class: type[ChangeModel | LaneChange], changes: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the events of a preset with `changes` added at a sample.

    The changes are merged into the last event of this class, and of this lane, at the sample; without such an
    event, a new one is added.
    """
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
    """Return the state with the body, loads, dt and lane settings that apply at a sample."""
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
