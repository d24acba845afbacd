"""A heading of the start page, with its tiles, or with a sentence where there are none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from quatviz.ui.start.grid import Grid
from quatviz.ui.start.tiles import Tile
from quatviz.ui.theme import UNIT


class Section(QWidget):
    """It goes away while a search finds nothing in it."""

    def __init__(self, title: str, grid: Grid, empty: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        grid.setAccessibleName(title)
        heading = QLabel(title)
        heading.setObjectName("heading")
        self.empty = QLabel(empty)
        self.empty.setObjectName("muted")
        self.empty.setWordWrap(True)
        self.grid = grid
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        for part in (heading, self.empty, grid):
            column.addWidget(part)

    def fill(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles."""
        self.grid.fill(tiles)
        self.filter("")

    def filter(self, words: str) -> None:
        """Show those that have these words in them."""
        tiles = self.grid.tiles
        for tile in tiles:
            tile.setVisible(tile.matches(words))
        found = any(not tile.isHidden() for tile in tiles)
        self.grid.setVisible(found)
        self.empty.setVisible(not tiles)
        self.setVisible(found or not words.strip())
        self.grid.arrange()
