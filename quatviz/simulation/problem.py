"""The problem of a lane: equations, method, intervals between events, and initial state."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase, third_party_modules
from quatviz.files.preset import Lane, Preset
from quatviz.physics.events.base import Event
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.loads import LOADS, VariableLoadSum, variable_sums
from quatviz.physics.loads.base import Load
from quatviz.simulation.lane_settings import formulation_options, validate_file, validate_lane
from quatviz.simulation.schedule import (
    LaneSegment,
    ScheduledEvent,
    build_schedule,
    form_for_body,
    segment_factory,
    segment_number,
)


@dataclass(frozen=True, eq=False)
class Problem:
    """Immutable initial-value problem with events: everything that determines the motion of a lane.

    `segments` are the intervals between the samples at which body, loads or step change. Each has the parameters of the
    formulation, the method with its tolerances, the step and the projection. `events` maps sample numbers to the events
    at that sample. Whether a state is singular is determined by a kernel of the formulation. Abrupt changes of loads
    are listed in a table of the segment's method.
    """

    name: str
    spec: Lane
    preset: Preset
    formulation: Formulation
    segments: tuple[LaneSegment, ...]
    events: Mapping[int, tuple[ScheduledEvent, ...]]
    outside_modules: tuple[str, ...]
    """Modules of formulations, methods, loads and events that do not belong to quatviz."""
    integrator_key: str
    """Dotted key of the setting that selects the method, for error messages."""

    @cached_property
    def interval(self) -> float:
        """Time between two samples [s]."""
        return self.preset.run.sample_interval

    @property
    def loads(self) -> Sequence[Load]:
        """Loads of all segments."""
        return [load for segment in self.segments for load in segment.config.loads]

    @property
    def load_sums(self) -> list[VariableLoadSum]:
        """Sums over variable loads, which are called by kernels and compiled separately."""
        return [load_sum for segment in self.segments for load_sum in variable_sums(segment.parameters)]

    @property
    def is_built_in(self) -> bool:
        """True if all equations belong to quatviz. Otherwise they are evaluated only as often as the run requires."""
        loads = self.loads
        return not self.outside_modules and (not loads or are_registered(loads))

    def has_user_code(self, segment: LaneSegment) -> bool:
        """Return True if equations of a plug-in package, notebook or script take part in a segment."""
        return bool(self.outside_modules) or not are_registered(segment.config.loads)

    @property
    def contains_user_code(self) -> bool:
        """True if equations or potentials of a plug-in package, notebook or script take part at any time."""
        return any(map(self.has_user_code, self.segments))

    def segment_at(self, sample: int) -> LaneSegment:
        """Return the segment of a sample."""
        return self.segments[segment_number(self.segments, max(sample, 0))]

    def next_event(self, sample: int, last: int) -> int:
        """Return the first sample at or after `sample` that has an event, at most `last`."""
        return min([last, *[event for event in self.events if event >= sample]])

    def make_method(self, segment: LaneSegment) -> Any:
        """Return new data for the kernel of the integrator, without memory of previous steps; None for a
        closed form."""
        if self.formulation.has_closed_form:
            return None
        try:
            return segment.integrator.method(self.formulation)
        except InputError as refusal:
            raise refusal.with_place(self.integrator_key, self.integrator_key) from None

    def initial_state(self) -> np.ndarray:
        """Return the state (k,) at t = 0, before any events."""
        initial = self.preset.initial
        return self.formulation.start(
            initial.p(), initial.omega(self.preset.body), self.segments[0].parameters
        )

    def event_remarks(self) -> tuple[str, ...]:
        """Return a sentence for each event that has no effect or only a partial effect on this lane."""
        return tuple(
            phrase(
                "{event} at t = {time:g} s: {remark}",
                event=phrase(event.title),
                time=event.at,
                remark=remark,
            )
            for event in self.preset.events
            if event.applies_to(self.name) and (remark := self._no_effect_reason(event))
        )

    def _no_effect_reason(self, event: Event) -> str:
        if self.formulation.is_recorded:
            return phrase("events do not affect a recording")
        return event.no_effect_reason(self.formulation.blocks)


def outside_modules(spec: Lane, preset: Preset) -> tuple[str, ...]:
    """Return the modules of a lane's formulation, integrator, loads and events that do not belong to quatviz."""
    integrator = INTEGRATORS.get(spec.integrator or preset.run.integrator)
    part_types = FORMULATIONS.get(spec.formulation.partition("/")[0]), integrator
    parts = [part_type for part_type in part_types if part_type is not None]
    parts += [
        type(part) for event in preset.events for part in (event, *(getattr(event, "loads", None) or ()))
    ]
    return tuple(third_party_modules([*parts, *map(type, (*preset.loads, *spec.loads))]))


def make_problem(name: str, spec: Lane, preset: Preset, index: int, outside: tuple[str, ...]) -> Problem:
    """Return the problem of one lane of a preset.

    Raises
    ------
    InputError
        If the lane cannot be computed.
    """
    key = f"lanes[{index}]"
    family = FORMULATIONS.get(spec.formulation.partition("/")[0])
    if family is not None:
        validate_file(spec, family, key)
    formulation = form_for_body(
        make_formulation(spec.formulation, f"{key}.formulation", formulation_options(spec)), spec, preset,
        f"{key}.formulation",
    )  # fmt: skip
    integrator_key = f"{key}.integrator" if spec.integrator else "run.integrator"
    integrator = INTEGRATORS.find(spec.integrator or preset.run.integrator, integrator_key)
    if formulation.has_closed_form:  # the integrator is not used
        integrator = INTEGRATORS["rk4"]
    method = integrator()
    validate_lane(spec, formulation, method, key)
    return _assemble(name, spec, preset, key, formulation, method, outside, integrator_key)


def make_placeholder_problem(
    name: str, spec: Lane, preset: Preset, index: int, outside: tuple[str, ...]
) -> Problem:
    """Return a problem that replaces that of a lane whose equations cannot be created: the Newton-Euler equations
    without loads and events."""
    newton_euler = type(make_formulation("newton_euler"))
    placeholder: type[Formulation] = type(
        newton_euler.__name__, (newton_euler,), {"__module__": __name__, "name": spec.formulation}
    )
    preset = replace(preset, loads=(), events=())
    integrator = INTEGRATORS["rk4"]()
    return _assemble(
        name, spec, preset, f"lanes[{index}]", placeholder("", None), integrator, outside, "run.integrator"
    )


def _assemble(
    name: str, spec: Lane, preset: Preset, key: str, formulation: Formulation, integrator: Integrator,
    outside: tuple[str, ...], integrator_key: str,
) -> Problem:  # fmt: skip
    segments, events = build_schedule(
        preset, name, segment_factory(name, formulation, integrator, spec, preset, key)
    )
    return Problem(name, spec, preset, formulation, segments, events, outside, integrator_key)


def are_registered(loads: Iterable[Load]) -> bool:
    """Return True if every load is of a registered type and can therefore be written to a file. Loads created by a
    script cannot."""
    known = set(LOADS.entries().values())
    return all(type(load) in known for load in loads)
