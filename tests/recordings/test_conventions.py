"""Detection of conventions: the true one is found, and indistinguishable ones are reported."""

from dataclasses import replace

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    normalize,
    orientation_matrix,
    rate_from_omega,
    relative_angle,
)
from quatviz.recordings.conventions import WIDTHS, Convention, conventions_of

T = np.linspace(0.0, 6.0, 401)


def motion(seed: int, t: np.ndarray = T) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion of a random tumbling body."""
    rng = np.random.default_rng(seed)
    body = Body(inertia=np.sort(rng.uniform(1.0, 1.9, 3)))
    return solve(body, [], normalize(rng.standard_normal(4)), 2.0 * rng.standard_normal(3)).evaluate(t)


def noisy(p: np.ndarray, omega: np.ndarray, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    speed = float(np.sqrt(np.mean(np.sum(omega**2, axis=1))))
    turns = from_rotation_vector(share * rng.standard_normal(omega.shape))
    return multiply(p, turns), omega + share * speed * rng.standard_normal(omega.shape)


def a_convention(attitude_type: str, seed: int) -> Convention:
    rng = np.random.default_rng(seed)

    def choose(*several: str) -> str:
        return several[rng.integers(len(several))]

    made = Convention(
        attitude_type,
        direction=choose("body_to_space", "space_to_body"),
        rate_axes=choose("body", "space"),
        rate_unit=choose("rad/s", "deg/s"),
    )
    if attitude_type == "quaternion":
        return replace(made, order=choose("scalar_first", "scalar_last"), product=choose("hamilton", "jpl"))
    if attitude_type == "angles":
        made = replace(made, sequence=choose(*SEQUENCES), axes=choose("intrinsic", "extrinsic"))
    return (
        made
        if attitude_type in ("matrix", "quaternion_vector")
        else replace(made, angle_unit=choose("rad", "deg"))
    )


@pytest.mark.parametrize("attitude_type", WIDTHS)
@pytest.mark.parametrize("rate_axes", ["body", "space", "angles"])
def test_written_recordings_are_read_back(attitude_type: str, rate_axes: str) -> None:
    p, omega = motion(3)
    for seed in range(8):
        convention = replace(a_convention(attitude_type, seed), rate_axes=rate_axes)
        again = convention.attitude_of(convention.numbers_of(p))
        assert relative_angle(again, p).max() < 1e-7
        rates = convention.rate_numbers_of(omega, p)
        assert np.allclose(convention.rates_of(rates, p), omega, atol=1e-7)


@pytest.mark.parametrize("axes", ["intrinsic", "extrinsic"])
@pytest.mark.parametrize("direction", ["body_to_space", "space_to_body"])
def test_angle_rates_are_derivatives_of_angles(axes: str, direction: str) -> None:
    t = np.linspace(0.0, 0.02, 3)
    p, omega = motion(5, t)
    convention = Convention(
        "angles", sequence="132", axes=axes, direction=direction, rate_axes="angles", angle_unit="deg"
    )
    angles = np.radians(convention.numbers_of(p))
    slope = (angles[2] - angles[0]) / 0.02
    assert np.allclose(convention.rate_numbers_of(omega, p)[1], slope, rtol=1e-3)


def test_jpl_quaternion_matches_trawny_and_roumeliotis() -> None:
    """q = [sin(a/2) k, cos(a/2)] takes global to local components by C = I - sin a k~ + (1 - cos a) k~ k~, and q' = 1/2 [omega] q:
    Indirect Kalman Filter for 3D Attitude Estimation, 2005, (1), (62), (107)."""
    axis, angle = np.array([2.0, -1.0, 2.0]) / 3.0, 0.7
    numbers = np.append(np.sin(angle / 2.0) * axis, np.cos(angle / 2.0))
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    C = np.eye(3) - np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
    jpl = Convention(order="scalar_last", direction="space_to_body", product="jpl")
    p = jpl.attitude_of(numbers)
    assert np.allclose(orientation_matrix(p), C.T)
    w1, w2, w3 = omega = np.array([0.3, -1.1, 0.4])
    Omega = np.array([[0.0, w3, -w2, w1], [-w3, 0.0, w1, w2], [w2, -w1, 0.0, w3], [-w1, -w2, -w3, 0.0]])
    rate = 0.5 * Omega @ numbers
    assert np.allclose(np.roll(rate, 1), rate_from_omega(p, omega))


@pytest.mark.parametrize(
    ("attitude_type", "seed"),
    [
        (attitude_type, seed)
        for attitude_type in WIDTHS
        for seed in range(2 if attitude_type == "angles" else 5)
    ],
)
def test_true_convention_is_detected(attitude_type: str, seed: int) -> None:
    truth = a_convention(attitude_type, 100 + seed)
    t = T[:201] if attitude_type == "angles" else T
    p, omega = noisy(*motion(seed, t), 0.01, seed)
    detected = conventions_of(t, truth.numbers_of(p), truth.rate_numbers_of(omega, p), attitude_type)
    assert truth in (detected.best.convention, detected.best.convention.twin)
    assert detected.is_clear
    assert detected.margin > 1.2
    assert np.abs(detected.best.residual) < 0.1 * detected.speed


def test_all_quaternion_conventions_are_tried_half_as_equivalents() -> None:
    p, omega = motion(1)
    detected = conventions_of(T, p, omega)
    tried = {candidate.convention for candidate in detected.candidates} | {
        candidate.convention.twin for candidate in detected.candidates
    }
    assert len(tried) == 32
    residuals = [candidate.residual for candidate in detected.candidates]
    assert residuals == sorted(residuals)
    assert detected.margin > 1e6
    assert detected.sentence.endswith("equivalent convention: scalar first, space to body, JPL")


def test_equivalent_conventions_give_the_same_numbers() -> None:
    p, omega = motion(2)
    for seed in range(8):
        convention = a_convention("quaternion", seed)
        twin = convention.twin
        assert twin is not None
        assert np.array_equal(twin.numbers_of(p), convention.numbers_of(p))
        assert np.array_equal(twin.rate_numbers_of(omega, p), convention.rate_numbers_of(omega, p))
        assert twin.twin == convention


@pytest.mark.parametrize("share", [0.0, 0.01])
@pytest.mark.parametrize("axis", [[0.0, 0.0, 1.0], [0.6, 0.48, 0.64]])
def test_rotation_about_one_axis_leaves_the_frame_undetermined(share: float, axis: list[float]) -> None:
    turn = np.sin(2.0 * T)
    p, omega = from_rotation_vector(np.outer(turn, axis)), np.outer(2.0 * np.cos(2.0 * T), axis)
    p, omega = noisy(p, omega, share, 7)
    detected = conventions_of(T, p, omega)
    both = {detected.best.convention, *(tie.convention for tie in detected.ties)}
    assert both == {Convention(), Convention(rate_axes="space")}
    assert not detected.is_clear
    assert "one axis only" in detected.sentence
    # With an initial rotation away from space they can be distinguished again.
    p = multiply(from_rotation_vector([1.0, 0.4, 0.2]), p)
    assert conventions_of(T, p, omega).is_clear


def test_angle_rates_do_not_determine_the_sequence() -> None:
    t = T[:201]
    p, omega = noisy(*motion(11, t), 1e-4, 1)
    truth = Convention("angles", sequence="313", angle_unit="deg", rate_axes="angles", rate_unit="deg/s")
    detected = conventions_of(t, truth.numbers_of(p), truth.rate_numbers_of(omega, p), "angles")
    assert not detected.is_clear
    assert "time derivatives of the angles" in detected.sentence


def test_unrelated_attitudes_and_rates_give_no_convention() -> None:
    rng = np.random.default_rng(2)
    p = multiply(np.array([0.5, 0.5, 0.5, 0.5]), from_rotation_vector(0.01 * rng.standard_normal((401, 3))))
    detected = conventions_of(T, p, 0.01 * rng.standard_normal((401, 3)))
    assert not detected.is_clear
    assert "no convention could be determined" in detected.sentence
    p, _ = motion(1)
    _, omega = motion(4)
    other = conventions_of(T, p, omega)
    assert not other.has_good_fit
    assert not other.is_clear


def test_gaps_and_non_finite_rows_are_ignored() -> None:
    truth = Convention(order="scalar_last", direction="space_to_body", rate_unit="deg/s")
    p, omega = motion(6)
    t = T.copy()
    t[200:] += 30.0
    p[200:] = conjugate(p[200:])[::-1]
    omega[200:] = 0.0
    numbers, rates = truth.numbers_of(p), truth.rate_numbers_of(omega, p)
    numbers[200:], rates[200:] = np.nan, np.nan
    rates[50] = np.nan
    detected = conventions_of(t, numbers, rates)
    assert detected.best.convention == truth
    assert detected.best.residual < 1e-5


def test_long_recording_is_subsampled_for_detection() -> None:
    t = np.linspace(0.0, 600.0, 60_001)
    p, omega = motion(8, t)
    detected = conventions_of(t, p, omega)
    assert detected.rows == 20_000
    assert detected.is_clear


def test_unreadable_files_are_refused() -> None:
    p, omega = motion(1)
    with pytest.raises(InputError, match="one of quaternion"):
        conventions_of(T, p, omega, "euler")
    with pytest.raises(InputError, match=r"shape \(401, 9\)"):
        conventions_of(T, p, omega, "matrix")
    with pytest.raises(InputError, match="rows with attitude and rates"):
        conventions_of(T, np.full_like(p, np.nan), omega)
