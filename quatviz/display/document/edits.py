"""Edits of a document state that come from menus or from the mouse. Each function returns a new state."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.display.document.state import State
from quatviz.display.view_state.view_state import ALL_OTHERS, is_panel_shown
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events import sample_index
from quatviz.physics.events.place import SetState
from quatviz.physics.loads import target_attitude
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.simulation import number_name


def add_lane(state: State, lane: Lane) -> State:
    """Return the state with `lane` added at the end, in an unused color."""
    with_lane = state.with_preset(lanes=(*state.preset.lanes, lane))
    return with_lane.with_lane_styles(state.lane_styles.with_lane_added())


def add_computed_lane(state: State, lane: Lane) -> State:
    """Return the state with a computed lane added at the end, on which `loads_of_new_lane` act in addition."""
    return add_lane(state, replace(lane, loads=(*lane.loads, *loads_of_new_lane(state.preset))))


def loads_of_new_lane(preset: Preset) -> tuple[Load, ...]:
    """Return the loads that a new lane needs in addition to those of the run, to compute the motion of the other lanes.

    These are the own loads that all computed lanes have in common. If every computed lane has controllers of its own,
    the controllers of the first lane are included. Otherwise nothing would control the new lane, and its motion would
    differ for this reason alone.
    """
    own_loads = [lane.loads for lane in preset.lanes if lane.recording is None]
    if not own_loads:
        return ()
    are_controlled = all(any(load.is_control for load in loads) for loads in own_loads)
    return tuple(
        load
        for load in own_loads[0]
        if (are_controlled and load.is_control) or all(load in loads for loads in own_loads)
    )


def duplicate_lane(state: State, index: int) -> State:
    """Return the state with a copy of a lane inserted after it. If the user has given the lane a name, the
    copy has the same name followed by a number that makes it unique."""
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


TARGET_ANGLE_PANEL = "target_angle"
"""Name of the panel with the angle to the target of a controller."""
_CONTROL_PANELS = (TARGET_ANGLE_PANEL, "euler_parameters", "omega", "torque")
"""Panels that replace the overview when a controller is added."""


def with_target_angle_shown(state: State) -> State:
    """Return the state with the panel of the angle to the target shown if a load has a target, unless the user has hidden
    this panel. The overview gives way to the panels for controllers."""
    view, preset = state.view_state, state.preset
    if view is None or target_attitude(_all_loads(preset)) is None:
        return state
    if view.overview:
        panels = {ALL_OTHERS: False, **dict.fromkeys(_CONTROL_PANELS, True)}
        return replace(state, view_state=replace(view, panels=panels, overview=False))
    if TARGET_ANGLE_PANEL in view.panels or is_panel_shown(view, TARGET_ANGLE_PANEL, True):
        return state
    return replace(state, view_state=replace(view, panels={**view.panels, TARGET_ANGLE_PANEL: True}))


def _all_loads(preset: Preset) -> list[Load]:
    """Return the loads of the run and of its lanes."""
    return [*preset.loads, *(load for lane in preset.lanes for load in lane.loads)]


def move_lane(state: State, index: int, offset: int) -> State:
    """Return the state with a lane moved down (`offset` = 1) or up (-1). The lane keeps its color and its
    display mode in 3D."""
    other = index + offset
    lanes = list(state.preset.lanes)
    lanes[index], lanes[other] = lanes[other], lanes[index]
    return state.with_preset(lanes=tuple(lanes)).with_lane_styles(
        state.lane_styles.with_lanes_swapped(index, other)
    )


def remove_lane(state: State, index: int) -> State:
    """Return the state without a lane."""
    lanes = list(state.preset.lanes)
    del lanes[index]
    without_lane = state.with_preset(lanes=tuple(lanes))
    return without_lane.with_lane_styles(state.lane_styles.with_lane_removed(index))


_SIGNIFICANT_DIGITS = 6
"""Significant digits of values set by mouse. Components of p get 12 digits instead, so that p stays normalized."""


def set_motion_state(
    state: State, sample: int, p: np.ndarray | None = None, omega: np.ndarray | None = None
) -> State:
    """Return the state in which the attitude or the angular velocity is set at a sample.

    At sample 0 the initial state changes. Later, a `SetState` event is added, or updated if it is the last event at
    this sample.

    Parameters
    ----------
    state
        State to edit.
    sample
        Index of the sample.
    p
        Euler parameters (4,), scalar first, body to space. They are normalized. None to keep the attitude.
    omega
        Angular velocity (3,) [rad/s] in the body frame. None to keep it.

    Returns
    -------
    State
        A changed copy.
    """
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
    """Return the initial state with new `values`. If the preset specifies angular momentum instead of angular velocity,
    the result does so too."""
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
    """Return the components `values` (n,), all rounded to the decimal place of the last significant digit of the
    largest one. Components of round-off size become zero."""
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
    """Return the vectors ω and h in space after one of them was dragged.

    The other vector follows from h = J ω. The angular momentum of a damper ring stays the same.

    Parameters
    ----------
    inertia
        J (3, 3) [kg m^2] in the body frame.
    rotation
        R (3, 3) from body to space.
    vectors
        "omega" (3,) [rad/s] and "h" (3,) [kg m^2/s], both in space.
    name
        The vector that was dragged: "omega" or "h".
    vector
        Its new value (3,), in space.
    """
    change = rotation.T @ (vector - vectors[name])
    other, change = (
        ("h", inertia @ change) if name == "omega" else ("omega", np.linalg.solve(inertia, change))
    )
    return {**vectors, name: vector, other: vectors[other] + rotation @ change}
