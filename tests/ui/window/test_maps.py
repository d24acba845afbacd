"""The window of parameter maps: a growing map, pointing, and loading a run by a click."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QScrollArea, QSplitter
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.analysis.sweeps.runs import STATUSES
from quatviz.display.document.document import Document, DocumentChange
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import DARK, PROJECTOR
from quatviz.ui.tools.maps.window import MapWindow
from quatviz.ui.widgets import windows
from quatviz.ui.widgets.style import apply_theme, set_own_theme

computed_next: list[DocumentChange] = []
"""Log of the runs computed by the document."""


@pytest.fixture(scope="module")
def document() -> Document:
    preset = qv.load_preset("intermediate_axis").with_run(
        lanes=["newton_euler", "hamilton"], dt=2e-2, sample_interval=2e-2
    )
    return Document(State.default_for(preset), computed_next.append)


@pytest.fixture(scope="module")
def window(qapp: QApplication, document: Document) -> Iterator[MapWindow]:
    apply_theme(qapp, DARK)
    made = MapWindow(document)
    made.show()
    yield made
    made.shutdown()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def computed(window: MapWindow, qtbot: QtBot) -> MapWindow:
    """Return the window with a map of the first flip over two components of the initial state."""
    if window.work is None or window.chart is None or len(window.chart.spans) != 2:
        window.choices.measure.show_value("first_flip")
        window.choices.duration.setText("8000 ms")
        window.choices.count.show_value(25)
        window.choices.across.start.setText("-1 N m s")
        window.choices.across.stop.setText("1")
        window.choices.up.address.show_value("initial.angular_momentum[2]")
        window.run()
        assert window.run_button.text() == "Cancel"
        assert not window.problem.isVisible()
    qtbot.waitUntil(lambda: not window.is_running)
    return window


def place_of(window: MapWindow, cell: tuple[int, int]) -> QPoint:
    """Return the position of a cell in the picture."""
    assert window.chart is not None
    places = [float(span.coordinates[number]) for span, number in zip(window.chart.spans, cell, strict=True)]
    return window.map_plot.mapFromScene(window.map_plot.view_box.mapViewToScene(QPointF(*places)))


def test_chosen_map_is_computed(computed: MapWindow) -> None:
    chart = computed.chart
    assert chart is not None
    assert chart.computed.shape == (25, 25)
    assert (chart.results.status == STATUSES.index("ok")).all()
    assert re.fullmatch(r"625 of 625 runs complete", computed.state_text.text())
    finite = chart.values[np.isfinite(chart.values)]
    assert 0 < finite.min() < finite.max() <= 8.0
    shades = computed.map_plot.image.image
    np.testing.assert_allclose(shades, chart.scale.normalize(chart.values).astype(np.float32))


def test_click_loads_exactly_the_run_of_a_cell(computed: MapWindow, document: Document, qtbot: QtBot) -> None:
    before = document.state.preset
    chart = computed.chart
    assert chart is not None
    cell = (4, 20)
    QTest.mouseClick(computed.map_plot.viewport(), Qt.MouseButton.LeftButton, pos=place_of(computed, cell))
    qtbot.waitUntil(lambda: document.state.preset is not before)
    loaded = document.state.preset
    h = loaded.body.inertia @ loaded.initial.omega(loaded.body)
    np.testing.assert_allclose([h[0], h[2]], chart.axis_values(cell))
    run = qv.simulate(loaded)
    assert run.lanes[0].t[-1] == 8.0
    turned = np.flatnonzero(np.diff(np.sign(run.lanes[0].h[:, 1])))[0]
    assert run.lanes[0].t[turned] <= chart.values[cell] <= run.lanes[0].t[turned + 1]
    document.undo()
    assert document.state.preset == before


def test_hovered_cell_is_described_and_its_cuts_are_drawn(computed: MapWindow) -> None:
    picture, chart = computed.map_plot, computed.chart
    assert chart is not None
    picture.point_at((3, 7))
    computed.cut_axis_box.show_value(1)
    picture.setFocus()
    QTest.keyClick(picture, Qt.Key.Key_Up)
    assert picture.cell == (3, 8)
    assert picture.bubble.isVisible()
    assert picture.bubble.text().splitlines() == chart.describe_cell((3, 8))
    picture.resize(picture.width() - 40, picture.height())
    assert not picture.bubble.isVisible(), "the cell has moved"
    _, heights = computed.profile.line.getData()
    np.testing.assert_allclose(heights, chart.values[3])
    QTest.keyClick(picture, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert picture.cell == (0, 8)
    assert picture.bubble.isVisible()
    QApplication.sendEvent(picture, QEvent(QEvent.Type.Leave))
    assert not picture.bubble.isVisible(), "the description disappears when the pointer leaves the map"
    computed.cut_axis_box.show_value(0)
    picture.point_at((5, 8))
    _, heights = computed.profile.line.getData()
    np.testing.assert_allclose(heights, chart.values[:, 8])


def test_part_of_a_map_is_zoomed_and_left_again(computed: MapWindow, qtbot: QtBot) -> None:
    whole = computed.chart
    assert whole is not None
    computed.map_plot.zoom_requested.emit(QRectF(0.25, -1.0, 0.5, 2.0))
    qtbot.waitUntil(lambda: not computed.is_running)
    part = computed.chart
    assert part is not None
    assert (part.spans[0].low, part.spans[0].high) == (0.25, 0.75)
    assert computed.choices.across.start.text() == "0.25"
    assert computed.back_button.isVisible()
    computed.go_back()
    assert computed.chart is not None
    assert computed.chart.spans == whole.spans
    assert not computed.back_button.isVisible()
    qtbot.waitUntil(lambda: not computed.is_running)


def test_figure_table_and_page_are_exported(computed: MapWindow, tmp_path: Path) -> None:
    computed.export(tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text("utf-8").startswith("<?xml")
    computed.export(tmp_path / "map.csv")
    import pandas

    assert len(pandas.read_csv(tmp_path / "map.csv", skiprows=1)) == 625
    computed.export(tmp_path / "map.html")
    assert "The intermediate axis" in (tmp_path / "map.html").read_text("utf-8")
    assert not computed.problem.isVisible()
    computed.export(tmp_path / "map.doc")
    assert computed.problem.isVisible()
    computed.problem.hide()


def test_one_axis_makes_a_diagram(computed: MapWindow, qtbot: QtBot) -> None:
    computed.choices.up.address.show_value("")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert computed.chart is not None
    assert computed.chart.values.shape == (25,)
    assert computed.diagram.isVisible()
    assert not computed.cut_panel.isVisible()
    _, heights = computed.diagram.line.getData()
    np.testing.assert_allclose(heights, computed.chart.values)


def test_values_are_a_list_or_random_points(computed: MapWindow, document: Document, qtbot: QtBot) -> None:
    choices = computed.choices
    choices.up.address.show_value("")
    choices.across.scale.show_value("list")
    choices.across.scale.chosen.emit("list")
    assert choices.across.list_field.isVisible()
    assert not choices.across.start.isVisible()
    choices.across.list_field.setText("0.1, 0.2, x")
    computed.run()
    assert "numbers separated by commas" in computed.problem.text()
    choices.across.list_field.setText("0.1, 0.2, 0.9")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert computed.work is not None
    assert computed.work.plan.axes[0].values.tolist() == [0.1, 0.2, 0.9]
    choices.random.setChecked(True)
    choices.up.address.show_value("initial.angular_momentum[2]")
    computed.run()
    assert "Found a list" in computed.problem.text()
    choices.across.scale.show_value("linear")
    choices.across.scale.chosen.emit("linear")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert computed.chart is not None
    assert computed.section.isVisible()
    assert len(computed.chart.point_coordinates) == np.isfinite(computed.chart.values).sum() > 0
    before = document.state.preset
    computed.load((5,))
    h = document.state.preset.body.inertia @ document.state.preset.initial.omega(before.body)
    np.testing.assert_allclose([h[0], h[2]], computed.chart.axis_values((5,)))
    document.undo()
    choices.random.setChecked(False)


def test_random_points_replace_a_computed_map(computed: MapWindow, qtbot: QtBot) -> None:
    """The results computed so far are shown again, with their own axes."""
    choices = computed.choices
    choices.up.address.show_value("initial.angular_momentum[2]")
    computed.run()
    assert computed.is_running
    qtbot.waitUntil(lambda: computed.chart is not None and computed.chart.is_map)
    choices.random.setChecked(True)
    computed.run()
    assert computed.section.isVisible()
    computed.cancel()
    choices.random.setChecked(False)


def test_impossible_sweeps_are_reported_and_keep_the_map(computed: MapWindow) -> None:
    before = computed.work
    computed.choices.across.stop.setText("many")
    computed.run()
    assert computed.problem.isVisible()
    assert "Expected a number" in computed.problem.text()
    assert computed.work is before
    computed.choices.across.stop.setText("1")


def test_failed_cell_loads_no_run_and_shows_the_reason(
    computed: MapWindow, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, chart = document.state, computed.chart
    assert chart is not None
    refused = chart.plan.preset.with_run(dt=0.02)
    monkeypatch.setattr(type(chart.plan), "preset_at", lambda *_: refused.with_run(dt=0.0123))
    computed.load((3, 4))
    assert computed.problem.isVisible()
    assert "divides sample interval" in computed.problem.text()
    assert document.state is before
    computed.problem.hide()


def test_unreachable_cluster_gives_a_message(computed: MapWindow, qtbot: QtBot) -> None:
    field = computed.cluster_field
    qtbot.mouseClick(field.button, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(field.entry, "tcp://127.0.0.1:9")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert "the scheduler tcp://127.0.0.1:9" in computed.problem.text()
    assert "answers within 5 s" in computed.problem.text()
    assert computed.empty.isVisible()
    assert not computed.export_buttons[0].isEnabled()
    field.entry.setText("host")
    computed.run()
    assert "the address of a scheduler" in computed.problem.text()
    field.entry.clear()
    qtbot.keyClick(field.entry, Qt.Key.Key_Return)
    computed.problem.hide()


def test_map_window_follows_the_theme(computed: MapWindow, qtbot: QtBot) -> None:
    set_own_theme(computed, PROJECTOR)
    qtbot.waitUntil(lambda: computed.map_plot.backgroundBrush().color().name() == PROJECTOR.surface)
    assert computed.profile.backgroundBrush().color().name() == PROJECTOR.surface
    set_own_theme(computed, DARK)


def test_click_on_a_section_point_loads_its_run(
    computed: MapWindow, document: Document, qtbot: QtBot, tmp_path: Path
) -> None:
    before = document.state.preset
    computed.choices.measure.show_value("section_points")
    computed.choices.up.address.show_value("initial.angular_momentum[2]")
    computed.choices.duration.setText("60")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    chart, section = computed.chart, computed.section
    assert chart is not None
    assert section.isVisible()
    assert not computed.cut_panel.isVisible()
    assert "Colors: " in computed.boundary_label.text()
    assert len(chart.point_coordinates) == np.nansum(chart.values) > 25
    found = chart.results.measured["section_points"][0, *chart.point_cells.T][..., :2]
    assert (found == chart.point_coordinates[:, None, :]).all(axis=-1).any(axis=-1).all()
    number = len(chart.point_coordinates) // 3
    box = section.getPlotItem().getViewBox()

    def position() -> QPointF:
        """Return the screen position, which changes until the axes have reserved space for their texts."""
        return box.mapViewToScene(QPointF(*chart.point_coordinates[number]))

    qtbot.waitUntil(lambda: section.point_near(position()) is not None)
    assert section.point_near(box.mapViewToScene(box.viewRect().topLeft())) is None

    def pointed() -> bool:
        """The move is repeated, because pyqtgraph drops moves in quick succession."""
        for at in (QPoint(5, 5), section.mapFromScene(position())):
            QTest.mouseMove(section.viewport(), at)
            QTest.qWait(30)
        return section.bubble.isVisible()

    qtbot.waitUntil(pointed)
    assert "Points of a Poincaré section" in section.bubble.text()
    QTest.mouseClick(section.viewport(), Qt.MouseButton.LeftButton, pos=section.mapFromScene(position()))
    qtbot.waitUntil(lambda: document.state.preset is not before)
    loaded = document.state.preset
    h = loaded.body.inertia @ loaded.initial.omega(loaded.body)
    pixel = section.mapToScene(section.mapFromScene(position()))  # points lie close to each other
    nearest = section.point_near(pixel)
    assert nearest is not None
    assert chart.crossing_times is not None
    np.testing.assert_allclose([h[0], h[2]], chart.axis_values(chart.point_cells[nearest].tolist()))
    at = computed_next[-1].cursor
    assert at is not None
    assert (at.target_time, at.playing) == (chart.crossing_times[nearest], False)
    lane = qv.simulate(loaded).lanes[0]
    omega = [np.interp(at.target_time, lane.t, part) for part in lane.omega.T]
    np.testing.assert_allclose(
        [omega[1], omega[2], omega[0]], [*chart.point_coordinates[nearest], 0.0], atol=0.02
    )
    document.undo()
    computed.export(tmp_path / "section.svg")
    assert (tmp_path / "section.svg").stat().st_size > 1000
    computed.choices.measure.show_value("flips")
    computed.choices.duration.setText("8")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert section.chart is None, "all its points are stored with the map"
    assert section.dots.boundingRect().size() == QSizeF(1.0, 1.0)


def test_only_available_table_formats_are_offered(
    document: Document, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """A text table is always possible."""

    def offered() -> str:
        made = MapWindow(document)
        qtbot.addWidget(made)
        (table,) = (button for button in made.export_buttons if button.text() == "Table…")
        table.setEnabled(True)
        table.click()
        made.shutdown()
        return asked.pop()

    def answer(parent: object, title: str, name: str, kinds: str) -> tuple[str, str]:
        asked.append(kinds)
        return "", ""

    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    assert "*.nc" in offered()
    monkeypatch.setitem(sys.modules, "xarray", None)
    assert "*.nc" not in offered()
    assert "*.csv" in offered()


def test_form_fits_its_text_in_every_theme(window: MapWindow) -> None:
    """A window opened in the light theme cut its fields when the projector theme was chosen."""
    before = window.theme
    set_own_theme(window, DARK)
    parts = window.centralWidget()
    assert isinstance(parts, QSplitter)
    wide = parts.sizes()[0]
    set_own_theme(window, PROJECTOR)
    QApplication.processEvents()
    assert parts.sizes()[0] >= wide * PROJECTOR.normal // DARK.normal > wide
    set_own_theme(window, DARK)
    QApplication.processEvents()
    assert parts.sizes()[0] == pytest.approx(wide, abs=1)
    set_own_theme(window, before)
    QApplication.processEvents()


def test_form_is_not_cut_in_a_narrow_window(window: MapWindow) -> None:
    """On a small screen the text beside the form took its space, and a focused field scrolled its label out of view."""
    before, size = window.theme, window.size()
    set_own_theme(window, PROJECTOR)
    window.resize(window.minimumSizeHint())
    QApplication.processEvents()
    parts, inside = window.centralWidget(), window.choices.widget()
    assert isinstance(parts, QSplitter)
    assert inside is not None
    parts.setSizes([0, window.width()])
    QApplication.processEvents()
    assert window.choices.viewport().width() >= inside.minimumSizeHint().width() > 0
    assert window.empty.minimumSizeHint().width() < window.width() / 2, "it wraps"
    set_own_theme(window, before)
    window.resize(size)
    QApplication.processEvents()
    parts.setSizes([400, 1000])


def test_scrolled_window_on_a_small_screen_follows_the_theme(
    document: Document, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(windows, "WINDOW_FRAME_MARGINS", QMargins(0, 0, 0, 4000))  # no screen is high enough
    made = MapWindow(document)
    qtbot.addWidget(made)
    made.show()
    assert isinstance(made.centralWidget(), QScrollArea)
    set_own_theme(made, PROJECTOR)
    assert made.theme is PROJECTOR
    made.shutdown()


def test_error_is_cleared_when_another_run_is_shown(window: MapWindow, document: Document) -> None:
    window.choices.duration.setText("12 kg")
    window.run()
    assert window.problem.isVisibleTo(window)
    window.show_state(document.state)
    assert not window.problem.isVisibleTo(window)
    window.choices.duration.setText("8")


def test_map_of_another_run_or_other_options_is_marked_outdated(
    computed: MapWindow, document: Document, qtbot: QtBot
) -> None:
    """Closed and opened again after an edit, the window showed the old map beside the new settings."""
    computed.choices.duration.setText("8")
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)
    assert not computed.outdated_label.isVisible()
    computed.close()
    body = replace(document.state.preset.body, inertia=np.diag([3.0, 2.1, 1.5]))
    assert document.propose("body", lambda state: state.with_preset(body=body)) is None
    computed.show()
    assert computed.outdated_label.isVisible()
    assert "Press Run" in computed.outdated_label.text()
    document.undo()
    assert not computed.outdated_label.isVisible()
    computed.load((4, 20))
    assert not computed.outdated_label.isVisible(), "a run of this very map"
    document.undo()
    before = computed.choices.measure.value
    other = "flips" if before != "flips" else "first_flip"
    for name, is_outdated in ((other, True), (before, False), (other, True)):
        computed.choices.measure.show_value(name)
        computed.choices.measure.chosen.emit(name)
        assert computed.outdated_label.isVisible() == is_outdated
    computed.run()
    assert not computed.outdated_label.isVisible()
    computed.choices.measure.show_value(before)
    computed.run()
    qtbot.waitUntil(lambda: not computed.is_running)


def test_map_names_its_preset_after_another_is_opened(
    computed: MapWindow, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, names = document.state, []

    def answer(parent: object, title: str, name: str, kinds: str) -> tuple[str, str]:
        names.append(Path(name).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    try:
        document.preview(State.default_for(qv.load_preset("heavy_top")))
        now = document.state.preset.title
        assert computed.title.text() == own.preset.title
        assert computed.outdated_label.isVisible()
        assert f"Outdated: the main window shows “{now}” now." in computed.outdated_label.text()
        computed.export_buttons[0].click()
        assert names[0].startswith(f"{own.preset.title} - "), "its file has the same name"
    finally:
        document.preview(own)
    assert computed.title.text() == own.preset.title


def test_axis_title_does_not_overlap_axis_numbers(computed: MapWindow) -> None:
    """At 150 % they did: the axis height did not follow the font, not even in the projector theme."""
    before = computed.theme
    set_own_theme(computed, PROJECTOR)
    QApplication.processEvents()
    axis = computed.map_plot.plot.getAxis("bottom")
    letters = QFontMetrics(axis.style["tickFont"])
    bounds = axis.label.mapRectToItem(axis, axis.label.boundingRect())
    assert bounds.center().y() - letters.height() / 2 >= letters.height(), "below the numbers"
    assert axis.height() >= 2.5 * letters.height()
    set_own_theme(computed, before)
    QApplication.processEvents()


def test_rejected_fields_are_framed_and_explained_when_left(window: MapWindow, qtbot: QtBot) -> None:
    """The error appeared only when the map was run, far from the field."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    fields = window.choices.duration, window.choices.across.start
    for field in fields:
        before = field.text()
        for typed, refused in (("12 kg", True), ("2", False), ("soon", True)):
            field.setFocus()
            field.selectAll()
            QTest.keyClicks(field, typed)
            QTest.keyClick(field, Qt.Key.Key_Tab)
            assert bool(field.property("refused")) is refused
            assert field.message.isVisible() is refused
            assert not refused or repr(typed) in field.message.text()
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert not field.message.isVisible(), "taken back"
        field.setText(before)


def test_loads_that_change_within_a_step_have_a_remark(
    computed: MapWindow, document: Document, qtbot: QtBot
) -> None:
    assert not computed.remarks_label.isVisible()
    loads = [qv.Torque(torque=["100*exp(-((t - 5.0125)/0.001)**2)", 0.0, 0.0])]
    preset = replace(document.state.preset, loads=loads)
    made = MapWindow(Document(State.default_for(preset), lambda change: None))
    made.show()
    made.choices.count.show_value(3)
    made.choices.duration.setText("6")
    made.run()
    qtbot.waitUntil(lambda: made.work is not None and not made.is_running)
    assert made.remarks_label.isVisible()
    assert "a load changes within 0.0007 s at t = 5.01" in made.remarks_label.text()
    made.shutdown()


def test_window_states_what_the_chosen_measure_counts(window: MapWindow) -> None:
    before = window.choices.measure.value
    window.choices.measure.show_value("flips")
    assert "sign changes of h along the main spin axis" in window.choices.measure_summary.text()
    window.choices.measure.show_value("nutation")
    assert "smallest tilt of the axis" in window.choices.measure_summary.text().lower()
    window.choices.measure.show_value(before)
