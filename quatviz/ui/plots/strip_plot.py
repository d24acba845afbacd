"""One plot of a panel: curves over time, drawn once into a picture, with the cursor laid over it."""

import math
from collections.abc import Callable, Hashable
from copy import copy
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt
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
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.scales import Scale
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import THEORY_WIDTH, Old, Plot, Trace
from quatviz.display.panels.base.end_labels import DrawnCurves, EndNames
from quatviz.display.panels.base.header import Header, Part
from quatviz.display.panels.base.jump_clusters import Mark, marks
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.theme import UNIT
from quatviz.export.figures.strokes import is_broad
from quatviz.physics.observables.jumps import SINGULAR
from quatviz.ui.plots.curve_painting import draw_old, fill_parts, lay, lay_pale, paths, stroke
from quatviz.ui.plots.end_label_painter import draw_names
from quatviz.ui.plots.overlays import (
    RADIUS,
    Backdrop,
    beside,
    draw_band,
    draw_dots,
    draw_ends,
    draw_events,
    draw_marks,
    draw_range,
    word_height,
    write,
)
from quatviz.ui.plots.panel_view import Given, Painted
from quatviz.ui.widgets.controls import tip
from quatviz.ui.widgets.painting import Letters, box_of, drawn, letters
from quatviz.ui.widgets.style import PlotStyle, colour_named

INSET = 3
"""Pixels kept free above and below the range, so that a curve along its end is seen whole."""

_FOOTED = 3.0
"""Least height of a plot that has a line for the words of wraps below its curves, in such lines; that of a pole it always has."""

SCARCE = 4.0
"""Pixels by which a curve has to grow before it is drawn anew while a run plays."""

NEAR = 5
"""Pixels at which a mark is pointed at."""

SLIP = 4
"""Pixels that a click may move without being a drag."""


