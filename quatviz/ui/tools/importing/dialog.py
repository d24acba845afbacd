"""Dialog that imports recordings, one file at a time. Files are read and conventions ranked in background jobs."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QStackedLayout, QWidget

from quatviz.analysis.executors.saved_run import compute_saved_run
from quatviz.analysis.fitting.free_flight import free_flight_in_file
from quatviz.base.errors import InputError, internal_error, plural_phrase
from quatviz.base.formatting import capitalize_first, humanize
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.edits import add_lane
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_state import ALL_OTHERS, ViewState
from quatviz.export.table import Progress
from quatviz.files.files import supported_endings
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_files import PRESET_SUFFIXES
from quatviz.physics.mechanics.euler_sequences import SEQUENCES
from quatviz.physics.observables.column_roles import ColumnRole
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.alignment import DetectedFreeFlight
from quatviz.recordings.conventions import Convention, ConventionRanking
from quatviz.recordings.importing import (
    AlignmentResult,
    FilePreview,
    ImportDraft,
    align_recording,
    file_time_shift,
    first_rows,
    preset_for_recording,
    preview_file,
    rank_conventions,
    ranking_key,
    timing_summary,
)
from quatviz.recordings.loading import CONVENTIONS, LoadedRecording, complete_options, load, read_file
from quatviz.recordings.loading import loading_remarks as remarks_of
from quatviz.recordings.readers import READERS
from quatviz.recordings.resampling import PARAMETERS, PlotSeries
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import lane_names, unique_name
from quatviz.teaching.help.actions import Action, Menu
from quatviz.ui.tools.importing.alignment import AlignmentChoices, IntervalChoices
from quatviz.ui.tools.importing.choices import ConventionList, ReadOptionsForm
from quatviz.ui.tools.importing.columns import RoleTable
from quatviz.ui.tools.importing.recording_plots import RecordingPlots
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.background_job import BackgroundJobs, JobSpec
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.file_dialogs import ask_open_paths
from quatviz.ui.widgets.labels import (
    ElidedLabel,
    MessageLabel,
    label,
    open_help_topic,
    subheading,
    tooltip_text,
)
from quatviz.ui.widgets.layouts import column, make_splitter, row, wrap_layout
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area
from quatviz.ui.widgets.style import theme_of
from quatviz.ui.widgets.windows import Dialog, set_initial_size

RECORDING_PANELS = ("euler_angles", "omega", "orientation_errors")
"""Panels that a new run from a recording shows: the measured quantities, and their difference from the computed motion."""
_IMPORTED_PAGE = 3
"""Index of the dialog's page that is shown after the last file was imported."""


