"""Subjects of a judgement, and their rates at a state: a formulation by its kernels, a function in Python."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
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

_RATE_NAMES = {
    "omega": "ω'_1 ω'_2 ω'_3",
    "omega_space": "ω'_x ω'_y ω'_z",
    "h": "h'_1 h'_2 h'_3",
    "h_space": "h'_x h'_y h'_z",
    "p_rate": "p''_0 p''_1 p''_2 p''_3",
    "g": "g'_0 g'_1 g'_2 g'_3",
}
"""Maps the name of each velocity variable to the names of the components of its rate."""
_DIFFERENCE_TURN = 5e-4
"""Rotation angle [rad] over which p and omega are differentiated numerically at a state."""
_STENCIL_OFFSETS = np.array([0.0, 1.0, -1.0, 2.0, -2.0])
"""Positions, in steps, of the points of the five-point rule for numerical derivatives. The first point is the state
itself."""
_STENCIL_WEIGHTS = np.array([0.0, 8.0, -8.0, -1.0, 1.0]) / 12.0
"""Weights of the points of the five-point rule."""


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
    state_rates: np.ndarray = np.zeros(0)
    """Rates (k,) of the components of the author's state."""
    observed: np.ndarray = np.zeros(7)
    """p (4,) and omega (3,) [rad/s, body] that follow from the author's state."""
    singularity: float = 1.0
    """Singularity measure of the author's state, which tends to 0 at a singularity."""


class OwnState(NamedTuple):
    """A state whose name has no predefined meaning: a coordinate of the attitude, or an inner state."""

    symbol: str
    rate_names: tuple[str, ...]
    """Names of the components of its rate."""
    components: slice
    """Indices of its components within the author's state."""


class Subject(ABC):
    """Base class of subjects that can be judged. `velocity_kind` is the type of their velocities, which determines
    the constraint.
    """

    name: str
    velocity_kind: StateVariable | None = None
    velocity: VelocityVariable | None = None
    """Velocity variable that, together with p, is the state of the subject. None if it is not one of the
    variables that a user function can have as an argument."""

    velocity_components: Sequence[int] = ()
    """Indices of the components of `velocity` in the author's state."""
    own_states: tuple[OwnState, ...] = ()

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the components of the rate of `velocity`."""
        names = [_RATE_NAMES[name] for name, velocity in VELOCITIES.items() if velocity is self.velocity]
        return tuple(names[0].split()) if names else ()

    state_count = 20
    """Number of states per group."""
    has_variable_loads = False
    """True if the states for this subject include loads that depend on omega and t. False for a formulation, which
    would have to compile such loads."""

    @abstractmethod
    def rates(self, state: EvaluationPoint) -> StateRates:
        """Return the rates at a state. Raises `InputError` for a state that the subject cannot represent."""

    @abstractmethod
    def state_values(self, state: EvaluationPoint) -> np.ndarray:
        """Return the author's state (k,) at p and omega of `state`."""

    def right_state_rates(self, state: EvaluationPoint) -> np.ndarray:
        """Return the rates (k,) of the author's state that follow from the motion of the body."""

        def moved(s: float) -> np.ndarray:
            p = state.p + s * state.p_rate + 0.5 * s * s * state.p_acceleration
            return self.state_values(replace(state, u=p, omega=state.omega + s * state.omega_rate))

        return np.asarray(derivative_at_zero(moved, _difference_time(state)))

    @abstractmethod
    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        """Return True if the rates change when the body and loads of `state` are replaced by those of `other`."""

    def _constraint_violation_rate(
        self, p: np.ndarray, v: np.ndarray, p_rate: np.ndarray, rate: np.ndarray
    ) -> float:
        """Return the time derivative of p.p' or p.g, which must be zero. `v` (4,) is p' or g, and `rate` (4,)
        its rate. The result is 0 if neither is in the state."""
        return 0.0 if self.velocity_kind is None else float(p_rate @ v + p @ rate)


