"""Tour of time: playing both ways, speeds, steps, scrubbing, loops, and markers."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tour_steps import (
    ALT,
    ANGLES,
    CTRL,
    NEWTON,
    SHIFT,
    Tour,
    click,
    drag,
    driven_preset,
    free_preset,
    parse_number,
    press,
    reference_run,
    tour,  # noqa: F401 (a fixture)
)
from window_steps import pause_at, type_value, wait_computed, wait_two_frames

from quatviz.app import WindowController
from quatviz.display.document.timeline_markers import EventMarker
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.ui.transport.scrubber import Scrubber


def times_of(session: WindowController, qtbot: QtBot, frames: int) -> list[float]:
    """Return the times of a playing cursor, every few frames in which it moves."""
    times: list[float] = []
    for _ in range(frames):
        wait_two_frames(session, qtbot)
        if times:
            qtbot.waitUntil(partial(has_left, session, times[-1]))
        times.append(session.frame_loop.snapshot.time)
    return times


def runs_at(session: WindowController, speed: float) -> bool:
    return session.frame_loop.snapshot.speed == speed


def stands_at(session: WindowController, time: float) -> bool:
    return abs(session.frame_loop.snapshot.time - time) < 1e-9


def has_left(session: WindowController, time: float) -> bool:
    return session.frame_loop.snapshot.time != time


def on_track(scrubber: Scrubber, time: float) -> QPoint:
    return QPoint(round(scrubber.x_of(time)), scrubber.height() // 2 - 5)


def press_button(button) -> None:
    click(button, button.rect().center())


def test_buttons_play_forward_and_backward(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    bar = session.window.transport
    pause_at(session, qtbot, 5.0)
    press_button(bar.play_button)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time > 5.05)
    times = times_of(session, qtbot, 5)
    assert all(later > sooner for sooner, later in pairwise(times))
    press_button(bar.play_backward_button)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.speed < 0)
    times = times_of(session, qtbot, 5)
    assert all(later < sooner for sooner, later in pairwise(times))
    assert bar.play_backward_button.isChecked()
    press(session, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not session.frame_loop.snapshot.playing)
    press_button(bar.restart_button)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.playing and session.frame_loop.snapshot.time < 2.0)
    assert session.frame_loop.snapshot.speed > 0
    press(session, Qt.Key.Key_Space)
    press_button(bar.end_button)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == 12.0)
    for key, time in ((Qt.Key.Key_Home, 0.0), (Qt.Key.Key_End, 12.0)):
        press(session, key)
        qtbot.waitUntil(partial(stands_at, session, time))


def test_speeds_range_from_0_01_to_100(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    box, snapshot = session.window.transport.speed_box, lambda: session.frame_loop.snapshot

    def reach(key: Qt.Key, speeds: tuple[float, ...]) -> None:
        for speed in speeds:
            QTest.keyClick(box, key)
            qtbot.waitUntil(partial(runs_at, session, speed))
            wait_two_frames(session, qtbot)
            assert box.currentText() == f"{speed:g}×"

    reach(Qt.Key.Key_Up, (0.5, 0.2, 0.1, 0.05, 0.02, 0.01))
    press_button(session.window.transport.play_button)
    qtbot.waitUntil(lambda: snapshot().time > 0.0)
    assert snapshot().time < 0.1
    press_button(session.window.transport.play_button)
    reach(Qt.Key.Key_Down, (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0))
    press_button(session.window.transport.play_button)
    qtbot.waitUntil(lambda: snapshot().time == 12.0)


def test_step_buttons_move_by_a_sample_or_dt(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    bar, run = session.window.transport, session.simulation.preset.run
    pause_at(session, qtbot, 2.0)
    for act, step in (
        (lambda: press_button(bar.step_forward_button), run.sample_interval),
        (lambda: press_button(bar.step_back_button), -run.sample_interval),
        (lambda: press(session, Qt.Key.Key_Right, ALT), run.dt),
        (lambda: press(session, Qt.Key.Key_Left, ALT), -run.dt),
        (lambda: press(session, Qt.Key.Key_Right, SHIFT), 10 * run.sample_interval),
    ):
        before = session.frame_loop.snapshot.time
        act()
        qtbot.waitUntil(partial(stands_at, session, before + step))


def test_scrubbing_moves_all_displays_to_the_time_under_the_pointer(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    window = session.window
    scrubber = window.transport.scrubber
    drag(scrubber, on_track(scrubber, 1.0), on_track(scrubber, 8.3))
    time = scrubber.time_at(round(scrubber.x_of(8.3)))
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == pytest.approx(time, abs=1e-9))
    wait_two_frames(session, qtbot)
    lane, row = reference_run(free_preset)[NEWTON], round(time / 0.01)
    assert parse_number(window.transport.time_field.text()[4:-2]) == pytest.approx(time, abs=0.006)
    assert parse_number(window.side.readouts.value_text(0, "omega", 2)) == pytest.approx(
        lane.omega[row, 2], abs=5e-3
    )
    body = next(mesh for mesh in window.scene.stage.meshes if mesh.material == "painted")
    assert body.transform[:3, :3] == pytest.approx(rotation_matrix(lane.p[row]), abs=1e-2)


def test_range_is_selected_looped_and_cleared(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    bar = session.window.transport
    scrubber = bar.scrubber
    drag(scrubber, on_track(scrubber, 4.0), on_track(scrubber, 4.4), modifier=SHIFT)
    wanted = pytest.approx((4.0, 4.4), abs=0.02)  # a drag selects at each of its moves
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.selected == wanted)
    low, high = session.frame_loop.snapshot.selected or (0.0, 0.0)
    press_button(bar.loop_button)
    press(session, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.playing and session.frame_loop.snapshot.loop)
    wait_two_frames(session, qtbot)
    times = times_of(session, qtbot, 25)
    assert low <= min(times) <= max(times) <= high
    assert any(later < sooner for sooner, later in pairwise(times)), "playback looped"
    press(session, Qt.Key.Key_Space, SHIFT)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.speed < 0)
    times = times_of(session, qtbot, 25)
    assert low <= min(times) <= max(times) <= high
    assert any(later > sooner for sooner, later in pairwise(times)), "backward too"
    press(session, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.selected is None)


def jumps(session: WindowController, qtbot: QtBot, key: Qt.Key) -> list[float]:
    """Return the times at which the cursor stops on its way from marker to marker."""
    times: list[float] = []
    session.window.status.clear()
    for _ in range(20):
        before = session.frame_loop.snapshot.time
        press(session, key, CTRL)
        if session.window.status.message.startswith("There is no mark"):
            return times
        qtbot.waitUntil(partial(has_left, session, before))
        wait_two_frames(session, qtbot)
        times.append(session.frame_loop.snapshot.time)
    raise AssertionError("it never ends")


def sign_changes(p: np.ndarray) -> list[float]:
    return (0.01 * (1 + np.flatnonzero(np.sign(p[1:, 0]) != np.sign(p[:-1, 0])))).tolist()


def wraps(angles: np.ndarray) -> list[float]:
    """Return the times at which an angle [rad] leaves its range."""
    return (0.01 * (1 + np.flatnonzero((np.abs(np.diff(angles, axis=0)) > np.pi).any(axis=1)))).tolist()


def test_flips_wraps_edits_and_events_are_reachable_markers(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free_preset())
    window, lane = session.window, reference_run(free_preset)[NEWTON]
    expected = sign_changes(lane.p) + wraps(np.radians(lane.angles_321))
    assert len(expected) == 4
    pause_at(session, qtbot, 0.0)
    before = window.board.store.state.panels
    window.board.set_panel_visibility({"*": False, "h": True})
    qtbot.waitUntil(lambda: not window.transport.scrubber.markers)
    window.board.set_panel_visibility(before)
    qtbot.waitUntil(lambda: len(window.transport.scrubber.markers) == 4)
    assert jumps(session, qtbot, Qt.Key.Key_Right) == pytest.approx(sorted(expected), abs=0.0101)
    assert "leaves its range" in window.transport.scrubber.tooltip_at(
        window.transport.scrubber.x_of(wraps(np.radians(lane.angles_321))[0])
    )
    pause_at(session, qtbot, 5.0)
    row = window.side.lane_list.rows[0]
    row.heading.click()
    type_value(row.form.rows["dt"].field.entries[0], "5e-4")
    window.setFocus()
    wait_computed(session, qtbot)
    pause_at(session, qtbot, 12.0)
    back = jumps(session, qtbot, Qt.Key.Key_Left)
    assert back == pytest.approx(sorted([*expected, 5.0], reverse=True), abs=0.0101)
    assert "with the cursor at t = 5 s" in window.transport.scrubber.tooltip_at(
        window.transport.scrubber.x_of(5.0)
    )
    pause_at(session, qtbot, 6.0)
    press(session, Qt.Key.Key_R, SHIFT)
    wait_computed(session, qtbot)
    wait_two_frames(session, qtbot)
    assert [mark.time for mark in window.transport.scrubber.markers if isinstance(mark, EventMarker)] == [6.0]


def test_singularity_and_lane_end_are_reachable_markers(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven_preset())
    scrubber, run = session.window.transport.scrubber, reference_run(driven_preset)
    end = float(run[ANGLES].t[-1])
    passed = 0.01 * int(np.argmin(np.abs(np.abs(run[NEWTON].angles_321[:, 1]) - 90.0)))
    pause_at(session, qtbot, 0.0)
    expected = sorted([end, passed, *sign_changes(run[NEWTON].p)])
    assert jumps(session, qtbot, Qt.Key.Key_Right) == pytest.approx(expected, abs=0.03)
    assert run[ANGLES].message.replace(ANGLES, lane_title(ANGLES)) in scrubber.tooltip_at(scrubber.x_of(end))
    assert "pass close to their singularity" in scrubber.tooltip_at(scrubber.x_of(passed))
    click(scrubber, on_track(scrubber, 7.0))
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time > 6.9)
