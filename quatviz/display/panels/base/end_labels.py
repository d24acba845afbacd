"""Names of lanes where their curves end: stacked right of a plot, each joined to its end by a thin line, and beside the crosses
of lanes that died on the way."""

import math
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting.text_layout import Type, even, spread
from quatviz.display.data.scales import Scale
from quatviz.display.data.series import window
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import GLYPHS, shape_of, short_titles
from quatviz.display.view_state.theme import UNIT

LEADER = 1.75 * UNIT
"""Pixels between a plot and the names beside it, over which the thin lines lead."""
_WIDE, _WIDEST = 0.22, 0.25
"""Part of a strip that names may take before they are broken to lines, and at which there is no room for them."""
_TOGETHER = 1 / 3
"""Of the height of a line: ends that are nearer are not told apart."""
_ARRIVED = 0.01
"""Part of the axis by which a curve may end before it and have arrived."""
_TAIL = 4.0
"""Pixels of a curve in whose middle it ends: one that swings within them is a band."""
_NEAR = 5.0
"""Pixels between a cross and its name, and between that and curves."""
_FARTHEST = 1.5
"""Heights of a line that a name stands away from its cross at most, where a peak that is no steeper has no room nearer by."""


class End(NamedTuple):
    """Where a curve ends, in the pixels of its plot."""

    trace: Trace
    x: float
    y: float


class DrawnCurves(NamedTuple):
    """Those of a plot as they are drawn into an `area`."""

    traces: Sequence[Trace]
    scale: Scale
    axis: TimeAxis
    area: Box
    coarse: bool = False
    band: float | None = None
    """As `Plot.band`: its colour would strike through words."""

    def x(self, time: float) -> float:
        return self.area.x + (time - self.axis.low) / self.axis.span * self.area.width

    def heights(self, trace: Trace, left: float, right: float) -> np.ndarray:
        """Places down (k,) of a curve from `left` to `right`, both included; NaN where it is not."""
        axis, area = self.axis, self.area
        shown = window(trace.series.times, axis.low, axis.high, area.width, self.coarse)
        times, values = trace.series.curve(shown, trace.component)
        if not len(times):
            return np.full(2, np.nan)
        low, high = (axis.low + (x - area.x) / area.width * axis.span for x in (left, right))
        first, last = np.searchsorted(times, (low, high), "right").tolist()
        near = slice(max(first - 1, 0), last + 1)
        times, y = times[near], area.bottom - area.height * self.scale.project(values[near])
        edges = np.interp((low, high), times, y, left=np.nan, right=np.nan)
        return np.concatenate([edges[:1], y[(low < times) & (times < high)], edges[1:]])

    def ends(self) -> tuple[list[End], list[End]]:
        """Where the curves of lanes end that are there until the end of the axis, none while one has yet to arrive; and where
        those end that died in sight."""
        arrived: list[End] = []
        died: list[End] = []
        waits, axis, right = False, self.axis, self.area.right
        latest = axis.high - _ARRIVED * axis.span
        for trace in self.traces:
            if trace.theory or trace.part:
                continue
            end = trace.end
            if end is not None and end[0] < latest:
                y = self.area.bottom - self.area.height * self.scale.place(end[1])
                if end[0] >= axis.low and np.isfinite(y):
                    died.append(End(trace, self.x(end[0]), y))
                continue
            waits |= end is None and trace.series.reach < latest
            x = min(right, self.x(trace.series.reach))
            tail = self.heights(trace, x - _TAIL, x)
            tail = tail[np.isfinite(tail)]
            if len(tail):
                arrived.append(End(trace, x, float(tail.min() + tail.max()) / 2))
        return [] if waits else arrived, died

    def crosses(self, box: Box) -> bool:
        """Whether a curve runs through a box, or the band about zero."""
        edges = (-self.band, 0.0, self.band) if self.band is not None else ()
        heights = [self.area.bottom - self.area.height * self.scale.place(edge) for edge in edges]
        return any(box.y - 2.0 < y < box.bottom + 2.0 for y in heights) or any(
            _between(self.heights(trace, box.x, box.right), box.y - _NEAR, box.bottom + _NEAR)
            for trace in self.traces
        )  # fmt: skip


