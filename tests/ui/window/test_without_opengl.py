"""The window without OpenGL: the body is drawn as lines, everything else works."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_steps import make_session, open_session

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.errors import InputError
from quatviz.ui.scene import scene_image


def refused() -> None:
    raise InputError(
        "this machine's OpenGL", expected="OpenGL", found="no OpenGL context", remedy="install it"
    )


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[WindowController]:
    monkeypatch.setattr(scene_image, "check_gl", refused)
    with open_session(make_session(qv.load_preset("torque_free"))) as session:
        yield session


def test_window_plays_and_reports_missing_opengl(session: WindowController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: session.frame_loop.snapshot.time > 0.3)
    assert session.window.scene.is_wireframe
    assert "drawn as lines: no OpenGL context" in session.window.status.message
    assert len(session.window.board.panels) >= 5
