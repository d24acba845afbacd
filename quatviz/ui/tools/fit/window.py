"""The window of fits: a recording's stretch above, what was found of its body in the middle, what is left over below."""

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QScrollArea

from quatviz.analysis.executors.factory import PROCESSES
from quatviz.analysis.fitting.files import write_fit
from quatviz.analysis.fitting.fit import Fitting
from quatviz.analysis.fitting.free_flight import Looked, look_at
from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import sentences
from quatviz.base.errors import InputError
from quatviz.base.formatting import begun
from quatviz.base.translation import told, tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.files import refuse_place, write_text
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import format_preset
from quatviz.physics.formulations import kind_of, lane_title
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.help.actions import Act, Menu
from quatviz.ui.tools.fit.choices import FitChoices
from quatviz.ui.tools.fit.interval_plot import StretchPlot
from quatviz.ui.tools.fit.residuals import ResidualPlots
from quatviz.ui.tools.fit.tables import CorrelationTable, EstimateTable
from quatviz.ui.tools.task_window import NICE, Export, Workbench, exports_of, rows_of
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.background_job import Job
from quatviz.ui.widgets.controls import Button, ChoiceBox, column, divided, held, label, scrolling

_EMPTY = (
    "Choose a recording and the stretch in which nothing turns the body, then run.\n"
    "Its moments, how sure they are, and what is left over stand here."
)
_NONE = "No lane of this run is a recording.\nFile > Import recordings… adds one."
_TABLES = "Table (*.csv *.json *.md)"
_PRESETS = "Preset (*.toml)"
_SPEED, _MOMENTUM = "speed", "momentum"


