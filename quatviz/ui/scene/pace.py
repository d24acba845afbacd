"""How finely pictures are drawn where drawing them holds up their own motion."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from statistics import median
from time import perf_counter

LEVELS = (1.0, 0.8, 0.65)
"""Pixels of a picture per pixel of the screen, each way."""

FRAMES = 12
"""How many frames tell how fast frames are."""

SLOW, FAST = 0.036, 0.022
"""Seconds between frames beyond which they are drawn more coarsely, and below which they may be finer."""

PATIENCE = 90
"""Fast frames before the next finer level is tried; twice as many after each time that it was too slow."""


class Pace:
    """While a run plays under software OpenGL, a picture that moves smoothly shows more than one with sharp edges.
    A person sees nothing of it on a machine that is fast enough, nor at rest."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._level = 0
        self._patience = PATIENCE
        self._fast = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=FRAMES)

    @property
    def fineness(self) -> float:
        """One of `LEVELS`."""
        return LEVELS[self._level]

    def rest(self) -> None:
        """The run does not play: what comes next is not late."""
        self._last = None
        self._intervals.clear()

    def beat(self) -> float:
        """A frame begins; how finely it is drawn."""
        now = self._clock()
        if self._last is not None:
            self._intervals.append(now - self._last)
        self._last = now
        if len(self._intervals) == FRAMES:
            self._judge(median(self._intervals))
        return self.fineness

    def _judge(self, interval: float) -> None:
        self._fast = self._fast + 1 if interval < FAST else 0
        if interval > SLOW and self._level + 1 < len(LEVELS):
            self._level += 1
            self._patience *= 2
            self._intervals.clear()
        elif self._fast > self._patience and self._level > 0:
            self._level -= 1
            self._fast = 0
            self._intervals.clear()