class ImportDialog(Dialog):
    """Dialog that proposes how a file is read, shows the result and lets the user change it. The *Import* button adds a lane
    or opens a run, as one undo step."""

    def __init__(
        self,
        document: Document,
        parent: QWidget | None,
        fit_body: Callable[[], object] | None = None,
        leave_lesson: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(tr("Import a recording"), parent, keep_on_close=True)
        self.setObjectName("importing")
        self._document = document
        self._fit_body = fit_body
        """Function that opens the fit window, which fits a body to the recording. None if there is no fit window."""
        self._leave_lesson = leave_lesson
        """Function that ends a lesson before a run is opened."""
        self._pending_paths: list[Path] = []
        self._count = self._number = 0
        self._edited_lane = ""
        """Lane whose read options are edited, "" if a new recording is imported."""
        self.draft = ImportDraft(ReadOptions(file="-"))
        self.jobs = BackgroundJobs(parent or self)
        self._comparison: tuple[LaneRun, PlotSeries] | None = None
        """Lane shown for comparison, and its angular velocities as far as they have been computed. None if no lane is shown."""
        self._imports_when_done = False
        """True if the recording is to be imported as soon as all jobs are finished."""
        self._makes_run = True
        """True if the import opens a new run, False if it adds a lane to the current one."""
        self._shows_unread_columns = False
        """True if the table shows the columns of a file that cannot be read with the current options."""
        self._has_made_run = False
        """True if one of the files that are imported together has already opened a run."""
        self.title_label, self.about_label = label("heading", word_wrap=False), label()
        self.role_table, self.plots = RoleTable(), RecordingPlots()
        self.options_form, self.convention_list = ReadOptionsForm(), ConventionList()
        self.interval, self.alignment = IntervalChoices(), AlignmentChoices()
        self.fit_label, self.remarks_label, self.remark_count_label = (
            label("muted"),
            label("muted"),
            ElidedLabel(),
        )
        forms = {
            PARAMETERS: tr("Euler parameters"),
            **{sequence: humanize(sequence) for sequence in SEQUENCES},
        }
        self.attitude_form_box = ChoiceBox(forms, tr("Show the attitude as"), 14)
        self.problem, self.empty = MessageLabel(), label("empty", word_wrap=False)
        self.imported_label = label("empty")
        self.fit_button = Button(
            tr("Find the free flight and fit the body"), self._open_fit, object_name="primary"
        )
        self.progress, self.state_text = QProgressBar(), ElidedLabel()
        self._stack = QStackedLayout()
        self.action_registry: ActionRegistry[ImportDialog] = ActionRegistry(ACTIONS, self, parent=self)
        self._make_buttons()
        self.addActions(list(self.action_registry))
        self._lay_out()
        self._connect()

    # --- files

    def import_files(self, paths: Sequence[Path]) -> None:
        """Append the files `paths` to the queue of files to be imported, and show the first file of the queue."""
        starts_anew = not self.isVisible()
        if starts_anew:
            self._pending_paths, self._count, self._number, self._has_made_run = [], 0, 0, False
        self._pending_paths += [path.absolute() for path in paths]
        self._count += len(paths)
        self._update_title()
        if starts_anew:
            self._next_file()
        self.show_in_front()

    def ask_files(self) -> None:
        """Ask for files with recordings or saved runs, and import them."""
        suffixes = (*supported_endings(READERS.entries_by_ending), *PRESET_SUFFIXES)
        endings = " ".join(f"*{suffix}" for suffix in suffixes)
        file_filter = tr("Recordings, exported data and saved runs ({endings})", endings=endings)
        paths = ask_open_paths(self.parentWidget(), tr("Import recordings"), "recording", file_filter)
        if paths:
            self.import_files(paths)

    def edit_recording(self, name: str = "") -> None:
        """Show how the recording of the lane `name` is read. An empty name selects the first lane read from a file."""
        lanes = self._document.state.preset.lanes
        readings = dict(zip(lane_names(lanes), (lane.recording for lane in lanes), strict=True))
        name = name or next((lane for lane, value in readings.items() if isinstance(value, ReadOptions)), "")
        reading = readings.get(name)
        if not isinstance(reading, ReadOptions):
            return
        self._pending_paths, self._count, self._number, self._edited_lane = [], 1, 1, name
        self.import_button.setText(tr("Apply"))
        self.add_button.hide()
        self._begin_file(ImportDraft(reading, CONVENTIONS))
        self.show_in_front()

    @property
    def is_busy(self) -> bool:
        """True while a job is running."""
        return bool(self.jobs.names)

    def import_(self, makes_run: bool = True) -> None:
        """Import the recording as a new run or as a lane, and continue with the next file. Wait until the
        file is read and conventions are ranked."""
        self._makes_run = makes_run
        if not self.import_button.isEnabled():
            return
        self._imports_when_done = bool({"read", "rank", "align"} & {*self.jobs.names})
        if self._imports_when_done:
            self._update_status()
            return

        def prepare() -> JobSpec:
            reading, opens_run = self.draft.options, self._opens_run
            return JobSpec((reading, opens_run), lambda progress: _load_for_import(reading, opens_run))

        self.jobs.start("import", prepare, lambda result: self._finish_import(*result))

    @property
    def _opens_run(self) -> bool:
        """True if the import opens a new run.

        If several files are imported together, the first one opens a run, and the others become lanes of this run.
        """
        return self._makes_run and not self._edited_lane and not self._has_made_run

    def skip_file(self) -> None:
        """Skip this file."""
        self._cancel_jobs()
        self._next_file()

    def shutdown(self) -> None:
        """Cancel jobs and delete the dialog."""
        self.jobs.shutdown()
        self.jobs.deleteLater()
        self.close()
        self.deleteLater()

    def done(self, result: int) -> None:
        self._cancel_jobs()
        self._comparison = None
        super().done(result)

    def _next_file(self) -> None:
        if not self._pending_paths:
            self.close()
            return
        path = self._pending_paths.pop(0)
        self._number += 1
        self._edited_lane = ""
        self.import_button.setText(tr("New run from this recording"))
        self.add_button.show()
        draft = ImportDraft(ReadOptions(file=path.name).in_folder(path.parent))
        if path.suffix.lower() in PRESET_SUFFIXES:
            self._compute_saved_run(draft)
        else:
            self._begin_file(draft)

    def _compute_saved_run(self, draft: ImportDraft) -> None:
        """Compute the run of a session or preset in the background, and then show its table of samples."""
        self._clear(draft, tr("Computing the run of {file}", file=draft.options.path.name))
        spec = JobSpec(draft.options, partial(compute_saved_run, draft.options.path))
        self.jobs.start("run", lambda: spec, self._show_table)

    def _show_table(self, table: Path) -> None:
        self._begin_file(ImportDraft(ReadOptions(file=table.name).in_folder(table.parent)))

    def _begin_file(self, draft: ImportDraft) -> None:
        self._clear(draft, tr("Reading {file}", file=draft.options.path.name))
        self._read(fit=True)

    def _clear(self, draft: ImportDraft, message: str) -> None:
        """Show a message in place of a recording, until the file of `draft` is read."""
        self._cancel_jobs()
        self.draft, reading = draft, draft.options
        self._shows_unread_columns = False
        self.alignment.offer([name for name in self._lanes() if name != self._edited_lane])
        self.alignment.problem.hide()
        self.alignment.status_label.setText("")
        self.interval.show_interval(reading.start, reading.stop, "")
        self.fit_label.setText("")
        self.convention_list.hide()
        self.empty.setText(message)
        self._stack.setCurrentWidget(self.empty)
        self._update_title()

    def _lanes(self) -> dict[str, LaneRun]:
        return {lane.name: lane for lane in self._document.simulation.lanes}

    def _finish_import(self, loaded: LoadedRecording, preset: Preset | None) -> None:
        """Open a run with the recording, add a lane to the current run, or change the edited lane, as the user has chosen."""
        if preset is None:
            refusal = self._add_lane(loaded.options)
        else:
            text = tr("new run from {file}", file=loaded.options.path.name)
            self._leave_lesson()
            panels = {ALL_OTHERS: False, **dict.fromkeys(RECORDING_PANELS, True)}
            refusal = self._document.open_session(text, Session(preset, ViewState(panels=panels), True))
            self._has_made_run = refusal is None
        if refusal is not None:
            self._show_refusal(refusal)
            return
        message = f"{loaded.options.path.name}: {tr(timing_summary(loaded))}"
        if self._edited_lane or self._pending_paths or self._fit_body is None:
            self._document.message_emitted.emit(message, "fit#the-free-flight")
            self._next_file()
        else:
            self._offer_next_step(message)

    def _offer_next_step(self, message: str) -> None:
        """Report that the last file was imported, and offer to fit a body as the next step."""
        self.imported_label.setText(tr("Imported {summary}", summary=message))
        self._stack.setCurrentIndex(_IMPORTED_PAGE)
        self.skip_button.hide()
        self._update_status()
        self.fit_button.setFocus()

    def _open_fit(self) -> None:
        """Close the dialog and open the fit window."""
        self.close()
        if self._fit_body is not None:
            self._fit_body()

    def _add_lane(self, reading: ReadOptions) -> InputError | None:
        """Add a lane with these read options, or change the edited lane."""
        path = reading.path
        lanes = self._document.state.preset.lanes
        if self._edited_lane in lane_names(lanes):
            new_lanes = tuple(
                replace(lane, recording=reading) if name == self._edited_lane else lane
                for name, lane in zip(lane_names(lanes), lanes, strict=True)
            )
            step_text = tr("change how {lane} is read", lane=self._edited_lane)
            return self._document.propose(step_text, lambda state: state.with_preset(lanes=new_lanes))
        lane = Lane("recording", recording=reading, name=unique_name(path.stem[:60], lane_names(lanes)))
        step_text = tr("import {file}", file=path.name)
        return self._document.propose(step_text, lambda state: add_lane(state, lane))

    # --- choices

    def set_option(self, name: str, value: Any) -> None:
        """Read the file with another value of one read option."""
        self.draft.choose(name, value)
        self._read(fit=name in ("part", "time_unit"))

    def choose_role(self, name: str, role: ColumnRole | None) -> None:
        """Read the file with another role of one column."""
        self.draft.choose_role(name, role)
        self._read()

    def choose_convention(self, convention: Convention) -> None:
        """Read the file with a convention that the user has chosen from the ranking."""
        self.draft.choose_convention(convention)
        self._read()

    def _apply_typed_interval(self) -> None:
        """Read the file with the time range that the user has typed."""
        try:
            start, stop = self.interval.ends
        except InputError as refusal:
            self._show_refusal(refusal)
            return
        self.interval.source_label.setText("")
        self._set_interval(start, stop)
        self._read()

    def _apply_dragged_interval(self, low: float, high: float) -> None:
        """Use the time range that the user has dragged. A limit that equals that of the recording is stored as None."""
        start, stop = self.draft.drawn_interval(low, high)
        self.interval.show_interval(start, stop, "")
        self._set_interval(start, stop)

    def _set_interval(self, start: float | None, stop: float | None) -> None:
        draft = self.draft
        draft.options = draft.options.with_fields(start=start, stop=stop)
        self.plots.show_interval(start, stop)
        self._update_comparison()
        if draft.preview is not None and draft.preview.loaded.recording.p is None:
            self._read()

    def _apply_alignment(self) -> None:
        """Read the file with the time offset and rotations that the user has typed."""
        try:
            options: dict[str, Any] = self.alignment.typed_options()
        except InputError as refusal:
            self._show_refusal(refusal)
            return
        self.draft.options = self.draft.options.with_fields(**options)
        self.alignment.show_reading(self.draft.options)
        self._read()

    # --- background jobs

    def _read(self, fit: bool = False) -> None:
        """Read the file with the current options in a background job, and show the result.

        The plots show the whole time range of the result if `fit` is True. If a column role is missing, the job is not
        started and the reason is shown at once.
        """
        draft, refusal = self.draft, self.draft.missing_role_error
        if draft.preview is not None or self._shows_unread_columns:
            self.role_table.show_roles(draft.options, draft.known_fields)
        if refusal is not None:
            self.jobs.cancel("read", "rank")
            self._show_refusal(refusal)
            return
        known, first = draft.known, draft.preview is None

        def prepare() -> JobSpec:
            reading, form = draft.requested, str(self.attitude_form_box.value)
            return JobSpec(
                (reading, form), lambda progress: preview_file(reading, form, known, first, progress)
            )

        self.jobs.start("read", prepare, lambda preview: self._finish_reading(preview, fit))

    def _finish_reading(self, preview: FilePreview, fit: bool) -> None:
        """Show the file that was read. If its conventions have not been ranked yet, start to rank them."""
        draft, before = self.draft, self.draft.preview
        if preview.flight is not None and (draft.options.start, draft.options.stop) == (None, None):
            self._show_free_flight(preview.flight)
        is_same_reading = draft.set_preview(preview)
        if before is None or before.rows.keys() != preview.rows.keys():
            self.role_table.show_rows(preview.rows)
        self._show_recording(fit)
        if draft.ranking is None and not (is_same_reading and "rank" in self.jobs.names):
            self.fit_label.setText("")
            self.convention_list.hide()
            loaded = preview.loaded
            spec = JobSpec(ranking_key(loaded.options), lambda progress: rank_conventions(loaded, progress))
            self.jobs.start("rank", lambda: spec, self._finish_ranking)

    def _finish_ranking(self, ranking_result: ConventionRanking | None) -> None:
        """Show the ranked conventions. If the best one is unambiguous, use it and read the file again."""
        changes = self.draft.set_ranking(ranking_result)
        self._show_ranking()
        if changes:
            self._read()

    def find_free_flight(self) -> None:
        """Search the recording for the interval of free flight, in a background job."""
        if self.draft.preview is not None:
            self.jobs.start("flight", self._flight_search, self._finish_flight_search)

    def _flight_search(self) -> JobSpec:
        assert self.draft.preview is not None
        loaded = self.draft.preview.loaded
        return JobSpec(loaded.options.full_range, lambda progress: free_flight_in_file(loaded))

    def _finish_flight_search(self, flight: DetectedFreeFlight | None) -> None:
        if flight is None:
            self.interval.source_label.setText(tr("No free-flight segment found."))
            return
        self._set_interval(*self._show_free_flight(flight))

    def _show_free_flight(self, flight: DetectedFreeFlight) -> tuple[float, float]:
        """Show the detected interval of free flight. Return its start and end [s], rounded to the displayed digits."""
        self.interval.show_interval(*flight.rounded_ends, tr(flight.sentence))
        return flight.rounded_ends

    def align_to_lane(self) -> None:
        """Align the recording to the chosen lane."""
        if self.draft.preview is None or self.alignment.lane_name not in self._lanes():
            return
        self.alignment.problem.hide()
        self.jobs.start("align", self._alignment_job, self._finish_alignment)

    def _alignment_job(self) -> JobSpec:
        lane, reading = self._lanes().get(self.alignment.lane_name), self.draft.options
        clock, side = self.alignment.clock_box.isChecked(), str(self.alignment.side_box.value)

        def work(progress: Progress) -> AlignmentResult | None:
            if lane is None:  # the lane was removed meanwhile
                return None
            motion = lane.motion()
            return align_recording(load(reading), motion.t, motion.p, motion.omega, clock, side)

        return JobSpec((lane, reading, clock, side), work)

    def _finish_alignment(self, result: AlignmentResult | None) -> None:
        if result is None:
            return
        self.draft.options = result.options
        self.alignment.status_label.setText(tr(result.sentence))
        self.alignment.show_reading(result.options)
        self._read()

    def _show_failure(self, name: str, error: object) -> None:
        """Show why a job has failed."""
        if name == "read" and self.draft.preview is None:
            self._show_unread_columns()
        if not isinstance(error, InputError):
            assert isinstance(error, BaseException)
            remedy = "try other settings, or report it"
            self._show_refusal(internal_error(error, "the import", "a file that is read", remedy))
        elif name == "align":
            self.alignment.problem.show_refusal_with_place(error)
        else:
            self._show_refusal(error)

    def _show_unread_columns(self) -> None:
        """Show the columns of a file that cannot be read yet, so that the user can assign roles and units."""
        with suppress(InputError):
            self.draft.options = complete_options(self.draft.options, read_file(self.draft.options))
            rows = first_rows(self.draft.options)
            if self.role_table.names != list(rows):
                self.role_table.show_rows(rows)
            self.role_table.show_roles(self.draft.options, self.draft.known_fields)
            self._shows_unread_columns = True
            self.options_form.show_reading(self.draft.options, ())

    def _follow_jobs(self) -> None:
        """Show the state of the jobs. When all are finished, import the recording if the user has already pressed Import."""
        self._update_status()
        if self._imports_when_done and not self.jobs.names:
            self._imports_when_done = False
            self._update_status()
            self.import_(self._makes_run)

    def _cancel_jobs(self) -> None:
        self._imports_when_done = False
        self.jobs.cancel()

    # --- display

    def _show_refusal(self, refusal: InputError) -> None:
        """Show the reason of a refusal in the area of the curves, so that no field moves."""
        self._imports_when_done = False
        self.problem.show_refusal_with_place(refusal)
        self._stack.setCurrentIndex(2)
        self._update_status()

    def _show_recording(self, fit: bool = False) -> None:
        """Show the recording that was read: its curves, rows, roles and remarks."""
        preview, reading = self.draft.preview, self.draft.options
        if preview is None:
            return
        file_columns = preview.loaded.file_columns
        category = tr(file_columns.title)
        if file_columns.writer:
            category = tr("{category} of {writer}", category=category, writer=file_columns.writer)
        self.about_label.setText(f"{category}: {tr(preview.timing)}")
        self.role_table.show_roles(reading, self.draft.known_fields)
        self.options_form.show_reading(reading, preview.loaded.file_columns.parts)
        self.alignment.show_reading(reading)
        form = str(self.attitude_form_box.value)
        title = "p" if form == PARAMETERS else tr("{sequence} [deg]", sequence=humanize(form))
        self.plots.show_track(preview.attitude, preview.rates, title, fit)
        self.plots.show_interval(reading.start, reading.stop)
        remarks = [tr(remark) for remark in (*remarks_of(preview.loaded), *self.draft.ranking_remarks)]
        nothing = tr("All data are used unchanged.")
        summary = plural_phrase(
            len(remarks), "1 note: {remarks}", "{count} notes: {remarks}", remarks="; ".join(remarks)
        )
        self.remark_count_label.setText(tr(summary) if remarks else nothing)
        self.remark_count_label.setToolTip(tooltip_text("\n".join(remarks)))
        self.remarks_label.setText("\n".join(f"{capitalize_first(remark)}." for remark in remarks) or nothing)
        self._stack.setCurrentIndex(0)
        self._show_ranking()
        self._update_comparison()
        self._update_status()

    def _show_ranking(self) -> None:
        ranked = self.draft.ranking
        self.convention_list.setVisible(ranked is not None)
        if ranked is not None:
            self.convention_list.show_ranking(ranked, self.draft.options)
            self.fit_label.setText(capitalize_first(tr(ranked.sentence)))
        elif self.draft.preview is not None and "rank" not in self.jobs.names:
            self.fit_label.setText(tr("Conventions are detected only if the file has attitude and rates."))

    def _update_comparison(self) -> None:
        """Show the angular velocities of the chosen lane over the time of the file, or hide them if no lane is chosen."""
        lane = self._lanes().get(self.alignment.lane_name)
        if lane is None or self.draft.preview is None:
            self.jobs.cancel("compare")
            self.plots.show_comparison(None)
            return
        if (
            self._comparison is None
            or self._comparison[0] is not lane
            or len(self._comparison[1].t) != len(lane.t)
        ):
            self.jobs.start("compare", self.lane_reading, self._show_comparison)
        else:
            self._show_comparison(self._comparison)

    def lane_reading(self) -> JobSpec:
        """Return the job that reads the angular velocities of the chosen lane."""
        lane = self._lanes().get(self.alignment.lane_name)
        return JobSpec(lane, lambda progress: None if lane is None else (lane, _lane_rates(lane)))

    def _show_comparison(self, comparison: tuple[LaneRun, PlotSeries] | None) -> None:
        self._comparison = comparison
        if comparison is not None and self.draft.preview is not None:
            loaded = self.draft.preview.loaded._replace(options=self.draft.options)
            self.plots.show_comparison(comparison[1], file_time_shift(loaded))

    def _update_title(self) -> None:
        name = self.draft.options.path.name
        if self._count > 1:
            name = tr("{file} ({number} of {count})", file=name, number=self._number, count=self._count)
        self.title_label.setText(name)
        self.skip_button.setVisible(self._count > self._number)

    def _update_status(self) -> None:
        """Show running jobs and their progress, and enable the buttons if there is something to import."""
        job_titles = {"run": tr("Computing the run"), "read": tr("Reading"),
                 "rank": tr("Testing conventions"), "flight": tr("Searching for the free flight"),
                 "align": tr("Aligning"), "import": tr("Importing"), "compare": tr("Reading the lane")}  # fmt: skip
        name = next(iter(self.jobs.names), "")
        for part in (self.progress, self.stop_button):
            part.setVisible(bool(name))
        self.state_text.setText(job_titles.get(name, ""))
        self.progress.setValue(round(1000 * self.jobs.progress(name)))
        is_ready = self.draft.preview is not None and self._stack.currentIndex() == 0
        can_import = is_ready and "import" not in self.jobs.names and not self._imports_when_done
        for button in (self.import_button, self.add_button):
            button.setEnabled(can_import)

    # --- construction

    def _make_buttons(self) -> None:
        self.stop_button = Button(tr("Stop"), self._cancel_jobs)
        self.skip_button, self.close_button = (
            Button(tr("Skip this file"), self.skip_file),
            Button(tr("Close"), self.close),
        )
        tooltip = self.action_registry.tooltip(
            "import",
            tr("Open a new run with the recording and a Newton–Euler lane that starts from its first state"),
        )
        self.import_button = Button(
            tr("New run from this recording"),
            self.action_registry["import"].trigger,
            tooltip,
            object_name="primary",
        )
        tooltip = self.action_registry.tooltip("add_lane", tr("Add the recording to the open run as a lane"))
        self.add_button = Button(tr("Add to the open run"), self.action_registry["add_lane"].trigger, tooltip)

    def _lay_out(self) -> None:
        for text in (self.empty, self.imported_label):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.fit_button.setAutoDefault(False)
        refused = wrap_layout(column(self.problem, None, margins=2 * GRID_UNIT))
        next_step = column(
            None, self.imported_label, row(None, self.fit_button, None), None, gap=2 * GRID_UNIT
        )
        for part in (wrap_layout(column((self.plots, 1))), self.empty, refused, wrap_layout(next_step)):
            self._stack.addWidget(part)
        for button in (
            self.stop_button,
            self.skip_button,
            self.close_button,
            self.add_button,
            self.import_button,
        ):
            button.setAutoDefault(False)
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(20 * GRID_UNIT)
        side = column(
            subheading(tr("Units and conventions")), self.options_form,
            subheading(tr("Detected convention")), self.fit_label, self.convention_list,
            subheading(tr("Alignment")), self.alignment,
            subheading(tr("Omitted or changed data")), self.remarks_label, None, margins=2 * GRID_UNIT,
        )  # fmt: skip
        left = make_scroll_area(side, VerticalScrollArea())
        right = column(
            row(self.title_label, None, self.attitude_form_box, gap=2 * GRID_UNIT),
            self.about_label,
            self.role_table,
            (self._stack, 1),
            self.interval,
            self.remark_count_label,
            margins=2 * GRID_UNIT,
        )
        result = make_scroll_area(right, VerticalScrollArea())
        parts = (
            self.progress,
            self.stop_button,
            (self.state_text, 1),
            self.skip_button,
            self.close_button,
            self.add_button,
            self.import_button,
        )
        below = row(*parts, margins=(2 * GRID_UNIT, GRID_UNIT) * 2)
        self.setLayout(
            column(
                (make_splitter((left, theme_of(self).scaled_pixels(352)), (result, 840), stretch_index=1), 1),
                below,
                gap=0,
            )
        )
        set_initial_size(self, 1240, 760)

    def _connect(self) -> None:
        self.role_table.chosen.connect(self.choose_role)
        self.role_table.unit_chosen.connect(self.set_option)
        self.options_form.chosen.connect(self.set_option)
        self.convention_list.convention_chosen.connect(self.choose_convention)
        self.interval.edited.connect(self._apply_typed_interval)
        self.interval.flight_requested.connect(self.find_free_flight)
        self.plots.interval_changed.connect(self._apply_dragged_interval)
        self.alignment.edited.connect(self._apply_alignment)
        self.alignment.align_requested.connect(self.align_to_lane)
        self.alignment.comparison_changed.connect(self._update_comparison)
        self.attitude_form_box.chosen.connect(lambda _: self._read())
        self.jobs.changed.connect(self._follow_jobs)
        self.jobs.failed.connect(self._show_failure)


def _load_for_import(reading: ReadOptions, opens_run: bool) -> tuple[LoadedRecording, Preset | None]:
    """Return the recording, and a preset for it if `opens_run` is True, else None.

    The preset has a Newton–Euler lane that starts in the recording's first state.
    """
    loaded = load(reading)
    return loaded, preset_for_recording(loaded, loaded.options.path.parent) if opens_run else None


def _lane_rates(lane: LaneRun) -> PlotSeries:
    """Return the angular velocities of a lane as a plot series [rad/s], as far as they have been computed."""
    motion = lane.motion()
    return PlotSeries.connected(motion.t, motion.omega)


ACTIONS: tuple[Menu[ImportDialog], ...] = (
    Menu(
        "Import",
        (
            Action("import", "New run from this recording", lambda w: w.import_(), ("Ctrl+Return",)),
            Action("add_lane", "Add to the open run", lambda w: w.import_(False), ("Ctrl+Shift+Return",)),
            Action("help", "Help…", lambda w: open_help_topic("recordings#in-the-window"), ("F1",)),
        ),
    ),
)