def _between(heights: np.ndarray, top: float, bottom: float) -> bool:
    """Whether a line through these heights (k,) comes between two of them; breaks, which are NaN, do not."""
    upper, lower = np.minimum(heights[:-1], heights[1:]), np.maximum(heights[:-1], heights[1:])
    return bool(np.any((upper < bottom) & (lower > top)))


class EndNames:
    """The names of one strip. What they need beside it they need as long as it shows the same lanes: plots that grew wider and
    narrower while a run plays would be worse than an empty margin."""

    def __init__(self) -> None:
        self.apart = False
        """Whether curves were seen to end apart."""
        self._order: list[str] = []
        """Lanes from the top down, as they were last."""

    def look(self, curves: DrawnCurves, line: float) -> tuple[list[End], list[End]]:
        """See whether curves end apart, in a type whose lines are so high; their ends as `DrawnCurves.ends` has them."""
        arrived, died = curves.ends()
        heights = [end.y for end in arrived]
        self.apart |= bool(heights) and max(heights) - min(heights) >= _TOGETHER * line
        return arrived, died

    def width(self, letters: Type, traces: Sequence[Trace], room: float) -> float:
        """What they take of the `room` of their strip, the lines that lead to them included."""
        if not self.apart:
            return 0.0
        return _width(letters, _lanes(traces), room)

    def stacked(
        self, ends: Sequence[End], names: dict[str, str], letters: Type, beside: Box
    ) -> "list[tuple[Label, float]]":
        """Labels of ends in the room `beside` the plot, as `stacked` has them; none where these end together."""
        if not self.apart or beside.width <= LEADER:
            return []
        row = self.ordered(ends, _TOGETHER * letters.line)
        return stacked(row, names, letters, beside.inside(LEADER, 0, 0, 0))

    def ordered(self, ends: Sequence[End], near: float) -> list[End]:
        """From the top down. Those `near` each other keep the order that they had: names must not swap places with every frame."""
        here = {end.trace.lane: end for end in ends}
        row: list[End] = []
        for lane in dict.fromkeys([*self._order, *here]):
            if lane in here:
                place = len(row)
                while place and row[place - 1].y > here[lane].y + near:
                    place -= 1
                row.insert(place, here[lane])
        self._order = [end.trace.lane for end in row]
        return row


Lanes = tuple[tuple[str, int], ...]
"""Their names, and the numbers of their looks."""


def _lanes(traces: Sequence[Trace]) -> Lanes:
    return tuple((one.lane, one.number or 0) for one in traces if not (one.theory or one.part))


def names_of(traces: Sequence[Trace]) -> dict[str, str]:
    """What the lanes of a plot are called beside it: as short as tells them apart, behind the shape of their curves."""
    return _names(_lanes(traces))


@lru_cache(maxsize=64)
def _names(lanes: Lanes) -> dict[str, str]:
    titles = short_titles([lane for lane, _ in lanes])
    return {
        lane: f"{GLYPHS[shape_of(number)]} {title}".strip()
        for (lane, number), title in zip(lanes, titles, strict=True)
    }


@lru_cache(maxsize=256)
def _width(letters: Type, lanes: Lanes, room: float) -> float:
    advance = letters.advance
    lines = [line for name in _names(lanes).values() for line in even(name, _WIDE * room, advance)]
    wide = math.ceil(LEADER + max(map(advance, lines), default=0.0) + 2.0)
    return wide if wide < _WIDEST * room else 0.0


@lru_cache(maxsize=1024)
def _broken(letters: Type, name: str, room: float) -> list[str]:
    """The lines of a name: to measure words costs more than to draw them."""
    return even(name, room, letters.advance)


class Label(NamedTuple):
    """The name of a lane, in lines, or of the first of several with how many more they are, and where their curves end."""

    ends: list[End]
    lines: list[str]
    high: float


