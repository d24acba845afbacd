"""What can be done to a state, by menu or by hand: each edit makes another state of the one that is shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.display.document.state import State
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events import sample_index
from quatviz.physics.events.place import SetState
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.simulation import number_name


def add_lane(state: State, lane: Lane) -> State:
    """With `lane` at the end, in a colour that no other has."""
    with_lane = state.with_preset(lanes=(*state.preset.lanes, lane))
    return with_lane.with_lane_styles(state.lane_styles.with_lane_added())


def duplicate_lane(state: State, index: int) -> State:
    """With a twin of a lane behind it. A name that a person gave is numbered on, others number themselves."""
    lanes = list(state.preset.lanes)
    twin = lanes[index]
    if twin.name is not None:
        twin = replace(twin, name=number_name(twin.name, {lane.name for lane in lanes}))
    lanes.insert(index + 1, twin)
    last = len(lanes) - 1
    display = state.lane_styles.with_lane_added()
    for position in range(last, index + 1, -1):
        display = display.with_lanes_swapped(position, position - 1)
    return state.with_preset(lanes=tuple(lanes)).with_lane_styles(display)


def move_lane(state: State, index: int, offset: int) -> State:
    """With a lane one place further down (`by` = 1) or up (-1); its colour and its part in 3D go with it."""
    other = index + offset
    lanes = list(state.preset.lanes)
    lanes[index], lanes[other] = lanes[other], lanes[index]
    return state.with_preset(lanes=tuple(lanes)).with_lane_styles(
        state.lane_styles.with_lanes_swapped(index, other)
    )


def remove_lane(state: State, index: int) -> State:
    """Without a lane."""
    lanes = list(state.preset.lanes)
    del lanes[index]
    without_lane = state.with_preset(lanes=tuple(lanes))
    return without_lane.with_lane_styles(state.lane_styles.with_lane_removed(index))


_SIGNIFICANT_DIGITS = 6
"""Of what a hand can do; those of p keep it a unit."""


def set_motion_state(
    state: State, sample: int, p: np.ndarray | None = None, omega: np.ndarray | None = None
) -> State:
    """With Euler parameters p (4,), or angular velocity omega (3,) [rad/s, body], from a sample on. At the start that is the
    initial state; later an event `position`, one for all that is done by hand in a row."""
    preset = state.preset
    values: dict[str, Any] = {}
    if p is not None:
        values["euler_parameters"] = [float(f"{value:.12g}") for value in p / np.linalg.norm(p)]
    if omega is not None:
        values["angular_velocity"] = round_to_largest(omega)
    if sample == 0:
        return state.with_preset(initial=_initial_with(preset, values))
    interval = preset.run.sample_interval
    events = list(preset.events)
    event_indices = [n for n, event in enumerate(events) if sample_index(event.at, interval) == sample]
    last = events[event_indices[-1]] if event_indices else None
    if isinstance(last, SetState):
        events[event_indices[-1]] = replace(last, **values)
    else:
        events.append(SetState(at=float(f"{sample * interval:.12g}"), **values))
    return state.with_preset(events=tuple(events))


def _initial_with(preset: Preset, values: dict[str, Any]) -> Initial:
    """Given in the ways in which it was, where it can be."""
    initial, changed = preset.initial, {}
    if "euler_parameters" in values:
        changed = {"angles": None, "rotation_vector": None, "euler_parameters": values["euler_parameters"]}
    if "angular_velocity" in values:
        if initial.angular_momentum is None:
            changed["angular_velocity"] = values["angular_velocity"]
        else:
            changed["angular_momentum"] = round_to_largest(
                preset.body.initial_momentum(values["angular_velocity"])
            )
    return replace(initial, **changed)


def round_to_largest(values: np.ndarray) -> list[float]:
    """To a part of the largest, not of each: components that are nothing stay nothing."""
    largest = float(np.abs(values).max()) or 1.0
    digits = _SIGNIFICANT_DIGITS - 1 - int(np.floor(np.log10(largest)))
    return [round(float(value), digits) + 0.0 for value in values]


def drag_vector(
    inertia: np.ndarray,
    rotation: np.ndarray,
    vectors: Mapping[str, np.ndarray],
    name: str,
    vector: np.ndarray,
) -> dict[str, np.ndarray]:
    """The `vectors` (3,) of a pose in space with the one of `name`, "omega" [rad/s] or "h" [kg m^2/s], another one, and the
    other of the two as far from where it was as h = J omega has it: J (3, 3) [kg m^2] in the body, `rotation` (3, 3) from
    there to space. What a ring adds to h stays."""
    change = rotation.T @ (vector - vectors[name])
    other, change = (
        ("h", inertia @ change) if name == "omega" else ("omega", np.linalg.solve(inertia, change))
    )
    return {**vectors, name: vector, other: vectors[other] + rotation @ change}
