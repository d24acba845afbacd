"""The fit window: the interval, a fit in the background, its report, and applying the result."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.analysis.fitting.free_flight import FitSource
from quatviz.analysis.fitting.tables import correlation_of, estimates_of
from quatviz.base.errors import InputError
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import DARK, LIGHT, PROJECTOR
from quatviz.files.preset import Lane
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.ui.tools.fit.window import FitWindow
from quatviz.ui.widgets.style import apply_scale, apply_theme, set_own_theme

MOMENTS = np.array([1.0, 2.0, 2.7]) / 2.7


def preset_of_phone() -> qv.Preset:
    """Return the thrown phone with its whole recording, including the time in the hands."""
    preset = qv.load_preset("thrown_phone")
    lane = preset.lanes[2]
    whole = replace(lane.recording, start=None, stop=None).in_folder(lane.recording.folder)
    return replace(preset, lanes=[preset.lanes[0], replace(lane, recording=whole)])


@pytest.fixture(scope="module")
def document() -> Document:
    return Document(State.default_for(preset_of_phone()))


@pytest.fixture(scope="module")
def window(qapp: QApplication, document: Document) -> Iterator[FitWindow]:
    apply_theme(qapp, DARK)
    made = FitWindow(document, nice=0)
    made.show()
    yield made
    made.shutdown()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def wait_read(window: FitWindow, qtbot: QtBot) -> FitWindow:
    """Wait until the recording is read."""
    qtbot.waitUntil(lambda: window.inspection is not None)
    return window


def fitted(window: FitWindow, qtbot: QtBot) -> FitWindow:
    """Wait for a fit of the phone, and run one if necessary."""
    wait_read(window, qtbot)
    if window.fit is None and not window.is_running:
        qtbot.mouseClick(window.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.is_running)
    assert not window.problem.isVisible(), window.problem.text()
    assert window.fit is not None
    return window


@pytest.fixture
def fit_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run fits in threads, which start at once."""
    monkeypatch.setattr("quatviz.ui.tools.fit.window.PROCESSES", "threads")


def test_free_flight_is_detected_and_can_be_dragged(window: FitWindow, qtbot: QtBot) -> None:
    wait_read(window, qtbot)
    assert "Free flight from 0.92 s to 2.07 s" in window.choices.flight_label.text()
    assert window.choices.span == (0.92, 2.07)
    window.interval_plot.band.setRegion((1.0, 1.5))  # as a drag does
    assert window.choices.span == (1.0, 1.5)
    QTest.keyClick(window.interval_plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.interval_plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert window.choices.span == pytest.approx((1.0 - 0.00299, 1.5 + 0.0299))
    window.interval_plot.set_span_by_key(1.0, 1.5)
    window.choices.start.setFocus()
    window.choices.start.selectAll()
    QTest.keyClicks(window.choices.start, "1.2")
    QTest.keyClick(window.choices.start, Qt.Key.Key_Return)
    assert window.interval_plot.span == (1.2, 1.5)
    qtbot.mouseClick(window.choices.all_button, Qt.MouseButton.LeftButton)
    assert window.interval_plot.span == (0.0, pytest.approx(2.99))
    qtbot.mouseClick(window.choices.find_button, Qt.MouseButton.LeftButton)
    assert window.choices.span == (0.92, 2.07)


def test_parameters_undetermined_by_rates_alone_are_disabled(window: FitWindow, qtbot: QtBot) -> None:
    choices = wait_read(window, qtbot).choices
    assert not choices.misalignment.isEnabled()
    assert "attitudes" in choices.misalignment.toolTip()
    assert choices.scale.findData("each") < 0
    assert choices.bias.isEnabled()
    choices.disable_unsupported(True, True)
    assert choices.misalignment.isEnabled()
    assert choices.scale.findData("each") >= 0
    choices.disable_unsupported(False, True)


def test_fit_runs_in_a_process_and_shows_its_result(window: FitWindow, qtbot: QtBot) -> None:
    wait_read(window, qtbot)
    assert not window.take_over_button.isEnabled()
    qtbot.mouseClick(window.run_button, Qt.MouseButton.LeftButton)
    assert window.run_button.text() == "Cancel"
    assert window.progress.isVisible()
    assert window.work is not None
    assert window.work.processes, "a process, so that the window never waits"
    fitted(window, qtbot)
    fit = window.fit
    assert fit is not None
    assert "Fitted in" in window.state_text.text()
    assert "relative to the largest" in window.summary_label.text()
    assert window.table.rowCount() == len(estimates_of(fit))
    texts = [window.table.item(0, column).text() for column in range(4)]  # type: ignore[union-attr]
    assert texts[1:] == list(estimates_of(fit)[0].texts)
    assert "J₁" in texts[0]
    assert "cannot be determined without a known torque" in window.notes_label.text()
    assert "white" in window.notes_label.text()
    known = correlation_of(fit)
    assert window.correlation.rowCount() == len(known.symbols)
    cell = window.correlation.item(4, 6)
    assert cell is not None
    assert float(cell.text()) == pytest.approx(known.matrix[4, 6], abs=0.006)
    assert len(window.residuals.plots) == 3
    for component, title in zip(fit.residual_components, window.residuals.titles, strict=True):
        assert f"rms {component.rms:.2g}" in title
        assert "; white" in title
    assert window.take_over_button.isEnabled()
    assert not window.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)[0].isActive()


