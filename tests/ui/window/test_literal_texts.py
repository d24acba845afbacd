"""Texts of files are shown literally: no title, name or step is read as HTML, which would load the images it names."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QListView,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import make_session, open_session, wait_computed, wait_two_frames

import quatviz as qv
from quatviz.analysis.sweeps.axes import Axis
from quatviz.app import WindowController
from quatviz.display.document.user_files import RecentFiles, save_own_preset
from quatviz.files.preset import Lane
from quatviz.files.preset_reading import format_preset
from quatviz.teaching.lessons import read_lesson

MARK = "<img src='pipe'>"
"""Text that Qt takes for HTML unless its format is plain text."""


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[WindowController]:
    preset = qv.load_preset("torque_free")
    lanes = (
        Lane("newton_euler", name=f"a{MARK}"),
        Lane("hamilton", name=f"b{MARK}"),
        Lane("euler_angles/313", name=f"c{MARK}"),
    )
    texts = dict.fromkeys(("title", "source", "summary", "watch"), f"Words {MARK}")
    preset = replace(preset, lanes=lanes, **texts)  # type: ignore[arg-type]
    path = tmp_path / f"{MARK}.toml"
    path.write_text(format_preset(preset), "utf-8")
    RecentFiles().add(path)
    save_own_preset(preset, "One of my own", preset.summary, preset.watch)
    with open_session(make_session(qv.load_preset(path))) as session:
        wait_computed(session, qtbot)
        yield session


def recording(folder: Path) -> Path:
    """Return a recording of one second whose column names contain the mark."""
    path = folder / f"{MARK}.csv"
    rows = (f"{0.01 * n},{np.cos(0.005 * n)},0,0,{np.sin(0.005 * n)},7" for n in range(100))
    path.write_text("\n".join([f"t,q0,q1,q2,q3,{MARK}", *rows]), "utf-8")
    return path


def read_as_html(widget: QWidget) -> Iterator[str]:
    """Return the texts of a widget that contain the mark and that Qt would read as HTML."""
    if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
        yield widget.text()
    if isinstance(widget, QGraphicsView) and (scene := widget.scene()) is not None:
        written = (item for item in scene.items() if isinstance(item, QGraphicsTextItem))
        yield from (MARK for item in written if "\ufffc" in item.toPlainText())  # Qt's character for an image
    yield from (widget.toolTip(), widget.whatsThis())
    if isinstance(widget, QMenu) and widget.toolTipsVisible():
        yield from (action.toolTip() for action in widget.actions())
    if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
        columns = 1 if isinstance(widget, QListView) else model.columnCount(QModelIndex())
        for row in range(model.rowCount(QModelIndex())):
            for column in range(columns):
                yield str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")


def test_no_text_of_a_file_is_read_as_html(session: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    window = session.window
    texts: dict[str, str] = {}
    seen: set[str] = set()

    def check_texts(location: str, *doings: Callable[[], object]) -> None:
        for do in doings:
            do()
        wait_laid_out(window, qtbot)
        wait_two_frames(session, qtbot)
        for widget in QApplication.allWidgets():
            for text in read_as_html(widget):
                if MARK in text:
                    texts.setdefault(
                        text, f"{location}: {type(widget).__name__} in {type(widget.parentWidget()).__name__}"
                    )
            if isinstance(widget, QLabel) and MARK in widget.text():
                seen.add(location)

    check_texts("main window")
    check_texts("sections", lambda: window.side.open_sections(list(window.side.sections)))
    check_texts("lanes", *(lane.heading.click for lane in window.side.lane_list.rows))
    check_texts(
        "panels", *(lambda name=name: window.board.show_panel(name, True) for name in window.board.titles)
    )
    check_texts("views", lambda: window.views.set_number(2))
    check_texts("gallery", window.side.picker.show_gallery)
    check_texts("study", partial(session.open_tool, "study"))
    check_texts("maps", partial(session.open_tool, "maps"))
    maps = session.tool_windows.window("maps")
    assert maps is not None
    maps.choices.measure.show_value("flips")
    maps.choices.duration.setText("0.1")
    maps.choices.across.show("lanes[0].dt", Axis.from_values([0.001, 0.002, 0.005]))
    check_texts("a map over the step of a lane", maps.run)
    qtbot.waitUntil(lambda: not maps.is_running)
    check_texts("the map")
    assert maps.chart is not None
    assert MARK in maps.chart.spans[0].title
    check_texts("an import", lambda: session.open_files([recording(tmp_path)]))
    importing = session.tool_windows.window("importing")
    assert importing is not None
    qtbot.waitUntil(lambda: importing.draft.preview is not None and not importing.is_busy)
    check_texts("what was found in it")
    check_texts("a lane of it", importing.add_button.click)
    check_texts("fit", partial(session.open_tool, "fit"))
    qtbot.waitUntil(
        lambda: (
            session.tool_windows.window("fit") is not None
            and session.tool_windows.window("fit").inspection is not None
        )
    )
    check_texts("what can be fitted")
    check_texts("cards", window.equation_window.open)
    check_texts("palette", window.action_registry["find"].trigger)
    check_texts("recent files", lambda: window.file_actions.fill_recent(QMenu(window)))
    check_texts("start page", session.start_page.show, session.start_page.leave)
    path = tmp_path / "own.md"
    text = (Path(qv.__file__).parents[1] / "assets/lessons/half_turn.md").read_text("utf-8")
    path.write_text(text.replace("\n## ", f"\n## {MARK} ").replace("# ", f"# {MARK} ", 1), "utf-8")
    session.present(read_lesson(path))
    check_texts("lesson")
    assert not texts, "\n".join(f"{location}: {shown_text!r}" for shown_text, location in texts.items())
    assert {"main window", "lesson"} <= seen
