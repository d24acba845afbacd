"""Study window. Its curves and its table grow while worker processes or a cluster compute the points."""

from pathlib import Path

from quatviz.analysis.studies.files import StudyResult, write_study
from quatviz.analysis.studies.lane_loading import load_point
from quatviz.analysis.studies.measurement import StudyPoint
from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES, StudyMeasure
from quatviz.analysis.studies.plan import values_by_label
from quatviz.analysis.studies.study import Study
from quatviz.analysis.studies.tables import describe_run, plot_notes
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset
from quatviz.teaching.help.actions import Action, Menu
from quatviz.ui.tools.base.task_window import NICENESS, TaskWindow, common_actions, figure_and_table_targets
from quatviz.ui.tools.study.choices import StudyChoices
from quatviz.ui.tools.study.curve_style import StudyLegend, curve_styles
from quatviz.ui.tools.study.plots import StudyPlots
from quatviz.ui.tools.study.table import StudyTable
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, wrap_layout
from quatviz.ui.widgets.scrolling import CompactScrollArea, make_scroll_area

_EMPTY_TEXT = (
    "Choose lanes, integrators, and steps or tolerances, then press Run.\n"
    "Curves grow as runs finish; click a point to load its run."
)
_TABLE_FILTER = "Table (*.csv *.json *.md)"


class StudyWindow(TaskWindow[Study]):
    """Window for convergence studies of the main window's preset, one at a time."""

    def __init__(self, document: Document, nice: int = NICENESS) -> None:
        super().__init__(
            document,
            tr("Study – quatviz"),
            "study",
            tr(_EMPTY_TEXT),
            figure_and_table_targets(tr(_TABLE_FILTER)),
        )
        self._nice = nice
        self._measure: type[StudyMeasure] = MEASURES[DEFAULT_MEASURE]
        self._colors: dict[str, int] = {}
        self.choices = StudyChoices()
        measures = {name: measure.axis_label() for name, measure in MEASURES.items()}
        self.measure_box = ChoiceBox(measures, tr("Displayed error"), 36)
        self.legend = StudyLegend()
        self.plots = StudyPlots()
        self.notes_label = label("muted", selectable=True)
        self.notes_area = make_scroll_area(column(self.notes_label), CompactScrollArea())
        self.table = StudyTable()
        self.choices.lanes_changed.connect(self._update_outdated_mark)
        self.measure_box.chosen.connect(lambda name: self.choose_measure(str(name)))
        self.plots.chosen.connect(self.load)
        self.table.chosen.connect(self.load)
        under = wrap_layout(column(self.table, margins=(2 * GRID_UNIT, 0, 2 * GRID_UNIT, GRID_UNIT)))
        self._build_layout(
            ActionRegistry(ACTIONS, self, parent=self),
            (self.choices, self.theme.scaled_pixels(304)),
            [self.measure_box],
            [self.plots],
            ([self.legend], [self.notes_area]),
            (under, 200),
        )

    # --- commands

    @property
    def result(self) -> StudyResult | None:
        """Result of the study as far as it has been computed, or None before the first study."""
        return None if self.work is None else self.work.result

    def load(self, point: StudyPoint) -> None:
        """Show the run of a point in the main window."""
        if self.work is not None:
            refusal = load_point(self._document, self.work.plan, point)
            self._report(refusal, tr("Loaded {run}", run=describe_run(point)))

    def choose_measure(self, name: str) -> None:
        """Show the errors in another measure. All measures have already been computed."""
        self._measure = MEASURES[name]
        self.measure_box.show_value(name)
        self._refresh()

    # --- methods of a task window

    def _start_work(self) -> Study:
        study = Study(self.choices.plan(), self.cluster_field.text or None, nice=self._nice, waits=False)
        self._colors = _lane_colors(self._document.state)
        return study

    def _show_work(self, work: Study) -> None:
        super()._show_work(work)
        self.plots.fit()

    def _offer(self, state: State) -> None:
        colors = _lane_colors(state)
        self.choices.show_preset(state.preset, colors)
        if self.work is None:
            self._colors = colors

    def _progress_counts(self, work: Study) -> tuple[int, int]:
        return len(work.points), work.point_count

    def _preset_of(self, work: Study) -> Preset:
        return work.plan.preset

    def _inputs(self, work: Study) -> object:
        return self.choices.inputs(work.plan)

    def _write(self, work: Study, path: Path) -> None:
        write_study(work.result, path, self._measure.name, self._colors)

    def _refresh(self) -> None:
        styles, level, result = [], 0.0, self.result
        if result is not None:
            styles = curve_styles(result, self._measure.name, self._colors, self.theme)
            level = result.level(self._measure.name)
        self._stack.setCurrentWidget(self.empty if result is None else self.plots)
        self.legend.show_styles(styles)
        over_tolerances = result is not None and result.is_over_tolerances
        self.plots.show_curves(styles, self._measure, level, over_tolerances)
        self.table.show_result(result, self._measure, self._colors, self.theme)

    def _update_status(self) -> None:
        super()._update_status()
        result = self.result
        notes = [] if result is None else plot_notes(result, self._measure, self.plots.shows_noise_floor)
        self.notes_label.setText("\n".join(notes))
        self.notes_label.setVisible(bool(notes))


def _lane_colors(state: State) -> dict[str, int]:
    """Return the color number of each lane by its name in the study."""
    return values_by_label(state.preset.lanes, state.lane_styles.colours)


ACTIONS: tuple[Menu[StudyWindow], ...] = (
    Menu("Study", common_actions("study", Action("fit", "Show all points", lambda w: w.plots.fit(), ("F",)))),
)
