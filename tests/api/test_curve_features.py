"""Zeros, extrema, slope and period of a curve, compared with Jacobi's elliptic functions and with Euler's equations."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import quatviz as qv
from quatviz.api.curve_measurement import curve_features, measurement_script

INERTIA = np.array([1.0, 2.0, 3.0])
RATE = np.array([0.02, 2.0, 0.01])
TUMBLING = replace(
    qv.load_preset("torque_free"),
    body=qv.Body(inertia=INERTIA.tolist()),
    initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=RATE.tolist()),
)


def flip_period() -> float:
    """Period 4 K(m) / rate of a body about its intermediate axis (Landau & Lifshitz, Mechanics, § 37)."""
    double_energy, momentum_squared = INERTIA @ RATE**2, (INERTIA * RATE) @ (INERTIA * RATE)
    low, middle, high = INERTIA
    if momentum_squared < double_energy * middle:
        low, high = high, low
    rate = np.sqrt((high - middle) * (momentum_squared - double_energy * low) / (low * middle * high))
    modulus = (middle - low) * (double_energy * high - momentum_squared)
    modulus /= (high - middle) * (momentum_squared - double_energy * low)
    return float(4.0 * ellipk(modulus) / rate)


def solution(lane: str = "newton_euler", interval: float = 0.05, duration: float = 60.0) -> qv.Solution:
    run = qv.simulate(TUMBLING, lanes=[lane], sample_interval=interval, duration=duration, dt=1e-3)
    return run.lanes[0]


def rate(at: Any) -> np.ndarray:
    return np.asarray(at.omega[..., 1])


@pytest.mark.parametrize("interval", [0.05, 1.0])
@pytest.mark.parametrize("lane", ["exact", "newton_euler", "newton_euler,integrator=dop853"])
def test_flip_period_matches_elliptic_functions(lane: str, interval: float) -> None:
    assert solution(lane, interval).period(rate) == pytest.approx(flip_period(), rel=1e-7)


@pytest.mark.parametrize("lane", ["exact", "newton_euler"])
def test_extrema_are_midway_between_zeros(lane: str) -> None:
    run = solution(lane)
    zeros, extrema = run.crossings(rate), run.extrema(rate)
    middles = (zeros[1:] + zeros[:-1]) / 2
    inner = extrema[(extrema > zeros[0]) & (extrema < zeros[-1])]
    assert inner == pytest.approx(middles, abs=1e-5)
    assert np.abs(run.derivative(rate, extrema)).max() < 1e-9


@pytest.mark.parametrize("time", [0.0, 1.2345, [[3.0, 7.77], [20.001, 60.0]]])
def test_slope_matches_eulers_equations(time: Any) -> None:
    run = solution()
    omega = run.at(time).omega
    expected = (INERTIA[2] - INERTIA[0]) * omega[..., 2] * omega[..., 0] / INERTIA[1]
    assert run.derivative(rate, time) == pytest.approx(expected, abs=1e-9)


def test_slope_at_a_kick_is_one_sided() -> None:
    kick = qv.Kick(at=5.0, impulse=[0.7, 0.2, 0.1], frame="body")
    kicked = replace(TUMBLING, events=[kick])
    run = qv.simulate(kicked, lanes=["newton_euler"], sample_interval=0.05, dt=1e-3, duration=10.0).lanes[0]
    for time in (5.0 - 1e-4, 5.0, 5.0 + 1e-4):
        omega = run.at(time).omega
        expected = (INERTIA[2] - INERTIA[0]) * omega[2] * omega[0] / INERTIA[1]
        assert float(run.derivative(rate, time)) == pytest.approx(expected, abs=1e-8), time


def test_angle_jump_is_not_an_extremum() -> None:
    run = solution(duration=20.0)
    angle = lambda at: at.angles_321[..., 2]  # noqa: E731
    slopes = run.derivative(angle, run.extrema(angle))
    assert np.abs(slopes).max(initial=0.0) < 1e-5
    assert np.abs(np.diff(run.angles_321[:, 2])).max() > 300.0, "it leaps in this run"


def test_constant_has_no_extrema_and_no_period() -> None:
    run = solution(duration=5.0)
    assert len(run.extrema(lambda at: at.kinetic)) == 0
    assert np.isnan(run.period(lambda at: at.kinetic))


def test_aperiodic_curve_has_no_period() -> None:
    assert np.isnan(solution(duration=5.0).period(lambda at: at.t))


def test_period_with_two_maxima_is_not_halved() -> None:
    run = solution(duration=60.0)
    wave = lambda at: np.sin(at.t) + 0.9 * np.sin(2.0 * at.t + 0.3)  # noqa: E731
    assert run.period(wave) == pytest.approx(2 * np.pi, rel=1e-9)


def test_features_distinguish_maxima_and_minima() -> None:
    run = solution()
    features = curve_features(run.engine, "omega", 1)
    assert features.is_maximum.tolist() == (features.extreme_values > 0.0).tolist()
    assert {True, False} == set(features.is_maximum.tolist())


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(("quantity", "component"), [("omega", 1), ("kinetic", 0), ("angles_321", 1)])
def test_script_reproduces_the_features(quantity: str, component: int, edited: bool) -> None:
    preset = TUMBLING if edited else qv.load_preset("torque_free")
    lane = qv.simulate(preset)["hamilton"]
    features = curve_features(lane.engine, quantity, component)
    script = measurement_script(
        preset, "hamilton", quantity, component, 3.205, preset.run.duration, (1.0, 2.5)
    )
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(script, names)
    curve = lambda at: np.reshape(getattr(at, quantity), (len(at.t), -1))[:, component]  # noqa: E731
    first, last, value = curve(lane.at([1.0, 2.5, 3.205]))
    assert ("load_preset" in script) is not edited
    assert (names["value"], names["difference"]) == (value, last - first)
    assert names["zeros"].tolist() == features.zeros.tolist()
    assert names["extrema"].tolist() == features.extrema.tolist()
    period = features.period.period if features.period is not None else np.nan
    assert names["period"] == pytest.approx(period, nan_ok=True, rel=0.0)


def kicked_controller() -> qv.Solution:
    """Solution of a controlled body that a kick turns away from the target again after it has settled once."""
    preset = replace(
        TUMBLING,
        initial=qv.Initial(euler_parameters=[0.8, 0.0, 0.6, 0.0], angular_velocity=[0.0, 0.0, 0.0]),
        loads=[qv.AttitudeControl(stiffness=2.0, damping=4.0)],
        events=[qv.Kick(at=12.0, impulse=[0.0, 1.0, 0.0], frame="body")],
    )
    return qv.simulate(preset, lanes=["newton_euler"], sample_interval=0.05, dt=5e-3, duration=40.0).lanes[0]


def test_settling_time_is_the_last_entry_into_the_band() -> None:
    run = kicked_controller()
    angle = lambda at: at.target_angle  # noqa: E731
    features = curve_features(run.engine, "target_angle", 0)
    assert list(features.settling_times) == [5.0, 1.0, 0.1]
    fine_times = np.linspace(0.0, 40.0, 400_001)
    fine_angles = run.at(fine_times).target_angle
    for limit, time in features.settling_times.items():
        last_outside = fine_times[np.flatnonzero(fine_angles > limit)[-1]]
        assert time == run.settling_time(angle, limit)
        assert time == pytest.approx(last_outside, abs=1.1e-4)
        assert float(run.at(time).target_angle) == pytest.approx(limit, rel=1e-6)
        assert time > 12.0, "after the kick"


def test_curve_that_does_not_settle_has_no_settling_time() -> None:
    run = kicked_controller()
    assert np.isnan(run.settling_time(lambda at: at.t, 39.0))
    assert run.settling_time(lambda at: at.t, 41.0) == 0.0
    assert np.isnan(run.settling_time(lambda at: np.where(at.t > 3.0, np.nan, 0.0), 1.0))
    assert run.settling_time(lambda at: np.where(at.t < 12.0, 2.0, 0.5), 1.0) == pytest.approx(12.0, abs=1e-9)
    assert curve_features(run.engine, "omega", 1).settling_times == {}


def test_script_prints_settling_times() -> None:
    preset = qv.load_preset("attitude_control")
    lane = qv.simulate(preset)["newton_euler"]
    features = curve_features(lane.engine, "target_angle", 0)
    script = measurement_script(preset, "newton_euler", "target_angle", 0, 1.0, preset.run.duration)
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(script, names)
    assert names["settling_times"] == features.settling_times
