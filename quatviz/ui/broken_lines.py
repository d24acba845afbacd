"""Plain words in a room of a few lines, for what is painted by hand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF


def broken(text: str, metrics: QFontMetricsF, width: float, count: int) -> list[str]:
    """The first `count` lines of `text` at `width` [pixels], the last of them cut short where there is more."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < count - 1:
        line = words.pop(0)
        while words and metrics.horizontalAdvance(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(line)
    rest = metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)
    return [*lines, rest] if rest else lines
