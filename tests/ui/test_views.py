"""One, two or four 3D views: which lanes each shows, from which frame, and what they share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot
from scene_maker import TURNED, VECTORS, free, of_hue, picture
from scene_maker import frame as frame_of_two

from quatviz.core.rotations import from_rotation_vector, orientation_matrix
from quatviz.ui.fonts import load_fonts
from quatviz.ui.frame import Frame, Pose, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.canvas import Canvas
from quatviz.ui.scene.items.body import BodyItem
from quatviz.ui.scene.items.ghosts import Ghosts
from quatviz.ui.scene.items.gimbals import Gimbals
from quatviz.ui.scene.items.h import MomentumArrow
from quatviz.ui.scene.menu import SceneButton
from quatviz.ui.scene.plan import ALL, Plan, of_lane
from quatviz.ui.scene.tiles import tiles
from quatviz.ui.scene.view import ARROW, SceneView
from quatviz.ui.scene.views import Views
from quatviz.ui.theme import DARK, LIGHT, UNIT, Theme

THREE = ("one", "two", "three")


@pytest.fixture
def views(qtbot: QtBot) -> Iterator[Views]:
    """On the screen, with bodies and their ghosts, and two lanes."""
    load_fonts()
    views = Views(DARK, kinds=[BodyItem, Ghosts, MomentumArrow, Gimbals])
    qtbot.addWidget(views)
    views.resize(800, 700)
    with qtbot.waitExposed(views):
        views.show()
    views.start(free())
    views.show_frame(frame_of_two(TURNED))
    yield views
    views.shutdown()


def run_of(*names: str) -> FakeRun:
    return FakeRun(names)


def frame_of(*names: str, time: float = 7.0, playing: bool = False) -> Frame:
    """Each lane turned further than the one before."""
    shown = run_of(*names).frame(time)
    lanes = []
    for number, lane in enumerate(shown.lanes):
        p = from_rotation_vector([0.0, 0.3, 0.5 * (number + 1)])
        lanes.append(replace(lane, pose=Pose(p, orientation_matrix(p), VECTORS)))
    return replace(shown, lanes=tuple(lanes), playing=playing, scales=dict.fromkeys(VECTORS, 2.0))


def body_of(view: SceneView) -> np.ndarray:
    """Rotation of the solid body that is drawn."""
    (mesh,) = (mesh for mesh in view.meshes if mesh.look == "painted" and mesh.visible)
    return np.array(mesh.transform[:3, :3])


def ghosts_of(view: SceneView) -> int:
    return sum(mesh.visible for mesh in view.meshes if mesh.look == "glass")


def heading(view: SceneView) -> list[str]:
    return [text for text, _ in view.words.heading]


def legend(view: SceneView) -> list[str]:
    return [text for text, _ in view.words.legend(view.corner, view.as_lines)]


# --- how many


def test_a_view_is_made_when_it_is_wanted(views: Views) -> None:
    assert (len(views.made), len(views.shown)) == (1, 1)
    first = views.first
    for number, made in ((2, 2), (4, 4), (1, 4), (2, 4)):
        views.set_number(number)
        assert (len(views.made), len(views.shown)) == (made, number)
        assert [view.isVisible() for view in views.made] == [place < number for place in range(made)]
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
    body = next(mesh for mesh in views.shown[1].meshes if mesh.look == "painted")
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
    views.restyle(LIGHT)
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
    assert of_lane(shown, ALL) is shown


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


def drag(view: SceneView, x: int, y: int) -> None:
    start = QPoint(view.width() // 2, view.height() // 2)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view, start + QPoint(x, y))
    QApplication.processEvents()
    view._hand.release()


def test_linked_cameras_do_the_same(views: Views) -> None:
    views.set_number(2)
    one, two = views.shown
    before = one.camera.back.copy()
    two.move_camera(lambda camera: None)
    two._by_hand(lambda camera: camera.orbit(0.4, 0.1))
    two._by_hand(lambda camera: camera.zoom(1.5))
    two._by_hand(lambda camera: camera.pan(0.1, 0.2))
    assert not np.allclose(one.camera.back, before)
    assert np.allclose(one.camera.view(), two.camera.view())
    views.look("front")
    assert one.camera.back.tolist() == two.camera.back.tolist() == [1.0, 0.0, 0.0]
    views.set_linked(False)
    views.activate(two)
    views.look("isometric")
    two._by_hand(lambda camera: camera.zoom(2.0))
    assert one.camera.back.tolist() == [1.0, 0.0, 0.0]
    assert two.camera.distance == pytest.approx(one.camera.distance / 2.0)
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
    rings = [mesh for mesh in view.meshes if mesh.visible and mesh.look == "solid"]
    points = np.vstack([mesh.vertices[:, :3] @ mesh.transform[:3, :3].T for mesh in rings])
    places = view.project(points)
    assert np.all((places > 0) & (places < [view.width(), view.height()]))
    assert view.camera.distance > 1.02 * without
    views.set_item_visible("gimbals", False)
    views.fit()
    assert view.camera.distance == pytest.approx(without)


# --- one of them is active


def test_the_pressed_view_is_active_and_a_line_says_so(views: Views) -> None:
    views.set_number(2)
    assert [view.words.active for view in views.shown] == [True, False]
    drag(views.shown[1], 5, 0)
    assert views.current is views.shown[1]
    tops = [picture(view)[:2].reshape(-1, 3) for view in views.shown]
    accent = np.array([int(DARK.accent[i : i + 2], 16) for i in (1, 3, 5)])
    assert np.abs(tops[1] - accent).max() <= 1
    assert np.abs(tops[0] - accent).max() > 50
    views.activate_next()
    assert views.current is views.first
    views.activate_next()
    views.set_number(1)
    assert views.current is views.first
    assert not views.first.words.active


def test_while_playing_all_views_show_one_moment(views: Views) -> None:
    views.set_each(False)
    views.set_number(4)
    for number in range(1, 4):
        shown = frame_of_two(from_rotation_vector([0.0, 0.2 * number, 0.1]), 8.0 + number)
        views.show_frame(replace(shown, playing=True))
        for view in views.shown:
            assert np.allclose(body_of(view), shown.lanes[0].pose.rotation)  # type: ignore[union-attr]


# --- what they share


def test_items_are_the_same_in_every_view(views: Views) -> None:
    views.set_number(2)
    views.set_item_visible("h", False)
    views.set_number(4)
    assert not any(view.shows("h") for view in views.made)
    assert views.wishes["h"] is False
    views.forget_wishes()
    assert all(view.shows("h") for view in views.made)
    assert views.plan == Plan()


def test_a_line_of_the_legend_is_said_once(views: Views) -> None:
    views.set_each(False)
    views.set_number(2)
    views.set_magnification(2)
    said = [line for view in views.shown for line in legend(view)]
    assert [line for line in said if line.startswith("Differences from")] == [
        "Differences from one drawn × 10²"
    ]
    assert len(said) == len(set(said))
    assert legend(views.shown[1]) == []
    views.set_each(True)
    said = [line for view in views.shown for line in legend(view)]
    assert not [line for line in said if line.startswith("Differences")], "a lane alone differs from nothing"


def test_a_small_view_has_a_small_legend(views: Views) -> None:
    for number in range(12):
        views.first.set_corner(str(number), f"line {number}", "#ff00ff")
    views.set_item_visible("h", False)
    pixels = of_hue(picture(views.first), "#ff00ff")
    views.resize(400, 240)
    small = of_hue(picture(views.first), "#ff00ff")
    assert pixels[:, 1].min() > 0.5 * 700
    assert small[:, 1].min() > 0.55 * 240
    assert len(small) > 100


def test_the_control_stands_in_the_first_view_with_several_lanes(views: Views) -> None:
    control = QLabel("differences", views)
    control.adjustSize()
    views.host(control)
    assert control.pos() == QPoint(UNIT, UNIT)
    views.set_number(2)
    assert control.isHidden()
    views.choose_lane(views.shown[1], ALL)
    assert control.pos() == views.shown[1].pos() + QPoint(UNIT, UNIT)
    assert views.shown[1].words.inset.width() >= control.width()
    assert not views.shown[0].words.inset.width()


def test_a_heading_stands_beside_the_control_or_below_it(views: Views) -> None:
    control = QLabel("differences", views)
    control.resize(150, 36)
    views.host(control)
    views.set_each(False)
    views.set_item_visible("h", False)
    views.set_item_visible("body", False)
    for width, beside in ((800, True), (560, False)):
        views.resize(width, 500)
        views.set_number(4)
        ink = of_hue_of_text(views.first)
        assert bool(ink[:, 0].min() > 150) is beside
        assert bool(ink[:, 1].min() > 36) is not beside


def of_hue_of_text(view: SceneView) -> np.ndarray:
    """Where the muted words of a heading are."""
    muted = np.array([int(DARK.muted[i : i + 2], 16) for i in (1, 3, 5)])
    return np.argwhere(np.abs(picture(view)[:90, : view.width() - 48] - muted).max(axis=2) < 12)[:, ::-1]


def test_one_context_holds_each_mesh_once_and_goes_with_the_last_view(views: Views, qtbot: QtBot) -> None:
    views.set_each(False)
    views.set_number(4)
    for view in views.shown:
        view.grab()
    graphics = views._shared.graphics
    assert graphics is not None
    drawn = [view._picture._renderer.buffers for view in views.shown]  # type: ignore[union-attr]
    meshes = {mesh.vertices.tobytes() for view in views.shown for mesh in view.meshes if mesh.visible}
    assert len(graphics.vertices) == len(meshes)
    assert sum(drawn) > len(graphics.vertices)
    views.set_number(1)
    assert views._shared.graphics is graphics
    assert views._shared._users == {views.first._picture}
    views.shutdown()
    assert views._shared.graphics is None
    assert len(graphics.vertices) == 0


def test_opengl_lost_in_one_view_leaves_the_others_theirs(
    views: Views, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    views.set_number(2)
    for view in views.shown:
        view.grab()
    bad, take = views.shown[1]._picture._canvas, Canvas.take

    def lost(canvas: Canvas) -> object:
        if canvas is bad:
            raise RuntimeError("context lost")
        return take(canvas)

    monkeypatch.setattr(Canvas, "take", lost)
    told: list[str] = []
    views.problem.connect(told.append)
    for time in (8.0, 9.0):
        views.show_frame(frame_of_two(TURNED, time))
        for view in views.shown:
            view.grab()
        qtbot.wait(5)
    assert [view.as_lines for view in views.shown] == [False, True]
    assert len(told) == 1
    assert views._shared._users == {views.first._picture}
    assert "drawn as lines, without OpenGL" in legend(views.shown[1])
    views.show_frame(frame_of_two(from_rotation_vector([0.2, 0.1, 0.9]), 9.5))
    body = picture(views.shown[0])
    assert len(of_hue(body, DARK.body[0])) > 1000, "still a solid"


def test_a_failing_item_is_told_once(qtbot: QtBot) -> None:
    class Broken(SceneItem):
        name, title = "broken", "Broken"

        def build(self, view: SceneView, theme: Theme) -> None: ...
        def start(self, source: Source) -> None: ...
        def show(self, frame: Frame) -> None:
            raise ValueError("no")

        def restyle(self, theme: Theme) -> None: ...
        def set_visible(self, visible: bool) -> None: ...

    views = Views(DARK, kinds=[Broken])
    qtbot.addWidget(views)
    told: list[str] = []
    views.problem.connect(told.append)
    views.set_number(4)
    views.start(free())
    views.show_frame(frame_of_two())
    assert told == ["Broken is not drawn: ValueError: no"]
    views.shutdown()


# --- its menu, and what is remembered


def test_the_menu_of_a_view_chooses_its_lane(views: Views) -> None:
    views.set_number(2)
    button = views.shown[1].findChild(SceneButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert views.current is views.shown[1]
    menus = {inner.title(): inner for inner in menu.findChildren(QMenu)}
    lanes = {action.text(): action for action in menus["Lane of this view"].actions()}
    assert [text for text, action in lanes.items() if action.isChecked()] == ["two"]
    lanes["one"].trigger()
    assert [heading(view) for view in views.shown] == [["two"], ["one"]]
    several = {action.text().split("\t")[0]: action for action in menus["Views"].actions()}
    several["Linked cameras"].trigger()
    assert not views.plan.linked
    several["Four 3D views"].trigger()
    assert views.plan.number == 4
    menu.close()


def test_a_plan_is_remembered_and_a_damaged_one_forgotten() -> None:
    plan = Plan(number=4, each=False, linked=False, from_body=[None, True, False, None])
    assert Plan.from_texts(plan.to_texts()) == plan
    assert Plan.from_texts({}) == Plan()
    assert Plan.from_texts({"number": "3", "each": "x", "linked": "", "frames": "body"}) == Plan()
    assert Plan.from_texts({"frames": "body x space -"}).from_body == [True, None, False, None]
