"""The selected times on the timeline: a tinted stretch of the track with a handle at each end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from quatviz.ui.plotting.style import mixed
from quatviz.ui.theme import Theme

REACH = 6.0
"""Pixels to either side at which a handle is taken."""

_HALF, _HIGH = 3.0, 18.0


class RangeHandles:
    """What is selected, and how a drag changes it. Times are put on samples of the run."""

    def __init__(self) -> None:
        self.selected: tuple[float, float] | None = None
        self.sample = 1e-6
        """Seconds between two samples."""
        self._anchor: float | None = None

    @property
    def dragging(self) -> bool:
        """Whether a person drags an end."""
        return self._anchor is not None

    def begin(self, time: float) -> None:
        """Select from `time` [s] to where the drag goes."""
        self._anchor = self._on_sample(time)

    def grab(self, x: float, cursor: float, below: bool, x_of: Callable[[float], float]) -> bool:
        """Take the handle at a pixel, unless the cursor's is nearer; where both are, that `below` the track."""
        if self.selected is None:
            return False
        end = min(self.selected, key=lambda end: abs(x_of(end) - x))
        way, other = abs(x_of(end) - x), abs(cursor - x)
        if way > REACH or other < way or (other <= REACH and not below):
            return False
        low, high = self.selected
        self._anchor = high if end == low else low
        return True

    def drag(self, time: float) -> tuple[float, float] | None:
        """What is selected when the drag has come to `time` [s]."""
        end = self._on_sample(time)
        if self._anchor is None or end == self._anchor:
            return None
        return min(end, self._anchor), max(end, self._anchor)

    def release(self) -> None:
        """The drag is over."""
        self._anchor = None

    def draw_stretch(
        self, painter: QPainter, theme: Theme, x_of: Callable[[float], float], track: float
    ) -> None:
        """The stretch behind the track at height `track`."""
        if self.selected is not None:
            left, right = (x_of(end) for end in self.selected)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.accent, theme.window, 0.28))
            painter.drawRect(QRectF(left, track - _HIGH / 2, right - left, _HIGH))

    def draw_handles(
        self, painter: QPainter, theme: Theme, x_of: Callable[[float], float], track: float
    ) -> None:
        """The handles over the track."""
        painter.setPen(QPen(QColor(theme.window), 1))
        painter.setBrush(QColor(theme.text))
        for end in self.selected or ():
            place = QRectF(x_of(end) - _HALF, track - _HIGH / 2, 2 * _HALF, _HIGH)
            painter.drawRoundedRect(place, _HALF, _HALF)

    def _on_sample(self, time: float) -> float:
        return round(time / self.sample) * self.sample
