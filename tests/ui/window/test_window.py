"""The real window on a real display: it plays, follows one cursor, obeys keys, and closes cleanly."""

import os
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete
from window_steps import make_session, open_session, pause_at, wait_computed, wait_two_frames

import quatviz as qv
from quatviz import app
from quatviz.app import WindowController
from quatviz.display.data import frame_builder as module
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.view_state.theme import LIGHT
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.commands import Play, Seek, SetSpeed
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.plots.time_view import TimeRow
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.window.frame_loop import FrameLoop


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication) -> Iterator[WindowController]:
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        session.window.activateWindow()
        qtbot.waitUntil(session.window.isActiveWindow)  # keys go to the active window only
        wait_computed(session, qtbot)
        yield session


def test_first_start_plays_at_once(session: WindowController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time > 0.2)
    assert session.frame_loop.snapshot.playing


def test_view_shows_the_rotating_body(session: WindowController, qtbot: QtBot) -> None:
    pause_at(session, qtbot, 1.0)
    before = picture(session)
    pause_at(session, qtbot, 5.0)
    assert np.mean(np.any(before != picture(session), axis=-1)) > 0.02, "the body has rotated"


def test_keys_play_step_and_restart(session: WindowController, qtbot: QtBot) -> None:
    pause_at(session, qtbot, 3.0)
    qtbot.keyClick(session.window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: abs(session.frame_loop.snapshot.time - 3.01) < 1e-9)
    qtbot.keyClick(session.window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: abs(session.frame_loop.snapshot.time - 3.0) < 1e-9)
    qtbot.keyClick(session.window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == session.simulation.duration)
    qtbot.keyClick(session.window, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == 0.0)
    qtbot.keyClick(session.window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.playing and session.frame_loop.snapshot.time > 0.05)
    qtbot.keyClick(session.window, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time < 0.5)


def test_one_cursor_moves_view_plots_and_numbers(session: WindowController, qtbot: QtBot) -> None:
    """A seek requested by the board is shown by the readouts, and the body has the orientation of the engine."""
    pause_at(session, qtbot, 0.0)
    session.window.board.seek_requested.emit(7.25)
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time == 7.25)
    pause_at(session, qtbot, 7.25)
    lane = session.simulation["newton_euler"]
    shown = float(session.window.side.readouts.value_text(0, "omega", 1).replace("−", "-"))
    assert shown == pytest.approx(lane.omega[725, 1], abs=5e-7)
    body = next(mesh for mesh in session.window.scene.stage.meshes if mesh.material == "painted")
    from quatviz.physics.mechanics.rotations import from_matrix

    assert relative_angle(from_matrix(body.transform[:3, :3]), lane.p[725]) < 1e-7


def test_all_numbers_are_of_one_time_during_playback(session: WindowController, qtbot: QtBot) -> None:
    window, texts, preset = session.window, set(), session.document.state.preset
    exact = solve(preset.body, [], preset.initial.p(), preset.initial.omega(preset.body))
    pause_at(session, qtbot, 1.0)
    window.side.open_sections(["At_the_cursor"])
    qtbot.waitUntil(lambda: window.side.verticalScrollBar().maximum() > 0)
    window.side.verticalScrollBar().setValue(window.side.verticalScrollBar().maximum())
    wait_two_frames(session, qtbot)  # hidden widgets do not follow during playback
    session.frame_loop.send(Play())
    until = session.frame_loop.tick_count + 30
    while session.frame_loop.tick_count < until:
        wait_two_frames(session, qtbot)
        rows = {row.time for row in window.board.findChildren(TimeRow) if row.isVisible()}
        plots = [plot for plot in window.board.findChildren(StripPlot) if plot.isVisible()]
        dots, digits = {plot.time for plot in plots}, {plot.header.time for plot in plots}
        (time,) = rows | dots | digits
        assert window.transport.time_field.displayed_text == f"t = {time:.2f} s"
        omega = exact.evaluate(np.array([time]))[1][0, 1]
        assert float(window.side.readouts.value_text(0, "omega", 1).replace("−", "-")) == pytest.approx(
            omega, abs=1e-6
        )
        texts.add(window.transport.time_field.displayed_text)
    assert len(texts) > 2


