"""Map window. It shows a parameter map while the map is being computed, and a profile through it."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF

from quatviz.analysis.sweeps.boundaries import boundary_lines, known_boundary
from quatviz.analysis.sweeps.chart import Chart
from quatviz.analysis.sweeps.dataset import make_dataset
from quatviz.analysis.sweeps.files import ENDINGS, write_sweep
from quatviz.analysis.sweeps.page import SUFFIXES, write_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.addresses import label_at
from quatviz.files.files import supported_endings
from quatviz.files.preset import Preset
from quatviz.simulation.runner import Snapshot
from quatviz.teaching.help.actions import Action, Menu
from quatviz.ui.tools.base.task_window import (
    ExportTarget,
    TaskWindow,
    common_actions,
    figure_and_table_targets,
)
from quatviz.ui.tools.maps.choices import MapChoices
from quatviz.ui.tools.maps.map_plot import MapPlot
from quatviz.ui.tools.maps.profile import ProfilePlot
from quatviz.ui.tools.maps.section_plot import SectionPlot
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.labels import ElidedLabel, label
from quatviz.ui.widgets.layouts import column, row, wrap_layout

_CHOICES_WIDTH = 26
"""Width of the form with the choices, as a multiple of the type size. The longest title of a measure fits."""
_EMPTY_TEXT = (
    "Choose one or two parameters and a measure, then press Run.\n"
    "The map fills in from coarse to fine. Click it to load a run."
)
_TABLE_FILTER = "Table or data set ({endings})"
_PAGE_FILTER = "Web page (*.html)"


class MapWindow(TaskWindow[Sweep]):
    """Window that computes parameter maps of the main window's preset, one at a time."""

    def __init__(self, document: Document) -> None:
        table_suffixes = " ".join(f"*{ending}" for ending in supported_endings(ENDINGS))
        exports = (
            *figure_and_table_targets(tr(_TABLE_FILTER, endings=table_suffixes)),
            ExportTarget(tr("Web page…"), tr(_PAGE_FILTER), ".html"),
        )
        super().__init__(document, tr("Parameter maps – quatviz"), "map", tr(_EMPTY_TEXT), exports)
        self.chart: Chart | None = None
        self._outer_plans: list[SweepPlan] = []
        """Plans of the larger maps from which the user has zoomed in, outermost first."""
        self.choices = MapChoices()
        self.cut_axis_box = ChoiceBox({}, tr("Direction of the profile"), 18)
        self.measure_label = ElidedLabel()
        """Label above the profile: measure, for which the vertical axis has no space, and parameter value that is constant
        along the profile."""
        self.measure_label.setObjectName("muted")
        self.map_plot = MapPlot()
        self.profile, self.diagram = ProfilePlot(below_map=True), ProfilePlot()
        self.section = SectionPlot()
        self.cut_panel = wrap_layout(
            column(
                row(self.cut_axis_box, (self.measure_label, 1)),
                (self.profile, 1),
                margins=(2 * GRID_UNIT, GRID_UNIT, 2 * GRID_UNIT, GRID_UNIT),
            )
        )
        self.contours_label = label("muted", tr("White lines: contours at the ticks of the color bar"))
        self.contours_label.hide()
        self.boundary_label = label("muted")
        self.boundary_label.hide()
        self.remarks_label = label("outdated")
        self.remarks_label.hide()
        actions = ActionRegistry(ACTIONS, self, parent=self)
        tooltip = actions.tooltip("back", tr("Return to the map before zooming in"))
        self.back_button = Button(tr("Zoom out"), actions["back"].trigger, tooltip)
        self._connect()
        self._build_layout(
            actions,
            (self.choices, _CHOICES_WIDTH * self.theme.normal),
            [self.back_button],
            [self.map_plot, self.diagram, self.section],
            ([self.contours_label, self.boundary_label, self.remarks_label], []),
            (self.cut_panel, 280),
        )

    # --- commands

    def run(self) -> None:
        before = self.work
        super().run()
        if self.work is not before:
            self._outer_plans.clear()
            self._update_status()

    def zoom_into(self, part: QRectF) -> None:
        """Compute the part of the map inside a rectangle, with as many cells as the whole map has."""
        assert self.work is not None
        assert self.chart is not None
        across, up = self.chart.spans
        plan = self.work.plan
        ends = {0: across.subrange(part.left(), part.right()), 1: up.subrange(part.top(), part.bottom())}
        self._outer_plans.append(plan)
        part_plan = plan.with_axes({plan.grid_axes[axis_index]: axis for axis_index, axis in ends.items()})
        self._start_or_explain(partial(self._start_sweep, part_plan))

    def go_back(self) -> None:
        """Zoom out to the previous, larger map, which is computed again."""
        if self._outer_plans:
            self._start_or_explain(partial(self._start_sweep, self._outer_plans.pop()))

    def load(self, cell: tuple[int, ...], time: float | None = None) -> None:
        """Show the run of a cell in the main window, paused at `time` [s] if a time is given. If the cell has no run,
        explain why."""
        assert self.chart is not None
        try:
            preset = self.chart.plan.preset_at(self.chart.axis_values(cell))
        except InputError as error:
            self.problem.show_refusal_with_place(error)
            return
        words = self.chart.describe_run(cell, time)
        refusal = self._document.open(
            tr("run of the map: {run}", run=words),
            lambda shown: State.default_for(replace(preset, path=shown.preset.path)),
            None if time is None else Snapshot(time=time, playing=False, speed=preset.speed),
        )
        self._report(refusal, tr("Loaded {run}", run=words))

    # --- methods of a task window

    def _start_work(self) -> Sweep:
        return self._start_sweep(self.choices.plan())

    def _start_sweep(self, plan: SweepPlan) -> Sweep:
        return Sweep(plan, self.cluster_field.text or None, waits=False)

    def _show_work(self, work: Sweep) -> None:
        self.cancel()  # show results so far on their own axes
        plan = work.plan
        self.choices.show_plan(plan)
        names = [label_at(plan.preset, plan.addresses[axis_index]) for axis_index in plan.grid_axes]
        self.cut_axis_box.set_choices(
            {number: tr("along {axis}", axis=name) for number, name in enumerate(names)}
        )
        self.map_plot.cell = None
        super()._show_work(work)
        self._show_boundary(plan)
        self.remarks_label.setText("\n".join(map(tr, plan.remarks)))
        self.remarks_label.setVisible(bool(plan.remarks))
        self.poll()

    def _show_boundary(self, plan: SweepPlan) -> None:
        """Draw the theoretical boundary of this map and name its source, if such a boundary is known."""
        boundary = known_boundary(plan)
        self.map_plot.show_boundary(boundary_lines(plan, boundary) if boundary is not None else [])
        shows_points = self.chart is not None and self.chart.is_points
        self.boundary_label.setVisible(boundary is not None or shows_points)
        if shows_points:
            self.section.fit()
        elif boundary is not None:
            self.boundary_label.setText(
                tr("Dashed: {boundary} ({source})", boundary=tr(boundary.title), source=boundary.source)
            )

    def _offer(self, state: State) -> None:
        self.choices.show_preset(state.preset)

    def _progress_counts(self, work: Sweep) -> tuple[int, int]:
        return work.points_computed, work.plan.point_count

    def _preset_of(self, work: Sweep) -> Preset:
        return work.plan.preset

    def _inputs(self, work: Sweep) -> object:
        return self.choices.inputs(work.plan)

    def _write(self, work: Sweep, path: Path) -> None:
        assert self.chart is not None
        if path.suffix.lower() in SUFFIXES:
            write_page(self.chart, path)
        elif path.suffix.lower() in ENDINGS:
            write_sweep(make_dataset(work.plan, work.results), path)
        else:
            from quatviz.analysis.sweeps.figure import (
                draw_chart,
            )  # imported on first use, since it needs matplotlib

            draw_chart(self.chart).save(path)

    def _refresh(self) -> None:
        if self.work is None:
            self._stack.setCurrentWidget(self.empty)
            self.cut_panel.hide()
            self.contours_label.hide()
            self.boundary_label.hide()
            self.remarks_label.hide()
            return
        self.chart = chart = Chart(self.work.plan, self.work.results, self.work.plan.measures[0])
        page = self.section if chart.is_points else self.map_plot if chart.is_map else self.diagram
        self._stack.setCurrentWidget(page)
        self.cut_panel.setVisible(chart.is_map)
        self.contours_label.hide()
        if not chart.is_points and self.section.chart is not None:
            self.section.release()
        if chart.is_points:
            self.boundary_label.setText(chart.color_legend)
            self.section.show_chart(chart)
        elif chart.is_map:
            self.map_plot.show_chart(chart)
            self.contours_label.setVisible(self.map_plot.has_contours)
            self._show_cut()
        else:
            self.diagram.show_values(
                chart.spans[0], chart.values, chart.scale, chart.measure_class.axis_label()
            )

    def _update_status(self) -> None:
        super()._update_status()
        self.back_button.setVisible(bool(self._outer_plans))

    @property
    def _cut_axis(self) -> int:
        """Index of the map axis along which the profile runs."""
        return int(str(self.cut_axis_box.value))

    @property
    def _cut_cell(self) -> list[int]:
        """Indices of the cell through which the profile runs: the current cell, or the middle one if there is none."""
        assert self.chart is not None
        return list(self.map_plot.cell or (count // 2 for count in self.chart.computed.shape))

    def _show_cut(self, _: object = None) -> None:
        """Show the profile: the values along one axis through the current cell."""
        chart = self.chart
        if chart is None or not chart.is_map:
            return
        cell, axis_index = self._cut_cell, self._cut_axis
        values = chart.filled_values[:, cell[1]] if axis_index == 0 else chart.filled_values[cell[0], :]
        self.profile.show_values(chart.spans[axis_index], values, chart.scale, "", cell[axis_index])
        fixed_value = chart.describe_cell(cell)[1 - axis_index]
        text = tr("{measure} at {fixed}", measure=chart.measure_class.axis_label(), fixed=fixed_value)
        self.measure_label.setText(text)
        self.measure_label.setToolTip(text)

    def _choose_in_cut(self, number: int) -> None:
        """Load the run that belongs to a value in the profile."""
        cell = self._cut_cell
        cell[self._cut_axis] = number
        self.map_plot.point_at((cell[0], cell[1]))
        self.load(tuple(cell))

    def _connect(self) -> None:
        self.cut_axis_box.chosen.connect(self._show_cut)
        self.map_plot.cell_pointed.connect(self._show_cut)
        self.map_plot.cell_chosen.connect(self.load)
        self.map_plot.zoom_requested.connect(self.zoom_into)
        self.profile.chosen.connect(self._choose_in_cut)
        self.section.chosen.connect(self.load)
        self.diagram.chosen.connect(lambda number: self.load((number,)))


ACTIONS: tuple[Menu[MapWindow], ...] = (
    Menu(
        "Parameter maps",
        common_actions(
            "sweeps",
            Action("back", "Zoom out", lambda w: w.go_back(), ("Backspace", "Alt+Left")),
        ),
    ),
)
