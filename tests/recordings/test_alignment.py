"""Alignment of motions: clock offset, constant rotations, time range, and how free a flight was."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import (
    from_rotation_vector,
    multiply,
    relative_angle,
    rotate,
    rotate_back,
)
from quatviz.recordings.alignment import (
    align_attitudes,
    align_vectors,
    free_fall_interval,
    longest_conserved,
    mean_rotation,
    time_offset,
)
from quatviz.recordings.invariants import compute_invariants
from quatviz.recordings.rotation_kernels import longest_constant_run

J = np.diag([1.0, 2.0, 2.7])


@cache
def tumbling() -> Any:
    return solve(Body(inertia=J), [], np.array([0.6, 0.0, 0.8, 0.0]), np.array([0.3, 4.0, 1.0]))


def swelling(t: np.ndarray) -> np.ndarray:
    """Return rates (n, 3) whose magnitude never repeats."""
    speed = 2.0 + np.sin(0.9 * t) + np.sin(2.3 * t) * np.exp(-0.1 * t)
    return speed[:, None] * np.array([0.6, 0.0, 0.8])


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize("step", [0.01, 0.037])
def test_clock_offset_is_accurate_within_a_sample(noise: float, step: float) -> None:
    rng = np.random.default_rng(3)
    t, other = np.arange(0.0, 20.0, 0.01), np.arange(4.0, 15.0, step)
    first, second = swelling(t), swelling(other)
    first, second = (
        first + noise * rng.standard_normal(first.shape),
        second + noise * rng.standard_normal(second.shape),
    )
    turn = from_rotation_vector([0.3, -1.0, 0.2])
    offset = time_offset(t, first, other - 31.2345, rotate(turn, second))
    assert offset.seconds == pytest.approx(31.2345, abs=1e-4 if not noise else 6.0 * offset.deviation)
    assert offset.deviation < 0.01
    assert np.isnan(offset.rival)
    assert offset.likeness > 0.95


def test_gaps_do_not_affect_the_clock_offset() -> None:
    t = np.arange(0.0, 20.0, 0.01)
    first, second = swelling(t), swelling(t)
    first[500:800] = np.nan
    second[1200:1300] = np.nan
    assert time_offset(t, first, t + 1.5, second).seconds == pytest.approx(-1.5, abs=1e-4)


def test_periodic_motion_has_ambiguous_offset_and_steady_none() -> None:
    t = np.arange(0.0, 20.0, 0.01)
    _, omega = tumbling().evaluate(t)
    offset = time_offset(t, omega, t[500:900], omega[500:900])
    assert not np.isnan(offset.rival)
    assert "repeats itself" in offset.sentence
    steady = np.tile([0.0, 0.0, 2.0], (2000, 1))
    with pytest.raises(InputError, match="constant speeds"):
        time_offset(t, steady, t, steady)


@pytest.mark.parametrize("side", ["space", "body", "both"])
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_constant_rotation_is_found_on_either_side(side: str, noise: float) -> None:
    t = np.arange(0.0, 10.0, 0.02)
    p, _ = tumbling().evaluate(t)
    here = np.array([1.0, 0.0, 0.0, 0.0])
    space = from_rotation_vector([1.0, -2.0, 0.5]) if side != "body" else here
    body = from_rotation_vector([0.4, 0.9, -1.1]) if side != "space" else here
    other = multiply(multiply(space, p), body)
    other = multiply(
        other, from_rotation_vector(noise * np.random.default_rng(1).standard_normal((len(p), 3)))
    )
    p[30] = np.nan
    alignment = align_attitudes(p, -other, side)
    assert relative_angle(alignment.space, space) < 1e-7 + 0.3 * noise
    assert relative_angle(alignment.body, body) < 1e-7 + 0.3 * noise
    assert alignment.residual == pytest.approx(noise * np.sqrt(3.0), abs=1e-7 + 0.1 * noise)
    assert alignment.is_determined
    known = ~np.isnan(p[:, 0])
    assert relative_angle(alignment.apply(p[known]), other[known]).max() < 1e-7 + 6.0 * noise


def test_rotation_about_one_axis_is_ambiguous_in_side() -> None:
    t = np.arange(0.0, 10.0, 0.02)
    p = from_rotation_vector(np.outer(t, [0.0, 0.0, 1.0]))
    alignment = align_attitudes(p, multiply(p, from_rotation_vector([0.0, 0.0, 0.7])), "both")
    assert alignment.residual < 1e-7
    assert not alignment.is_determined
    assert "one axis only" in alignment.sentence


def test_mean_rotation_is_independent_of_signs() -> None:
    rng = np.random.default_rng(2)
    turn = from_rotation_vector([2.0, 1.0, -1.0])
    several = multiply(turn, from_rotation_vector(0.1 * rng.standard_normal((400, 3))))
    several *= rng.choice([-1.0, 1.0], 400)[:, None]
    assert relative_angle(mean_rotation(several), turn) < 0.02


@pytest.mark.parametrize("seed", range(5))
def test_rotation_is_estimated_from_vectors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = from_rotation_vector(2.0 * rng.standard_normal(3))
    v = rng.standard_normal((2 if seed < 2 else 9, 3))
    rotation, sure = align_vectors(v, rotate(p, v))
    assert relative_angle(rotation, p) < 1e-7
    assert sure
    assert not align_vectors(v[:1], rotate(p, v[:1]))[1]


def test_free_flight_is_detected_by_zero_acceleration() -> None:
    t = np.arange(0.0, 5.0, 0.01)
    rng = np.random.default_rng(5)
    force = np.tile([0.0, 0.0, 9.8], (500, 1)) + 0.1 * rng.standard_normal((500, 3))
    force[200:290] = [0.5, 0.2, 1.5]
    force[300:310] = 0.0
    interval = free_fall_interval(t, force)
    assert interval is not None
    assert interval.rows == slice(201, 289)
    assert (interval.start, interval.stop) == pytest.approx((2.01, 2.88))
    assert free_fall_interval(t, force + 20.0) is None


def test_free_flight_is_detected_by_constant_h() -> None:
    t = np.arange(0.0, 6.0, 0.01)
    _, omega = tumbling().evaluate(t)
    omega = omega + 0.02 * np.random.default_rng(4).standard_normal(omega.shape)
    held = (t < 1.5) | (t > 4.5)
    omega[held] *= (1.0 + 0.8 * np.abs(np.sin(3.0 * t[held])))[:, None]
    interval = longest_conserved(t, omega, J)
    assert interval is not None
    assert interval.start == pytest.approx(1.5, abs=0.1)
    assert interval.stop == pytest.approx(4.5, abs=0.1)
    assert "is constant" in interval.sentence


def test_only_a_free_body_has_constant_invariants() -> None:
    t = np.arange(0.0, 10.0, 0.01)
    p, omega = tumbling().evaluate(t)
    exact = compute_invariants(omega, J, p)
    assert exact.is_free
    assert exact.h.scatter < 1e-12
    assert exact.direction is not None
    assert exact.direction.scatter < 1e-7
    assert exact.mean_direction is not None
    assert np.allclose(rotate_back(p[:1], exact.mean_direction), omega[:1] @ J / np.linalg.norm(omega[0] @ J))
    rng = np.random.default_rng(6)
    noisy = compute_invariants(
        omega + 0.04 * rng.standard_normal(omega.shape),
        J,
        multiply(p, from_rotation_vector(0.01 * rng.standard_normal(omega.shape))),
    )
    assert noisy.is_free
    assert noisy.h.scatter == pytest.approx(0.01, rel=0.3)
    assert noisy.h.noise == pytest.approx(noisy.h.scatter, rel=0.15)
    assert "free within the noise" in noisy.sentence
    slowed = compute_invariants(omega * np.exp(-0.03 * t)[:, None], J)
    assert not slowed.is_free
    assert slowed.h.drift == pytest.approx(-0.30, abs=0.01)
    assert "a torque acts" in slowed.sentence
    wrong = compute_invariants(omega, np.diag([1.2, 2.0, 2.7]), p)
    assert not wrong.is_free


def test_longest_constant_interval_equals_brute_force() -> None:
    random = np.random.default_rng(5)
    for limit in (0.0, 0.5, 2.0, 50.0):
        values = np.round(np.cumsum(random.normal(size=60)), 1)
        kept = [
            (stop - first, first, stop)
            for first in range(60)
            for stop in range(first + 1, 61)
            if np.ptp(values[first:stop]) <= limit
        ]
        longest = max(length for length, _, _ in kept)
        first, stop = longest_constant_run(values, limit)
        assert (stop - first, first, stop) in kept
        assert stop - first == longest


def test_insignificant_similarity_is_reported() -> None:
    random = np.random.default_rng(8)
    t = np.arange(0.0, 20.0, 0.01)
    smooth = np.exp(-0.5 * (np.arange(-60, 61) / 20.0) ** 2)
    speeds = [2.0 + np.convolve(random.normal(size=len(t)), smooth, "same")[:, None] for _ in range(2)]
    first, second = (speed * [0.0, 0.0, 0.2] for speed in speeds)
    chance = time_offset(t, first, t, second)
    assert "which may be a coincidence" in chance.sentence
    assert "chance" not in time_offset(t, first, t, first + 0.02 * random.normal(size=first.shape)).sentence
    p, other = (from_rotation_vector(random.normal(size=(50, 3))) for _ in range(2))
    assert "more than noise" in align_attitudes(p, other).sentence
    assert "more than noise" not in align_attitudes(p, p).sentence
