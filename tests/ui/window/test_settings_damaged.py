"""Damaged settings files: the window opens, reports this, and keeps the old file."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base import resources
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.ui.widgets.style import apply_theme
from quatviz.ui.window.settings import Settings


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a valid settings file with a few settings."""
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    path = resources.settings_folder() / "window.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        'toured = true\n\n[look]\ntheme = "light"\n\n[look.layout]\nblocks = [["a, b"]]\n',
        "utf-8",
    )
    return path


def test_valid_settings_are_unchanged(path: Path) -> None:
    before = path.read_bytes()
    settings = Settings()
    assert settings.repair() == ""
    assert settings.view_state.theme == LIGHT.name
    assert path.read_bytes() == before
    assert not path.with_name("window.toml.bak").exists()


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        (lambda data: bytes(range(256)) * 40, "the file is not a text"),
        (lambda data: data[: data.index(b"[look.layout]") + 20], "the file is truncated"),
        (lambda data: data.replace(b"theme = ", b"theme "), "is not a valid setting"),
        (lambda data: b"\0" * 500 + b"\n", "is not a valid setting"),
    ],
)
def test_damaged_file_is_replaced_and_backed_up(path: Path, damaged: object, message: str) -> None:
    old = damaged(path.read_bytes())  # type: ignore[operator]
    path.write_bytes(old)
    settings = Settings()
    messages = settings.repair()
    assert message in messages
    assert str(path) + ".bak" in messages
    assert path.with_name("window.toml.bak").read_bytes() == old
    assert settings.view_state.theme == DARK.name
    settings.set_scale(200)
    assert Settings().repair() == ""
    assert Settings().view_state.scale == 200, "it can be written again"


def test_values_of_wrong_type_are_reported_in_the_window(
    path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    apply_theme(qapp, DARK)
    path.write_text(
        'place = 3\ntoured = "maybe"\n[look]\nscale = "1"\nsections = ["Body", 3]\n[look.layout]\nblocks = "[[["\n'
        '[look.panels]\nenergy = "maybe"\nomega = false\n[look.views]\nnumber = 17\n',
        "utf-8",
    )
    session = WindowController(qv.load_preset("torque_free"), playing=False)
    try:
        session.open()
        message = session.window.status.message
        assert "Damaged window settings" in message
        assert "look.layout.blocks, look.panels.energy, look.scale and others could not be read" in message
        assert session.window.views.view_layout.number == 1
        assert session.window.board.store.state.panels["omega"] is False, "readable values are used"
        assert "energy" not in session.window.board.store.state.panels
        assert 'energy = "maybe"' in path.with_name("window.toml.bak").read_text("utf-8")
    finally:
        session.window.close()
        session.window.deleteLater()
    assert Settings().repair() == ""


def test_window_reopens_in_its_previous_size(path: Path, qtbot: QtBot, qapp: QApplication) -> None:
    def shown(wanted: QSize | None) -> None:
        session = WindowController(qv.load_preset("torque_free"), playing=False)
        try:
            session.open()
            if wanted is not None:
                session.window.resize(wanted)
            qtbot.waitUntil(lambda: session.window.size() == QSize(1130, 770))
        finally:
            session.window.close()
            session.window.deleteLater()

    shown(QSize(1130, 770))
    shown(None)