class StripPlot(Painted):
    """Axis, curves, cursor and numbers of one strip.

    Only a change of data, range, size or theme draws the curves anew; a moving cursor costs one copy of the
    finished picture, a line, and the numbers.
    """

    def __init__(self, parent: QWidget, plot: Plot, given: Given) -> None:
        super().__init__(parent, given, plot.symbol or tr("Plot of {unit}", unit=plot.unit))
        self.plot = plot
        self.axis = given.axis
        self.y_scale = plot.scale
        self.old: Old = []
        self.due = True
        """Whether the picture shows something else than it should."""
        self._grown = False
        """Whether more has been computed than it shows."""
        self.header = StripHeader(self.style_, plot.symbol, plot.unit, plot.ring)
        self.time = 0.0
        """Where its cursor is [s]."""
        self.picture, self._backdrop = StripPicture(given.axis), Backdrop(self.style_)
        self._coarse = False
        """Whether the picture shows the curves coarsely."""
        self.bare = False
        """Whether the picture has no curves yet: they come with one of the next frames."""
        self._grabbed = Qt.MouseButton.NoButton
        self._pressed = self._dragged = QPointF()
        self._moved = False
        self._before_press = 0.0
        self._drawn_to = -math.inf
        """Up to where the curves were computed when they were drawn [s]."""
        self._drawn_scale = copy(plot.scale)
        """That of the picture, for dots lie on its curves until one with a wider range is drawn."""
        self.marks: list[Mark] = []
        """Those of the jumps, where they are in the picture."""
        self.labelled: list[Mark] = []
        """Those of the marks whose words are there without pointing at them."""
        self.names = EndNames()
        self.aside = 0.0
        """Width kept free beside it for names, its own and those of the plots below and above it [pixels]."""
        self._foot = 0.0
        """Height of the line of these words, below the curves [pixels]."""
        self.setMouseTracking(True)
        self.renew()

    def take(self, plot: Plot) -> None:
        """Show another plot from now on, such as that of another run: to make widgets anew would cost more than to draw them."""
        if {one.lane for one in plot.traces} != {one.lane for one in self.traces}:
            self.names = EndNames()
        self.plot, self.y_scale, self.old = plot, plot.scale, []
        self.setAccessibleName(plot.symbol or tr("Plot of {unit}", unit=plot.unit))
        header = self.header
        if (plot.symbol, plot.unit, plot.ring) != (header.symbol, header.unit, header.ring):
            self.header = StripHeader(self.style_, plot.symbol, plot.unit, plot.ring)
        self.due, self._grown = True, False
        self._drawn_to = -math.inf
        self.marks, self.labelled = [], []
        self.renew()

    def forget(self) -> None:
        """Let go of the curves: their lanes would stay for as long as Qt keeps it."""
        self.plot, self.old = Plot(self.y_scale), []

    def detach(self) -> None:
        """Let go of the curves, and of its place."""
        self.forget()
        self.hide()  # or a layout that has yet to show it would, as a window of its own
        self.setParent(None)
        self.deleteLater()

    @property
    def area(self) -> QRectF:
        """Where the curves are, in its pixels."""
        return self._area

    @property
    def traces(self) -> list[Trace]:
        return self.plot.traces

    def _measure(self) -> None:
        style = self.style_
        self._aside = self.aside
        width = max(self.width() - style.gutter - style.margin - self.aside, 1)
        self._headed = self.header.height
        height = max(self.height() - self._headed - style.foot, 1)
        self._area = QRectF(style.gutter, self._headed, width, height)
        self._header = QRect(0, 0, self.width() - style.margin + 1, self._headed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.renew()

    @property
    def curve_area(self) -> QRectF:
        return self.area.adjusted(0, INSET, 0, -INSET - self._foot)

    def renew(self) -> None:
        self.header.style = self._backdrop.style = self.style_
        self.setMinimumHeight(self.style_.least(self.plot.weight) + self.header.height - self.style_.header)
        self._measure()
        self.picture.drop()
        self.bare, self.header.stale = False, True
        self.update()

    def show_time(self, time: float) -> None:
        """Put cursor, dots and digits at `time`."""
        before, self.time = self.time, time
        self.header.time, self.header.stale = time, True
        self._roll()
        for place in (self._beside(before), self._beside(time), self._header):
            self.update(place)

    def grow(self) -> None:
        """The series have new rows."""
        if self.plot.fit_range(before for _, before in self.old) or self._drawn_to < self.axis.high:
            self._grown = True
        if not self.names.apart and self.plot.symbol and self.reach >= self.axis.high:
            self.names.look(self._curves, self.style_.small_metrics.height())

    @property
    def wanted_aside(self) -> float:
        """What its names take beside it [pixels]; none where it is too low for them."""
        return self.names.width(self.style_.small_type, self.traces, self.width()) if self._named else 0.0

    @property
    def _named(self) -> bool:
        return bool(self.plot.symbol) and self.area.height() > _FOOTED * self.style_.small_metrics.height()

    @property
    def _curves(self) -> DrawnCurves:
        area, band = box_of(self.curve_area), self.plot.band
        return DrawnCurves(self.traces, self.y_scale, self.axis, area, self.axis.coarse, band)

    def show_ends(self, ended: dict[str, float | None]) -> None:
        """Mark when these lanes died [s], those that did."""
        for trace in self.traces:
            if not trace.part and trace.ended != ended.get(trace.lane):
                trace.ended = ended.get(trace.lane)
                self.due = True

    def _beside(self, time: float) -> QRect:
        """Where the cursor is painted."""
        reach, area = math.ceil(RADIUS[-1] * self.theme.curve_width) + 1, self._area
        return QRect(
            round(self.x_of(time)) - reach, int(area.top()) - reach, 2 * reach, int(area.height()) + 2 * reach
        )

    def draw(self, who: Hashable, budget: FrameBudget) -> None:
        """Draw the curves anew, where they are due and there is room. A picture that the axis has left behind is moved, or
        shows its ground meanwhile."""
        picture = self.picture
        self.due |= self.aside != self._aside
        if picture.stands and not (self.due or self._grown or self._coarse):
            return
        if not budget.playing or self.axis.coarse:
            self._roll()
        away = picture.away
        self.due |= away > (ROLLED if budget.playing else 0.0) or (self._coarse and not self.axis.coarse)
        self.due |= self._grown and self.time > self._drawn_to
        if not self.due and (not self._grown or (budget.playing and self._scarcely_grown)):
            return
        share = budget.pictures if self.due else budget.growth
        if share.grants(who, max(len(self.traces), 1)):
            self.due, self.bare, self.header.stale = False, False, True
        elif away > (TOO_FAR if budget.playing else 0.0):
            self.bare = True
        else:
            return
        self._grown = False
        picture.drop()
        self.update()

    @property
    def _scarcely_grown(self) -> bool:
        """Whether what has been computed since the curves were drawn, ahead of the cursor, would hardly be seen."""
        new = self.reach - self._drawn_to
        drawn = self._drawn_scale
        same = (drawn.low, drawn.high) == (self.y_scale.low, self.y_scale.high)
        return same and 0.0 < new / self.axis.span * self.area.width() < SCARCE

    @property
    def reach(self) -> float:
        """Up to where all curves are there [s]."""
        return min((trace.series.reach for trace in self.traces), default=0.0)

    def _roll(self) -> None:
        """Stand where the axis is now: while a run plays this waits for the turn of the panel, as its cursor does."""
        if self.picture.roll():
            self.update()

    def time_at(self, x: float) -> float:
        """The time at a place across it, within the run."""
        area = self.area
        time = self.picture.low + (x - area.left()) / area.width() * self.axis.span
        return min(max(time, 0.0), self.axis.duration)

    def x_of(self, time: float) -> float:
        area = self.area
        return area.left() + (time - self.picture.low) / self.axis.span * area.width()

    # Drawing

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        draw = self._draw_ground if self.bare else self._draw_static
        anew = self.picture.renew(self.size(), ratio, self.style_.ground, draw)
        if anew or self.header.stale:
            room = self.area.adjusted(0, 0, self._aside, 0)
            self.header.renew(self.picture.pixmap, anew, room, self.traces, self.y_scale)
            if self.header.height != self._headed:
                self.renew()
                self.draw_on(painter, ratio)
                return
        self.picture.lay(painter, self.area, self.style_.ground)
        told = self.axis.drag.goes_on and self._grabbed != Qt.MouseButton.NoButton
        draw_range(painter, self.style_, self.axis, self.area, told)
        self._draw_cursor(painter)

    def _draw_ground(self, painter: QPainter, ratio: float) -> None:
        self._measure()
        self.marks, self.due = [], True
        self._draw_below(painter, ratio)

    def _draw_below(self, painter: QPainter, ratio: float) -> None:
        self._drawn_scale = copy(self.y_scale)
        self._backdrop.draw(painter, ratio, self.axis, self.y_scale, self.area, self.curve_area)
        draw_events(painter, self.style_, self.axis, self.area)
        if self.plot.band is not None and self.traces and not self.y_scale.empty:
            draw_band(painter, self.style_, self.y_scale, self.plot.band, self.curve_area)

    def _draw_static(self, painter: QPainter, ratio: float) -> None:
        """All but what moves, into a picture of `ratio` pixels to a logical one."""
        self._measure()
        area, coarse, width = self.area, self.axis.coarse, self.theme.curve_width
        self._coarse, self.due, self._grown = coarse, False, False
        self._drawn_to = self.reach
        self.marks = marks(self.traces, self.axis, area.left(), area.width()) if self.traces else []
        high, self._foot = self.style_.small_metrics.height(), 0.0
        poles = SINGULAR in {mark.cause for mark in self.marks}
        if self.marks and not self.plot.quiet and (area.height() > _FOOTED * high or poles):
            self._foot = word_height(self.style_) - self.style_.foot
        self._draw_below(painter, ratio)
        if self.y_scale.empty or not self.traces:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area.adjusted(0, -1, 1, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        fill_parts(painter, self.traces, self.y_scale, self.axis, self.curve_area, coarse)
        draw_old(painter, self.old, self.y_scale, self.axis, self.curve_area)
        look = (self.y_scale, self.axis, box_of(self.curve_area), coarse, width)
        theory = [(trace, is_broad(trace, *look)) for trace in self.traces if trace.theory]
        for broad in {broad for _, broad in theory}:
            some = [trace for trace, own in theory if own is broad]
            lay_pale(painter, self._layer(some, ratio), width, THEORY_WIDTH if broad else 1)
        lay(painter, self._layer([trace for trace in self.traces if not trace.theory], ratio), width)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.labelled = draw_marks(painter, self.style_, self.marks, area, self._is_free)
        draw_ends(painter, self.traces, self.y_scale, self.axis, self.curve_area)
        if self._named:
            beside = Box(area.right(), area.top(), self.aside, area.height() + self.style_.foot)
            draw_names(painter, self.style_, self.names, self._curves, beside)

    def _layer(self, traces: list[Trace], ratio: float) -> QPixmap:
        """A picture of the curves alone, a pixel wide, to be laid down."""
        width = self.theme.curve_width
        lines = paths(traces, self.y_scale, self.axis, self.curve_area, self.axis.coarse, width)

        def draw(layer: QPainter) -> None:
            layer.setRenderHint(QPainter.RenderHint.Antialiasing)
            layer.translate((1 - width) / 2, (1 - width) / 2)
            # The sum is drawn over the edges of its parts, and what is pointed at over all else.
            for trace, path in sorted(
                zip(traces, lines, strict=True), key=lambda one: (not one[0].part, one[0].emphasis)
            ):
                stroke(layer, path, trace)

        return drawn(self.size(), ratio, Qt.GlobalColor.transparent, draw)

    def _is_free(self, box: QRectF) -> bool:
        """Whether words may stand there."""
        return not self.plot.quiet and (self._foot > 0 or not self._curves.crosses(box_of(box)))

    def _draw_cursor(self, painter: QPainter) -> None:
        area, axis = self.area, self.axis
        if axis.pointed is not None and axis.low <= axis.pointed <= axis.high:
            x = round(self.x_of(axis.pointed)) + 0.5
            painter.setPen(self.style_.hover)
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
            drawn = x - self.picture.shift(area.width())
            for mark in self.marks:
                if mark not in self.labelled and mark.left - NEAR < drawn < mark.right + NEAR:
                    write(painter, self.style_, mark, beside(self.style_, mark, x + UNIT / 2, area))
        if not axis.low <= self.time <= axis.high:
            return
        x = round(self.x_of(self.time)) + 0.5
        painter.setPen(self.style_.cursor)
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        draw_dots(
            painter, x, self.time, self.traces, self._drawn_scale, self.curve_area, self.theme.curve_width
        )

    # Pointing: left moves the cursor, and with shift selects times; the wheel zooms time where it has nothing to scroll, and with
    # Ctrl anywhere, the other buttons drag it, a right click offers what can be done; nothing here moves y.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed, self._moved = event.button(), False
        self._pressed = self._dragged = event.position()
        if event.button() == Qt.MouseButton.LeftButton:
            self._before_press = self.time
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.axis.drag.begin(self.time_at(event.position().x()))
                return
            self._given.seek(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, area = event.position().x(), self.area
        last, self._dragged = self._dragged, event.position()
        if self._grabbed == Qt.MouseButton.NoButton:
            self.axis.point(self.time_at(x) if area.left() <= x <= area.right() else None)
        elif self.axis.drag.goes_on:
            selected = self.axis.drag.to(self.time_at(x))
            if selected is not None:
                self.axis.range_wanted.emit(selected)
        elif self._grabbed == Qt.MouseButton.LeftButton:
            self._given.seek(self.time_at(x))
        elif self._moved or (event.position() - self._pressed).manhattanLength() > SLIP:
            self._moved = True
            self.axis.pan((last.x() - x) / area.width() * self.axis.span)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grabbed == Qt.MouseButton.RightButton and not self._moved:
            self._given.offer(event.globalPosition().toPoint())
        self._grabbed = Qt.MouseButton.NoButton
        self.axis.drag.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._given.seek(self._before_press)  # the first click of the two was no wish to go there
        self.axis.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier) or not self._scrolls
        zooms &= event.position().x() >= self.area.left()
        event.setAccepted(zooms)  # or it scrolls the board
        if zooms:
            self.axis.zoom(1.2 ** (-event.angleDelta().y() / 120.0), self.time_at(event.position().x()))

    @property
    def _scrolls(self) -> bool:
        """Whether it stands in a column that is not all in sight."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above is not None and above.verticalScrollBar().maximum() > 0

    def leaveEvent(self, event: QEvent) -> None:
        self.axis.point(None)

    def event(self, event: QEvent) -> bool:
        """Above its curves the tip has all numbers, each with its name."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            over = self._header.contains(event.pos())
            self.setToolTip(tip(self.header.told(self.traces, self.y_scale)) if over else "")
        return bool(super().event(event))


class Value(NamedTuple):
    """A value that stands in a header: whose it is, its left end and baseline, its letters, and the stripes below it."""

    number: int
    x: float
    y: float
    pen: Letters
    stripes: tuple[str, ...]


_RAISED = UNIT / 2
"""Pixels by which a header that begins left of its plot is higher, off the number at the end of the axis."""
_STRIPE = 2.0
"""Height of the stripes below a number that several lanes share, and of the gap above them [pixels]."""


class StripHeader(Header):
    """Writes it above a plot; of the values only letters that have changed, as long as all keep their places."""

    def __init__(self, style: PlotStyle, symbol: str, unit: str, ring: int | None = None) -> None:
        super().__init__(symbol, unit, ring)
        self.style = style
        self.shown: list[str] = []
        """What the values are written as,"""
        self._form: object = None
        """the form of that,"""
        self.values: list[Value] = []
        """and where it stands."""
        self.stale = True
        """Whether the numbers may have changed since they were drawn."""

    @property
    def row(self) -> int:
        """From one of its rows to the next."""
        return round(self.style.normal_metrics.height())

    @property
    def height(self) -> int:
        return self.style.header + (self.rows - 1) * self.row

    def renew(self, picture: QPixmap, anew: bool, area: QRectF, traces: list[Trace], scale: Scale) -> None:
        """Write it above `area` into the picture of the plot: all of it where that is drawn `anew` or letters have moved, else
        those that have changed."""
        self.stale = False
        self.fit((scale.low, scale.high, area.width(), self.style))
        before, texts = self.shown, self.texts(traces, scale)
        if texts == before and not anew:
            return
        form = self.form_of(texts)
        stay = form == self._form and not anew
        with QPainter(picture) as painter:
            if not stay:
                texts = self._write_words(painter, area, traces, scale)
                form = self.form_of(texts)
            self.shown, self._form = texts, form
            for number, x, y, pen, stripes in self.values:
                pen.write(painter, x, y, texts[number], before[number] if stay else "")
                wide = pen.width(texts[number]) / len(stripes) if stripes else 0.0
                for place, colour in enumerate(stripes):
                    line = QRectF(x + place * wide, y + _STRIPE, wide, _STRIPE)
                    painter.fillRect(line, colour_named(colour))

    def _write_words(self, painter: QPainter, area: QRectF, traces: list[Trace], scale: Scale) -> list[str]:
        """Write all but the values, on a clean ground, and find where those stand; what the values are written as."""
        style, right, ratio = self.style, area.right(), painter.device().devicePixelRatioF()
        fonts = {
            "symbol": (style.symbol, style.symbol_metrics),
            "normal": (style.normal, style.normal_metrics),
            "small": (style.small, style.small_metrics),
        }

        def word(x: float, text: str, kind: str, colour: QColor, y: float) -> None:
            painter.setFont(fonts[kind][0])
            painter.setPen(colour)
            painter.drawText(QPointF(x, y), text)

        def pen(part: Part) -> Letters:
            pixels = style.theme.small if self.small else style.theme.normal
            return letters(style.theme, pixels, part.colour, style.theme.surface, ratio)

        def width(part: Part) -> float:
            valued = part.number is not None
            return pen(part).width(part.text) if valued else style.width(fonts[part.kind][1], part.text)

        end = style.small_metrics.horizontalAdvance(scale.factor) + UNIT if scale.factor else 0.0
        laid = self.lay(traces, scale, style.theme, (UNIT, area.left()), right - end, width)
        baseline = area.top() - style.normal_metrics.descent() - UNIT / 4 - (_RAISED if self.early else 0.0)
        lines = [baseline - row * self.row for row in reversed(range(self.rows))]
        painter.fillRect(QRectF(area.left() - 1.0, 0.0, area.width() + 2.0, area.top()), style.ground)
        if self.early:
            painter.fillRect(QRectF(0.0, 0.0, area.left(), baseline + 2 * _STRIPE), style.ground)
        if scale.factor:
            word(right - end + UNIT, scale.factor, "small", style.muted, baseline)
        if laid.rest is not None:
            word(laid.rest, "…", "normal", style.muted, baseline)
        self.values = []
        for part, x, row in laid.parts:
            if part.number is None:
                word(x, part.text, part.kind, colour_named(part.colour), lines[row])
            else:
                self.values.append(Value(part.number, x, lines[row], pen(part), part.stripes))
        return laid.texts


ROLLED = 0.05
"""Part of the axis by which a picture may have rolled on before it is due to be drawn anew."""
TOO_FAR = 0.4
"""Part by which it shows too little of what is in sight."""


class StripPicture:
    """A pixmap with the time that stands at its left edge. While a run plays on a rolling axis it is moved by pixels,
    not drawn anew: eight lanes on twenty strips would cost five frames each time."""

    def __init__(self, axis: TimeAxis) -> None:
        self._axis = axis
        self.pixmap = QPixmap()
        """What is drawn; null where nothing of it can be used."""
        self._low = self._span = 0.0
        self.low = 0.0
        """Where the axis begins, as this shows it [s]."""
        self.drawings = 0
        """How often it has been drawn."""

    def drop(self) -> None:
        """Nothing of it can be used any more."""
        self.pixmap = QPixmap()

    def roll(self) -> bool:
        """Show the axis as it is now; whether it has moved since."""
        before, self.low = self.low, self._axis.low
        return self.low != before

    @property
    def stands(self) -> bool:
        """Whether it shows the axis as it is now."""
        axis, low = self._axis, self._axis.low
        return low == self._low == self.low and axis.span == self._span

    @property
    def away(self) -> float:
        """By what part of its span the axis has moved since it was drawn; infinite where that has changed."""
        if self.pixmap.isNull() or (self._axis.low, self._axis.span) == (self._low, self._span):
            return 0.0
        if abs(self._span - self._axis.span) > 1e-9 * self._span:
            return math.inf
        return abs(self._low - self._axis.low) / self._span

    def shift(self, width: float) -> int:
        """Pixels by which the axis, `width` pixels long, has taken it to the right."""
        return round((self._low - self.low) / self._axis.span * width)

    def renew(
        self, size: QSize, ratio: float, ground: QColor, draw: Callable[[QPainter, float], None]
    ) -> bool:
        """Draw it, of `size` logical pixels, where it was dropped or has another size; whether it was."""
        if self.pixmap.size() == size * ratio:
            return False
        self.pixmap = drawn(size, ratio, ground, lambda painter: draw(painter, ratio))
        self.drawings += 1
        self._low = self.low = self._axis.low
        self._span = self._axis.span
        return True

    def lay(self, painter: QPainter, area: QRectF, ground: QColor) -> None:
        """Put it down, its curves moved within `area`; what comes into sight meanwhile is empty."""
        painter.drawPixmap(0, 0, self.pixmap)
        shift = self.shift(area.width())
        if shift:
            inside = area.adjusted(1, 0, 1, 0)  # beside the axis
            painter.save()
            painter.setClipRect(inside, Qt.ClipOperation.IntersectClip)
            painter.fillRect(inside, ground)
            painter.drawPixmap(QPointF(shift, 0), self.pixmap)
            painter.restore()
