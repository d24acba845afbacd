"""What an edit of lanes is where it begins at the cursor, and events of lanes that are renamed or gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.core.events.base import Event
from quatviz.core.events.lane_change import SETTINGS, LaneChange
from quatviz.core.preset import Lane, Preset
from quatviz.simulation.lane_settings import BAUMGARTE_RATE
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
    cleared = {
        "dt": preset.run.dt,
        "stabilisation": "none",
        "alpha": BAUMGARTE_RATE if damped else None,
        "beta": BAUMGARTE_RATE if damped else None,
        "J0": float(np.trace(preset.body.inertia)) / 3.0,
    }
    return {key: cleared[key] if getattr(lane, key) is None else getattr(lane, key) for key in edited}
