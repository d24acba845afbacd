"""Which of the bodies on the start page turns now: one at a time, so that all of them cost no more than one."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from statistics import median

from PySide6.QtCore import QObject, QTimer

from quatviz.ui.start.tiles import BodyTile

EVERY_MS = 100
"""Between two pictures, of whichever body."""
TURN = 30
"""Pictures until another body has its turn."""
SLOW = 0.025
"""Seconds that a picture may cost, where bodies are to turn unasked."""
_JUDGED = 8


class Turns(QTimer):
    """The body under the mouse, or else that with the focus, turns for as long as it is there. While there is none, those
    that are seen take turns, unless this machine draws so slowly that the page had better stand still."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tiles: Sequence[BodyTile] = ()
        self._turn: BodyTile | None = None
        self._left = 0
        self._costs: deque[float] = deque(maxlen=_JUDGED)
        self.setInterval(EVERY_MS)
        self.timeout.connect(self.beat)

    @property
    def still(self) -> bool:
        """Whether bodies turn only where a person looks at one."""
        return len(self._costs) == _JUDGED and median(self._costs) > SLOW

    def take(self, tiles: Sequence[BodyTile]) -> None:
        """These are all bodies now."""
        self._tiles, self._turn = tiles, None
        self._costs.clear()

    def beat(self) -> None:
        """One picture."""
        seen = [tile for tile in self._tiles if tile.isVisible() and not tile.visibleRegion().isEmpty()]
        watched = [tile for tile in seen if tile.underMouse()] or [tile for tile in seen if tile.hasFocus()]
        tile = watched[0] if watched else self._next(seen)
        if tile is not None:
            self._costs.extend([tile.cost] if tile.cost else [])
            tile.turn(EVERY_MS / 1000)

    def _next(self, seen: Sequence[BodyTile]) -> BodyTile | None:
        if self.still:
            return None
        self._left -= 1
        if self._turn is None or self._left <= 0 or self._turn not in seen:
            number = seen.index(self._turn) + 1 if self._turn in seen else 0
            self._turn, self._left = (seen[number % len(seen)] if seen else None), TURN
        return self._turn
