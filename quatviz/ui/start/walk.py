"""Arrow keys among tiles: the nearest one in a direction."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt

from quatviz.ui.start.tiles import Tile

_ASIDE = 3
"""How much farther a tile counts that is aside."""


def neighbour(tile: Tile, tiles: Sequence[Tile], key: Qt.Key) -> Tile | None:
    """Where an arrow key leads from a tile of one window; None where there is nothing."""
    start = _place(tile)
    found: list[tuple[int, int, Tile]] = []
    for number, other in enumerate(tiles):
        place = _place(other)
        ahead, aside = {
            Qt.Key.Key_Left: (
                start.left() - place.right(),
                _gap(start.top(), start.bottom(), place.top(), place.bottom()),
            ),
            Qt.Key.Key_Right: (
                place.left() - start.right(),
                _gap(start.top(), start.bottom(), place.top(), place.bottom()),
            ),
            Qt.Key.Key_Up: (
                start.top() - place.bottom(),
                _gap(start.left(), start.right(), place.left(), place.right()),
            ),
            Qt.Key.Key_Down: (
                place.top() - start.bottom(),
                _gap(start.left(), start.right(), place.left(), place.right()),
            ),
        }[key]
        if other is not tile and ahead > 0:
            found.append((ahead + _ASIDE * aside, number, other))
    return min(found, default=(0, 0, None))[2]


def _gap(low: int, high: int, other_low: int, other_high: int) -> int:
    """Between two stretches; 0 where they overlap."""
    return max(other_low - high, low - other_high, 0)


def _place(tile: Tile) -> QRect:
    return QRect(tile.mapTo(tile.window(), QPoint()), tile.size())