def stacked(row: Sequence[End], names: dict[str, str], letters: Type, room: Box) -> list[tuple[Label, float]]:
    """Labels for ends that are given from the top down, each with the height of its middle: as near to its ends as can be, none
    over another, all in the room. Where that is too low for all, those whose ends are nearest share one."""
    order = list(names)

    def label(ends: list[End]) -> Label:
        ends = sorted(ends, key=lambda end: order.index(end.trace.lane))
        said = names[ends[0].trace.lane] + (f" +{len(ends) - 1}" if len(ends) > 1 else "")
        lines = _broken(letters, said, room.width + 0.5)
        return Label(ends, lines, len(lines) * letters.line)

    labels = [label([end]) for end in row]
    while len(labels) > 1 and sum(one.high for one in labels) > room.height:
        gaps = [_middle(below) - _middle(one) for one, below in pairwise(labels)]
        place = gaps.index(min(gaps))
        labels[place : place + 2] = [label([*labels[place].ends, *labels[place + 1].ends])]
    middles = spread([_middle(one) for one in labels], [one.high for one in labels], room.y, room.bottom)
    return list(zip(labels, middles, strict=True))


def _middle(label: Label) -> float:
    return sum(end.y for end in label.ends) / len(label.ends)


class AtCross(NamedTuple):
    """The name of a lane in lines, where it stands beside the cross at its end."""

    end: End
    lines: list[str]
    box: Box


def at_crosses(
    died: Sequence[End], names: dict[str, str], letters: Type, curves: DrawnCurves
) -> Iterator[AtCross]:
    """Where the names of lanes go that died in sight: beside their crosses, in the plot, over no curve or other name, and not by
    the cross of another. Of one for which there is no such place in one line a part, or two lines; else it has none."""
    taken: list[Box] = []
    for end in died:
        away = [_around(other, end, letters.line) for other in died]
        for lines in _ways(names[end.trace.lane], names.values(), letters):
            wide, high = max(map(letters.advance, lines)), len(lines) * letters.line
            box = next(
                (
                    box
                    for box in _beside(end, wide, high, curves.area, max(2 * _NEAR, _FARTHEST * letters.line))
                    if not any(box.intersects(one) for one in (*away, *taken)) and not curves.crosses(box)
                ),
                None,
            )
            if box is not None:
                taken.append(Box(box.x - letters.line, box.y, box.width + 2 * letters.line, box.height))
                yield AtCross(end, lines, box)
                break


def _around(cross: End, end: End, line: float) -> Box:
    """Where the name of a lane that died at `end` is none of those at a `cross`: near that, but where both are near each other."""
    across, down = (
        max(_NEAR, min(reach, abs(apart) / 2))
        for reach, apart in (
            (_FARTHEST * line, cross.x - end.x),
            (2 * line, math.hypot(cross.x - end.x, cross.y - end.y)),
        )
    )
    return Box(cross.x - across, cross.y - down, 2 * across, 2 * down)


def _ways(name: str, names: Collection[str], letters: Type) -> Iterator[list[str]]:
    """A name in one line, what it is written in alone if that is the end of no other, and that in two lines."""
    part = name.rpartition(" in ")[2]
    short = part if sum(other.endswith(part) for other in names) == 1 else name
    yield [name]
    yield [short]
    yield even(short, 0.7 * letters.advance(short), letters.advance)


def _beside(end: End, wide: float, high: float, area: Box, farthest: float) -> Iterator[Box]:
    """Places beside a cross in the plot, the best first; where that is by an edge, a name stands above or below at this edge, and
    beside a peak there further away."""
    middle = min(max(end.x - wide / 2, area.x), area.right - wide)
    level, far = min(max(end.y - high / 2, area.y), area.bottom - high), 2 * _NEAR
    for y, x in product(
        (end.y - _NEAR - high, end.y + _NEAR, level),
        (
            *(end.x + _NEAR, end.x - wide - _NEAR, end.x - wide / 2, middle, area.x, area.right - wide),
            *(end.x + far, end.x - wide - far, end.x + farthest, end.x - wide - farthest),
        ),
    ):
        box = Box(x, y, wide, high)
        if area.contains(box) and x - farthest <= end.x <= box.right + farthest:
            yield box
