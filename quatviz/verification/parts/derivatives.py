"""Checks of the derivatives that kernels compute at random states, compared with Newton-Euler in NumPy. No
integrator is used."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.physics.observables.multiplier_theory import TERMS
from quatviz.verification.arrays import derivative_at_zero
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import NEAR_SINGULARITY, lane_ids
from quatviz.verification.load_torque import total_torque
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.agreement import LOADS
from quatviz.verification.parts.base import VerificationPart

TOLERANCE = 1e-8
"""Largest accepted relative error of p', omega' and the constraint."""
THEORY_TOLERANCE = 1e-9
"""Largest accepted error [J] of lambda. The tolerance is small, because the theory of lambda is exact for
every force at a body point."""
STATE_COUNT = 8
"""Number of random states per lane and load case."""
EVALUATION_TIME = 0.7
"""Time at which time-dependent loads are evaluated [s]."""
STATE_SHIFT_TIME = 0.1
"""Time [s] by which states are advanced before a check, because coordinates that are zero at the start would
hide errors."""
LAMBDA_NAME = "lambda"
SPACING = 1e-4
"""Time step [s] over which the observed p and omega are differentiated along the kernel's derivative."""


class Derivatives(VerificationPart):
    """Checks that `start`, the kernel and `observe` of a formulation are consistent. This is the fastest
    check of a formulation.

    The checks are p' = 1/2 L^T omega, J omega' = n - omega x J omega with n from the definition of each load,
    the constraint on the rates, and the theory of lambda.
    """

    name = "derivatives"
    title = "Derivatives at random states, relative to Newton and Euler"

    def checks(self, full: bool) -> Iterator[Check]:
        for lane in lane_ids():
            yield from check_lane(lane, 10 * STATE_COUNT if full else STATE_COUNT)


def check_formulation(name: str) -> Iterator[Check]:
    """Yield the checks of all variants of a formulation."""
    for variant in FORMULATIONS[name].variants or ("",):
        yield from check_lane(f"{name}/{variant}" if variant else name)


def check_lane(lane: str, count: int = STATE_COUNT) -> Iterator[Check]:
    """Yield checks of a lane: for each load case, the largest error over `count` states that are far from its
    singularity."""
    for load_case in LOADS:
        form = make_formulation(lane)
        errors = [
            state_errors
            for seed in range(count)
            if (state_errors := _state_errors(form, _case_preset(load_case, seed)))
        ]
        run = f"{lane}, {len(errors)} random states"
        names = ("p'", "omega'", "p.p' = 0 or p.g = 0 is kept", LAMBDA_NAME)
        tolerances = (TOLERANCE, TOLERANCE, TOLERANCE, THEORY_TOLERANCE)
        worst = np.max(errors, axis=0) if errors else np.full(len(names), np.nan)
        for name, error, tolerance in zip(names, worst, tolerances, strict=True):
            if name != LAMBDA_NAME or (form.has_multiplier and form.multiplier_terms is not None):
                yield check_zero(f"{load_case}: {name}", float(error), tolerance, run)


@cache
def _case_preset(load_case: str, seed: int) -> Preset:
    """Return a random preset. Every second body has principal axes, which kernels handle by a separate branch."""
    preset = random_preset(seed, LOADS[load_case])
    moments, _ = preset.body.principal()
    return replace(preset, body=replace(preset.body, inertia=moments)) if seed % 2 else preset


def _state_errors(form: Formulation, preset: Preset) -> tuple[float, ...] | None:
    """Return relative errors of p', omega', the constraint on rates, and lambda, or None near the singularity."""
    body, loads = preset.body, preset.loads
    parameters = form.parameters(body, loads)
    y = form.start(preset.initial.p(), preset.initial.omega(body), parameters)
    if form.singularity_title and not abs(singularity_measure(parameters, y)) > NEAR_SINGULARITY:
        return None
    y = advance_state(form, parameters, y)
    rate, lam = blocks.derivative(parameters, EVALUATION_TIME, tuple(y.tolist()))
    p, omega = (values[0] for values in form.observe(y[None, :], parameters))

    def observed(index: int) -> Callable[[float], np.ndarray]:
        return lambda s: form.observe((y + s * np.array(rate))[None, :], parameters)[index][0]

    p_rate, omega_rate = (derivative_at_zero(observed(index), SPACING) for index in (0, 1))
    expected = _expected_acceleration(body, loads, p, omega)
    terms = form.multiplier_terms or ()
    times, bound = np.array([EVALUATION_TIME]), bind(loads, body)
    theory = sum(float(TERMS[term](times, p[None, :], omega[None, :], body, bound)[0]) for term in terms)
    return (
        relative_error(p_rate, 0.5 * matrix_L(p).T @ omega),
        relative_error(omega_rate, expected),
        _constraint_violation_rate(form, y, np.array(rate)),
        abs(lam - theory) / max(1.0, abs(theory)),
    )


def advance_state(form: Formulation, parameters: Any, y: np.ndarray) -> np.ndarray:
    """Return the state `y` (k,) advanced by `STATE_SHIFT_TIME`, so that charts do not stay at their origin.

    `y` is returned unchanged if the step would leave the sphere or come close to a singularity.
    """
    rate, _ = blocks.derivative(parameters, 0.0, tuple(y.tolist()))
    advanced = y + STATE_SHIFT_TIME * np.array(rate)
    p, _ = form.observe(advanced[None, :], parameters)
    on_sphere = abs(float(p[0] @ p[0]) - 1.0) < 1e-12
    return advanced if on_sphere and abs(singularity_measure(parameters, advanced)) > NEAR_SINGULARITY else y


def _constraint_violation_rate(form: Formulation, y: np.ndarray, rate: np.ndarray) -> float:
    """Return the time derivative of the constraint p.p' or p.g, relative to the size of its terms; 0 if the
    state has neither p' nor g. An error of this rate does not show in the attitude."""
    position_and_velocity, rates = (y[:4], y[4:]), (rate[:4], rate[4:])
    if not component_indices(form.blocks, StateVariable.EULER_MOMENTA, StateVariable.EULER_RATES):
        return 0.0
    terms = position_and_velocity[0] @ rates[1], rates[0] @ position_and_velocity[1]
    return float(
        abs(sum(terms))
        / (abs(terms[0]) + np.linalg.norm(rates[0]) * np.linalg.norm(position_and_velocity[1]))
    )


def _expected_acceleration(body: Body, loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    J = body.inertia
    return np.linalg.solve(J, total_torque(loads, EVALUATION_TIME, p, omega, J) - np.cross(omega, J @ omega))


def relative_error(computed: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest error of any element of an array, relative to the largest expected element."""
    return float(np.abs(computed - expected).max() / np.abs(expected).max())


def singularity_measure(parameters: Any, y: np.ndarray) -> float:
    """Return the singularity measure of a state (k,) by the compiled kernel; 1 without a singularity."""
    out = np.empty((1, 2))
    rows = y[None, :].copy()
    rows.flags.writeable = False
    blocks.measure_rows(parameters, 0, 1.0, tuple(y.tolist()), rows, out)
    return float(out[0, 1])
