"""Explanation of a wrong omega' by wrong loads: torques that are limited, turned or oscillating, or loads that are
evaluated with wrong arguments."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.loads.base import BoundLoad
from quatviz.verification.judging.fits import (
    FIT_TOLERANCE,
    MIN_INFERENCE_STATES,
    Fit,
    amount_text,
    fit,
    number_text,
    rotated,
    smallest_error,
    turn_text,
    vector_text,
)
from quatviz.verification.judging.rate_table import RateTable

_MAX_ANGULAR_FREQUENCY = 60.0
"""Largest angular frequency [rad/s] in the search for an additional oscillating torque."""
_MIN_PHASE = 1.0
"""Smallest phase [rad] that an oscillating torque must pass through within the times of the states. With a
smaller phase it could not be distinguished from another function of time."""
_FREQUENCY_COUNT = 240
"""Number of angular frequencies on the first grid of the search for an oscillating torque."""
_MAX_DELAY = 1.0
"""Largest time shift [s], early or late, in the search for loads that are evaluated at the wrong time."""
_DELAY_TRIALS, _DELAY_REFINEMENTS = 41, 6
"""Number of time shifts that are compared in each step of the search for shifted loads, and number of steps."""
_DELAY_STATES = 12
"""Number of states at which the search for shifted loads evaluates the loads."""


def explain_limited_torque(table: RateTable) -> str:
    """Explain a torque whose magnitude, or each of whose components, is limited."""
    expected, actual = table.torque, table.torque + table.torque_residual
    lengths, expected_lengths = (np.linalg.norm(torque, axis=1) for torque in (actual, expected))
    limit = float(np.median(lengths))
    if limit == 0.0 or len(table) < MIN_INFERENCE_STATES:
        return ""
    parallel = expected * (limit / np.maximum(expected_lengths, 1e-300))[:, None]
    if np.abs(actual - parallel).max() <= FIT_TOLERANCE * limit and expected_lengths.min() > limit:
        return f"the torque |n| is limited to {amount_text(limit)} N m"
    is_limited = np.abs(actual - expected) > FIT_TOLERANCE * np.abs(expected).max()
    limits = np.abs(actual[is_limited])
    if len(limits) < MIN_INFERENCE_STATES or np.ptp(limits) > FIT_TOLERANCE * limits.max():
        return ""
    limit = float(np.median(limits))
    if np.abs(actual - np.clip(expected, -limit, limit)).max() > FIT_TOLERANCE * np.abs(expected).max():
        return ""
    return f"each component of the torque n is limited to {amount_text(limit)} N m"


def explain_rate_of_loads(table: RateTable) -> str:
    """Explain a torque of loads that are evaluated with a wrong multiple of omega, such as 0 or -omega.

    This explains only loads that are at most linear in omega, as the loads of the random states are.
    """

    def matched(part: RateTable) -> Fit | None:
        at_rest = np.array([replace(state, omega=np.zeros(3)).torque for state in part.states])
        return fit([at_rest - part.torque], part.torque_residual)

    few = table.subset(np.arange(min(len(table), MIN_INFERENCE_STATES)))
    if matched(few) is None or (match := matched(table)) is None:
        return ""
    factor = 1.0 - float(match.coefficients[0])
    if abs(factor) < 1e-6:
        return "the loads are evaluated at ω = 0"
    return f"the loads are evaluated at {'-' if abs(factor + 1.0) < 1e-6 else f'{number_text(factor)} '}ω"


def explain_shifted_loads(table: RateTable) -> str:
    """Explain a torque of loads that are evaluated too early or too late by a constant time."""
    sizes = np.linalg.norm(table.torque_residual, axis=1)
    few = table.subset(np.argsort(-sizes)[:_DELAY_STATES])
    loads = [_changing_loads(state) for state in few.states]
    if not any(loads):
        return ""
    shifts, spacing = (
        np.linspace(-_MAX_DELAY, _MAX_DELAY, _DELAY_TRIALS),
        2.0 * _MAX_DELAY / (_DELAY_TRIALS - 1),
    )
    for _ in range(_DELAY_REFINEMENTS):
        best = float(shifts[np.argmin(_errors_of_shifts(few, loads, shifts))])
        shifts, spacing = (
            best + spacing * np.linspace(-1.0, 1.0, _DELAY_TRIALS),
            2.0 * spacing / (_DELAY_TRIALS - 1),
        )
    if _errors_of_shifts(few, loads, np.array([best]))[0] > FIT_TOLERANCE * np.linalg.norm(
        few.torque_residual
    ):
        return ""
    loads = [_changing_loads(state) for state in table.states]
    if _errors_of_shifts(table, loads, np.array([best]))[0] > FIT_TOLERANCE * np.linalg.norm(sizes):
        return ""
    return f"the loads are evaluated at t {'-' if best < 0.0 else '+'} {amount_text(abs(best))} s"


def _changing_loads(state: EvaluationPoint) -> list[BoundLoad]:
    """Return the loads whose torque depends on time."""
    times, p, omega = (
        state.t + np.array([0.0, 0.1, 0.17]),
        np.tile(state.p, (3, 1)),
        np.tile(state.omega, (3, 1)),
    )
    return [load for load in state.bound_loads if np.ptp(load.torque(times, p, omega), axis=0).any()]


def _errors_of_shifts(
    table: RateTable, loads_of_states: Sequence[Sequence[BoundLoad]], shifts: np.ndarray
) -> np.ndarray:
    """Return the norms (m,) of the errors that remain if the given loads of each state are evaluated at t +
    shifts (m,) [s]."""
    squares = np.zeros(len(shifts))
    for state, loads, residual in zip(table.states, loads_of_states, table.torque_residual, strict=True):
        p, omega = np.tile(state.p, (len(shifts) + 1, 1)), np.tile(state.omega, (len(shifts) + 1, 1))
        times = state.t + np.append(0.0, shifts)
        torques = sum((load.torque(times, p, omega) for load in loads), np.zeros((len(times), 3)))
        squares += np.sum((torques[1:] - torques[0] - residual) ** 2, axis=1)
    return np.sqrt(squares)


def explain_oscillation(table: RateTable) -> str:
    """Explain the residual by an additional torque that oscillates at a constant frequency."""
    if len(table) < 4 * MIN_INFERENCE_STATES:
        return ""
    frequencies = _MAX_ANGULAR_FREQUENCY * np.arange(1, _FREQUENCY_COUNT + 1) / _FREQUENCY_COUNT
    t = table.t
    for name, residual in (
        ("in the body", table.torque_residual),
        ("in space", rotated(table.A, table.torque_residual)),
    ):

        def columns(frequency: float | np.ndarray) -> np.ndarray:
            phase = np.multiply.outer(frequency, t)
            return np.stack([np.sin(phase), np.cos(phase), np.ones_like(phase)], axis=-1)

        def error(frequency: float) -> float:
            basis = np.linalg.qr(columns(frequency))[0]
            return float(np.linalg.norm(residual - basis @ (basis.T @ residual)))  # noqa: B023

        bases = np.linalg.qr(columns(frequencies))[0]
        explained = np.einsum("fnk,ni->fki", bases, residual)
        size, shares = float(np.linalg.norm(residual)), np.sum(explained**2, axis=(1, 2))
        best, spacing = float(frequencies[np.argmax(shares)]), float(frequencies[0])
        if shares.max() < 0.5 * size**2:
            continue
        offset = smallest_error(lambda f: error(best - spacing + f), 2.0 * spacing, size)  # noqa: B023
        if offset is None or error(frequency := best - spacing + offset) > FIT_TOLERANCE * size:
            continue
        if frequency * np.ptp(t) < _MIN_PHASE:
            continue
        amounts = np.linalg.lstsq(columns(frequency), residual, rcond=None)[0]
        terms = [
            f"{vector_text(amount)}{function}"
            for amount, function in zip(
                amounts, (f" sin({frequency:.4g} t)", f" cos({frequency:.4g} t)", ""), strict=True
            )
            if np.abs(amount).max() > 1e-4 * np.abs(amounts).max()
        ]
        return f"additional torque {' + '.join(terms)} N m {name}"
    return ""


def explain_turned_torque(table: RateTable) -> str:
    """Explain a torque in the body that is turned by a constant rotation, as by a misaligned actuator."""
    turn = turn_text(table.torque, table.torque + table.torque_residual)
    return f"the torque n is turned by {turn}" if turn else ""