class StateSubject(Subject):
    """Base class of subjects whose state is an array. The array is composed of blocks, which are named variables such
    as p and omega."""

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
        if matching and has_parameters:
            self.velocity = matching[0]
            self.velocity_components = component_indices(blocks, self.velocity.block.variable)
        self.own_states = tuple(_own_states(blocks))

    def _rates_along(
        self,
        state: EvaluationPoint,
        y: np.ndarray,
        rate: np.ndarray,
        lam: float,
        singularity: float,
        observe: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    ) -> StateRates:
        """Return the rates that follow from the derivative `rate` (k,) of a state y (k,).

        `observe(states)` returns p (n, 4) and omega (n, 3) of states (n, k).
        """
        spacing = _difference_time(state)
        rows = np.hstack(observe(y + spacing * _STENCIL_OFFSETS[:, None] * rate))
        observed, derivative = rows[0], _STENCIL_WEIGHTS @ rows / spacing
        sign = np.sign(observed[:4] @ state.p)  # Some formulations represent the attitude by -p.
        violation_rate = 0.0
        if self.velocity_kind is not None:
            p, v = (
                component_indices(self.blocks, block_kind)
                for block_kind in (StateVariable.EULER_PARAMETERS, self.velocity_kind)
            )
            violation_rate = self._constraint_violation_rate(y[p], y[v], rate[p], rate[v])
        return StateRates(
            sign * derivative[:4], derivative[4:], violation_rate, lam, rate, observed, singularity
        )


def _own_states(blocks: Sequence[StateBlock]) -> Iterator[OwnState]:
    """Yield the author's states whose names have no predefined meaning."""
    start = 0
    for block in blocks:
        stop = start + len(block.names)
        if block.variable in (StateVariable.COORDINATES, StateVariable.INNER_COORDINATES):
            stem = block.names[0][:-1]
            if len(block.names) > 1 and block.names == tuple(
                f"{stem}{k + 1}" for k in range(len(block.names))
            ):
                names = tuple(f"{stem}'_{k + 1}" for k in range(len(block.names)))
                yield OwnState(stem, names, slice(start, stop))
            else:
                for k, name in enumerate(block.names, start):
                    yield OwnState(name, (f"{name}'",), slice(k, k + 1))
        start = stop


class EquationsSubject(StateSubject):
    """Equations of named states, evaluated by NumPy without compiling them."""

    state_count = 24
    has_variable_loads = True

    def __init__(self, equations: StateEquations) -> None:
        super().__init__(equations.name, equations.blocks)
        self.equations = equations

    def rates(self, state: EvaluationPoint) -> StateRates:
        y = self.state_values(state)
        rate, lam, singularity = self.equations.right_side(state, y)
        return self._rates_along(
            state, y, rate, lam, singularity, lambda rows: self.equations.attitude_of_rows(rows, state.J)
        )

    def state_values(self, state: EvaluationPoint) -> np.ndarray:
        return self.equations.start(state.u, state.omega, state.J)

    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        y = self.state_values(state)
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
        form, parameters = self.form, self._parameters(state)
        y = form.start(state.p, state.omega, parameters)
        derivatives, lam = blocks.derivative(parameters, state.t, tuple(y.tolist()))
        singularity = 1.0
        if form.singularity_title:
            rows = y[None].copy()
            rows.flags.writeable = False
            measures = np.empty((1, 2))
            blocks.measure_rows(parameters, 0, 1.0, tuple(y.tolist()), rows, measures)
            singularity = measures[0, 1]
        return self._rates_along(
            state,
            y,
            np.array(derivatives),
            float(lam),
            singularity,
            lambda rows: form.observe(rows, parameters),
        )

    def _parameters(self, state: EvaluationPoint) -> Any:
        return self.form.parameters(state.body, [bound_load.load for bound_load in state.bound_loads])

    def state_values(self, state: EvaluationPoint) -> np.ndarray:
        return self.form.start(state.u, state.omega, self._parameters(state))

    def responds(self, state: EvaluationPoint, other: EvaluationPoint) -> bool:
        form, parameters = self.form, self._parameters(state)
        y = tuple(form.start(state.p, state.omega, parameters).tolist())
        try:
            other_parameters = form.parameters(other.body, [bound.load for bound in other.bound_loads])
        except InputError:
            return True
        first, second = (
            np.array(blocks.derivative(par, state.t, y)[0]) for par in (parameters, other_parameters)
        )
        return not np.array_equal(first, second, equal_nan=True)


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
        self.velocity_components = range(len(self.velocity.block.names))

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
            np.concatenate((state.p, state.omega)),
        )

    def state_values(self, state: EvaluationPoint) -> np.ndarray:
        return self.velocity.start(state.u, state.omega, state.J)

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
