"""Subjects of a judgement, and their rates at a state: a formulation by its kernels, a function in Python."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.user_formulations.function import PythonLoads, call_function, velocity_argument
from quatviz.base.errors import InputError
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations._named_states import StateEquations
from quatviz.physics.formulations._velocities import VELOCITIES, VelocityVariable
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.state import StateBlock, StateVariable, component_indices
from quatviz.verification.arrays import derivative_at_zero
from quatviz.verification.lanes import NEAR_SINGULARITY

_RATE_NAMES = {
    "omega": "ω'_1 ω'_2 ω'_3",
    "omega_space": "ω'_x ω'_y ω'_z",
    "h": "h'_1 h'_2 h'_3",
    "h_space": "h'_x h'_y h'_z",
    "p_rate": "p''_0 p''_1 p''_2 p''_3",
    "g": "g'_0 g'_1 g'_2 g'_3",
}
"""Names of the components of a velocity variable's rate, by the name of the variable."""
_DIFFERENCE_TURN = 5e-4
"""Rotation angle [rad] over which p and omega are differentiated numerically at a state."""


class StateRates(NamedTuple):
    """Rates that the judged equations give at one state."""

    p_rate: np.ndarray
    """p' (4,) [1/s]."""
    omega_rate: np.ndarray
    """omega' (3,) [rad/s^2, body]."""
    constraint_violation_rate: float = 0.0
    """Time derivative of the constraint p.p' = 0 or p.g = 0 in the judged equations; it should be 0."""
    lam: float = np.nan
    """Lagrange multiplier lambda [J], or NaN if the equations have none."""
    own: np.ndarray = np.zeros(0)
    """Rate (k,) of the author's velocity variable from the equations."""
    own_right: np.ndarray = np.zeros(0)
    """Correct rate (k,) of the author's velocity variable, which follows from the motion of the body."""


