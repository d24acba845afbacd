"""The rotation functions against each identity of the mechanics contract, section 1, and against SciPy."""

import numpy as np
import pytest
from core_strategies import quaternions, unit_quaternions, vectors
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from quatviz.physics.mechanics import rotations as r

SPHERE = 2e-14
"""Rounding of a few products of numbers up to 1."""


def of(p):
    """SciPy's rotation for p, scalar first."""
    return Rotation.from_quat(p, scalar_first=True)


@given(vectors(3), vectors(3))
def test_skew_is_the_cross_product(v, u):
    assert_allclose(r.skew(v) @ u, np.cross(v, u), rtol=0, atol=1e-12)
    assert_array_equal(r.skew(v), -r.skew(v).T)


@given(quaternions)
def test_G_and_L_are_built_from_the_skew_matrix(p):
    """S0(8,9)."""
    e0, e = p[0], p[1:]
    assert_array_equal(r.matrix_G(p), np.column_stack([-e, r.skew(e) + e0 * np.eye(3)]))
    assert_array_equal(r.matrix_L(p), np.column_stack([-e, -r.skew(e) + e0 * np.eye(3)]))


@given(unit_quaternions)
def test_products_of_G_and_L(p):
    """S0(10-12)."""
    for M in (r.matrix_G(p), r.matrix_L(p)):
        assert_allclose(M @ M.T, np.eye(3), rtol=0, atol=SPHERE)
        assert_allclose(M.T @ M, np.eye(4) - np.outer(p, p), rtol=0, atol=SPHERE)
        assert_allclose(M @ p, 0.0, rtol=0, atol=SPHERE)


@given(vectors(4))
def test_rates_of_L_and_G_annihilate_the_rate(p_rate):
    """L' p' = 0, S0(12)."""
    assert_allclose(r.matrix_L(p_rate) @ p_rate, 0.0, rtol=0, atol=1e-12)
    assert_allclose(r.matrix_G(p_rate) @ p_rate, 0.0, rtol=0, atol=1e-12)


@given(unit_quaternions)
def test_rotation_matrix_on_the_sphere(p):
    """S0(5) equals S0(7) there, is a rotation, and is SciPy's."""
    e0, e = p[0], p[1:]
    printed = (2 * e0**2 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * r.skew(e))
    A = r.rotation_matrix(p)
    assert_allclose(A, printed, rtol=0, atol=SPHERE)
    assert_allclose(A @ A.T, np.eye(3), rtol=0, atol=SPHERE)
    assert np.linalg.det(A) == pytest.approx(1.0, abs=1e-13)
    assert_allclose(A, of(p).as_matrix(), rtol=0, atol=SPHERE)


@given(quaternions, st.floats(0.1, 10.0))
def test_rotation_matrix_is_homogeneous_of_degree_two(p, scale):
    assert_allclose(r.rotation_matrix(scale * p), scale**2 * r.rotation_matrix(p), rtol=1e-12, atol=1e-12)
    assert_allclose(r.orientation_matrix(scale * p), of(p).as_matrix(), rtol=0, atol=SPHERE)


@given(unit_quaternions, vectors(3))
def test_rates_in_both_frames(p, omega):
    """S0(17), S1(5,6,11,12): omega = 2 L p', omega_space = 2 G p' = A omega, p' = L^T omega / 2."""
    p_rate = r.rate_from_omega(p, omega)
    assert_allclose(p_rate, r.matrix_L(p).T @ omega / 2, rtol=0, atol=1e-14)
    assert_allclose(r.omega_from_rate(p, p_rate), omega, rtol=0, atol=1e-12)
    assert_allclose(2 * r.matrix_G(p) @ p_rate, r.rotation_matrix(p) @ omega, rtol=0, atol=1e-12)
    assert p @ p_rate == pytest.approx(0.0, abs=1e-13)


@given(unit_quaternions, vectors(4))
def test_skew_of_omega(p, q):
    """omega~ = 2 L L'^T, S0(16), for a rate along the sphere."""
    p_rate = q - p * (p @ q)
    omega = r.omega_from_rate(p, p_rate)
    assert_allclose(r.skew(omega), 2 * r.matrix_L(p) @ r.matrix_L(p_rate).T, rtol=0, atol=1e-12)


@given(unit_quaternions, vectors(3, 1.0))
def test_rate_from_omega_turns_the_body(p, omega):
    """Central differences of A against SciPy's rotation by omega, in body components."""
    step = 1e-5
    p_rate = r.rate_from_omega(p, omega)
    A_rate = (r.rotation_matrix(p + step * p_rate) - r.rotation_matrix(p - step * p_rate)) / (2 * step)
    ahead, behind = (of(p) * Rotation.from_rotvec(sign * step * omega) for sign in (1, -1))
    assert_allclose(A_rate, (ahead.as_matrix() - behind.as_matrix()) / (2 * step), rtol=0, atol=1e-9)


