"""Where views stand beside each other."""

from __future__ import annotations

from PySide6.QtCore import QRect


def tiles(number: int, width: int, height: int, gap: int) -> list[QRect]:
    """1, 2 or 4 rectangles that fill an area, `gap` pixels apart; two of them as near to squares as can be."""
    columns, rows = {1: (1, 1), 4: (2, 2)}.get(number, (2, 1) if width > height else (1, 2))
    across, down = _parts(columns, width, gap), _parts(rows, height, gap)
    return [QRect(x, y, w, h) for y, h in down for x, w in across]


def _parts(count: int, length: int, gap: int) -> list[tuple[int, int]]:
    """Beginning and length of each part."""
    whole = length - gap * (count - 1)
    starts = [whole * part // count for part in range(count + 1)]
    return [(starts[part] + gap * part, starts[part + 1] - starts[part]) for part in range(count)]