class Subject(ABC):
    """Base class of subjects that can be judged. `velocity_kind` is the type of their velocities, which determines
    the constraint.
    """

    name: str
    velocity_kind: StateVariable | None = None
    velocity: VelocityVariable | None = None
    """Velocity variable that, together with p, is the state of the subject. None if it is not one of the
    variables that a user function can have as an argument."""

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the components of the rate of `velocity`."""
        names = [_RATE_NAMES[name] for name, velocity in VELOCITIES.items() if velocity is self.velocity]
        return tuple(names[0].split()) if names else ()

    state_count = 20
    """Number of states per group."""
    has_variable_loads = False
    """True if states of this subject include loads that depend on omega and t. Formulations would have to
    compile such loads."""

    @abstractmethod
    def rates(self, state: EvaluationPoint) -> StateRates:
        """Return the rates at a state. Raises `InputError` for a state that the subject cannot represent."""

    def is_regular(self, state: EvaluationPoint) -> bool:
        """Return True if the state is away from a known singularity, near which rates lose digits."""
        return True

    @abstractmethod
    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        """Return True if the rates differ for the body and loads of `other`, with the variables and the time of
        `state`.
        """

    def _constraint_violation_rate(
        self, p: np.ndarray, v: np.ndarray, p_rate: np.ndarray, rate: np.ndarray
    ) -> float:
        """Return the time derivative of p.p' or p.g, which must be zero. `v` (4,) is p' or g, and `rate` (4,)
        its rate. The result is 0 if neither is in the state."""
        return 0.0 if self.velocity_kind is None else float(p_rate @ v + p @ rate)


class StateSubject(Subject):
    """Base class of subjects whose state is an array made of named variables, such as p and omega (its
    blocks)."""

    def __init__(self, name: str, blocks: Sequence[StateBlock]) -> None:
        self.name, self.blocks = name, blocks
        velocity_kinds = [
            velocity_kind
            for velocity_kind in (StateVariable.EULER_RATES, StateVariable.EULER_MOMENTA)
            if component_indices(blocks, velocity_kind)
        ]
        self.velocity_kind = velocity_kinds[0] if velocity_kinds else None
        has_parameters = bool(component_indices(blocks, StateVariable.EULER_PARAMETERS))
        variables = [block.variable for block in blocks]
        matching = [velocity for velocity in VELOCITIES.values() if velocity.block.variable in variables]
        self.velocity = matching[0] if matching and has_parameters else None

    def _state_rates(
        self,
        state: EvaluationPoint,
        y: np.ndarray,
        rate: np.ndarray,
        lam: float,
        observed: Callable[[float], np.ndarray],
    ) -> StateRates:
        """Return the rates that follow from the derivative `rate` (k,) of a state y (k,).

        `observed(s)` returns p and omega (7,) of the state y + s * rate.
        """
        sign = np.sign(observed(0.0)[:4] @ state.p)  # Some formulations represent the attitude by -p.
        violation_rate = 0.0
        if self.velocity_kind is not None:
            p, v = (
                component_indices(self.blocks, block_kind)
                for block_kind in (StateVariable.EULER_PARAMETERS, self.velocity_kind)
            )
            violation_rate = self._constraint_violation_rate(y[p], y[v], rate[p], rate[v])
        own, own_right = np.zeros(0), np.zeros(0)
        if self.velocity is not None:
            own = rate[component_indices(self.blocks, self.velocity.block.variable)]
            own_right = _right_velocity_rate(self.velocity, state)
        derivative = derivative_at_zero(observed, _difference_time(state))
        return StateRates(sign * derivative[:4], derivative[4:], violation_rate, lam, own, own_right)


class EquationsSubject(StateSubject):
    """Equations of named states, evaluated by NumPy without compiling them."""

    state_count = 24
    has_variable_loads = True

    def __init__(self, equations: StateEquations) -> None:
        super().__init__(equations.name, equations.blocks)
        self.equations = equations

    def rates(self, state: EvaluationPoint) -> StateRates:
        y = self.equations.start(state.p, state.omega, state.J)
        rate, lam, _ = self.equations.right_side(state, y)

        def observed(s: float) -> np.ndarray:
            p, omega = self.equations.attitude_of_rows((y + s * rate)[None], state.J)
            return np.concatenate((p[0], omega[0]))

        return self._state_rates(state, y, rate, lam, observed)

    def is_regular(self, state: EvaluationPoint) -> bool:
        y = self.equations.start(state.p, state.omega, state.J)
        return bool(abs(self.equations.right_side(state, y).singularity) > NEAR_SINGULARITY)

    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        y = self.equations.start(state.p, state.omega, state.J)
        other_loads = [bound_load.load for bound_load in other.bound_loads]
        changed = replace(state, body=other.body, loads=other_loads)
        first, second = (self.equations.right_side(point, y).rates for point in (state, changed))
        return not np.array_equal(first, second, equal_nan=True)


class FormulationSubject(StateSubject):
    """A formulation, evaluated by its kernels."""

    def __init__(self, form: Formulation) -> None:
        super().__init__(form.id, form.blocks)
        self.form = form

    def rates(self, state: EvaluationPoint) -> StateRates:
        form = self.form
        parameters = form.parameters(state.body, [bound_load.load for bound_load in state.bound_loads])
        y = form.start(state.p, state.omega, parameters)
        derivatives, lam = blocks.derivative(parameters, state.t, tuple(y.tolist()))
        rate = np.array(derivatives)

        def observed(s: float) -> np.ndarray:
            p, omega = form.observe((y + s * rate)[None], parameters)
            return np.concatenate((p[0], omega[0]))

        return self._state_rates(state, y, rate, float(lam), observed)

    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        form = self.form
        parameters = form.parameters(state.body, [bound_load.load for bound_load in state.bound_loads])
        y = tuple(form.start(state.p, state.omega, parameters).tolist())
        try:
            other_parameters = form.parameters(other.body, [bound.load for bound in other.bound_loads])
        except InputError:
            return True
        first, second = (
            np.array(blocks.derivative(par, state.t, y)[0]) for par in (parameters, other_parameters)
        )
        return not np.array_equal(first, second, equal_nan=True)

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
    """A user function, evaluated in Python without compiling it."""

    velocity: VelocityVariable
    state_count = 24
    has_variable_loads = True

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
            _difference_time(state),
        )
        return StateRates(
            p_rate,
            omega_rate,
            self._constraint_violation_rate(state.p, v, p_rate, result.rate),
            np.nan if result.lam is None else result.lam,
            result.rate,
            _right_velocity_rate(self.velocity, state),
        )

    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        v = self.velocity.start(state.p, state.omega, state.J)
        results = [
            call_function(self.function, state.t, state.p, v, point.body, PythonLoads(point.bound_loads))
            for point in (state, other)
        ]
        return not all(
            np.array_equal(np.asarray(first, float), np.asarray(second, float), equal_nan=True)
            for first, second in zip(*results, strict=True)
        )


def _difference_time(state: EvaluationPoint) -> float:
    """Return the time [s] in which the body turns by `_DIFFERENCE_TURN`."""
    speed = np.linalg.norm(state.omega) + np.sqrt(np.linalg.norm(state.omega_rate))
    return float(_DIFFERENCE_TURN / max(speed, 1e-6))


def _right_velocity_rate(velocity: VelocityVariable, state: EvaluationPoint) -> np.ndarray:
    """Return the correct rate (k,) of a velocity variable, which follows from the motion of the body at a
    state."""
    return np.asarray(
        derivative_at_zero(
            lambda s: velocity.start(
                state.p + s * state.p_rate + 0.5 * s * s * state.p_acceleration,
                state.omega + s * state.omega_rate,
                state.J,
            ),
            _difference_time(state),
        )
    )
