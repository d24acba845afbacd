"""One, two or four 3D views: which lanes each shows, and from where."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from scene_maker import TURNED, VECTORS, of_hue, picture
from scene_maker import frame as frame_of_two
from views_maker import (  # noqa: F401 (views is a fixture)
    THREE,
    body_of,
    drag,
    frame_of,
    ghosts_of,
    heading,
    legend,
    run_of,
    views,
    zoomed,
)

from quatviz.display.data.frame import of_lane
from quatviz.display.scene.base import ARROW
from quatviz.display.view_state.theme import DARK, LIGHT, UNIT
from quatviz.display.view_state.view_layout import ALL
from quatviz.physics.mechanics.rotations import from_rotation_vector
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import Views, tiles
from quatviz.ui.widgets.style import wear

# --- how many


def test_a_view_is_made_when_it_is_wanted(views: Views) -> None:
    assert (len(views.findChildren(SceneView)), len(views.shown)) == (1, 1)
    first = views.first
    for number, made in ((2, 2), (4, 4), (1, 4), (2, 4)):
        views.set_number(number)
        assert (len(views.findChildren(SceneView)), len(views.shown)) == (made, number)
        assert [view.isVisible() for view in views.findChildren(SceneView)] == [
            place < number for place in range(made)
        ]
        assert views.first is first
    views.set_number(3)
    assert views.plan.number == 2


def test_tiles_fill_the_area_on_the_grid() -> None:
    assert tiles(1, 801, 700, 8) == [QRect(0, 0, 801, 700)]
    assert tiles(2, 808, 700, 8) == [QRect(0, 0, 400, 700), QRect(408, 0, 400, 700)]
    assert tiles(2, 700, 808, 8) == [QRect(0, 0, 700, 400), QRect(0, 408, 700, 400)]
    for width, height in ((801, 700), (500, 333)):
        places = tiles(4, width, height, 8)
        assert places[0].topLeft() == QPoint(0, 0)
        assert places[3].bottomRight() == QPoint(width - 1, height - 1)
        assert {places[1].left() - places[0].right(), places[2].top() - places[0].bottom()} == {9}


def test_views_stand_where_their_tiles_are(views: Views) -> None:
    views.set_number(4)
    assert [view.geometry() for view in views.shown] == tiles(4, 800, 700, UNIT)
    views.resize(640, 480)
    assert [view.geometry() for view in views.shown] == tiles(4, 640, 480, UNIT)


def test_a_view_that_was_away_follows_the_run(views: Views) -> None:
    views.set_number(2)
    views.set_number(1)
    run = run_of(*THREE)
    run.info = replace(run.info, body=replace(run.info.body, shape="box"))
    views.start(run)
    views.show_frame(frame_of(*THREE))
    views.set_number(2)
    body = next(mesh for mesh in views.shown[1].stage.meshes if mesh.look == "painted")
    assert len(body.vertices) == 36
    assert heading(views.shown[1]) == ["two"]
    assert np.allclose(body_of(views.shown[1]), frame_of(*THREE).lanes[1].pose.rotation)  # type: ignore[union-attr]


# --- which lanes


def test_one_view_shows_every_lane_as_ever(views: Views) -> None:
    assert heading(views.first) == []
    assert ghosts_of(views.first) == 1
    assert not views.first.words.active


def test_each_view_shows_its_own_lane_without_ghosts(views: Views) -> None:
    views.set_number(2)
    shown = frame_of_two(TURNED)
    for view, lane in zip(views.shown, shown.lanes, strict=True):
        assert lane.pose is not None
        assert np.allclose(body_of(view), lane.pose.rotation)
        assert ghosts_of(view) == 0
        assert view.words.heading == ((lane.name, DARK.lanes[lane.colour]),)
    views.set_each(False)
    for view in views.shown:
        assert np.allclose(body_of(view), shown.lanes[0].pose.rotation)  # type: ignore[union-attr]
        assert ghosts_of(view) == 1


def test_the_lane_is_named_in_its_colour_in_its_own_picture(views: Views) -> None:
    views.set_number(2)
    for item in ("h", "body"):
        views.set_item_visible(item, False)
    for view, mine, other in ((views.shown[0], 0, 1), (views.shown[1], 1, 0)):
        pixels = picture(view)[8:40, :200]
        assert len(of_hue(pixels, DARK.lanes[mine])) > 40
        assert len(of_hue(pixels, DARK.lanes[other])) < 5
    wear(views, LIGHT)
    assert len(of_hue(picture(views.shown[1])[8:40, :200], LIGHT.lanes[1])) > 40


def test_the_first_view_counts_lanes_that_no_view_shows(views: Views) -> None:
    views.start(run_of(*THREE))
    views.show_frame(frame_of(*THREE))
    views.set_number(2)
    assert [heading(view) for view in views.shown] == [["one"], ["two"]]
    assert "2 of 3 lanes, chosen in each view’s menu" in legend(views.first)
    views.choose_lane(views.shown[1], "three")
    assert [heading(view) for view in views.shown] == [["one"], ["three"]]
    views.choose_lane(views.shown[0], "three")
    assert [heading(view) for view in views.shown] == [["three"], ["one"]], "no lane is seen twice"
    views.choose_lane(views.shown[0], None)
    assert [heading(view) for view in views.shown] == [["one"], ["two"]]
    views.choose_lane(views.shown[1], "one")
    assert [heading(view) for view in views.shown] == [["two"], ["one"]], "nor here"
    views.choose_lane(views.shown[1], ALL)
    assert heading(views.shown[1])[0] == "All lanes"
    assert not any("of 3 lanes" in line for line in legend(views.first))
    views.choose_lane(views.shown[1], None)
    views.set_number(4)
    assert not any("of 3 lanes" in line for line in legend(views.first))


def test_views_without_a_lane_of_their_own_show_all(views: Views) -> None:
    views.set_number(4)
    assert [heading(view)[0] for view in views.shown] == ["one", "two", "All lanes", "All lanes"]
    assert [view.from_body for view in views.shown] == [False, False, False, True]


def test_a_lane_that_is_not_drawn_has_no_view(views: Views) -> None:
    views.start(run_of(*THREE))
    views.set_number(2)
    shown = frame_of(*THREE)
    lanes = (shown.lanes[0], replace(shown.lanes[1], drawn=False), shown.lanes[2])
    views.show_frame(replace(shown, lanes=lanes))
    assert [heading(view) for view in views.shown] == [["one"], ["three"]]


def test_a_frame_of_one_lane_is_the_frame_but_for_how_lanes_are_drawn() -> None:
    shown = frame_of(*THREE)
    one = of_lane(shown, "two")
    assert [lane.solid for lane in one.lanes] == [False, True, False]
    assert [lane.drawn for lane in one.lanes] == [False, True, False]
    assert [lane.pose for lane in one.lanes] == [lane.pose for lane in shown.lanes]


# --- from where


def tips(view: SceneView) -> np.ndarray:
    """Where h points, and where the body's x axis stands, in parts of the view."""
    h = ARROW / 2.0 * VECTORS["h"]
    places = view.project(np.array([h, 1.2 * body_of(view)[:, 0]]))
    return np.asarray(places / [view.width(), view.height()])


