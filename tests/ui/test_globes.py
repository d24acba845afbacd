"""The panels of phase space: h on its sphere, omega on its ellipsoid, orientations in a ball."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, settle  # noqa: F401 (a fixture)
from fake_run import FakeRun
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot
from test_board_panels import actions

from quatviz import Gravity
from quatviz.core.polhodes import directions, levels
from quatviz.ui.board import PlotBoard
from quatviz.ui.board_menu import panel_menu
from quatviz.ui.panels import PANELS
from quatviz.ui.panels.momentum_sphere import MomentumSphere
from quatviz.ui.panels.omega_ellipsoid import OmegaEllipsoid
from quatviz.ui.panels.orientation_ball import OrientationBall
from quatviz.ui.plotting import globe_panel
from quatviz.ui.plotting.globe import Gaze, broken
from quatviz.ui.plotting.globe_item import GlobeItem
from quatviz.ui.plotting.globe_panel import GlobePanel
from quatviz.ui.plotting.vector_globe import four_digits
from quatviz.ui.theme import DARK, THEMES, Theme

GLOBES = ("momentum_sphere", "omega_ellipsoid", "orientation_ball")
INERTIA = np.array([[2.0, 0.3, -0.1], [0.3, 2.5, 0.2], [-0.1, 0.2, 1.4]])
SIZE = 3.0


def about_e1(turns: float, rows: int = 801, lanes: tuple[str, ...] = ("one",)) -> FakeRun:
    """A body that turns evenly about its first axis, with `turns` in the run."""
    run = FakeRun(lanes, rows)
    half = np.pi * turns * run.t / run.t[-1]
    for lane in lanes:
        run.data[lane]["p"] = np.stack((np.cos(half), np.sin(half), 0 * half, 0 * half), axis=1)
    return run


def free(lanes: tuple[str, ...] = ("one", "two")) -> FakeRun:
    """A body whose h runs once along a curve of constant energy in 8 s, in every lane."""
    run = FakeRun(lanes, 801)
    run.info = replace(run.info, body=replace(run.info.body, inertia=INERTIA))
    h = SIZE * directions(INERTIA, levels(INERTIA, 1)[0], 800)[0]
    for lane in lanes:
        run.data[lane]["h"] = h
        run.data[lane]["omega"] = h @ np.linalg.inv(INERTIA)
    return run


def shown(make: Maker, run: FakeRun, kind: type[GlobePanel]) -> tuple[PlotBoard, GlobePanel]:
    board = make(run, [kind])
    board.show_panel(kind.name, True)
    settle()
    (panel,) = board.panels
    assert isinstance(panel, GlobePanel)
    return board, panel


def image_of(panel: GlobePanel) -> np.ndarray:
    """The kept picture of the globe, without the cursor."""
    if panel.globe._stale:
        panel.globe._draw(1.0)
    return pixels_of(panel.globe._drawn.toImage())


def pixels_of(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return pixels[:, :, 2::-1].astype(int)


def count(pixels: np.ndarray, colour: str) -> int:
    own = np.array([QColor(colour).red(), QColor(colour).green(), QColor(colour).blue()])
    return int(np.sum(np.abs(pixels - own).max(axis=2) < 40))


def in_view(board: PlotBoard, globe: GlobeItem, point: np.ndarray, number: int = 0) -> QPoint:
    return board.view.mapFromScene(globe.mapToScene(QPointF(*globe.places[number].project(point))))


# on the board


def test_globes_are_there_for_those_who_ask(make: Maker) -> None:
    board = make(free())
    names = [panel.name for panel in board.panels]
    assert not set(GLOBES) & set(names)
    assert set(GLOBES) < set(PANELS)
    for name in GLOBES:
        board.show_panel(name, True)
    settle()
    globes = [panel for panel in board.panels if isinstance(panel, GlobePanel)]
    assert sorted(panel.name for panel in globes) == sorted(GLOBES)
    for panel in globes:
        assert "mm" not in panel.note
        assert min(panel.globe.rect().width(), panel.globe.rect().height()) > 90
        assert panel._words.sentence


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("name", GLOBES)
def test_both_lanes_are_seen_though_they_agree(make: Maker, name: str, theme: Theme) -> None:
    run = about_e1(0.7, lanes=("one", "two"))
    own = free()
    run.info = own.info
    for lane in run.data:
        run.data[lane] |= {quantity: own.data[lane][quantity] for quantity in ("h", "omega")}
    board, panel = shown(make, run, PANELS[name])  # type: ignore[arg-type]
    board.restyle(theme)
    settle()
    seen = [count(image_of(panel), theme.lanes[number]) for number in (0, 1)]
    assert min(seen) > 20
    assert max(seen) < 3 * min(seen)


def test_only_the_cursor_moves_and_the_globe_stays(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    run = free()
    board, panel = shown(make, run, MomentumSphere)
    drawn: list[float] = []
    monkeypatch.setattr(GlobeItem, "_draw", lambda self, ratio: drawn.append(ratio))
    image_before = pixels_of(board.view.viewport().grab().toImage())
    board.show_frame(run.frame(2.0))
    changed = panel.dirty()
    assert changed is not None
    assert sum(rect.width() * rect.height() for rect in changed) < 4000
    settle()
    board.show_frame(run.frame(4.0))
    settle()
    assert drawn == []
    image = pixels_of(board.view.viewport().grab().toImage())
    places = np.argwhere(np.abs(image - image_before).max(axis=2) > 8)[:, ::-1]
    at = [in_view(board, panel.globe, run.data["one"]["h"][row] / SIZE) for row in (0, 400)]
    away = [np.hypot(*(places - (one.x(), one.y())).T) for one in at]
    assert len(places) > 50
    assert np.all((away[0] < 12) | (away[1] < 12)), "what changes is where the point was and is"


def test_growing_rows_are_drawn_at_once_where_the_run_stands_and_in_turn_where_it_plays(make: Maker) -> None:
    run = free(("one",))
    run.rows["one"] = 101
    board, panel = shown(make, run, MomentumSphere)

    def last() -> float:
        (path,) = panel.globe.picture.paths
        return float(path.times[-1])

    assert last() == 1.0
    run.rows["one"] = 201
    board.show_frame(replace(run.frame(0.5), playing=True))
    assert last() == 1.0
    board.show_frame(run.frame(0.5))
    assert last() == 2.0


def test_rows_are_thinned_and_the_last_one_is_kept(make: Maker) -> None:
    run = FakeRun(("one",), 9002)
    _, panel = shown(make, run, MomentumSphere)
    (path,) = panel.globe.picture.paths
    assert len(path.times) <= globe_panel.POINTS + 1
    assert path.times[-1] == pytest.approx(run.t[-1])
    rows = np.rint(path.times / run.dt).astype(int)
    assert isinstance(panel, MomentumSphere)
    assert path.points == pytest.approx(run.data["one"]["h"][rows] / panel._scale)


def test_a_fast_body_is_shown_in_pages_that_no_line_misses(make: Maker) -> None:
    run = FakeRun(("one",), 9001)
    board, panel = shown(make, run, MomentumSphere)
    for time, first, last in ((0.5, 0.0, 20.0), (21.0, 20.0, 40.0), (89.0, 80.0, 90.0)):
        board.show_frame(replace(run.frame(time), scales={"omega": 20.0}))
        (path,) = panel.globe.picture.paths
        assert (path.times[0], path.times[-1]) == pytest.approx((first, last))
        assert np.diff(path.times) == pytest.approx(0.01)
    assert "t = 80 to 100 s" in panel._title.note


# h and omega


@pytest.mark.parametrize("kind", [MomentumSphere, OmegaEllipsoid])
def test_a_free_path_lies_on_its_surface_among_the_curves_of_others(
    make: Maker, kind: type[GlobePanel]
) -> None:
    _, panel = shown(make, free(), kind)
    picture = panel.globe.picture
    assert len(picture.paths) == 2
    assert len(picture.curves) == 12
    assert len(picture.strong) == 2
    for points in (*(path.points for path in picture.paths), *picture.curves, *picture.strong):
        on = np.linalg.solve(picture.surface, points.T)
        assert np.linalg.norm(on, axis=0) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(picture.surface, axis=0).max() == pytest.approx(1.0)
    assert panel.globe._outline is None
    reach = [np.linalg.norm(label.point) for label in picture.labels]
    assert [label.text for label in picture.labels] == ["1", "2", "3"]
    assert min(reach) > 0.5


def test_where_a_load_acts_the_surface_of_the_moment_is_an_outline_and_no_curves_are_drawn(
    make: Maker,
) -> None:
    run = free(("one",))
    run.info = replace(run.info, loads=(Gravity(weight=1.0, centre=[0, 0, 1]),))
    growing = np.linspace(0.5, 1.0, 801)[:, None]
    run.data["one"]["h"] = run.data["one"]["h"] * growing
    board, panel = shown(make, run, MomentumSphere)
    picture = panel.globe.picture
    assert (picture.curves, picture.strong) == ((), ())
    assert np.linalg.norm(picture.paths[0].points, axis=1).max() == pytest.approx(1.0)
    for time, size in ((0.0, 0.5), (4.0, 0.75)):
        board.show_frame(run.frame(time))
        assert panel.globe._outline == pytest.approx(size * np.eye(3))
    rects = panel.dirty()
    assert rects is not None
    assert max(rect.width() for rect in rects) > panel.globe.places[0].radius


@pytest.mark.parametrize("kind", [MomentumSphere, OmegaEllipsoid])
def test_a_body_at_rest_and_numbers_beyond_bounds_are_no_fault(make: Maker, kind: type[GlobePanel]) -> None:
    run = free(("one", "two"))
    for quantity in ("h", "omega"):
        run.data["one"][quantity] = np.zeros((801, 3))
        run.data["two"][quantity] = 1e200 * np.ones((801, 3))
        run.data["two"][quantity][400:] = np.nan
    board, panel = shown(make, run, kind)
    settle()
    board.show_frame(run.frame(6.0))
    settle()
    assert board.panels == [panel]
    run.rows["one"] = run.rows["two"] = 0
    board.start(run)
    board.show_frame(run.frame(0.0, generation=2))
    settle()
    assert board.panels == [panel]
    assert panel.globe.spots == []


def test_readings_are_those_at_the_cursor(make: Maker) -> None:
    run = free()
    board, panel = shown(make, run, OmegaEllipsoid)
    board.show_frame(run.frame(3.005))
    values = [reading.value for reading in panel.readings() if reading.lane == "two"]
    rows = run.data["two"]["omega"]
    assert values == pytest.approx((rows[300] + rows[301]) / 2)
    assert {(reading.quantity, reading.unit, reading.frame) for reading in panel.readings()} == {
        ("omega", "rad/s", "body")
    }
    size = np.linalg.norm(values)
    assert panel.globe.spots[0].text.startswith(f"|ω|  {size:.4g}"[:9])
    assert panel.globe._said() == [(panel.globe.spots[0].text, None)], "once where the lanes agree"


def test_a_lane_that_ended_has_a_cross_and_no_numbers(make: Maker) -> None:
    run = free()
    board, panel = shown(make, run, MomentumSphere)
    run.data["two"]["h"] = 2.0 * run.data["two"]["h"]
    first = run.frame(5.0)
    board.show_frame(replace(first, lanes=(first.lanes[0], replace(first.lanes[1], frozen=True))))
    assert [spot.ended for spot in panel.globe.spots] == [False, True]
    assert len(panel.globe._said()) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1250.0, "1250"), (400.0, "400.0"), (0.012345, "0.01235"), (3e7, "3.000×10⁷")],
)
def test_numbers_have_four_digits(value: float, text: str) -> None:
    assert four_digits(value) == text


# turning and pointing


def test_dragging_turns_the_globe_with_the_pointer_and_a_double_click_turns_it_back(
    make: Maker, qtbot: QtBot
) -> None:
    board, panel = shown(make, free(), MomentumSphere)
    sought: list[float] = []
    board.seek_requested.connect(sought.append)
    globe, view = panel.globe, board.view.viewport()
    towards = globe.gaze.matrix[2]
    start = in_view(board, globe, towards)
    before = image_of(panel)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for step in (QPoint(20, 0), QPoint(40, 12), QPoint(40, 24)):
        qtbot.mouseMove(view, start + step)
    assert globe._turning
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 24))
    assert not globe._turning
    moved = in_view(board, globe, towards) - start
    assert moved.x() == pytest.approx(40, abs=8)
    assert moved.y() == pytest.approx(24, abs=8)
    assert not np.array_equal(image_of(panel), before)
    assert sought == []
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=start)
    assert globe.gaze == Gaze()


def test_the_gaze_is_a_rotation_with_axis_3_upward() -> None:
    for gaze in (Gaze(), Gaze().turned(2.0, 0.4), Gaze().turned(0.0, 9.0), Gaze().turned(-7.0, -9.0)):
        matrix = gaze.matrix
        assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(matrix) == pytest.approx(1.0)
        assert matrix[0, 2] == 0.0
        assert matrix[1, 2] >= -1e-12


def test_a_click_near_the_path_goes_to_its_time_and_elsewhere_nowhere(make: Maker, qtbot: QtBot) -> None:
    run = free()
    board, panel = shown(make, run, MomentumSphere)
    sought: list[float] = []
    board.seek_requested.connect(sought.append)
    towards = panel.globe.gaze.matrix[2]
    points = run.data["one"]["h"] / SIZE
    row = int(np.argmax(points @ towards))
    at = in_view(board, panel.globe, points[row])
    qtbot.mouseClick(board.view.viewport(), Qt.MouseButton.LeftButton, pos=at + QPoint(2, 2))
    assert len(sought) == 1
    assert np.linalg.norm(run.data["one"]["h"][round(sought[0] / run.dt)] / SIZE - points[row]) < 0.1
    qtbot.mouseClick(
        board.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=in_view(board, panel.globe, 1.2 * panel.globe.gaze.matrix[0]),
    )
    assert len(sought) == 1


def test_of_several_turns_the_nearest_in_time_is_meant(make: Maker) -> None:
    run = free(("one",))
    run.data["one"]["h"] = np.concatenate((run.data["one"]["h"][::4],) * 4)[:801]
    board, panel = shown(make, run, MomentumSphere)
    towards, points = panel.globe.gaze.matrix[2], run.data["one"]["h"] / SIZE
    row = int(np.argmax(points[:200] @ towards))
    for time in (0.5, 3.0, 7.0):
        board.show_frame(run.frame(time))
        pixel = QPointF(*panel.globe.places[0].project(points[row]))
        found = panel.globe.time_near(pixel)
        assert found is not None
        assert abs(found - time) < 1.2


def test_a_line_breaks_at_a_leap_and_goes_on_to_where_it_ends() -> None:
    pixels = np.array([[0, 0], [1, 0], [2, 0], [90, 0], [91, 0], [92, 0]], dtype=float)
    everything = np.ones(6, dtype=bool)
    assert broken(pixels, everything, 50.0)[0] == pytest.approx([0, 1, 2, np.nan, 90, 91, 92], nan_ok=True)
    first = np.array([True, False, False, False, False, False])
    assert broken(pixels, first, 50.0)[0] == pytest.approx([0, 1, *[np.nan] * 4], nan_ok=True)


# orientations


def test_p_and_minus_p_are_one_picture_in_one_ball_and_two_in_both_sheets(make: Maker) -> None:
    pictures: dict[str, list[np.ndarray]] = {"one": [], "both": []}
    for sign in (1.0, -1.0):
        run = about_e1(0.7)
        run.data["one"]["p"] *= sign
        board, panel = shown(make, run, OrientationBall)
        assert panel.choice is not None
        for option, found in pictures.items():
            board.choices.choose(panel.choice, option)
            board.show_frame(run.frame(0.0))
            settle()
            found.append(image_of(panel))
            assert panel.choice.text(option) in ("p and −p as one", "both sheets")
    assert np.array_equal(pictures["one"][0], pictures["one"][1])
    assert np.sum(np.abs(pictures["both"][0] - pictures["both"][1]).max(axis=2) > 8) > 100


def test_a_full_turn_leaves_at_e1_and_returns_at_minus_e1_and_two_close_the_path_in_both(make: Maker) -> None:
    run = about_e1(2.0)
    board, panel = shown(make, run, OrientationBall)
    picture = panel.globe.picture
    assert np.array([mark.point for mark in picture.marks]) == pytest.approx(
        np.array([[1, 0, 0], [-1, 0, 0], [1, 0, 0], [-1, 0, 0]]), abs=1e-12
    )
    assert picture.captions == ("",)
    assert picture.marks[0].text == picture.marks[1].text == "the same orientation"
    (path,) = picture.paths
    assert set(path.globes) == {0}
    assert np.nanmax(np.abs(path.points[:, 1:])) == 0.0
    assert path.times[0] == 0.0
    assert path.times[-1] == pytest.approx(8.0)
    assert panel.choice is not None
    board.choices.choose(panel.choice, "both")
    board.show_frame(run.frame(4.0))
    settle()
    (path,) = panel.globe.picture.paths
    assert len(panel.globe.places) == 2
    assert path.globes[[0, len(path.globes) // 2, -1]].tolist() == [0, 1, 0]
    assert [mark.globe for mark in panel.globe.picture.marks] == [0, 1, 1, 0]
    assert path.points[[0, -1]] == pytest.approx(np.zeros((2, 3)), abs=1e-9)
    (spot,) = panel.globe.spots
    assert (spot.globe, spot.point) == (1, pytest.approx(np.zeros(3), abs=1e-9))
    assert spot.text.startswith("360.0°")


def test_the_marks_stand_on_the_right_ball(make: Maker) -> None:
    run = about_e1(1.0)
    _, panel = shown(make, run, OrientationBall)
    assert [mark.globe for mark in panel.globe.picture.marks] == [0, 0]
    back = about_e1(1.0)
    back.data["one"]["p"] = -back.data["one"]["p"]
    board, panel = shown(make, back, OrientationBall)
    assert panel.choice is not None
    board.choices.choose(panel.choice, "both")
    board.show_frame(back.frame(0.0))
    assert [mark.globe for mark in panel.globe.picture.marks] == [1, 0]


def test_angle_and_axis_are_read_at_the_cursor_and_the_choice_is_in_the_menu(make: Maker) -> None:
    run = about_e1(0.5)
    board, panel = shown(make, run, OrientationBall)
    board.show_frame(run.frame(4.0))
    values = {(one.quantity, one.component): (one.value, one.unit) for one in panel.readings()}
    assert values["rotation", "angle"] == (pytest.approx(90.0), "deg")
    assert values["stereographic", "|r|"][0] == pytest.approx(np.tan(np.pi / 8))
    assert [values["rotation", f"axis {k}"][0] for k in (1, 2, 3)] == pytest.approx([1, 0, 0])
    assert panel.globe.spots[0].text == "90.0° about (1.000, 0.000, 0.000)"
    board.show_frame(run.frame(0.0))
    assert panel.globe.spots[0].text == "0.0° about (–, –, –)"
    menu = panel_menu(board, panel)
    assert "p and −p" in actions(menu)


def test_a_panel_takes_the_colours_of_a_theme_and_of_its_lane(make: Maker) -> None:
    run = about_e1(0.4)
    run.info = replace(run.info, colours=(3,))
    board, panel = shown(make, run, OrientationBall)
    first = run.frame(1.0)
    board.show_frame(replace(first, lanes=(replace(first.lanes[0], colour=3),)))
    settle()
    assert count(image_of(panel), DARK.lanes[3]) > 20
