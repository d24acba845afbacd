"""Globes: dragging to rotate them, and pointing at a time."""

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from globe_maker import MOMENTUM, free_run, image_of, point_in_globe, show_globe
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from quatviz.display.panels.base.globe import GlobeViewAngles, with_line_breaks
from quatviz.display.panels.momentum_sphere import MomentumSphere

# rotating and pointing


def test_drag_rotates_globe_and_double_click_resets_it(make: Maker, qtbot: QtBot) -> None:
    board, panel = show_globe(make, free_run(), MomentumSphere)
    sought: list[float] = []
    board.seek_requested.connect(sought.append)
    globe, view = panel.globe, board.windowHandle()
    towards = globe.view_angles.matrix[2]
    start = point_in_globe(board, globe, towards)
    before = image_of(panel)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for step in (QPoint(20, 0), QPoint(40, 12), QPoint(40, 24)):
        qtbot.mouseMove(view, start + step)
    hasty = image_of(panel)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 24))
    assert not np.array_equal(image_of(panel), hasty), "lines are thin only during the rotation"
    moved = point_in_globe(board, globe, towards) - start
    assert moved.x() == pytest.approx(40, abs=8)
    assert moved.y() == pytest.approx(24, abs=8)
    assert not np.array_equal(image_of(panel), before)
    assert sought == []
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=start)
    assert globe.view_angles == GlobeViewAngles()


def test_coarse_runs_have_thin_lines_until_complete(make: Maker) -> None:
    _, panel = show_globe(make, free_run(), MomentumSphere)
    globe, whole = panel.globe, image_of(panel)
    globe.set_picture(globe.picture, globe.explanation, is_draft=True)
    assert not np.array_equal(image_of(panel), whole)
    globe.set_picture(globe.picture, globe.explanation)
    assert np.array_equal(image_of(panel), whole)


def test_globe_view_is_a_rotation_with_axis_3_up() -> None:
    for gaze in (
        GlobeViewAngles(),
        GlobeViewAngles().rotated(2.0, 0.4),
        GlobeViewAngles().rotated(0.0, 9.0),
        GlobeViewAngles().rotated(-7.0, -9.0),
    ):
        matrix = gaze.matrix
        assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(matrix) == pytest.approx(1.0)
        assert matrix[0, 2] == 0.0
        assert matrix[1, 2] >= -1e-12


def test_click_seeks_only_near_the_path(make: Maker, qtbot: QtBot) -> None:
    run = free_run()
    board, panel = show_globe(make, run, MomentumSphere)
    sought: list[float] = []
    board.seek_requested.connect(sought.append)
    towards = panel.globe.view_angles.matrix[2]
    points = run.data["one"]["h"] / MOMENTUM
    row = int(np.argmax(points @ towards))
    at = point_in_globe(board, panel.globe, points[row])
    qtbot.mouseClick(board.windowHandle(), Qt.MouseButton.LeftButton, pos=at + QPoint(2, 2))
    assert len(sought) == 1
    assert np.linalg.norm(run.data["one"]["h"][round(sought[0] / run.dt)] / MOMENTUM - points[row]) < 0.1
    qtbot.mouseClick(
        board.windowHandle(),
        Qt.MouseButton.LeftButton,
        pos=point_in_globe(board, panel.globe, 1.2 * panel.globe.view_angles.matrix[0]),
    )
    assert len(sought) == 1


def test_hover_selects_nearest_passage_in_time(make: Maker) -> None:
    run = free_run(("one",))
    run.data["one"]["h"] = np.concatenate((run.data["one"]["h"][::4],) * 4)[:801]
    board, panel = show_globe(make, run, MomentumSphere)
    towards, points = panel.globe.view_angles.matrix[2], run.data["one"]["h"] / MOMENTUM
    row = int(np.argmax(points[:200] @ towards))
    for time in (0.5, 3.0, 7.0):
        board.show_frame(run.frame(time))
        pixel = QPointF(*panel.globe.projections[0].project(points[row]))
        hovered_time = panel.globe.time_near(pixel)
        assert hovered_time is not None
        assert abs(hovered_time - time) < 1.2


def test_path_line_breaks_at_jumps() -> None:
    pixels = np.array([[0, 0], [1, 0], [2, 0], [90, 0], [91, 0], [92, 0]], dtype=float)
    everything = np.ones(6, dtype=bool)
    assert with_line_breaks(pixels, everything, 50.0)[0] == pytest.approx(
        [0, 1, 2, np.nan, 90, 91, 92], nan_ok=True
    )
    first = np.array([True, False, False, False, False, False])
    assert with_line_breaks(pixels, first, 50.0)[0] == pytest.approx([0, 1, *[np.nan] * 4], nan_ok=True)
