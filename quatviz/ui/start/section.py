"""A heading of the start page with its tiles in as many columns as there is room for; and the way from tile to tile."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.look.theme import UNIT
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.widgets import column, label
from quatviz.ui.start.tiles import Tile

_ASIDE = 3
"""How much farther a tile counts that is aside."""


class Grid(Guarded, QWidget):
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
            across, down = divmod(number, rows) if self._down else divmod(number, columns)[::-1]
            tile.resize(width, tile.height())
            high = tile.wanted_height
            tile.setGeometry(across * (width + UNIT), down * (high + UNIT), width, high)
            height = max(height, (down + 1) * (high + UNIT) - UNIT)
        self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(self._least, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.arrange()


class Section(QWidget):
    """It goes away while a search finds nothing in it."""

    def __init__(self, title: str, grid: Grid, empty: str) -> None:
        super().__init__()
        self.setAccessibleName(title)
        grid.setAccessibleName(title)
        self.empty, self.grid = label("muted", empty), grid
        self.setLayout(column(label("heading", title, wraps=False), self.empty, grid))

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


def neighbour(tile: Tile, tiles: Sequence[Tile], key: Qt.Key) -> Tile | None:
    """Where an arrow key leads from a tile of one window: to the nearest one in its direction, or nowhere."""
    start = _place(tile)
    found: list[tuple[int, int, Tile]] = []
    for number, other in enumerate(tiles):
        place = _place(other)
        ahead = {
            Qt.Key.Key_Left: start.left() - place.right(),
            Qt.Key.Key_Right: place.left() - start.right(),
            Qt.Key.Key_Up: start.top() - place.bottom(),
            Qt.Key.Key_Down: place.top() - start.bottom(),
        }[key]
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            aside = max(place.top() - start.bottom(), start.top() - place.bottom(), 0)
        else:
            aside = max(place.left() - start.right(), start.left() - place.right(), 0)
        if other is not tile and ahead > 0:
            found.append((ahead + _ASIDE * aside, number, other))
    return min(found, default=(0, 0, None))[2]


def _place(tile: Tile) -> QRect:
    return QRect(tile.mapTo(tile.window(), QPoint()), tile.size())
