"""A window for tests of editing, all computed and unfolded, and what they do in it again and again."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from standing import STANDING

import quatviz as qv
from quatviz.app import Session
from quatviz.look.look import Look
from quatviz.look.theme import DARK
from quatviz.simulation.commands import Pause, Seek
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.kit.style import apply_theme
from quatviz.ui.kit.widgets import Entry
from quatviz.ui.scene.context import check_gl
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.window.settings import Settings


def session_of(preset: qv.Preset, look: Look | None = None) -> Session:
    """A session of a run, in the dark theme, that is yet to be opened."""
    check_gl()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, DARK)
    compile_preset(preset)  # here, and not in a child that gives way to everything else on the machine
    return Session(preset, look=look)


@contextmanager
def opened(session: Session) -> Iterator[Session]:
    """Its window, until the end of what is done with it; nothing of it is remembered."""
    session.open()
    try:
        yield session
    finally:
        session.window.close()
        session.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        # Or the next one would begin with this one's theme, which costs a second to take off.
        Settings().path.unlink(missing_ok=True)


@pytest.fixture
def editing(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[Session]:
    """The window that stands, for as long as the tests of a file leave it as they found it."""

    def opens(closing: ExitStack) -> Session:
        session = closing.enter_context(opened(session_of(qv.load_preset("torque_free"))))
        session.window.side.open_sections(["Lanes", "Body", "Initial_state", "Loads", "Run"])
        session.window.activateWindow()
        qtbot.waitUntil(session.window.isActiveWindow)  # keys go to the active window only
        wait_computed(session, qtbot)
        return session

    file = request.node.getparent(pytest.Module)
    assert isinstance(file, pytest.Module)
    yield STANDING.lend(file, opens)
    STANDING.put_back()


def wait_computed(session: Session, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: _computed(session))
    two_frames(session, qtbot)


def _computed(session: Session) -> bool:
    arrived = session.bridge.snapshot.goal is None
    return arrived and all(session.simulation.missing(lane) == 0 for lane in session.simulation)


def pause_at(session: Session, qtbot: QtBot, time: float) -> None:
    session.bridge.send(Pause())
    session.bridge.send(Seek(time))
    qtbot.waitUntil(
        lambda: not session.bridge.snapshot.playing and abs(session.bridge.snapshot.time - time) < 1e-9
    )
    two_frames(session, qtbot)


def two_frames(session: Session, qtbot: QtBot) -> None:
    shown = session.bridge.ticks
    qtbot.waitUntil(lambda: session.bridge.ticks >= shown + 2)


def finish(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Wait until what the dialog writes is written."""
    qtbot.waitUntil(lambda: dialog.job is None)


def moment(session: Session) -> Entry:
    return session.window.side.setup.body.blocks["inertia"].field.entries[0]


def enter(entry: Entry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)
