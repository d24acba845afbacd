"""The import dialog in use: roles, conventions, time range, and the lane to compare with."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph import PlotCurveItem
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot
from qt_events import handle_events, wait_laid_out

import quatviz as qv
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.panels import PANELS
from quatviz.display.view_state.session import Session, format_session, parse_session
from quatviz.display.view_state.theme import DARK, GRID_UNIT, LIGHT, PROJECTOR
from quatviz.display.view_state.view_state import ALL_OTHERS
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    relative_angle,
    rotate,
)
from quatviz.physics.observables.column_roles import ColumnRole
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.loading import LoadedRecording, load
from quatviz.recordings.resampling import PlotSeries, decimate
from quatviz.ui.tools.importing import dialog as dialog_module
from quatviz.ui.tools.importing.dialog import RECORDING_PANELS, ImportDialog
from quatviz.ui.widgets.background_job import BackgroundJob
from quatviz.ui.widgets.style import apply_theme

BODY = from_rotation_vector([0.5, -0.3, 0.8])
LATE = 2.0


@pytest.fixture(scope="module")
def document() -> Document:
    """Return a document with a computed run whose speeds are all different."""
    preset = qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=8.0)
    made = Document(State.default_for(preset))
    torque = (qv.Torque(torque=["40*exp(-t/3)", 15.0, 0.0]),)
    assert made.propose("push", lambda state: state.with_preset(loads=torque)) is None
    made.simulation.complete()
    return made


@pytest.fixture(scope="module")
def dialog(qapp: QApplication, document: Document) -> Iterator[ImportDialog]:
    apply_theme(qapp, DARK)
    parent = QWidget()
    made = ImportDialog(document, parent)
    made.resize(1280, 720)
    yield made
    made.shutdown()
    apply_theme(qapp, DARK)
    parent.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, document: Document) -> Path:
    """Return a log of the run from 2 s on, with another clock and a rotated sensor. Its column names do not reveal the
    conventions."""
    lane = document.simulation.lanes[0]
    kept = slice(round(100 * LATE), 701)
    p = multiply(lane.p[kept], conjugate(BODY))
    rows = np.column_stack(
        [
            np.round(1e3 * lane.t[kept]) + 50e3,
            np.roll(p, -1, axis=1),
            np.degrees(rotate(BODY, lane.omega[kept])),
        ]
    )
    path = tmp_path_factory.mktemp("log") / "log.csv"
    np.savetxt(path, rows, delimiter=",", header="clock,q_1,q_2,q_3,q_4,u,v,w", comments="")
    return path


def wait_idle(dialog: ImportDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: dialog.draft.preview is not None and not dialog.is_busy)


@pytest.fixture
def opened(dialog: ImportDialog, log: Path, qtbot: QtBot) -> ImportDialog:
    """Return the dialog with the log, read with detected settings."""
    dialog.close()
    dialog.import_files([log])
    wait_idle(dialog, qtbot)
    return dialog


def give(dialog: ImportDialog, column: str, choice: str) -> None:
    menu = dialog.role_table.role_menu(column)
    menus = [menu, *menu.findChildren(QMenu)]
    (action,) = [
        action for column_menu in menus for action in column_menu.actions() if action.text() == choice
    ]
    action.trigger()


def role_words(dialog: ImportDialog) -> list[str]:
    cells = [dialog.role_table.item(0, number) for number in range(dialog.role_table.columnCount())]
    return [cell.text().removesuffix("  ▾") for cell in cells if cell is not None]


def test_conventions_are_detected_from_column_roles(opened: ImportDialog, qtbot: QtBot) -> None:
    assert opened.role_table.names == ["clock", "q_1", "q_2", "q_3", "q_4", "u", "v", "w"]
    assert role_words(opened) == ["t [ms]", "e₁", "e₂", "e₃", "e₀, scalar", "no role", "no role", "no role"]
    assert opened.draft.ranking is None
    assert not opened.convention_list.isVisible()
    for column, role in zip("uvw", ("ω₁ [rad/s]", "ω₂ [rad/s]", "ω₃ [rad/s]"), strict=True):
        give(opened, column, role)
    wait_idle(opened, qtbot)
    assert opened.draft.ranking is not None
    assert opened.draft.options.rate_unit == "deg/s", "the detected convention is applied by default"
    assert role_words(opened)[5:] == [f"ω{n} [deg/s]" for n in "₁₂₃"]
    first = opened.convention_list.item(0)
    assert first is not None
    assert opened.convention_list.currentRow() == 0
    assert "scalar last" in first.text()
    assert "JPL" in opened.fit_label.text(), "ambiguous conventions are named"


def test_saved_run_is_computed_and_added_as_a_lane(
    dialog: ImportDialog, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    lanes = ["newton_euler", "newton_euler,dt=5e-3,name=fine"]
    saved = document.state.preset.with_run(lanes=lanes, duration=2.0)
    path = tmp_path / "saved.toml"
    path.write_text(format_session(Session(saved, None)), "utf-8")
    dialog.close()
    dialog.import_files([path])
    assert dialog.empty.text() == "Computing the run of saved.toml"
    wait_idle(dialog, qtbot)
    box = dialog.options_form.part_box
    assert [box.itemText(number) for number in range(box.count())] == ["newton_euler", "fine"]
    dialog.import_(makes_run=False)
    qtbot.waitUntil(lambda: len(document.simulation.lanes) == 2)
    document.simulation.complete()
    lane, imported = document.simulation.lanes
    assert imported.name == "saved"
    assert imported.computed_to == pytest.approx(2.0)
    assert relative_angle(lane.p[:200], imported.p[:200]).max() < 1e-9
    document.undo()
    document.simulation.complete()
    path.write_text(path.read_text("utf-8").replace("newton_euler", "newtons_own"), "utf-8")
    dialog.close()
    dialog.import_files([path])
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert "newtons_own" in dialog.problem.text()
    dialog.close()


def test_column_is_found_by_search_and_given_a_role(
    dialog: ImportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    names = ["t", *(f"s{number}" for number in range(400)), "gyro_x", "gyro_y", "gyro_z", "other"]
    rows = np.outer(np.arange(20.0), np.ones(len(names)))
    np.savetxt(tmp_path / "wide.csv", rows, delimiter=",", header=",".join(names), comments="")
    dialog.close()
    dialog.import_files([tmp_path / "wide.csv"])
    wait_idle(dialog, qtbot)
    assert dialog.role_table.names == names
    QTest.keyClicks(dialog.role_table, "oth")
    assert dialog.role_table.currentColumn() == len(names) - 1
    QTest.keyClicks(dialog.role_table, "er")
    assert dialog.role_table.currentColumn() == len(names) - 1
    dialog.choose_role("other", ColumnRole("rate", 0))
    wait_idle(dialog, qtbot)
    assert dialog.draft.options.rate_columns == ("other", "gyro_y", "gyro_z")


def test_missing_input_is_stated_instead_of_the_curves(opened: ImportDialog, qtbot: QtBot) -> None:
    before = (
        opened.options_form.mapTo(opened, QPoint()),
        opened.role_table.geometry(),
        opened.interval.geometry(),
    )
    give(opened, "q_2", "No role")
    assert opened.problem.isVisible()
    assert not opened.plots.isVisible()
    assert "no column for e₂" in opened.problem.text()
    assert not opened.import_button.isEnabled()
    assert (
        opened.options_form.mapTo(opened, QPoint()),
        opened.role_table.geometry(),
        opened.interval.geometry(),
    ) == before
    give(opened, "q_2", "e₂")
    wait_idle(opened, qtbot)
    assert opened.plots.isVisible()
    assert opened.import_button.isEnabled()
    opened.interval.start.setFocus()
    QTest.keyClicks(opened.interval.start, "soon")
    QTest.keyClick(opened.interval.start, Qt.Key.Key_Return)
    assert "'soon'" in opened.problem.text()
    assert opened.interval.start.is_refused
    opened.interval.all_button.click()
    wait_idle(opened, qtbot)
    assert opened.plots.isVisible()
    assert not opened.interval.start.is_refused


def test_convention_chosen_by_the_user_stays(opened: ImportDialog, qtbot: QtBot) -> None:
    for index, column in enumerate("uvw"):
        opened.choose_role(column, ColumnRole("rate", index))
    wait_idle(opened, qtbot)
    other = opened.convention_list.item(2)
    assert other is not None
    opened.convention_list.itemActivated.emit(other)
    wait_idle(opened, qtbot)
    assert opened.convention_list.currentRow() == 2
    best = opened.draft.ranking.best.convention if opened.draft.ranking is not None else None
    assert best is not None
    options = opened.draft.options
    assert (options.order, options.direction, options.rate_axes, options.rate_unit) != (
        best.order, best.direction, best.rate_axes, best.rate_unit,
    )  # fmt: skip
    opened.set_option("time_unit", "s")
    wait_idle(opened, qtbot)
    assert (opened.draft.options.order, opened.draft.options.rate_unit) == (
        options.order,
        options.rate_unit,
    ), "no new ranking changes it"


def test_time_range_is_dragged_or_typed_and_lane_is_aligned(
    opened: ImportDialog, document: Document, log: Path, qtbot: QtBot
) -> None:
    for index, column in enumerate("uvw"):
        opened.choose_role(column, ColumnRole("rate", index))
    wait_idle(opened, qtbot)
    opened.plots.bands[1].setRegion((53.0, 56.0))
    opened.plots.bands[1].sigRegionChangeFinished.emit(opened.plots.bands[1])
    assert (opened.interval.start.text(), opened.interval.stop.text()) == ("53", "56")
    assert opened.plots.span == (53.0, 56.0), "in both plots"
    first, last = opened.plots.ends
    QTest.keyClick(opened.plots, Qt.Key.Key_Right)
    assert opened.draft.options.start == pytest.approx(53.0 + 0.01 * (last - first), abs=1e-3)
    QTest.keyClick(opened.plots, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert opened.draft.options.stop == pytest.approx(56.0 - 0.01 * (last - first), abs=1e-3)
    QTest.keyClick(opened.plots, Qt.Key.Key_Home)
    QTest.keyClick(opened.plots, Qt.Key.Key_End)
    assert (opened.draft.options.start, opened.draft.options.stop) == (None, None)
    opened.plots.set_span_by_key(53.0, 56.0)
    opened.interval.stop.setFocus()
    opened.interval.stop.selectAll()
    QTest.keyClicks(opened.interval.stop, "56,5")
    QTest.keyClick(opened.interval.stop, Qt.Key.Key_Return)
    assert (opened.draft.options.start, opened.draft.options.stop) == (53.0, 56.5)
    opened.alignment.lane_box.show_value("newton_euler")
    opened.alignment.lane_box.chosen.emit("newton_euler")
    opened.alignment.side_box.show_value("body")
    assert opened.alignment.align_button.isEnabled()
    opened.alignment.align_button.click()
    wait_idle(opened, qtbot)
    assert "clocks differ" in opened.alignment.status_label.text()
    assert opened.draft.options.offset == pytest.approx(3.0, abs=1e-3)
    dashed = [
        item for item in opened.plots.plots[1].items
        if isinstance(item, PlotCurveItem) and item.isVisible() and item.opts["pen"].style() == Qt.PenStyle.DashLine
    ]  # fmt: skip
    seen = [np.interp(55.0, *item.getData()) for item in dashed]
    assert seen == pytest.approx(document.simulation.lanes[0].omega[500], abs=0.05), (
        "the lane, by the file's clock"
    )
    assert relative_angle(np.array(opened.draft.options.turn_body), BODY) < 1e-4
    assert opened.alignment.body_fields[0].text() == f"{np.degrees(0.5):.5g}"
    before, run = len(document.steps), document.simulation.lanes[0]
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(opened, Qt.Key.Key_Return, modifiers)
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert len(document.steps) == before + 1
    lane = document.state.preset.lanes[-1]
    assert (lane.name, lane.recording) == ("log", opened.draft.options)
    text = format_session(Session(document.state.preset))
    again = parse_session(text, folder=log.parent).preset.lanes[-1].recording
    assert again == opened.draft.options, "a session contains all choices"
    recording = load(again.in_folder(log.parent)).recording
    rows = np.round(recording.t / 0.01).astype(int)
    assert relative_angle(recording.p, run.p[rows]).max() < 5e-3
    document.undo()
    assert len(document.state.preset.lanes) == 1


def test_rotations_and_offset_are_typed_and_reset(opened: ImportDialog, qtbot: QtBot) -> None:
    for entry, text in ((opened.alignment.offset_field, "1.5"), (opened.alignment.space_fields[2], "90")):
        entry.setFocus()
        entry.selectAll()
        QTest.keyClicks(entry, text)
        QTest.keyClick(entry, Qt.Key.Key_Return)
        wait_idle(opened, qtbot)
    assert opened.draft.options.offset == 1.5
    assert opened.draft.options.turn_space == pytest.approx((np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    opened.alignment.reset_button.click()
    wait_idle(opened, qtbot)
    assert (opened.draft.options.offset, opened.draft.options.turn_space) == (None, None)


def test_detected_free_flight_is_selected(dialog: ImportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    t = np.arange(0.0, 3.0, 0.01)
    flies = (t >= 1.0) & (t <= 2.0)
    felt = np.where(flies[:, None], 0.2, [0.0, 1.0, 9.7])
    rates = np.outer(1.0 + t, [0.3, 2.0, 0.1])
    rates[250] = np.nan
    names = "t,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z"
    np.savetxt(
        tmp_path / "throw.csv", np.column_stack([t, felt, rates]), delimiter=",", header=names, comments=""
    )
    dialog.close()
    dialog.import_files([tmp_path / "throw.csv"])
    wait_idle(dialog, qtbot)
    assert (dialog.draft.options.start, dialog.draft.options.stop) == pytest.approx((1.01, 1.99), abs=0.011)
    assert "less than half of the acceleration of gravity" in dialog.interval.source_label.text()
    assert dialog.draft.preview is not None
    t = dialog.draft.preview.attitude.t
    assert (t[0], t[-1]) == pytest.approx((1.01, 1.99), abs=0.011), "integration starts with the interval"
    assert len(dialog.draft.preview.rates.t) == 300
    assert "1 row without an angular velocity is a gap" in dialog.remarks_label.text()
    assert dialog.remark_count_label.text().startswith(
        f"{len(dialog.remarks_label.text().splitlines())} notes"
    )
    dialog.interval.all_button.click()
    wait_idle(dialog, qtbot)
    assert (dialog.draft.options.start, dialog.draft.options.stop) == (None, None)
    dialog.interval.flight_button.click()
    wait_idle(dialog, qtbot)
    assert dialog.draft.options.start == pytest.approx(1.01, abs=0.011)
    dialog.attitude_form_box.show_value("313")
    dialog.attitude_form_box.chosen.emit("313")
    wait_idle(dialog, qtbot)
    assert dialog.draft.preview.attitude.values.shape[1] == 3


def test_stopped_job_keeps_what_was_read(dialog: ImportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=4.0)["exact"]
    recording = qv.Recording(lane.t, p=lane.p, omega=lane.omega)
    qv.write_recording(recording, tmp_path / "angles.csv", attitude="angles", sequence="213")
    dialog.close()
    dialog.import_files([tmp_path / "angles.csv"])
    qtbot.waitUntil(
        lambda: dialog.draft.preview is not None and dialog.is_busy and dialog.progress.value() > 0
    )
    assert dialog.plots.isVisible(), "visible before conventions are ranked"
    assert dialog.state_text.text() == "Testing conventions"
    dialog.stop_button.click()
    assert not dialog.is_busy
    assert dialog.draft.ranking is None
    assert dialog.import_button.isEnabled()
    parent = dialog.parent()
    assert parent is not None
    qtbot.waitUntil(lambda: not parent.findChildren(BackgroundJob))


def endless(started: list[str]) -> Callable[..., object]:
    """Return a job that ends only when it is cancelled."""

    def work(*arguments: object, **named: object) -> object:
        started.append(threading.current_thread().name)
        pause = threading.Event()
        while not pause.wait(0.002):
            raise_if_cancelled()
        return None

    return work


@pytest.mark.parametrize("job", ["flight", "align", "import", "compare"])
def test_every_job_can_be_stopped(
    opened: ImportDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, job: str
) -> None:
    started: list[str] = []
    if job == "align":
        opened.alignment.lane_box.show_value("newton_euler")
        monkeypatch.setattr(dialog_module, "align_recording", endless(started))
        opened.align_to_lane()
    elif job == "flight":
        monkeypatch.setattr(dialog_module, "free_flight_in_file", endless(started))
        opened.find_free_flight()
    elif job == "import":
        monkeypatch.setattr(dialog_module, "load", endless(started))
        opened.import_()
    else:
        monkeypatch.setattr(PlotSeries, "connected", endless(started))
        opened.alignment.lane_box.show_value("newton_euler")
        opened.alignment.comparison_changed.emit()
        for _ in range(5):
            opened.jobs.start("compare", opened.lane_reading, lambda result: None)
    assert job in opened.jobs.names
    qtbot.waitUntil(lambda: bool(started))
    opened.stop_button.click()
    assert not opened.is_busy
    parent = opened.parent()
    assert parent is not None
    qtbot.waitUntil(lambda: not parent.findChildren(BackgroundJob))
    assert len(started) == 1, "replaced jobs have not started"
    opened.alignment.lane_box.show_value("")


def test_added_lane_is_read_with_the_current_fields(
    opened: ImportDialog, document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a field changes while the file is read for the import, the file is read again before a lane is made."""
    release, readings = threading.Event(), []

    def slow_load(options: ReadOptions) -> LoadedRecording:
        readings.append(options)
        release.wait()
        return load(options)

    monkeypatch.setattr(dialog_module, "load", slow_load)
    opened.import_(makes_run=False)
    qtbot.waitUntil(lambda: len(readings) == 1)
    opened.draft.options = opened.draft.options.with_fields(start=51.5)
    release.set()
    try:
        qtbot.waitUntil(lambda: len(document.state.preset.lanes) == 2)
        lane = document.state.preset.lanes[1]
        assert isinstance(lane.recording, ReadOptions)
        assert lane.recording.start == 51.5
        assert lane.recording == readings[-1], "the added lane is the one that was read"
        assert len(readings) == 2
    finally:
        document.undo()


