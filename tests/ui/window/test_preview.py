"""The preview of the figure dialog shows the current settings."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_two_frames  # noqa: F401

from quatviz.app import WindowController
from quatviz.display.view_state.theme import LIGHT
from quatviz.ui.tools.export.figure_dialog import VIEW, FigureDialog
from quatviz.ui.tools.export.frame_sources import image_bytes
from quatviz.ui.tools.export.preview import PREVIEW_SIZE, Preview, SketchFunction


@pytest.fixture
def dialog(editing: WindowController, qtbot: QtBot) -> Iterator[FigureDialog]:
    editing.window.board.show_panel("cost", True)
    wait_two_frames(editing, qtbot)
    dialog = editing.exporter.open_dialog("figure", "h")
    assert isinstance(dialog, FigureDialog)
    yield dialog
    editing.window.board.show_panel("cost", False)


def shown(dialog: FigureDialog, qtbot: QtBot) -> QImage:
    """Return the picture once it shows the current settings."""
    qtbot.waitUntil(lambda: not dialog.preview.is_busy)
    return dialog.preview.image_label.pixmap().toImage()


def proportion(image: QImage) -> float:
    return image.width() / image.height()


def has(image: QImage, color: str) -> bool:
    pixels = image_bytes(image)[..., 2::-1].astype(int)
    wanted = QColor(color)
    off = np.abs(pixels - [wanted.red(), wanted.green(), wanted.blue()]).max(axis=2)
    return bool((off < 40).any())


def test_preview_follows_the_settings(dialog: FigureDialog, qtbot: QtBot) -> None:
    panel = shown(dialog, qtbot)
    assert dialog.preview.drawn_count == 1
    assert panel.width() == PREVIEW_SIZE.width() or panel.height() == PREVIEW_SIZE.height()
    assert panel.pixelColor(2, 2) == QColor("white")
    assert has(panel, LIGHT.lanes[0]), "in the colors of print"
    dialog.height_.show_text("60")
    assert dialog.preview.is_busy
    flat = shown(dialog, qtbot)
    assert proportion(flat) == pytest.approx(180 / 60, rel=0.02)
    for name in ("cost", VIEW, ""):
        dialog.subject_box.show_value(name)
        dialog.subject_box.chosen.emit(name)
        assert shown(dialog, qtbot) != flat
    dialog.width_.show_text("nonsense")
    shown(dialog, qtbot)
    assert "a number of mm" in dialog.preview.image_label.text()


def test_only_the_last_of_many_changes_is_drawn(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.ui.tools.export.preview.SETTLE_MS", 0)
    begun: list[int] = []
    made: list[int] = []
    number = [0]

    def sketch() -> SketchFunction:
        own = number[0]

        def draw(progress: Callable[[float], None]) -> QImage:
            begun.append(own)
            while own < 3:  # until it is cancelled
                progress(0.5)
                time.sleep(0.01)
            made.append(own)
            image = QImage(10, 10, QImage.Format.Format_RGB32)
            image.fill(QColor(own, 0, 0))
            return image

        return draw

    preview = Preview(sketch)
    qtbot.addWidget(preview)
    preview.invalidate()
    qtbot.waitUntil(lambda: begun == [0])
    for last in (1, 2, 3):
        number[0] = last
        preview.invalidate()
        qtbot.wait(5)
    qtbot.waitUntil(lambda: not preview.is_busy)
    assert preview.image_label.pixmap().toImage().pixelColor(5, 5).red() == 3
    assert made == [3], "outdated drawings are cancelled"
    preview.shutdown()


def test_closed_dialog_keeps_no_picture(
    dialog: FigureDialog, editing: WindowController, qtbot: QtBot
) -> None:
    assert not shown(dialog, qtbot).isNull()
    dialog.close()
    assert dialog.preview.image_label.pixmap().isNull()
    editing.exporter.open_dialog("figure", "h")
    assert not shown(dialog, qtbot).isNull()
