"""Batches: runs of a chunk that can be computed together, because only their numbers differ.

Most sweeps vary only initial conditions; a run is then a column of an array. Equations are created once for each
distinct combination of body, loads and lane.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quatviz.analysis.sweeps.plan import SweepPlan, single_lane_preset
from quatviz.analysis.sweeps.runs import transform
from quatviz.analysis.sweeps.side_by_side import parameter_numbers, shared_parameters
from quatviz.base.errors import InputError, third_party_modules
from quatviz.files.addresses import with_numbers
from quatviz.files.preset import Preset
from quatviz.physics.formulations._translation import is_coupled
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.blocks import fixed_step_block
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import p_from_angles
from quatviz.physics.mechanics.rotations import from_rotation_vector, norm, normalize
from quatviz.physics.mechanics.state import StateVariable
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment
from quatviz.simulation.simulation import Simulation

UNIT_NORM_TOLERANCE = 1e-6
"""Largest accepted deviation of |p| from 1 for given initial Euler parameters. It is equal to that of
`mechanics.initial`."""
MIN_BATCHED_POINTS = 64
"""Smallest number of points that are batched. Fewer points take less time than compiling the batch loop."""
_INITIAL_STATE_ADDRESSES = ("initial.angular_velocity[", "initial.angular_momentum[", "initial.euler_parameters[",
          "initial.rotation_vector[", "initial.angles.degrees[")  # fmt: skip
"""Prefixes of the addresses of initial conditions. If a sweep varies only such addresses, its runs share one
preset."""


@dataclass(frozen=True)
class BatchEquations:
    """Equations of motion for one distinct combination of body, loads and lane."""

    problem: Problem

    @property
    def preset(self) -> Preset:
        return self.problem.preset

    @property
    def formulation(self) -> Formulation:
        return self.problem.formulation

    @property
    def segment(self) -> LaneSegment:
        """The only segment of the runs. Batched runs have no events."""
        return self.problem.segments[0]

    @property
    def integrator(self) -> Integrator:
        return self.segment.integrator

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """Key of the batch: the steps, times and shared parameters. Runs of one batch have equal keys."""
        segment, run = self.segment, self.preset.run
        return (
            segment.step, segment.steps_per_sample, segment.threshold, segment.projection, run.duration, run.sample_interval,
            shared_parameters(segment.parameters),
        )  # fmt: skip

    @cached_property
    def parameter_values(self) -> tuple[float, ...]:
        """Numerical parameters of the formulation, in the order in which the packed loop loads them."""
        return tuple(parameter_numbers(self.segment.parameters))


@dataclass(frozen=True)
class RunBatch:
    """Runs of a chunk that are advanced together, with their equations and initial conditions."""

    point_indices: np.ndarray
    """Index (b,) of the point of each run within the chunk."""
    equations: Sequence[BatchEquations]
    """The distinct equations of motion of the runs."""
    equation_indices: np.ndarray
    """Index (b,) into `equations` for each run."""
    p: np.ndarray
    """Initial Euler parameters (4, b)."""
    omega: np.ndarray
    """Initial angular velocity (3, b) [rad/s, body]."""

    @property
    def first(self) -> BatchEquations:
        return self.equations[0]

    @property
    def has_shared_equations(self) -> bool:
        return len(self.equations) == 1

    def equations_of(self, run: int) -> BatchEquations:
        return self.equations[int(self.equation_indices[run])]

    @cached_property
    def has_shared_body(self) -> bool:
        """True if all runs have the same body and loads."""
        first = self.first.preset
        own_parts = [first.body, *first.loads]
        return all(
            len(own_parts) == 1 + len(equations.preset.loads)
            and all(
                own is other
                for own, other in zip(
                    own_parts, [equations.preset.body, *equations.preset.loads], strict=True
                )
            )
            for equations in self.equations
        )

    @cached_property
    def initial_states(self) -> np.ndarray:
        """Initial states (k, b) of the formulation, one column per run."""
        formulation, count = self.first.formulation, len(self.point_indices)
        inertia = np.stack([equations.preset.body.inertia for equations in self.equations], axis=-1)
        if not self.has_shared_equations:
            inertia = inertia[..., self.equation_indices]
        by_kind = {
            StateVariable.EULER_PARAMETERS: lambda: self.p,
            StateVariable.BODY_RATE: lambda: self.omega,
        }
        by_kind[StateVariable.BODY_MOMENTUM] = lambda: np.broadcast_to(
            transform(inertia, self.omega), (3, count)
        )
        if not self.first.preset.body.rotors and all(
            block.variable in by_kind for block in formulation.blocks
        ):
            return np.concatenate([by_kind[block.variable]() for block in formulation.blocks])
        columns = [
            formulation.start(self.p[:, run], self.omega[:, run], self.equations_of(run).segment.parameters)
            for run in range(count)
        ]
        return np.stack(columns, axis=1)


class BatchPlanner:
    """Planner that divides the runs of one lane of a plan into batches. Each process creates one planner per plan and
    lane."""

    def __init__(self, plan: SweepPlan, lane: int) -> None:
        self._plan, self._lane = plan, lane
        self._state_axes = [
            axis_index
            for axis_index, address in enumerate(plan.addresses)
            if address.startswith(_INITIAL_STATE_ADDRESSES)
        ]
        other_axes = [
            axis_index for axis_index in range(len(plan.addresses)) if axis_index not in self._state_axes
        ]
        self._equation_axes = [
            axis_index for axis_index in other_axes if not _is_of_other_lane(plan.addresses[axis_index], lane)
        ]

    @cached_property
    def can_batch(self) -> bool:
        """True if runs of this lane can be batched.

        This requires a fixed-step method without memory, one set of equations from start to end, and
        no third-party code.
        """
        names = {self._plan.addresses[axis_index].partition("[")[0] for axis_index in self._state_axes}
        if (
            self._plan.point_count < MIN_BATCHED_POINTS
            or any(measure.needs_lane for measure in self._plan.measure_classes.values())
            or self._plan.preset.events
            or {"initial.angular_velocity", "initial.angular_momentum"} <= names
        ):
            return False
        try:
            equations = self._preset_equations
        except InputError:
            # With the numbers of a point the preset may be valid; such runs are computed one by one.
            return False
        formulation, integrator = equations.formulation, equations.integrator
        if (
            formulation.has_closed_form
            or formulation.carries_ring
            or is_coupled(equations.preset.body, equations.preset.all_loads)
            or third_party_modules([type(formulation), type(integrator)])
        ):
            return False
        return type(integrator).block is fixed_step_block and isinstance(integrator, ExplicitRungeKutta)

    def make_batches(self, values: np.ndarray) -> tuple[list[RunBatch], dict[int, str]]:
        """Return the batches of points (n, k), and a map from the index of each refused point to the reason."""
        grouped: dict[tuple[Any, ...], list[tuple[BatchEquations, np.ndarray, np.ndarray, np.ndarray]]] = {}
        refusals: dict[int, str] = {}
        for equation_values, indices in self._group_by_equations(values):
            try:
                point_equations = self._equations(equation_values)
            except InputError as refusal:
                refusals.update(dict.fromkeys(indices.tolist(), str(refusal.sentence)))
                continue
            p, omega, is_refused = self._initial_conditions(point_equations.preset, values[indices])
            if is_refused.any():
                for index in indices[is_refused].tolist():
                    refusals[index] = self._refusal_reason(point_equations.preset, values[index])
                indices, p, omega = indices[~is_refused], p[:, ~is_refused], omega[:, ~is_refused]
            if len(indices):
                grouped.setdefault(point_equations.key, []).append((point_equations, indices, p, omega))
        batches = []
        for runs in grouped.values():
            equations, indices, p, omega = zip(*runs, strict=True)
            equation_values = np.repeat(
                np.arange(len(runs)), [len(point_indices) for point_indices in indices]
            )
            batches.append(
                RunBatch(
                    np.concatenate(indices),
                    equations,
                    equation_values,
                    np.concatenate(p, 1),
                    np.concatenate(omega, 1),
                )
            )
        return batches, refusals

    def _group_by_equations(self, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield each distinct combination of body, loads and lane values, with the indices of those points (n, k) that
        have it."""
        if not self._equation_axes:
            yield np.empty(0), np.arange(len(values))
            return
        rows, inverse = np.unique(values[:, self._equation_axes], axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        order = np.argsort(inverse, kind="stable")
        yield from zip(rows, np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1), strict=True)

    @cached_property
    def _preset_equations(self) -> BatchEquations:
        """Equations of motion for the preset of the sweep itself."""
        return self._compile_equations(single_lane_preset(self._plan.preset, self._lane))

    def _equations(self, values: np.ndarray) -> BatchEquations:
        addresses = [self._plan.addresses[axis_index] for axis_index in self._equation_axes]
        preset = with_numbers(self._plan.preset, dict(zip(addresses, values.tolist(), strict=True)))
        lane_preset = single_lane_preset(preset, self._lane)
        if not all(address.startswith(("body.", "loads[")) for address in addresses):
            return self._compile_equations(lane_preset)
        try:
            base = self._preset_equations
        except InputError:  # The preset itself may be invalid and become valid with these numbers.
            return self._compile_equations(lane_preset)
        parameters = base.formulation.parameters(lane_preset.body, lane_preset.loads)
        config = replace(base.segment.config, body=lane_preset.body, loads=tuple(lane_preset.loads))
        segment = replace(base.segment, parameters=parameters, config=config)
        return BatchEquations(replace(base.problem, preset=lane_preset, segments=(segment,)))

    def _compile_equations(self, preset: Preset) -> BatchEquations:
        return BatchEquations(Simulation(preset).lanes[0].problem)

    def _initial_conditions(
        self, preset: Preset, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return p (4, n) and omega (3, n) of points (n, k), and a mask (n,) of invalid initial conditions."""
        count = len(values)
        components_by_name: dict[str, np.ndarray] = {}
        for axis_index in self._state_axes:
            address = self._plan.addresses[axis_index]
            name, number = address.removeprefix("initial.").removesuffix("]").split("[")
            if name not in components_by_name:
                components_by_name[name] = np.repeat(_initial_value(preset, name)[:, None], count, axis=1)
            components_by_name[name][int(number)] = values[:, axis_index]
        p, is_refused = np.repeat(preset.initial.p()[:, None], count, axis=1), np.zeros(count, dtype=bool)
        omega = np.repeat(preset.initial.omega(preset.body)[:, None], count, axis=1)
        for name, components in components_by_name.items():
            if name == "angular_velocity":
                omega = components
            elif name == "angular_momentum":
                omega = _initial_omega(preset.body, components)
            elif name == "rotation_vector":
                p = from_rotation_vector(components.T).T
            elif name == "angles.degrees":
                p = p_from_angles(np.radians(components.T), preset.initial.angles.sequence).T
            else:
                p, is_refused = (
                    normalize(components.T).T,
                    np.abs(norm(components.T) - 1.0) > UNIT_NORM_TOLERANCE,
                )
        return p, omega, is_refused

    def _refusal_reason(self, preset: Preset, values: np.ndarray) -> str:
        """Return why the initial conditions of a point with the axis values (k,) are refused, or "" if they
        are accepted."""
        try:
            self._plan.preset_at(values, self._lane)
        except InputError as refusal:
            return str(refusal.sentence)
        return ""


def _initial_omega(body: Body, h: np.ndarray) -> np.ndarray:
    """Return the initial angular velocities (3, n) [rad/s, body] that correspond to initial momenta h (3, n) [kg m^2/s,
    body]."""
    if body.rotors:
        return np.stack([body.initial_omega(column) for column in h.T], axis=1)
    return transform(body.inverse_inertia[..., None], h)


def _is_of_other_lane(address: str, lane: int) -> bool:
    return address.startswith("lanes[") and not address.startswith(f"lanes[{lane}].")


def _initial_value(preset: Preset, name: str) -> np.ndarray:
    """Return the initial quantity `name` of a preset, as an array. If the preset does not set this quantity,
    it is computed from the quantities that are set."""
    initial = preset.initial
    if name == "angles.degrees":
        return np.asarray(initial.angles.degrees)
    value = getattr(initial, name)
    if value is not None:
        return np.asarray(value)
    omega = initial.omega(preset.body)
    return omega if name == "angular_velocity" else preset.body.initial_momentum(omega)
