"""The tour, time: playing either way, speeds, steps, scrubbing, loops, and marks to jump to."""

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
    driven,
    engine,
    free,
    number,
    press,
    tour,  # noqa: F401 (a fixture)
)
from window_steps import enter, pause_at, two_frames, wait_computed

from quatviz.app import Session
from quatviz.document.marks import Flag
from quatviz.formulations import lane_title
from quatviz.mechanics.rotations import rotation_matrix
from quatviz.ui.transport.scrubber import Scrubber


def times_of(session: Session, qtbot: QtBot, frames: int) -> list[float]:
    """Where a cursor that plays is, every few frames in which it moves."""
    times: list[float] = []
    for _ in range(frames):
        two_frames(session, qtbot)
        if times:
            qtbot.waitUntil(partial(has_left, session, times[-1]))
        times.append(session.bridge.snapshot.time)
    return times


def runs_at(session: Session, speed: float) -> bool:
    return session.bridge.snapshot.speed == speed


def stands_at(session: Session, time: float) -> bool:
    return abs(session.bridge.snapshot.time - time) < 1e-9


def has_left(session: Session, time: float) -> bool:
    return session.bridge.snapshot.time != time


def on_track(scrubber: Scrubber, time: float) -> QPoint:
    return QPoint(round(scrubber.x_of(time)), scrubber.height() // 2 - 5)


def press_button(button) -> None:
    click(button, button.rect().center())


def test_it_plays_forward_and_backward_from_its_buttons(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    bar = session.window.transport
    pause_at(session, qtbot, 5.0)
    press_button(bar.play)
    qtbot.waitUntil(lambda: session.bridge.snapshot.time > 5.05)
    times = times_of(session, qtbot, 5)
    assert all(later > sooner for sooner, later in pairwise(times))
    press_button(bar.backward)
    qtbot.waitUntil(lambda: session.bridge.snapshot.speed < 0)
    times = times_of(session, qtbot, 5)
    assert all(later < sooner for sooner, later in pairwise(times))
    assert bar.backward.isChecked()
    press(session, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not session.bridge.snapshot.playing)
    press_button(bar.restart)
    qtbot.waitUntil(lambda: session.bridge.snapshot.playing and session.bridge.snapshot.time < 2.0)
    assert session.bridge.snapshot.speed > 0
    press(session, Qt.Key.Key_Space)
    press_button(bar.end)
    qtbot.waitUntil(lambda: session.bridge.snapshot.time == 12.0)
    for key, time in ((Qt.Key.Key_Home, 0.0), (Qt.Key.Key_End, 12.0)):
        press(session, key)
        qtbot.waitUntil(partial(stands_at, session, time))


def test_speeds_go_from_a_hundredth_to_a_hundredfold(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    box, snapshot = session.window.transport.speed, lambda: session.bridge.snapshot

    def reach(key: Qt.Key, speeds: tuple[float, ...]) -> None:
        for speed in speeds:
            QTest.keyClick(box, key)
            qtbot.waitUntil(partial(runs_at, session, speed))
            two_frames(session, qtbot)
            assert box.currentText() == f"{speed:g}×"

    reach(Qt.Key.Key_Up, (0.5, 0.2, 0.1, 0.05, 0.02, 0.01))
    press_button(session.window.transport.play)
    qtbot.waitUntil(lambda: snapshot().time > 0.0)
    assert snapshot().time < 0.1
    press_button(session.window.transport.play)
    reach(Qt.Key.Key_Down, (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0))
    press_button(session.window.transport.play)
    qtbot.waitUntil(lambda: snapshot().time == 12.0)


def test_steps_are_a_sample_or_dt(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    bar, run = session.window.transport, session.simulation.preset.run
    pause_at(session, qtbot, 2.0)
    for act, step in (
        (lambda: press_button(bar.forward), run.sample_interval),
        (lambda: press_button(bar.back), -run.sample_interval),
        (lambda: press(session, Qt.Key.Key_Right, ALT), run.dt),
        (lambda: press(session, Qt.Key.Key_Left, ALT), -run.dt),
        (lambda: press(session, Qt.Key.Key_Right, SHIFT), 10 * run.sample_interval),
    ):
        before = session.bridge.snapshot.time
        act()
        qtbot.waitUntil(partial(stands_at, session, before + step))


def test_scrubbing_puts_everything_at_the_time_under_the_mouse(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    window = session.window
    scrubber = window.transport.scrubber
    drag(scrubber, on_track(scrubber, 1.0), on_track(scrubber, 8.3))
    time = scrubber.time_at(round(scrubber.x_of(8.3)))
    qtbot.waitUntil(lambda: session.bridge.snapshot.time == pytest.approx(time, abs=1e-9))
    two_frames(session, qtbot)
    lane, row = engine(free)[NEWTON], round(time / 0.01)
    assert number(window.transport.readout.text()[4:-2]) == pytest.approx(time, abs=0.006)
    assert number(window.side.readouts.text(0, "omega", 2)) == pytest.approx(lane.omega[row, 2], abs=5e-3)
    body = next(mesh for mesh in window.scene.stage.meshes if mesh.look == "painted")
    assert body.transform[:3, :3] == pytest.approx(rotation_matrix(lane.p[row]), abs=1e-2)


def test_a_range_is_selected_looped_and_cleared(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    bar = session.window.transport
    scrubber = bar.scrubber
    drag(scrubber, on_track(scrubber, 4.0), on_track(scrubber, 4.4), modifier=SHIFT)
    wanted = pytest.approx((4.0, 4.4), abs=0.02)  # a drag selects at each of its moves
    qtbot.waitUntil(lambda: session.bridge.snapshot.selected == wanted)
    low, high = session.bridge.snapshot.selected or (0.0, 0.0)
    press_button(bar.loop)
    press(session, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.bridge.snapshot.playing and session.bridge.snapshot.loop)
    two_frames(session, qtbot)
    times = times_of(session, qtbot, 25)
    assert low <= min(times) <= max(times) <= high
    assert any(later < sooner for sooner, later in pairwise(times)), "it came around"
    press(session, Qt.Key.Key_Space, SHIFT)
    qtbot.waitUntil(lambda: session.bridge.snapshot.speed < 0)
    times = times_of(session, qtbot, 25)
    assert low <= min(times) <= max(times) <= high
    assert any(later > sooner for sooner, later in pairwise(times)), "backward too"
    press(session, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: session.bridge.snapshot.selected is None)


def jumps(session: Session, qtbot: QtBot, key: Qt.Key) -> list[float]:
    """Where the cursor stops on its way from mark to mark."""
    times: list[float] = []
    session.window.status.clear()
    for _ in range(20):
        before = session.bridge.snapshot.time
        press(session, key, CTRL)
        if session.window.status.sentence.startswith("There is no mark"):
            return times
        qtbot.waitUntil(partial(has_left, session, before))
        two_frames(session, qtbot)
        times.append(session.bridge.snapshot.time)
    raise AssertionError("it never ends")


def sign_changes(p: np.ndarray) -> list[float]:
    return (0.01 * (1 + np.flatnonzero(np.sign(p[1:, 0]) != np.sign(p[:-1, 0])))).tolist()


def wraps(angles: np.ndarray) -> list[float]:
    """Times at which an angle [rad] leaves its range."""
    return (0.01 * (1 + np.flatnonzero((np.abs(np.diff(angles, axis=0)) > np.pi).any(axis=1)))).tolist()


def test_flips_wraps_edits_and_events_are_marks_to_jump_to(tour: Tour, qtbot: QtBot) -> None:
    session = tour(free())
    window, lane = session.window, engine(free)[NEWTON]
    expected = sign_changes(lane.p) + wraps(np.radians(lane.angles_321))
    assert len(expected) == 4
    pause_at(session, qtbot, 0.0)
    before = window.board.wanted
    window.board.show_panels({"*": False, "h": True})
    qtbot.waitUntil(lambda: not window.transport.scrubber.marks)
    window.board.show_panels(before)
    qtbot.waitUntil(lambda: len(window.transport.scrubber.marks) == 4)
    assert jumps(session, qtbot, Qt.Key.Key_Right) == pytest.approx(sorted(expected), abs=0.0101)
    assert "wrap" in window.transport.scrubber.said_at(
        window.transport.scrubber.x_of(wraps(np.radians(lane.angles_321))[0])
    )
    pause_at(session, qtbot, 5.0)
    row = window.side.lane_list.rows[0]
    row.heading.click()
    enter(row.form.blocks["dt"].field.entries[0], "5e-4")
    window.setFocus()
    wait_computed(session, qtbot)
    pause_at(session, qtbot, 12.0)
    back = jumps(session, qtbot, Qt.Key.Key_Left)
    assert back == pytest.approx(sorted([*expected, 5.0], reverse=True), abs=0.0101)
    assert "Edited at t = 5 s" in window.transport.scrubber.said_at(window.transport.scrubber.x_of(5.0))
    pause_at(session, qtbot, 6.0)
    press(session, Qt.Key.Key_R, SHIFT)
    wait_computed(session, qtbot)
    two_frames(session, qtbot)
    assert [mark.time for mark in window.transport.scrubber.marks if isinstance(mark, Flag)] == [6.0]


def test_a_singularity_and_the_end_of_a_lane_are_marks_too(tour: Tour, qtbot: QtBot) -> None:
    session = tour(driven())
    scrubber, run = session.window.transport.scrubber, engine(driven)
    end = float(run[ANGLES].t[-1])
    passed = 0.01 * int(np.argmin(np.abs(np.abs(run[NEWTON].angles_321[:, 1]) - 90.0)))
    pause_at(session, qtbot, 0.0)
    expected = sorted([end, passed, *sign_changes(run[NEWTON].p)])
    assert jumps(session, qtbot, Qt.Key.Key_Right) == pytest.approx(expected, abs=0.03)
    assert run[ANGLES].message.replace(ANGLES, lane_title(ANGLES)) in scrubber.said_at(scrubber.x_of(end))
    assert "pass close by their singularity" in scrubber.said_at(scrubber.x_of(passed))
    click(scrubber, on_track(scrubber, 7.0))
    qtbot.waitUntil(lambda: session.bridge.snapshot.time > 6.9)
