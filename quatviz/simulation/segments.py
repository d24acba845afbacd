"""The stretches of a lane between which an event changes body, loads or step, or lets drifts begin anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quatviz.core.errors import Refusal, phrase
from quatviz.core.events import sample_of
from quatviz.core.events.base import Event, Layout, Setting
from quatviz.core.observables import Reference
from quatviz.core.preset import Lane, Preset, steps_per_sample
from quatviz.formulations import make_formulation
from quatviz.formulations.base import Formulation
from quatviz.integrators.base import Integrator
from quatviz.simulation.lane_settings import RESTORES, refuse_senseless, settings_of

EVALUATION = 40
"""Steps that the evaluation of one sample of a closed form costs, about."""

_NEVER = 2**53
"""A sample that no run reaches."""


@dataclass
class Segment:
    """From the sample `first` on. `parameters` are what the kernels read, `dt` [s] the lane's step, `every` steps a
    sample, `threshold` that of the form's singularity, `restores` what the loop over steps does for the constraint,
    `reference` what drifts are measured from, once it is reached, `renewed` whether that is the state at its beginning."""

    first: int
    setting: Setting
    parameters: Any
    dt: float
    every: int
    threshold: float
    restores: int
    renewed: bool = True
    reference: Reference | None = None


@dataclass(frozen=True)
class Happening:
    """An event, and the segment that it begins if it changes the setting or lets drifts begin anew."""

    event: Event
    segment: Segment | None


def in_order(preset: Preset, lane: str | None = None) -> list[tuple[int, int, Event]]:
    """Sample, number in the preset, and event, as they happen; only those of one lane, where it is named."""
    interval = preset.run.sample_interval
    found = [
        (min(sample_of(event.at, interval), _NEVER), number, event)
        for number, event in enumerate(preset.events)
        if lane is None or event.concerns(lane)
    ]
    return sorted(found, key=lambda each: each[:2])


def settings_of_run(preset: Preset) -> list[tuple[int, Setting]]:
    """The setting from each sample on at which it changes, the start first; where several changes meet, the last."""
    setting = Setting(preset.body, tuple(preset.loads), preset.run.dt)
    found = {0: setting}
    for sample, _, event in in_order(preset):
        setting = event.setting(setting)
        if setting is not found[max(found)]:
            found[sample] = setting
    return list(found.items())


def course(
    preset: Preset, lane: str, segment_of: Callable[[int, Setting, str], Segment]
) -> tuple[list[Segment], dict[int, list[Happening]]]:
    """All segments of the lane of that name, the first one first, and what happens at each sample; `segment_of` makes one
    from its first sample, its setting, and the key of the event to blame for what cannot be."""
    setting = Setting(preset.body, tuple(preset.loads), preset.run.dt)
    segments = [segment_of(0, setting, "")]
    happenings: dict[int, list[Happening]] = {}
    for sample, number, event in in_order(preset, lane):
        changed = event.setting(setting)
        segment = None
        if changed is not setting or event.renews:
            setting = changed
            segment = segment_of(sample, setting, f"events[{number}]")
            segment.renewed = event.renews
            segments.append(segment)
        happenings.setdefault(sample, []).append(Happening(event, segment))
    return segments, happenings


def segments_of(
    lane: str, form: Formulation, integrator: Integrator, spec: Lane, preset: Preset, lane_key: str
) -> Callable[[int, Setting, str], Segment]:
    """What makes the segments of the lane of that name, for `course`; `lane_key` is its path in the preset."""
    interval = preset.run.sample_interval

    def segment_of(first: int, setting: Setting, key: str) -> Segment:
        _refuse_lost_ring(setting, form, f"{key}.body" if key else f"{lane_key}.formulation")
        own = replace(spec, **setting.lanes.get(lane, {}))
        here = form
        if own != spec:
            refuse_senseless(own, form, integrator, key)
            here = make_formulation(spec.formulation, f"{lane_key}.formulation", settings_of(own))
        dt = own.dt or setting.dt
        of_event = key and (spec.dt is None or own.dt != spec.dt)
        every = steps_per_sample(dt, interval, f"{key}.dt" if of_event else f"{lane_key}.dt")
        if form.closed_form:
            dt, every = interval, EVALUATION
        threshold = form.threshold_at(dt, preset.initial.omega(preset.body))
        parameters = here.parameters(setting.body, setting.loads)
        restores = RESTORES[own.stabilisation or "none"]
        return Segment(first, setting, parameters, dt, every, threshold, restores)

    return segment_of


def layout_of(form: Formulation, segment: Segment, before: Layout | None = None) -> Layout:
    """How events read and write states of a lane within a segment."""
    parameters, body = segment.parameters, segment.setting.body

    def observe(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        p, omega = form.observe(state[None, :], parameters)
        return p[0], omega[0]

    def inertia(state: np.ndarray) -> np.ndarray:
        inside = [place for place, name in enumerate(form.state) if name.startswith("omega_m")]
        if form.totals(state[None, :], parameters) is None:
            return body.inertia
        return _by_kinetic_energy(form, parameters, state, inside)

    return Layout(form.state, observe, lambda p, omega: form.start(p, omega, parameters), inertia, before)


def _by_kinetic_energy(
    form: Formulation, parameters: Any, state: np.ndarray, inside: Sequence[int]
) -> np.ndarray:
    """M of T = 1/2 v^T M v in v = (omega, velocities inside), from T at unit velocities and their sums."""
    places = [*(form.state.index(f"omega{axis}") for axis in (1, 2, 3)), *inside]
    units = np.eye(len(places))
    pairs = units[:, None] + units[None, :]
    states = np.repeat(state[None, :], len(places) ** 2, axis=0)
    states[:, places] = pairs.reshape(-1, len(places))
    totals = form.totals(states, parameters)
    assert totals is not None
    sums = totals.kinetic.reshape(len(places), len(places))
    own = np.diagonal(sums) / 4.0  # T of one unit: its pair is twice it
    matrix: np.ndarray = sums - own[:, None] - own[None, :]
    return matrix


def _refuse_lost_ring(setting: Setting, form: Formulation, key: str) -> None:
    """Refuse a body with a ring for a form that would leave it out."""
    if setting.body.ring is not None and not (form.carries_ring or form.closed_form):
        raise Refusal(
            key,
            expected="a formulation that moves the body's ring: ring_damper, ring_damper_as_printed",
            found=phrase("{id}, which would leave it out", id=form.id),
            remedy="choose one of these, or remove [body.ring]",
            key=key,
        )
