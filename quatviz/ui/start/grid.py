"""Tiles in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.ui.guard import guarded
from quatviz.ui.start.tiles import Tile
from quatviz.ui.theme import UNIT


class Grid(QWidget):
    """As high as its tiles need; those that are hidden leave no gap. Columns are no narrower than `least` pixels where
    there is more than one, and filled row by row, or one after the other where the grid goes `down`."""

    def __init__(self, least: int, down: bool = False) -> None:
        super().__init__()
        self._least, self._down = least, down
        self.tiles: list[Tile] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def fill(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles in place of others."""
        for old in self.tiles:
            old.hide()
            old.setParent(None)
            old.deleteLater()
        self.tiles = list(tiles)
        for tile in self.tiles:
            tile.setParent(self)
            tile.show()
        self.arrange()

    def set_least(self, least: int) -> None:
        """Another width that a column has at least [pixels]."""
        self._least = least
        self.arrange()

    def arrange(self) -> None:
        """Give every tile its place."""
        shown = [tile for tile in self.tiles if not tile.isHidden()]
        columns = max(1, (self.width() + UNIT) // (self._least + UNIT))
        rows = -(-len(shown) // columns)
        if self._down:
            columns = -(-len(shown) // rows) if rows else 1
        width = (self.width() - (columns - 1) * UNIT) // columns
        height = 0
        for number, tile in enumerate(shown):
            column, row = divmod(number, rows) if self._down else divmod(number, columns)[::-1]
            tile.resize(width, tile.height())
            high = tile.wanted_height
            tile.setGeometry(column * (width + UNIT), row * (high + UNIT), width, high)
            height = max(height, (row + 1) * (high + UNIT) - UNIT)
        self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(self._least, self.height())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()
