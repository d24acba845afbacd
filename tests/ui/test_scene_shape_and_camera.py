"""Parts of the 3D view without a screen: the solid of a body, and the camera."""

from itertools import pairwise

import numpy as np
import pytest

from quatviz import load_preset
from quatviz.display.view_state.camera import VIEW_DIRECTIONS, Camera
from quatviz.physics.geometry.triangles import box_edges
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import orientation_matrix
from quatviz.physics.mechanics.solid import make_solid


def test_orbiting_keeps_distance_target_and_unit_direction() -> None:
    camera, random = Camera(), np.random.default_rng(3)
    camera.target = np.array([0.3, -0.2, 0.5])
    for right, up in random.normal(scale=1.0, size=(400, 2)):
        camera.orbit(right, up)
        assert np.linalg.norm(camera.back) == pytest.approx(1.0, abs=1e-12)
        assert abs(camera.back[2]) < 0.9999
        view = camera.view_matrix()
        assert view[:3, :3] @ view[:3, :3].T == pytest.approx(np.eye(3), abs=1e-9)
        assert view @ [*camera.target, 1.0] == pytest.approx([0, 0, -8.0, 1], abs=1e-9)
        assert view[1, 2] >= 0.0  # space z stays up


def test_panning_shifts_the_view_by_a_fraction_of_its_height() -> None:
    camera = Camera()
    before = camera.projection_matrix(1.5) @ camera.view_matrix() @ [*camera.target, 1.0]
    target, distance, back = camera.target, camera.distance, camera.back.copy()
    camera.pan(0.1, -0.2)
    after = camera.projection_matrix(1.5) @ camera.view_matrix() @ [*target, 1.0]
    moved = (after / after[3] - before / before[3])[:2]
    # From -1 to 1 is one height vertically, and 1.5 heights horizontally.
    assert moved * [1.5, 1.0] / 2 == pytest.approx([0.1, -0.2])
    assert camera.distance == distance
    assert np.array_equal(camera.back, back)


def test_zoom_stays_within_distance_limits() -> None:
    camera = Camera()
    camera.zoom(2.0)
    assert camera.distance == 4.0
    for factor, limit in ((10.0, 1.5), (0.1, 200.0)):
        for _ in range(9):
            camera.zoom(factor)
        assert camera.distance == limit


@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.5])
def test_fit_fills_the_view_with_the_sphere(aspect: float) -> None:
    camera, centre, radius = Camera(), np.array([0.4, 0.1, -0.3]), 1.7
    camera.orbit(1.0, 0.3)
    camera.fit(centre, radius, aspect)
    directions = np.random.default_rng(1).normal(size=(20000, 3))
    points = centre + radius * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    clip = (
        np.hstack((points, np.ones((len(points), 1))))
        @ (camera.projection_matrix(aspect) @ camera.view_matrix()).T
    )
    places = np.abs(clip[:, :3] / clip[:, 3:])
    assert places.max() <= 1.0
    assert places[:, :2].max() > 0.98


def test_sphere_is_round_and_disk_is_thin() -> None:
    assert make_solid(Body(inertia=[3.0, 3.0, 3.0])).extents == pytest.approx([1, 1, 1])
    disk = make_solid(Body(inertia=[1.0, 1.0, 2.0])).extents
    assert disk[:2] == pytest.approx([1, 1])
    assert 0 < disk[2] < 0.05


def test_drawn_ellipsoid_has_the_inertia_of_the_body() -> None:
    body = load_preset("torque_free").body
    a, b, c = make_solid(body).extents ** 2
    drawn = np.array([b + c, a + c, a + b])
    moments = np.diagonal(body.inertia)
    assert drawn / drawn.sum() == pytest.approx(moments / moments.sum(), rel=1e-12)
    assert max(a, b, c) == 1.0


def test_pivoted_body_is_drawn_at_its_center_of_mass() -> None:
    mass, offset, half = 2.0, np.array([0.0, 0.0, 3.0]), np.array([0.5, 1.0, 2.0])
    squares = half**2
    central = mass / 5 * (squares.sum() - squares)
    about_pivot = central + mass * np.array([9.0, 9.0, 0.0])
    body = Body(inertia=list(about_pivot), about="pivot", mass=mass, centre_of_mass=list(offset))
    shape = make_solid(body)
    assert shape.radius == pytest.approx(2.0)
    assert shape.extents == pytest.approx(half / 2.0)
    assert shape.centre == pytest.approx(offset / 2.0)
    points = shape.vertices()[:, :3]
    assert (points.max(axis=0) + points.min(axis=0)) / 2 == pytest.approx(offset / 2.0, abs=1e-6)
    assert shape.reach == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("name", "right", "up"),
    [("front", [0, 1, 0], [0, 0, 1]), ("side", [1, 0, 0], [0, 0, 1]), ("top", [1, 0, 0], [0, 1, 0])],
)
def test_named_view_direction_has_correct_axes(name: str, right: list[float], up: list[float]) -> None:
    camera, back = Camera(), VIEW_DIRECTIONS[name].back
    camera.orbit(0.3, -0.2)
    camera.look_from(np.array(back))
    turn = camera.view_matrix()[:3, :3]
    assert turn @ right == pytest.approx([1.0, 0.0, 0.0], abs=2e-3)
    assert turn @ up == pytest.approx([0.0, 1.0, 0.0], abs=2e-3)


def test_isometric_view_foreshortens_axes_equally() -> None:
    camera = Camera()
    camera.look_from(np.array(VIEW_DIRECTIONS["isometric"].back))
    lengths = np.linalg.norm(camera.view_matrix()[:2, :3], axis=0)
    assert lengths == pytest.approx(np.full(3, np.sqrt(2 / 3)))


@pytest.mark.parametrize("pole", [1.0, -1.0])
def test_vertical_drag_stops_at_the_pole(pole: float) -> None:
    camera = Camera()
    camera.look_from(np.array([0.0, 0.0, pole]))
    heading = camera.back[:2] / np.linalg.norm(camera.back[:2])
    for step in (0.01, 0.01, -0.01, -0.5, -0.5, 0.01):
        before = abs(camera.back[2])
        camera.orbit(0.0, pole * step)
        assert camera.back[:2] @ heading > 0
        assert abs(camera.back[2]) <= max(before, 0.995) + 1e-12  # round-off differs between processors
    camera.look_from(np.array([0.0, 0.0, pole]))
    for _ in range(20):
        camera.orbit(0.0, -pole * 0.02)
    assert abs(camera.back[2]) < 0.95


def test_co_rotating_camera_sees_its_frame_at_rest() -> None:
    camera, still = Camera(), Camera()
    point = np.array([0.4, -0.2, 0.9])
    for number in range(5):
        turn = np.linalg.matrix_power(orientation_matrix([0.8, 0.1, -0.5, 0.3]), number)
        camera.frame = turn
        assert camera.view_matrix() @ [*(turn @ point), 1.0] == pytest.approx(
            still.view_matrix() @ [*point, 1.0]
        )
        assert camera.view_matrix() @ [*camera.eye, 1.0] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)


def test_box_edge_path_covers_all_edges_without_reversing() -> None:
    walk = box_edges(np.array([1.0, 2.0, 3.0]), np.eye(3))
    assert np.count_nonzero(np.diff(walk, axis=0), axis=1).tolist() == [1] * 15, "along edges only"
    assert len({frozenset(map(tuple, pair)) for pair in pairwise(walk.tolist())}) == 12
    assert np.all(np.any(walk[2:] != walk[:-2], axis=1))
