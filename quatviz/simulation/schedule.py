"""Segments of a lane. A new segment begins at each event that changes body, loads or step, or that resets the reference
values from which drifts are measured."""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.files.preset import Lane, Preset, steps_per_sample
from quatviz.physics.events import sample_index
from quatviz.physics.events.base import Event, PhysicalConfig, StateLayout
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations._rotors import motor_loads, with_rotors
from quatviz.physics.formulations._translation import with_translation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.loads import conserves_energy, load_changes
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotor_system import RotorSystem
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.simulation.lane_settings import PROJECTIONS, formulation_options, lane_tolerances, validate_lane

STEPS_PER_EVALUATION = 40
"""Cost of evaluating a closed form at one sample, as the number of steps of an integrated lane that take about the same
time."""

_NEVER_SAMPLE = 2**53
"""Sample number that no run reaches."""


@dataclass(frozen=True, eq=False)
class LaneSegment:
    """Part of a lane, from the sample `first` on, with constant body, loads and step.

    `parameters` are the arguments of the kernels. `dt` [s] is the step in the preset, `steps_per_sample` the
    number of steps between two samples, and `step` [s] the sample interval divided by exactly this number.
    `threshold` is the singularity measure at which the lane ends, `projection` selects the projection after
    each step, and `integrator` is the method with the tolerances of the lane. If `resets_reference` is True,
    drifts are measured from the state at the beginning of the segment.
    """

    first: int
    config: PhysicalConfig
    parameters: Any
    dt: float
    step: float
    steps_per_sample: int
    threshold: float
    projection: int
    integrator: Integrator
    resets_reference: bool = True

    def find_load_changes(self, duration: float) -> None:
        """Compute the times at which the loads change abruptly in a run of `duration` [s], and pass them to
        the integrator if it is adaptive. Changes after `duration` are known only roughly."""
        if not self.integrator.fixed_step:
            loads = [*self.config.loads, *motor_loads(self.config.body)]
            self.integrator.load_changes = load_changes(loads, duration)

    def with_steps(self, steps_per_sample: int, step: float) -> "LaneSegment":
        """Return a copy of the segment with `steps_per_sample` steps of length `step` [s]. For fixed steps,
        the singularity threshold is removed: the new steps may be longer than those of the lane, and a
        singularity must not end the computation."""
        threshold = -self.threshold if self.integrator.fixed_step else self.threshold
        return replace(self, steps_per_sample=steps_per_sample, step=step, threshold=threshold)


def segment_number(segments: Sequence[LaneSegment], samples: Any) -> Any:
    """Return the index of the segment that contains a sample, or the indices (n,) for an array of samples (n,)."""
    if (
        np.ndim(samples) == 0
    ):  # without a list of all segments, because every frame of a run with many events asks
        return bisect_right(segments, samples, key=lambda segment: segment.first) - 1
    return np.searchsorted([segment.first for segment in segments], samples, "right") - 1


@dataclass(frozen=True)
class ScheduledEvent:
    """An event and the segment that begins at it. The segment is None if the event changes no configuration and does
    not reset the reference values of drifts."""

    event: Event
    segment: LaneSegment | None


def ordered_events(preset: Preset, lane: str | None = None) -> list[tuple[int, int, Event]]:
    """Return (sample, number in the preset, event) for each event of the preset in order of time. If `lane`
    is given, return only the events that apply to this lane."""
    interval = preset.run.sample_interval
    events = [
        (min(sample_index(event.at, interval), _NEVER_SAMPLE), number, event)
        for number, event in enumerate(preset.events)
        if lane is None or event.applies_to(lane)
    ]
    return sorted(events, key=lambda entry: entry[:2])


def physical_configs(preset: Preset) -> list[tuple[int, PhysicalConfig]]:
    """Return (sample, configuration) for the start and for each sample at which the physical configuration
    changes. If it changes several times at one sample, the last configuration is returned."""
    config = PhysicalConfig(preset.body, tuple(preset.loads), preset.run.dt)
    configs = {0: config}
    for sample, _, event in ordered_events(preset):
        config = event.config_after(config)
        if config is not configs[max(configs)]:
            configs[sample] = config
    return list(configs.items())


