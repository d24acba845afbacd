"""Follows the run for the equation cards, whose window is made when it is first asked for."""

from __future__ import annotations

import math
from time import monotonic

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from quatviz.cards import Point
from quatviz.formulations import make_formulation
from quatviz.formulations.base import Formulation
from quatviz.ui.cards.window import CardWindow
from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.theme import Theme

INTERVAL = 0.2
"""Seconds between changes of the numbers while the run plays."""
_RARE = ("ring_angle", "ring_rate")


class Cards(QObject):
    """Costs nothing while its window is closed."""

    follows_setting = True
    pointed = Signal(object)
    """What a person points at in an equation, as `Pointed`; None for nothing."""

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme, self._owner = theme, owner
        self.window: CardWindow | None = None
        self.lane = ""
        """The lane whose card is shown; one that the run does not have means its first."""
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._key: object = None
        self._shown_at = -INTERVAL

    def open(self, lane: int | None = None) -> None:
        """Show the card of a lane, or of the one that was shown last."""
        if self.window is None:
            self.window = CardWindow(self._theme, self._owner)
            self.window.pointed.connect(self.pointed)
            self.window.filled.connect(self._renew)
            self.window.lane_chosen.connect(self.choose)
            self.window.closed.connect(self._owner.activateWindow)
        if lane is not None and self._source is not None:
            self.lane = self._source.info.lanes[lane]
            self.window.show_six(False)
        self._offer()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        self._renew()

    def choose(self, lane: str) -> None:
        """Show the card of this lane."""
        self.lane = lane
        self._offer()
        self._renew()

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._frame, self._key = source, None, None
        self._offer()

    def show_frame(self, frame: Frame) -> None:
        """Show the numbers at the cursor, while it plays five times a second."""
        self._frame = frame
        if self.window is None or not self.window.isVisible():
            return
        key = (frame.generation, frame.time, self.lane, tuple(lane.computed_to for lane in frame.lanes))
        now = monotonic()
        if key != self._key and not (frame.playing and now - self._shown_at < INTERVAL):
            self._key, self._shown_at = key, now
            self._show()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        if self.window is not None:
            self.window.restyle(theme)

    def shut_down(self) -> None:
        """End what runs beside the window."""
        if self.window is not None:
            self.window.shut_down()

    def point(self) -> Point | None:
        """The chosen lane at the cursor; None until its first sample is there."""
        index = self._index
        if self._source is None or self._frame is None or index >= len(self._frame.lanes):
            return None
        lane, info = self._frame.lanes[index], self._source.info
        if lane.pose is None or "p" not in lane.values:
            return None
        time = min(self._frame.time, lane.computed_to)
        with_multiplier = lane.name in info.multipliers
        rare = {name: self._at(lane, name, time) for name in _RARE} if info.body.ring is not None else {}
        return Point(
            info.body,
            info.loads,
            time,
            np.asarray(lane.values["p"]),
            np.asarray(lane.values["omega"]),
            lam=self._at(lane, "lam", time) if with_multiplier else math.nan,
            constraint_rate=self._at(lane, "constraint_rate", time) if not self._form.yields_motion else 0.0,
            J0=info.J0[index] if info.J0 else None,
            extras=rare,
        )

    def _show(self) -> None:
        at = self.point()
        if self.window is None or self._frame is None or at is None:
            return
        if math.isnan(at.lam) and self._form.has_multiplier:
            self._key = None  # it is still being found: ask again
        lane = self._frame.lanes[self._index]
        measure = self._at(lane, "singularity", at.t) if self._form.singularity_title else math.nan
        with np.errstate(all="ignore"):  # the last numbers of a lane that grew beyond all bounds
            self.window.show_point(at, measure)

    def _at(self, lane: LaneFrame, quantity: str, time: float) -> float:
        """A scalar between its two nearest samples; NaN where there is none yet."""
        assert self._source is not None
        values = self._source.values(lane.name, quantity)[1]
        if len(values) == 0:
            return math.nan
        place = min(max(time / self._source.info.sample_interval, 0.0), len(values) - 1)
        row = min(int(place), max(len(values) - 2, 0))
        pair = values[row : row + 2, 0]
        return float(pair[0] + (place - row) * (pair[-1] - pair[0]))

    @property
    def _index(self) -> int:
        lanes = self._source.info.lanes if self._source is not None else ()
        return lanes.index(self.lane) if self.lane in lanes else 0

    @property
    def _form(self) -> Formulation:
        assert self._source is not None
        return make_formulation(self._source.info.formulations[self._index])

    def _offer(self) -> None:
        if self.window is not None and self._source is not None:
            info, index = self._source.info, self._index
            self.window.show_lanes(info.lanes, info.lanes[index], info.formulations[index])

    def _renew(self) -> None:
        self._key = None
        self._shown_at = -INTERVAL
        if self._frame is not None:
            self.show_frame(self._frame)
