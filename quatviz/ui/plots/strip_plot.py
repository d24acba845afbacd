"""A widget with one plot of curves over time. The curves are cached as a picture, and the cursor is drawn over them."""

import math
from collections.abc import Callable, Hashable
from copy import copy
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollArea, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.budget import MAX_LANES_AT_ONCE, FrameBudget
from quatviz.display.data.scales import Scale
from quatviz.display.panels.base.canvas import Rect, component_color
from quatviz.display.panels.base.curves import THEORY_WIDTH, Plot, PreviousTraces, Trace
from quatviz.display.panels.base.end_labels import DrawnCurves, EndLabelLayout
from quatviz.display.panels.base.header import Header, HeaderPart
from quatviz.display.panels.base.jump_clusters import JumpCluster, jump_clusters
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.figures.strokes import is_broad
from quatviz.physics.observables.jumps import SINGULAR
from quatviz.ui.plots.curve_painting import (
    blit_translucent,
    blit_widened,
    draw_previous_run,
    fill_sum_parts,
    stroke_path,
    trace_paths,
)
from quatviz.ui.plots.end_label_painter import draw_end_labels
from quatviz.ui.plots.overlays import (
    DOT_RADII,
    AxisGrid,
    draw_band,
    draw_dots,
    draw_ends,
    draw_events,
    draw_features,
    draw_jump_marks,
    draw_jump_text,
    draw_range,
    jump_text_height,
    jump_text_rect,
)
from quatviz.ui.plots.panel_view import PanelContext, PanelPaintWidget
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.painting import GlyphCache, draw_pixmap, glyph_cache, to_box
from quatviz.ui.widgets.style import PlotStyle, cached_color

_COMPACT_LINES = 1.6
"""Smallest height of the curve area in a compact plot, in lines of small text."""
RANGE_INSET = 3
"""Space above and below the value range of a plot [pixels]. It keeps curves at the limits of the range visible."""

_MIN_LINES_FOR_JUMP_TEXT = 3.0
"""Smallest height of a plot [lines of text] in which labels of angle wraps get a line of their own.

Labels of singularities get such a line in every plot.
"""

MIN_GROWTH = 4.0
"""Growth of the curves [pixels] up to which they are not redrawn at once while a run plays."""

HOVER_DISTANCE = 5
"""Distance from a mark at which the mouse counts as pointing at it [pixels]."""

CURVE_DISTANCE = 12
"""Distance from a curve at which the mouse counts as pointing at it [pixels]."""
_PROBE_STEP = 2
"""Spacing [pixels] of the points of a curve whose distance from the mouse is computed."""

CLICK_TOLERANCE = 4
"""Largest movement of the mouse between press and release that still counts as a click [pixels]."""


