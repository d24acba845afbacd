"""What can be done to the lanes of a run: each edit makes another state of the one that is shown."""

from __future__ import annotations

from dataclasses import replace

from quatviz.core.preset import Lane
from quatviz.simulation.simulation import numbered
from quatviz.ui.editing import State


def added(state: State, lane: Lane) -> State:
    """With `lane` at the end, in a colour that no other has."""
    grown = state.with_preset(lanes=(*state.preset.lanes, lane))
    return grown.with_display(state.display.added())


def duplicated(state: State, index: int) -> State:
    """With a twin of a lane behind it. A name that a person gave is numbered on, others number themselves."""
    lanes = list(state.preset.lanes)
    twin = lanes[index]
    if twin.name is not None:
        twin = replace(twin, name=numbered(twin.name, {lane.name for lane in lanes}))
    lanes.insert(index + 1, twin)
    last = len(lanes) - 1
    display = state.display.added()
    for place in range(last, index + 1, -1):
        display = display.swapped(place, place - 1)
    return state.with_preset(lanes=tuple(lanes)).with_display(display)


def moved(state: State, index: int, by: int) -> State:
    """With a lane one place further down (`by` = 1) or up (-1); its colour and its part in 3D go with it."""
    other = index + by
    lanes = list(state.preset.lanes)
    lanes[index], lanes[other] = lanes[other], lanes[index]
    return state.with_preset(lanes=tuple(lanes)).with_display(state.display.swapped(index, other))


def removed(state: State, index: int) -> State:
    """Without a lane."""
    lanes = list(state.preset.lanes)
    del lanes[index]
    fewer = state.with_preset(lanes=tuple(lanes))
    return fewer.with_display(state.display.without(index))