def test_residuals_are_drawn_in_their_own_unit_in_every_theme(
    window: FitWindow, qapp: QApplication, qtbot: QtBot
) -> None:
    fit = fitted(window, qtbot).fit
    assert fit is not None
    apply_theme(qapp, LIGHT)
    apply_theme(qapp, DARK)
    for component, plot in zip(fit.residual_components, window.residuals.plots, strict=True):
        low, high = plot.getViewBox().viewRange()[1]
        assert (low, high) == (pytest.approx(-5.0 * component.sigma), pytest.approx(5.0 * component.sigma))
        assert plot.getAxis("left").autoSIPrefixScale == 1.0
    window.action_registry["fit"].trigger()


def test_fitted_momentum_is_constant_only_during_flight(window: FitWindow, qtbot: QtBot) -> None:
    fitted(window, qtbot)
    window.curve_box.show_value("momentum")
    window.curve_box.chosen.emit("momentum")
    t, h = window.interval_plot.line.getOriginalDataset()
    inside = (t > 0.95) & (t < 2.05)
    assert np.std(h[inside]) < 0.01 * np.mean(h[inside])
    assert np.std(h) > 0.3 * np.mean(h)
    assert window.interval_plot.span == window.choices.span
    window.curve_box.show_value("speed")
    window.curve_box.chosen.emit("speed")


def test_fit_is_marked_outdated_after_changed_options(window: FitWindow, qtbot: QtBot) -> None:
    fitted(window, qtbot)
    assert not window.outdated_label.isVisible()
    span = window.choices.span
    window.interval_plot.band.setRegion((1.0, 1.5))  # as a drag does
    assert window.outdated_label.isVisible()
    assert "Press Run" in window.outdated_label.text()
    window.interval_plot.set_span_by_key(*span)
    assert not window.outdated_label.isVisible()
    for is_outdated in (True, False):
        window.choices.damping.click()
        assert window.outdated_label.isVisible() == is_outdated


def test_fit_of_an_edited_recording_is_marked_as_outdated(
    window: FitWindow, document: Document, qtbot: QtBot
) -> None:
    """An edit of the body changes no fit, since only the recording enters it; one of the recording does, until it is undone."""
    fitted(window, qtbot)

    def with_offset(state: State) -> State:
        first, recorded = state.preset.lanes
        recording = replace(recorded.recording, offset=0.5).in_folder(recorded.recording.folder)
        return state.with_preset(lanes=(first, replace(recorded, recording=recording)))

    document.propose("another body", lambda state: state.with_preset(body=Body(inertia=[1.0, 1.1, 1.2])))
    assert not window.outdated_label.isVisible()
    document.undo()
    document.propose("another time", with_offset)
    assert window.outdated_label.isVisible()
    assert window.outdated_label.text().startswith("Outdated: the run or the choices have changed.")
    document.undo()
    wait_read(window, qtbot)
    assert not window.outdated_label.isVisible()
    document.propose("no recording", lambda state: state.with_preset(lanes=state.preset.lanes[:1]))
    assert window.outdated_label.isVisible()
    document.undo()
    wait_read(window, qtbot)


def test_fit_results_are_readable_at_150_percent(window: FitWindow, qtbot: QtBot, qapp: QApplication) -> None:
    """Residual plots and tables were squeezed to a few pixels on a screen of 1366x768.

    This test is before those that give the window a theme of its own, which a scale does not change.
    """
    fitted(window, qtbot)
    before = window.size()
    apply_theme(qapp, PROJECTOR)
    apply_scale(150)
    window.resize(1350, 720)

    def is_readable() -> bool:
        plots, table = window.residuals.plots, window.table
        return (
            len({plot.pos().x() for plot in plots}) == 1
            and all(plot.getViewBox().height() > 2 * window.theme.small for plot in plots)
            and all(plot.mapRectToScene(plot.rect()).right() <= window.residuals.width() for plot in plots)
            and table.viewport().height() >= 3 * table.rowHeight(0)
        )

    qtbot.waitUntil(is_readable)
    apply_scale(100)
    apply_theme(qapp, DARK)
    window.resize(before)
    qtbot.waitUntil(lambda: len({plot.pos().x() for plot in window.residuals.plots}) == 3)