def test_dropped_file_waits_until_the_edited_recording_is_applied(
    opened: ImportDialog, document: Document, log: Path, qtbot: QtBot
) -> None:
    opened.import_(makes_run=False)
    qtbot.waitUntil(lambda: len(document.state.preset.lanes) == 2)
    try:
        opened.edit_recording()
        wait_idle(opened, qtbot)
        opened.import_files([log])
        assert opened.import_button.text() == "Apply", "the dialog still shows the lane's recording"
        opened.draft.options = opened.draft.options.with_fields(start=51.5)
        opened.import_(makes_run=False)
        qtbot.waitUntil(lambda: opened.import_button.text().startswith("New run"))
        assert len(document.state.preset.lanes) == 2
        assert document.state.preset.lanes[1].recording.start == 51.5
        assert opened.draft.options.path == log
        wait_idle(opened, qtbot)
        opened.import_(makes_run=False)
        qtbot.waitUntil(lambda: len(document.state.preset.lanes) == 3)
    finally:
        while document.steps[-1].text != "push":
            document.undo()


@pytest.mark.parametrize("theme", [DARK, LIGHT, PROJECTOR], ids=lambda theme: theme.name)
def test_dialog_fits_in_every_theme(opened: ImportDialog, qapp: QApplication, theme: object) -> None:
    apply_theme(qapp, theme)  # type: ignore[arg-type]
    handle_events()
    assert opened.minimumSizeHint().width() <= 1280
    assert opened.minimumSizeHint().height() <= 720
    side = opened.options_form.width()
    assert side >= opened.options_form.minimumSizeHint().width()
    for entry in (opened.interval.start, opened.interval.stop):
        text_width = entry.fontMetrics().horizontalAdvance(entry.placeholderText())
        assert text_width < entry.maximumWidth() - 2 * GRID_UNIT


