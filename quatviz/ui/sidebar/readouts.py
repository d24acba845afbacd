"""Table of the numbers at the cursor, with units. Lanes that agree share a column; λ is listed for each lane that has one."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.formatting import MINUS_SIGN
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, LaneFrame
from quatviz.display.data.lane_readouts import (
    EXPONENT_FORMAT_LIMIT,
    MULTIPLIER_GROUP,
    READOUT_GROUPS,
    ReadoutGroup,
)
from quatviz.display.data.redraws import Redraws
from quatviz.display.view_state.choices import SCALAR_CHOICE, SCALAR_LAST
from quatviz.display.view_state.line_styles import lane_color, marker_of
from quatviz.display.view_state.theme import DARK, GRID_UNIT
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.ui.widgets.painting import ALIGN_LEFT, ALIGN_RIGHT, draw_shape
from quatviz.ui.widgets.style import PaintedWidget, tabular_font

ROW_HEIGHT = 20
"""Height of a row at the type size of the dark theme [pixels]. All lengths of the table are given for this type size,
and are scaled with it."""
SYMBOL_WIDTH = 76
"""Width of the first column, with the symbols of the quantities, at the type size of the dark theme
[pixels]."""
SWATCH_SIZE = 10
"""Side of the square with a lane's color, at the type size of the dark theme [pixels]."""
COLUMNS_PER_BLOCK = 4
"""Largest number of lane columns side by side, if they fit at the present type size. Further lanes are shown in another
block below."""
_SHORTEST_DRIFT_TEXT = ReadoutGroup("constraint", 0, "e").text(-1e-15)
"""Widest drift text without decimals."""
MAX_SHARED_DRIFT = 1e-10
"""Largest drift of a conserved quantity that counts as accumulated round-off. Only lanes with smaller drifts can share
a column."""


