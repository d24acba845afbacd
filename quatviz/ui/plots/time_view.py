"""A panel over time in the window: its title, its strips, and when they are renewed."""

import math

from PySide6.QtWidgets import QVBoxLayout

from quatviz.base.translation import tr
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.panels.base import HighlightTarget, TimePanel, ValueReading
from quatviz.display.panels.base.curves import (
    TITLE_WEIGHT,
    PanelCurves,
    emphasize,
    previous_traces,
    shows_target,
)
from quatviz.display.view_state.theme import Theme
from quatviz.ui.plots.end_label_painter import EndLabelLayout
from quatviz.ui.plots.panel_view import PanelContext, PanelView
from quatviz.ui.plots.rows import SentenceRow, TimeRow
from quatviz.ui.plots.strip_plot import StripPlot

MAX_OFFSCREEN_DELAY = 1.0
"""Seconds for which rows may wait that are beyond what is in sight while a run plays."""


class TimeView(PanelView):
    """Draws the `Curves` of its panel, made anew where lanes or choices change."""

    panel: TimePanel

    def __init__(self, panel: TimePanel, context: PanelContext) -> None:
        super().__init__(panel, context)
        self.plots: list[StripPlot] = []
        self.curves: PanelCurves | None = None
        self._shown_lanes: tuple[str, ...] = ()
        self._extent: dict[str, float] = {}
        self._taken, self._taken_at = 0, -math.inf
        self._has_pending_rows = False
        self._time = 0.0
        self._pointed: HighlightTarget | None = None
        self.empty_row = SentenceRow(self, fills=True)
        self._strip_layout = QVBoxLayout()
        self.footnote_row = SentenceRow(self)
        self.time_row = TimeRow(self, context.axis)
        self.body.addWidget(self.empty_row)
        self.body.addLayout(self._strip_layout, 1)
        self.body.addWidget(self.footnote_row)
        self.body.addWidget(self.time_row)
        context.choices.changed.connect(self._apply_choice)

    def highlight(self, pointed: HighlightTarget | None) -> bool:
        strips = self.curves.strips if self.curves is not None else ()
        self._pointed = pointed if shows_target(strips, pointed) else None
        for plot in self.plots:
            plot.needs_redraw |= emphasize(plot.traces, self._pointed, self._shows_difference)
        return self._pointed is not None

    def start(self, source: ColumnSource) -> None:
        if self.source is not None and self.source.info.title != source.info.title:
            for plot in self.plots:
                plot.end_labels = EndLabelLayout()
        super().start(source)
        self._extent = {}
        self._rebuild_plots(source.info.lanes)

    def keeps_previous_run(self, info: RunInfo) -> bool:
        """Errors of a sketch are those of its longer steps: they, and the scale that they need, tell nothing of the run."""
        note = tr("renewed once the hand rests")
        keeps = info.is_coarsened and (self.panel.shows_errors or self._shows_difference)
        if keeps and note != self.title_row.note:
            self.title_row.set_note(note)
        return keeps

    def release(self) -> None:
        super().release()
        self.curves = None
        for plot in self.plots:
            plot.release()

    def show_frame(self, frame: Frame) -> None:
        shown_lanes = tuple(lane.name for lane in frame.lanes if lane.visible)
        if shown_lanes != self._shown_lanes:
            self._rebuild_plots(shown_lanes)
        has_new_rows = self._read_new_rows(frame)
        if has_new_rows:
            self._update_notes()
        end_times = {lane.name: lane.termination_time for lane in frame.lanes}
        for plot in self.plots:
            if has_new_rows:
                plot.note_new_rows()
            plot.show_ends(end_times)
        if frame.updates_readouts:
            self._show_time(frame.time)

    def draw(self, budget: FrameBudget) -> None:
        for index, plot in enumerate(self.plots):
            plot.draw((self.name, index), budget)
        self.time_row.update_if_moved()

    def _show_time(self, time: float) -> None:
        """Put cursors, dots, digits and the tag of the times at `time`, which they all show."""
        self._time = time
        for plot in self.plots:
            plot.show_time(time)
        self.time_row.show_time(time)

    @property
    def cursor_count(self) -> float:
        return max(len(self.plots), 1)

    @property
    def wanted_side_width(self) -> float:
        return max((plot.wanted_side_width for plot in self.plots), default=0.0)

    def reserve_side_width(self, width: float) -> None:
        for plot in self.plots:
            plot.side_width = width
        self.time_row.reserve_side_width(width)

    @property
    def has_pending_rows(self) -> bool:
        return self._has_pending_rows

    def update_colors(self, theme: Theme) -> None:
        if self.curves is not None and self.source is not None:
            self.curves.update_colors(self.source.info, theme)
        for plot in self.plots:
            plot.invalidate()

    def shutdown(self) -> None:
        self.context.choices.changed.disconnect(self._apply_choice)
        for plot in self.plots:
            plot.detach()
        self.plots, self.curves = [], None

    @property
    def weight(self) -> float:
        return self.curves.weight if self.curves is not None else TITLE_WEIGHT + 1.0

    def readings(self) -> list[ValueReading]:
        return self.curves.readings(self._time) if self.curves is not None else []

    @property
    def times_height(self) -> float:
        """What the times below the strips take, where they are written."""
        return 0.0 if self.time_row.isHidden() else float(self.time_row.height())

    def set_time_labels_visible(self, visible: bool) -> None:
        """Write the times below the strips, or leave that to the panel below."""
        self.time_row.setVisible(visible)

    @property
    def _shows_difference(self) -> bool:
        return self.curves is not None and self.curves.is_difference

    def _apply_choice(self) -> None:
        """A choice changed; a fault must not reach the person who clicked."""
        if self.source is None or self.context.choices.reference not in self.source.info.lanes:
            return  # a hidden panel still has an earlier run, and gets this one when it is shown
        try:
            self._rebuild_plots(self._shown_lanes)
        except Exception as error:
            self.context.report_failure(error)

    def _rebuild_plots(self, shown_lanes: tuple[str, ...]) -> None:
        """Make the plots for the lanes that are shown."""
        self._shown_lanes = shown_lanes
        if self.source is None:
            return
        curves = PanelCurves(self.panel, self.source, shown_lanes, self.context.choices, self.theme)
        self.empty_row.set_sentence(curves.empty_text)
        self.curves = curves
        for strip in self.plots[len(curves.plots) :]:
            strip.detach()
        self.plots = self.plots[: len(curves.plots)]
        for strip, plot in zip(self.plots, curves.plots, strict=False):
            strip.set_plot(plot)
        for plot in curves.plots[len(self.plots) :]:
            strip = StripPlot(self, plot, self.context)
            self.plots.append(strip)
            self._strip_layout.addWidget(strip, 1)
        self.footnote_row.set_sentence(curves.footnote)
        self._fill_plots(curves)
        self._update_notes(force=True)

    def _fill_plots(self, curves: PanelCurves) -> None:
        """Give new plots what is there already."""
        curves.load_rows()
        previous = (
            None if curves.is_difference or curves.is_transformed else self.context.choices.previous_run
        )
        for plot in self.plots:
            emphasize(plot.traces, self._pointed, curves.is_difference)
            plot.previous_traces = previous_traces(previous, plot.traces)
            plot.show_time(self._time)
            plot.note_new_rows()

    def _update_notes(self, force: bool = False) -> None:
        """Say what has changed; or all `force`, for choosers may show other options."""
        if self.curves is None:
            return
        break_summary, break_details = self.curves.jump_texts()
        units = self.curves.units
        unit = next(iter(units)) if len(units) == 1 else ""
        note = ", ".join(part for part in (break_summary, unit, *self.curves.notes()) if part)
        tooltip = "\n".join(part for part in (note, break_details) if part)
        if force or (note, tooltip) != (self.title_row.note, self.title_row.toolTip()):
            self.title_row.set_note(note, tooltip)

    def _read_new_rows(self, frame: Frame) -> bool:
        """Ask the source if lanes got further since the last frame; true where rows are new. Where all of the window reads its
        numbers while a run plays, rows wait for the panel's next turn: together they would hold that frame up."""
        extent = {lane.name: lane.computed_to for lane in frame.lanes}
        has_new_rows = self.curves is not None and (
            extent != self._extent or frame.data_revision != self._taken
        )
        self._has_pending_rows = (
            has_new_rows and frame.playing and frame.updates_readouts and bool(self._extent)
        )
        if (
            self.curves is None
            or not has_new_rows
            or self._has_pending_rows
            or (frame.playing and self._can_defer(frame))
        ):
            return False
        self._extent, self._taken, self._taken_at = extent, frame.data_revision, frame.budget.now
        return self.curves.load_rows()

    def _can_defer(self, frame: Frame) -> bool:
        """Whether rows are beyond what is in sight: they change nothing there but ranges, for which a second is soon enough."""
        height, now = self.context.axis.high, frame.budget.now
        return now - self._taken_at < MAX_OFFSCREEN_DELAY and all(
            plot.computed_to > height for plot in self.plots
        )
