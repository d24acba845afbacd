"""The window of sweeps: choices at the left; at the right a map that fills in while it is computed, and a cut through it."""

import math
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QProgressBar, QPushButton, QStackedLayout

from quatviz.base.errors import InputError
from quatviz.base.tr import tr
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.look.theme import UNIT
from quatviz.sweeps.boundaries import boundary_of, lines
from quatviz.sweeps.chart import Chart
from quatviz.sweeps.plan import SweepPlan
from quatviz.sweeps.sweep import Sweep
from quatviz.text.addresses import words_at
from quatviz.ui.kit.acts import Act, Acts, Menu
from quatviz.ui.kit.style import Themed
from quatviz.ui.kit.widgets import (
    ChoiceBox,
    RefusalLabel,
    column,
    divided,
    held,
    label,
    open_at,
    open_topic,
    row,
)
from quatviz.ui.tools.maps.choices import MapChoices, with_axes
from quatviz.ui.tools.maps.picture import MapPicture
from quatviz.ui.tools.maps.profile import Profile

POLL_MS = 250
_EMPTY = "Choose one number or two, and what is measured, then run.\nThe map fills in from coarse to fine; a click loads a run."

_FIGURES = "Figure for print (*.svg *.pdf *.png)"


class MapWindow(Themed, QMainWindow):
    """One sweep after another over the preset of the main window. Closing it cancels; what was found stays."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.sweep: Sweep | None = None
        """The one that is shown, running or not."""
        self.chart: Chart | None = None
        self._before: list[SweepPlan] = []
        """Sweeps from which a part was looked into."""
        self.setWindowTitle(tr("Maps – quatviz"))
        self.setObjectName("maps")
        self.choices = MapChoices()
        self.button = QPushButton(tr("Run"))
        self.button.setObjectName("primary")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.state_text = label("muted")
        self.problem = RefusalLabel()
        self.title = label("heading", wraps=False)
        self.figure = QPushButton(tr("Export the figure…"))
        self.back = QPushButton(tr("Back out"))
        self.along = ChoiceBox({})
        self.picture = MapPicture()
        self.profile, self.diagram = Profile(), Profile()
        self.cut = held(
            column(row(self.along, None), (self.profile, 1), margins=(2 * UNIT, UNIT, 2 * UNIT, UNIT))
        )
        self.boundary = label("muted", wraps=False)
        self.boundary.hide()
        self.empty = label("empty", tr(_EMPTY), wraps=False)
        self._stack = QStackedLayout()
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self.poll)
        self.acts: Acts[MapWindow] = Acts(ACTS, self, parent=self)
        self.addActions(list(self.acts))
        self.button.setToolTip(self.acts.tip("run", tr("Run or cancel")))
        self.back.setToolTip(self.acts.tip("back", tr("The map from which this part was looked into")))
        self._lay_out()
        self._connect()
        self.show_state(document.state)
        self._refresh()

    # --- what is asked

    @property
    def running(self) -> bool:
        """Whether a sweep is being computed."""
        return self.sweep is not None and not self.sweep.done

    def run(self) -> None:
        """Begin the sweep that is chosen; the one before is forgotten."""
        self.problem.hide()
        try:
            plan = self.choices.plan()
        except InputError as refusal:
            self.problem.explain(refusal)
            return
        self._before.clear()
        self._begin(plan)

    def cancel(self) -> None:
        """End the sweep that runs, if one does; what it has found stays."""
        if self.sweep is not None:
            self.sweep.cancel()
            self._timer.stop()
            self._refresh()

    def poll(self) -> None:
        """Take in what has been found since."""
        if self.sweep is None:
            return
        try:
            new = self.sweep.poll()
        except InputError as refusal:
            self.problem.explain(refusal)
            self.cancel()
            return
        if self.sweep.done:
            self._timer.stop()
        if new or self.sweep.done:
            self._refresh()
        self._tell()

    def look_into(self, part: QRectF) -> None:
        """Compute the part of a map that is in a rectangle, as finely as all of it."""
        assert self.sweep is not None
        assert self.chart is not None
        across, up = self.chart.spans
        plan = self.sweep.plan
        ends = {0: across.between(part.left(), part.right()), 1: up.between(part.top(), part.bottom())}
        self._before.append(plan)
        self._begin(with_axes(plan, {plan.grid[way]: axis for way, axis in ends.items()}))

    def go_back(self) -> None:
        """The map from which this part was looked into, computed again."""
        if self._before:
            self._begin(self._before.pop())

    def load(self, cell: tuple[int, ...]) -> None:
        """Show the run of a cell in the main window."""
        assert self.chart is not None
        preset = self.chart.plan.preset_at(self.chart.point(cell))
        words = ", ".join(self.chart.words(cell)[: len(self.chart.spans)])
        refusal = self._document.open(
            tr("the map's {run}", run=words), lambda shown: State.of(replace(preset, path=shown.preset.path))
        )
        if refusal is not None:
            self.problem.explain(refusal)
        else:
            self.state_text.setText(tr("Loaded {run}. Undo in the main window takes it back.", run=words))

    def export(self, path: Path) -> None:
        """Write the figure of what is shown."""
        from quatviz.sweeps.figure import draw  # late, for matplotlib

        if self.chart is None:
            return
        try:
            draw(self.chart).save(path)
        except InputError as refusal:
            self.problem.explain(refusal)
        else:
            self.state_text.setText(tr("Written to {path}", path=path))

    # --- what is shown

    def show_state(self, state: State) -> None:
        """Offer what the main window shows now."""
        self.choices.show_preset(state.preset)
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

    def _begin(self, plan: SweepPlan) -> None:
        self.cancel()
        self.choices.show_plan(plan)
        names = [words_at(plan.preset, plan.addresses[place]) for place in plan.grid]
        self.along.offer({way: tr("along {axis}", axis=name) for way, name in enumerate(names)})
        self.sweep, self.picture.cell = Sweep(plan), None
        self._timer.start()
        self._refresh()
        self._bound(plan)
        self.poll()

    def _bound(self, plan: SweepPlan) -> None:
        """Draw the boundary that theory knows of such a map, if it does, and say which."""
        kind = boundary_of(plan)
        self.picture.show_boundary(lines(plan, kind) if kind is not None else [])
        self.boundary.setVisible(kind is not None)
        if kind is not None:
            self.boundary.setText(
                tr("Dashed: {boundary} ({source})", boundary=tr(kind.title), source=kind.source)
            )

    def _refresh(self) -> None:
        """Show what was found so far."""
        if self.sweep is None:
            self._stack.setCurrentWidget(self.empty)
            self.cut.hide()
            self._tell()
            return
        self.chart = chart = Chart(self.sweep.plan, self.sweep.found, self.sweep.plan.measures[0])
        is_map = len(chart.spans) == 2
        self._stack.setCurrentWidget(self.picture if is_map else self.diagram)
        self.cut.setVisible(is_map)
        if is_map:
            self.picture.show_chart(chart)
            self._show_cut()
        else:
            self.diagram.show_values(chart.spans[0], chart.values, chart.scale, chart.kind.axis())
        self._tell()

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
        if chart is None or len(chart.spans) != 2:
            return
        cell, way = self._through, self._way
        through = chart.filled[:, cell[1]] if way == 0 else chart.filled[cell[0], :]
        self.profile.show_values(chart.spans[way], through, chart.scale, chart.kind.axis(), cell[way])

    def _choose_in_cut(self, number: int) -> None:
        """Load the run of a value of the cut."""
        cell = self._through
        cell[self._way] = number
        self.picture.point_at((cell[0], cell[1]))
        self.load(tuple(cell))

    def _tell(self) -> None:
        """Progress in words."""
        sweep = self.sweep
        self.button.setText(tr("Cancel") if self.running else tr("Run"))
        self.back.setVisible(bool(self._before))
        self.figure.setEnabled(sweep is not None and sweep.computed > 0)
        self.progress.setVisible(self.running)
        self.title.setText(self._document.state.preset.title if sweep is None else sweep.plan.preset.title)
        if sweep is None:
            return
        self.progress.setMaximum(sweep.plan.points)
        self.progress.setValue(sweep.computed)
        runs = tr("{count:,} of {all:,} runs", count=sweep.computed, all=sweep.plan.points)
        if self.running and math.isfinite(sweep.seconds_left):
            self.state_text.setText(
                tr("{runs}, about {left:.0f} s to go", runs=runs, left=sweep.seconds_left)
            )
        elif self.running:
            self.state_text.setText(tr("Compiling"))
        else:
            self.state_text.setText(
                tr("Cancelled after {runs}", runs=runs)
                if sweep.cancelled
                else tr("{runs} complete", runs=runs)
            )

    # --- construction

    def _lay_out(self) -> None:
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.picture)
        self._stack.addWidget(self.diagram)
        self.along.setAccessibleName(tr("Which way the cut goes"))
        self.along.setMinimumContentsLength(18)
        parts = self.problem, self.button, self.progress, self.state_text
        bottom = column(*parts, margins=(2 * UNIT, 0, 2 * UNIT, 0))
        side = held(column((self.choices, 1), bottom, margins=(0, 0, 0, 2 * UNIT)))
        side.setMinimumWidth(280)
        margins = 2 * UNIT, 2 * UNIT, 2 * UNIT, UNIT
        top = held(
            column(
                row(self.title, None, self.back, self.figure),
                self.boundary,
                (self._stack, 1),
                margins=margins,
            )
        )
        right = divided((top, 600), (self.cut, 280), grows=0, way=Qt.Orientation.Vertical)
        self.setCentralWidget(divided((side, 336), (right, 1084), grows=1))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give it to the first field
        open_at(self, 1420, 920)

    def _connect(self) -> None:
        self.button.clicked.connect(self.acts["run"].trigger)
        self.figure.clicked.connect(self._ask_for_figure)
        self.back.clicked.connect(self.acts["back"].trigger)
        self.along.chosen.connect(self._show_cut)
        self.picture.pointed.connect(self._show_cut)
        self.picture.chosen.connect(self.load)
        self.picture.looked_into.connect(self.look_into)
        self.profile.chosen.connect(self._choose_in_cut)
        self.diagram.chosen.connect(lambda number: self.load((number,)))
        self._document.changed.connect(self.show_state)

    def _ask_for_figure(self) -> None:
        name = f"{self._document.state.preset.name or 'map'}-map.svg"
        path, _ = QFileDialog.getSaveFileName(self, tr("Export"), name, tr(_FIGURES))
        if path:
            self.export(Path(path) if Path(path).suffix else Path(path + ".svg"))


ACTS: tuple[Menu[MapWindow], ...] = (
    Menu(
        "Maps",
        (
            Act("run", "Run or cancel", lambda w: w.cancel() if w.running else w.run(), ("Ctrl+Return",)),
            Act("leave", "Cancel, or close", lambda w: w.cancel() if w.running else w.close(), ("Esc",)),
            Act("back", "Back out of the part", lambda w: w.go_back(), ("Backspace", "Alt+Left")),
            Act("close", "Close the window", lambda w: w.close(), ("Ctrl+W",)),
            Act("help", "Help…", lambda w: open_topic("sweeps"), ("F1",)),
        ),
    ),
)
