"""Fit window. The time range of the recording is at the top, the estimates are in the middle and the residuals at the
bottom."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from quatviz.analysis.executors.factory import PROCESSES
from quatviz.analysis.fitting.files import write_fit
from quatviz.analysis.fitting.fit import FitJob
from quatviz.analysis.fitting.free_flight import FitSource, open_fit_source
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import summary_sentences
from quatviz.base.errors import InputError
from quatviz.base.formatting import capitalize_first
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.files import refuse_unwritable, write_preset_text
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import format_preset
from quatviz.physics.formulations import formulation_class, lane_title
from quatviz.physics.mechanics.body import Body
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.help.actions import Action, Menu
from quatviz.ui.tools.base.task_window import (
    NICENESS,
    ExportTarget,
    TaskWindow,
    common_actions,
    figure_and_table_targets,
)
from quatviz.ui.tools.fit.choices import FitChoices
from quatviz.ui.tools.fit.interval_plot import IntervalPlot
from quatviz.ui.tools.fit.residuals import ResidualPlots
from quatviz.ui.tools.fit.tables import CorrelationTable, EstimateTable
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.background_job import BackgroundJobs, JobSpec
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.fields import field_values
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, make_splitter, wrap_layout
from quatviz.ui.widgets.scrolling import CompactScrollArea, make_scroll_area

_EMPTY_TEXT = (
    "Choose a recording and the interval without torque, then press Run.\n"
    "The moments of inertia, their uncertainty and the residuals appear here."
)
_NO_RECORDING_TEXT = "No lane of this run is a recording.\nFile > Import recordings… adds one."
_TABLE_FILTER = "Table (*.csv *.json *.md)"
_PRESET_FILTER = "Preset (*.toml)"
_SPEED, _MOMENTUM = "speed", "momentum"


class FitWindow(TaskWindow[FitJob]):
    """Window that fits bodies to the recordings of the main window's run, one recording at a time."""

    def __init__(self, document: Document, nice: int = NICENESS) -> None:
        exports = (
            *figure_and_table_targets(tr(_TABLE_FILTER)),
            ExportTarget(tr("Save as a preset…"), tr(_PRESET_FILTER), ".toml"),
        )
        super().__init__(document, tr("Fit the body – quatviz"), "fit", tr(_EMPTY_TEXT), exports)
        self._nice = nice
        self._lanes: dict[int, Lane] = {}
        self._chosen_lane: Lane | None = None
        """Lane whose recording is shown."""
        self._fit_source: tuple[Lane, FitSource, Preset] | None = None
        """The lane, data and preset from which the displayed fit was computed, or None."""
        self._applied_recording: ReadOptions | Recording | None = None
        """Recording of the run opened by `apply_fit`, or None. It is only a part of the fitted recording, which stays shown in
        this window."""
        self._runs_after_inspection = False
        """True if the fit is to start as soon as the recording has been read."""
        self.inspection: FitSource | None = None
        self.jobs = BackgroundJobs(self)
        self.jobs.failed.connect(self._show_failure)
        self.choices = FitChoices()
        curves = {_SPEED: tr("Rate |ω|"), _MOMENTUM: tr("Momentum |h|, if the largest moment is 1 kg m²")}
        self.curve_box = ChoiceBox(curves, tr("Displayed curve"), 28)
        self.interval_plot = IntervalPlot()
        self.summary_label, self.notes_label = (
            label("subheading", selectable=True),
            label("muted", selectable=True),
        )
        self.table, self.correlation = EstimateTable(), CorrelationTable()
        self.residuals = ResidualPlots()
        actions = ActionRegistry(ACTIONS, self, parent=self)
        tooltip = actions.tooltip("take", tr("Simulate the fitted body beside the recording"))
        self.take_over_button = Button(tr("Apply to run"), actions["take"].trigger, tooltip)
        self._connect()
        notes = make_scroll_area(column(self.notes_label), CompactScrollArea())
        right = wrap_layout(column(notes, (self.correlation, 1), margins=(2 * GRID_UNIT, 0, 0, 0)))
        tables = make_splitter((self.table, 740), (right, 340), stretch_index=1)
        tables.setStretchFactor(0, 1)  # both sides get narrower in a small window
        page = wrap_layout(column(self.summary_label, (tables, 1)))
        self.residual_panel = wrap_layout(
            column(self.residuals, margins=(2 * GRID_UNIT, 0, 2 * GRID_UNIT, GRID_UNIT))
        )
        self._page = page
        self._build_layout(
            actions,
            (self.choices, self.theme.scaled_pixels(320)),
            [self.curve_box, self.take_over_button],
            [page],
            ([self.interval_plot], []),
            (self.residual_panel, 240),
        )

    # --- commands

    @property
    def fit(self) -> BodyFit | None:
        """Current fit, or None."""
        return None if self.work is None else self.work.fit

    def apply_fit(self) -> None:
        """Open a run in which the motion of the fitted body is shown beside the recording. This is one undo step."""
        if self.fit is not None:
            refusal = self._document.open(
                tr("apply the fitted body"), lambda _: State.default_for(self._preset_to_apply())
            )
            kept = tr(self.fit.scale_sentence(self._known_body))
            self._report(refusal, tr("Applied to the run. {kept}", kept=kept))

    def fit_last_recording(self) -> None:
        """Fit the free flight of the last recording of the run, as soon as it has been read."""
        if not self._lanes:
            return
        number = max(self._lanes)
        self.choices.recording.show_value(number)
        self._choose_lane(number)
        if self.inspection is None:
            self._runs_after_inspection = True
        else:
            self.select_free_flight()
            self.run()

    def select_free_flight(self) -> None:
        """Select the detected interval of free flight as the time range to be fitted."""
        if self.inspection is not None:
            self._show_span(self.inspection.free_flight.start, self.inspection.free_flight.stop)

    def select_all(self) -> None:
        """Select the whole recording as the time range to be fitted."""
        if self.inspection is not None:
            t = self.inspection.recording.t
            self._show_span(float(t[0]), float(t[-1]))

    def shutdown(self) -> None:
        self.jobs.shutdown()
        super().shutdown()

    # --- methods of a task window

    def _start_work(self) -> FitJob:
        inspection, lane = self.inspection, self._chosen_lane
        if inspection is None or lane is None:
            raise InputError(
                "the fit", expected="a lane with a recording", found="none that can be read",
                remedy="import a recording: File > Import recordings…", topic="fit#in-the-window",
            )  # fmt: skip
        arguments = {**inspection.fit_arguments(*self.choices.span), **self.choices.arguments()}
        fitting = FitJob(arguments, self.cluster_field.text or PROCESSES, nice=self._nice, waits=False)
        self._fit_source = lane, inspection, self._document.state.preset
        return fitting

    def _fitted_preset(self) -> Preset:
        """Return a preset with a lane for the motion of the fitted body and a lane for its recording.

        Raise `InputError` if no such body exists, for example if all its mass would lie on a line.
        """
        assert self.fit is not None
        assert self._fit_source is not None
        lane, inspection, _ = self._fit_source
        return inspection.make_preset(self.fit, str(self.choices.form.value), lane.name, self._known_body)

    @property
    def _known_body(self) -> Body:
        """Body of the run that had the recording. The fitted body has the same mass, shape and scale of inertia."""
        assert self._fit_source is not None
        return self._fit_source[2].body

    def _preset_to_apply(self) -> Preset:
        """Return the preset for `apply_fit`, and store the recording of that preset in `_applied_recording`."""
        preset = self._fitted_preset()
        self._applied_recording = preset.lanes[1].recording
        return preset

    def _offer(self, state: State) -> None:
        lanes = state.preset.lanes
        names = lane_names(lanes)
        self._lanes = {
            number: lane
            for number, lane in enumerate(lanes)
            if formulation_class(lane.formulation).is_recorded
        }
        self.choices.recording.set_choices({number: lane_title(names[number]) for number in self._lanes})
        self._choose_lane(self.choices.recording.value)

    def _choose_lane(self, number: object) -> None:
        """Read the recording of this lane, unless it is already shown."""
        lane = self._lanes.get(number) if isinstance(number, int) else None
        if lane is not None and self._chosen_lane is not None:
            shown_recording = self._chosen_lane.recording
            if lane.recording in (shown_recording, self._applied_recording):
                self._chosen_lane = replace(lane, recording=shown_recording)
                return
        self.jobs.cancel()
        self._applied_recording, self._runs_after_inspection = None, False
        self._chosen_lane, self.inspection = lane, None
        self.problem.hide()
        if lane is not None:
            recording = lane.recording
            spec = JobSpec(lane, lambda progress: open_fit_source(recording))
            self.jobs.start("inspect", lambda: spec, self._finish_inspection)
        self._show_inspection()

    def _finish_inspection(self, source: FitSource) -> None:
        self.inspection = source
        self._show_inspection()
        self.select_free_flight()
        if self._runs_after_inspection:
            self._runs_after_inspection = False
            self.run()

    def _show_failure(self, name: str, error: object) -> None:
        """Show why the recording cannot be read."""
        self._runs_after_inspection = False
        self._show_inspection()
        if isinstance(error, InputError):
            self.problem.show_refusal_with_place(error)
        elif isinstance(error, BaseException):
            raise error

    def _show_inspection(self) -> None:
        """Show the data of the chosen recording, and enable the choices that it allows."""
        inspection = self.inspection
        self._empty_text = tr(_EMPTY_TEXT if self._lanes else _NO_RECORDING_TEXT)
        self._update_empty_text()
        busy = tr("Reading") if self.jobs.names else ""
        self.choices.flight_label.setText(busy if inspection is None else tr(inspection.free_flight.sentence))
        if inspection is not None:
            self.choices.disable_unsupported(
                inspection.recording.p is not None, inspection.recording.omega is not None
            )
        for part in (self.choices.find_button, self.choices.all_button, self.run_button):
            part.setEnabled(inspection is not None or (part is self.run_button and self.is_running))
        self._show_curve()

    def _show_curve(self, _: object = None) -> None:
        """Show the curve that the user has chosen: |ω| of the recording, or |h| computed with the inertia of the fitted
        body."""
        inspection, fit = self.inspection, self.fit
        if inspection is None:
            self.interval_plot.show_curve(np.empty(0), np.empty(0), "")
            return
        span = self.interval_plot.span
        sizes = inspection.magnitudes(fit if self.curve_box.value == _MOMENTUM else None)
        self.interval_plot.show_curve(inspection.recording.t, sizes, "rad/s")
        self.interval_plot.show_span(*span)

    def _show_span(self, start: float, stop: float) -> None:
        self.interval_plot.show_span(start, stop)
        self._take_span(start, stop)

    def _take_span(self, start: float, stop: float) -> None:
        self.choices.show_span(start, stop)
        self._update_outdated_mark()

    def _progress_counts(self, work: FitJob) -> tuple[int, int]:
        return work.steps + (work.fit is not None), work.max_steps + 1

    def _preset_of(self, work: FitJob) -> Preset:
        assert self._fit_source is not None
        return self._fit_source[2]

    def _inputs(self, work: FitJob) -> object:
        recording = None if self._chosen_lane is None else self._chosen_lane.recording
        return recording, field_values(self.choices, self.choices.recording, self.choices.form)

    def _write(self, work: FitJob, path: Path) -> None:
        if self.fit is None:
            return
        if path.suffix.lower() == ".toml":
            preset = self._fitted_preset()
            refuse_unwritable(path)
            preset.copy_files(path.parent)
            write_preset_text(path, format_preset(preset))
        else:
            write_fit(self.fit, path)

    def _refresh(self) -> None:
        fit = self.fit
        self._stack.setCurrentWidget(self.empty if fit is None else self._page)
        self.residual_panel.setVisible(fit is not None)
        self.summary_label.setText("" if fit is None else capitalize_first(tr(fit.sentence)))
        self.notes_label.setText(
            ""
            if fit is None
            else "\n".join(f"• {capitalize_first(tr(note))}." for note in summary_sentences(fit))
        )
        self.table.show_fit(fit)
        self.correlation.show_fit(fit)
        self.residuals.show_fit(fit)
        self._show_curve()

    def _update_status(self) -> None:
        super()._update_status()
        has_fit = self.fit is not None
        for part in (self.take_over_button, self.curve_box, *self.export_buttons):
            part.setEnabled(has_fit)
        self.run_button.setEnabled(self.inspection is not None or self.is_running)

    def _connect(self) -> None:
        self.choices.recording.chosen.connect(self._choose_lane)
        self.choices.span_changed.connect(self.interval_plot.show_span)
        self.interval_plot.interval_changed.connect(self._take_span)
        self.choices.find_button.clicked.connect(self.select_free_flight)
        self.choices.all_button.clicked.connect(self.select_all)
        self.curve_box.chosen.connect(self._show_curve)


ACTIONS: tuple[Menu[FitWindow], ...] = (
    Menu(
        "Fit the body",
        common_actions(
            "fit",
            Action("take", "Apply the fitted body to the run", lambda w: w.apply_fit(), ("Ctrl+T",)),
            Action("fit", "Show all residuals", lambda w: w.residuals.fit_range(), ("F",)),
        ),
    ),
)
