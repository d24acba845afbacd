"""Runs of a chunk that can be computed side by side: the same equations, steps and samples, other numbers.

Most sweeps change how a body starts: then nothing is made for a run but its column in an array. What changes body, loads or
lane is made once for each of its values that are different.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quatviz.analysis.sweeps.plan import SweepPlan, only
from quatviz.analysis.sweeps.runs import transformed
from quatviz.analysis.sweeps.side_by_side import numbers_of, others_of
from quatviz.base.errors import InputError, modules_outside
from quatviz.files.addresses import with_numbers
from quatviz.files.preset import Preset
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.blocks import fixed_step_block
from quatviz.physics.mechanics.euler_sequences import p_from_angles
from quatviz.physics.mechanics.rotations import from_rotation_vector, norm, normalise
from quatviz.physics.mechanics.state import Kind
from quatviz.simulation.schedule import Segment
from quatviz.simulation.simulation import Simulation

NEARLY_UNIT = 1e-6
"""How far |p| may be from 1, as `Initial` has it."""
WORTH = 64
"""Points from which on it is worth while: fewer are computed sooner than what computes them side by side is compiled."""
_START = ("initial.angular_velocity[", "initial.angular_momentum[", "initial.euler_parameters[",
          "initial.rotation_vector[", "initial.angles.degrees[")  # fmt: skip
"""Addresses of what is different from run to run without a preset of its own."""


@dataclass(frozen=True)
class Equations:
    """What one value of body, loads and lane is to kernels, and the preset that has it."""

    preset: Preset
    form: Formulation
    integrator: Integrator
    segment: Segment

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What is the same for all runs of a batch."""
        segment, run = self.segment, self.preset.run
        return (
            segment.dt, segment.steps_per_sample, segment.threshold, segment.projects, run.duration, run.sample_interval,
            others_of(segment.parameters),
        )  # fmt: skip

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """Of its parameters."""
        return tuple(numbers_of(self.segment.parameters))


@dataclass(frozen=True)
class Batch:
    """Runs that one call advances: their places (b,) in the chunk, the equations of each, the same objects where they are the
    same, and how they start."""

    places: np.ndarray
    equations: Sequence[Equations]
    own: np.ndarray
    """Which of `equations` each run (b,) has."""
    p: np.ndarray
    """(4, b)"""
    omega: np.ndarray
    """(3, b) [rad/s, body]"""

    @property
    def first(self) -> Equations:
        return self.equations[0]

    @property
    def same_equations(self) -> bool:
        return len(self.equations) == 1

    def equations_of(self, run: int) -> Equations:
        return self.equations[int(self.own[run])]

    @cached_property
    def same_body(self) -> bool:
        """Whether body and loads are the same in all of them."""
        first = self.first.preset
        mine = [first.body, *first.loads]
        return all(
            len(mine) == 1 + len(each.preset.loads)
            and all(
                one is other for one, other in zip(mine, [each.preset.body, *each.preset.loads], strict=True)
            )
            for each in self.equations
        )

    @cached_property
    def states(self) -> np.ndarray:
        """The states (k, b) at the start."""
        form, count = self.first.form, len(self.places)
        inertia = np.stack([each.preset.body.inertia for each in self.equations], axis=-1)
        if not self.same_equations:
            inertia = inertia[..., self.own]
        known = {Kind.EULER_PARAMETERS: lambda: self.p, Kind.BODY_RATE: lambda: self.omega}
        known[Kind.BODY_MOMENTUM] = lambda: np.broadcast_to(transformed(inertia, self.omega), (3, count))
        if all(block.kind in known for block in form.blocks):
            return np.concatenate([known[block.kind]() for block in form.blocks])
        columns = [
            form.start(self.p[:, run], self.omega[:, run], self.equations_of(run).segment.parameters)
            for run in range(count)
        ]
        return np.stack(columns, axis=1)


