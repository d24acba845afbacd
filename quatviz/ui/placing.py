"""Putting the body elsewhere, or giving it another rate, by hand: as an edit of the preset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from quatviz.core.events import sample_of
from quatviz.core.events.place import Place
from quatviz.core.initial import Initial
from quatviz.core.preset import Preset
from quatviz.ui.editing import State

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
