"""Where panels stand on the board: two columns, or one where two would be too narrow, each filled from top to bottom in
proportion to what it holds, and scrolled where that would leave too little for each."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QSizeF, Qt
from PySide6.QtWidgets import QGraphicsLinearLayout, QGraphicsWidget

from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.plotting.scroller import Scroller
from quatviz.ui.theme import UNIT

COLUMNS = 2
BOUNDLESS = (16777215.0, 16777215.0)
"""Said outright, or a layout whose rows are all of fixed height would cap the board's."""

_STRIP = 40.0
_EASE = 1.4
"""Higher than the least that panels in one column are: strips as wide and as low as that would look flat."""
_ANY = QSizeF()

Item = tuple["PanelLayout", float, QGraphicsWidget | None]
"""A panel's layout, its height in strips, and a row that stands above it, if it has one."""


class PanelLayout(pg.GraphicsLayout):
    """What holds the rows of one panel."""

    strips = 1.0
    """How high it would like to be."""

    def sizeHint(self, which: Qt.SizeHint, constraint: QSizeF = _ANY) -> QSizeF:
        """A preferred size set outright would cap the least one, and rows would overlap."""
        if which == Qt.SizeHint.PreferredSize:
            least = self.layout.effectiveSizeHint(Qt.SizeHint.MinimumSize).height()
            return QSizeF(400.0, max(_STRIP * self.strips, least))
        hint: QSizeF = super().sizeHint(which, constraint)
        return hint


class Grid:
    """Columns of layouts in a view, below a row that belongs to somebody else."""

    def __init__(self, view: BoardView) -> None:
        outer = view.ci
        self.scroller = Scroller(view)
        self.least_width = 0.0
        """Least width of a column [pixels]: panels stand in one where two would be narrower."""
        self._placed: tuple[int, list[Item]] = (COLUMNS, [])
        self._columns = [QGraphicsWidget() for _ in range(COLUMNS)]
        self._lines = [QGraphicsLinearLayout(Qt.Orientation.Vertical, column) for column in self._columns]
        outer.setMaximumSize(*BOUNDLESS)
        outer.layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        outer.layout.setVerticalSpacing(UNIT)
        self.scroller.layout_.setHorizontalSpacing(UNIT)
        outer.layout.setRowStretchFactor(1, 1)
        for number, column in enumerate(self._columns):
            column.setMaximumSize(*BOUNDLESS)
            column.setPreferredWidth(400.0)  # equal shares, whatever is inside
            self._lines[number].setContentsMargins(0, 0, 0, 0)
            self._lines[number].setSpacing(UNIT)
            self.scroller.layout_.addItem(column, 0, number)
            self.scroller.layout_.setColumnStretchFactor(number, 1)
        outer.addItem(self.scroller, row=1, col=0, colspan=COLUMNS)

    @property
    def columns(self) -> int:
        """In how many columns the panels stand."""
        room = self.scroller.size().width()
        return COLUMNS if not room or (room - UNIT) / COLUMNS >= self.least_width else 1

    def make(self) -> PanelLayout:
        """A layout for one panel, which stands nowhere yet."""
        layout = PanelLayout(parent=self._columns[0])
        layout.setMaximumSize(*BOUNDLESS)
        layout.hide()
        return layout

    def take(self, layout: PanelLayout) -> None:
        """Own a layout that stood elsewhere, maybe in another scene; it stands nowhere yet."""
        layout.hide()
        scene = layout.scene()
        if scene is not self._columns[0].scene():
            scene.removeItem(layout)  # Qt crashes where a layout takes an item straight out of another scene
        layout.setParentItem(self._columns[0])

    def place(self, panels: Sequence[Item]) -> None:
        """Show these layouts and no others, by turns left and right, as high as their weights say."""
        columns = self.columns
        if (columns, list(panels)) == self._placed:
            return
        for layout, _, head in self._placed[1]:
            layout.hide()
            if head is not None:
                head.hide()
        for lines in self._lines:
            while lines.count():
                lines.removeAt(0)
        for number, column in enumerate(self._columns):
            used = number < min(len(panels), columns)
            column.setMaximumWidth(BOUNDLESS[0] if used else 0.0)
            self.scroller.layout_.setColumnStretchFactor(number, 1 if used else 0)
        for number, (layout, weight, head) in enumerate(panels):
            lines = self._lines[number % columns]
            if head is not None:
                lines.addItem(head)
                head.show()
            if layout.strips != weight:
                layout.strips = weight
                layout.updateGeometry()
            lines.addItem(layout)
            lines.setStretchFactor(layout, max(round(10 * weight), 1))
            layout.show()
        self._placed = columns, list(panels)
        self.scroller.ease = _EASE if columns == 1 and len(panels) > 1 else 1.0

    def crowded(self, heights: Sequence[float]) -> bool:
        """Whether panels of these least heights stand higher than there is room for."""
        columns = self.columns
        shared = (heights[first::columns] for first in range(columns))
        needed = max(sum(column) + UNIT * (len(column) - 1) for column in shared)
        return needed > self.scroller.size().height()

    def lowest(self, over_time: Sequence[bool]) -> set[int]:
        """Which panels, of those that are drawn `over_time`, are the lowest of their column."""
        columns = self.columns
        shared = (range(first, len(over_time), columns) for first in range(columns))
        timed = ([number for number in column if over_time[number]] for column in shared)
        return {numbers[-1] for numbers in timed if numbers}