class Probe:
    """Listener that records the end that each frame promises and the end of the rows in the source."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float]] = []

    def start(self, source: ColumnSource) -> None:
        self.source = source

    def show_frame(self, frame: Frame) -> None:
        for lane in frame.lanes:
            times, _ = self.source.values(lane.name, "omega")
            self.seen.append((lane.computed_to, float(times[-1]) if len(times) else 0.0))


def test_frame_promises_exactly_the_rows_that_plots_can_read(qtbot: QtBot, qapp: QApplication) -> None:
    """Rows arrive in blocks: a plot that draws up to the promise must not miss the later ones."""
    session = WindowController(qv.load_preset("torque_free"))
    probe = Probe()
    bridge = FrameLoop(session.simulation, session.worker, session.frame_loop.lane_styles, [probe])
    bridge.start_run()
    for lane in session.simulation:
        lane.prepare()
    for _ in range(4):
        for lane in session.simulation:
            lane.advance(1000)
        bridge.tick()
    assert probe.seen[-1] == (40.0, 40.0)
    assert all(promised == pytest.approx(held) for promised, held in probe.seen)
    assert len(set(probe.seen)) > 4, "the rows came in more than one block"
    delete(bridge)  # its timer callbacks would keep the run alive
    delete(session.window)  # otherwise fixtures that configure a window would configure this one too


def test_unfinished_run_is_shown_when_ready_or_overdue(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = (
        WindowController(qv.load_preset("torque_free")),
        WindowController(qv.load_preset("torque_free")),
    )
    probe, computed = Probe(), [False]
    bridge = FrameLoop(session.simulation, session.worker, session.frame_loop.lane_styles, [probe])
    bridge.start_run()
    before = probe.source

    def come() -> None:
        computed[0] = False
        bridge.schedule_run(
            other.simulation, other.worker, session.frame_loop.lane_styles, lambda: computed[0], True
        )
        bridge.tick()

    come()
    assert bridge.has_upcoming_run
    assert probe.source is before, "the previous run stays meanwhile"
    bridge.send(SetSpeed(3.0))
    other.worker.runner.tick(0.0)
    assert (other.worker.snapshot.speed, session.worker.snapshot.speed) == (3.0, 1.0)
    computed[0] = True
    bridge.tick()
    after = probe.source
    assert not bridge.has_upcoming_run
    assert bridge.builder.simulation is other.simulation
    assert after is not before
    assert (after.info.is_transient, after.info.is_coarsened) == (True, True)
    come()
    assert probe.source is after
    later = module.monotonic() + 2.0 * module.SHOW_DELAY
    monkeypatch.setattr(module, "monotonic", lambda: later)
    bridge.tick()
    assert probe.source is not after, "a slow run is shown unfinished"
    after = probe.source
    come()
    other.worker.runner.submit(Seek(0.9 * other.simulation.duration))
    other.worker.runner.tick(0.0)
    assert other.worker.snapshot.goal is not None
    later += 2.0 * module.SHOW_DELAY
    bridge.tick()
    assert probe.source is after, "the body would jump to an unrequested time"
    later += module.DISTANT_CURSOR_FACTOR * module.SHOW_DELAY
    bridge.tick()
    assert probe.source is not after
    delete(bridge)
    delete(session.window)
    delete(other.window)


def test_notice_takes_no_space_and_moves_nothing(session: WindowController, qtbot: QtBot) -> None:
    """Otherwise plots and view would be laid out and redrawn, a stall of 0.1 s right after the start."""
    window, row = session.window, session.window.status
    row.clear()
    row.show_notice("")
    QApplication.processEvents()
    parts = (window.side, window.views, window.board, window.transport)

    def places() -> list[tuple[int, ...]]:
        return [(*part.mapTo(window, QPoint()).toTuple(), *part.size().toTuple()) for part in parts]

    before = places()
    assert not row.isVisible()
    assert before[-1][1] + before[-1][3] == window.height(), "the timeline is at the bottom of the window"
    long_sentence = (
        "a sentence as long as few are, which has to be read to its end, for it says what to do next: "
    )
    for sentence in ("read this", 4 * long_sentence):
        window.messages.show(sentence, "errors#files")
        row.show_notice("kernels are being made")
        QApplication.processEvents()
        assert row.learn_more_button.isVisible()
        assert places() == before
        foot = row.mapTo(window, QPoint(row.width(), row.height()))
        assert foot.y() <= before[-1][1], "it leaves the timeline free"
        assert foot.x() <= window.width()
        qtbot.waitUntil(lambda: row.height() >= row.heightForWidth(row.width()))  # all of it is visible
    row.clear()
    row.show_notice("")
    assert not row.isVisible()


def test_theme_change_reaches_every_part(session: WindowController, qtbot: QtBot) -> None:
    pause_at(session, qtbot, 2.0)
    dark = picture(session).mean()
    session.window.theme_switch.show(LIGHT)
    pause_at(session, qtbot, 2.5)
    assert picture(session).mean() > dark + 40


def test_window_closes_cleanly_at_any_moment(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows closed between 0 and 0.25 s after they opened, once at each of five moments, because creating one takes a second on
    a slow processor. QUATVIZ_EVERY_CLOSING=1 tests a hundred moments."""
    check_gl()
    monkeypatch.setattr(app, "LAYOUT_SECONDS", 0.0)
    monkeypatch.setattr(app, "MAX_LOADING_SECONDS", 0.0)
    threads = threading.active_count()
    for turn in range(100 if os.environ.get("QUATVIZ_EVERY_CLOSING") else 5):
        session = WindowController(qv.load_preset("torque_free"))
        session.open()
        for _ in range(turn % 5):
            qtbot.wait(13)
        session.window.close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert session.worker.error is None
        assert threading.active_count() <= threads
    assert not [timer for timer in qapp.findChildren(QTimer) if timer.isActive()]


def test_window_can_be_closed_while_it_opens(qtbot: QtBot) -> None:
    session = WindowController(qv.load_preset("torque_free"))
    QTimer.singleShot(60, session.window.close)
    session.open()
    ticks = session.frame_loop.tick_count
    qtbot.wait(100)
    assert session.frame_loop.tick_count == ticks, "nothing continues"
    assert not session.window.isVisible()
    session.window.deleteLater()


def picture(session: WindowController) -> np.ndarray:
    """Return the picture of the view on the screen, (height, width, 3)."""
    view = session.window.scene
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)