class FitWindow(Workbench[Fitting]):
    """One fit after another of a recording of the main window."""

    def __init__(self, document: Document, nice: int = NICE) -> None:
        exports = (
            *exports_of(tr(_TABLES)),
            Export(tr("Save as a preset…"), tr(_PRESETS), ".toml"),
        )
        super().__init__(document, tr("Fit the body – quatviz"), "fit", tr(_EMPTY), exports)
        self._nice = nice
        self._lanes: dict[int, Lane] = {}
        self._chosen: Lane | None = None
        """The lane that is looked at."""
        self._fitted: tuple[Lane, Looked, Preset] | None = None
        """What the fit that is shown was made of."""
        self.looked: Looked | None = None
        self._job: Job | None = None
        self.choices = FitChoices()
        curves = {_SPEED: tr("Angular velocity |ω|"), _MOMENTUM: tr("Momentum |h| of the body, J = 1")}
        self.curve = ChoiceBox(curves, tr("Curve that is shown"), 28)
        self.stretch = StretchPlot()
        self.found, self.notes = label("subheading", read=True), label("muted", read=True)
        self.table, self.correlation = EstimateTable(), CorrelationTable()
        self.residuals = ResidualPlots()
        acts = Acts(ACTS, self, parent=self)
        said = acts.tip("take", tr("Run the body that was found beside the recording"))
        self.take = Button(tr("Take over"), acts["take"].trigger, said)
        self._connect()
        notes: QScrollArea = scrolling(column(self.notes, None))
        right = held(column((notes, 1), (self.correlation, 1), margins=(2 * UNIT, 0, 0, 0)))
        page = held(column(self.found, (divided((self.table, 690), (right, 390), grows=1), 1)))
        self.under = held(column(self.residuals, margins=(2 * UNIT, 0, 2 * UNIT, UNIT)))
        self._page = page
        self._furnish(
            acts, (self.choices, self.theme.pixels(320)), [self.curve, self.take], [page], ([self.stretch], []), (self.under, 240)
        )  # fmt: skip

    # --- what is asked

    @property
    def fit(self) -> BodyFit | None:
        """What has been found, if anything has."""
        return None if self.work is None else self.work.fit

    def take_over(self) -> None:
        """Show the body that was found beside the recording, as one step."""
        if self.fit is not None:
            refusal = self._document.open(tr("take over the fitted body"), lambda _: State.of(self._preset()))
            self._answer(refusal, tr("Taken over"))

    def find_flight(self) -> None:
        """Choose the free flight again, as it is found by itself."""
        if self.looked is not None:
            self._show_span(self.looked.flight.start, self.looked.flight.stop)

    def choose_all(self) -> None:
        """Choose the whole recording."""
        if self.looked is not None:
            t = self.looked.recording.t
            self._show_span(float(t[0]), float(t[-1]))

    def shut_down(self) -> None:
        self._stop_looking()
        super().shut_down()

    # --- what a fit has of its own

    def _make(self) -> Fitting:
        looked, lane = self.looked, self._chosen
        if looked is None or lane is None:
            raise InputError(
                "the fit", expected="a lane with a recording", found="none that can be read",
                remedy="import a recording: File > Import recordings…", topic="fit#in-the-window",
            )  # fmt: skip
        given = {**looked.given(*self.choices.span), **self.choices.arguments()}
        made = Fitting(given, self.cluster.text or PROCESSES, nice=self._nice, waits=False)
        self._fitted = lane, looked, self._document.state.preset
        return made

    def _preset(self) -> Preset:
        """The body that was found, beside the recording that it was found of; `InputError` where no body is like that, as one
        all of whose mass is on a line."""
        assert self.fit is not None
        assert self._fitted is not None
        lane, looked, _ = self._fitted
        return looked.preset_of(self.fit, str(self.choices.form.value), lane.name)

    def _offer(self, state: State) -> None:
        lanes = state.preset.lanes
        names = lane_names(lanes)
        self._lanes = {
            number: lane for number, lane in enumerate(lanes) if kind_of(lane.formulation).recorded
        }
        self.choices.recording.offer({number: lane_title(names[number]) for number in self._lanes})
        self._choose(self.choices.recording.value)

    def _choose(self, number: object) -> None:
        """Look at the recording of a lane, unless that is done."""
        lane = self._lanes.get(number) if isinstance(number, int) else None
        if lane is not None and self._chosen is not None and lane.recording == self._chosen.recording:
            self._chosen = lane
            return
        self._stop_looking()
        self._chosen, self.looked = lane, None
        self.problem.hide()
        self._show_looked()
        if lane is not None:
            given = lane.recording
            self._job = Job(lambda told: look_at(given), self, self._take_looked)

    def _stop_looking(self) -> None:
        if self._job is not None:
            self._job.shut_down()
            self._job = None

    def _take_looked(self, outcome: object) -> None:
        self._job = None
        if isinstance(outcome, Looked):
            self.looked = outcome
            self._show_looked()
            self.find_flight()
        elif isinstance(outcome, InputError):
            self.problem.explain(outcome)
        elif isinstance(outcome, BaseException):
            raise outcome

    def _show_looked(self) -> None:
        """What is known of the recording that is looked at."""
        looked = self.looked
        self.empty.setText(tr(_EMPTY if self._lanes else _NONE))
        busy = tr("Reading") if self._chosen is not None else ""
        self.choices.flight.setText(busy if looked is None else told(looked.flight.sentence))
        if looked is not None:
            self.choices.bar(looked.recording.p is not None, looked.recording.omega is not None)
        for part in (self.choices.seek, self.choices.whole, self.button):
            part.setEnabled(looked is not None or (part is self.button and self.running))
        self._show_curve()

    def _show_curve(self, _: object = None) -> None:
        """How fast it turns, or how large h is of the body that was found."""
        looked, fit = self.looked, self.fit
        if looked is None:
            self.stretch.show_curve(np.empty(0), np.empty(0), "")
            return
        span = self.stretch.span
        sizes = looked.sizes(fit if self.curve.value == _MOMENTUM else None)
        self.stretch.show_curve(looked.recording.t, sizes, "rad/s")
        self.stretch.show_span(*span)

    def _show_span(self, start: float, stop: float) -> None:
        self.stretch.show_span(start, stop)
        self.choices.show_span(start, stop)

    def _counts(self, work: Fitting) -> tuple[int, int]:
        return work.steps + (work.fit is not None), work.most + 1

    def _preset_of(self, work: Fitting) -> Preset:
        assert self._fitted is not None
        return self._fitted[2]

    def _write(self, work: Fitting, path: Path) -> None:
        if self.fit is None:
            return
        if path.suffix.lower() == ".toml":
            preset = self._preset()
            refuse_place(path)
            preset.bring_files(path.parent)
            write_text(path, format_preset(preset))
        else:
            write_fit(self.fit, path)

    def _refresh(self) -> None:
        fit = self.fit
        self._stack.setCurrentWidget(self.empty if fit is None else self._page)
        self.under.setVisible(fit is not None)
        self.found.setText("" if fit is None else begun(told(fit.sentence)))
        self.notes.setText(
            "" if fit is None else "\n".join(f"• {begun(told(said))}." for said in sentences(fit))
        )
        self.table.show_fit(fit)
        self.correlation.show_fit(fit)
        self.residuals.show_fit(fit)
        self._show_curve()

    def _tell(self) -> None:
        super()._tell()
        there = self.fit is not None
        for part in (self.take, self.curve, *self.exports):
            part.setEnabled(there)
        self.button.setEnabled(self.looked is not None or self.running)

    def _connect(self) -> None:
        self.choices.recording.chosen.connect(self._choose)
        self.choices.span_changed.connect(self.stretch.show_span)
        self.stretch.drawn.connect(self.choices.show_span)
        self.choices.seek.clicked.connect(self.find_flight)
        self.choices.whole.clicked.connect(self.choose_all)
        self.curve.chosen.connect(self._show_curve)


ACTS: tuple[Menu[FitWindow], ...] = (
    Menu(
        "Fit the body",
        rows_of(
            "fit",
            Act("take", "Take over the fitted body", lambda w: w.take_over(), ("Ctrl+T",)),
            Act("fit", "Show all that is left over", lambda w: w.residuals.fit_range(), ("F",)),
        ),
    ),
)
