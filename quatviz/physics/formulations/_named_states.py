"""Base class of user formulations whose states have names: their blocks, initial state and attitude."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from quatviz.physics.equations import Equation, EvaluationPoint, Term
from quatviz.physics.equations.evaluation_point import directional_derivative
from quatviz.physics.formulations._velocities import VELOCITIES, VelocityVariable
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels.algebra import on_sphere
from quatviz.physics.kernels.binder import compile_source
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.mechanics.state import EULER_PARAMETERS, StateBlock, StateVariable

SESSION_MODULE = "a session of quatviz"
"""Module name that is given to kernels which the user defines in this process.

Since no module of this name exists, no cache stores these kernels.
"""
ATTITUDE_NAME = "p"
"""Name of the state that holds the Euler parameters."""
KNOWN_BLOCKS: Mapping[str, StateBlock] = {
    ATTITUDE_NAME: EULER_PARAMETERS,
    **{name: velocity.block for name, velocity in VELOCITIES.items()},
}
"""State blocks of the predefined state names."""

StartFunction = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Function `f(p, omega, J)` that returns the value (k,) of a state at p (4,), omega (3,) [rad/s, body] and J
(3, 3) [kg m^2]."""


class NamedState(NamedTuple):
    """A state of the user's equations: its name, its number of components, and the function that returns its
    value at t = 0.
    """

    name: str
    size: int
    start: StartFunction


def known_start(name: str) -> StartFunction | None:
    """Return the function that gives the value at t = 0 of a state with a predefined name, or None for other
    names.
    """
    if name == ATTITUDE_NAME:
        return lambda p, omega, J: np.array(p, dtype=float)
    return VELOCITIES[name].start if name in VELOCITIES else None


def known_velocity(names: Sequence[str]) -> VelocityVariable | None:
    """Return the first of the named states that is a predefined velocity variable, from which omega follows.

    Return None if there is none, or if p is not a state.
    """
    if ATTITUDE_NAME not in names:
        return None
    return next((VELOCITIES[name] for name in names if name in VELOCITIES), None)


def state_slices(states: Sequence[NamedState]) -> dict[str, slice]:
    """Return a mapping from state names to slices: the position of each state in a row of all states."""
    stops = np.cumsum([state.size for state in states]).tolist()
    return {state.name: slice(stop - state.size, stop) for state, stop in zip(states, stops, strict=True)}


def state_blocks(states: Sequence[NamedState]) -> tuple[StateBlock, ...]:
    """Return the blocks of a state, one for each named state.

    States without a predefined name are attitude coordinates if p is not a state. If p is a state, they are inner
    coordinates, which events leave unchanged.
    """
    names = {state.name for state in states}
    other = StateVariable.INNER_COORDINATES if ATTITUDE_NAME in names else StateVariable.COORDINATES
    return tuple(_state_block(state, other) for state in states)


def _state_block(state: NamedState, other: StateVariable) -> StateBlock:
    known = KNOWN_BLOCKS.get(state.name)
    if known is not None and len(known.names) == state.size:
        return known
    numbered = tuple(f"{state.name}{k}" for k in range(1, state.size + 1))
    return StateBlock(other, numbered if state.size > 1 else (state.name,))


class Derivative(NamedTuple):
    """Results of the equations at a state: the derivative (k,), lambda [J] or NaN, and a number that tends to 0 at a
    singularity."""

    rates: np.ndarray
    lam: float = math.nan
    singularity: float = 1.0


@dataclass(frozen=True)
class StateEquations:
    """Equations of motion of named states, evaluated in Python without compilation."""

    name: str
    states: tuple[NamedState, ...]
    attitude_of_rows: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
    """Function `f(states, J)` that returns p (n, 4) and omega (n, 3) [rad/s, body] of states (n, k)."""
    right_side: Callable[[EvaluationPoint, np.ndarray], Derivative]
    """Function `f(point, y)` that returns the `Derivative` at a state y (k,), for the time and the loads of `point`."""

    @property
    def blocks(self) -> tuple[StateBlock, ...]:
        """Blocks of a state, one for each named state."""
        return state_blocks(self.states)

    def start(self, p: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        """Return the state (k,) at p (4,), omega (3,) [rad/s, body] and the inertia J (3, 3) [kg m^2]."""
        return np.concatenate(
            [np.atleast_1d(np.asarray(state.start(p, omega, J), dtype=float)) for state in self.states]
        )

    def projection_kernel(self, module: str = SESSION_MODULE) -> Callable[..., Any] | None:
        """Return a kernel that projects p onto the sphere, or None if p is not a state.

        `module` is the name of the module to which the kernel belongs.
        """
        where = state_slices(self.states)
        if ATTITUDE_NAME not in where:
            return None
        p = where[ATTITUDE_NAME]
        text = f"return y[:{p.start}] + on_sphere(y[{p.start}:{p.stop}]) + y[{p.stop}:]"
        return compile_source("project", "par, rates, y", [text], on_sphere=on_sphere, __name__=module)


class NamedStatesFormulation(Formulation):
    """Base class of formulations with named states.

    It defines the initial state, the attitude and angular velocity of a state, and the equation card.
    """

    own: ClassVar[StateEquations]

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return self.own.start(p, omega, np.reshape(parameters.inertia, (3, 3)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return self.own.attitude_of_rows(states, np.reshape(parameters.inertia, (3, 3)))

    def constraint_rate(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        where = state_slices(self.own.states)
        if not {ATTITUDE_NAME, "p_rate"} <= set(where):
            return super().constraint_rate(states, parameters)
        return np.einsum("ni,ni->n", states[:, where[ATTITUDE_NAME]], states[:, where["p_rate"]])

    @classmethod
    def equations(cls, variant: str) -> tuple[Equation, ...]:
        if any(block.variable is StateVariable.INNER_COORDINATES for block in cls.blocks):
            return ()  # their values are not known at an attitude and an angular velocity
        where = state_slices(cls.own.states)
        return tuple(cls._equation(state.name, where[state.name]) for state in cls.own.states)

    @classmethod
    def _equation(cls, name: str, components: slice) -> Equation:
        latex = VELOCITIES[name].latex if name in VELOCITIES else _latex_name(name)
        left = Term(
            rf"\frac{{d}}{{dt}}{latex}",
            "rate in the motion of the body",
            lambda at: cls._start_rate(at)[components],
        )
        right = Term(
            rf"\mathrm{{{_latex_text(cls.name)}}}_{{{latex}}}", "rate by the user's equations",
            lambda at: cls.own.right_side(at, cls.own.start(at.p, at.omega, at.J)).rates[components],
        )  # fmt: skip
        unit = VELOCITIES[name].unit if name in VELOCITIES else "1/s" if name == ATTITUDE_NAME else ""
        frame = VELOCITIES[name].frame if name in VELOCITIES else ""
        return Equation((left,), (right,), unit, frame, "the motion")

    @classmethod
    def _start_rate(cls, at: EvaluationPoint) -> np.ndarray:
        """Return the rate (k,) of the state in the motion of the body, by numerical differentiation of `start`."""
        direction = np.concatenate((at.p_rate, at.omega_rate))
        return directional_derivative(
            lambda x: cls.own.start(normalize(x[:4]), x[4:], at.J),
            np.concatenate((at.p, at.omega)),
            direction,
        )


def _latex_text(name: str) -> str:
    return name.replace("_", r"\_")


def _latex_name(name: str) -> str:
    return name if len(name) == 1 else rf"\mathrm{{{_latex_text(name)}}}"
