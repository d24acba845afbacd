"""The study window: growing curves, clicks, and cleanup."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QPen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.analysis.studies.measures import MEASURES
from quatviz.app import WindowController
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.line_styles import COLOR_COUNT, dash_pattern
from quatviz.display.view_state.theme import DARK, GRID_UNIT, LIGHT, PROJECTOR
from quatviz.ui.tools.study.curve_style import curve_styles
from quatviz.ui.tools.study.window import StudyWindow
from quatviz.ui.widgets.style import apply_theme, set_own_theme


def polls(window: StudyWindow) -> bool:
    """Return True if the window polls its processes."""
    timers = window.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return any(timer.isActive() for timer in timers)


def has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(State.default_for(qv.load_preset("torque_free")))


@pytest.fixture(scope="module")
def window(qapp: QApplication, document: Document) -> Iterator[StudyWindow]:
    """Return a study window with its own document."""
    apply_theme(qapp, DARK)
    made = StudyWindow(document, nice=0)  # a busy machine would delay the tests
    made.show()
    yield made
    made.shutdown()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_study_window_fits_an_enlarged_small_screen(window: StudyWindow) -> None:
    """1280 pixels at 150 % are 853: names of lanes were cut, and buttons were beyond the edge."""
    layout = window.layout()
    assert layout is not None
    assert layout.totalMinimumSize().width() <= 853 - 2 * GRID_UNIT


def test_many_curves_leave_room_for_the_plots(window: StudyWindow, qtbot: QtBot) -> None:
    """On a small screen a legend of twelve curves had ten lines and left plots of one pixel. Private: `_stack`, because
    the plots are visible only during a study, and one with so many curves is slow."""
    looks: list[Any] = [
        SimpleNamespace(
            text=f"Lagrange, simplified: gradient, Implicit midpoint {number}: order 4.00", color=QColor("red"),
            symbol="o", pen=lambda width: QPen(), size=9.0, filled=True,
        )
        for number in range(24)
    ]  # fmt: skip
    before = window.size()
    window.resize(1264, 660)
    window._stack.setCurrentWidget(window.plots)
    for count, scrolled in ((1, False), (24, True)):
        window.legend.show_styles(looks[:count])
        qtbot.waitUntil(lambda: (window.legend.verticalScrollBar().maximum() > 0) == scrolled)  # noqa: B023
        assert window.plots.height() >= 220
    window.legend.show_styles([])
    window._stack.setCurrentWidget(window.empty)
    window.resize(before)


def test_long_remarks_scroll_below_the_plots(window: StudyWindow, qtbot: QtBot) -> None:
    """On a small screen the plots covered the first line, and the last was cut. Private: `_stack`, as above."""
    before, area = window.size(), window.notes_area
    window._stack.setCurrentWidget(window.plots)
    window.notes_label.setText("What a reader of the plots has to know, at length. " * 30)
    window.notes_label.show()
    window.resize(1264, 1000)
    lines = window.notes_label.fontMetrics().height()
    qtbot.waitUntil(lambda: area.height() > 2 * lines and area.verticalScrollBar().maximum() == 0)
    window.resize(1264, 480)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.height() >= 2 * lines
    assert (
        area.mapTo(window, QPoint()).y() >= window.plots.mapTo(window, window.plots.rect().bottomLeft()).y()
    )
    window.notes_label.hide()
    window._stack.setCurrentWidget(window.empty)
    window.resize(before)


def choose(window: StudyWindow, coarsest: str, count: int, duration: str) -> None:
    window.choices.coarsest.show_text(coarsest)
    window.choices.count.show_value(count)
    window.choices.duration.show_text(duration)


def finish(window: StudyWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.is_running)


def studied(window: StudyWindow, qtbot: QtBot) -> StudyWindow:
    """Return the window with a small study, which is run if necessary."""
    if window.result is None or len(window.result.points) < 6 or window.result.cancelled:
        choose(window, "80 ms", 3, "4")
        qtbot.mouseClick(window.run_button, Qt.MouseButton.LeftButton)
        finish(window, qtbot)
    window.choose_measure("orientation")
    return window


def error_head(window: StudyWindow) -> str:
    return str(window.table.model().headerData(4, Qt.Orientation.Horizontal))


def pixel(window: StudyWindow, plot: int, number: int) -> QPoint:
    target = window.plots.targets[plot]
    return window.plots.mapFromScene(target.mapToScene(QPointF(target.points()[number].pos())))


def decades(window: StudyWindow, plot: int) -> list[float]:
    """Return the decades of the errors in a plot."""
    return [spot.pos().y() for spot in window.plots.targets[plot].points()]


def test_curves_grow_as_runs_finish(window: StudyWindow, qtbot: QtBot) -> None:
    middle = window.plots.mapTo(window, window.plots.rect().center())
    assert window.childAt(middle) is window.empty, "nothing covers it"
    assert not window.export_buttons[0].isEnabled()
    choose(window, "80 ms", 3, "4")
    qtbot.mouseClick(window.run_button, Qt.MouseButton.LeftButton)
    assert window.is_running
    assert not window.empty.isVisible()
    assert not window.plots.plots[0].getAxis("left").style["showValues"], "nothing is measured yet"
    assert window.run_button.text() == "Cancel"
    assert "6 of 6 runs remaining" in window.state_text.text()
    seen = set()
    deadline = time.monotonic() + 600
    while window.is_running and time.monotonic() < deadline:
        QTest.qWait(10)
        seen.add(len(decades(window, 0)))
        if window.work is not None and window.is_running:
            pids = window.work.processes
            assert window.progress.value() == len(decades(window, 0))
    assert seen <= set(range(7))
    assert max(seen) == 6
    for plot in range(2):
        assert len(decades(window, plot)) == 6
    assert window.plots.plots[0].getAxis("left").style["showValues"]
    assert window.table.rowCount() == 6
    assert window.state_text.text() == "6 of 6 runs complete"
    assert [text.split(":")[0] for text in window.legend.texts] == [
        "Newton–Euler, Runge–Kutta 4",
        "Hamilton, reduced to h, Runge–Kutta 4",
    ]
    assert all("order 4.0" in text or "order 3.9" in text for text in window.legend.texts)
    assert "Reference: " in window.notes_label.text()
    assert window.run_button.text() == "Run"
    assert not polls(window)
    assert all(map(has_ended, pids))


def test_measure_changes_without_a_new_run(window: StudyWindow, qtbot: QtBot) -> None:
    studied(window, qtbot)
    before = decades(window, 0)
    window.choose_measure("constraint")
    assert not window.is_running
    assert decades(window, 0) != before
    assert error_head(window) == "Error"
    window.choose_measure("multiplier")
    assert decades(window, 0) == [], "these lanes have no multiplier"
    window.choose_measure("orientation")
    assert decades(window, 0) == before
    assert error_head(window) == "Error [rad]"


def test_hovered_point_is_described_and_a_click_loads_its_run(
    window: StudyWindow, document: Document, qtbot: QtBot
) -> None:
    studied(window, qtbot)
    shown = document.state
    qtbot.waitUntil(lambda: window.plots.rect().contains(pixel(window, 0, 4)))

    def pointed() -> bool:
        """The move is repeated, because pyqtgraph drops moves in quick succession."""
        for point in (QPoint(5, 5), pixel(window, 0, 4)):
            QTest.mouseMove(window.plots.viewport(), point)
            QTest.qWait(30)
        return window.plots.bubble.isVisible()

    qtbot.waitUntil(pointed)
    assert "Hamilton, reduced to h, Runge–Kutta 4" in window.plots.bubble.text()
    assert "dt = 0.04 s, 100 steps" in window.plots.bubble.text()
    assert " rad" in window.plots.bubble.text()
    qtbot.mouseClick(window.plots.viewport(), Qt.MouseButton.LeftButton, pos=pixel(window, 0, 4))
    qtbot.waitUntil(lambda: document.state != shown)
    preset = document.state.preset
    assert [lane.formulation for lane in preset.lanes] == ["newton_euler", "hamilton"]
    assert (preset.lanes[1].integrator, preset.lanes[1].dt) == ("rk4", 0.04)
    assert preset.lanes[0] == shown.preset.lanes[0], "the other lanes stay for comparison"
    assert preset.run.duration == 4.0
    assert preset.run.sample_interval == pytest.approx(0.04)
    run = qv.simulate(preset)
    assert run["hamilton"].steps == 100
    document.undo()
    assert document.state == shown
    # The same from the table, and from the other plot.
    row = next(n for n in range(6) if window.table.model().index(n, 3).data() == "0.08")
    window.table.cellActivated.emit(row, 0)
    assert document.state.preset.lanes[0].dt == 0.08
    document.undo()


def test_study_of_another_motion_or_other_options_is_marked_outdated(
    window: StudyWindow, document: Document, qtbot: QtBot
) -> None:
    studied(window, qtbot)
    assert not window.outdated_label.isVisible()
    window.load(next(point for point in window.result.points if point.case.dt == 0.08))  # type: ignore[union-attr]
    assert not window.outdated_label.isVisible(), "a run of this very study"
    document.undo()
    box = next(box for box in window.choices.integrators.values() if not box.isChecked())
    for is_outdated in (True, False):
        box.click()
        assert window.outdated_label.isVisible() == is_outdated
    unticked = [box for box in window.choices.lanes.values() if not box.isChecked()]
    for lane_box in unticked[:1]:
        for is_outdated in (True, False):
            lane_box.click()
            assert window.outdated_label.isVisible() == is_outdated
    choices = window.choices
    ticked = {name: box.isChecked() for name, box in choices.integrators.items()}
    texts, count = (choices.coarsest.text(), choices.duration.text()), choices.count.value
    body = replace(document.state.preset.body, inertia=[2.5, 2.0, 1.5])
    assert document.propose("body", lambda state: state.with_preset(body=body)) is None
    assert window.outdated_label.isVisible()
    assert "Press Run" in window.outdated_label.text()
    document.undo()
    for name, is_ticked in ticked.items():  # another motion has its own choices
        choices.integrators[name].setChecked(is_ticked)
    choices.coarsest.show_text(texts[0])
    choices.duration.show_text(texts[1])
    choices.count.show_value(count)
    window.show_state(document.state)
    assert not window.outdated_label.isVisible()


def test_run_with_incompatible_steps_is_loaded_alone(
    window: StudyWindow, document: Document, qtbot: QtBot
) -> None:
    studied(window, qtbot)
    preset = document.state.preset
    odd = replace(
        preset, run=replace(preset.run, dt=0.01 / 7, sample_interval=0.01), lanes=(qv.Lane("lie_group"),)
    )
    assert document.propose("odd steps", lambda _: State.default_for(odd)) is None
    point = next(point for point in window.result.points if point.case.dt == 0.08)  # type: ignore[union-attr]
    window.load(point)
    assert point.case.dt in [lane.dt for lane in document.state.preset.lanes]
    document.undo()
    document.undo()
    assert document.state.preset == preset


def test_impossible_choices_are_explained_beside_the_button(window: StudyWindow, qtbot: QtBot) -> None:
    choose(window, "zero", 3, "4")
    window.run()
    assert not window.is_running
    assert window.problem.isVisible()
    assert "a number of seconds" in window.problem.text()
    choose(window, "5", 3, "4")
    window.run()
    assert "common multiple" in window.problem.text()
    for box in window.choices.lanes.values():
        box.setChecked(False)
    choose(window, "80 ms", 3, "4")
    window.run()
    assert "no lane" in window.problem.text()
    for box in window.choices.lanes.values():
        box.setChecked(True)


def test_cluster_address_is_used_only_if_given(window: StudyWindow, qtbot: QtBot) -> None:
    field = window.cluster_field
    assert not field.entry.isVisible()
    qtbot.mouseClick(field.button, Qt.MouseButton.LeftButton)
    assert not field.button.isVisible()
    qtbot.keyClicks(field.entry, "tcp://127.0.0.1:9")
    qtbot.keyClick(field.entry, Qt.Key.Key_Return)
    assert field.entry.isVisible()
    window.run()
    assert window.is_running
    assert not window.problem.isVisible()
    finish(window, qtbot)
    assert "the scheduler tcp://127.0.0.1:9" in window.problem.text()
    assert "answers within 5 s" in window.problem.text()
    assert window.state_text.text() == ""
    assert window.empty.isVisible()
    field.entry.setText("host")
    window.run()
    assert not window.is_running
    assert "the address of a scheduler" in window.problem.text()
    field.entry.clear()
    qtbot.keyClick(field.entry, Qt.Key.Key_Return)
    assert not field.entry.isVisible()
    assert field.button.isVisible()
    window.problem.hide()


def test_cancel_and_close_leave_no_process_and_no_timer(window: StudyWindow, qtbot: QtBot) -> None:
    for end in (lambda: qtbot.mouseClick(window.run_button, Qt.MouseButton.LeftButton), window.close):
        window.show()
        choose(window, "0.1", 14, "10000")
        window.run()
        assert window.is_running
        qtbot.waitUntil(lambda: bool(window.work and window.work.processes))
        pids = window.work.processes if window.work else ()
        end()
        assert not window.is_running
        assert all(map(has_ended, pids))
        assert not polls(window)
        assert "Cancelled after" in window.state_text.text()
    window.show()


def test_study_is_exported_and_follows_the_theme(window: StudyWindow, qtbot: QtBot, tmp_path: Path) -> None:
    studied(window, qtbot)
    for name in ("study.svg", "study.csv"):
        window.export(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    window.export(tmp_path / "study.xls")
    assert "study.svg" in window.problem.text()

    def ground() -> int:
        return window.plots.grab().toImage().pixelColor(3, 3).lightness()

    dark = ground()
    set_own_theme(window, LIGHT)
    assert ground() > dark + 100
    set_own_theme(window, PROJECTOR)
    for column in (0, 1, *range(3, 8)):
        header = window.table.horizontalHeader().sectionSizeHint(column)
        assert window.table.columnWidth(column) >= max(header, window.table.sizeHintForColumn(column)), (
            "columns fit the larger font"
        )
    set_own_theme(window, DARK)
    assert ground() == dark


def test_lanes_follow_the_main_window_and_checks_stay(window: StudyWindow, document: Document) -> None:
    assert set(window.choices.integrators) >= {"rk4"}
    window.choices.lanes["hamilton"].setChecked(False)
    document.propose(
        "one more",
        lambda s: State.default_for(replace(s.preset, lanes=(*s.preset.lanes, qv.Lane("lie_group")))),
    )
    assert list(window.choices.lanes) == ["newton_euler", "hamilton", "lie_group"]
    ticked = {name: box.isChecked() for name, box in window.choices.lanes.items()}
    assert ticked == {"newton_euler": True, "hamilton": False, "lie_group": True}
    document.undo()
    window.choices.lanes["hamilton"].setChecked(True)


def test_every_error_measure_has_a_name_in_the_list(window: StudyWindow) -> None:
    texts = [window.measure_box.itemText(n) for n in range(window.measure_box.count())]
    assert texts == [measure.axis_label() for measure in MEASURES.values()]


def test_study_opens_by_key_and_closes_with_the_main_window(editing: WindowController, qtbot: QtBot) -> None:
    qtbot.keyClick(editing.window, Qt.Key.Key_S)
    study = editing.tool_windows.window("study")
    assert study is not None
    qtbot.waitUntil(study.isVisible)
    editing.window.theme_switch.show(LIGHT)
    assert study.theme is LIGHT
    choose(study, "0.1", 14, "10000")
    study.run()
    assert study.is_running
    wait_two_frames(editing, qtbot)
    pids = study.work.processes if study.work else ()
    assert pids
    editing.window.close()
    assert all(map(has_ended, pids))
    assert not study.isVisible()
    assert not polls(study)
    assert editing.tool_windows.window("study") is None


@pytest.mark.parametrize("apart", [1, COLOR_COUNT])
def test_lanes_have_the_dashes_of_the_main_window(window: StudyWindow, qtbot: QtBot, apart: int) -> None:
    """Only colors distinguished them; lanes of one color had other dashes than in the main window."""
    studied(window, qtbot)
    assert window.result is not None
    names = [str(lane.name) for lane in window.result.plan.lanes]
    looks = curve_styles(
        window.result, "orientation", {name: apart * at for at, name in enumerate(names)}, DARK
    )
    assert len({look.color.name() for look in looks}) == (1 if apart == COLOR_COUNT else len(names))
    dashes = [look.pattern for look in looks]
    assert set(dashes) == {dash_pattern(apart * at) for at in range(len(names))}
    assert len(set(dashes)) == len(names) > 1
    window.plots.show_curves(looks, MEASURES["orientation"], 0.0)
    curves = [item for item in window.plots.plots[0].listDataItems() if isinstance(item, pg.PlotDataItem)]
    assert [tuple(curve.opts["pen"].dashPattern()) for curve in curves] == dashes
    assert all(curve.opts["pen"].isCosmetic() for curve in curves)


def test_tolerance_study_labels_axis_table_and_loaded_run(
    window: StudyWindow, document: Document, qtbot: QtBot
) -> None:
    choices = window.choices

    def over(what: str) -> None:
        choices.over_box.show_value(what)
        choices.over_box.chosen.emit(what)

    assert not choices.loosest.isVisibleTo(window)
    choices.integrators["dop853"].setChecked(True)
    over("tolerances")
    assert choices.loosest.isVisibleTo(window)
    choose(window, "0.08", 2, "4")
    choices.loosest.show_text("1e-3")
    choices.tolerance_count.show_value(2)
    choices.loosest.committed.emit()
    assert "down to 0.0001" in choices.tolerances_label.text()
    window.run()
    finish(window, qtbot)
    assert window.result is not None
    assert {point.case.tolerance for point in window.result.points} == {None, 1e-3, 1e-4}
    assert "Tolerance" in window.plots.plots[0].getAxis("bottom").labelText
    assert not window.table.isColumnHidden(2)
    left, right = (len(target.data) for target in window.plots.targets)
    assert (left, right) == (4, 8), "lanes with fixed steps appear in the cost plot"
    tight = next(point for point in window.result.points if point.case.tolerance == 1e-4)
    window.load(tight)
    assert 1e-4 in [lane.rtol for lane in document.state.preset.lanes]
    document.undo()
    choices.integrators["dop853"].setChecked(False)
    over("steps")
    window.run()
    finish(window, qtbot)
    assert "Time step" in window.plots.plots[0].getAxis("bottom").labelText
    assert window.table.isColumnHidden(2)
