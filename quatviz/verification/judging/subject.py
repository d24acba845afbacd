"""What is examined, and the rates that it gives at a state: of a form by its own kernels, of a function in Python."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.user_formulations.function import PythonLoads, call_function, velocity_argument
from quatviz.files.preset import Preset, RunSettings
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.verification.arrays import derivative_at_zero
from quatviz.verification.lanes import NEAR_SINGULARITY

STATE_COUNT = 12
_DIFFERENCE_TIME = 1e-4
"""Time [s] over which p and omega are differentiated along the rates of a state."""


class StateRates(NamedTuple):
    """p' (4) [1/s], omega' (3) [rad/s^2, body], how fast the constraint on the velocities is left, lambda [J] or NaN."""

    p_rate: np.ndarray
    omega_rate: np.ndarray
    constraint_violation_rate: float = 0.0
    lam: float = np.nan


class Subject(ABC):
    """What is examined; `velocity_kind` is the kind of its velocities, by which a constraint on them is known."""

    name: str
    velocity_kind: StateVariable | None = None

    @abstractmethod
    def rates(self, state: EvaluationPoint) -> StateRates:
        """What it gives at a state; `InputError` for a state that it cannot have."""

    def is_regular(self, state: EvaluationPoint) -> bool:
        """Whether the state is away from what is said to be singular, where rates lose digits."""
        return True

    def _constraint_violation_rate(
        self, p: np.ndarray, v: np.ndarray, p_rate: np.ndarray, rate: np.ndarray
    ) -> float:
        """The rate of p.p' or p.g; 0 where neither is in the state."""
        return 0.0 if self.velocity_kind is None else float(p_rate @ v + p @ rate)


class FormulationSubject(Subject):
    """A formulation, by its kernels."""

    def __init__(self, form: Formulation) -> None:
        self.form, self.name = form, form.id
        velocity_kinds = [
            velocity_kind
            for velocity_kind in (StateVariable.EULER_RATES, StateVariable.EULER_MOMENTA)
            if component_indices(form.blocks, velocity_kind)
        ]
        self.velocity_kind = velocity_kinds[0] if velocity_kinds else None

    def rates(self, state: EvaluationPoint) -> StateRates:
        form = self.form
        parameters = form.parameters(state.body, [bound_load.load for bound_load in state.bound_loads])
        y = form.start(state.p, state.omega, parameters)
        derivatives, lam = blocks.derivative(parameters, state.t, tuple(y.tolist()))
        rate = np.array(derivatives)

        def observed(index: int) -> Callable[[float], np.ndarray]:
            return lambda s: form.observe((y + s * rate)[None], parameters)[index][0]

        sign = np.sign(observed(0)(0.0) @ state.p)  # a form may have -p for p: the same attitude
        violation_rate = 0.0
        if self.velocity_kind is not None:
            p, v = (
                component_indices(form.blocks, block_kind)
                for block_kind in (StateVariable.EULER_PARAMETERS, self.velocity_kind)
            )
            violation_rate = self._constraint_violation_rate(y[p], y[v], rate[p], rate[v])
        return StateRates(
            sign * derivative_at_zero(observed(0), _DIFFERENCE_TIME),
            derivative_at_zero(observed(1), _DIFFERENCE_TIME),
            violation_rate,
            float(lam),
        )

    def is_regular(self, state: EvaluationPoint) -> bool:
        if not self.form.singularity_title:
            return True
        parameters = self.form.parameters(state.body, [bound_load.load for bound_load in state.bound_loads])
        y = self.form.start(state.p, state.omega, parameters)[None]
        y.flags.writeable = False
        measures = np.empty((1, 2))
        blocks.measure_rows(parameters, 0, 1.0, tuple(y[0].tolist()), y, measures)
        return bool(abs(measures[0, 1]) > NEAR_SINGULARITY)


class FunctionSubject(Subject):
    """A function of one's own, as Python calls it: nothing is compiled."""

    def __init__(self, function: Any) -> None:
        self.function, self.name = function, function.__name__
        self.velocity = velocity_argument(function)
        velocity_kind = self.velocity.block.variable
        self.velocity_kind = (
            velocity_kind
            if velocity_kind in (StateVariable.EULER_RATES, StateVariable.EULER_MOMENTA)
            else None
        )

    def rates(self, state: EvaluationPoint) -> StateRates:
        v = self.velocity.start(state.p, state.omega, state.J)
        result = call_function(self.function, state.t, state.p, v, state.body, PythonLoads(state.bound_loads))
        p_rate = result.p_rate
        if p_rate is None:
            p_rate = v if self.velocity.second_order else state.p_rate
        omega_rate = derivative_at_zero(
            lambda s: self.velocity.observe(
                (state.p + s * p_rate)[None], (v + s * result.rate)[None], state.J
            )[0],
            _DIFFERENCE_TIME,
        )
        lam = np.nan if result.lam is None else result.lam
        return StateRates(
            p_rate, omega_rate, self._constraint_violation_rate(state.p, v, p_rate, result.rate), lam
        )


def default_examination_preset() -> Preset:
    """What a formulation is examined with where nothing else is said: a body without principal axes, under gravity."""
    return Preset(
        name="examination",
        body=Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
        initial=Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6]),
        loads=[Gravity(weight=3.0, centre=[0.1, -0.05, 0.3])],
        run=RunSettings(2.0, 4e-4, 4e-2),
    )


def random_points(preset: Preset) -> list[EvaluationPoint]:
    """Random states of a preset's body under its loads, more than are needed."""
    random = np.random.default_rng(7)
    return [_random_point(preset, random.normal(size=4), random) for _ in range(4 * STATE_COUNT)]


def special_points(preset: Preset) -> list[EvaluationPoint]:
    """States in attitudes where coordinates are often singular: quarter and half turns about the axes, and none."""
    random = np.random.default_rng(8)
    rotations = [
        (scalar, *axis) for scalar, size in ((1.0, 1.0), (1.0, -1.0), (0.0, 1.0)) for axis in size * np.eye(3)
    ]
    return [_random_point(preset, np.array(p), random) for p in [(1.0, 0.0, 0.0, 0.0), *rotations]]


def _random_point(preset: Preset, p: np.ndarray, random: np.random.Generator) -> EvaluationPoint:
    size = max(float(np.linalg.norm(preset.initial.omega(preset.body))), 0.5)
    omega = size * random.normal(size=3)
    return EvaluationPoint(preset.body, preset.loads, float(random.uniform()), normalize(p), omega)