class StripPlot(PanelPaintWidget):
    """A plot with axes, curves, cursor and values.

    Curves are redrawn only after a change of data, range, size or theme. A moving cursor costs one copy of the cached picture, a
    line, and the numbers.
    """

    def __init__(self, parent: QWidget, plot: Plot, context: PanelContext) -> None:
        super().__init__(parent, context, plot.symbol or tr("Plot in {unit}", unit=plot.unit))
        self.plot = plot
        self.axis = context.axis
        self.y_scale = plot.scale
        self.previous_traces: PreviousTraces = []
        self._redraws = context.redraws
        self._redraws.mark(self, "picture")
        self.header = StripHeader(self.plot_style, plot.symbol, plot.unit, plot.ring_index)
        self._wants_compact = False
        self.time = 0.0
        """Time of the cursor [s]."""
        self.picture, self._axis_grid = ScrollingPicture(context.axis), AxisGrid(self.plot_style)
        self._pressed_button = Qt.MouseButton.NoButton
        self._press_position = self._drag_position = QPointF()
        self._was_dragged = False
        self._time_before_press = 0.0
        self._drawn_to = -math.inf
        """Time of the last sample in the picture of the curves [s]."""
        self._drawn_scale = copy(plot.scale)
        """The vertical scale of the cached picture. Dots are drawn with this scale, too, until a picture with a wider
        range has been drawn."""
        self.jump_clusters: list[JumpCluster] = []
        """Clusters of jumps, in the positions that they have in the cached picture."""
        self.labelled_clusters: list[JumpCluster] = []
        """Jump clusters with a permanent label."""
        self.end_labels = EndLabelLayout()
        self.side_width = 0.0
        """Width reserved for lane names to the right of the curves [pixels]. All plots of a column have the same one."""
        self._jump_text_height = 0.0
        """Height of the line of jump labels below the curves [pixels]."""
        self.setMouseTracking(True)
        self.invalidate()

    def set_plot(self, plot: Plot) -> None:
        """Show another plot in this widget, for example that of another run. Creating a new widget would take longer."""
        if {trace.lane for trace in plot.traces} != {trace.lane for trace in self.traces}:
            self.end_labels = EndLabelLayout()
        self.plot, self.y_scale, self.previous_traces = plot, plot.scale, []
        self.setAccessibleName(plot.symbol or tr("Plot in {unit}", unit=plot.unit))
        header = self.header
        if (plot.symbol, plot.unit, plot.ring_index) != (header.symbol, header.unit, header.ring_index):
            self.header = StripHeader(self.plot_style, plot.symbol, plot.unit, plot.ring_index)
        self._redraws.clear(self, "growth")
        self._redraws.mark(self, "picture")
        self._drawn_to = -math.inf
        self.jump_clusters, self.labelled_clusters = [], []
        self.invalidate()

    def release(self) -> None:
        """Release the curves. As long as the widget refers to them, their lanes stay in memory."""
        self.plot, self.previous_traces = Plot(self.y_scale), []

    def detach(self) -> None:
        """Release the curves and delete the widget."""
        self.release()
        self._redraws.clear(self)
        self.hide()  # otherwise a pending layout would show it as a window
        self.setParent(None)
        self.deleteLater()

    @property
    def area(self) -> QRectF:
        """Rectangle in which the curves are drawn [pixels]."""
        return self._plot_area

    @property
    def traces(self) -> list[Trace]:
        return self.plot.traces

    def _update_geometry(self) -> None:
        style = self.plot_style
        self._measured_side_width = self.side_width
        width = max(self.width() - style.gutter - style.margin - self.side_width, 1)
        self._header_height = style.bottom_margin if self.is_compact else self.header.height
        height = max(self.height() - self._header_height - style.bottom_margin, 1)
        self._plot_area = QRectF(style.gutter, self._header_height, width, height)
        header_size = (
            QSize(style.gutter, self.height())
            if self.is_compact
            else QSize(self.width() - style.margin + 1, self._header_height)
        )
        self._header_rect = QRect(QPoint(), header_size)

    @property
    def is_compact(self) -> bool:
        """True if the plot is in compact mode, with its symbol beside the axis and no header above the curves. Only
        plots with a single symbol for all curves can be compact."""
        return self._wants_compact and bool(self.plot.symbol)

    def set_compact(self, compact: bool) -> None:
        """Select the compact mode, or the normal mode with a header above the curves."""
        if compact != self._wants_compact:
            self._wants_compact = compact
            self.invalidate()

    def min_plot_height(self, compact: bool) -> int:
        """Return the smallest height of the plot in compact or normal mode [pixels]."""
        style = self.plot_style
        if compact and self.plot.symbol:
            return (
                round(_COMPACT_LINES * self.plot.weight * style.small_metrics.height())
                + 2 * style.bottom_margin
            )
        return style.min_height(self.plot.weight) + self.header.height - style.header_height

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.invalidate()

    @property
    def curve_area(self) -> QRectF:
        return self.area.adjusted(0, RANGE_INSET, 0, -RANGE_INSET - self._jump_text_height)

    def invalidate(self) -> None:
        self.header.style = self._axis_grid.style = self.plot_style
        self.setMinimumHeight(self.min_plot_height(self.is_compact))
        self._update_geometry()
        self.picture.invalidate()
        has_many_curves = len(self.traces) > MAX_LANES_AT_ONCE and not self.axis.is_offline
        self._redraws.set_due(self, "curves", has_many_curves)  # `draw` adds them, one plot per frame
        self._redraws.mark(self, "header")
        self.update()

    def show_time(self, time: float) -> None:
        """Move the cursor to `time` [s], and show the dots and values at this time."""
        previous, self.time = self.time, time
        self.header.time = time
        self._redraws.mark(self, "header")
        self._scroll_to_axis()
        for rect in (self._cursor_rect(previous), self._cursor_rect(time), self._header_rect):
            self.update(rect)

    def note_new_rows(self) -> None:
        """Extend the value range and update the labels, after new samples of the curves were read."""
        if (
            self.plot.extend_range(previous for _, previous in self.previous_traces)
            or self._drawn_to < self.axis.high
        ):
            self._redraws.mark(self, "growth")
        if not self.end_labels.ends_differ and self.plot.symbol and self.computed_to >= self.axis.high:
            self.end_labels.update(self._drawn_curves, self.plot_style.small_metrics.height())

    @property
    def wanted_side_width(self) -> float:
        """Width that the plot requests for lane names to its right [pixels]. It is 0 if the plot is too low for them."""
        return (
            self.end_labels.required_width(self.plot_style.small_type, self.traces, self.width())
            if self.end_labels.ends_differ and self._shows_end_labels
            else 0.0
        )

    @property
    def _shows_end_labels(self) -> bool:
        return (
            bool(self.plot.symbol)
            and self.area.height() > _MIN_LINES_FOR_JUMP_TEXT * self.plot_style.small_metrics.height()
        )

    @property
    def _drawn_curves(self) -> DrawnCurves:
        area, band = to_box(self.curve_area), self.plot.band
        return DrawnCurves(self.traces, self.y_scale, self.axis, area, self.axis.is_coarse, band)

    def show_ends(self, ended: dict[str, float | None]) -> None:
        """Set the times [s] at which lanes ended early, where crosses are drawn."""
        for trace in self.traces:
            if not trace.is_part and trace.ended != ended.get(trace.lane):
                trace.ended = ended.get(trace.lane)
                self._redraws.mark(self, "picture")

    def _cursor_rect(self, time: float) -> QRect:
        """Return the rectangle that the cursor line and the dots cover."""
        half_width, area = math.ceil(DOT_RADII[-1] * self.theme.curve_width) + 1, self._plot_area
        return QRect(
            round(self.x_of(time)) - half_width,
            int(area.top()) - half_width,
            2 * half_width,
            int(area.height()) + 2 * half_width,
        )

    def draw(self, key: Hashable, budget: FrameBudget) -> None:
        """Redraw the curves if they are marked in `redraws` and the time budget of the frame allows it.

        If the time axis has scrolled since the picture was drawn and there is no time for a new picture, the old picture is
        shifted. Beyond a shift of `MAX_SCROLL_PLAYING`, only the background is drawn.
        """
        picture, redraws, playing = self.picture, self._redraws, budget.playing
        if self.side_width != self._measured_side_width:
            redraws.mark(self, "picture")
        is_due = redraws.is_due(self, "picture", "growth", "coarse")
        if picture.is_current and not is_due:
            return
        if not playing or self.axis.is_coarse:
            self._scroll_to_axis()
        offset, max_offset = picture.scrolled_fraction, MAX_SCROLL if playing else 0.0
        if not is_due and offset <= max_offset:
            return
        if (
            offset > max_offset
            or (redraws.is_due(self, "coarse") and not self.axis.is_coarse)
            or (redraws.is_due(self, "growth") and self.time > self._drawn_to)
        ):
            redraws.mark(self, "picture")
        if not redraws.is_due(self, "picture", "growth"):
            return
        growth_waits = playing and self._is_growth_small
        if redraws.take_picture(self, key, max(len(self.traces), 1), growth_waits):
            redraws.mark(self, "header")
        elif redraws.is_due(self, "picture") and offset > (MAX_SCROLL_PLAYING if playing else 0.0):
            redraws.clear(self, "growth")
            redraws.mark(self, "curves")
        else:
            return
        picture.invalidate()
        self.update()

    @property
    def _is_growth_small(self) -> bool:
        """True if the curves have grown by less than `MIN_GROWTH` at an unchanged scale, so that redrawing them would
        hardly be visible."""
        added_time = self.computed_to - self._drawn_to
        drawn_scale = self._drawn_scale
        same_scale = (drawn_scale.low, drawn_scale.high) == (self.y_scale.low, self.y_scale.high)
        return same_scale and 0.0 < added_time / self.axis.span * self.area.width() < MIN_GROWTH

    @property
    def computed_to(self) -> float:
        """Time up to which the samples of all curves have been computed [s]."""
        return min((trace.series.drawn_until for trace in self.traces), default=0.0)

    def _scroll_to_axis(self) -> None:
        """Shift the cached picture of the curves to the time range of the axis.

        While a run plays, this is done only in those frames in which the cursor of this panel moves.
        """
        if self.picture.scroll_to_axis():
            self.update()

    def time_at(self, x: float) -> float:
        """Return the time [s] at the horizontal position `x` [pixels], limited to the duration of the run."""
        area = self.area
        time = self.picture.low + (x - area.left()) / area.width() * self.axis.span
        return min(max(time, 0.0), self.axis.duration)

    def x_of(self, time: float) -> float:
        area = self.area
        return area.left() + (time - self.picture.low) / self.axis.span * area.width()

    # --- painting

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        redraws = self._redraws
        draw = self._draw_background if redraws.is_due(self, "curves") else self._draw_curves
        redrawn = self.picture.ensure_drawn(self.size(), ratio, self.plot_style.background, draw)
        if not self.is_compact and (redrawn or redraws.is_due(self, "header")):
            redraws.clear(self, "header")
            header_area = self.area.adjusted(0, 0, self._measured_side_width, 0)
            self.header.update_picture(self.picture.pixmap, redrawn, header_area, self.traces, self.y_scale)
            if self.header.height != self._header_height:
                self.invalidate()
                self.draw_on(painter, ratio)
                return
        self.picture.blit(painter, self.area, self.plot_style.background)
        with_text = self.axis.drag.is_active and self._pressed_button != Qt.MouseButton.NoButton
        draw_range(painter, self.plot_style, self.axis, self.area, with_text)
        self._draw_features(painter)
        self._draw_cursor(painter)

    def _draw_background(self, painter: QPainter, ratio: float) -> None:
        self._update_geometry()
        self.jump_clusters = []
        self._redraws.mark(self, "picture")
        self._draw_axes(painter, ratio)

    def _draw_axes(self, painter: QPainter, ratio: float) -> None:
        self._drawn_scale = copy(self.y_scale)
        self._axis_grid.draw(painter, ratio, self.axis, self.y_scale, self.area, self.curve_area)
        if self.is_compact:
            self._draw_axis_symbol(painter)
        draw_events(painter, self.plot_style, self.axis, self.area)
        if self.plot.band is not None and self.traces and not self.y_scale.is_empty:
            draw_band(painter, self.plot_style, self.y_scale, self.plot.band, self.curve_area)

    def _draw_axis_symbol(self, painter: QPainter) -> None:
        """Draw the symbol of the quantity at the left edge, vertically centered and clear of the tick labels."""
        style, ring, area = self.plot_style, self.plot.ring_index, self.area
        color = self.theme.text if ring is None else component_color(self.theme, ring, 3)
        painter.setFont(style.symbol_font)
        painter.setPen(cached_color(color))
        box = QRectF(GRID_UNIT, area.top(), style.gutter - 2 * GRID_UNIT, area.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.plot.symbol)

    def _draw_curves(self, painter: QPainter, ratio: float) -> None:
        """Draw everything that does not move with the cursor. `ratio` is the device pixel ratio."""
        self._update_geometry()
        area, coarse, width = self.area, self.axis.is_coarse, self.theme.curve_width
        self._redraws.clear(self, "picture", "growth")
        self._redraws.set_due(self, "coarse", coarse)
        self._drawn_to = self.computed_to
        self.jump_clusters = (
            jump_clusters(self.traces, self.axis, area.left(), area.width()) if self.traces else []
        )
        height, self._jump_text_height = self.plot_style.small_metrics.height(), 0.0
        has_singularity = SINGULAR in {cluster.cause for cluster in self.jump_clusters}
        if (
            self.jump_clusters
            and not self.plot.hides_mark_labels
            and (area.height() > _MIN_LINES_FOR_JUMP_TEXT * height or has_singularity)
        ):
            self._jump_text_height = jump_text_height(self.plot_style) - self.plot_style.bottom_margin
        self._draw_axes(painter, ratio)
        if self.y_scale.is_empty or not self.traces:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area.adjusted(0, -1, 1, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        fill_sum_parts(painter, self.traces, self.y_scale, self.axis, self.curve_area, coarse)
        draw_previous_run(painter, self.previous_traces, self.y_scale, self.axis, self.curve_area)
        view = (self.y_scale, self.axis, to_box(self.curve_area), coarse, width)
        theory_traces = [(trace, is_broad(trace, *view)) for trace in self.traces if trace.is_theory]
        for broad in {broad for _, broad in theory_traces}:
            traces = [trace for trace, trace_is_broad in theory_traces if trace_is_broad is broad]
            blit_translucent(painter, self._curve_layer(traces, ratio), width, THEORY_WIDTH if broad else 1)
        blit_widened(
            painter, self._curve_layer([trace for trace in self.traces if not trace.is_theory], ratio), width
        )
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.labelled_clusters = draw_jump_marks(
            painter, self.plot_style, self.jump_clusters, area, self._is_free
        )
        draw_ends(painter, self.traces, self.y_scale, self.axis, self.curve_area)
        if self._shows_end_labels:
            label_area = Rect(
                area.right(), area.top(), self.side_width, area.height() + self.plot_style.bottom_margin
            )
            draw_end_labels(painter, self.plot_style, self.end_labels, self._drawn_curves, label_area)

    def _curve_layer(self, traces: list[Trace], ratio: float) -> QPixmap:
        """Return a transparent image with all curves, each one pixel wide."""
        width = self.theme.curve_width
        lines = trace_paths(traces, self.y_scale, self.axis, self.curve_area, self.axis.is_coarse, width)

        def draw(layer: QPainter) -> None:
            layer.setRenderHint(QPainter.RenderHint.Antialiasing)
            layer.translate((1 - width) / 2, (1 - width) / 2)
            # The sum is drawn over the edges of its parts, highlighted curves over all others.
            for trace, path in sorted(
                zip(traces, lines, strict=True), key=lambda pair: (not pair[0].is_part, pair[0].emphasis)
            ):
                stroke_path(layer, path, trace)

        return draw_pixmap(self.size(), ratio, Qt.GlobalColor.transparent, draw)

    def _is_free(self, box: QRectF) -> bool:
        """Return True if a label may be drawn in the rectangle `box`: no curve crosses it, or labels have a line of
        their own."""
        return not self.plot.hides_mark_labels and (
            self._jump_text_height > 0 or not self._drawn_curves.is_crossed(to_box(box))
        )

    def _draw_cursor(self, painter: QPainter) -> None:
        area, axis = self.area, self.axis
        if axis.hovered_time is not None and axis.low <= axis.hovered_time <= axis.high:
            x = round(self.x_of(axis.hovered_time)) + 0.5
            painter.setPen(self.plot_style.hover_pen)
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
            picture_x = x - self.picture.pixel_shift(area.width())
            for cluster in self.jump_clusters:
                if (
                    cluster not in self.labelled_clusters
                    and cluster.x_start - HOVER_DISTANCE < picture_x < cluster.x_end + HOVER_DISTANCE
                ):
                    draw_jump_text(
                        painter,
                        self.plot_style,
                        cluster,
                        jump_text_rect(self.plot_style, cluster, x + GRID_UNIT / 2, area),
                    )
        if not axis.low <= self.time <= axis.high:
            return
        x = round(self.x_of(self.time)) + 0.5
        painter.setPen(self.plot_style.cursor_pen)
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        draw_dots(
            painter, x, self.time, self.traces, self._drawn_scale, self.curve_area, self.theme.curve_width
        )

    def _draw_features(self, painter: QPainter) -> None:
        """Mark zeros and peaks of the measured curve, if this plot contains that curve."""
        measurement = self._context.measurement
        if measurement.features is None or self.plot.measurement_refusal or self._drawn_scale.is_empty:
            return
        for trace in self.traces:
            if measurement.is_measured(trace):
                draw_features(
                    painter, self.plot_style, measurement.features, trace, self._drawn_scale, self.x_of, self.curve_area
                )  # fmt: skip

    def trace_at(self, position: QPointF, reach: float = CURVE_DISTANCE) -> Trace | None:
        """Return the curve nearest to a point of the plot, or None if no curve is within `reach` [pixels]."""
        if self.y_scale.is_empty or not self.area.contains(position):
            return None
        distances = [
            # Rounded, so that the first of coincident curves wins.
            (round(distance), number)
            for number, trace in enumerate(self.traces)
            if not trace.is_theory and math.isfinite(distance := self._distance_to(trace, position))
        ]
        distance, number = min(distances, default=(math.inf, 0))
        return self.traces[number] if distances and distance <= reach else None

    def _distance_to(self, trace: Trace, position: QPointF) -> float:
        """Return the distance of a point from a curve [pixels]. Only points of the curve within `CURVE_DISTANCE` to the
        left and right are considered.

        The distance is infinite if the curve has no value there.
        """
        area, shortest = self.curve_area, math.inf
        for offset in range(
            -CURVE_DISTANCE, CURVE_DISTANCE + 1, _PROBE_STEP
        ):  # a steep curve is near sideways
            value = trace.value_at(self.time_at(position.x() + offset))
            rise = area.bottom() - self._drawn_scale.project_value(value) * area.height() - position.y()
            if math.isfinite(rise):
                shortest = min(shortest, math.hypot(offset, rise))
        return shortest

    def _measure_at(self, position: QPointF) -> None:
        """Choose the curve nearest to a point of the plot as the measured curve."""
        measurement, trace = self._context.measurement, self.trace_at(position, math.inf)
        if trace is not None and not measurement.is_measured(trace):
            if self.plot.measurement_refusal:
                measurement.refused.emit(self.plot.measurement_refusal)
            else:
                measurement.select(trace)

    # Mouse: the left button moves the cursor, with Shift it selects a time range; other buttons pan the time axis; a right click
    # opens the menu. The wheel zooms the time axis if nothing can scroll, or with Ctrl. The value axis is never changed.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_button, self._was_dragged = event.button(), False
        self._press_position = self._drag_position = event.position()
        if event.button() == Qt.MouseButton.LeftButton:
            self._time_before_press = self.time
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.axis.drag.begin(self.time_at(event.position().x()))
                return
            self._context.seek(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, area = event.position().x(), self.area
        last, self._drag_position = self._drag_position, event.position()
        if self._pressed_button == Qt.MouseButton.NoButton:
            self.axis.hover(self.time_at(x) if area.left() <= x <= area.right() else None)
        elif self.axis.drag.is_active:
            selected = self.axis.drag.range_to(self.time_at(x))
            if selected is not None:
                self.axis.range_requested.emit(selected)
        elif self._pressed_button == Qt.MouseButton.LeftButton:
            self._context.seek(self.time_at(x))
        elif (
            self._was_dragged or (event.position() - self._press_position).manhattanLength() > CLICK_TOLERANCE
        ):
            self._was_dragged = True
            self.axis.pan((last.x() - x) / area.width() * self.axis.span)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = (event.position() - self._press_position).manhattanLength() <= CLICK_TOLERANCE
        is_left_click = self._pressed_button == Qt.MouseButton.LeftButton and is_click
        if is_left_click and not self.axis.drag.is_active and self._context.measurement.curve.on:
            self._measure_at(event.position())
        if self._pressed_button == Qt.MouseButton.RightButton and not self._was_dragged:
            trace = None if self.plot.measurement_refusal else self.trace_at(event.position())
            self._context.measurement.point_at(trace)
            self._context.show_menu(event.globalPosition().toPoint())
        self._pressed_button = Qt.MouseButton.NoButton
        self.axis.drag.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._context.seek(self._time_before_press)  # undo the seek of the first click
        self.axis.show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        zooms = (
            bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) or not self._is_in_scrolled_column
        )
        zooms &= event.position().x() >= self.area.left()
        event.setAccepted(zooms)  # otherwise the board scrolls
        if zooms:
            self.axis.zoom(1.2 ** (-event.angleDelta().y() / 120.0), self.time_at(event.position().x()))

    @property
    def _is_in_scrolled_column(self) -> bool:
        """True if the column of the plot is higher than its scroll area. The mouse wheel then scrolls the column."""
        ancestor = self.parentWidget()
        while ancestor is not None and not isinstance(ancestor, QScrollArea):
            ancestor = ancestor.parentWidget()
        return ancestor is not None and ancestor.verticalScrollBar().maximum() > 0

    def leaveEvent(self, event: QEvent) -> None:
        self.axis.hover(None)

    def event(self, event: QEvent) -> bool:
        """Show a tooltip that lists all values with their names when the pointer is over the header."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            is_over_header = self._header_rect.contains(event.pos())
            self.setToolTip(
                tooltip_text(self.header.tooltip(self.traces, self.y_scale)) if is_over_header else ""
            )
        return bool(super().event(event))


class HeaderValue(NamedTuple):
    """Layout of one value in a header: its trace, left end, baseline and glyphs, and the colors of the stripes below it."""

    trace_index: int
    x: float
    y: float
    glyphs: GlyphCache
    stripes: tuple[str, ...]


_LEFT_HEADER_LIFT = GRID_UNIT / 2
"""Distance by which a header that begins to the left of the plot is moved up to clear the top tick label [pixels]."""
_STRIPE_HEIGHT = 2.0
"""Height of the colored stripes below a value that several lanes share, and also of the gap above them [pixels]."""


class StripHeader(Header):
    """The header above a plot, with symbols and values at the cursor. While the layout of the values stays the same, only
    changed characters are redrawn."""

    def __init__(self, style: PlotStyle, symbol: str, unit: str, ring: int | None = None) -> None:
        super().__init__(symbol, unit, ring)
        self.style = style
        self.shown_texts: list[str] = []
        """The displayed texts of the values in the header."""
        self._layout_key: object = None
        """The displayed texts with a zero in place of each digit. While this key stays the same, all characters
        keep their positions."""
        self.values: list[HeaderValue] = []
        """The header values of the last layout, with their positions."""

    @property
    def row_height(self) -> int:
        """Height of one row of the header [pixels]."""
        return round(self.style.normal_metrics.height())

    @property
    def height(self) -> int:
        return self.style.header_height + (self.row_count - 1) * self.row_height

    def update_picture(
        self, picture: QPixmap, redrawn: bool, area: QRectF, traces: list[Trace], scale: Scale
    ) -> None:
        """Draw the header above `area` into the picture of the plot.

        If the picture was redrawn or the layout changed, the whole header is drawn, otherwise only the characters that
        changed.
        """
        self.reset_for((scale.low, scale.high, area.width(), self.style))
        previous, texts = self.shown_texts, [] if redrawn else self.texts(traces, scale)
        if texts == previous and not redrawn:
            return
        layout_key = None if redrawn else self.digit_pattern(texts)
        in_place = not redrawn and layout_key == self._layout_key
        with QPainter(picture) as painter:
            if not in_place:
                texts = self._draw_fixed_text(painter, area, traces, scale)
                layout_key = self.digit_pattern(texts)
            self.shown_texts, self._layout_key = texts, layout_key
            for index, x, y, glyphs, stripes in self.values:
                glyphs.draw_text(painter, x, y, texts[index], previous[index] if in_place else "")
                width = glyphs.width(texts[index]) / len(stripes) if stripes else 0.0
                for stripe, color in enumerate(stripes):
                    line = QRectF(x + stripe * width, y + _STRIPE_HEIGHT, width, _STRIPE_HEIGHT)
                    painter.fillRect(line, cached_color(color))

    def _draw_fixed_text(
        self, painter: QPainter, area: QRectF, traces: list[Trace], scale: Scale
    ) -> list[str]:
        """Clear the background, draw everything except the values, and compute the positions of the values. Return the
        texts of the values."""
        style, right, ratio = self.style, area.right(), painter.device().devicePixelRatioF()
        fonts = {
            "symbol": (style.symbol_font, style.symbol_metrics),
            "normal": (style.normal_font, style.normal_metrics),
            "small": (style.small_font, style.small_metrics),
        }

        def draw_word(x: float, text: str, text_style: str, color: QColor, y: float) -> None:
            painter.setFont(fonts[text_style][0])
            painter.setPen(color)
            painter.drawText(QPointF(x, y), text)

        def glyphs_for(part: HeaderPart) -> GlyphCache:
            pixels = style.theme.small if self.is_small else style.theme.normal
            return glyph_cache(style.theme, pixels, part.color, style.theme.surface, ratio)

        def part_width(part: HeaderPart) -> float:
            is_value = part.trace_index is not None
            return (
                glyphs_for(part).width(part.text)
                if is_value
                else style.text_width(fonts[part.text_style][1], part.text)
            )

        factor_width = (
            style.small_metrics.horizontalAdvance(scale.factor_text) + GRID_UNIT if scale.factor_text else 0.0
        )
        header_layout = self.arrange(
            traces, scale, style.theme, (GRID_UNIT, area.left()), right - factor_width, part_width
        )
        baseline = (
            area.top()
            - style.normal_metrics.descent()
            - GRID_UNIT / 4
            - (_LEFT_HEADER_LIFT if self.starts_left else 0.0)
        )
        lines = [baseline - row * self.row_height for row in reversed(range(self.row_count))]
        painter.fillRect(QRectF(area.left() - 1.0, 0.0, area.width() + 2.0, area.top()), style.background)
        if self.starts_left:
            painter.fillRect(QRectF(0.0, 0.0, area.left(), baseline + 2 * _STRIPE_HEIGHT), style.background)
        if scale.factor_text:
            draw_word(
                right - factor_width + GRID_UNIT, scale.factor_text, "small", style.muted_color, baseline
            )
        if header_layout.ellipsis_x is not None:
            draw_word(header_layout.ellipsis_x, "…", "normal", style.muted_color, baseline)
        self.values = []
        for part, x, row in header_layout.parts:
            if part.trace_index is None:
                draw_word(x, part.text, part.text_style, cached_color(part.color), lines[row])
            else:
                self.values.append(
                    HeaderValue(part.trace_index, x, lines[row], glyphs_for(part), part.stripes)
                )
        return header_layout.texts


MAX_SCROLL = 0.05
"""Fraction of the time axis by which a picture may be shifted during playback before a new picture of the curves is
requested."""
MAX_SCROLL_PLAYING = 0.4
"""Fraction of the time axis by which an old picture may be shifted during playback. Beyond it, only the background is
drawn until the curves can be redrawn."""


class ScrollingPicture:
    """A cached picture of the curves, with the time at its left edge.

    While a run plays on a scrolling axis, the picture is shifted. Redrawing eight lanes on twenty plots would take as long
    as five frames.
    """

    def __init__(self, axis: TimeAxis) -> None:
        self._axis = axis
        self.pixmap = QPixmap()
        """The cached picture, null if it must be redrawn."""
        self._low = self._span = 0.0
        self.low = 0.0
        """Time [s] at the left end of the axis to which the picture is shifted at present."""
        self.draw_count = 0
        """Number of times that the picture was drawn."""

    def invalidate(self) -> None:
        """Discard the picture."""
        self.pixmap = QPixmap()

    def scroll_to_axis(self) -> bool:
        """Shift the picture to the current time range of the axis. Return True if its position changed."""
        previous, self.low = self.low, self._axis.low
        return self.low != previous

    @property
    def is_current(self) -> bool:
        """True if the picture was drawn for the present range of the time axis."""
        axis, low = self._axis, self._axis.low
        return low == self._low == self.low and axis.span == self._span

    @property
    def scrolled_fraction(self) -> float:
        """Distance by which the axis has moved since the picture was drawn, as a fraction of the span of the axis. It
        is infinite if the span has changed."""
        if self.pixmap.isNull() or (self._axis.low, self._axis.span) == (self._low, self._span):
            return 0.0
        if abs(self._span - self._axis.span) > 1e-9 * self._span:
            return math.inf
        return abs(self._low - self._axis.low) / self._span

    def pixel_shift(self, width: float) -> int:
        """Return the shift of the picture to the right [pixels] on an axis of `width` pixels."""
        return round((self._low - self.low) / self._axis.span * width)

    def ensure_drawn(
        self, size: QSize, ratio: float, background: QColor, draw: Callable[[QPainter, float], None]
    ) -> bool:
        """Redraw the picture of `size` logical pixels if it was discarded or resized. Return True if it was redrawn."""
        if self.pixmap.size() == size * ratio:
            return False
        self.pixmap = draw_pixmap(size, ratio, background, lambda painter: draw(painter, ratio))
        self.draw_count += 1
        self._low = self.low = self._axis.low
        self._span = self._axis.span
        return True

    def blit(self, painter: QPainter, area: QRectF, background: QColor) -> None:
        """Draw the picture, with curves shifted within `area`; newly visible parts stay empty."""
        painter.drawPixmap(0, 0, self.pixmap)
        shift = self.pixel_shift(area.width())
        if shift:
            clip_area = area.adjusted(1, 0, 1, 0)  # exclude the axis line
            painter.save()
            painter.setClipRect(clip_area, Qt.ClipOperation.IntersectClip)
            painter.fillRect(clip_area, background)
            painter.drawPixmap(QPointF(shift, 0), self.pixmap)
            painter.restore()
