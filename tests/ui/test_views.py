"""One, two or four 3D views: the lanes and the camera of each."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from scene_maker import ROTATED, VECTORS, grab_pixels, pixels_of_hue
from scene_maker import make_frame as frame_of_two
from views_maker import (  # noqa: F401 (views is a fixture)
    THREE_LANES,
    body_rotation,
    count_ghosts,
    drag,
    heading_texts,
    legend_texts,
    make_lanes_frame,
    make_run,
    views,
    zoom_in,
)

from quatviz.display.data.frame import frame_of_lane
from quatviz.display.scene.base import MAX_ARROW_LENGTH
from quatviz.display.view_state.theme import DARK, GRID_UNIT, LIGHT
from quatviz.display.view_state.view_layout import ALL_LANES
from quatviz.physics.mechanics.rotations import from_rotation_vector
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import SceneViewGrid, tile_rects
from quatviz.ui.widgets.style import set_own_theme

# --- how many


def test_views_are_created_on_demand(views: SceneViewGrid) -> None:
    assert (len(views.findChildren(SceneView)), len(views.shown_views)) == (1, 1)
    first = views.first_view
    for number, made in ((2, 2), (4, 4), (1, 4), (2, 4)):
        views.set_number(number)
        assert (len(views.findChildren(SceneView)), len(views.shown_views)) == (made, number)
        assert [view.isVisible() for view in views.findChildren(SceneView)] == [
            index < number for index in range(made)
        ]
        assert views.first_view is first
    views.set_number(3)
    assert views.view_layout.number == 2


def test_tiles_fill_the_area_on_the_grid() -> None:
    assert tile_rects(1, 801, 700, 8) == [QRect(0, 0, 801, 700)]
    assert tile_rects(2, 808, 700, 8) == [QRect(0, 0, 400, 700), QRect(408, 0, 400, 700)]
    assert tile_rects(2, 700, 808, 8) == [QRect(0, 0, 700, 400), QRect(0, 408, 700, 400)]
    for width, height in ((801, 700), (500, 333)):
        places = tile_rects(4, width, height, 8)
        assert places[0].topLeft() == QPoint(0, 0)
        assert places[3].bottomRight() == QPoint(width - 1, height - 1)
        assert {places[1].left() - places[0].right(), places[2].top() - places[0].bottom()} == {9}


def test_views_are_placed_in_their_tiles(views: SceneViewGrid) -> None:
    views.set_number(4)
    assert [view.geometry() for view in views.shown_views] == tile_rects(4, 800, 700, GRID_UNIT)
    views.resize(640, 480)
    assert [view.geometry() for view in views.shown_views] == tile_rects(4, 640, 480, GRID_UNIT)


def test_reshown_view_shows_the_current_run(views: SceneViewGrid) -> None:
    views.set_number(2)
    views.set_number(1)
    run = make_run(*THREE_LANES)
    run.info = replace(run.info, body=replace(run.info.body, shape="box"))
    views.start(run)
    views.show_frame(make_lanes_frame(*THREE_LANES))
    views.set_number(2)
    body = next(mesh for mesh in views.shown_views[1].stage.meshes if mesh.material == "painted")
    assert len(body.vertices) == 36
    assert heading_texts(views.shown_views[1]) == ["two"]
    pose = make_lanes_frame(*THREE_LANES).lanes[1].pose
    assert pose is not None
    assert np.allclose(body_rotation(views.shown_views[1]), pose.rotation)


# --- which lanes


def test_single_view_shows_every_lane(views: SceneViewGrid) -> None:
    assert heading_texts(views.first_view) == []
    assert count_ghosts(views.first_view) == 1
    assert not views.first_view.text_overlay.is_active


def test_each_view_shows_its_own_lane_without_ghosts(views: SceneViewGrid) -> None:
    views.set_number(2)
    shown = frame_of_two(ROTATED)
    for view, lane in zip(views.shown_views, shown.lanes, strict=True):
        assert lane.pose is not None
        assert np.allclose(body_rotation(view), lane.pose.rotation)
        assert count_ghosts(view) == 0
        assert view.text_overlay.title_lines == ((lane.name, DARK.lanes[lane.color]),)
    views.set_view_layout(replace(views.view_layout, each=False))
    for view in views.shown_views:
        assert np.allclose(body_rotation(view), shown.lanes[0].pose.rotation)  # type: ignore[union-attr]
        assert count_ghosts(view) == 1


def test_lane_is_named_in_its_color_in_its_view(views: SceneViewGrid) -> None:
    views.set_number(2)
    for item in ("h", "body"):
        views.set_item_visible(item, False)
    for view, mine, other in ((views.shown_views[0], 0, 1), (views.shown_views[1], 1, 0)):
        pixels = grab_pixels(view)[8:40, :200]
        assert len(pixels_of_hue(pixels, DARK.lanes[mine])) > 40
        assert len(pixels_of_hue(pixels, DARK.lanes[other])) < 5
    set_own_theme(views, LIGHT)
    assert len(pixels_of_hue(grab_pixels(views.shown_views[1])[8:40, :200], LIGHT.lanes[1])) > 40


def test_first_view_reports_lanes_without_a_view(views: SceneViewGrid) -> None:
    views.start(make_run(*THREE_LANES))
    views.show_frame(make_lanes_frame(*THREE_LANES))
    views.set_number(2)
    assert [heading_texts(view) for view in views.shown_views] == [["one"], ["two"]]
    assert "2 of 3 lanes are shown; choose them in each view’s menu" in legend_texts(views.first_view)
    views.choose_lane(views.shown_views[1], "three")
    assert [heading_texts(view) for view in views.shown_views] == [["one"], ["three"]]
    views.choose_lane(views.shown_views[0], "three")
    assert [heading_texts(view) for view in views.shown_views] == [["three"], ["one"]], (
        "no lane is shown twice"
    )
    views.choose_lane(views.shown_views[0], None)
    assert [heading_texts(view) for view in views.shown_views] == [["one"], ["two"]]
    views.choose_lane(views.shown_views[1], "one")
    assert [heading_texts(view) for view in views.shown_views] == [["two"], ["one"]], "nor here"
    views.choose_lane(views.shown_views[1], ALL_LANES)
    assert heading_texts(views.shown_views[1])[0] == "All lanes"
    assert not any("of 3 lanes" in line for line in legend_texts(views.first_view))
    views.choose_lane(views.shown_views[1], None)
    views.set_number(4)
    assert not any("of 3 lanes" in line for line in legend_texts(views.first_view))


def test_views_without_their_own_lane_show_all(views: SceneViewGrid) -> None:
    views.set_number(4)
    assert [heading_texts(view)[0] for view in views.shown_views] == ["one", "two", "All lanes", "All lanes"]
    assert [view.from_body for view in views.shown_views] == [False, False, False, True]


def test_hidden_lane_has_no_view(views: SceneViewGrid) -> None:
    views.start(make_run(*THREE_LANES))
    views.set_number(2)
    shown = make_lanes_frame(*THREE_LANES)
    lanes = (shown.lanes[0], replace(shown.lanes[1], drawn=False), shown.lanes[2])
    views.show_frame(replace(shown, lanes=lanes))
    assert [heading_texts(view) for view in views.shown_views] == [["one"], ["three"]]


def test_frame_of_one_lane_changes_only_display_modes() -> None:
    shown = make_lanes_frame(*THREE_LANES)
    single = frame_of_lane(shown, "two")
    assert [lane.solid for lane in single.lanes] == [False, True, False]
    assert [lane.drawn for lane in single.lanes] == [False, True, False]
    assert [lane.pose for lane in single.lanes] == [lane.pose for lane in shown.lanes]


# --- from where


def tips(view: SceneView) -> np.ndarray:
    """Return the positions of the tip of h and of the body's x axis, as fractions of the view."""
    h = MAX_ARROW_LENGTH / 2.0 * VECTORS["h"]
    places = view.project(np.array([h, 1.2 * body_rotation(view)[:, 0]]))
    return np.asarray(places / [view.width(), view.height()])