@given(unit_quaternions, vectors(3))
def test_rotation_does_not_depend_on_the_sign_of_p(p, v):
    assert_array_equal(r.rotation_matrix(-p), r.rotation_matrix(p))
    assert_array_equal(r.rotate(-p, v), r.rotate(p, v))
    assert r.relative_angle(-p, p) == 0.0
    assert_allclose(r.omega_from_rate(-p, -r.rate_from_omega(p, v)), v, rtol=0, atol=1e-12)


@given(quaternions, vectors(3))
def test_inverse_rotation_restores_the_vector(p, v):
    assert_allclose(r.rotate(p, v), of(p).apply(v), rtol=0, atol=1e-12)
    assert_allclose(r.rotate_back(p, r.rotate(p, v)), v, rtol=0, atol=1e-12)
    assert_allclose(r.rotate(r.conjugate(p), v), r.rotate_back(p, v), rtol=0, atol=1e-12)
    columns = [r.axis_in_space(p, axis) for axis in range(3)]
    assert_allclose(np.stack(columns, axis=-1), r.orientation_matrix(p), rtol=0, atol=1e-14)


@given(quaternions, quaternions)
def test_product_composes_rotations(pa, pb):
    together = r.rotation_matrix(r.multiply(pa, pb))
    assert_allclose(together, r.rotation_matrix(pa) @ r.rotation_matrix(pb), rtol=0, atol=1e-12)
    identity = r.multiply(pa, r.conjugate(pa)) / (pa @ pa)
    assert_allclose(identity, [1, 0, 0, 0], rtol=0, atol=SPHERE)


@given(unit_quaternions, unit_quaternions)
def test_relative_angle_matches_scipy(pa, pb):
    angle = r.relative_angle(pa, pb)
    assert angle == pytest.approx((of(pa).inv() * of(pb)).magnitude(), abs=1e-12)
    assert r.relative_angle(pb, -3.0 * pa) == pytest.approx(angle, abs=1e-14)


@given(unit_quaternions, unit_quaternions, st.floats(-14.0, -1.0))
def test_relative_angle_is_accurate_near_zero(p, turn, exponent):
    """The arccosine of the scalar product would give 0, or at least 2e-8."""
    angle = 10.0**exponent
    axis = r.rotate(turn, [1.0, 0.0, 0.0])
    turned = r.multiply(p, r.from_rotation_vector(angle * axis))
    for sign in (1.0, -1.0):
        assert r.relative_angle(p, sign * turned) == pytest.approx(angle, abs=2e-15)


@given(quaternions)
def test_relative_angle_to_itself_is_exactly_zero(p):
    assert r.relative_angle(p, p) == 0.0


@given(vectors(3, 1.0), st.floats(-12.0, 0.49))
def test_rotation_vector_round_trip(direction, exponent):
    vector = 10.0**exponent * direction / max(1.0, np.linalg.norm(direction))
    p = r.from_rotation_vector(vector)
    assert r.norm(p) == pytest.approx(1.0, abs=1e-15)
    assert r.relative_angle(p, Rotation.from_rotvec(vector).as_quat(scalar_first=True)) < 2e-15
    assert_allclose(r.to_rotation_vector(p), vector, rtol=1e-13, atol=1e-15)
    assert_allclose(r.to_rotation_vector(-2 * p), vector, rtol=1e-13, atol=1e-15)


@given(quaternions)
@example(np.array([0.0, 0.0, 1.0, 0.0]))
@example(np.array([1.0, 0.0, 0.0, 0.0]))
@example(np.array([-1.0, 0.0, 0.0, 0.0]))
def test_rotation_vector_is_the_shortest(p):
    vector = r.to_rotation_vector(p)
    assert np.linalg.norm(vector) <= np.pi + 1e-15
    assert r.relative_angle(r.from_rotation_vector(vector), p) < 2e-15


half_turns = st.tuples(st.floats(-1e-9, 1e-9), vectors(3, 1.0)).map(lambda drawn: [drawn[0], *drawn[1]])


@given(unit_quaternions | half_turns.filter(lambda p: r.norm(p) > 1e-2).map(r.normalize))
@example(np.array([0.0, 0.0, 0.0, 1.0]))
def test_from_matrix_at_every_angle(p):
    quaternions = r.from_matrix(r.rotation_matrix(p))
    assert r.relative_angle(quaternions, p) < 4e-15
    assert quaternions[0] >= 0.0
    assert r.norm(quaternions) == pytest.approx(1.0, abs=1e-15)


