"""A panel that shows paths on a globe, which a person turns by dragging."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF

from quatviz.ui.frame import Frame, LaneFrame, RunInfo, Source
from quatviz.ui.lazy import Column
from quatviz.ui.panels.base import Panel, Pointed
from quatviz.ui.plotting.choices import Choice, Choices
from quatviz.ui.plotting.globe import Picture
from quatviz.ui.plotting.globe_item import GlobeItem, Spot, large_numbers
from quatviz.ui.plotting.rows import TitleRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

POINTS = 2000
"""Rows of a lane that are drawn, at most."""
TURN = 0.25
"""The body turns by no more than this [rad] from one row that is drawn to the next, where the samples are as dense."""
INTERVAL = 0.5
"""Seconds between drawings of paths that grow while the run plays."""


@dataclass(frozen=True, eq=False)
class Rows:
    """What is drawn of a lane's column: `values` (m, k) at `times` (m,) [s]."""

    times: np.ndarray
    values: np.ndarray


class GlobePanel(Panel):
    """Extend it with `picture`, which is asked for when rows, lanes or the choice change, and `spots`, which is asked for
    in every frame. `note` stands beside the title, `words` below the picture."""

    quantity: ClassVar[str]
    """Whose path it is, of `core.observables.QUANTITIES`."""
    choice: Choice | None = None
    note: ClassVar[str] = ""

    def __init__(self) -> None:
        self.axis = TimeAxis()
        self.choices = Choices()
        self.report: Callable[[Exception], None] = lambda error: None
        self.offer: Callable[[QPoint], None] = lambda point: None
        self.source: Source | None = None
        self._prompt: object = None
        self._grown: object = None
        self._at = 0.0

    @abstractmethod
    def picture(self, frame: Frame) -> Picture:
        """What stays while only the cursor moves."""

    @abstractmethod
    def spots(self, frame: Frame) -> list[Spot]:
        """The lanes at the cursor."""

    @abstractmethod
    def words(self, option: str) -> str:
        """What is seen, in plain words."""

    def outline(self, frame: Frame) -> np.ndarray | None:
        """A surface (3, 3) that changes with the cursor, drawn as its outline."""
        return None

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """True of every run: a person asks for it."""
        return False

    @property
    def weight(self) -> float:
        return 8.0

    @property
    def option(self) -> str:
        return self.choices.option(self.choice) if self.choice is not None else ""

    def share(self, axis: TimeAxis, choices: Choices) -> None:
        """Use the board's axis and its choices."""
        self.axis, self.choices = axis, choices

    def build(self, layout: pg.GraphicsLayout, theme: Theme) -> None:
        layout.layout.setContentsMargins(0, 0, 0, 0)
        layout.layout.setSpacing(0)
        style = PlotStyle(theme)
        self._title = TitleRow(style, tr(self.title), "", self.choice, self.choices)
        self.globe = GlobeItem(self.axis.allowance, style)
        self.globe.seek = lambda time: self.seek(time)
        self.globe.offer = lambda point: self.offer(point)
        self.globe.report = lambda error: self.report(error)
        for row, item in enumerate((self._title, self.globe)):
            layout.addItem(item, row=row, col=0)
        self.restyle(theme)

    def start(self, source: Source) -> None:
        self.source, self._prompt = source, None
        self.globe.take(Picture(), self.words(self.option))
        self._say()

    @large_numbers
    def show(self, frame: Frame) -> None:
        if self.source is None:
            return
        now = monotonic()
        prompt = (
            tuple((lane.name, lane.colour, lane.visible, lane.status) for lane in frame.lanes),
            self.option,
            self._stride(frame),
            self._page(frame),
        )
        grown = (frame.duration, *(lane.computed_to for lane in frame.lanes))
        late = not frame.playing or now - self._at >= INTERVAL
        if prompt != self._prompt or (grown != self._grown and late):
            self._prompt, self._grown, self._at = prompt, grown, now
            self.globe.take(self.picture(frame), self.words(self.option))
            self._say(self._pages(frame))
        self.globe.point(frame.time, self.spots(frame), self.outline(frame))

    def dirty(self) -> list[QRectF] | None:
        return [self.globe.mapRectToScene(rect) for rect in self.globe.dirty()]

    def point_at(self, pointed: Pointed | None) -> bool:
        return pointed is not None and pointed.quantity == self.quantity

    def restyle(self, theme: Theme) -> None:
        style = PlotStyle(theme)
        self._title.restyle(style, style.text)
        self.globe.restyle(style)

    # What a subclass reads

    def lanes(self, frame: Frame) -> list[LaneFrame]:
        """The lanes that are shown and have rows."""
        assert self.source is not None
        return [
            lane
            for lane in frame.lanes
            if lane.visible and len(self.source.values(lane.name, self.quantity)[0])
        ]

    def rows(self, lane: str, frame: Frame) -> Rows:
        """The rows of a lane that are drawn: of the whole run, or of the page about the cursor where the body turns so
        often that no line could follow it all."""
        assert self.source is not None
        times, values = self.source.values(lane, self.quantity)
        paged, stride = self._stride(frame)
        first = self._page(frame) * POINTS * stride
        last = min(len(times), first + POINTS * stride + 1) if paged else len(times)
        return Rows(*(_thinned(column, first, last, stride) for column in (times, values)))

    def at_cursor(self, lane: str, time: float) -> np.ndarray:
        """Values (k,) at `time`, between rows; those of the last row beyond it."""
        rows, share = self.pair(lane, time)
        return rows[0] + share * (rows[-1] - rows[0])

    def pair(self, lane: str, time: float) -> tuple[np.ndarray, float]:
        """The rows (1 or 2, k) about `time`, and how far it is from the first one to the other."""
        assert self.source is not None
        times, values = self.source.values(lane, self.quantity)
        place = min(max(time / self.source.info.sample_interval, 0.0), len(times) - 1)
        row = min(int(place), max(len(times) - 2, 0))
        return np.asarray(values[row : row + 2]), place - row

    def _stride(self, frame: Frame) -> tuple[bool, int]:
        """Whether the run is shown in pages, and every how manieth row is drawn."""
        assert self.source is not None
        interval = self.source.info.sample_interval
        rows = frame.duration / interval + 1.0
        turn = frame.scales.get("omega", 0.0) * interval
        densest = max(int(TURN / turn), 1) if turn > 0 else int(rows)
        wanted = max(math.ceil(rows / POINTS), 1)
        return wanted > densest, min(wanted, densest)

    def _page(self, frame: Frame) -> int:
        """The number of the stretch of `POINTS` strides about the cursor."""
        assert self.source is not None
        paged, stride = self._stride(frame)
        return int(frame.time / self.source.info.sample_interval) // (POINTS * stride) if paged else 0

    def _pages(self, frame: Frame) -> str:
        """The stretch of time that is shown, where it is not the whole run."""
        assert self.source is not None
        paged, stride = self._stride(frame)
        span, page = POINTS * stride * self.source.info.sample_interval, self._page(frame)
        return tr("t = {low:g} to {high:g} s", low=page * span, high=(page + 1) * span) if paged else ""

    def _say(self, pages: str = "") -> None:
        self._title.say(", ".join(part for part in (tr(self.note), pages) if part))


def _thinned(column: Column, first: int, last: int, stride: int) -> np.ndarray:
    """Every so manieth row from `first`, and the last one."""
    kept = np.asarray(column[first:last:stride])
    if last > first and (last - 1 - first) % stride:
        kept = np.concatenate((kept, np.asarray(column[last - 1 : last])))
    return kept
