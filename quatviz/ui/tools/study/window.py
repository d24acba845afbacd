"""The window of a study: choices at the left, curves and table at the right. Processes do the work."""

import math
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QProgressBar, QPushButton, QStackedLayout

from quatviz.base.errors import InputError
from quatviz.base.tr import told, tr
from quatviz.base.words import scientific
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.look.theme import UNIT
from quatviz.studies.files import Result, write_study
from quatviz.studies.measurement import Point
from quatviz.studies.measures import DEFAULT_MEASURE, MEASURES, Measure
from quatviz.studies.plan import label as lane_label
from quatviz.studies.study import Study
from quatviz.studies.tables import failure_lines
from quatviz.ui.kit.acts import Act, Acts, Menu
from quatviz.ui.kit.style import Themed
from quatviz.ui.kit.widgets import (
    ChoiceBox,
    FoldedEntry,
    RefusalLabel,
    column,
    divided,
    held,
    label,
    open_at,
    open_topic,
    row,
)
from quatviz.ui.tools.study.choices import StudyChoices
from quatviz.ui.tools.study.loading import load, run_words
from quatviz.ui.tools.study.look import StudyLegend, looks_of
from quatviz.ui.tools.study.plots import StudyPlots
from quatviz.ui.tools.study.table import StudyTable

POLL_MS = 200
NICE = 10
"""The processes give way to the main window, which may be playing."""
_EMPTY = (
    "Choose lanes, integrators, and steps or tolerances, then run.\n"
    "Curves grow as runs finish; a click on a point loads its run."
)
_FIGURES = "Figure for print (*.svg *.pdf *.png)"
_TABLES = "Table (*.csv *.json *.md)"


