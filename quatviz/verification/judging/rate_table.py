"""Rates of a formulation at many states, as arrays, together with the correct rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.mechanics.state import StateVariable
from quatviz.verification.judging.subject import StateRates, Subject

RATE_TOLERANCE = 1e-8
"""Largest relative difference between rates that count as equal."""
PART_NAMES = ("p'", "ω'", "the constraint")
"""Names of the parts of the rates: p' (attitude), ω' (angular velocity), and the rate of the constraint on p'
or g."""
PART_SLICES = (slice(0, 4), slice(4, 7), slice(7, 8))
"""Columns of each part of the rates in an array of differences (n, 8), in the order of `PART_NAMES`."""


class RateScale:
    """Typical magnitudes of p', of omega' and of the rate of the constraint at some states, used to make differences
    relative."""

    def __init__(self, states: Sequence[EvaluationPoint]) -> None:
        rates = max(float(np.abs(state.p_rate).max()) for state in states)
        squares = [float(state.omega @ state.omega) for state in states]
        accelerations = [float(np.abs(state.omega_rate).max()) for state in states]
        energies = [state.T for state in states]
        self.sizes = (rates, max(*squares, *accelerations), max(*squares, *energies))

    def differences(self, states: Sequence[EvaluationPoint], rates_list: Sequence[StateRates]) -> np.ndarray:
        """Return the differences (n, 8) between given rates and those of the motion at n states, divided by
        the typical sizes."""
        rows = [
            np.concatenate((
                (rates.p_rate - state.p_rate) / self.sizes[0],
                (rates.omega_rate - state.omega_rate) / self.sizes[1],
                [rates.constraint_violation_rate / self.sizes[2]],
            ))
            for state, rates in zip(states, rates_list, strict=True)
        ]  # fmt: skip
        return np.array(rows)


class Coordinate(NamedTuple):
    """One state variable of the author's own, with values and rates (n, k) at n states."""

    symbol: str
    """Name of the variable."""
    names: tuple[str, ...]
    """Names of the components of its rate."""
    values: np.ndarray
    """Values (n, k)."""
    rates: np.ndarray
    """Rates (n, k) that the judged equations give."""
    right: np.ndarray
    """Rates (n, k) that follow from the motion of the body."""


