"""The one viewport of all plots, and how much of it may be drawn anew in one repaint."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGraphicsView

from quatviz.ui.guard import guarded

PICTURES_PER_REPAINT = 6
"""Pictures of plots that one repaint draws anew while a run plays: drawing all of them would hold up the 3D view for
two frames."""


class Allowance:
    """How many pictures may still be drawn in this repaint. One that is refused shows what it had, and is owed."""

    def __init__(self) -> None:
        self.limited = False
        """Whether time matters: while a run plays."""
        self.owed = False
        self._left = 0

    def renew(self) -> None:
        """A repaint begins."""
        self._left, self.owed = PICTURES_PER_REPAINT, False

    def take(self) -> bool:
        """Whether one more picture may be drawn."""
        self._left -= 1
        refused = self.limited and self._left < 0
        self.owed |= refused
        return not refused


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
