"""User formulations with states of other names: other attitude coordinates and additional states."""

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.formulations import FORMULATIONS, equations

PRESET = qv.Preset(
    body=qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
    initial=qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 0.6]),
    loads=[qv.Gravity(weight=1.0, centre=[0.1, -0.05, 0.3])],
    run=qv.RunSettings(duration=0.5, dt=1e-3, sample_interval=0.01),
)


def modified_rodrigues_start(p, omega, body):
    return p[1:] / (1.0 + p[0])


def modified_rodrigues_attitude(s, omega):
    square = s @ s
    return np.array([1.0 - square, 2.0 * s[0], 2.0 * s[1], 2.0 * s[2]]) / (1.0 + square), omega


def modified_rodrigues(t, omega, s, body, loads):
    """Newton and Euler in modified Rodrigues parameters s."""
    square, (x, y, z), (a, b, c) = s @ s, omega, body.inertia @ omega
    p = np.array([1.0 - square, 2.0 * s[0], 2.0 * s[1], 2.0 * s[2]]) / (1.0 + square)
    gyroscopic = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    across = np.array([s[1] * z - s[2] * y, s[2] * x - s[0] * z, s[0] * y - s[1] * x])
    s_rate = 0.25 * (1.0 - square) * omega + 0.5 * across + 0.5 * (s @ omega) * s
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyroscopic), s_rate


@pytest.fixture(scope="module")
def rodrigues() -> qv.Lane:
    return qv.formulation(
        modified_rodrigues,
        start={"s": modified_rodrigues_start},
        attitude=modified_rodrigues_attitude,
        name="own_rodrigues",
    )


def test_user_coordinates_match_built_in_ones(rodrigues: qv.Lane) -> None:
    run = qv.simulate(PRESET, lanes=[rodrigues, "modified_rodrigues"])
    own, built_in = run["own_rodrigues"], run["modified_rodrigues"]
    assert own.status == "ok"
    assert np.abs(own.p - built_in.p).max() < 1e-14
    assert np.abs(own.omega - built_in.omega).max() < 1e-14


def test_user_coordinates_are_verified(rodrigues: qv.Lane) -> None:
    verdict = qv.judge(rodrigues, duration=0.2)
    assert verdict.is_correct

    def without_gyroscopic(t, omega, s, body, loads):
        square = s @ s
        p = np.array([1.0 - square, 2.0 * s[0], 2.0 * s[1], 2.0 * s[2]]) / (1.0 + square)
        across = np.array(
            [s[1] * omega[2] - s[2] * omega[1], s[2] * omega[0] - s[0] * omega[2], s[0] * omega[1] - s[1] * omega[0]]
        )  # fmt: skip
        rate = 0.25 * (1.0 - square) * omega + 0.5 * across + 0.5 * (s @ omega) * s
        return body.inverse_inertia @ loads.torque(t, p, omega), rate

    lane = qv.formulation(
        without_gyroscopic, start={"s": modified_rodrigues_start}, attitude=modified_rodrigues_attitude
    )
    verdict = qv.judge(lane, duration=0.2)
    assert not verdict.is_correct
    assert [mistake.name for mistake in verdict.mistakes] == ["no_gyroscopic"]


def test_card_of_user_coordinates_is_consistent(rodrigues: qv.Lane) -> None:
    at = EvaluationPoint(
        PRESET.body, PRESET.loads, 0.0, np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.3, 1.0, 2.0])
    )
    assert len(equations("own_rodrigues")) == 2
    for equation in equations("own_rodrigues"):
        assert np.abs(equation.residual(at)).max() < 1e-8 * equation.scale(at)


def test_user_formulation_reaches_another_process(rodrigues: qv.Lane) -> None:
    blob = pickle.dumps(rodrigues)
    FORMULATIONS.remove("own_rodrigues")
    lane = pickle.loads(blob)
    run = qv.simulate(copy.copy(PRESET), lanes=[lane], duration=0.02)
    assert run["own_rodrigues"].status == "ok"


def gyrostat(t, p, omega, wheel, body, loads):
    """A wheel along the third axis that keeps its own momentum."""
    (x, y, z), (a, b, c) = omega, body.inertia @ omega
    c = c + wheel
    gyroscopic = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyroscopic), 0.0


