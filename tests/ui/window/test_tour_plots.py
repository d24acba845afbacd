"""Tour of the plots: forms of p and angles, breaks, numbers at the cursor, colors, panels, time axis."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tour_steps import (
    ANGLES,
    CTRL,
    LANES,
    NEWTON,
    SHIFT,
    Tour,
    action_texts,
    board_button,
    click,
    drag,
    free_preset,
    parse_number,
    pick_action,
    popup,
    press,
    reference_run,
    tour,  # noqa: F401 (a fixture)
    unit,
    widget_pixels,
)
from window_steps import pause_at, wait_two_frames

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.theme import DARK
from quatviz.ui.plots.panel_view import PanelView
from quatviz.ui.plots.strip_plot import StripPlot

ROTATION = "rotation_vector"


def panel_of(session: WindowController, name: str) -> PanelView:
    return next(panel for panel in session.window.board.panels if panel.name == name)


def shown(session: WindowController) -> list[str]:
    return [panel.name for panel in session.window.board.panels]


def in_view(session: WindowController, item, at: QPointF) -> QPoint:
    return item.mapTo(session.window, at).toPoint()


def in_plot(session: WindowController, plot: StripPlot, time: float) -> QPoint:
    return in_view(session, plot, QPointF(plot.x_of(time), plot.area.center().y()))


def board_menu(session: WindowController, qtbot: QtBot, *path: str) -> None:
    board_button(session.window.board).click()
    pick_action(popup(qtbot), *path)
    wait_two_frames(session, qtbot)


def title_menu(session: WindowController, qtbot: QtBot, name: str, *path: str) -> None:
    """Choose an entry of the menu of a panel's title."""
    title = panel_of(session, name).title_row
    click(session.window.windowHandle(), in_view(session, title, QPointF(60, 12)), Qt.MouseButton.RightButton)
    pick_action(popup(qtbot), *path)
    wait_two_frames(session, qtbot)


def choose(session: WindowController, qtbot: QtBot, name: str, choice: str, text: str) -> None:
    """Choose an option in the title row, or in its menu where the row is folded."""
    title = panel_of(session, name).title_row
    chooser = next(candidate for candidate in title.choosers if candidate.choice.name == choice)
    metrics, left = chooser.plot_style.small_metrics, 0.0
    for word in chooser.visible_texts:
        if word == text or chooser.opens_menu:
            break
        left += metrics.horizontalAdvance(word) + 7.0
    click(
        session.window.windowHandle(),
        in_view(session, chooser, QPointF(left + 8, chooser.rect().center().y())),
    )
    if chooser.opens_menu:
        pick_action(popup(qtbot), text)
    wait_two_frames(session, qtbot)


def value_at_cursor(plot: StripPlot, lane: str = NEWTON) -> float:
    """Return the number at the cursor of a lane."""
    traces = [trace for trace in plot.traces if not trace.is_theory]
    texts = plot.header.texts(plot.traces, plot.y_scale)
    return parse_number(texts[[trace.lane for trace in traces].index(lane)])


def breaks_of(angles: np.ndarray) -> np.ndarray:
    """Return the rows (m,) after which an angle [rad] jumps by a turn."""
    return np.flatnonzero((np.abs(np.diff(angles, axis=0)) > np.pi).any(axis=1))


def opposite_preset() -> qv.Preset:
    """Return a run that starts with the opposite p. One lane takes it, the other uses only the orientation."""
    preset = free_preset()
    initial = replace(preset.initial, euler_parameters=-preset.initial.euler_parameters)
    return replace(preset, initial=initial, lanes=(qv.Lane(NEWTON), qv.Lane(ROTATION)))


def test_p_is_shown_raw_continuous_or_canonical_in_sign(tour: Tour, qtbot: QtBot) -> None:
    session = tour(opposite_preset())
    p = reference_run(opposite_preset)[NEWTON].p
    row = int(np.argmin(p[100:, 0])) + 100
    assert p[row, 0] < -0.1
    assert reference_run(opposite_preset)[ROTATION].p[row] == pytest.approx(-p[row], abs=1e-6)
    pause_at(session, qtbot, row / 100)
    panel = panel_of(session, "euler_parameters")
    signs = {"canonical": (-1.0, -1.0), "continuous": (1.0, 1.0), "raw": (1.0, -1.0)}
    for text, flips in (("canonical", 2), ("continuous", 0), ("raw", None)):
        choose(session, qtbot, "euler_parameters", "sign", text)
        for component in range(4):
            for lane, sign in zip((NEWTON, ROTATION), signs[text], strict=True):
                value = value_at_cursor(panel.plots[component], lane)  # type: ignore[attr-defined]
                assert value == pytest.approx(sign * p[row, component], abs=6e-4), (text, lane)
        if flips is not None:
            assert ("flip" in panel.title_row.note) == (flips > 0)
            assert flips == 0 or f"{flips} flips" in panel.title_row.note


