"""The globe panel: a cached picture, rotated by dragging, with the points at the cursor drawn over it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.lazy_columns import large_numbers
from quatviz.display.panels.base import HighlightTarget, ValueReading
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.globe import (
    CursorPoint,
    GlobeContext,
    GlobePanel,
    GlobePicture,
    GlobeViewAngles,
)
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.figures.globe import GlobeProjection, globe_projections, is_on_near_side
from quatviz.ui.plots.globe_painter import GlobePainter, rim_polygon
from quatviz.ui.plots.panel_view import CachedPaintWidget, PanelContext, PanelView
from quatviz.ui.plots.strip_plot import CLICK_TOLERANCE
from quatviz.ui.widgets.painting import draw_cross
from quatviz.ui.widgets.style import PlotStyle, tint

CLICK_DISTANCE = 14.0
"""Largest distance from a path at which a click selects it [pixels]."""
COINCIDENCE_DISTANCE = 3.0
"""Distance below which points of paths count as coincident [pixels]."""
FAR_SIDE_PENALTY = 4.0
"""Distance [pixels] that is added for points on the far side when the path nearest to the mouse is searched. Paths on
the near side are thus preferred."""
MAX_POINT_RADIUS, MIN_POINT_RADIUS = 6.5, 2.5
"""Radii of the cursor points [pixels]: of the first lane and of the last lane. They decrease from lane to lane, so that
coincident points stay visible."""
MIN_HEIGHT, MIN_GLOBE_HEIGHT_WITH_TEXT = 150.0, 200.0
"""Smallest height of a globe, and smallest height of a globe with an explanation below it [pixels]. The explanation is
left out if less height would remain."""
_WORD_WRAP = Qt.TextFlag.TextWordWrap
_CROSS_HALF_SIZE = 4.0


GROWTH_REDRAW_INTERVAL = 0.5
"""Interval between redraws of growing paths while the run plays [s]."""


class ReadoutLayout(NamedTuple):
    """Font, metrics, left end and gap [pixels] of the readouts below a globe."""

    font: QFont
    metrics: QFontMetricsF
    left: float
    gap: float


def fit_readout(style: PlotStyle, texts: Sequence[str], right: float) -> ReadoutLayout:
    """Return the layout of the readouts `texts` in one line that ends before `right` [pixels].

    The readouts begin where the curves of the other plots begin. If they do not fit there, they begin further left. If they
    still do not fit, a smaller font with smaller gaps is used.
    """
    font, metrics, gap = style.normal_font, style.normal_metrics, 2.0 * GRID_UNIT
    width = _readout_width(style, metrics, texts, gap)
    if width > right - style.margin:
        font, metrics, gap = style.small_font, style.small_metrics, float(GRID_UNIT)
        width = _readout_width(style, metrics, texts, gap)
    return ReadoutLayout(
        font, metrics, max(min(float(style.gutter), right - width), float(style.margin)), gap
    )


def _readout_width(style: PlotStyle, metrics: QFontMetricsF, texts: Sequence[str], gap: float) -> float:
    return sum(style.text_width(metrics, text) + gap for text in texts) - gap


class GlobeView(PanelView):
    """The view of a globe panel. It redraws the picture after changes of samples, lanes or options, and the cursor points in
    every frame."""

    panel: GlobePanel

    def __init__(self, panel: GlobePanel, context: PanelContext) -> None:
        super().__init__(panel, context)
        self.globe = GlobeWidget(self, context, tr(panel.title))
        self.body.addWidget(self.globe, 1)
        self._update_key: object = None
        self._growth_key: object = None

    @property
    def weight(self) -> float:
        return self.panel.weight

    @property
    def option(self) -> str:
        """The option that the user has chosen for this panel; "" if the panel has no options."""
        return self.context.choices.option(self.panel.choice) if self.panel.choice is not None else ""

    def start(self, source: ColumnSource) -> None:
        super().start(source)
        self._update_key = None
        self.globe.set_picture(GlobePicture(), self.panel.explanation(self.option, source.info))
        self._update_note()

    def release(self) -> None:
        super().release()
        self.globe.set_picture(GlobePicture(), "")

    @large_numbers
    def show_frame(self, frame: Frame) -> None:
        if self.source is None:
            return
        globe_context = GlobeContext(self.source, frame, self.option, self.panel.quantity)
        update_key = (
            tuple((lane.name, lane.color, lane.visible, lane.status) for lane in frame.lanes),
            self.option,
            globe_context.paging_and_stride,
            globe_context.page_index,
        )
        growth_key = (
            frame.duration,
            *(globe_context.drawn_row_range(lane.name) for lane in globe_context.lanes),
        )
        is_urgent = update_key != self._update_key or not frame.playing
        redraws = self.context.redraws
        redraws.set_due(self, "picture", (update_key, growth_key) != (self._update_key, self._growth_key))
        if redraws.take_picture(
            self,
            self.name,
            len(globe_context.lanes),
            min_interval=GROWTH_REDRAW_INTERVAL,
            urgent=is_urgent,
        ):
            self._update_key, self._growth_key = update_key, growth_key
            explanation = self.panel.explanation(self.option, globe_context.info)
            self.globe.set_picture(
                self.panel.picture(globe_context), explanation, globe_context.info.is_coarsened
            )
            self._update_note(globe_context.pages_text)
        picture = self.globe.picture
        self.globe.show_cursor_points(
            frame.time,
            self.panel.cursor_points(globe_context, picture),
            self.panel.outline_surface(globe_context, picture),
            frame.updates_readouts,
        )

    def readings(self) -> list[ValueReading]:
        return [reading for point in self.globe.cursor_points for reading in point.readings]

    def highlight(self, pointed: HighlightTarget | None) -> bool:
        return pointed is not None and pointed.quantity == self.panel.quantity

    def _update_note(self, pages: str = "") -> None:
        self.title_row.set_note(", ".join(part for part in (tr(self.panel.note), pages) if part))


class GlobeWidget(CachedPaintWidget):
    """A globe with a cached picture, over which the cursor points are drawn."""

    min_height = MIN_HEIGHT

    def __init__(self, parent: QWidget, context: PanelContext, name: str) -> None:
        super().__init__(parent, context, name)
        self.view_angles = GlobeViewAngles()
        self.picture = GlobePicture()
        self.explanation = ""
        """Explanation in plain words, drawn below the globe if there is enough space."""
        self.cursor_points: list[CursorPoint] = []
        self.outline_surface: np.ndarray | None = None
        """Matrix (3, 3) that maps the unit sphere to an ellipsoid that varies with time. Its outline at the time of the
        cursor is drawn. It is None for globes without such an ellipsoid."""
        self._projections: tuple[GlobeProjection, ...] = ()
        self._painted_point_rects: list[QRectF] = []
        self._readout: list[tuple[str, int | None]] = []
        self._painted_readout = self._readout
        self._time = 0.0
        self._press_position = self._drag_position = QPointF()
        self._is_rotating = self._is_draft = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(
            tr("Drag to rotate, double-click to reset, click a point of a path to go to its time")
        )

    # --- called by the panel

    def set_picture(self, picture: GlobePicture, explanation: str, is_draft: bool = False) -> None:
        """Show another picture. It is drawn with thin lines if it is a draft, which will soon be replaced."""
        self.picture, self.explanation, self._is_draft = picture, explanation, is_draft
        self.invalidate()

    def show_cursor_points(
        self,
        time: float,
        cursor_points: list[CursorPoint],
        outline_surface: np.ndarray | None,
        reads: bool = True,
    ) -> None:
        """Show the cursor points. If `reads` is True, also update the numbers below the globe."""
        self._time, self.cursor_points, self.outline_surface = time, cursor_points, outline_surface
        self._readout = self.current_readout() if reads else self._readout
        for rect in self._changed_rects():
            self.update(rect.toAlignedRect())

    @large_numbers
    def _changed_rects(self) -> list[QRectF]:
        """Return the rectangles that must be repainted because points or readouts have changed since the last paint."""
        readout_rects = [self._readout_rect] if self._readout != self._painted_readout else []
        if self.outline_surface is not None:
            return [QRectF(*projection.box) for projection in self.projections] + readout_rects
        return [*self._painted_point_rects, *self._point_rects(), *readout_rects]

    @property
    def projections(self) -> tuple[GlobeProjection, ...]:
        if not self._projections:
            bounds = Rect(0.0, 0.0, self._readout_rect.right(), self._readout_rect.top())
            self._projections = globe_projections(
                bounds, self.picture.captions, self.plot_style.small_metrics.height(), self.view_angles
            )
        return self._projections

    @large_numbers
    def time_near(self, pixel: QPointF) -> float | None:
        """Return the time of the path point nearest to `pixel`, or None if none is within `CLICK_DISTANCE`.
        Of coincident points, return the one nearest in time to the cursor."""
        candidates: list[tuple[float, float]] = []
        for globe, projection in enumerate(self.projections):
            for path in self.picture.paths:
                distance = np.hypot(*(projection.project(path.points) - (pixel.x(), pixel.y())).T)
                distance = distance + np.where(
                    is_on_near_side(self.picture, path.points, projection), 0.0, FAR_SIDE_PENALTY
                )
                distance[(path.globes != globe) | ~np.isfinite(distance)] = np.inf
                max_distance = min(CLICK_DISTANCE, float(distance.min(initial=np.inf)) + COINCIDENCE_DISTANCE)
                close_rows = np.flatnonzero(distance <= max_distance)
                candidates += zip(distance[close_rows].tolist(), path.times[close_rows].tolist(), strict=True)
        if not candidates:
            return None
        max_distance = min(distance for distance, _ in candidates) + COINCIDENCE_DISTANCE
        return min(
            (time for distance, time in candidates if distance <= max_distance),
            key=lambda time: abs(time - self._time),
        )

    def rotate(self, right: float, down: float) -> None:
        """Rotate the globe as the mouse drags it by a distance [pixels]."""
        radius = self.projections[0].radius
        self.view_angles = self.view_angles.rotated(right / radius, down / radius)
        self.invalidate()

    # --- Qt events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press_position, self._is_rotating = event.position(), False
        event.setAccepted(event.button() != Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        distance = (event.position() - self._press_position).manhattanLength()
        if not event.buttons() & Qt.MouseButton.LeftButton or (
            distance <= CLICK_TOLERANCE and not self._is_rotating
        ):
            return
        step = event.position() - (self._drag_position if self._is_rotating else self._press_position)
        self._is_rotating, self._drag_position = True, event.position()
        self.rotate(step.x(), step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_rotating:
            self._is_rotating = False
            self.invalidate()
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        time = self.time_near(event.position())
        if time is not None:
            self._context.seek(time)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.view_angles = GlobeViewAngles()
        self.invalidate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.invalidate()

    @large_numbers
    def draw_on(self, painter: QPainter, ratio: float) -> None:
        super().draw_on(painter, ratio)
        self._draw_cursor(painter)

    # --- painting

    @property
    def _readout_rect(self) -> QRectF:
        """Area of the readout below the globe."""
        height = self.plot_style.normal_metrics.height() + GRID_UNIT / 2
        return QRectF(0.0, self.height() - self._explanation_height - height, self.width(), height)

    @property
    def _explanation_height(self) -> float:
        """Height of the explanation [pixels]; 0 if it would leave too little height for the globe."""
        style = self.plot_style
        bounds = QRectF(0.0, 0.0, max(self.width() - style.gutter - style.margin, 1.0), 1e6)
        height = (
            style.small_metrics.boundingRect(bounds, _WORD_WRAP, self.explanation).height() + GRID_UNIT / 2
        )
        return height if self.explanation and self.height() > height + MIN_GLOBE_HEIGHT_WITH_TEXT else 0.0

    def invalidate(self) -> None:
        self._projections = ()
        super().invalidate()

    def current_readout(self) -> list[tuple[str, int | None]]:
        """Return text and color of each lane's readout. Lanes with equal texts share one readout."""
        running = [point for point in self.cursor_points if not point.has_ended]
        if len({point.text for point in running}) == 1:
            return [(running[0].text, None)]
        return [(point.text, point.color) for point in running]

    def draw(self, painter: QPainter) -> None:
        GlobePainter(
            painter, self.plot_style, self.picture, is_draft=self._is_rotating or self._is_draft
        ).paint(self.projections)
        if self._explanation_height:
            painter.setFont(self.plot_style.small_font)
            painter.setPen(self.plot_style.muted_color)
            bounds = QRectF(self.rect()).adjusted(self.plot_style.gutter, 0, -self.plot_style.margin, 0)
            bounds.setTop(self._readout_rect.bottom())
            painter.drawText(bounds, _WORD_WRAP, self.explanation)

    def _draw_cursor(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.outline_surface is not None:
            painter.setPen(QPen(tint(self.plot_style.theme.text, self.plot_style.theme.surface, 0.6), 1.2))
            for projection in self.projections:
                painter.drawPolygon(rim_polygon(projection, self.outline_surface))
        self._painted_point_rects = self._point_rects()
        for (point, projection, size), box in zip(
            self._point_placements(), self._painted_point_rects, strict=True
        ):
            color = self.plot_style.lane_color(point.color)
            is_front = bool(is_on_near_side(self.picture, point.point[None], projection)[0])
            if point.has_ended:
                painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                draw_cross(painter, box.center(), _CROSS_HALF_SIZE)
                continue
            painter.setPen(
                QPen(self.plot_style.background if is_front and size == MAX_POINT_RADIUS else color, 1.2)
            )
            painter.setBrush(color if is_front else self.plot_style.background)
            painter.drawEllipse(box.center(), size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._painted_readout = self._readout
        self._draw_readout(painter, self._painted_readout)

    def _draw_readout(self, painter: QPainter, readout: list[tuple[str, int | None]]) -> None:
        style, readout_rect = self.plot_style, self._readout_rect
        right = readout_rect.right() - style.margin
        baseline = readout_rect.bottom() - style.normal_metrics.descent() - GRID_UNIT / 4
        font, metrics, x, gap = fit_readout(style, [text for text, _ in readout], right)
        painter.setFont(font)
        for index, (text, color) in enumerate(readout):
            available = right - x
            width = style.text_width(metrics, text)
            if index and width > available:
                painter.setPen(style.muted_color)
                painter.drawText(QPointF(x, baseline), "…")
                return
            painter.setPen(style.text_color if color is None else style.lane_color(color))
            painter.drawText(QPointF(x, baseline), text)
            x += width + gap

    def _point_placements(self) -> list[tuple[CursorPoint, GlobeProjection, float]]:
        """Return the cursor points that can be drawn, each with its globe and its radius [pixels]."""
        projections = self.projections
        step = (MAX_POINT_RADIUS - MIN_POINT_RADIUS) / max(len(self.cursor_points) - 1, 1.5)
        return [
            (point, projections[point.globe], MAX_POINT_RADIUS - index * step)
            for index, point in enumerate(self.cursor_points)
            if point.globe < len(projections) and bool(np.isfinite(point.point).all())
        ]

    def _point_rects(self) -> list[QRectF]:
        rects = []
        for point, projection, size in self._point_placements():
            x, y = projection.project(point.point)
            half_size = max(size, _CROSS_HALF_SIZE) + 2.0
            rects.append(QRectF(x - half_size, y - half_size, 2 * half_size, 2 * half_size))
        return rects