def test_two_views_of_all_lanes_show_space_and_body(views: SceneViewGrid) -> None:
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_number(2)
    space, body = views.shown_views
    assert [view.from_body for view in views.shown_views] == [False, True]
    assert [heading_texts(view) for view in views.shown_views] == [
        ["seen from space"],
        ["seen from the body"],
    ]
    before = [tips(view) for view in views.shown_views]
    views.show_frame(frame_of_two(from_rotation_vector([0.9, -0.4, 0.2]), 9.0, {"h": VECTORS["h"]}))
    after = [tips(view) for view in views.shown_views]
    moved = [np.linalg.norm(new - old, axis=1) for new, old in zip(after, before, strict=True)]
    views.show_frame(frame_of_two(ROTATED, 9.5, {"h": VECTORS["h"]}))
    moved = [
        np.linalg.norm(tips(view) - new, axis=1) for view, new in zip(views.shown_views, after, strict=True)
    ]
    assert moved[0][0] < 1e-6, "h is fixed, seen from space"
    assert moved[0][1] > 0.05
    assert moved[1][1] < 1e-6, "the body is fixed, seen from the body"
    assert moved[1][0] > 0.05
    views.activate(space)
    views.set_from_body(True)
    assert heading_texts(space) == heading_texts(body) == []
    assert [view.from_body for view in views.shown_views] == [True, True]