class StudyWindow(Themed, QMainWindow):
    """One study after another over the preset of the main window. Closing it cancels; what was measured stays."""

    def __init__(self, document: Document, nice: int = NICE) -> None:
        super().__init__()
        self._document = document
        self._nice = nice
        self._measure: type[Measure] = MEASURES[DEFAULT_MEASURE]
        self._colours: dict[str, int] = {}
        self.study: Study | None = None
        self.result: Result | None = None
        self.setWindowTitle(tr("Study – quatviz"))
        self.setObjectName("study")
        self.choices = StudyChoices()
        self.cluster = FoldedEntry(tr("Compute on a cluster…"), tr("tcp://host:8786"))
        self.cluster.setToolTip(tr("The address of a Dask scheduler, instead of processes of this machine"))
        self.button = QPushButton(tr("Run"))
        self.button.setObjectName("primary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.state_text = label("muted")
        self.problem = RefusalLabel()
        self.title = label("heading", wraps=False)
        self.measures = ChoiceBox({name: kind.axis() for name, kind in MEASURES.items()})
        self.figure = QPushButton(tr("Export the figure…"))
        self.file = QPushButton(tr("Export the table…"))
        self.legend = StudyLegend()
        self.plots = StudyPlots()
        self._stack = QStackedLayout()
        self.empty = label("empty", tr(_EMPTY), wraps=False)
        self.notes = label("muted")
        self.table = StudyTable()
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self.poll)
        self.acts: Acts[StudyWindow] = Acts(ACTS, self, parent=self)
        self.addActions(list(self.acts))
        self.button.setToolTip(self.acts.tip("run", tr("Run or cancel")))
        self._lay_out()
        self._connect()
        self.show_state(document.state)
        self._refresh()

    # --- what is asked

    def run(self) -> None:
        """Begin the study that is chosen; the one before is forgotten."""
        self.cancel()
        self.problem.hide()
        try:
            study = Study(self.choices.plan(), self.cluster.text or None, nice=self._nice, waits=False)
        except InputError as refusal:
            self.problem.explain(refusal)
            return
        self._colours = self._colours_of(self._document.state)
        self.study = study
        self.result = self.study.result
        self._timer.start()
        self._refresh()
        self.plots.fit()

    def cancel(self) -> None:
        """End the study that runs, if one does; its points stay."""
        if self.study is not None:
            self.study.cancel()
            self._end()

    def poll(self) -> None:
        """Take in what has been measured since."""
        if self.study is None:
            return
        before = self.study.method
        if self.study.poll() or self.study.method != before:
            self.result = self.study.result
            self._refresh()
        self._tell()
        if self.study.done:
            self._end()

    def load(self, point: Point) -> None:
        """Show the run of a point in the main window."""
        if self.result is not None:
            refusal = load(self._document, self.result.plan, point)
            if refusal is not None:
                self.problem.explain(refusal)
            else:
                said = tr("Loaded {run}. Undo in the main window takes it back.", run=run_words(point))
                self.state_text.setText(said)

    def export(self, path: Path) -> None:
        """Write figure or table, as the ending says."""
        if self.result is None:
            return
        try:
            write_study(self.result, path, self._measure.name, self._colours)
        except InputError as refusal:
            self.problem.explain(refusal)
        else:
            self.state_text.setText(tr("Written to {path}", path=path))

    def choose_measure(self, name: str) -> None:
        """Show another error: it has been measured already."""
        self._measure = MEASURES[name]
        self.measures.show_value(name)
        self._refresh()

    # --- what is shown

    def show_state(self, state: State) -> None:
        """Offer what the main window shows now."""
        self.choices.show_preset(state.preset, self._colours_of(state))
        if self.result is None:
            self._colours = self._colours_of(state)
            self._tell()

    def follow_theme(self) -> None:
        self._refresh()

    def shut_down(self) -> None:
        """End what runs and go."""
        self.cancel()
        self._document.changed.disconnect(self.show_state)
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.cancel()
        super().closeEvent(event)

    def _end(self) -> None:
        self._timer.stop()
        if self.study is not None:
            refusal, self.result = self.study.refusal, self.study.result
            self.study = None
            if refusal is not None:
                self.problem.explain(refusal)
                if not self.result.points:
                    self.result = None
                    self.state_text.clear()
        self._refresh()

    def _refresh(self) -> None:
        """Show the result as it is now."""
        looks, level = [], 0.0
        if self.result is not None:
            looks = looks_of(self.result, self._measure.name, self._colours, self.theme)
            level = self.result.level(self._measure.name)
        self._stack.setCurrentWidget(self.empty if self.result is None else self.plots)
        self.legend.show_looks(looks)
        over = self.result is not None and self.result.over_tolerances
        self.plots.show_curves(looks, self._measure, level, over)
        self.table.show_result(self.result, self._measure, self._colours, self.theme)
        self._tell()

    def _tell(self) -> None:
        """Progress and notes in words."""
        running, result = self.study, self.result
        self.button.setText(tr("Cancel") if running is not None else tr("Run"))
        for button in (self.figure, self.file):
            button.setEnabled(result is not None and bool(result.points))
        self.progress.setVisible(running is not None)
        shown = result.plan.preset if result is not None else self._document.state.preset
        self.title.setText(shown.title)
        if running is not None:
            self.progress.setMaximum(max(running.total, 1))
            self.progress.setValue(len(running.points))
            left = running.total - len(running.points)
            stage, total = told(running.stage), running.total
            if math.isfinite(running.seconds_left):
                words = tr(
                    "{stage}: {left} of {total} runs to go, about {seconds:.0f} s",
                    stage=stage, left=left, total=total, seconds=running.seconds_left,
                )  # fmt: skip
            else:
                words = tr("{stage}: {left} of {total} runs to go", stage=stage, left=left, total=total)
            self.state_text.setText(words)
        elif result is not None:
            self.state_text.setText(_ended(result))
        self.notes.setText(
            "\n".join(_notes(result, self._measure, self.plots.shades)) if result is not None else ""
        )
        self.notes.setVisible(bool(self.notes.text()))

    @staticmethod
    def _colours_of(state: State) -> dict[str, int]:
        """The colour of each lane by the name that a study gives it; of twins the first one's."""
        pairs = zip(state.preset.lanes, state.display.colours, strict=True)
        return dict(reversed([(lane_label(lane), colour) for lane, colour in pairs]))

    # --- construction

    def _lay_out(self) -> None:
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.plots)
        self.measures.setAccessibleName(tr("Error that is shown"))
        self.measures.setMinimumContentsLength(36)
        parts = self.cluster, self.problem, self.button, self.progress, self.state_text
        bottom = column(*parts, margins=(2 * UNIT, 0, 2 * UNIT, 0))
        side = held(column((self.choices, 1), bottom, margins=(0, 0, 0, 2 * UNIT)))
        side.setMinimumWidth(280)
        head = row(self.title, None, self.measures, self.figure, self.file)
        margins = 2 * UNIT, 2 * UNIT, 2 * UNIT, UNIT
        top = held(column(head, self.legend, (self._stack, 1), self.notes, margins=margins))
        under = held(column(self.table, margins=(2 * UNIT, 0, 2 * UNIT, UNIT)))
        right = divided((top, 600), (under, 260), grows=0, way=Qt.Orientation.Vertical)
        self.setCentralWidget(divided((side, 304), (right, 1076), grows=1))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give it to the first field
        open_at(self, 1380, 900)

    def _connect(self) -> None:
        self.button.clicked.connect(self.acts["run"].trigger)
        self.measures.chosen.connect(lambda name: self.choose_measure(str(name)))
        self.plots.chosen.connect(self.load)
        self.table.chosen.connect(self.load)
        self.figure.clicked.connect(lambda: self._ask(tr(_FIGURES), ".svg"))
        self.file.clicked.connect(lambda: self._ask(tr(_TABLES), ".csv"))
        self._document.changed.connect(self.show_state)

    def _ask(self, kind: str, suffix: str) -> None:
        name = f"{self._document.state.preset.name or 'study'}-study{suffix}"
        path, _ = QFileDialog.getSaveFileName(self, tr("Export"), name, kind)
        if path:
            self.export(Path(path) if Path(path).suffix else Path(path + suffix))