def build_schedule(
    preset: Preset, lane: str, make_segment: Callable[[int, PhysicalConfig, str], LaneSegment]
) -> tuple[tuple[LaneSegment, ...], dict[int, tuple[ScheduledEvent, ...]]]:
    """Return all segments of a lane, and the events at each sample.

    Parameters
    ----------
    preset
        Preset of the run.
    lane
        Name of the lane.
    make_segment
        Function (first sample, configuration, key of the event for errors) that creates a segment.
    """
    config = PhysicalConfig(preset.body, tuple(preset.loads), preset.run.dt)
    segments = [make_segment(0, config, "")]
    scheduled: dict[int, tuple[ScheduledEvent, ...]] = {}
    for sample, number, event in ordered_events(preset, lane):
        new_config = event.config_after(config)
        segment = None
        if new_config is not config or event.resets_drift:
            # Segments with the same configuration share their parameters, so that their rows are read together.
            segment = (
                replace(segments[-1], first=sample)
                if new_config is config
                else make_segment(sample, new_config, f"events[{number}]")
            )
            config, segment = new_config, replace(segment, resets_reference=event.resets_drift)
            segments.append(segment)
        scheduled[sample] = (*scheduled.get(sample, ()), ScheduledEvent(event, segment))
    return tuple(segments), scheduled


def form_for_body(form: Formulation, spec: Lane, preset: Preset, key: str) -> Formulation:
    """Return the formulation of a lane extended by the equations of other moving parts of the body: its
    rotors, and its center of mass if rotation and translation are coupled at any time of the run."""
    if preset.body.rotors:
        form = with_rotors(form, preset.body, key)
    if preset.body.mass is None or not (preset.loads or preset.events or spec.loads):
        return form  # shortcut, so that runs start quickly
    loads = [load for _, config in physical_configs(preset) for load in config.loads]
    return with_translation(form, preset.body, [*loads, *spec.loads], preset.initial, key)


def segment_factory(
    lane: str, form: Formulation, integrator: Integrator, spec: Lane, preset: Preset, lane_key: str
) -> Callable[[int, PhysicalConfig, str], LaneSegment]:
    """Return the function that creates the segments of a lane for `build_schedule`. `lane_key` is the dotted key of
    the lane."""
    interval = preset.run.sample_interval

    def make_segment(first: int, config: PhysicalConfig, key: str) -> LaneSegment:
        if spec.loads:
            config = replace(config, loads=(*config.loads, *spec.loads))
        _require_ring_support(config, form, f"{key}.body" if key else f"{lane_key}.formulation")
        if config.body is not preset.body:
            _require_same_rotors(config, preset.body, f"{key}.body")
        changes = config.lanes.get(lane)
        lane_spec, segment_form = (replace(spec, **changes) if changes else spec), form
        if changes and lane_spec != spec:
            validate_lane(lane_spec, form, integrator, key)
            segment_form = form_for_body(
                make_formulation(spec.formulation, f"{lane_key}.formulation", formulation_options(lane_spec)),
                spec, preset, f"{lane_key}.formulation",
            )  # fmt: skip
        dt = lane_spec.dt or config.dt
        is_from_event = key and (spec.dt is None or lane_spec.dt != spec.dt)
        count = steps_per_sample(dt, interval, f"{key}.dt" if is_from_event else f"{lane_key}.dt")
        if form.has_closed_form:
            dt, count = interval, STEPS_PER_EVALUATION
        parameters = segment_form.parameters(config.body, config.loads)
        projection = PROJECTIONS[lane_spec.stabilisation or "none"]
        method = type(integrator)(lane_tolerances(lane_spec, preset.run, type(integrator)))
        step = interval / count
        segment = LaneSegment(first, config, parameters, dt, step, count, form.threshold, projection, method)
        if not method.fixed_step:
            segment.find_load_changes(preset.run.duration)
        return segment

    return make_segment


