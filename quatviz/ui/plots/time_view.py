"""The view of a panel of curves over time: title, plots and time labels."""

import math
from functools import partial

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import (
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.base.formatting import format_fixed, format_time, nice_step, tick_decimals, tick_values
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
from quatviz.display.panels.base.time_axis import TimeAxis, time_tick_count
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.ui.plots.end_label_painter import EndLabelLayout
from quatviz.ui.plots.panel_row import PanelRow
from quatviz.ui.plots.panel_view import PanelContext, PanelView
from quatviz.ui.plots.strip_plot import StripPlot
from quatviz.ui.widgets.painting import ALIGN_RIGHT, draw_pixmap, glyph_cache

MAX_OFFSCREEN_DELAY = 1.0
"""Longest time [s] for which a playing run may leave new samples unread that are beyond the visible time range."""


class TimeView(PanelView):
    """The view of a panel with curves over time. The curves are rebuilt when lanes or options change."""

    panel: TimePanel

    def __init__(self, panel: TimePanel, context: PanelContext) -> None:
        super().__init__(panel, context)
        self.plots: list[StripPlot] = []
        self.curves: PanelCurves | None = None
        self._shown_lanes: tuple[str, ...] = ()
        self._extent: dict[str, float] = {}
        self._taken, self._taken_at = 0, -math.inf
        self._time = 0.0
        self._pointed: HighlightTarget | None = None
        self.empty_row = SentenceRow(self, fills=True)
        self._strip_layout = QVBoxLayout()
        self.footnote_row = SentenceRow(self)
        self.time_row = TimeRow(self, context.axis)
        self._shows_times = True
        self._is_compact = False
        self.body.addWidget(self.empty_row)
        self.body.addLayout(self._strip_layout, 1)
        self.body.addWidget(self.footnote_row)
        self.body.addWidget(self.time_row)
        context.choices.changed.connect(self._apply_choice)

    def highlight(self, pointed: HighlightTarget | None) -> bool:
        strips = self.curves.strips if self.curves is not None else ()
        self._pointed = pointed if shows_target(strips, pointed) else None
        for plot in self.plots:
            if emphasize(plot.traces, self._pointed, self._shows_difference):
                self.context.redraws.mark(plot, "picture")
        return self._pointed is not None

    def start(self, source: ColumnSource) -> None:
        if self.source is not None and self.source.info.title != source.info.title:
            for plot in self.plots:
                plot.end_labels = EndLabelLayout()
        super().start(source)
        self._extent = {}
        self._rebuild_plots(source.info.lanes)

    def keeps_previous_run(self, info: RunInfo) -> bool:
        """Return True if the panel shows errors and the run is a coarse preview, whose errors say nothing about those
        of the final run."""
        note = tr("updated when the drag ends")
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
        """Move the cursors to `time` [s] and show dots and values at that time."""
        self._time = time
        for plot in self.plots:
            plot.show_time(time)
        self.time_row.show_time(time)

    @property
    def cursor_count(self) -> float:
        return max(len(self.plots), 1)

    def reserve_side_width(self) -> None:
        width = max((plot.wanted_side_width for plot in self.plots), default=0.0)
        for plot in self.plots:
            plot.side_width = width
        self.time_row.reserve_side_width(width)

    def update_colors(self, theme: Theme) -> None:
        if self.curves is not None and self.source is not None:
            self.curves.update_colors(self.source.info, theme)
        for plot in self.plots:
            plot.invalidate()

    def shutdown(self) -> None:
        self.context.choices.changed.disconnect(self._apply_choice)
        for plot in self.plots:
            plot.detach()
        self.context.redraws.clear(self)
        self.plots, self.curves = [], None

    @property
    def weight(self) -> float:
        return self.curves.weight if self.curves is not None else TITLE_WEIGHT + 1.0

    def readings(self) -> list[ValueReading]:
        return self.curves.readings(self._time) if self.curves is not None else []

    @property
    def times_height(self) -> float:
        """Height of the time labels below the plots [pixels], 0 if hidden."""
        return float(self.time_row.height()) if self._shows_times else 0.0

    def height_change(self, compact: bool) -> float:
        """Return the change of the view's smallest height [pixels] that switching to the given mode (compact or not)
        would cause."""
        change = sum(plot.min_plot_height(compact) - plot.minimumHeight() for plot in self.plots)
        footnote_height = 0 if compact else self.footnote_row.wanted_height
        return change + footnote_height - self.footnote_row.minimumHeight()

    def set_compact(self, compact: bool) -> None:
        """Set the compact mode. Symbols beside the axes then replace the headers above the plots, and the footnote is
        hidden."""
        if compact != self._is_compact:
            self._is_compact = compact
            self.footnote_row.set_hidden(compact)
            self._update_notes(force=True)
        for plot in self.plots:
            plot.set_compact(compact)

    def set_time_labels_visible(self, visible: bool) -> None:
        """Show or hide the time labels below the plots. They are hidden if the panel below shows them."""
        self._shows_times = visible
        self.time_row.setVisible(visible)

    @property
    def _shows_difference(self) -> bool:
        return self.curves is not None and self.curves.is_difference

    def _apply_choice(self) -> None:
        """Rebuild the plots after another choice of lanes or options. Exceptions are reported to the board instead of
        raised."""
        if self.source is None or self.context.choices.reference not in self.source.info.lanes:
            return  # a hidden panel has an earlier run and starts this one when shown
        try:
            self._rebuild_plots(self._shown_lanes)
        except PLUGIN_EXCEPTIONS as error:
            self.context.report_failure(error)

    def _rebuild_plots(self, shown_lanes: tuple[str, ...]) -> None:
        """Replace the plots by new ones for the lanes that are visible."""
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
            strip.set_compact(self._is_compact)
            self.plots.append(strip)
            self._strip_layout.addWidget(strip, 1)
        self.footnote_row.set_sentence(curves.footnote)
        self._fill_plots(curves)
        self._update_notes(force=True)

    def _fill_plots(self, curves: PanelCurves) -> None:
        """Load the samples computed so far into new plots."""
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
        """Update the note beside the panel title, and the tooltip. With `force`, also update the option choosers."""
        if self.curves is None:
            return
        break_summary, break_details = self.curves.jump_texts()
        units = self.curves.units
        unit = next(iter(units)) if len(units) == 1 else ""
        note = ", ".join(part for part in (break_summary, unit, *self.curves.notes()) if part)
        tooltip = "\n".join(part for part in (note, break_details, self.curves.footnote) if part)
        note = unit if self._is_compact else note
        if force or (note, tooltip) != (self.title_row.note, self.title_row.toolTip()):
            self.title_row.set_note(note, tooltip, keep=self._is_compact)

    def _read_new_rows(self, frame: Frame) -> bool:
        """Read new samples if lanes were computed further. Return True if there were new samples.

        A frame during playback that updates the numbers of all panels already takes long. It only marks the samples as
        due in `redraws`, and a later frame reads them.
        """
        extent = {lane.name: lane.computed_to for lane in frame.lanes}
        has_new_rows = self.curves is not None and (
            extent != self._extent or frame.data_revision != self._taken
        )
        wait_for_turn = has_new_rows and frame.playing and frame.updates_readouts and bool(self._extent)
        self.context.redraws.set_due(self, "rows", wait_for_turn)
        if (
            self.curves is None
            or not has_new_rows
            or wait_for_turn
            or (frame.playing and self._can_defer(frame))
        ):
            return False
        self._extent, self._taken, self._taken_at = extent, frame.data_revision, frame.budget.now
        return self.curves.load_rows()

    def _can_defer(self, frame: Frame) -> bool:
        """Return True if the new samples are beyond the visible times. Reading them may then wait up to
        `MAX_OFFSCREEN_DELAY`, because they change only the vertical ranges."""
        height, now = self.context.axis.high, frame.budget.now
        return now - self._taken_at < MAX_OFFSCREEN_DELAY and all(
            plot.computed_to > height for plot in self.plots
        )


_MAX_WIDGET_HEIGHT = 16777215


_WORD_WRAP = Qt.TextFlag.TextWordWrap


class SentenceRow(PanelRow):
    """A row with a wrapped sentence, hidden while the sentence is empty. If `fills` is True, it takes all available
    height."""

    def __init__(self, parent: QWidget, fills: bool = False) -> None:
        super().__init__(parent, tr("Remark"))
        self.sentence = ""
        self.fills_height = fills
        self._is_hidden = False
        if fills:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.fit()

    def set_sentence(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence = sentence
            self.setAccessibleName(sentence or tr("Remark"))
            self.fit()

    def set_hidden(self, hidden: bool) -> None:
        """Hide or show the sentence."""
        self._is_hidden = hidden
        self.fit()

    @property
    def wanted_height(self) -> int:
        """Height of the sentence at the current width, if not hidden [pixels]."""
        if not self.sentence:
            return 0
        bounds = QRectF(0, 0, max(self._text_rect.width(), 1.0), _MAX_WIDGET_HEIGHT)
        text_rect = self.plot_style.small_metrics.boundingRect(bounds, _WORD_WRAP, self.sentence)
        return math.ceil(text_rect.height() + GRID_UNIT)

    def fit(self) -> None:
        height = 0 if self._is_hidden else self.wanted_height
        self.setMinimumHeight(height)
        self.setMaximumHeight(_MAX_WIDGET_HEIGHT if height and self.fills_height else height)
        self.setVisible(height > 0)
        self.update()

    @property
    def _text_rect(self) -> QRectF:
        left = self.plot_style.gutter
        return QRectF(left, GRID_UNIT / 2, self.width() - left - self.plot_style.margin, self.height())

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self.plot_style.small_font)
        painter.setPen(self.plot_style.muted_color)
        painter.drawText(self._text_rect, _WORD_WRAP, self.sentence)


class TimeRow(PanelRow):
    """A row with the tick labels of the common time axis and the time of the cursor."""

    def __init__(self, parent: QWidget, axis: TimeAxis) -> None:
        super().__init__(parent, tr("Time axis"))
        self.axis = axis
        self.time = 0.0
        """Time [s] of the cursor and of all displayed values."""
        self._side_width = 0.0
        """Width reserved to the right of the plots [pixels]."""
        self._labelled_span = 0.0, 0.0
        """Time range for which the cached tick labels were drawn [s]."""
        self._label_rects: list[QRectF] = []
        """Rectangles of the tick labels."""
        self._labels_pixmap = QPixmap()
        """Cached picture of the tick labels."""
        self._labels_key: object = None
        """Axis, size and style for which the picture of the tick labels was drawn."""
        self.fit()

    def fit(self) -> None:
        self.setFixedHeight(round(self.plot_style.small_metrics.height()) + GRID_UNIT)
        self.update()

    def reserve_side_width(self, width: float) -> None:
        """Set the width reserved to the right of the plots [pixels]."""
        if width != self._side_width:
            self._side_width = width
            self.update()

    def show_time(self, time: float) -> None:
        """Show this time [s] as that of the cursor."""
        self.time = time
        self.update()

    def update_if_moved(self) -> None:
        """Repaint the row if the visible time range has changed. In a paused run, a moved cursor alone causes no
        repaint."""
        if self._labelled_span != (self.axis.low, self.axis.high):
            self.update()

    def draw(self, painter: QPainter) -> None:
        style, axis, ratio = self.plot_style, self.axis, self.devicePixelRatioF()
        width = self.width() - style.gutter - style.margin - self._side_width
        step = nice_step(axis.span, time_tick_count(width))
        self._labelled_span = axis.low, axis.high
        key = (self._labelled_span, self.size(), width, ratio, style)
        if key != self._labels_key:
            times = {
                time: format_fixed(time, tick_decimals(step))
                for time in tick_values(axis.low, axis.high, step)
            }
            labels = [(self._label_rect(self._x_of(time, width), text), text) for time, text in times.items()]
            self._labels_key, self._label_rects = key, [box for box, _ in labels]
            self._labels_pixmap = draw_pixmap(
                self.size(), ratio, style.background, partial(self._paint_labels, labels)
            )
        painter.drawPixmap(0, 0, self._labels_pixmap)
        if not axis.low <= self.time <= axis.high:
            return
        text = format_time(self.time, max(2, tick_decimals(step) + 1), axis.event_times.tolist())
        cursor_x = self._x_of(self.time, width)
        cursor_rect = self._label_rect(cursor_x, text)
        for box in self._label_rects:
            if box.intersects(cursor_rect):
                painter.fillRect(box, style.background)
        painter.setPen(style.cursor_pen)
        painter.drawLine(QLineF(round(cursor_x) + 0.5, 0, round(cursor_x) + 0.5, GRID_UNIT / 2))
        glyphs = glyph_cache(
            self.theme, self.theme.small, style.cursor_pen.color().name(), self.theme.surface, ratio
        )
        left, middle = cursor_rect.center().x() - glyphs.width(text) / 2, cursor_rect.center().y()
        glyphs.draw_text(painter, left, middle + style.small_metrics.capHeight() / 2, text)

    def _paint_labels(self, labels: list[tuple[QRectF, str]], painter: QPainter) -> None:
        """Draw the tick labels and the unit."""
        painter.setFont(self.plot_style.small_font)
        painter.setPen(self.plot_style.muted_color)
        for box, text in labels:
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        # The label of zero may begin one grid unit before the plot; the gap grows with the type.
        gap = GRID_UNIT + self.plot_style.small_metrics.horizontalAdvance("0") / 2
        painter.drawText(QRectF(0, 0, self.plot_style.gutter - gap, self.height()), ALIGN_RIGHT, "t [s]")

    def _x_of(self, time: float, width: float) -> float:
        return self.plot_style.gutter + (time - self.axis.low) / self.axis.span * width

    def _label_rect(self, x: float, text: str) -> QRectF:
        half_width = self.plot_style.small_metrics.horizontalAdvance(text) / 2 + GRID_UNIT / 2
        x = max(
            min(x, self.width() - half_width + GRID_UNIT / 2), self.plot_style.gutter - GRID_UNIT + half_width
        )
        return QRectF(x - half_width, GRID_UNIT / 4, 2 * half_width, self.height() - GRID_UNIT / 4)