def test_space_and_body_side_by_side(views: Views) -> None:
    views.set_each(False)
    views.set_number(2)
    space, body = views.shown
    assert [view.from_body for view in views.shown] == [False, True]
    assert [heading(view) for view in views.shown] == [["seen from space"], ["seen from the body"]]
    before = [tips(view) for view in views.shown]
    views.show_frame(frame_of_two(from_rotation_vector([0.9, -0.4, 0.2]), 9.0, {"h": VECTORS["h"]}))
    after = [tips(view) for view in views.shown]
    moved = [np.linalg.norm(new - old, axis=1) for new, old in zip(after, before, strict=True)]
    views.show_frame(frame_of_two(TURNED, 9.5, {"h": VECTORS["h"]}))
    moved = [np.linalg.norm(tips(view) - new, axis=1) for view, new in zip(views.shown, after, strict=True)]
    assert moved[0][0] < 1e-6, "h stands still, seen from space"
    assert moved[0][1] > 0.05
    assert moved[1][1] < 1e-6, "the body stands still, seen from the body"
    assert moved[1][0] > 0.05
    views.activate(space)
    views.set_from_body(True)
    assert heading(space) == heading(body) == []
    assert [view.from_body for view in views.shown] == [True, True]


def test_four_views_of_all_lanes_differ(views: Views) -> None:
    views.set_each(False)
    views.set_number(4)
    assert [view.from_body for view in views.shown] == [False, True, False, True]
    above = [abs(view.camera.back[2] - 1.0) < 1e-4 for view in views.shown]
    assert above == [False, False, True, True]
    views.set_each(True)
    backs = np.array([view.camera.back for view in views.shown[:2]])
    assert np.allclose(backs[0], backs[1])


def test_linked_cameras_do_the_same(views: Views) -> None:
    views.set_number(2)
    one, two = views.shown
    before = one.camera.back.copy()
    two.move_camera(lambda camera: None)
    drag(two, 50, 12)
    nearer = zoomed(two)
    drag(two, 30, 60, Qt.MouseButton.MiddleButton)
    assert nearer > 1.2
    assert one.camera.target.tolist() != [0.0, 0.0, 0.0]
    assert not np.allclose(one.camera.back, before)
    assert np.allclose(one.camera.view(), two.camera.view())
    views.look("front")
    assert one.camera.back.tolist() == two.camera.back.tolist() == [1.0, 0.0, 0.0]
    views.set_linked(False)
    views.activate(two)
    views.look("isometric")
    nearer = zoomed(two)
    assert one.camera.back.tolist() == [1.0, 0.0, 0.0]
    assert two.camera.distance == pytest.approx(one.camera.distance / nearer)
    views.set_linked(True)
    assert np.allclose(one.camera.view(), two.camera.view()), "they come together where the active one is"
    assert np.allclose(one.camera.back, np.array([1.0, -1.0, 1.0]) / np.sqrt(3.0))


def test_along_h_each_view_looks_along_its_own(views: Views) -> None:
    views.set_number(2)
    views.look("along_h")
    shown = frame_of_two(TURNED)
    for view, lane in zip(views.shown, shown.lanes, strict=True):
        assert lane.pose is not None
        h = lane.pose.vectors["h"]
        assert np.allclose(view.camera.back, h / np.linalg.norm(h))


def test_a_view_shows_as_much_when_its_shape_changes(views: Views) -> None:
    view = views.first
    h = ARROW / 2.0 * VECTORS["h"]

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


def test_fit_reaches_the_gimbal_rings_while_they_are_shown(views: Views) -> None:
    view = views.first
    views.fit()
    without = view.camera.distance
    views.set_item_visible("gimbals", True)
    views.fit()
    rings = [mesh for mesh in view.stage.meshes if mesh.visible and mesh.look == "solid"]
    points = np.vstack([mesh.vertices[:, :3] @ mesh.transform[:3, :3].T for mesh in rings])
    places = view.project(points)
    assert np.all((places > 0) & (places < [view.width(), view.height()]))
    assert view.camera.distance > 1.02 * without
    views.set_item_visible("gimbals", False)
    views.fit()
    assert view.camera.distance == pytest.approx(without)