class Readouts(PaintedWidget, QWidget):
    """Table that is painted in a single pass, so that updating forty numbers needs no layout."""

    def __init__(self, redraws: Redraws | None = None, store: ViewStore | None = None) -> None:
        """Build the table. `redraws` is the register of the parts that must be redrawn; `store` has the view state, which
        includes the order of the Euler parameters."""
        super().__init__()
        self._redraws = redraws or Redraws()
        self._redraws.mark(self, "frame")
        self._store = store or ViewStore()
        self._store.changed.connect(self._apply_view_change)
        self._lanes: tuple[LaneFrame, ...] = ()
        self._columns: list[list[int]] = []
        """Indices of the lanes whose values each column shows."""
        self._names: tuple[str, ...] = ()
        """Names of the lanes for which the table was laid out. A new run with the same lanes keeps the layout."""
        self._key: object = None
        self._dropped_decimals: dict[tuple[object, ...], int] = {}
        self._largest_values: dict[str, float] = {}
        """Largest magnitude of each quantity so far. Decimals of a quantity are dropped until its largest
        magnitude fits the column."""
        self._columns_per_block = COLUMNS_PER_BLOCK
        """Number of lane columns side by side: as many as are wide enough for a drift, which cannot be shortened."""
        self._name_list_height = 0.0
        """Height of the list of names above the table [pixels]."""
        self._height_in_layout = -1
        """Height of the table in the enclosing layout [pixels]. When the table needs another height, a new layout is
        requested."""
        self._constants: Sequence[str] = ()
        self._multipliers: Sequence[str] = ()
        """Names of the lanes with a Lagrange multiplier λ."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Values at the cursor"))

    def start(self, source: ColumnSource) -> None:
        """Clear the values of the previous run."""
        self._lanes, self._columns, self._largest_values = (), [], {}
        self._redraws.mark(self, "frame")
        self._constants = source.info.constants
        if source.info.multipliers != self._multipliers:
            self._multipliers, self._names = source.info.multipliers, ()

    def show_frame(self, frame: Frame) -> None:
        """Show the values of this frame."""
        is_first = self._redraws.is_due(self, "frame")
        if not is_first and (
            not frame.updates_readouts or (frame.playing and self.visibleRegion().isEmpty())
        ):
            return
        key = (
            frame.generation,
            frame.time,
            tuple((lane.name, lane.color, lane.computed_to) for lane in frame.lanes),
        )
        if key == self._key and not is_first:
            return  # an unchanged frame needs no update
        self._key, self._lanes = key, frame.lanes
        self._redraws.clear(self, "frame")
        self._redraws.mark(self, "values")
        names, columns = tuple(lane.name for lane in frame.lanes), _group_lanes(frame.lanes, self._constants)
        if names != self._names or columns != self._columns:
            self._names, self._columns = names, columns
            self._lay_out_names()
        self.update()

    def value_text(self, lane: int, quantity: str, component: int = 0) -> str:
        """Return the text of one cell.

        Parameters
        ----------
        lane
            Index of the lane.
        quantity
            Name of the quantity in `QUANTITIES`.
        component
            Index of the component.

        Returns
        -------
        str
            The formatted number. It is "–" if the lane ended before the cursor, and for the drift of a quantity that is not
            conserved.
        """
        group = next(group for group in (*READOUT_GROUPS, MULTIPLIER_GROUP) if group.quantity == quantity)
        known = not self._lanes[lane].frozen and (group.form != "e" or quantity in self._constants)
        values = self._lanes[lane].values.get(quantity) if known else None
        return "–" if values is None else group.text(float(values[component]), self._decimals_to_drop(group))

    def sizeHint(self) -> QSize:
        rows = len(self._listed_multipliers) + 1 if self._listed_multipliers else 0
        return QSize(280, int(self._multiplier_list_top + rows * self._scaled(ROW_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_names()

    def draw(self, painter: QPainter) -> None:
        self._paint_names(painter)
        painter.setFont(tabular_font(self.theme, self.theme.small))
        for group, component, symbol, y in _table_rows(self._groups, self._scalar_last):
            quantity = QUANTITIES[group.quantity]
            row_label = symbol + (f"  {quantity.unit}" if quantity.unit and component == 0 else "")
            painter.setPen(QColor(self.theme.muted))
            for block in range(self._block_count):
                rect = QRectF(
                    0,
                    self._name_list_height + self._scaled(y + block * self._block_height),
                    self._scaled(SYMBOL_WIDTH + 40),
                    self._scaled(ROW_HEIGHT),
                )
                painter.drawText(rect, ALIGN_LEFT, row_label)
            painter.setPen(QColor(self.theme.text))
            for number, lanes in enumerate(self._columns):
                texts = [self.value_text(index, group.quantity, component) for index in lanes]
                text = max(texts, key=_drift_size) if group.form == "e" else texts[0]
                painter.drawText(self.cell_rect(number, y), ALIGN_RIGHT, text)
        if self._listed_multipliers:
            self._paint_multipliers(painter)

    def follow_theme(self) -> None:
        self._lay_out_names()

    def _scaled(self, length: float) -> float:
        """Return a length scaled to the current type size [pixels]. `length` is valid for the type size of the dark theme."""
        return length * self.theme.small / DARK.small

    @property
    def _scalar_last(self) -> bool:
        return self._store.state.options.get(SCALAR_CHOICE.name) == "last"

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if old.options != new.options:
            self.update()

    @property
    def _listed_multipliers(self) -> list[int]:
        """Indices of the lanes whose λ is listed below the table. The list is empty unless a lane with a multiplier
        shares a column. It then contains all lanes with a multiplier."""
        has_multiplier = [name in self._multipliers for name in self._names]
        if not any(len(lanes) > 1 and any(has_multiplier[i] for i in lanes) for lanes in self._columns):
            return []
        return [index for index, has in enumerate(has_multiplier) if has]

    @property
    def _groups(self) -> tuple[ReadoutGroup, ...]:
        """Groups of the rows of the table."""
        has_multipliers = any(name in self._multipliers for name in self._names)
        shows_row = has_multipliers and not self._listed_multipliers
        return (*READOUT_GROUPS, MULTIPLIER_GROUP) if shows_row else READOUT_GROUPS

    @property
    def _block_height(self) -> float:
        """Height of one block of the table at the type size of the dark theme [pixels]."""
        rows = 1 + sum(len(QUANTITIES[group.quantity].symbols) for group in self._groups)
        return rows * ROW_HEIGHT + len(self._groups) * GRID_UNIT / 2

    @property
    def _multiplier_list_top(self) -> float:
        """Bottom of the table, where the list of multipliers begins [pixels]."""
        return self._name_list_height + self._block_count * self._scaled(self._block_height)

    @property
    def _block_count(self) -> int:
        return max(math.ceil(len(self._columns) / self._columns_per_block), 1)

    def _column_width(self) -> float:
        return (self.width() - self._scaled(SYMBOL_WIDTH)) / max(
            min(len(self._columns), self._columns_per_block), 1
        )

    def _decimals_to_drop(self, group: ReadoutGroup) -> int:
        """Return the number of decimals that must be dropped so that the largest value of a quantity fits its column."""
        if self._redraws.is_due(self, "values"):  # computed when drawn, so that a hidden table costs nothing
            self._redraws.clear(self, "values")
            for name, values in (item for lane in self._lanes for item in lane.values.items()):
                sizes = [abs(value) for value in values.tolist()]
                self._largest_values[name] = max(
                    [
                        self._largest_values.get(name, 1.0),
                        *(size for size in sizes if size < EXPONENT_FORMAT_LIMIT),
                    ]
                )
        is_listed = group is MULTIPLIER_GROUP and self._listed_multipliers
        column_width = self.width() / 3 if is_listed else self._column_width()
        greatest = self._largest_values.get(group.quantity, 1.0)
        key = (group.quantity, column_width, math.floor(math.log10(greatest)), self.theme.small)
        if key not in self._dropped_decimals:
            metrics = QFontMetricsF(tabular_font(self.theme, self.theme.small))
            widest = group.text(-1e-15 if group.form == "e" else -greatest)
            excess_width = metrics.horizontalAdvance(widest) + GRID_UNIT / 2 - column_width
            self._dropped_decimals[key] = max(math.ceil(excess_width / metrics.horizontalAdvance("0")), 0)
        return self._dropped_decimals[key]

    def _lay_out_names(self) -> None:
        """Choose the number of columns per block. If a name is wider than its column, or lanes share a column, reserve
        space above the table for a list of names."""
        digits = QFontMetricsF(tabular_font(self.theme, self.theme.small))
        min_width = digits.horizontalAdvance(_SHORTEST_DRIFT_TEXT) + GRID_UNIT / 2
        fitting = int((self.width() - self._scaled(SYMBOL_WIDTH)) // min_width)
        self._columns_per_block = max(min(fitting, COLUMNS_PER_BLOCK), 1)
        metrics = QFontMetricsF(tabular_font(self.theme, self.theme.small, QFont.Weight.DemiBold))
        name_width = self._column_width() - 3 * GRID_UNIT
        all_fit = len(self._columns) == len(self._names) and all(
            metrics.horizontalAdvance(lane_title(name)) <= name_width for name in self._names
        )
        self._name_list_height = 0.0 if all_fit else self._scaled(ROW_HEIGHT) * len(self._names)
        height = self.sizeHint().height()
        if height != self._height_in_layout:
            # Each run of a drag regroups the lanes. Most leave the height, and the column is not laid out again.
            self._height_in_layout = height
            self.updateGeometry()

    def _paint_names(self, painter: QPainter) -> None:
        painter.setFont(tabular_font(self.theme, self.theme.small, QFont.Weight.DemiBold))
        swatch, row_height = self._scaled(SWATCH_SIZE), self._scaled(ROW_HEIGHT)
        cells = {
            index: (self.cell_rect(number, 0.0), position)
            for number, lanes in enumerate(self._columns)
            for position, index in enumerate(reversed(lanes))
        }
        for index, lane in enumerate(self._lanes):
            color = QColor(lane_color(self.theme, lane.color))
            (cell, position_in_cell), name = cells[index], lane_title(lane.name)
            painter.setPen(color)
            if self._name_list_height:
                line = QRectF(0, index * row_height, self.width(), row_height)
                painter.drawText(line.adjusted(swatch + GRID_UNIT, 0, 0, 0), ALIGN_LEFT, name)
                marker_positions = [
                    QPointF(swatch / 2, line.center().y()),
                    QPointF(
                        cell.right() - swatch / 2 - position_in_cell * 1.5 * swatch,
                        cell.center().y(),
                    ),
                ]
            else:
                painter.drawText(cell, ALIGN_RIGHT, name)
                text_left = cell.right() - painter.fontMetrics().horizontalAdvance(name)
                has_marker = bool(marker_of(lane.color))
                marker_positions = [QPointF(text_left - GRID_UNIT, cell.center().y())] if has_marker else []
            for position in marker_positions:
                self._paint_marker(painter, lane, position)

    def _paint_marker(self, painter: QPainter, lane: LaneFrame, position: QPointF) -> None:
        color, shape = QColor(lane_color(self.theme, lane.color)), marker_of(lane.color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if shape:
            draw_shape(painter, shape, position, color, QColor(self.theme.window))
        else:
            half = QPointF(1.0, 1.0) * (self._scaled(SWATCH_SIZE) / 2)
            painter.fillRect(QRectF(position - half, position + half), color)

    def _paint_multipliers(self, painter: QPainter) -> None:
        """Paint a list of λ with one line for each lane that has a multiplier."""
        quantity, row_height = QUANTITIES[MULTIPLIER_GROUP.quantity], self._scaled(ROW_HEIGHT)
        line = QRectF(0, self._multiplier_list_top, self.width(), row_height)
        painter.setPen(QColor(self.theme.muted))
        painter.drawText(line, ALIGN_LEFT, f"{quantity.symbols[0]}  {quantity.unit}")
        name_left = self._scaled(SWATCH_SIZE) + GRID_UNIT
        for index in self._listed_multipliers:
            lane = self._lanes[index]
            line.translate(0, row_height)
            self._paint_marker(painter, lane, QPointF(self._scaled(SWATCH_SIZE) / 2, line.center().y()))
            text = self.value_text(index, MULTIPLIER_GROUP.quantity)
            value_width = painter.fontMetrics().horizontalAdvance(text) + GRID_UNIT
            name_rect = line.adjusted(name_left, 0, -value_width, 0)
            name = painter.fontMetrics().elidedText(
                lane_title(lane.name), Qt.TextElideMode.ElideRight, int(name_rect.width())
            )
            painter.setPen(QColor(self.theme.text))
            painter.drawText(line, ALIGN_RIGHT, text)
            painter.drawText(name_rect, ALIGN_LEFT, name)

    def cell_rect(self, index: int, y: float) -> QRectF:
        """Return the rectangle of the number in column `index`.

        `y` is the distance of its row from the top of the block, given for the type size of the dark theme [pixels].
        """
        width = self._column_width()
        block, column = divmod(index, self._columns_per_block)
        return QRectF(
            self._scaled(SYMBOL_WIDTH) + column * width,
            self._name_list_height + self._scaled(y + block * self._block_height),
            width,
            self._scaled(ROW_HEIGHT),
        )


def _group_lanes(lanes: Sequence[LaneFrame], constants: Sequence[str]) -> list[list[int]]:
    """Return groups of lane indices, one group for each column.

    Lanes share a column if their values agree to half of the last displayed decimal. In addition, the drifts of their
    conserved quantities must be below `MAX_SHARED_DRIFT`.
    """
    groups: list[list[int]] = []
    for index, lane in enumerate(lanes):
        matches = (group for group in groups if _agree(lanes[group[0]], lane, constants))
        group = next(matches, None)
        if group is None:
            groups.append([index])
        else:
            group.append(index)
    return groups


def _agree(first: LaneFrame, second: LaneFrame, constants: Sequence[str]) -> bool:
    if first.frozen or second.frozen or bool(first.values) != bool(second.values):
        return False
    for group in READOUT_GROUPS:
        if group.quantity in first.values and (group.form != "e" or group.quantity in constants):
            pair = np.array([first.values[group.quantity], second.values[group.quantity]])
            if group.form == "e":
                agrees = np.abs(pair).max() <= MAX_SHARED_DRIFT
            else:
                agrees = np.abs(pair[1] - pair[0]).max() <= 0.5 * 10.0**-group.decimals
            if not agrees:
                return False
    return True


def _drift_size(text: str) -> float:
    """Return the magnitude of the displayed drift `text`, or -1 if the text is a dash."""
    return -1.0 if text == "–" else abs(float(text.replace(MINUS_SIGN, "-")))


def _table_rows(
    groups: Sequence[ReadoutGroup], scalar_last: bool
) -> Iterator[tuple[ReadoutGroup, int, str, float]]:
    """Yield group, component, symbol and vertical position [pixels] of each row of the table."""
    y = float(ROW_HEIGHT)
    for group in groups:
        symbols = dict(enumerate(QUANTITIES[group.quantity].symbols))
        for component, symbol in (SCALAR_LAST if group.quantity == "p" and scalar_last else symbols).items():
            yield group, component, symbol, y
            y += ROW_HEIGHT
        y += GRID_UNIT / 2
