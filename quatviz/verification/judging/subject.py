"""What is examined, and the rates that it gives at a state: of a form by its own kernels, of a function in Python."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.user_formulations.function import BoundLoads, called, velocity_of
from quatviz.files.preset import Preset, RunSettings
from quatviz.physics.equations import Point
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalise
from quatviz.physics.mechanics.state import Kind, places_of
from quatviz.verification.arrays import along
from quatviz.verification.lanes import NEAR

STATES = 12
_SPACING = 1e-4
"""Time [s] over which p and omega are differentiated along the rates of a state."""


class Rates(NamedTuple):
    """p' (4) [1/s], omega' (3) [rad/s^2, body], how fast the constraint on the velocities is left, lambda [J] or NaN."""

    p_rate: np.ndarray
    omega_rate: np.ndarray
    leaving: float = 0.0
    lam: float = np.nan


class Subject(ABC):
    """What is examined; `velocities` is the kind of its velocities, by which a constraint on them is known."""

    name: str
    velocities: Kind | None = None

    @abstractmethod
    def rates(self, at: Point) -> Rates:
        """What it gives at a state; `InputError` for a state that it cannot have."""

    def regular(self, at: Point) -> bool:
        """Whether the state is away from what is said to be singular, where rates lose digits."""
        return True

    def _leaving(self, p: np.ndarray, v: np.ndarray, p_rate: np.ndarray, rate: np.ndarray) -> float:
        """The rate of p.p' or p.g; 0 where neither is in the state."""
        return 0.0 if self.velocities is None else float(p_rate @ v + p @ rate)


class OfForm(Subject):
    """A formulation, by its kernels."""

    def __init__(self, form: Formulation) -> None:
        self.form, self.name = form, form.id
        kinds = [kind for kind in (Kind.EULER_RATES, Kind.EULER_MOMENTA) if places_of(form.blocks, kind)]
        self.velocities = kinds[0] if kinds else None

    def rates(self, at: Point) -> Rates:
        form = self.form
        parameters = form.parameters(at.body, [each.load for each in at.bound])
        y = form.start(at.p, at.omega, parameters)
        found, lam = blocks.derivative(parameters, at.t, tuple(y.tolist()))
        rate = np.array(found)

        def observed(index: int) -> Callable[[float], np.ndarray]:
            return lambda s: form.observe((y + s * rate)[None], parameters)[index][0]

        turn = np.sign(observed(0)(0.0) @ at.p)  # a form may have -p for p: the same attitude
        leaving = 0.0
        if self.velocities is not None:
            p, v = (places_of(form.blocks, kind) for kind in (Kind.EULER_PARAMETERS, self.velocities))
            leaving = self._leaving(y[p], y[v], rate[p], rate[v])
        return Rates(turn * along(observed(0), _SPACING), along(observed(1), _SPACING), leaving, float(lam))

    def regular(self, at: Point) -> bool:
        if not self.form.singularity_title:
            return True
        parameters = self.form.parameters(at.body, [each.load for each in at.bound])
        y = self.form.start(at.p, at.omega, parameters)[None]
        y.flags.writeable = False
        found = np.empty((1, 2))
        blocks.measure_rows(parameters, 0, 1.0, tuple(y[0].tolist()), y, found)
        return bool(abs(found[0, 1]) > NEAR)


class OfFunction(Subject):
    """A function of one's own, as Python calls it: nothing is compiled."""

    def __init__(self, function: Any) -> None:
        self.function, self.name = function, function.__name__
        self.velocity = velocity_of(function)
        kind = self.velocity.block.kind
        self.velocities = kind if kind in (Kind.EULER_RATES, Kind.EULER_MOMENTA) else None

    def rates(self, at: Point) -> Rates:
        v = self.velocity.start(at.p, at.omega, at.J)
        answer = called(self.function, at.t, at.p, v, at.body, BoundLoads(at.bound))
        p_rate = answer.p_rate
        if p_rate is None:
            p_rate = v if self.velocity.second_order else at.p_rate
        moved = along(
            lambda s: self.velocity.observe((at.p + s * p_rate)[None], (v + s * answer.rate)[None], at.J)[0],
            _SPACING,
        )
        lam = np.nan if answer.lam is None else answer.lam
        return Rates(p_rate, moved, self._leaving(at.p, v, p_rate, answer.rate), lam)


def examination() -> Preset:
    """What a formulation is examined with where nothing else is said: a body without principal axes, under gravity."""
    return Preset(
        name="examination",
        body=Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
        initial=Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6]),
        loads=[Gravity(weight=3.0, centre=[0.1, -0.05, 0.3])],
        run=RunSettings(2.0, 4e-4, 4e-2),
    )


def points(preset: Preset) -> list[Point]:
    """Random states of a preset's body under its loads, more than are needed."""
    random = np.random.default_rng(7)
    return [_point(preset, random.normal(size=4), random) for _ in range(4 * STATES)]


def special(preset: Preset) -> list[Point]:
    """States in attitudes where coordinates are often singular: quarter and half turns about the axes, and none."""
    random = np.random.default_rng(8)
    turns = [
        (scalar, *axis) for scalar, size in ((1.0, 1.0), (1.0, -1.0), (0.0, 1.0)) for axis in size * np.eye(3)
    ]
    return [_point(preset, np.array(p), random) for p in [(1.0, 0.0, 0.0, 0.0), *turns]]


def _point(preset: Preset, p: np.ndarray, random: np.random.Generator) -> Point:
    size = max(float(np.linalg.norm(preset.initial.omega(preset.body))), 0.5)
    omega = size * random.normal(size=3)
    return Point(preset.body, preset.loads, float(random.uniform()), normalise(p), omega)