@dataclass(frozen=True)
class RateTable:
    """One or more states, and the rates that a formulation has there. Vectors are (n, 3) in the body, p is
    (n, 4)."""

    states: Sequence[EvaluationPoint]
    rates: Sequence[StateRates]
    subject: Subject
    """Formulation whose rates are judged."""
    tolerance: float = RATE_TOLERANCE
    """Largest relative difference between rates that count as equal."""

    def __len__(self) -> int:
        return len(self.states)

    def subset(self, indices: np.ndarray) -> "RateTable":
        """Return the part of the table for the states with these indices (m,)."""
        return RateTable(
            [self.states[k] for k in indices],
            [self.rates[k] for k in indices],
            self.subject,
            self.tolerance,
        )

    def joined(self, other: "RateTable") -> "RateTable":
        """Return the table of the states of both tables."""
        return RateTable(
            [*self.states, *other.states], [*self.rates, *other.rates], self.subject, self.tolerance
        )

    @cached_property
    def scale(self) -> RateScale:
        return RateScale(self.states)

    @cached_property
    def differences(self) -> np.ndarray:
        """Differences (n, 8) between the rates of the formulation and those of the motion, divided by typical
        sizes."""
        return self.scale.differences(self.states, self.rates)

    @cached_property
    def is_wrong(self) -> np.ndarray:
        """Mask (n,) of the states at which the rates are wrong."""
        return np.asarray(~(np.abs(self.differences).max(axis=1) <= self.tolerance))

    @property
    def largest_by_part(self) -> tuple[float, float, float]:
        """Largest relative difference of p', of omega', and of the constraint."""
        first, second, third = (float(np.abs(self.differences[:, part]).max()) for part in PART_SLICES)
        return first, second, third

    @property
    def wrong_parts(self) -> tuple[str, ...]:
        """Names of the parts of the rates that differ from those of the motion."""
        return tuple(
            name
            for name, size in zip(PART_NAMES, self.largest_by_part, strict=True)
            if not size <= self.tolerance
        )

    @property
    def own_is_right(self) -> bool:
        """True if the author's velocity variable is known and has the correct rate at all states."""
        own, right = self.own, self.own_right
        if not own.size:
            return False
        size = max(float(np.abs(right).max()), 1e-300)
        return bool(np.abs(own - right).max() <= RATE_TOLERANCE * size)

    # --- arrays

    @cached_property
    def t(self) -> np.ndarray:
        return np.array([state.t for state in self.states])

    @cached_property
    def p(self) -> np.ndarray:
        return np.array([state.p for state in self.states])

    @cached_property
    def omega(self) -> np.ndarray:
        return np.array([state.omega for state in self.states])

    @cached_property
    def J(self) -> np.ndarray:
        """Inertia (n, 3, 3) [kg m^2]."""
        return np.array([state.J for state in self.states])

    @cached_property
    def h(self) -> np.ndarray:
        return np.array([state.h for state in self.states])

    @cached_property
    def torque(self) -> np.ndarray:
        return np.array([state.torque for state in self.states])

    @cached_property
    def gyroscopic(self) -> np.ndarray:
        return np.array([state.gyroscopic for state in self.states])

    @cached_property
    def A(self) -> np.ndarray:
        """Rotation matrices (n, 3, 3), body to space."""
        return rotation_matrix(self.p)

    @cached_property
    def p_rate(self) -> np.ndarray:
        """p' (n, 4) of the motion."""
        return np.array([state.p_rate for state in self.states])

    @cached_property
    def p_residual(self) -> np.ndarray:
        """p' (n, 4) of the formulation minus that of the motion."""
        return np.array([rates.p_rate for rates in self.rates]) - self.p_rate

    @cached_property
    def omega_rate(self) -> np.ndarray:
        """omega' (n, 3) of the formulation."""
        return np.array([rates.omega_rate for rates in self.rates])

    @cached_property
    def torque_residual(self) -> np.ndarray:
        """J omega' (n, 3) [N m] of the formulation minus that of the motion."""
        right = np.array([state.omega_rate for state in self.states])
        return np.einsum("nij,nj->ni", self.J, self.omega_rate - right)

    @property
    def velocity_kind(self) -> StateVariable | None:
        """Kind of the velocities of p in the state: rates p' or momenta g. None if the state contains neither."""
        return self.subject.velocity_kind

    @property
    def own_names(self) -> Sequence[str]:
        """Names of the components of the rate of the author's velocity variable, that is, the variable in which
        the judged equations are written, such as omega or h."""
        return self.subject.own_names

    @cached_property
    def own(self) -> np.ndarray:
        """Rate (n, k) of the author's velocity variable that the judged equations give; k = 0 if the variable
        is unknown."""
        return self._state_rates[:, self.subject.velocity_components]

    @cached_property
    def own_right(self) -> np.ndarray:
        """Correct rate (n, k) of the author's velocity variable, which follows from the motion of the body."""
        return self._right_state_rates[:, self.subject.velocity_components]

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Variables of the author's own state that depend on attitude or angular velocity, with their rates."""
        coordinates = []
        for state in self.subject.own_states:
            right = self._right_state_rates[:, state.components]
            # Rates that are zero in every motion belong to an inner state, such as a filter.
            if np.isfinite(right).all() and right.any():
                coordinates.append(
                    Coordinate(
                        state.symbol, state.rate_names, self._state_values[:, state.components],
                        self._state_rates[:, state.components], right,
                    )
                )  # fmt: skip
        return tuple(coordinates)

    @cached_property
    def _state_values(self) -> np.ndarray:
        return np.array([self.subject.state_values(state) for state in self.states])

    @cached_property
    def _state_rates(self) -> np.ndarray:
        return np.array([rates.state_rates for rates in self.rates])

    @cached_property
    def _right_state_rates(self) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.array([self.subject.right_state_rates(state) for state in self.states])

    @cached_property
    def observed_p(self) -> np.ndarray:
        """Euler parameters (n, 4) that follow from the state at the start."""
        return np.array([rates.observed[:4] for rates in self.rates])

    @cached_property
    def observed_omega(self) -> np.ndarray:
        """Angular velocity (n, 3) that follows from the state at the start."""
        return np.array([rates.observed[4:] for rates in self.rates])

    @cached_property
    def constraint(self) -> np.ndarray:
        """Time derivative (n,) of the constraint p.p' = 0 or p.g = 0 in the judged equations; it should be 0."""
        return np.array([rates.constraint_violation_rate for rates in self.rates])
