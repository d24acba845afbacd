"""Checks of the derivatives that the kernels of formulations with rotors compute, compared with the equations
of body and rotors in NumPy."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from quatviz.base.expression import Expression
from quatviz.files.preset import Preset
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations._rotors import with_rotors
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads.damping import Damping
from quatviz.physics.loads.gravity import Gravity
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L, orientation_matrix
from quatviz.physics.mechanics.rotor import SPEED_MARGIN, Rotor
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.verification.arrays import derivative_at_zero
from quatviz.verification.check import Check, check_zero
from quatviz.verification.lanes import NEAR_SINGULARITY, lane_ids
from quatviz.verification.load_torque import total_torque
from quatviz.verification.motions import random_preset
from quatviz.verification.parts.base import VerificationPart
from quatviz.verification.parts.derivatives import (
    EVALUATION_TIME,
    SPACING,
    STATE_COUNT,
    TOLERANCE,
    advance_state,
    relative_error,
    singularity_measure,
)

LOADS = (Gravity(weight=9.0, centre=[0.2, -0.3, 0.4]), Damping(coefficient=0.3))
TARGET = (0.8, 0.2, -0.3, 0.1)
CASES: dict[str, tuple[dict[str, Any], ...]] = {
    "free rotors with friction": ({"friction": 0.02}, {"friction": 0.05}, {}),
    "constant speed and momentum": (
        {"law": "constant_speed"},
        {"law": "constant_momentum", "speed": 0.0, "momentum": 1.3},
        {"friction": 0.1},
    ),
    "motors": (
        {"law": "motor", "torque": 0.4, "friction": 0.02},
        {"law": "motor", "torque": "0.3*sin(2*t)+0.1"},
        {"law": "motor", "torque": -0.7, "max_torque": 0.5},
    ),
    "motors at their limits": (
        {"law": "motor", "torque": 0.4, "max_speed": 10.0},
        {"law": "motor", "torque": "2*cos(t)", "max_torque": 0.5, "max_speed": 30.0, "friction": 0.02},
        {"law": "motor", "torque": -0.7, "max_torque": 0.5, "max_speed": 2.0},
    ),
    "attitude control": tuple(
        {"law": "attitude_control", "stiffness": 1.5, "damping": 2.0, "target": TARGET, **limits}
        for limits in ({}, {"max_torque": 0.6}, {"max_speed": 9.9, "friction": 0.1})
    ),
    "attitude control without limits": tuple(
        {"law": "attitude_control", "stiffness": 1.5, "damping": 2.0, "target": TARGET} for _ in range(3)
    ),
}
"""Parameters of the three rotors by name of the case. `_case_preset` adds axis, inertia and, if it is not listed, the
speed."""
ALONG_BODY_AXES = ("free rotors with friction", "motors at their limits", "attitude control without limits")
"""Cases whose rotors are along the body axes, for which kernels omit the components that are zero."""


class RotorChecks(VerificationPart):
    """Checks of p', omega' and of the rates of the rotors' momenta at random states, for every law of a rotor.

    The expected rates follow from Newton's and Euler's equations, written separately for the body without its rotors
    and for each rotor. Without `full`, each formulation is checked with only one case, and successive formulations
    with different cases, because each combination must be compiled.
    """

    name = "rotors"
    title = "Derivatives of bodies with rotors, relative to Newton and Euler"

    def checks(self, full: bool) -> Iterator[Check]:
        cases = tuple(CASES)
        for number, lane in enumerate(lane_ids(with_rotors=True)):
            if full:
                yield from check_lane(lane, 4 * STATE_COUNT)
            else:
                yield from check_lane(lane, STATE_COUNT // 2, [cases[number % len(cases)]])


def check_newton_euler() -> Iterator[Check]:
    """Yield the checks of the lane `newton_euler` only, for tests that alter the kernels of rotors."""
    yield from check_lane("newton_euler")


def check_lane(lane: str, count: int = STATE_COUNT, cases: Iterable[str] = tuple(CASES)) -> Iterator[Check]:
    """Yield checks of a lane: for each case, the largest error over `count` states that are far from its singularity."""
    for case in cases:
        presets = (_case_preset(case, seed) for seed in range(count))
        errors = [state_errors for preset in presets if (state_errors := _state_errors(lane, preset))]
        worst = np.max(errors, axis=0) if errors else np.full(3, np.nan)
        for name, error in zip(("p'", "omega'", "rates of the momenta"), worst, strict=True):
            yield check_zero(
                f"{case}: {name}", float(error), TOLERANCE, f"{lane}, {len(errors)} random states"
            )


@cache
def _case_preset(case: str, seed: int) -> Preset:
    """Return a random preset of a body with the three rotors of a case; every second inertia matrix is diagonal."""
    preset, random = random_preset(seed, LOADS), np.random.default_rng(seed)
    moments, _ = preset.body.principal()
    inertia = moments if seed % 2 else preset.body.inertia
    axes = np.eye(3)[[1, 2, 0]] if case in ALONG_BODY_AXES else random.normal(size=(3, 3))
    rotors = [
        Rotor(axis=axis, inertia=0.03 * float(moments.min()), **{"speed": speed, **parameters})
        for axis, speed, parameters in zip(axes, (9.9, -4.0, 2.0), CASES[case], strict=True)
    ]
    return replace(preset, body=Body(inertia=inertia, rotors=rotors))


def _state_errors(lane: str, preset: Preset) -> tuple[float, ...] | None:
    """Return relative errors of p', omega' and the rates of the integrated momenta, or None near the singularity."""
    body = preset.body
    form = with_rotors(make_formulation(lane), body, "")
    parameters = form.parameters(body, preset.loads)
    y = form.start(preset.initial.p(), preset.initial.omega(body), parameters)
    if form.singularity_title and not abs(singularity_measure(parameters, y)) > NEAR_SINGULARITY:
        return None
    y = advance_state(form, parameters, y)
    rate, _ = blocks.derivative(parameters, EVALUATION_TIME, tuple(y.tolist()))
    p, omega = (values[0] for values in form.observe(y[None, :], parameters))

    def observed(index: int) -> Callable[[float], np.ndarray]:
        return lambda s: form.observe((y + s * np.array(rate))[None, :], parameters)[index][0]

    p_rate, omega_rate = (derivative_at_zero(observed(index), SPACING) for index in (0, 1))
    momenta = _momenta(form, body, y, omega)
    expected_omega_rate, expected_rates = expected_acceleration(preset, p, omega, momenta)
    has_state = [rotor.has_state for rotor in body.rotors]
    indices = component_indices(form.blocks, StateVariable.ROTOR_MOMENTA)
    return (
        relative_error(p_rate, 0.5 * matrix_L(p).T @ omega),
        relative_error(omega_rate, expected_omega_rate),
        float(np.abs(np.array(rate)[indices] - expected_rates[has_state]).max()),
    )


def _momenta(form: Formulation, body: Body, y: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the axial angular momenta (m,) [kg m^2/s] of the rotors in a state y at omega."""
    integrated = iter(y[component_indices(form.blocks, StateVariable.ROTOR_MOMENTA)])
    fixed = {
        "constant_speed": lambda rotor: rotor.inertia * (rotor.unit_axis @ omega + rotor.speed),
        "constant_momentum": lambda rotor: rotor.momentum,
    }
    return np.array(
        [next(integrated) if rotor.has_state else fixed[rotor.law](rotor) for rotor in body.rotors]
    )