def test_four_views_of_all_lanes_differ(views: SceneViewGrid) -> None:
    views.set_view_layout(replace(views.view_layout, each=False))
    views.set_number(4)
    assert [view.from_body for view in views.shown_views] == [False, True, False, True]
    above = [abs(view.camera.back[2] - 1.0) < 1e-4 for view in views.shown_views]
    assert above == [False, False, True, True]
    views.set_view_layout(replace(views.view_layout, each=True))
    backs = np.array([view.camera.back for view in views.shown_views[:2]])
    assert np.allclose(backs[0], backs[1])


def test_linked_cameras_move_together(views: SceneViewGrid) -> None:
    views.set_number(2)
    first, second = views.shown_views
    before = first.camera.back.copy()
    second.move_camera(lambda camera: None)
    drag(second, 50, 12)
    nearer = zoom_in(second)
    drag(second, 30, 60, Qt.MouseButton.MiddleButton)
    assert nearer > 1.2
    assert first.camera.target.tolist() != [0.0, 0.0, 0.0]
    assert not np.allclose(first.camera.back, before)
    assert np.allclose(first.camera.view_matrix(), second.camera.view_matrix())
    views.look_from("front")
    assert first.camera.back.tolist() == second.camera.back.tolist() == [1.0, 0.0, 0.0]
    views.set_linked(False)
    views.activate(second)
    views.look_from("isometric")
    nearer = zoom_in(second)
    assert first.camera.back.tolist() == [1.0, 0.0, 0.0]
    assert second.camera.distance == pytest.approx(first.camera.distance / nearer)
    views.set_linked(True)
    assert np.allclose(first.camera.view_matrix(), second.camera.view_matrix()), (
        "linking moves all cameras to the active one"
    )
    assert np.allclose(first.camera.back, np.array([1.0, -1.0, 1.0]) / np.sqrt(3.0))


def test_views_look_along_the_h_of_their_own_lane(views: SceneViewGrid) -> None:
    views.set_number(2)
    views.look_from("along_h")
    shown = frame_of_two(ROTATED)
    for view, lane in zip(views.shown_views, shown.lanes, strict=True):
        assert lane.pose is not None
        h = lane.pose.vectors["h"]
        assert np.allclose(view.camera.back, h / np.linalg.norm(h))


def test_view_keeps_its_extent_when_its_shape_changes(views: SceneViewGrid) -> None:
    view = views.first_view
    h = MAX_ARROW_LENGTH / 2.0 * VECTORS["h"]

    def reach() -> float:
        places = view.project(np.array([h, np.zeros(3)]))
        return float(np.linalg.norm(places[0] - places[1]) / min(view.width(), view.height()))

    before = reach()
    for size in ((400, 700), (900, 400), (640, 480)):
        views.resize(*size)
        assert reach() == pytest.approx(before, rel=0.1)
    distance = view.camera.distance
    views.fit()
    assert view.camera.distance == pytest.approx(distance)


def test_fit_includes_shown_gimbal_rings(views: SceneViewGrid) -> None:
    view = views.first_view
    views.fit()
    without = view.camera.distance
    views.set_item_visible("gimbals", True)
    views.fit()
    rings = [mesh for mesh in view.stage.meshes if mesh.visible and mesh.material == "solid"]
    points = np.vstack([mesh.vertices[:, :3] @ mesh.transform[:3, :3].T for mesh in rings])
    places = view.project(points)
    assert np.all((places > 0) & (places < [view.width(), view.height()]))
    assert view.camera.distance > 1.02 * without
    views.set_item_visible("gimbals", False)
    views.fit()
    assert view.camera.distance == pytest.approx(without)