def test_table_headings_follow_a_new_theme(opened: ImportDialog, qapp: QApplication, qtbot: QtBot) -> None:
    opened.show_in_front()
    table = opened.role_table
    head = table.horizontalHeader()
    qtbot.waitUntil(head.isVisible)
    for theme in (PROJECTOR, LIGHT, PROJECTOR, DARK):
        apply_theme(qapp, theme)
        wait_laid_out(opened, qtbot)
        assert head.fontMetrics().height() == table.fontMetrics().height()
        for column, name in enumerate(table.names):
            text_width = head.fontMetrics().horizontalAdvance(name)
            assert text_width < head.sectionSize(column) - GRID_UNIT, (theme.name, name)
            for row in range(table.rowCount()):
                text = str(table.model().index(row, column).data())
                width = table.fontMetrics().horizontalAdvance(text)
                assert width < head.sectionSize(column) - GRID_UNIT, (theme.name, text)


@pytest.mark.parametrize("ahead", [False, True], ids=["at once", "reduced beside the window"])
def test_decimated_curve_keeps_peaks_and_gaps(ahead: bool) -> None:
    t = np.arange(200_000) * 5e-4
    t = t[(t < 70.0) | (t > 71.0)]
    values = np.sin(t)[:, None]
    values[54_321] = 5.0
    bridged = np.ones(len(t) - 1, dtype=bool)
    bridged[139_999] = False
    shown = PlotSeries(t, values, bridged)
    if ahead:
        shown = shown.with_blocks()
        assert shown.blocks is not None
        # Only the extremes of so many rows are read.
        shown = shown._replace(values=np.full_like(values, np.inf))
    x, y = decimate(shown, 0.0, 100.0, buckets=300)
    assert len(x) < 700
    assert np.nanmax(y) == 5.0
    (hole,) = np.flatnonzero(np.isnan(y[:, 0]))
    assert x[hole] == pytest.approx(71.0, abs=0.4)
    near, fine = decimate(PlotSeries(t, values, bridged), 69.9, 71.1, buckets=300)
    assert np.isfinite(fine).sum() == len(fine) - 1
    assert near[0] <= 69.9 < 71.1 <= near[-1]


