"""A system with a decimal comma, as in most countries: C functions and Qt then read "1.5" as 1. Input, results, sessions and
files must not change."""

import ctypes
import locale
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, type_value, wait_computed  # noqa: F401

import quatviz as qv
from quatviz import cli
from quatviz.app import WindowController
from quatviz.display.view_state.session import from_short_text, read_session

TABLES = (".csv", ".npz", ".h5")


def numeric() -> bytes:
    """Return the numeric section of a locale as glibc stores it: comma, point, groups of three, both again as wide characters,
    character set."""
    offsets = (32, 34, 36, 40, 44, 48)
    return struct.pack("<8I", 0x20031114, 6, *offsets) + b",\0.\0\3\3\0\0,\0\0\0.\0\0\0UTF-8\0"


@pytest.fixture
def comma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "locales" / "comma"
    folder.mkdir(parents=True)
    (folder / "LC_NUMERIC").write_bytes(numeric())
    monkeypatch.setenv("LOCPATH", str(folder.parent))
    before, qt = locale.setlocale(locale.LC_NUMERIC), QLocale()
    locale.setlocale(locale.LC_NUMERIC, "comma")
    QLocale.setDefault(QLocale("de_DE"))
    yield
    QLocale.setDefault(qt)
    locale.setlocale(locale.LC_NUMERIC, before)


def read_by_c(text: bytes) -> float:
    strtod = ctypes.CDLL(None).strtod
    strtod.restype = ctypes.c_double
    return float(strtod(text, None))


def written_files(folder: Path, saved: Path, run: qv.Run) -> dict[str, bytes]:
    """Return the files of a run by suffix."""
    folder.mkdir()
    for ending in TABLES:
        run.write(folder / f"run{ending}")
    figure = str(folder / "run.svg")
    assert cli.main(["render", str(saved), "--duration", "0.1", "-o", figure, "--quiet"]) == 0
    return {path.suffix: path.read_bytes() for path in folder.iterdir()}


def test_decimal_comma_of_the_system_changes_no_number(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("comma")
    assert (read_by_c(b"1.5"), QLocale().toString(1.5)) == (1.0, "1,5")
    type_value(inertia_entry(editing), "410.5")
    wait_computed(editing, qtbot)
    assert inertia_entry(editing).text() == "410.5"
    run, saved = editing.simulation, tmp_path / "run.toml"
    assert run.preset.body.inertia[0, 0] == 410.5
    editing.window.file_actions.save_as(saved)
    editing.window.action_registry["copy_run"].trigger()
    assert from_short_text(QGuiApplication.clipboard().text()).preset == run.preset
    short = qv.simulate(read_session(saved).preset, duration=0.1)
    with_comma = written_files(tmp_path / "comma", saved, short)
    locale.setlocale(locale.LC_NUMERIC, "C")
    assert read_by_c(b"1.5") == 1.5
    assert read_session(saved).preset.body.inertia[0, 0] == 410.5
    again = qv.simulate(read_session(saved).preset)
    assert [lane.digest for lane in again.lanes] == [lane.digest for lane in run]
    assert written_files(tmp_path / "point", saved, short) == with_comma
