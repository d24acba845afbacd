"""Orientations in one ball, and Euler parameters in two."""

from dataclasses import replace

import numpy as np
import pytest
from board_maker import Maker, make, process_events  # noqa: F401 (a fixture)
from globe_maker import count_pixels, image_of, show_globe, spinning_run
from test_board_panels import actions

from quatviz.display.panels.orientation_ball import OrientationBall
from quatviz.display.view_state.theme import DARK
from quatviz.ui.plots.board import panel_menu

# orientations


def test_p_and_minus_p_differ_only_in_two_balls(make: Maker) -> None:
    pictures: dict[str, list[np.ndarray]] = {"one": [], "both": []}
    for sign in (1.0, -1.0):
        run = spinning_run(0.7)
        run.data["one"]["p"] *= sign
        board, panel = show_globe(make, run, OrientationBall)
        assert panel.panel.choice is not None
        for option, picture in pictures.items():
            board.choices.choose(panel.panel.choice, option)
            board.show_frame(run.frame(0.0))
            process_events()
            picture.append(image_of(panel))
            assert panel.panel.choice.text(option) in ("one ball for p and −p", "two balls for p and −p")
    assert np.array_equal(pictures["one"][0], pictures["one"][1])
    assert np.sum(np.abs(pictures["both"][0] - pictures["both"][1]).max(axis=2) > 8) > 100


def test_full_turn_crosses_from_e1_to_minus_e1(make: Maker) -> None:
    run = spinning_run(2.0)
    board, panel = show_globe(make, run, OrientationBall)
    picture = panel.globe.picture
    assert np.array([mark.point for mark in picture.marks]) == pytest.approx(
        np.array([[1, 0, 0], [-1, 0, 0], [1, 0, 0], [-1, 0, 0]]), abs=1e-12
    )
    assert picture.captions == ("",)
    assert picture.marks[0].text == picture.marks[1].text == "same orientation as the opposite point"
    (path,) = picture.paths
    assert set(path.globes) == {0}
    assert np.nanmax(np.abs(path.points[:, 1:])) == 0.0
    assert path.times[0] == 0.0
    assert path.times[-1] == pytest.approx(8.0)
    assert panel.panel.choice is not None
    board.choices.choose(panel.panel.choice, "both")
    board.show_frame(run.frame(4.0))
    process_events()
    (path,) = panel.globe.picture.paths
    assert len(panel.globe.projections) == 2
    assert path.globes[[0, len(path.globes) // 2, -1]].tolist() == [0, 1, 0]
    assert [mark.globe for mark in panel.globe.picture.marks] == [0, 1, 1, 0]
    assert path.points[[0, -1]] == pytest.approx(np.zeros((2, 3)), abs=1e-9)
    (spot,) = panel.globe.cursor_points
    assert (spot.globe, spot.point) == (1, pytest.approx(np.zeros(3), abs=1e-9))
    assert spot.text.startswith("360.0°")


def test_crossing_marks_are_on_the_correct_ball(make: Maker) -> None:
    run = spinning_run(1.0)
    _, panel = show_globe(make, run, OrientationBall)
    assert [mark.globe for mark in panel.globe.picture.marks] == [0, 0]
    back = spinning_run(1.0)
    back.data["one"]["p"] = -back.data["one"]["p"]
    board, panel = show_globe(make, back, OrientationBall)
    assert panel.panel.choice is not None
    board.choices.choose(panel.panel.choice, "both")
    board.show_frame(back.frame(0.0))
    assert [mark.globe for mark in panel.globe.picture.marks] == [1, 0]


def test_angle_and_axis_are_read_at_cursor(make: Maker) -> None:
    run = spinning_run(0.5)
    board, panel = show_globe(make, run, OrientationBall)
    board.show_frame(run.frame(4.0))
    values = {
        (reading.quantity, reading.component): (reading.value, reading.unit) for reading in panel.readings()
    }
    assert values["rotation", "angle"] == (pytest.approx(90.0), "deg")
    assert values["stereographic", "|r|"][0] == pytest.approx(np.tan(np.pi / 8))
    assert [values["rotation", f"axis {k}"][0] for k in (1, 2, 3)] == pytest.approx([1, 0, 0])
    assert panel.globe.cursor_points[0].text == "90.0° about (1.000, 0.000, 0.000)"
    board.show_frame(run.frame(0.0))
    assert panel.globe.cursor_points[0].text == "0.0° about (–, –, –)"
    menu = panel_menu(board, panel)
    assert "p and −p" in actions(menu)


def test_text_below_a_small_ball_is_not_clipped(make: Maker) -> None:
    """In large type and a narrow panel the text starts further to the left."""
    run = spinning_run(0.5)
    board, panel = show_globe(make, run, OrientationBall)
    board.show_frame(run.frame(4.0))
    globe, style = panel.globe, panel.globe.plot_style
    wide = style.text_width(style.normal_metrics, globe.cursor_points[0].text)
    globe.setFixedWidth(round(wide + style.margin + 20.0))
    picture = globe.grab().toImage()
    ratio = picture.devicePixelRatio()
    edge = range(round((globe.width() - style.margin + 2) * ratio), picture.width())
    low = range(round(0.7 * picture.height()), picture.height())
    assert {picture.pixelColor(x, y).name() for x in edge for y in low} == {style.background.name()}


def test_panel_uses_theme_and_lane_colors(make: Maker) -> None:
    run = spinning_run(0.4)
    run.info = replace(run.info, colors=(3,))
    board, panel = show_globe(make, run, OrientationBall)
    first = run.frame(1.0)
    board.show_frame(replace(first, lanes=(replace(first.lanes[0], color=3),)))
    process_events()
    assert count_pixels(image_of(panel), DARK.lanes[3]) > 20