def test_all_residual_plots_are_visible_on_a_small_projector(window: FitWindow, qtbot: QtBot) -> None:
    """Wide titles pushed the third plot out of the window."""
    fitted(window, qtbot)
    before = window.size()
    set_own_theme(window, PROJECTOR)
    for size in (QSize(1900, 1000), QSize(1264, 660)):
        window.resize(size)
        qtbot.waitUntil(
            lambda: all(
                plot.mapRectToScene(plot.rect()).right() <= window.residuals.width()
                for plot in window.residuals.plots
            )
        )
    set_own_theme(window, DARK)
    window.resize(before)
    qtbot.waitUntil(lambda: "rad/s" in window.residuals.plots[0].titleLabel.text)


def test_fit_results_are_applied_in_one_step(window: FitWindow, document: Document, qtbot: QtBot) -> None:
    fit = fitted(window, qtbot).fit
    assert fit is not None
    before, steps = document.state, len(document.steps)
    window.choices.form.show_value("hamilton")
    qtbot.mouseClick(window.take_over_button, Qt.MouseButton.LeftButton)
    assert len(document.steps) == steps + 1
    preset = document.state.preset
    assert [lane.formulation for lane in preset.lanes] == ["hamilton", "recording"]
    assert preset.lanes[1].name == "phone"
    QCoreApplication.processEvents()
    assert not window.outdated_label.isVisible(), "the run shows this very fit"
    assert window.run_button.isEnabled()
    run = qv.simulate(preset)
    apart = run["hamilton"].omega - run["phone"].omega
    assert np.sqrt(np.nanmean(apart**2)) < 1.2 * fit.sigma_omega
    document.undo()
    assert document.state == before
    window.choices.form.show_value("newton_euler")
    wait_read(window, qtbot)


def test_applied_fit_keeps_mass_shape_and_scale_of_the_body(
    window: FitWindow, document: Document, qtbot: QtBot
) -> None:
    """A phone of 0.2 kg became an ellipsoid of about 1 kg m²."""
    before = document.state
    phone = Body(inertia=[3.5e-4, 1e-4, 4.2e-4], mass=0.2, shape="box", size=[0.0715, 0.147, 0.0078])
    assert document.propose("mass", lambda state: state.with_preset(body=phone)) is None
    window.run()
    fit = fitted(window, qtbot).fit
    assert fit is not None
    window.apply_fit()
    body = document.state.preset.body
    assert (body.mass, body.shape, body.size.tolist()) == (0.2, "box", phone.size.tolist())
    assert np.trace(body.inertia) == pytest.approx(8.7e-4, rel=2e-3)
    moments = np.linalg.eigvalsh(body.inertia)
    assert moments / moments[2] == pytest.approx(np.sort(fit.moments), abs=2 * fit.deviations.max())
    text = "The mass, 0.2 kg, and the sum of the principal moments, 0.00087 kg m², are kept"
    assert text in window.state_text.text()
    assert text in document.state.preset.summary
    document.undo(2)
    assert document.state == before
    window.run()
    fitted(window, qtbot)


def test_table_figure_and_preset_are_exported(window: FitWindow, qtbot: QtBot, tmp_path: Path) -> None:
    fit = fitted(window, qtbot).fit
    assert fit is not None
    for ending in ("csv", "md", "json", "svg", "toml"):
        window.export(tmp_path / f"fit.{ending}")
        assert not window.problem.isVisible(), window.problem.text()
    document = json.loads((tmp_path / "fit.json").read_text("utf-8"))
    assert document["estimates"][0]["value"] == fit.moments[0]
    assert document["correlation"]["symbols"][:2] == ["J₁", "J₂"]
    assert all(entry["white"] for entry in document["residuals"])
    lines = (tmp_path / "fit.csv").read_text("utf-8").splitlines()
    assert [line.split(",")[0] for line in lines[-len(estimates_of(fit)) :]] == [
        entry.symbol for entry in estimates_of(fit)
    ]
    assert "| moment about axis 1" in (tmp_path / "fit.md").read_text("utf-8")
    run = qv.simulate(qv.load_preset(tmp_path / "fit.toml"))
    assert np.isfinite(run["phone"].omega).all(), "its recording is stored beside it"
    window.export(tmp_path / "fit.doc")
    assert window.problem.isVisible()
    window.problem.hide()


