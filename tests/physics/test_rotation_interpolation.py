"""Hermite interpolation on SO(3): it meets both ends, and its error falls with the fourth power of their distance."""

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotation_interpolation import interpolate_rotations
from quatviz.physics.mechanics.rotations import from_rotation_vector, normalize, relative_angle


def tumbling(interval: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lane = qv.simulate(
        qv.load_preset("torque_free"), lanes=["exact"], sample_interval=interval, duration=4.0
    ).lanes[0]
    return lane.t, lane.p, lane.omega


def largest_error(interval: float) -> float:
    t, p, omega = tumbling(interval)
    _, middle, _ = tumbling(0.5 * interval)
    count = len(t) - 1
    interpolated = interpolate_rotations(
        p[:-1], p[1:], omega[:-1], omega[1:], np.diff(t), np.full(count, 0.5)
    )
    return float(relative_angle(interpolated, middle[1::2]).max())


def test_interpolation_error_is_of_fourth_order() -> None:
    errors = [largest_error(interval) for interval in (0.2, 0.1, 0.05)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert orders == pytest.approx(4.0, abs=0.3)
    assert errors[-1] < 1e-5


def test_interpolation_matches_both_ends_and_rates() -> None:
    t, p, omega = tumbling(0.1)
    ends = p[:-1], p[1:], omega[:-1], omega[1:], np.diff(t)
    at = [interpolate_rotations(*ends, np.full(len(t) - 1, part)) for part in (0.0, 1e-6, 1.0 - 1e-6, 1.0)]
    assert relative_angle(at[0], p[:-1]).max() < 1e-14
    assert relative_angle(at[3], p[1:]).max() < 1e-14
    for low, high, rates in ((at[0], at[1], omega[:-1]), (at[2], at[3], omega[1:])):
        assert relative_angle(low, high) / 1e-7 == pytest.approx(np.linalg.norm(rates, axis=1), rel=1e-4)


def test_interpolation_without_rates_has_constant_rate() -> None:
    start, end = np.array([[1.0, 0.0, 0.0, 0.0]]), normalize(np.array([[1.0, 0.0, 0.0, 0.5]]))
    unknown = np.full((1, 3), np.nan)
    parts = np.array([0.25])
    interpolated = interpolate_rotations(start, end, unknown, unknown, np.ones(1), parts)
    assert relative_angle(start, interpolated) == pytest.approx(0.25 * relative_angle(start, end), rel=1e-12)


@pytest.mark.parametrize("turns", [-2.3, -0.6, 0.6, 1.0, 1.7, 3.0])
def test_interpolation_beyond_half_a_turn_follows_the_rate(turns: float) -> None:
    spin = np.array([[0.0, 0.0, 2.0 * np.pi * turns]])
    start, end = np.array([[1.0, 0.0, 0.0, 0.0]]), from_rotation_vector(spin)
    interpolated = interpolate_rotations(start, end, spin, spin, np.ones(1), np.array([0.3]))
    assert relative_angle(interpolated, from_rotation_vector(0.3 * spin)).max() < 1e-14


def test_interpolation_follows_fast_precession() -> None:
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 1.0, 1.1]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[1.0, 0.0, 65.0]),
    )
    t, p, omega = (
        getattr(qv.simulate(preset, lanes=["exact"], sample_interval=0.05, duration=3.0).lanes[0], name)
        for name in ("t", "p", "omega")
    )
    ends = p[:-2:2], p[2::2], omega[:-2:2], omega[2::2], np.diff(t[::2])
    interpolated = interpolate_rotations(*ends, np.full(len(ends[0]), 0.5))
    assert relative_angle(interpolated, p[1:-1:2]).max() < 0.02
