"""Marks on the timeline where lanes ended before the run does."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF
from PySide6.QtGui import QColor, QPainter, QPen

from quatviz.ui.frame import ALIVE, Frame
from quatviz.ui.lane_look import lane_colour
from quatviz.ui.theme import Theme
from quatviz.ui.timeline_marks import Place

_HALF = 3.5


@dataclass(frozen=True)
class End:
    """Time of a lane's last sample [s], the number of its colour, and its last words."""

    time: float
    colour: int
    said: str

    @property
    def last(self) -> float:
        return self.time

    def draw(self, painter: QPainter, theme: Theme, x_of: Place, track: float) -> None:
        """A cross in the lane's colour on the track, over a gap that sets it off."""
        x = x_of(self.time)
        cross = [
            QLineF(x - _HALF, track - _HALF, x + _HALF, track + _HALF),
            QLineF(x - _HALF, track + _HALF, x + _HALF, track - _HALF),
        ]
        for colour, width in ((QColor(theme.window), 5.0), (lane_colour(theme, self.colour), 2.0)):
            painter.setPen(QPen(colour, width))
            painter.drawLines(cross)


def ends(frame: Frame) -> tuple[End, ...]:
    """One for each lane that is shown and has ended."""
    return tuple(
        End(lane.computed_to, lane.colour, lane.message)
        for lane in frame.lanes
        if lane.visible and lane.status not in ALIVE
    )
