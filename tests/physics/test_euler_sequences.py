"""All twelve sequences against products of elementary matrices, finite differences, SciPy and S2."""

from itertools import product

import numpy as np
import pytest
from core_strategies import unit_quaternions, vectors
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from quatviz.base.errors import InputError
from quatviz.physics.mechanics import rotations as r
from quatviz.physics.mechanics.euler_sequences import (
    SEQUENCES,
    S,
    angles_from_p,
    det_S,
    p_from_angles,
    unwrap_angles,
)

sequences = st.sampled_from(SEQUENCES)
QUARTERS = [0.5 * np.pi * n for n in range(-2, 3)]


def elementary(axis, angle):
    """R_axis(angle), the textbook matrix."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"1": (1, 2), "2": (2, 0), "3": (0, 1)}[axis]
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def test_there_are_twelve_sequences():
    every = {a + b + c for a, b, c in product("123", repeat=3) if a != b != c}
    assert set(SEQUENCES) == every
    assert len(SEQUENCES) == 12


@given(vectors(3, 7.0), sequences)
def test_p_equals_the_product_of_elementary_rotations(angles, sequence):
    R1, R2, R3 = (elementary(axis, angle) for axis, angle in zip(sequence, angles, strict=True))
    assert_allclose(r.rotation_matrix(p_from_angles(angles, sequence)), R1 @ R2 @ R3, rtol=0, atol=2e-14)


@given(unit_quaternions, sequences)
def test_angles_match_scipy_and_restore_p(p, sequence):
    angles = angles_from_p(p, sequence)
    assert r.relative_angle(p_from_angles(angles, sequence), p) < 1e-13
    low, high = (0.0, np.pi) if sequence[0] == sequence[2] else (-np.pi / 2, np.pi / 2)
    assert low <= angles[1] <= high
    assert (np.abs(angles[[0, 2]]) <= np.pi).all()
    if abs(det_S(angles, sequence)) > 1e-3:  # SciPy loses digits closer to the singularity
        named = sequence.translate(str.maketrans("123", "XYZ"))
        oracle = Rotation.from_quat(p, scalar_first=True).as_euler(named)
        assert_allclose(np.exp(1j * angles), np.exp(1j * oracle), rtol=0, atol=1e-11)


@given(unit_quaternions, sequences, st.floats(0.1, 10.0))
def test_angles_are_independent_of_sign_and_length_of_p(p, sequence, scale):
    angles, same = angles_from_p(p, sequence), angles_from_p(-scale * p, sequence)
    assert r.relative_angle(p_from_angles(same, sequence), p) < 1e-13
    if abs(det_S(angles, sequence)) > 1e-3:
        assert_allclose(np.exp(1j * same), np.exp(1j * angles), rtol=0, atol=1e-11)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_third_angle_is_zero_at_the_singularity(sequence):
    ends = [0.0, np.pi] if sequence[0] == sequence[2] else [np.pi / 2, -np.pi / 2]
    for t1, t2, t3, sign in product([*QUARTERS, 0.3], ends, [*QUARTERS, 1.1], [1.0, -1.0]):
        p = sign * p_from_angles([t1, t2, t3], sequence)
        angles = angles_from_p(p, sequence)
        assert angles[2] == 0.0
        assert angles[1] == pytest.approx(t2, abs=1e-13)
        assert r.relative_angle(p_from_angles(angles, sequence), p) < 1e-13


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_identity_attitude_has_zero_angles(sequence):
    assert_array_equal(angles_from_p([1.0, 0.0, 0.0, 0.0], sequence), 0.0)


@given(vectors(3, 3.0), vectors(3, 1.0), sequences)
def test_S_matches_finite_differences(angles, rates, sequence):
    """omega~ = A^T A', with A differentiated numerically."""
    step = 1e-5
    A, ahead, behind = (
        r.rotation_matrix(p_from_angles(angles + shift * rates, sequence)) for shift in (0.0, step, -step)
    )
    omega = S(angles, sequence) @ rates
    assert_allclose(r.skew(omega), A.T @ (ahead - behind) / (2 * step), rtol=0, atol=1e-8)


@given(vectors(3, 7.0), sequences)
def test_det_S_follows_the_angle_order_of_S2(angles, sequence):
    """In that order the columns of S are reversed."""
    backwards = S(angles, sequence)[:, ::-1]
    assert np.linalg.det(backwards) == pytest.approx(det_S(angles, sequence), abs=1e-13)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_det_S_has_the_documented_sign(sequence):
    sign = -1.0 if sequence in ("123", "231", "312") else 1.0
    printed = np.sin(0.4) if sequence[0] == sequence[2] else sign * np.cos(0.4)
    assert det_S([0.1, 0.4, 0.2], sequence) == pytest.approx(printed, abs=1e-15)


@given(vectors(3, 3.0))
def test_S_of_321_equals_S2_41(angles):
    _, theta, phi = angles
    c, s = np.cos(phi), np.sin(phi)
    printed = [[1, 0, -np.sin(theta)], [0, c, s * np.cos(theta)], [0, -s, c * np.cos(theta)]]
    assert_allclose(S(angles, "321")[:, ::-1], printed, rtol=0, atol=1e-14)


@given(vectors(3, 3.0))
def test_S_of_313_equals_S2_46(angles):
    _, theta, psi = angles
    c, s = np.cos(psi), np.sin(psi)
    printed = [[0, c, s * np.sin(theta)], [0, -s, c * np.sin(theta)], [1, 0, np.cos(theta)]]
    assert_allclose(S(angles, "313")[:, ::-1], printed, rtol=0, atol=1e-14)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_accept_batches(sequence):
    p = r.normalize(np.random.default_rng(3).normal(size=(2, 5, 4)))
    angles = angles_from_p(p, sequence)
    assert angles.shape == (2, 5, 3)
    assert S(angles, sequence).shape == (2, 5, 3, 3)
    for n in np.ndindex(2, 5):
        assert_allclose(angles[n], angles_from_p(p[n], sequence), rtol=0, atol=1e-15)
        assert_allclose(S(angles, sequence)[n], S(angles[n], sequence), rtol=0, atol=1e-15)
        assert_array_equal(det_S(angles, sequence)[n], det_S(angles[n], sequence))


@pytest.mark.parametrize("wrong", ["", "112", "124", "3-1-3", "31"])
def test_unknown_sequences_are_refused(wrong):
    with pytest.raises(InputError, match="one of 121"):
        angles_from_p([1.0, 0.0, 0.0, 0.0], wrong)


@given(st.lists(st.floats(-3.0, 3.0), min_size=1, max_size=30), vectors(3, 20.0))
def test_unwrapping_restores_continuous_angles(steps, start):
    smooth = start + np.cumsum(np.stack([steps] * 3, axis=1), axis=0)
    wrapped = (smooth + np.pi) % (2 * np.pi) - np.pi
    assert_allclose(unwrap_angles(wrapped, start), smooth, rtol=0, atol=1e-12)
    in_parts = unwrap_angles(wrapped[:5], start)
    both = np.vstack([in_parts, unwrap_angles(wrapped[5:], in_parts[-1])])
    assert_array_equal(both, unwrap_angles(wrapped, start))


def test_non_finite_row_does_not_add_a_turn():
    rows = np.array([[170.0] * 3, [np.nan] * 3, [-170.0] * 3])
    assert_array_equal(unwrap_angles(rows[:2], rows[0], 360.0)[0], rows[0])
    assert_array_equal(unwrap_angles(rows, rows[0], 360.0)[2], rows[2])