@given(unit_quaternions, unit_quaternions, st.floats(0.0, 1.0))
def test_slerp_matches_scipy_and_takes_the_short_arc(p0, p1, u):
    whole = r.relative_angle(p0, p1)
    p = r.slerp(p0, p1, u)
    assert r.relative_angle(p0, p) == pytest.approx(u * whole, abs=1e-13)
    assert r.relative_angle(p, p1) == pytest.approx((1 - u) * whole, abs=1e-13)
    if whole < np.pi - 1e-3:  # at half a turn either way is the short one
        oracle = Slerp([0.0, 1.0], of(np.stack([p0, p1])))(u).as_quat(scalar_first=True)
        assert r.relative_angle(p, oracle) < 1e-12


def test_slerp_between_equal_orientations():
    p = r.normalize([1.0, 2.0, 3.0, 4.0])
    for end in (p, -p):
        assert_allclose(r.slerp(p, end, np.linspace(0, 1, 5)), np.tile(p, (5, 1)), rtol=0, atol=SPHERE)


@given(st.lists(st.sampled_from([-1.0, 1.0]), min_size=1, max_size=50), vectors(3, 3.0))
def test_continuous_sign(signs, omega):
    t = 0.05 * np.arange(len(signs))[:, np.newaxis]
    smooth = r.from_rotation_vector(t * omega)
    jumping = smooth * np.array(signs)[:, np.newaxis]
    assert_array_equal(r.continuous_sign(jumping), smooth * signs[0])


def test_continuous_sign_of_empty_and_nan_rows():
    assert r.continuous_sign(np.zeros((0, 4))).shape == (0, 4)
    p = np.array([[1.0, 0, 0, 0], [-1.0, 0, 0, 0], [np.nan] * 4])
    assert_array_equal(r.continuous_sign(p), [[1, 0, 0, 0], [1, 0, 0, 0], [np.nan] * 4])


BATCHED = [
    (r.skew, (3,)),
    (r.matrix_G, (4,)),
    (r.matrix_L, (4,)),
    (r.rotation_matrix, (4,)),
    (r.orientation_matrix, (4,)),
    (r.normalize, (4,)),
    (r.conjugate, (4,)),
    (r.multiply, (4, 4)),
    (r.rotate, (4, 3)),
    (r.rotate_back, (4, 3)),
    (r.omega_from_rate, (4, 4)),
    (r.rate_from_omega, (4, 3)),
    (r.relative_angle, (4, 4)),
    (r.from_rotation_vector, (3,)),
    (r.to_rotation_vector, (4,)),
]


@pytest.mark.parametrize(("function", "sizes"), BATCHED)
def test_leading_dimensions_are_a_batch(function, sizes):
    random = np.random.default_rng(7)
    arrays = [random.normal(size=(2, 5, size)) for size in sizes]
    together = function(*arrays)
    for n in np.ndindex(2, 5):
        assert_allclose(together[n], function(*(array[n] for array in arrays)), rtol=1e-13, atol=1e-15)


def test_one_orientation_rotates_many_vectors():
    p, vectors_body = [1.0, 2.0, 3.0, 4.0], np.random.default_rng(7).normal(size=(6, 3))
    assert_allclose(r.rotate(p, vectors_body), of(p).apply(vectors_body), rtol=0, atol=1e-14)


def test_wrong_number_of_components_is_refused():
    with pytest.raises(ValueError, match="expected 4 components"):
        r.matrix_L([1.0, 2.0, 3.0])


@given(p=unit_quaternions, sign=st.sampled_from([-1.0, 1.0]))
def test_canonical_sign_is_one_p_for_each_orientation(p, sign):
    canonical = r.canonical_sign(sign * p)
    assert_array_equal(canonical, r.canonical_sign(p))
    assert_array_equal(np.abs(canonical), np.abs(p))
    assert canonical[np.flatnonzero(canonical)[0]] > 0


def test_canonical_sign_where_the_scalar_part_is_zero():
    p = np.array([[0.0, 0.0, -0.6, 0.8], [-0.0, 0.6, 0.8, 0.0], [0.0, 0.0, 0.0, 0.0], [np.nan] * 4])
    expected = [[0.0, 0.0, 0.6, -0.8], [0.0, 0.6, 0.8, 0.0], [0.0] * 4, [np.nan] * 4]
    assert_array_equal(r.canonical_sign(p), expected)