def test_angles_are_wrapped_or_unwrapped_and_breaks_are_counted(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    pause_at(session, qtbot, 12.0)
    panel = panel_of(session, "euler_angles")
    for sequence, axes in (("321", "3-2-1"), ("313", "3-1-3")):
        choose(session, qtbot, "euler_angles", "sequence", axes)
        angles = reference_run(free_preset)[NEWTON].motion().angles(sequence)
        count = len(breaks_of(angles))
        assert count >= 2
        choose(session, qtbot, "euler_angles", "turns", "wrapped")
        assert panel.title_row.note.startswith(f"{count} wraps")
        assert value_at_cursor(panel.plots[2]) == pytest.approx(np.degrees(angles[-1, 2]), abs=0.02)  # type: ignore[attr-defined]
        session.window.board.grab()
        for row in breaks_of(angles):
            component = int(np.argmax(np.abs(np.diff(angles[row : row + 2], axis=0))))
            plot = panel.plots[component]  # type: ignore[attr-defined]
            x = plot.x_of((row + 0.5) / 100)
            assert any(mark.x_start - 1.5 <= x <= mark.x_end + 1.5 for mark in plot.jump_clusters), sequence
        choose(session, qtbot, "euler_angles", "turns", "unwrapped")
        assert "wrap" not in panel.title_row.note
        whole = np.degrees(np.unwrap(angles, axis=0)[-1])
        for component in (0, 2):
            value = value_at_cursor(panel.plots[component])  # type: ignore[attr-defined]
            assert value == pytest.approx(whole[component], abs=0.2)


def ink(around: np.ndarray) -> tuple[int, float]:
    """Return the lane color of the most visible pixel in (n, 3), and its share of that color."""
    ground, *colors = (
        np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)]) for text in (DARK.surface, *DARK.lanes)
    )
    pixel = max(around - ground, key=np.linalg.norm)
    if not pixel.any():
        return 0, 0.0
    lane = int(np.argmax([unit(pixel) @ unit(color - ground) for color in colors]))
    return lane, float(np.linalg.norm(pixel) / np.linalg.norm(colors[lane] - ground))


def test_break_is_a_gap_and_curves_have_lane_colors(tour: Tour, qtbot: QtBot) -> None:
    session = tour(replace(free_preset(), lanes=(qv.Lane(NEWTON), qv.Lane("hamilton_canonical"))))
    lane = reference_run(free_preset)[NEWTON]
    pause_at(session, qtbot, 0.0)
    plot = panel_of(session, "omega").plots[0]  # type: ignore[attr-defined]
    picture = widget_pixels(session.window)
    lanes = []
    inner = plot.curve_area
    for row in range(40, 1180, 10):
        part = plot.y_scale.project_value(float(lane.omega[row, 0]))
        at = in_view(session, plot, QPointF(plot.x_of(row / 100), inner.bottom() - part * inner.height()))
        number, inked = ink(picture[at.y() - 2 : at.y() + 3, at.x() - 2 : at.x() + 3].reshape(-1, 3))
        assert inked > 0.3, f"the curve is at {lane.omega[row, 0]:.3f} rad/s"
        lanes.append(number)
    shares = np.bincount(lanes, minlength=2) / len(lanes)
    assert min(shares[:2]) > 0.2, "stripes of both lanes"
    assert sum(shares[:2]) > 0.75, "no other color except for blends with the grid"
    angles = np.radians(lane.angles_321)
    row = int(breaks_of(angles)[0])
    component = int(np.argmax(np.abs(np.diff(angles[row : row + 2], axis=0))))
    plot = panel_of(session, "euler_angles").plots[component]  # type: ignore[attr-defined]
    heights = [
        plot.y_scale.project_value(float(value)) for value in np.degrees(angles[row : row + 2, component])
    ]
    low, high = sorted(heights)
    inner, columns = plot.curve_area, []
    for part in np.linspace(low + 0.2, high - 0.2, 12):
        at = in_view(
            session, plot, QPointF(plot.x_of((row + 0.5) / 100), inner.bottom() - part * inner.height())
        )
        columns.append(picture[at.y(), at.x() - 3 : at.x() + 4])
    middle = in_view(session, plot, QPointF(plot.x_of((row + 0.5) / 100), inner.center().y()))
    ground = picture[middle.y(), middle.x() + 8]  # the label of the mark may stand at the top or bottom
    beside = np.abs(np.array(columns) - ground).max(axis=2)
    assert ((beside > 30).mean(axis=0) < 0.7).all(), "no line crosses the break: its mark is dotted"