class Batching:
    """How the runs of one lane of a plan become batches. A process makes it once for a plan."""

    def __init__(self, plan: SweepPlan, lane: int) -> None:
        self._plan, self._lane = plan, lane
        self._of_start = [place for place, address in enumerate(plan.addresses) if address.startswith(_START)]
        others = [place for place in range(len(plan.addresses)) if place not in self._of_start]
        self._of_equations = [place for place in others if not _of_another_lane(plan.addresses[place], lane)]

    @cached_property
    def suits(self) -> bool:
        """Whether runs of this lane can be computed side by side: in fixed steps that remember nothing, from first to last by
        one set of equations, which are quatviz's own."""
        said = {self._plan.addresses[place].partition("[")[0] for place in self._of_start}
        if (
            self._plan.points < WORTH
            or self._plan.preset.events
            or {"initial.angular_velocity", "initial.angular_momentum"} <= said
        ):
            return False
        try:
            found = self._of_first
        except InputError:  # of another point's preset more is known when it is made
            return False
        form, integrator = found.form, found.integrator
        if form.closed_form or form.carries_ring or modules_outside([type(form), type(integrator)]):
            return False
        return type(integrator).block is fixed_step_block and isinstance(integrator, ExplicitRungeKutta)

    def batches(self, values: np.ndarray) -> tuple[list[Batch], dict[int, str]]:
        """The batches of these points (n, k), and why some cannot be."""
        grouped: dict[tuple[Any, ...], list[tuple[Equations, np.ndarray, np.ndarray, np.ndarray]]] = {}
        lacks: dict[int, str] = {}
        for own, places in self._alike(values):
            try:
                found = self._equations(own)
            except InputError as refusal:
                lacks.update(dict.fromkeys(places.tolist(), str(refusal.sentence)))
                continue
            p, omega, bad = self._starts(found.preset, values[places])
            if bad.any():
                for place in places[bad].tolist():
                    lacks[place] = self._lack(found.preset, values[place])
                places, p, omega = places[~bad], p[:, ~bad], omega[:, ~bad]
            if len(places):
                grouped.setdefault(found.key, []).append((found, places, p, omega))
        made = []
        for runs in grouped.values():
            equations, places, p, omega = zip(*runs, strict=True)
            own = np.repeat(np.arange(len(runs)), [len(each) for each in places])
            made.append(
                Batch(np.concatenate(places), equations, own, np.concatenate(p, 1), np.concatenate(omega, 1))
            )
        return made, lacks

    def _alike(self, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The values of body, loads and lane that are different, and which of the points (n, k) have them."""
        if not self._of_equations:
            yield np.empty(0), np.arange(len(values))
            return
        rows, inverse = np.unique(values[:, self._of_equations], axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        order = np.argsort(inverse, kind="stable")
        yield from zip(rows, np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1), strict=True)

    @cached_property
    def _of_first(self) -> Equations:
        """Those of the preset of the sweep itself."""
        return self._fresh(only(self._plan.preset, self._lane))

    def _equations(self, values: np.ndarray) -> Equations:
        addresses = [self._plan.addresses[place] for place in self._of_equations]
        preset = with_numbers(self._plan.preset, dict(zip(addresses, values.tolist(), strict=True)))
        made = only(preset, self._lane)
        if not all(address.startswith(("body.", "loads[")) for address in addresses):
            return self._fresh(made)
        try:
            like = self._of_first
        except InputError:  # the preset itself cannot be run, with these numbers perhaps
            return self._fresh(made)
        parameters = like.form.parameters(made.body, made.loads)
        threshold = like.form.threshold_at(like.segment.dt, made.initial.omega(made.body))
        return replace(
            like, preset=made, segment=replace(like.segment, parameters=parameters, threshold=threshold)
        )

    def _fresh(self, preset: Preset) -> Equations:
        lane = Simulation(preset).lanes[0]
        return Equations(preset, lane.formulation, lane.integrator, lane.first_segment)

    def _starts(self, preset: Preset, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """p (4, n) and omega (3, n) of points (n, k), and which of them (n,) are no starts."""
        count = len(values)
        given: dict[str, np.ndarray] = {}
        for place in self._of_start:
            address = self._plan.addresses[place]
            name, number = address.removeprefix("initial.").removesuffix("]").split("[")
            if name not in given:
                given[name] = np.repeat(_said(preset, name)[:, None], count, axis=1)
            given[name][int(number)] = values[:, place]
        p, bad = np.repeat(preset.initial.p()[:, None], count, axis=1), np.zeros(count, dtype=bool)
        omega = np.repeat(preset.initial.omega(preset.body)[:, None], count, axis=1)
        for name, components in given.items():
            if name == "angular_velocity":
                omega = components
            elif name == "angular_momentum":
                omega = transformed(preset.body.inverse_inertia[..., None], components)
            elif name == "rotation_vector":
                p = from_rotation_vector(components.T).T
            elif name == "angles.degrees":
                p = p_from_angles(np.radians(components.T), preset.initial.angles.sequence).T
            else:
                p, bad = normalise(components.T).T, np.abs(norm(components.T) - 1.0) > NEARLY_UNIT
        return p, omega, bad

    def _lack(self, preset: Preset, values: np.ndarray) -> str:
        """Why a point is no start."""
        try:
            self._plan.preset_at(values, self._lane)
        except InputError as refusal:
            return str(refusal.sentence)
        return ""


def _of_another_lane(address: str, lane: int) -> bool:
    return address.startswith("lanes[") and not address.startswith(f"lanes[{lane}].")


def _said(preset: Preset, name: str) -> np.ndarray:
    """What a start says by a name, or would say."""
    start = preset.initial
    if name == "angles.degrees":
        return np.asarray(start.angles.degrees)
    found = getattr(start, name)
    if found is not None:
        return np.asarray(found)
    omega = start.omega(preset.body)
    return omega if name == "angular_velocity" else preset.body.inertia @ omega
