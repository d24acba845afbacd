"""The window of sweeps: a map that fills in while it is computed, and a cut through it."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF

from quatviz.analysis.sweeps.boundaries import boundary_of, lines
from quatviz.analysis.sweeps.chart import Chart
from quatviz.analysis.sweeps.dataset import contents
from quatviz.analysis.sweeps.files import ENDINGS, write_sweep
from quatviz.analysis.sweeps.page import SUFFIXES, write_page
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.addresses import words_at
from quatviz.files.files import offered
from quatviz.files.preset import Preset
from quatviz.simulation.runner import Snapshot
from quatviz.teaching.help.actions import Act, Menu
from quatviz.ui.tools.maps.choices import MapChoices
from quatviz.ui.tools.maps.map_plot import MapPicture
from quatviz.ui.tools.maps.profile import Profile
from quatviz.ui.tools.maps.section_plot import SectionPlot
from quatviz.ui.tools.task_window import Export, Workbench, exports_of, rows_of
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import Button, ChoiceBox, column, held, label, row

_WIDE = 26
"""Of the choices [heights of a letter]: the longest measure has room."""
_EMPTY = "Choose one number or two, and what is measured, then run.\nThe map fills in from coarse to fine; a click loads a run."
_TABLES = "Table or data set ({endings})"
_PAGES = "Page for a browser (*.html)"


class MapWindow(Workbench[Sweep]):
    """One sweep after another over the preset of the main window."""

    def __init__(self, document: Document) -> None:
        kinds = " ".join(f"*{ending}" for ending in offered(ENDINGS))
        exports = (
            *exports_of(tr(_TABLES, endings=kinds)),
            Export(tr("Page…"), tr(_PAGES), ".html"),
        )
        super().__init__(document, tr("Maps – quatviz"), "map", tr(_EMPTY), exports)
        self.chart: Chart | None = None
        self._before: list[SweepPlan] = []
        """Sweeps from which a part was looked into."""
        self.choices = MapChoices()
        self.along = ChoiceBox({}, tr("Which way the cut goes"), 18)
        self.measured = label("muted", wraps=False)
        """What the cut shows: along its own side there would be no room for it."""
        self.picture = MapPicture()
        self.profile, self.diagram, self.section = Profile(), Profile(), SectionPlot()
        self.cut = held(
            column(
                row(self.along, self.measured, None),
                (self.profile, 1),
                margins=(2 * UNIT, UNIT, 2 * UNIT, UNIT),
            )
        )
        self.boundary = label("muted")
        self.boundary.hide()
        acts = Acts(ACTS, self, parent=self)
        said = acts.tip("back", tr("The map from which this part was looked into"))
        self.back = Button(tr("Back out"), acts["back"].trigger, said)
        self._connect()
        self._furnish(
            acts, (self.choices, _WIDE * self.theme.normal), [self.back], [self.picture, self.diagram, self.section],
            ([self.boundary], []), (self.cut, 280),
        )  # fmt: skip

    # --- what is asked

    def run(self) -> None:
        before = self.work
        super().run()
        if self.work is not before:
            self._before.clear()
            self._tell()

    def look_into(self, part: QRectF) -> None:
        """Compute the part of a map that is in a rectangle, as finely as all of it."""
        assert self.work is not None
        assert self.chart is not None
        across, up = self.chart.spans
        plan = self.work.plan
        ends = {0: across.between(part.left(), part.right()), 1: up.between(part.top(), part.bottom())}
        self._before.append(plan)
        part_of_it = plan.over({plan.grid[way]: axis for way, axis in ends.items()})
        self._attempt(partial(self._sweep, part_of_it))

    def go_back(self) -> None:
        """The map from which this part was looked into, computed again."""
        if self._before:
            self._attempt(partial(self._sweep, self._before.pop()))

    def load(self, cell: tuple[int, ...], time: float | None = None) -> None:
        """Show the run of a cell in the main window, resting at a `time` [s] if one is given, or say why it has none."""
        assert self.chart is not None
        try:
            preset = self.chart.plan.preset_at(self.chart.point(cell))
        except InputError as refused:
            self.problem.explain(refused)
            return
        words = self.chart.run_words(cell, time)
        refusal = self._document.open(
            tr("the map's {run}", run=words),
            lambda shown: State.of(replace(preset, path=shown.preset.path)),
            None if time is None else Snapshot(time=time, playing=False, speed=preset.speed),
        )
        self._answer(refusal, tr("Loaded {run}", run=words))

    # --- what a sweep has of its own

    def _make(self) -> Sweep:
        return self._sweep(self.choices.plan())

    def _sweep(self, plan: SweepPlan) -> Sweep:
        return Sweep(plan, self.cluster.text or None, waits=False)

    def _begin(self, work: Sweep) -> None:
        self.cancel()  # and show what was found, by its own axes
        plan = work.plan
        self.choices.show_plan(plan)
        names = [words_at(plan.preset, plan.addresses[place]) for place in plan.grid]
        self.along.offer({way: tr("along {axis}", axis=name) for way, name in enumerate(names)})
        self.picture.cell = None
        super()._begin(work)
        self._bound(plan)
        self.poll()

    def _bound(self, plan: SweepPlan) -> None:
        """Draw the boundary that theory knows of such a map, if it does, and say which."""
        kind = boundary_of(plan)
        self.picture.show_boundary(lines(plan, kind) if kind is not None else [])
        of_points = self.chart is not None and self.chart.is_points
        self.boundary.setVisible(kind is not None or of_points)
        if of_points:
            self.section.fit()
        elif kind is not None:
            self.boundary.setText(
                tr("Dashed: {boundary} ({source})", boundary=tr(kind.title), source=kind.source)
            )

    def _offer(self, state: State) -> None:
        self.choices.show_preset(state.preset)

    def _counts(self, work: Sweep) -> tuple[int, int]:
        return work.computed, work.plan.points

    def _preset_of(self, work: Sweep) -> Preset:
        return work.plan.preset

    def _write(self, work: Sweep, path: Path) -> None:
        assert self.chart is not None
        if path.suffix.lower() in SUFFIXES:
            write_page(self.chart, path)
        elif path.suffix.lower() in ENDINGS:
            write_sweep(contents(work.plan, work.found), path)
        else:
            from quatviz.analysis.sweeps.figure import draw  # late, for matplotlib

            draw(self.chart).save(path)

    def _refresh(self) -> None:
        if self.work is None:
            self._stack.setCurrentWidget(self.empty)
            self.cut.hide()
            self.boundary.hide()
            return
        self.chart = chart = Chart(self.work.plan, self.work.found, self.work.plan.measures[0])
        page = self.section if chart.is_points else self.picture if chart.is_map else self.diagram
        self._stack.setCurrentWidget(page)
        self.cut.setVisible(chart.is_map)
        if not chart.is_points and self.section.chart is not None:
            self.section.forget()
        if chart.is_points:
            self.boundary.setText(chart.shaded)
            self.section.show_chart(chart)
        elif chart.is_map:
            self.picture.show_chart(chart)
            self._show_cut()
        else:
            self.diagram.show_values(chart.spans[0], chart.values, chart.scale, chart.kind.axis())

    def _tell(self) -> None:
        super()._tell()
        self.back.setVisible(bool(self._before))

    @property
    def _way(self) -> int:
        """Along which axis the cut goes."""
        return int(str(self.along.value))

    @property
    def _through(self) -> list[int]:
        """The cell that the cut goes through."""
        assert self.chart is not None
        return list(self.picture.cell or (count // 2 for count in self.chart.known.shape))

    def _show_cut(self, _: object = None) -> None:
        """The values along one axis through the cell that is pointed at."""
        chart = self.chart
        if chart is None or not chart.is_map:
            return
        cell, way = self._through, self._way
        through = chart.filled[:, cell[1]] if way == 0 else chart.filled[cell[0], :]
        self.profile.show_values(chart.spans[way], through, chart.scale, "", cell[way])
        self.measured.setText(chart.kind.axis())

    def _choose_in_cut(self, number: int) -> None:
        """Load the run of a value of the cut."""
        cell = self._through
        cell[self._way] = number
        self.picture.point_at((cell[0], cell[1]))
        self.load(tuple(cell))

    def _connect(self) -> None:
        self.along.chosen.connect(self._show_cut)
        self.picture.pointed.connect(self._show_cut)
        self.picture.chosen.connect(self.load)
        self.picture.looked_into.connect(self.look_into)
        self.profile.chosen.connect(self._choose_in_cut)
        self.section.chosen.connect(self.load)
        self.diagram.chosen.connect(lambda number: self.load((number,)))


ACTS: tuple[Menu[MapWindow], ...] = (
    Menu(
        "Maps",
        rows_of(
            "sweeps",
            Act("back", "Back out of the part", lambda w: w.go_back(), ("Backspace", "Alt+Left")),
        ),
    ),
)
