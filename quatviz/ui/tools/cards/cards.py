"""Follows the run for the equation cards, whose window is made when it is first asked for."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from quatviz.cards import Point
from quatviz.feed.frame import Frame, Source
from quatviz.feed.numbers import number_at, point_at
from quatviz.formulations import make_formulation
from quatviz.formulations.base import Formulation
from quatviz.ui.tools.cards.window import CardWindow

INTERVAL = 0.2
"""Seconds between changes of the numbers while the run plays."""


class Cards(QObject):
    """Costs nothing while its window is closed."""

    follows_setting = True
    pointed = Signal(object)
    """What a person points at in an equation, as `Pointed`; None for nothing."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self.window: CardWindow | None = None
        self.lane = ""
        """The lane whose card is shown; one that the run does not have means its first."""
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._key: object = None
        self._shown_at = -math.inf

    def open(self, lane: int | None = None) -> None:
        """Show the card of a lane, or of the one that was shown last."""
        if self.window is None:
            self.window = CardWindow(self._owner)
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
        if key != self._key and not (frame.playing and frame.now - self._shown_at < INTERVAL):
            self._key, self._shown_at = key, frame.now
            self._show()

    def shut_down(self) -> None:
        """End what runs beside the window."""
        if self.window is not None:
            self.window.shut_down()

    def point(self) -> Point | None:
        """The chosen lane at the cursor; None until its first sample is there."""
        if self._source is None or self._frame is None:
            return None
        return point_at(self._source, self._frame, self._index)

    def _show(self) -> None:
        at = self.point()
        if self.window is None or self._frame is None or at is None:
            return
        if math.isnan(at.lam) and self._form.has_multiplier:
            self._key = None  # it is still being found: ask again
        lane = self._frame.lanes[self._index]
        measure = math.nan
        if self._source is not None and self._form.singularity_title:
            measure = number_at(self._source, lane.name, "singularity", at.t)
        with np.errstate(all="ignore"):  # the last numbers of a lane that grew beyond all bounds
            self.window.show_point(at, measure)

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
        self._shown_at = -math.inf
        if self._frame is not None:
            self.show_frame(self._frame)