def test_wheel_speed_is_an_additional_state() -> None:
    """The gyrostat's wheel is the program's rotor, driven so that its momentum along the axis stays."""
    torque = qv.TorqueLaw(law="n = -H*cross(omega, [0, 0, 1])", gains={"H": 0.7})
    lane = qv.formulation(gyrostat, start={"wheel": 0.7})
    reference = qv.Lane("newton_euler", loads=[torque])
    run = qv.simulate(PRESET, lanes=[lane, reference])
    own, built_in = run["gyrostat"], run["newton_euler"]
    assert own.status == "ok"
    assert np.abs(own.omega - built_in.omega).max() < 1e-13
    assert np.abs(own.p - built_in.p).max() < 1e-13


def integral_action(t, p, omega, sum_of_errors, body, loads):
    (x, y, z), (a, b, c) = omega, body.inertia @ omega
    gyroscopic = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    control = -2.0 * p[1:] - 0.8 * omega - 0.5 * sum_of_errors
    return body.inverse_inertia @ (loads.torque(t, p, omega) + control - gyroscopic), p[1:]


def test_integral_action_removes_the_steady_error() -> None:
    """The error of the attitude under a constant torque goes to zero, and the sum of errors to the torque by the gain."""
    constant = qv.Torque(torque=[0.2, -0.1, 0.05], frame="body")
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 1.4, 0.8]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0]),
        loads=[constant],
        run=qv.RunSettings(duration=150.0, dt=1e-2, sample_interval=1.0),
    )
    lane = qv.formulation(integral_action, start={"sum_of_errors": np.zeros(3)})
    run = qv.simulate(preset, lanes=[lane])
    assert run["integral_action"].status == "ok"
    assert np.abs(run["integral_action"].p[-1, 1:]).max() < 1e-6
    verdict = qv.judge(lane, preset, duration=1.0)
    assert not verdict.is_correct  # it is no free body: its controller is an additional torque


def test_kick_does_not_change_additional_states() -> None:
    kick = qv.Kick(at=0.2, impulse=[0.1, 0.0, -0.2], frame="body")
    lane = qv.formulation(work, start={"work": 0.0})
    run = qv.simulate(replace(PRESET, events=[kick]), lanes=[lane])
    recorded = run["work"].states[:, -1]
    largest_change = np.abs(np.diff(recorded)).max()
    assert abs(recorded[20]) > 2.0 * largest_change  # begun anew, it would be zero there


def work(t, p, omega, work, body, loads):
    """The work of the loads [J] beside Newton and Euler."""
    (x, y, z), (a, b, c) = omega, body.inertia @ omega
    n = loads.torque(t, p, omega)
    gyroscopic = np.array([y * c - z * b, z * a - x * c, x * b - y * a])
    return body.inverse_inertia @ (n - gyroscopic), n @ omega


def no_start(t, omega, s, body, loads):
    return omega, s


def too_few(t, p, omega, s, body, loads):
    return (omega,)


def misnamed(x, p, omega, body, loads):
    return omega


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (no_start, {}, "the initial value of s, or a predefined state"),
        (no_start, {"start": {"s": 0.0}}, "attitude="),
        (no_start, {"start": {"s": 0.0, "r": 1.0}}, "states of no_start"),
        (no_start, {"start": {"s": "zero"}}, "a number or a row of numbers"),
        (no_start, {"start": {"s": 0.0}, "attitude": "313"}, "a function defined with def or lambda"),
        (no_start, {"start": {"s": 0.0}, "attitude": lambda s: (s, s)}, "the pair of p (4) and omega (3)"),
        (
            no_start,
            {"start": {"s": 0.0}, "attitude": lambda r: (r, r)},
            "no arguments other than omega, s and body",
        ),
        (too_few, {"start": {"s": 0.0}}, "the rates of all states"),
        (misnamed, {"start": {"p": 0.0}}, "arguments (t, states, body, loads)"),
    ],
)
def test_unusable_arguments_are_refused(function: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        qv.formulation(function, **options)
    assert message in str(refusal.value)
