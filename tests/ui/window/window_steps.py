"""A window for tests of editing, computed and unfolded, and their frequent steps."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shared_window import SHARED_WINDOW

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.view_state.theme import DARK
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.schema import SCREEN
from quatviz.simulation.commands import Pause, Seek
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.tools.add_lane.dialog import AddLaneDialog
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.style import apply_theme
from quatviz.ui.window.main_window import MainWindow
from quatviz.ui.window.settings import Settings


def make_session(preset: qv.Preset, look: ViewState | None = None) -> WindowController:
    """Return a session of a run in the dark theme, not yet opened."""
    check_gl()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, DARK)
    compile_preset(preset)  # here, because a child process yields to all other work on the machine
    return WindowController(preset, view_state=look)


@contextmanager
def open_session(session: WindowController) -> Iterator[WindowController]:
    """Open the session and close its window at the end, without saving its settings."""
    session.open()
    try:
        yield session
    finally:
        session.window.unsaved_changes.discard_and_close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        # Otherwise the next window would start with this theme, and changing it takes a second.
        Settings().path.unlink(missing_ok=True)


@pytest.fixture
def editing(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[WindowController]:
    """Return the shared window, reset after each test of a file."""

    def open_editing_session(closing: ExitStack) -> WindowController:
        session = closing.enter_context(open_session(make_session(qv.load_preset("torque_free"))))
        session.window.side.open_sections(["Lanes", "Body", "Initial_state", "Loads", "Run"])
        session.window.activateWindow()
        qtbot.waitUntil(session.window.isActiveWindow)  # keys go to the active window only
        wait_computed(session, qtbot)
        return session

    file = request.node.getparent(pytest.Module)
    assert isinstance(file, pytest.Module)
    yield SHARED_WINDOW.acquire(file, open_editing_session)
    SHARED_WINDOW.reset()


def restore_settings(settings: Settings, window: MainWindow) -> None:
    """Show the window as the settings define it at the next start, in its current theme."""
    window.store.assign(settings.view_state.merged_with(window.store.state, (SCREEN,)))


def wait_computed(session: WindowController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: _is_computed(session))
    wait_two_frames(session, qtbot)


def _is_computed(session: WindowController) -> bool:
    arrived = session.frame_loop.snapshot.goal is None
    return arrived and all(session.simulation.missing(lane) == 0 for lane in session.simulation)


def pause_at(session: WindowController, qtbot: QtBot, time: float) -> None:
    session.frame_loop.send(Pause())
    session.frame_loop.send(Seek(time))
    qtbot.waitUntil(
        lambda: (
            not session.frame_loop.snapshot.playing and abs(session.frame_loop.snapshot.time - time) < 1e-9
        )
    )
    wait_two_frames(session, qtbot)


def wait_two_frames(session: WindowController, qtbot: QtBot) -> None:
    first_tick = session.frame_loop.tick_count
    qtbot.waitUntil(lambda: session.frame_loop.tick_count >= first_tick + 2)


def open_add_lane_dialog(session: WindowController) -> AddLaneDialog:
    """Open the dialog that adds lanes."""
    session.window.side.lane_list.add_button.click()
    return session.window.findChildren(AddLaneDialog)[-1]


def add_lanes(session: WindowController, *lane_ids: str) -> None:
    """Add lanes of these formulations, as one step."""
    dialog = open_add_lane_dialog(session)
    for lane_id in lane_ids:
        dialog.check_list.toggle(dialog.check_list.item_of(lane_id))
    dialog.add_button.click()


def wait_export(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Wait until the dialog has finished writing."""
    qtbot.waitUntil(lambda: dialog.job is None)


def inertia_entry(session: WindowController) -> LineEntry:
    return session.window.side.setup.body.rows["inertia"].field.entries[0]


def type_value(entry: LineEntry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)