def test_file_without_known_units_shows_columns_for_roles_and_units(
    dialog: ImportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    rows = "".join(f"{0.3 + 0.01 * n},{2.5},{0.2}\n" for n in range(50))
    (tmp_path / "counts.csv").write_text("gyro_x [LSB],gyro_y [LSB],gyro_z [LSB]\n" + rows)
    dialog.close()
    dialog.import_files([tmp_path / "counts.csv"])
    qtbot.waitUntil(dialog.problem.isVisible)
    assert dialog.role_table.names[-1] == "row number"
    unit = dialog.role_table.item(1, 0)
    assert unit is not None
    assert "not understood" in unit.text()
    give(dialog, "row number", "Time")
    for column, role in zip("xyz", ("ω₁ [rad/s]", "ω₂ [rad/s]", "ω₃ [rad/s]"), strict=True):
        give(dialog, f"gyro_{column} [LSB]", role)
    menu = dialog.role_table.unit_menu("row number")
    assert menu is not None
    next(action for action in menu.actions() if action.text() == "0.01 s").trigger()
    wait_idle(dialog, qtbot)
    assert dialog.draft.options.time_unit == "0.01 s"
    assert dialog.plots.isVisible()
    recording = dialog.draft.preview.loaded.recording if dialog.draft.preview is not None else None
    assert recording is not None
    assert recording.interval == pytest.approx(0.01)


def test_new_run_of_a_recording_is_default_and_undoable(
    opened: ImportDialog, document: Document, qtbot: QtBot
) -> None:
    before = document.state.preset
    document.view.update("panels", panels={"multiplier": True, "cost": True})
    messages: list[str] = []
    document.message_emitted.connect(lambda text, topic: messages.append(text))
    opened.import_button.click()
    qtbot.waitUntil(lambda: document.state.preset is not before)
    assert document.view.state.panels == {ALL_OTHERS: False, **dict.fromkeys(RECORDING_PANELS, True)}
    assert set(RECORDING_PANELS) <= set(PANELS)
    assert [lane.formulation for lane in document.state.preset.lanes] == ["newton_euler", "recording"]
    assert any("samples" in text for text in messages)
    document.undo()
    assert document.state.preset.lanes == before.lanes
    assert document.view.state.panels == {"multiplier": True, "cost": True}


def test_fit_is_offered_after_the_last_file(
    qapp: QApplication, document: Document, log: Path, qtbot: QtBot
) -> None:
    calls: list[str] = []
    parent = QWidget()
    dialog = ImportDialog(document, parent, lambda: calls.append("fit"))
    try:
        dialog.import_files([log])
        wait_idle(dialog, qtbot)
        for index, column in enumerate("uvw"):
            dialog.choose_role(column, ColumnRole("rate", index))
        wait_idle(dialog, qtbot)
        dialog.import_(makes_run=False)
        qtbot.waitUntil(dialog.fit_button.isVisible)
        assert "log.csv" in dialog.imported_label.text()
        assert not dialog.import_button.isEnabled()
        assert not dialog.add_button.isEnabled()
        dialog.fit_button.click()
        assert calls == ["fit"]
        assert not dialog.isVisible()
    finally:
        document.undo()
        dialog.shutdown()
        parent.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_any_unit_can_be_typed_and_unknown_ones_are_asked_again(
    opened: ImportDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index, column in enumerate("uvw"):
        opened.choose_role(column, ColumnRole("rate", index))
    wait_idle(opened, qtbot)
    prompts: list[str] = []
    answers = iter([("furlongs", True), ("0.5 deg/s", True)])

    def answer(parent: QWidget, title: str, prompt: str, text: str) -> tuple[str, bool]:
        prompts.append(prompt)
        return next(answers)

    monkeypatch.setattr("quatviz.ui.tools.importing.columns.QInputDialog.getText", answer)
    menu = opened.role_table.unit_menu("u")
    assert menu is not None
    menu.actions()[-1].trigger()
    wait_idle(opened, qtbot)
    assert opened.draft.options.rate_unit == "0.5 deg/s"
    assert "furlongs" in prompts[1]


def test_units_missing_in_the_file_are_marked_until_chosen(
    dialog: ImportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    rows = "".join(f"{10 * n},0.3,2.5,{0.001 * n}\n" for n in range(50))
    (tmp_path / "a.csv").write_text("t,wx [rad/s],wy [rad/s],wz [rad/s]\n" + rows)
    dialog.close()
    dialog.import_files([tmp_path / "a.csv"])
    wait_idle(dialog, qtbot)

    def color(column: int) -> str:
        cell = dialog.role_table.item(1, column)
        assert cell is not None
        return cell.foreground().color().name()

    danger = QColor(dialog.role_table.theme.danger).name()
    assert (color(0), color(1) == danger) == (danger, False)
    dialog.set_option("time_unit", "ms")
    wait_idle(dialog, qtbot)
    assert color(0) != danger