def test_cancelled_fit_leaves_no_process(window: FitWindow, qtbot: QtBot) -> None:
    wait_read(window, qtbot)
    window.run()
    window.action_registry["leave"].trigger()
    assert not window.is_running
    assert window.state_text.text() == "Cancelled"
    assert window.isVisible()
    assert not window.take_over_button.isEnabled()


def test_numbers_at_axis_ends_are_not_clipped(window: FitWindow, qtbot: QtBot) -> None:
    wait_read(window, qtbot)
    line = window.interval_plot.fontMetrics().height()
    box = window.interval_plot.getViewBox().sceneBoundingRect()
    assert box.top() >= line / 2 - 2


def test_invalid_interval_is_explained(window: FitWindow, qtbot: QtBot, fit_in_threads: None) -> None:
    wait_read(window, qtbot)
    entry, refused = window.choices.start, window.choices.start.message
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "abc")
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert refused.isVisible()
    assert "'abc'" in refused.text(), "at the field, before the fit runs"
    assert entry.property("refused")
    window.select_free_flight()
    assert not refused.isVisible()
    window.choices.start.setText("2.5")
    window.run()
    assert "a start before the end" in window.problem.text()
    window.choices.start.setText("soon")
    window.run()
    assert "soon" in window.problem.text()
    window.select_free_flight()
    window.choices.stop.setText("0.95")
    window.run()
    qtbot.waitUntil(lambda: not window.is_running)
    assert "ten rows or more" in window.problem.text(), "an error of the process is shown too"
    window.select_free_flight()
    window.problem.hide()


def test_unreadable_recording_is_reported(window: FitWindow, document: Document, qtbot: QtBot) -> None:
    wait_read(window, qtbot)
    refusal = InputError("log.csv", expected="rows", found="none", remedy="record again")
    lanes = [
        Lane("newton_euler"),
        Lane("recording", recording=qv.Recording(np.arange(3.0), omega=np.ones((3, 3)))),
    ]
    preset = replace(document.state.preset, lanes=lanes)
    with patch("quatviz.ui.tools.fit.window.open_fit_source", side_effect=refusal):
        assert document.propose("unreadable", lambda _: State.default_for(preset)) is None
        assert window.choices.flight_label.text() == "Reading"
        qtbot.waitUntil(lambda: not window.problem.isHidden())
    assert "record again" in window.problem.text()
    assert window.choices.flight_label.text() == ""
    document.undo()
    wait_read(window, qtbot)
    assert window.problem.isHidden()


def test_script_arrays_with_outliers_are_fitted(
    window: FitWindow, document: Document, qtbot: QtBot, fit_in_threads: None
) -> None:
    """Two outliers in a hundred rates of a script, with Cauchy loss; then no recording at all."""
    rng = np.random.default_rng(3)
    t = np.linspace(0.0, 5.0, 501)
    _, omega = solve(Body(inertia=27.0 * MOMENTS), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 4.0, 1.0])).evaluate(t)  # fmt: skip
    omega += 0.04 * rng.standard_normal(omega.shape)
    omega[rng.choice(501, 10, replace=False)] = rng.uniform(-35.0, 35.0, (10, 3))
    before = document.state
    lanes = [Lane("newton_euler"), Lane("recording", recording=qv.Recording(t, omega=omega))]
    shown = replace(before.preset, lanes=lanes)
    assert document.propose("wild", lambda _: State.default_for(shown)) is None
    wait_read(window, qtbot)
    window.choices.loss.show_value("cauchy")
    window.run()
    qtbot.waitUntil(lambda: not window.is_running)
    assert window.fit is not None
    assert np.abs(window.fit.moments - MOMENTS).max() < 0.01
    assert "little weight" in window.notes_label.text()
    rod = InputError("Body.inertia", expected="moments above 0", found="2e-14, 1, 1", remedy="check them")
    with patch.object(FitSource, "make_preset", side_effect=rod):
        window.apply_fit()
    assert "2e-14" in window.problem.text()
    window.apply_fit()
    assert window.problem.isHidden()
    assert document.state.preset.lanes[1].recording.t[-1] == 5.0
    alone = replace(before.preset, lanes=[before.preset.lanes[0]])
    assert document.propose("alone", lambda _: State.default_for(alone)) is None
    assert not window.run_button.isEnabled()
    assert window.choices.recording.count() == 0
    window.choices.loss.show_value("linear")
    for _ in range(3):
        document.undo()
    assert document.state == before
    wait_read(window, qtbot)
