"""The one viewport of all plots, and how much of it may be drawn anew in one repaint."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView

from quatviz.ui.guard import guarded

PICTURES_PER_REPAINT = 3
"""Pictures of plots that one repaint draws anew while a run plays: drawing all of them would hold up the 3D view for
three frames."""


class Allowance:
    """How many pictures may still be drawn in this repaint. An item that is refused shows what it had, and is owed."""

    def __init__(self) -> None:
        self.limited = False
        """Whether time matters: while a run plays."""
        self._owed: list[QGraphicsItem] = []
        self._left = 0

    def renew(self) -> None:
        """A repaint begins."""
        self._left = PICTURES_PER_REPAINT

    def take(self, item: QGraphicsItem) -> bool:
        """Whether this item may be drawn anew."""
        self._left -= 1
        refused = self.limited and self._left < 0
        if refused and item not in self._owed:
            self._owed.append(item)
        return not refused

    def due(self) -> list[QGraphicsItem]:
        """The items whose turn it is: as many as one repaint draws, or all where time does not matter."""
        count = PICTURES_PER_REPAINT if self.limited else len(self._owed)
        due, self._owed = self._owed[:count], self._owed[count:]
        return [item for item in due if item.scene() is not None]


class BoardView(pg.GraphicsLayoutWidget):
    """It repaints when the board says so: Qt would flush the window once per item."""

    def __init__(self, allowance: Allowance) -> None:
        super().__init__()
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys belong to the window
        self.repaints = 0
        self._allowance = allowance

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        self.repaints += 1
        self._allowance.renew()
        super().paintEvent(event)
