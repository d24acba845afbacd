"""A row of a panel or a legend: as high as what stands in it, whatever the height of the rest."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsWidget

from quatviz.ui.plotting.style import PlotStyle


class Row(QGraphicsWidget):
    def __init__(self, style: PlotStyle, height: float) -> None:
        super().__init__()
        self.style_ = style
        self.set_height(height)

    def set_height(self, height: float) -> None:
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)
