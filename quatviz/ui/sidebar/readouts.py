"""Numbers at the cursor, one column per lane, with units."""

import math
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, LaneFrame, Source
from quatviz.display.data.lane_readouts import GROUPS, HUGE, Group
from quatviz.display.view_state.line_styles import lane_colour, shape_of
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.ui.widgets.painting import LEFT, RIGHT, draw_shape
from quatviz.ui.widgets.style import Painted, tabular

ROW = 20
SYMBOL_WIDTH = 76
SQUARE = 10
"""Side of what tells a lane."""
LANES_BESIDE = 4
"""Lanes that stand side by side; further ones go below."""


class ReadOuts(Painted, QWidget):
    """A table painted at once, so that forty changing numbers cost no layout."""

    def __init__(self) -> None:
        super().__init__()
        self._lanes: tuple[LaneFrame, ...] = ()
        self._names: tuple[str, ...] = ()
        """Of the lanes that it has room for: a run of the same ones lays out nothing anew."""
        self._key: object = None
        self._left_out: dict[tuple[object, ...], int] = {}
        self._widest: dict[str, float] = {}
        """The greatest number of each quantity that was read so far, which decides how many decimals fit."""
        self._read = True
        self._listed = 0
        """How high the list of names above the table is."""
        self._constants: Sequence[str] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Values at the cursor"))

    def start(self, source: Source) -> None:
        """A run begins."""
        self._lanes, self._widest, self._key = (), {}, None
        self._constants = source.info.constants

    def show_frame(self, frame: Frame) -> None:
        """Show the values of this frame."""
        if self._key is not None and (not frame.reads or (frame.playing and self.visibleRegion().isEmpty())):
            return
        key = (
            frame.generation,
            frame.time,
            tuple((lane.name, lane.colour, lane.computed_to) for lane in frame.lanes),
        )
        if key == self._key:
            return  # at rest, values need not be computed
        self._key, self._lanes, self._read = key, frame.lanes, False
        names = tuple(lane.name for lane in frame.lanes)
        if names != self._names:
            self._names = names
            self._resized()
        self.update()

    def text(self, lane: int, quantity: str, component: int = 0) -> str:
        """What the table shows for a lane (its number) and a component: nothing of one that ended before the cursor, and no
        drift of what the motion does not keep."""
        group = next(group for group in GROUPS if group.quantity == quantity)
        known = not self._lanes[lane].frozen and (group.form != "e" or quantity in self._constants)
        values = self._lanes[lane].values.get(quantity) if known else None
        return "–" if values is None else group.text(float(values[component]), self._fewer(group))

    def sizeHint(self) -> QSize:
        return QSize(280, int(self._listed + self._blocks * BLOCK))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()

    def draw(self, painter: QPainter) -> None:
        self._paint_heads(painter)
        painter.setFont(tabular(self.theme, self.theme.small))
        for group, component, y in _cells():
            quantity = QUANTITIES[group.quantity]
            unit = f"  {quantity.unit}" if quantity.unit and component == 0 else ""
            painter.setPen(QColor(self.theme.muted))
            for block in range(self._blocks):
                place = QRectF(0, self._listed + y + block * BLOCK, SYMBOL_WIDTH + 40, ROW)
                painter.drawText(place, LEFT, quantity.symbols[component] + unit)
            painter.setPen(QColor(self.theme.text))
            for index in range(len(self._lanes)):
                painter.drawText(self.cell(index, y), RIGHT, self.text(index, group.quantity, component))

    @property
    def _blocks(self) -> int:
        return max(math.ceil(len(self._names) / LANES_BESIDE), 1)

    def _columns(self) -> float:
        return (self.width() - SYMBOL_WIDTH) / max(min(len(self._names), LANES_BESIDE), 1)

    def _fewer(self, group: Group) -> int:
        """How many decimals have to be left out for a number to fit its column."""
        if not self._read:  # where nobody sees them, values need not be computed
            self._read = True
            for name, values in (item for lane in self._lanes for item in lane.values.items()):
                sizes = [abs(value) for value in values.tolist()]
                self._widest[name] = max(
                    [self._widest.get(name, 1.0), *(size for size in sizes if size < HUGE)]
                )
        room, greatest = self._columns(), self._widest.get(group.quantity, 1.0)
        key = (group.quantity, room, math.floor(math.log10(greatest)), self.theme.small)
        if key not in self._left_out:
            metrics = QFontMetricsF(tabular(self.theme, self.theme.small))
            widest = group.text(-1e-15 if group.form == "e" else -greatest)
            over = metrics.horizontalAdvance(widest) + UNIT / 2 - room
            self._left_out[key] = max(math.ceil(over / metrics.horizontalAdvance("0")), 0)
        return self._left_out[key]

    def _resized(self) -> None:
        """Names stand over their columns, or, where one has no room there, in a list above, from which squares tell the columns."""
        metrics = QFontMetricsF(tabular(self.theme, self.theme.small, QFont.Weight.DemiBold))
        room = self._columns() - 3 * UNIT
        whole = all(metrics.horizontalAdvance(lane_title(name)) <= room for name in self._names)
        self._listed = 0 if whole else ROW * len(self._names)
        self.updateGeometry()

    def _paint_heads(self, painter: QPainter) -> None:
        painter.setFont(tabular(self.theme, self.theme.small, QFont.Weight.DemiBold))
        for index, lane in enumerate(self._lanes):
            colour, shape = QColor(lane_colour(self.theme, lane.colour)), shape_of(lane.colour)
            cell, name = self.cell(index, 0.0), lane_title(lane.name)
            painter.setPen(colour)
            if self._listed:
                line = QRectF(0, index * ROW, self.width(), ROW)
                painter.drawText(line.adjusted(SQUARE + UNIT, 0, 0, 0), LEFT, name)
                places = [
                    QPointF(SQUARE / 2, line.center().y()),
                    QPointF(cell.right() - SQUARE / 2, cell.center().y()),
                ]
            else:
                painter.drawText(cell, RIGHT, name)
                left = cell.right() - painter.fontMetrics().horizontalAdvance(name)
                places = [QPointF(left - UNIT, cell.center().y())] if shape else []
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for place in places:
                if shape:
                    draw_shape(painter, shape, place, colour, QColor(self.theme.window))
                else:
                    half = QPointF(SQUARE / 2, SQUARE / 2)
                    painter.fillRect(QRectF(place - half, place + half), colour)

    def cell(self, index: int, y: float) -> QRectF:
        """Where the number of a lane stands, in a row that is `y` pixels below the top."""
        width = self._columns()
        block, place = divmod(index, LANES_BESIDE)
        return QRectF(SYMBOL_WIDTH + place * width, self._listed + y + block * BLOCK, width, ROW)


def _cells() -> Iterator[tuple[Group, int, float]]:
    """Each row of the table: its group, component and place from the top."""
    y = float(ROW)
    for group in GROUPS:
        for component in range(len(QUANTITIES[group.quantity].symbols)):
            yield group, component, y
            y += ROW
        y += UNIT / 2


BLOCK = sum(len(QUANTITIES[group.quantity].symbols) for group in GROUPS) * ROW + ROW + len(GROUPS) * UNIT / 2
"""Height of the table for one row of lanes."""
