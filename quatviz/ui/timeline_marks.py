"""What stands at a time on the timeline: one protocol for all kinds of marks, and how crowds of them stay legible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

import numpy as np
from PySide6.QtGui import QPainter

from quatviz.ui.theme import Theme

REACH = 6.0
"""Pixels to either side at which a mark is pointed at."""
APART = 2 * REACH
"""Pixels below which marks of one kind are one: nearer ones would touch, and both be pointed at."""

Place = Callable[[float], float]
"""From a time [s] to a pixel."""


class Mark(Protocol):
    """A jump target at `time` [s], the sentence that it says when it is pointed at, and its shape."""

    @property
    def time(self) -> float: ...

    @property
    def last(self) -> float:
        """Where it ends [s]: `time` itself, but for a crowd."""
        ...

    @property
    def said(self) -> str: ...

    def draw(self, painter: QPainter, theme: Theme, x_of: Place, track: float) -> None:
        """Draw it at the track, whose middle is at height `track`."""
        ...


M = TypeVar("M", bound=Mark)


def mark_at(found: Iterable[M], x: float, x_of: Place) -> M | None:
    """The mark nearest to a pixel, if one is near."""
    return next(iter(marks_at(found, x, x_of)), None)


def marks_at(found: Iterable[M], x: float, x_of: Place) -> list[M]:
    """The marks that are near to a pixel, the nearest one first."""

    def distance(mark: M) -> float:
        return max(x_of(mark.time) - x, x - x_of(mark.last), 0.0)

    return sorted((mark for mark in found if distance(mark) <= REACH), key=distance)


def crowds(times: np.ndarray, pixels_per_second: float) -> list[tuple[float, float, int]]:
    """Times (m,) [s] in order, as the first and last of those that are less than `APART` apart, and how many they are."""
    if len(times) == 0:
        return []
    starts = np.flatnonzero(np.diff(times, prepend=-np.inf) * pixels_per_second >= APART)
    stops = np.append(starts[1:], len(times))
    return list(
        zip(times[starts].tolist(), times[stops - 1].tolist(), (stops - starts).tolist(), strict=True)
    )


def time_beside(times: Sequence[np.ndarray], time: float, direction: int, hair: float) -> float | None:
    """The next time (+1) or the one before (-1) [s] in any of these, each in order, further away than `hair`."""
    beside = []
    for one in times:
        place = int(np.searchsorted(one, time + direction * hair, "right" if direction > 0 else "left"))
        place -= direction < 0
        if 0 <= place < len(one):
            beside.append(float(one[place]))
    return min(beside, key=lambda other: abs(other - time), default=None)
