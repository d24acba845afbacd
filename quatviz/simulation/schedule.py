"""The stretches of a lane between which an event changes body, loads or step, or lets drifts begin anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, listed, phrase
from quatviz.files.preset import Lane, Preset, steps_per_sample
from quatviz.physics.events import sample_of
from quatviz.physics.events.base import Event, Layout, Setting
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.loads import keeps_energy
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.state import Kind, places_of
from quatviz.physics.observables.quantities import Reference
from quatviz.simulation.lane_settings import PROJECTIONS, settings_of, tolerances_of, validate_lane

EVALUATION = 40
"""Steps that the evaluation of one sample of a closed form costs, about."""

_NEVER = 2**53
"""A sample that no run reaches."""


@dataclass
class Segment:
    """From the sample `first` on. `parameters` are what the kernels read, `dt` [s] the lane's step, which fits
    `steps_per_sample` times between two samples, `threshold` that of the form's singularity, `projects` what the loop over
    steps does for the constraint, `integrator` the method with the lane's tolerances, `reference` what drifts are measured
    from, once it is reached, `renewed` whether that is the state at its beginning."""

    first: int
    setting: Setting
    parameters: Any
    dt: float
    steps_per_sample: int
    threshold: float
    projects: int
    integrator: Integrator
    renewed: bool = True
    reference: Reference | None = None


@dataclass(frozen=True)
class ScheduledEvent:
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


def build_schedule(
    preset: Preset, lane: str, segment_of: Callable[[int, Setting, str], Segment]
) -> tuple[list[Segment], dict[int, list[ScheduledEvent]]]:
    """All segments of the lane of that name, the first one first, and what happens at each sample; `segment_of` makes one
    from its first sample, its setting, and the key of the event to blame for what cannot be."""
    setting = Setting(preset.body, tuple(preset.loads), preset.run.dt)
    segments = [segment_of(0, setting, "")]
    scheduled: dict[int, list[ScheduledEvent]] = {}
    for sample, number, event in in_order(preset, lane):
        changed = event.setting(setting)
        segment = None
        if changed is not setting or event.renews:
            setting = changed
            segment = segment_of(sample, setting, f"events[{number}]")
            segment.renewed = event.renews
            segments.append(segment)
        scheduled.setdefault(sample, []).append(ScheduledEvent(event, segment))
    return segments, scheduled


def segments_of(
    lane: str, form: Formulation, integrator: Integrator, spec: Lane, preset: Preset, lane_key: str
) -> Callable[[int, Setting, str], Segment]:
    """What makes the segments of the lane of that name, for `build_schedule`; `lane_key` is its path in the preset."""
    interval = preset.run.sample_interval

    def segment_of(first: int, setting: Setting, key: str) -> Segment:
        _refuse_lost_ring(setting, form, f"{key}.body" if key else f"{lane_key}.formulation")
        own = replace(spec, **setting.lanes.get(lane, {}))
        here = form
        if own != spec:
            validate_lane(own, form, integrator, key)
            here = make_formulation(spec.formulation, f"{lane_key}.formulation", settings_of(own))
        dt = own.dt or setting.dt
        of_event = key and (spec.dt is None or own.dt != spec.dt)
        count = steps_per_sample(dt, interval, f"{key}.dt" if of_event else f"{lane_key}.dt")
        if form.closed_form:
            dt, count = interval, EVALUATION
        threshold = form.threshold_at(dt, preset.initial.omega(preset.body))
        parameters = here.parameters(setting.body, setting.loads)
        projects = PROJECTIONS[own.stabilisation or "none"]
        method = type(integrator)(tolerances_of(own, preset.run, type(integrator)))
        return Segment(first, setting, parameters, dt, count, threshold, projects, method)

    return segment_of


def layout_of(form: Formulation, segment: Segment, before: Layout | None = None) -> Layout:
    """How events read and write states of a lane within a segment."""
    parameters, body = segment.parameters, segment.setting.body

    def observe(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        p, omega = form.observe(state[None, :], parameters)
        return p[0], omega[0]

    def inertia(state: np.ndarray) -> np.ndarray:
        if form.totals(state[None, :], parameters) is None:
            return body.inertia
        return _by_kinetic_energy(form, parameters, state)

    return Layout(form.blocks, observe, lambda p, omega: form.start(p, omega, parameters), inertia, before)


def _by_kinetic_energy(form: Formulation, parameters: Any, state: np.ndarray) -> np.ndarray:
    """M of T = 1/2 v^T M v in v = (omega, velocities inside), from T at unit velocities and their sums."""
    places = [*places_of(form.blocks, Kind.BODY_RATE), *places_of(form.blocks, Kind.INNER_RATES)]
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
        raise InputError(
            expected=phrase(
                "a formulation that moves the body's ring: {names}",
                names=listed(family().called for family in FORMULATIONS.values() if family.carries_ring),
            ),
            found=phrase("{id}, which would leave it out", id=form.called),
            remedy="choose one of these, or remove [body.ring]",
            key=key,
        )


def constants_of(preset: Preset) -> tuple[str, ...]:
    """What an exact solution keeps between its events, whatever the setting there."""
    each = [
        constants(setting.loads, setting.body.ring, preset.events) for _, setting in settings_of_run(preset)
    ]
    return tuple(name for name in each[0] if all(name in other for other in each))


def constants(
    loads: Sequence[Load], ring: Ring | None = None, events: Sequence[Event] = ()
) -> tuple[str, ...]:
    """What an exact solution keeps: the energy if every load has a potential and no ring rubs, h if nothing acts, but
    for what an event breaks."""
    energy = all(map(keeps_energy, loads)) and (ring is None or ring.damping == 0)
    momentum = not loads and (ring is None or not np.any(ring.gravity))
    kept = {"energy_drift": energy, "momentum_drift": momentum, "h_space_drift": momentum}
    broken = {name for event in events for name in event.breaks}
    names = (name for name, keeps in kept.items() if keeps and name not in broken)
    return ("constraint", "constraint_rate", *names)
