"""The window of studies: curves and a table that grow while processes, or a cluster, do the work."""

from pathlib import Path

from quatviz.analysis.studies.files import Result, write_study
from quatviz.analysis.studies.lane_loading import load
from quatviz.analysis.studies.measurement import Point
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES, Measure
from quatviz.analysis.studies.plan import by_label
from quatviz.analysis.studies.study import Study
from quatviz.analysis.studies.tables import notes_of, run_words
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.actions import Act, Menu
from quatviz.ui.tools.study.choices import StudyChoices
from quatviz.ui.tools.study.curve_style import StudyLegend, looks_of
from quatviz.ui.tools.study.plots import StudyPlots
from quatviz.ui.tools.study.table import StudyTable
from quatviz.ui.tools.task_window import NICE, Workbench, exports_of, rows_of
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import ChoiceBox, Remarks, column, held, label, scrolling

_EMPTY = (
    "Choose lanes, integrators, and steps or tolerances, then run.\n"
    "Curves grow as runs finish; a click on a point loads its run."
)
_TABLES = "Table (*.csv *.json *.md)"


class StudyWindow(Workbench[Study]):
    """One study after another over the preset of the main window."""

    def __init__(self, document: Document, nice: int = NICE) -> None:
        super().__init__(document, tr("Study – quatviz"), "study", tr(_EMPTY), exports_of(tr(_TABLES)))
        self._nice = nice
        self._measure: type[Measure] = MEASURES[DEFAULT_MEASURE]
        self._colours: dict[str, int] = {}
        self.choices = StudyChoices()
        measures = {name: kind.axis() for name, kind in MEASURES.items()}
        self.measures = ChoiceBox(measures, tr("Error that is shown"), 36)
        self.legend = StudyLegend()
        self.plots = StudyPlots()
        self.notes = label("muted", read=True)
        self.remarks = scrolling(column(self.notes), Remarks())
        self.table = StudyTable()
        self.measures.chosen.connect(lambda name: self.choose_measure(str(name)))
        self.plots.chosen.connect(self.load)
        self.table.chosen.connect(self.load)
        under = held(column(self.table, margins=(2 * UNIT, 0, 2 * UNIT, UNIT)))
        self._furnish(
            Acts(ACTS, self, parent=self), (self.choices, self.theme.pixels(304)), [self.measures], [self.plots],
            ([self.legend], [self.remarks]), (under, 200),
        )  # fmt: skip

    # --- what is asked

    @property
    def result(self) -> Result | None:
        """What has been measured, if anything was begun."""
        return None if self.work is None else self.work.result

    def load(self, point: Point) -> None:
        """Show the run of a point in the main window."""
        if self.work is not None:
            refusal = load(self._document, self.work.plan, point)
            self._answer(refusal, tr("Loaded {run}", run=run_words(point)))

    def choose_measure(self, name: str) -> None:
        """Show another error: it has been measured already."""
        self._measure = MEASURES[name]
        self.measures.show_value(name)
        self._refresh()

    # --- what a study has of its own

    def _make(self) -> Study:
        study = Study(self.choices.plan(), self.cluster.text or None, nice=self._nice, waits=False)
        self._colours = _colours_of(self._document.state)
        return study

    def _begin(self, work: Study) -> None:
        super()._begin(work)
        self.plots.fit()

    def _offer(self, state: State) -> None:
        colours = _colours_of(state)
        self.choices.show_preset(state.preset, colours)
        if self.work is None:
            self._colours = colours

    def _counts(self, work: Study) -> tuple[int, int]:
        return len(work.points), work.total

    def _preset_of(self, work: Study) -> Preset:
        return work.plan.preset

    def _write(self, work: Study, path: Path) -> None:
        write_study(work.result, path, self._measure.name, self._colours)

    def _refresh(self) -> None:
        looks, level, result = [], 0.0, self.result
        if result is not None:
            looks = looks_of(result, self._measure.name, self._colours, self.theme)
            level = result.level(self._measure.name)
        self._stack.setCurrentWidget(self.empty if result is None else self.plots)
        self.legend.show_looks(looks)
        over = result is not None and result.over_tolerances
        self.plots.show_curves(looks, self._measure, level, over)
        self.table.show_result(result, self._measure, self._colours, self.theme)

    def _tell(self) -> None:
        super()._tell()
        result = self.result
        notes = [] if result is None else notes_of(result, self._measure, self.plots.shades)
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))


def _colours_of(state: State) -> dict[str, int]:
    """The colour of each lane by the name that a study gives it."""
    return by_label(state.preset.lanes, state.display.colours)


ACTS: tuple[Menu[StudyWindow], ...] = (
    Menu("Study", rows_of("study", Act("fit", "Show all points", lambda w: w.plots.fit(), ("F",)))),
)
