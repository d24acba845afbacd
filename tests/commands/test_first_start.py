"""First start of a stand-alone program on another processor: a progress bar while equations are compiled."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QProgressDialog
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.commands.support import first_start
from quatviz.files.preset import Preset


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))


def bar() -> QProgressDialog:
    (widget_,) = [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QProgressDialog) and widget.isVisible()
    ]
    return widget_


def test_user_can_skip_the_compilation(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def steps(presets: Iterable[Preset], size: int) -> Iterator[tuple[int, int]]:
        assert len(list(presets)) > 10
        try:
            for done in range(50):
                seen.append(bar().value())
                if done == 3:
                    bar().cancel()
                yield done, 5
        finally:
            seen.append(-9)

    monkeypatch.setattr(first_start, "compile_presets", steps)
    first_start.compile_presets_with_dialog()
    assert seen[1:] == [0, 1, 2, -9], "it fills, and what compiles is ended"


def test_unwritable_cache_does_not_block_the_window(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(presets: Iterable[Preset], size: int) -> Iterator[tuple[int, int]]:
        raise InputError("the kernel cache", expected="room", found="none", remedy="make some")

    monkeypatch.setattr(first_start, "compile_presets", refusing)
    first_start.compile_presets_with_dialog()


def test_first_start_dialog_is_only_for_stand_alone_programs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    assert not first_start.is_first_start()
    monkeypatch.setattr("sys.frozen", True, raising=False)
    assert first_start.is_first_start()
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "pair.ready").touch()
    assert not first_start.is_first_start()
