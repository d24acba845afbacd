"""What can be done to a state, by menu or by hand: each edit makes another state of the one that is shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.display.document.state import State
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events import sample_of
from quatviz.physics.events.place import Place
from quatviz.physics.mechanics.initial import Initial
from quatviz.simulation.simulation import numbered


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


_DIGITS = 6
"""Of what a hand can do; those of p keep it a unit."""


def placed(state: State, sample: int, p: np.ndarray | None = None, omega: np.ndarray | None = None) -> State:
    """With Euler parameters p (4,), or angular velocity omega (3,) [rad/s, body], from a sample on. At the start that is the
    initial state; later an event `place`, one for all that is done by hand in a row."""
    preset = state.preset
    given: dict[str, Any] = {}
    if p is not None:
        given["euler_parameters"] = [float(f"{value:.12g}") for value in p / np.linalg.norm(p)]
    if omega is not None:
        given["angular_velocity"] = rounded(omega)
    if sample == 0:
        return state.with_preset(initial=_initial(preset, given))
    interval = preset.run.sample_interval
    events = list(preset.events)
    there = [n for n, event in enumerate(events) if sample_of(event.at, interval) == sample]
    last = events[there[-1]] if there else None
    if isinstance(last, Place):
        events[there[-1]] = replace(last, **given)
    else:
        events.append(Place(at=float(f"{sample * interval:.12g}"), **given))
    return state.with_preset(events=tuple(events))


def _initial(preset: Preset, given: dict[str, Any]) -> Initial:
    """Given in the ways in which it was, where it can be."""
    initial, changed = preset.initial, {}
    if "euler_parameters" in given:
        changed = {"angles": None, "rotation_vector": None, "euler_parameters": given["euler_parameters"]}
    if "angular_velocity" in given:
        if initial.angular_momentum is None:
            changed["angular_velocity"] = given["angular_velocity"]
        else:
            changed["angular_momentum"] = rounded(preset.body.inertia @ given["angular_velocity"])
    return replace(initial, **changed)


def rounded(values: np.ndarray) -> list[float]:
    """To a part of the largest, not of each: components that are nothing stay nothing."""
    size = float(np.abs(values).max()) or 1.0
    digits = _DIGITS - 1 - int(np.floor(np.log10(size)))
    return [round(float(value), digits) + 0.0 for value in values]


def dragged(
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
