"""Settings that a full disk, another program or a hand has damaged: the window opens, says so, and keeps the old file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz import resources
from quatviz.app import Session
from quatviz.ui.fonts import load_fonts
from quatviz.ui.settings import Settings
from quatviz.ui.style import apply_theme
from quatviz.ui.theme import DARK, LIGHT


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings are, a few of which are there."""
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    path = resources.settings_folder() / "window.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    store.setValue("look/theme", "light")
    store.setValue("layout/geometry", QByteArray(b"\0some\xffgeometry"))
    store.setValue("layout/panels", '{"blocks": [["a, b"]]}')
    store.sync()
    return path


def test_sound_settings_stay_as_they_are(path: Path) -> None:
    before = path.read_bytes()
    settings = Settings()
    assert settings.mend() == ""
    assert settings.theme() is LIGHT
    assert path.read_bytes() == before
    assert not path.with_name("window.ini.bak").exists()


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (lambda data: bytes(range(256)) * 40, "no text"),
        (lambda data: data[: data.index(b"geometry=") + 20], "its end is missing"),
        (lambda data: data.replace(b"theme=light", b"theme light"), "is no setting"),
        (lambda data: b"\0" * 500 + b"\n", "is no setting"),
    ],
)
def test_a_damaged_file_begins_anew_and_is_kept(path: Path, damaged: object, said: str) -> None:
    old = damaged(path.read_bytes())  # type: ignore[operator]
    path.write_bytes(old)
    settings = Settings()
    told = settings.mend()
    assert said in told
    assert str(path) + ".bak" in told
    assert path.with_name("window.ini.bak").read_bytes() == old
    assert settings.theme() is DARK
    settings.set_scale(200)
    assert Settings().mend() == ""
    assert Settings().scale() == 200, "it can be written again"


def test_values_of_the_wrong_kind_are_told_in_the_window(
    path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    load_fonts()
    apply_theme(qapp, DARK)
    store = QSettings(str(path), QSettings.Format.IniFormat)
    wrong = {
        "layout/version": "two", "layout/geometry": "wide", "layout/panels": "[[[", "look/scale": QByteArray(b"1"),
        "panels/energy": "maybe", "views/number": "17", "look/sections": ["Body", "Run"],
    }  # fmt: skip
    for key, value in wrong.items():
        store.setValue(key, value)
    store.setValue("panels/omega", "hidden")
    store.sync()
    session = Session(qv.load_preset("torque_free"), playing=False)
    try:
        session.open()
        said = session.window.statusBar().currentMessage()
        assert "were damaged" in said
        assert "layout/geometry, layout/panels, layout/version and others could not be read" in said
        assert session.window.views.plan.number == 1
        assert session.window.board.wishes["omega"] is False, "what can be read is"
        assert "energy" not in session.window.board.wishes
        assert "energy=maybe" in path.with_name("window.ini.bak").read_text("utf-8")
    finally:
        session.window.close()
        session.window.deleteLater()
    assert Settings().mend() == ""
