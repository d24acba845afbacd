"""The balls of Euler parameters: round trips, the modified Rodrigues parameters, and paths through the surface."""

import numpy as np
import pytest
from core_strategies import unit_quaternions
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from quatviz.physics.formulations.modified_rodrigues.kernel import attitude
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.mechanics.stereographic import (
    ball_path,
    from_stereographic,
    orientation_point,
    sheet_of,
    stereographic,
)


def about(axis: int, turns: np.ndarray) -> np.ndarray:
    """p (n, 4) after `turns` about a body axis, starting at (1, 0, 0, 0)."""
    half = np.pi * turns
    return np.cos(half)[:, None] * np.eye(4)[0] + np.sin(half)[:, None] * np.eye(4)[1 + axis]


@given(unit_quaternions)
def test_projection_round_trip(p):
    r = stereographic(p)
    assert np.linalg.norm(r) <= 1.0 + 1e-15
    assert_allclose(from_stereographic(r, sheet_of(p)), p, rtol=0, atol=1e-15)
    assert_allclose(stereographic(3.0 * p), r, rtol=0, atol=1e-15)
    assert relative_angle(from_stereographic(orientation_point(p)), p) < 1e-14


@given(unit_quaternions)
def test_p_and_minus_p_are_two_points(p):
    if abs(p[0]) > 1e-9:
        assert_array_equal(orientation_point(-p), orientation_point(p))
        assert sheet_of(-p) == -sheet_of(p)
    assert_array_equal(stereographic(-p), -stereographic(p))


@given(unit_quaternions)
def test_projection_equals_the_modified_rodrigues_parameters(p):
    r = orientation_point(p)
    assert_allclose(np.array(attitude(r)) * sheet_of(p), p, rtol=0, atol=1e-14)
    if abs(p[0]) > 1e-6:
        assert_allclose(r, Rotation.from_quat(p, scalar_first=True).as_mrp(), rtol=0, atol=1e-12)


def test_projection_length_is_tan_of_quarter_angle():
    angles = np.linspace(0.0, np.pi, 9)
    r = stereographic(about(1, angles / (2 * np.pi)))
    assert_allclose(r[:, 1], np.tan(angles / 4), atol=1e-15)
    assert_allclose(r[:, [0, 2]], 0.0)


def test_full_turn_crosses_the_surface_at_opposite_points():
    path = ball_path(about(0, np.linspace(0.0, 1.0, 100)), identify_signs=True)
    assert_allclose(path.exit_points, [[1.0, 0.0, 0.0]], atol=1e-12)
    assert_allclose(path.entry_points, [[-1.0, 0.0, 0.0]], atol=1e-12)
    assert path.crossing_rows == pytest.approx([49.5])
    assert len(path.points) == len(path.rows) == len(path.sheets) == 103
    assert np.isnan(path.points[51]).all()
    assert path.points[50] == pytest.approx(path.exit_points[0])
    assert path.points[52] == pytest.approx(path.entry_points[0])
    assert path.points[[0, -1]] == pytest.approx(np.zeros((2, 3)), abs=1e-12)
    assert set(path.sheets) == {1.0}
    steps = np.linalg.norm(np.diff(path.points, axis=0), axis=1)
    assert np.nanmax(steps) < 0.06, "elsewhere it is one line"


def test_path_in_both_sheets_closes_after_two_turns():
    path = ball_path(about(0, np.linspace(0.0, 2.0, 200)), identify_signs=False)
    assert_allclose(path.exit_points, [[1, 0, 0], [-1, 0, 0]], atol=1e-12)
    assert_array_equal(path.exit_points, path.entry_points)
    assert path.left_sheets.tolist() == [1.0, -1.0]
    middle = int(np.argmin(np.abs(path.rows - 99.5)))
    assert path.sheets[[0, middle, -1]].tolist() == [1.0, -1.0, 1.0]
    assert path.points[[0, -1]] == pytest.approx(np.zeros((2, 3)), abs=1e-12)


def test_sign_of_p_matters_only_with_both_sheets():
    p = np.random.default_rng(1).normal(size=4) + np.cumsum(
        np.random.default_rng(2).normal(size=(300, 4)), axis=0
    )
    first, second = ball_path(p, True), ball_path(-p, True)
    for name in ("points", "rows", "sheets", "exit_points", "entry_points", "crossing_rows"):
        assert_array_equal(getattr(first, name), getattr(second, name))
    assert_array_equal(ball_path(p, False).sheets, -ball_path(-p, False).sheets)


def test_sign_jump_interrupts_the_line():
    p = about(2, np.linspace(0.0, 0.4, 20))
    flipped = p * np.where(np.arange(20) < 10, 1.0, -1.0)[:, None]
    path = ball_path(flipped, identify_signs=False)
    assert len(path.exit_points) == 0
    assert np.isnan(path.points[10:13]).all()
    assert set(path.sheets) == {1.0, -1.0}
    assert_array_equal(ball_path(flipped, True).points, ball_path(p, True).points)


def test_invalid_orientations_interrupt_the_path():
    p = about(0, np.linspace(0.0, 0.2, 5))
    p[2] = np.nan
    assert np.isnan(ball_path(p, True).points).any(axis=1).tolist() == [False, False, True, False, False]
    assert len(ball_path(np.empty((0, 4)), True).points) == 0
