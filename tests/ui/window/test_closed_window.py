"""A closed window releases everything."""

import gc
import weakref
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.app import WindowController
from quatviz.simulation.compilation import ChildCompilation
from quatviz.teaching.lessons import lesson_paths, read_lesson
from quatviz.ui.tools.export.dialogs import EXPORTS


def open_beside(session: WindowController) -> None:
    """Open all windows that can be open at the same time."""
    session.window.equation_window.open()
    session.open_tool("study")
    session.open_tool("maps")
    session.open_tool("fit")
    session.open_tool("help")


def ask_all(session: WindowController) -> None:
    session.window.views.set_number(4)
    for what in (
        name for name in EXPORTS if name != "documents"
    ):  # that action opens a folder dialog of the system
        session.exporter.open_dialog(what)


USES: dict[str, Callable[[WindowController], object]] = {
    "equations, study, maps, fit and help": open_beside,
    "four views and exports": ask_all,
    "start page": lambda session: session.start_page.show(),
    "tour": lambda session: session.start_tour(),
    "lesson": lambda session: session.present(read_lesson(next(iter(lesson_paths())))),
}
"""Actions done in a window before it is closed. They share windows, because opening one is slow and any leak would be found."""


@pytest.mark.parametrize("use", USES)
def test_closed_window_releases_its_run(qtbot: QtBot, use: str) -> None:
    kept = _opened_and_closed(qtbot, USES[use])
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert [name for name, reference in kept.items() if reference() is not None] == []


def _opened_and_closed(qtbot: QtBot, use: Callable[[WindowController], object]) -> dict[str, weakref.ref]:
    session = WindowController(qv.load_preset("torque_free"))
    session.open()
    use(session)
    shown = session.frame_loop.tick_count
    qtbot.waitUntil(lambda: session.frame_loop.tick_count > shown + 2)
    session.window.close()
    session.window.deleteLater()
    parts = {
        "session": session,
        "run": session.simulation,
        "window": session.window,
        "board": session.window.board,
    }
    return {name: weakref.ref(part) for name, part in parts.items()}


class CountedPreparation(ChildCompilation):
    """Preparation that counts how often its processes are ended."""

    closed = 0

    def close(self) -> None:
        self.closed += 1
        super().close()


@pytest.mark.parametrize("fault", ["not opened", "settings", "tools"])
def test_compiler_processes_end_after_any_failure(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    preset = qv.load_preset("torque_free")
    preparation = CountedPreparation(preset)
    session = WindowController(preset, playing=False, preparation=preparation)

    def fail(*arguments: object) -> None:
        raise OSError("no space left on the disk")

    if fault == "settings":
        monkeypatch.setattr(session.settings, "repair", fail)
        with pytest.raises(OSError, match="no space"):
            session.open()
    elif fault != "not opened":
        session.open()
        monkeypatch.setattr("quatviz.app.save_last_session", fail)
        monkeypatch.setattr(session.tool_windows, "shutdown", fail)
    session.close()
    assert preparation.closed == 1
    assert not [timer for timer in session.window.findChildren(QTimer) if timer.isActive()]
    session.close()
    assert preparation.closed == 1
    assert ("failed" in caplog.text) == (fault == "tools")
    session.window.deleteLater()