def expected_acceleration(
    preset: Preset, p: np.ndarray, omega: np.ndarray, momenta: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return omega' (3,) [rad/s^2, body] and the rates (m,) [N m] of the rotors' axial momenta, from the
    equations of motion of the body and its rotors.

    Let J_b be the inertia of the body without the axial inertias of the rotors, a_k the axis of rotor k, h_k
    its axial momentum and n the torque of the loads. The total momentum satisfies d/dt (J_b omega + sum h_k
    a_k) = n in space. Rotor k satisfies h_k' = tau_k - c_k W_k, with the motor torque tau_k, the friction
    coefficient c_k and the speed W_k relative to the body. A rotor with constant speed and axial inertia I_k
    has h_k' = I_k a_k.omega' instead.
    """
    body = preset.body
    axes = np.array([rotor.unit_axis for rotor in body.rotors])
    inertias = np.array([rotor.inertia for rotor in body.rotors])
    speeds = momenta / inertias - axes @ omega
    carrier = body.inertia - (axes.T * inertias) @ axes
    friction = np.array([rotor.friction for rotor in body.rotors])
    rates = _motor_torques(body, p, omega, speeds) - friction * speeds
    n = total_torque(preset.loads, EVALUATION_TIME, p, omega, body.inertia)
    moment = n - np.cross(omega, carrier @ omega + momenta @ axes)
    has_constant_speed = np.array([rotor.law == "constant_speed" for rotor in body.rotors])
    fixed_axes = axes[has_constant_speed]
    matrix = carrier + (fixed_axes.T * inertias[has_constant_speed]) @ fixed_axes
    omega_rate = np.linalg.solve(matrix, moment - rates @ axes)
    return omega_rate, np.where(has_constant_speed, inertias * (axes @ omega_rate), rates)


def _motor_torques(body: Body, p: np.ndarray, omega: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """Return the motor torques (m,) [N m] on the rotors; zeros for rotors without a motor."""
    torques = np.zeros(len(body.rotors))
    controlled = [index for index, rotor in enumerate(body.rotors) if rotor.law == "attitude_control"]
    if controlled:
        axes = np.array([body.rotors[index].unit_axis for index in controlled])
        demand = _demanded_torque(body.rotors[controlled[0]], p, omega)
        torques[controlled] = -np.linalg.lstsq(axes.T, demand, rcond=None)[0]
    for index, rotor in enumerate(body.rotors):
        if rotor.law == "motor":
            torque = rotor.torque
            torques[index] = (
                torque.evaluate(np.array([EVALUATION_TIME]))[0] if isinstance(torque, Expression) else torque
            )
        if rotor.max_torque is not None and abs(torques[index]) > rotor.max_torque:
            torques[index] = np.sign(torques[index]) * rotor.max_torque
        if rotor.max_speed is not None and torques[index] * speeds[index] > 0.0:
            reserve = (rotor.max_speed - abs(speeds[index])) / (SPEED_MARGIN * rotor.max_speed)
            torques[index] *= min(max(reserve, 0.0), 1.0)
    return torques


def _demanded_torque(rotor: Rotor, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the control torque (3,) [N m] on the body, computed from its rotation relative to the target.

    The controller multiplies the vector part of the quaternion of this rotation. Here the vector part is computed
    from the rotation matrix, as the axis times sin(angle/2).
    """
    R = orientation_matrix(rotor.target).T @ orientation_matrix(p)
    twice_sine_axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    half_angle_vector = 0.5 * twice_sine_axis / np.sqrt(1.0 + np.trace(R))
    return -rotor.stiffness * half_angle_vector - rotor.damping * omega