def fitting_step(longest: float, interval: float) -> float:
    """Return a step [s] of at most `longest` that divides the sample interval [s] and has few decimal digits."""
    fewest = max(math.ceil(interval / longest * (1.0 - 1e-9)), 1)
    unit = 10 ** max(len(str(fewest)) - 3, 0)  # try only round numbers of steps if there are many
    first = -(-fewest // unit) * unit
    candidates = range(first, 2 * first + 10 * unit, unit)
    return interval / min(candidates, key=lambda count: (len(f"{interval / count:.9g}".strip("0.")), count))


def event_layout(form: Formulation, segment: LaneSegment, previous: StateLayout | None = None) -> StateLayout:
    """Return the interface through which events read and write states of a lane within a segment."""
    parameters, body = segment.parameters, segment.config.body

    def observe(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        p, omega = form.observe(state[None, :], parameters)
        return p[0], omega[0]

    def inertia(state: np.ndarray) -> np.ndarray:
        if body.rotors:
            return RotorSystem(body).effective_inertia
        if form.totals(state[None, :], parameters) is None:
            return body.inertia
        return _mass_matrix(form, parameters, state)

    return StateLayout(
        form.blocks, observe, lambda p, omega: form.start(p, omega, parameters), inertia, previous, body
    )


def state_after_events(
    form: Formulation, events: Sequence[ScheduledEvent], state: np.ndarray, segment: LaneSegment
) -> tuple[np.ndarray, LaneSegment]:
    """Return the state (k,) after the events at one sample, and the segment that begins there.

    Parameters
    ----------
    form
        Formulation of the lane.
    events
        Events in the order in which they happen.
    state
        State (k,) before the events.
    segment
        Segment before the events.
    """
    for scheduled in events:
        layout = event_layout(form, segment)
        if scheduled.segment is not None:
            segment = scheduled.segment
            layout = event_layout(form, segment, previous=layout)
        state = scheduled.event.apply(state, layout)
    return state, segment


def _mass_matrix(form: Formulation, parameters: Any, state: np.ndarray) -> np.ndarray:
    """Return the mass matrix M in T = 1/2 v^T M v at a state (k,), for velocities v = (omega, velocities of moving
    parts). M is computed from T at unit velocities and at sums of two of them."""
    components = [
        *component_indices(form.blocks, StateVariable.BODY_RATE),
        *component_indices(form.blocks, StateVariable.INNER_RATES),
    ]
    units = np.eye(len(components))
    pairs = units[:, None] + units[None, :]
    states = np.repeat(state[None, :], len(components) ** 2, axis=0)
    states[:, components] = pairs.reshape(-1, len(components))
    totals = form.totals(states, parameters)
    assert totals is not None
    sums = totals.kinetic.reshape(len(components), len(components))
    unit_energies = np.diagonal(sums) / 4.0  # T of a unit velocity; the pair (i, i) has twice the velocity
    matrix: np.ndarray = sums - unit_energies[:, None] - unit_energies[None, :]
    return matrix


def _require_ring_support(config: PhysicalConfig, form: Formulation, key: str) -> None:
    """Raise an `InputError` for a body with a ring in a formulation without rings."""
    if config.body.ring is not None and not (form.carries_ring or form.has_closed_form):
        raise InputError(
            expected=phrase(
                "a formulation that supports a ring in the body: {names}",
                names=join_phrases(
                    family().titled_id for family in FORMULATIONS.values() if family.carries_ring
                ),
            ),
            found=phrase("{id}, which does not support rings", id=form.titled_id),
            remedy="choose one of these, or remove [body.ring]",
            key=key,
        )


def _require_same_rotors(config: PhysicalConfig, initial_body: Body, key: str) -> None:
    """Raise an `InputError` if the rotors with integrated momenta are not the same as at the start, since the state
    of a lane has a fixed layout."""
    laws, initial_laws = (
        [number for number, rotor in enumerate(body.rotors) if rotor.has_state] if body.rotors else None
        for body in (config.body, initial_body)
    )
    if laws != initial_laws:
        raise InputError(
            expected="rotors with the same number and laws as at the start of the run, whose momenta continue",
            found=phrase(
                "{count} rotors, whose number or laws differ from the start", count=len(config.body.rotors)
            ),
            remedy="apply the change from the start of the run, or keep number and laws of the rotors",
            key=key,
        )


def run_conserved_quantities(preset: Preset, lane: Lane | None = None) -> tuple[str, ...]:
    """Return the names of the drifts that are zero for an exact solution between events, in every configuration of
    `lane` or of all lanes."""
    lanes = preset.lanes if lane is None else (lane,)
    names_by_config = [
        conserved_quantities((*config.loads, *own_loads), config.body, preset.events)
        for _, config in physical_configs(preset)
        for own_loads in {lane.loads: None for lane in lanes} or {(): None}
    ]
    return tuple(name for name in names_by_config[0] if all(name in other for other in names_by_config))


def conserved_quantities(
    loads: Sequence[Load], body: Body | None = None, events: Sequence[Event] = ()
) -> tuple[str, ...]:
    """Return the names of the drifts that are zero for an exact solution.

    The energy is conserved if every load has a potential, no ring or bearing has friction and no motor drives a
    rotor. The total angular momentum is conserved if no external load acts. A quantity that events change is not
    included.
    """
    ring, rotors = (None, ()) if body is None else (body.ring, body.rotors)
    energy = all(map(conserves_energy, loads)) and (ring is None or ring.damping == 0)
    energy = energy and all(rotor.conserves_energy for rotor in rotors)
    momentum = not loads and (ring is None or not np.any(ring.gravity))
    is_conserved = {"energy_drift": energy, "momentum_drift": momentum, "h_space_drift": momentum}
    broken_names = {name for event in events for name in event.broken_invariants}
    names = (name for name, conserved in is_conserved.items() if conserved and name not in broken_names)
    return ("constraint", "constraint_rate", *names)