def test_click_moves_the_cursor_and_shows_values_with_units(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    plot = panel_of(session, "omega").plots[1]  # type: ignore[attr-defined]
    at = in_plot(session, plot, 7.4)
    click(session.window.windowHandle(), at)
    qtbot.waitUntil(lambda: abs(session.frame_loop.snapshot.time - 7.4) < 0.05)
    wait_two_frames(session, qtbot)
    time = session.frame_loop.snapshot.time
    lane = reference_run(free_preset)[NEWTON]
    value = np.interp(time, lane.t, lane.omega[:, 1])
    assert value_at_cursor(plot) == pytest.approx(value, abs=6e-4)
    assert plot.header.unit == "rad/s"
    press(session, Qt.Key.Key_C, CTRL)
    rows = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    matching = [row for row in rows if NEWTON in row and "ω2" in "".join(row).replace("₂", "2")]
    assert matching
    assert any("rad/s" in cell for cell in matching[0])


def test_panels_are_hidden_detached_stacked_and_maximized(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    window = session.window
    board = window.board
    first = shown(session)
    board_menu(session, qtbot, "Angular velocity")
    assert shown(session) == [name for name in first if name != "omega"]
    board_menu(session, qtbot, "Angular velocity")
    assert shown(session) == first
    title = panel_of(session, "omega").title_row
    at = in_view(session, title, QPointF(60, 12))
    QTest.mouseDClick(session.window.windowHandle(), Qt.MouseButton.LeftButton, pos=at)
    wait_two_frames(session, qtbot)
    assert shown(session) == ["omega"]
    plot = panel_of(session, "omega").plots[0]  # type: ignore[attr-defined]
    assert plot.area.width() > 0.8 * board.width()
    press(session, Qt.Key.Key_Escape)
    wait_two_frames(session, qtbot)
    assert shown(session) == first
    title_menu(session, qtbot, "omega", "Stack with panel", "Euler parameters")
    assert "euler_parameters" not in shown(session)
    assert [name for name, _ in panel_of(session, "omega").title_row.tabs] == ["euler_parameters", "omega"]
    title_menu(session, qtbot, "omega", "Unstack panel")
    assert set(shown(session)) == set(first)
    title_menu(session, qtbot, "omega", "Open in new window")
    (floating,) = board.arranger.windows.values()
    assert floating.isVisible()
    assert floating.windowTitle() == "Angular velocity"
    pause_at(session, qtbot, 5.0)
    floating.grab()
    value = value_at_cursor(panel_of(session, "omega").plots[0])  # type: ignore[attr-defined]
    assert value == pytest.approx(reference_run(free_preset)[NEWTON].omega[500, 0], abs=6e-4), (
        "it follows the cursor"
    )
    floating.close()
    qtbot.waitUntil(lambda: not board.arranger.windows)
    board_menu(session, qtbot, "Auto-arrange panels")
    assert shown(session) == first


def test_time_axis_pans_zooms_fits_follows_and_shows_a_range(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    board = session.window.board
    axis, view = board.axis, session.window.windowHandle()
    pause_at(session, qtbot, 6.0)
    plot = panel_of(session, "omega").plots[0]  # type: ignore[attr-defined]
    at = QPointF(in_plot(session, plot, 6.0))
    wheel = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 600), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, wheel)
    assert axis.span == pytest.approx(12.0 / 1.2**5)
    assert axis.low < 6.0 < axis.high
    low, point = axis.low, in_plot(session, plot, 6.0)
    drag(view, point, point + QPoint(80, 0), Qt.MouseButton.MiddleButton)
    assert axis.low < low
    assert in_plot(session, plot, 6.0).x() == pytest.approx(point.x() + 80, abs=3), (
        "the time stays under the pointer"
    )
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=in_plot(session, plot, 5.0))
    assert axis.shows_all
    drag(view, in_plot(session, plot, 3.0), in_plot(session, plot, 4.0), modifier=SHIFT)
    qtbot.waitUntil(lambda: axis.selected == pytest.approx((3.0, 4.0), abs=0.05))
    press(session, Qt.Key.Key_Z)
    assert (axis.low, axis.high) == pytest.approx(axis.selected)
    pause_at(session, qtbot, 3.9)
    press(session, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: axis.low > 3.05)  # it follows the cursor
    press(session, Qt.Key.Key_Space)
    press(session, Qt.Key.Key_F, SHIFT)
    assert axis.shows_all


def test_phase_plots_show_engine_vectors_and_seek_by_click(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    lane, board = reference_run(free_preset)[NEWTON], session.window.board
    for title, name, values in (
        ("h on the momentum sphere", "momentum_sphere", lane.h),
        ("ω on the energy ellipsoid", "omega_ellipsoid", lane.omega),
    ):
        board_menu(session, qtbot, title)
        board.arranger.maximise(name)
        pause_at(session, qtbot, 4.0)
        panel = panel_of(session, name)
        globe = panel.globe  # type: ignore[attr-defined]
        spot = globe.cursor_points[0].point
        scale = globe.picture.scale
        assert scale * spot == pytest.approx(values[400], rel=1e-6)
        board.grab()
        towards = globe.view_angles.matrix[2]
        row = int(np.argmax(values[:1000] @ towards))
        point = globe.projections[0].project(values[row] / scale)
        click(session.window.windowHandle(), in_view(session, globe, QPointF(*point)))
        qtbot.waitUntil(lambda: session.frame_loop.snapshot.time != 4.0)
        wait_two_frames(session, qtbot)
        value = values[round(session.frame_loop.snapshot.time * 100)]
        assert value == pytest.approx(values[row], abs=0.06 * float(np.linalg.norm(values[row])))
        board_menu(session, qtbot, title)
    board_button(session.window.board).click()
    menu = popup(qtbot)
    assert set(board.titles.values()) <= set(action_texts(menu))
    menu.close()
    assert len(LANES) == 3
    assert ANGLES in board.lanes