ACTS: tuple[Menu[StudyWindow], ...] = (
    Menu(
        "Study",
        (
            Act(
                "run", "Run or cancel", lambda w: w.run() if w.study is None else w.cancel(), ("Ctrl+Return",)
            ),
            Act(
                "leave", "Cancel, or close", lambda w: w.close() if w.study is None else w.cancel(), ("Esc",)
            ),
            Act("fit", "Show all points", lambda w: w.plots.fit(), ("F",)),
            Act("close", "Close the window", lambda w: w.close(), ("Ctrl+W",)),
            Act("help", "Help…", lambda w: open_topic("study"), ("F1",)),
        ),
    ),
)


def _ended(result: Result) -> str:
    """How a study ended."""
    runs = tr("{count} of {count_2} runs", count=len(result.points), count_2=len(result.plan.cases))
    if result.fault:
        return told(result.fault)
    return tr("Cancelled after {runs}", runs=runs) if result.cancelled else tr("{runs} complete", runs=runs)


def _notes(result: Result, measure: type[Measure], shaded: bool) -> list[str]:
    """What a reader of the plots has to know."""
    notes = [
        tr(
            "Not combined: {lane} with {integrator}: {reason}",
            lane=refused.lane,
            integrator=refused.integrator,
            reason=told(refused.reason),
        )
        for refused in result.refused
    ]
    level = result.level(measure.name)
    if result.method and level:
        off = f"{scientific(level, 0)} {measure.unit}".rstrip()
        notes.insert(
            0,
            tr(
                "Reference: {method}, itself off by about {off}{shaded}.",
                method=told(result.method),
                off=off,
                shaded=tr(" (shaded)") * shaded,
            ),
        )
    elif result.method:
        notes.insert(0, tr("No reference is needed for this error."))
    return [*notes, *map(told, failure_lines(result))]
