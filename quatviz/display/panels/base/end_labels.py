"""Names of lanes where their curves end: stacked right of a plot, each joined to its end by a thin line, and beside the crosses
of lanes that died on the way."""

import math
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting.text_layout import TextMetrics, spread_labels, wrap_evenly
from quatviz.display.data.scales import Scale
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import MARKER_GLYPHS, marker_of, short_titles
from quatviz.display.view_state.theme import GRID_UNIT

LEADER_LENGTH = 1.75 * GRID_UNIT
"""Pixels between a plot and the names beside it, over which the thin lines lead."""
_MAX_LINE_SHARE, _MAX_NAMES_SHARE = 0.22, 0.25
"""Part of a strip that names may take before they are broken to lines, and at which there is no room for them."""
_MIN_END_SEPARATION = 1 / 3
"""Of the height of a line: ends that are nearer are not told apart."""
_ARRIVAL_TOLERANCE = 0.01
"""Part of the axis by which a curve may end before it and have arrived."""
_TAIL_LENGTH = 4.0
"""Pixels of a curve in whose middle it ends: one that swings within them is a band."""
_CROSS_GAP = 5.0
"""Pixels between a cross and its name, and between that and curves."""
_MAX_CROSS_DISTANCE = 1.5
"""Heights of a line that a name stands away from its cross at most, where a peak that is no steeper has no room nearer by."""


class CurveEnd(NamedTuple):
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

    def x_of(self, time: float) -> float:
        return self.area.x + (time - self.axis.low) / self.axis.span * self.area.width

    def heights(self, trace: Trace, x_start: float, x_stop: float) -> np.ndarray:
        """Places down (k,) of a curve from `x_start` to `x_stop`, both included; NaN where it is not."""
        axis, area = self.axis, self.area
        buckets = bucket_range(trace.series.times, axis.low, axis.high, area.width, self.coarse)
        times, values = trace.series.curve(buckets, trace.component)
        if not len(times):
            return np.full(2, np.nan)
        low, high = (axis.low + (x - area.x) / area.width * axis.span for x in (x_start, x_stop))
        first, last = np.searchsorted(times, (low, high), "right").tolist()
        visible = slice(max(first - 1, 0), last + 1)
        times, y = times[visible], area.bottom - area.height * self.scale.project(values[visible])
        edges = np.interp((low, high), times, y, left=np.nan, right=np.nan)
        return np.concatenate([edges[:1], y[(low < times) & (times < high)], edges[1:]])

    def curve_ends(self) -> tuple[list[CurveEnd], list[CurveEnd]]:
        """Where the curves of lanes end that are there until the end of the axis, none while one has yet to arrive; and where
        those end that died in sight."""
        arrived: list[CurveEnd] = []
        died: list[CurveEnd] = []
        is_incomplete, axis, right = False, self.axis, self.area.right
        latest = axis.high - _ARRIVAL_TOLERANCE * axis.span
        for trace in self.traces:
            if trace.is_theory or trace.is_part:
                continue
            end = trace.end_point
            if end is not None and end[0] < latest:
                y = self.area.bottom - self.area.height * self.scale.project_value(end[1])
                if end[0] >= axis.low and np.isfinite(y):
                    died.append(CurveEnd(trace, self.x_of(end[0]), y))
                continue
            is_incomplete |= end is None and trace.series.drawn_until < latest
            x = min(right, self.x_of(trace.series.drawn_until))
            tail = self.heights(trace, x - _TAIL_LENGTH, x)
            tail = tail[np.isfinite(tail)]
            if len(tail):
                arrived.append(CurveEnd(trace, x, float(tail.min() + tail.max()) / 2))
        return [] if is_incomplete else arrived, died

    def is_crossed(self, box: Box) -> bool:
        """Whether a curve runs through a box, or the band about zero."""
        edges = (-self.band, 0.0, self.band) if self.band is not None else ()
        heights = [self.area.bottom - self.area.height * self.scale.project_value(edge) for edge in edges]
        return any(box.y - 2.0 < y < box.bottom + 2.0 for y in heights) or any(
            _passes_between(self.heights(trace, box.x, box.right), box.y - _CROSS_GAP, box.bottom + _CROSS_GAP)
            for trace in self.traces
        )  # fmt: skip


def _passes_between(heights: np.ndarray, top: float, bottom: float) -> bool:
    """Whether a line through these heights (k,) comes between two of them; breaks, which are NaN, do not."""
    upper, lower = np.minimum(heights[:-1], heights[1:]), np.maximum(heights[:-1], heights[1:])
    return bool(np.any((upper < bottom) & (lower > top)))


class EndLabelLayout:
    """The names of one strip. What they need beside it they need as long as it shows the same lanes: plots that grew wider and
    narrower while a run plays would be worse than an empty margin."""

    def __init__(self) -> None:
        self.ends_differ = False
        """Whether curves were seen to end apart."""
        self._lane_order: list[str] = []
        """Lanes from the top down, as they were last."""

    def update(self, curves: DrawnCurves, line: float) -> tuple[list[CurveEnd], list[CurveEnd]]:
        """See whether curves end apart, in a type whose lines are so high; their ends as `DrawnCurves.curve_ends` has them."""
        arrived, died = curves.curve_ends()
        heights = [end.y for end in arrived]
        self.ends_differ |= bool(heights) and max(heights) - min(heights) >= _MIN_END_SEPARATION * line
        return arrived, died

    def required_width(self, letters: TextMetrics, traces: Sequence[Trace], room: float) -> float:
        """What they take of the `room` of their strip, the lines that lead to them included."""
        if not self.ends_differ:
            return 0.0
        return _names_width(letters, _lane_numbers(traces), room)

    def stack(
        self, ends: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, beside: Box
    ) -> "list[tuple[EndLabel, float]]":
        """Labels of ends in the room `beside` the plot, as `stack` has them; none where these end together."""
        if not self.ends_differ or beside.width <= LEADER_LENGTH:
            return []
        row = self.sort_ends(ends, _MIN_END_SEPARATION * letters.line_height)
        return stack_labels(row, names, letters, beside.shrunk(LEADER_LENGTH, 0, 0, 0))

    def sort_ends(self, ends: Sequence[CurveEnd], tolerance: float) -> list[CurveEnd]:
        """From the top down. Those `tolerance` each other keep the order that they had: names must not swap places with every
        frame."""
        ends_by_lane = {end.trace.lane: end for end in ends}
        row: list[CurveEnd] = []
        for lane in dict.fromkeys([*self._lane_order, *ends_by_lane]):
            if lane in ends_by_lane:
                index = len(row)
                while index and row[index - 1].y > ends_by_lane[lane].y + tolerance:
                    index -= 1
                row.insert(index, ends_by_lane[lane])
        self._lane_order = [end.trace.lane for end in row]
        return row


LaneStyleNumbers = tuple[tuple[str, int], ...]
"""Their names, and the numbers of their looks."""


def _lane_numbers(traces: Sequence[Trace]) -> LaneStyleNumbers:
    return tuple(
        (trace.lane, trace.number or 0) for trace in traces if not (trace.is_theory or trace.is_part)
    )


def end_names(traces: Sequence[Trace]) -> dict[str, str]:
    """What the lanes of a plot are called beside it: as short as tells them apart, behind the shape of their curves."""
    return _end_names(_lane_numbers(traces))


@lru_cache(maxsize=64)
def _end_names(lanes: LaneStyleNumbers) -> dict[str, str]:
    titles = short_titles([lane for lane, _ in lanes])
    return {
        lane: f"{MARKER_GLYPHS[marker_of(number)]} {title}".strip()
        for (lane, number), title in zip(lanes, titles, strict=True)
    }


@lru_cache(maxsize=256)
def _names_width(letters: TextMetrics, lanes: LaneStyleNumbers, room: float) -> float:
    advance = letters.advance
    lines = [
        line
        for name in _end_names(lanes).values()
        for line in wrap_evenly(name, _MAX_LINE_SHARE * room, advance)
    ]
    wide = math.ceil(LEADER_LENGTH + max(map(advance, lines), default=0.0) + 2.0)
    return wide if wide < _MAX_NAMES_SHARE * room else 0.0


@lru_cache(maxsize=1024)
def _wrapped_name(letters: TextMetrics, name: str, room: float) -> list[str]:
    """The lines of a name: to measure words costs more than to draw them."""
    return wrap_evenly(name, room, letters.advance)


class EndLabel(NamedTuple):
    """The name of a lane, in lines, or of the first of several with how many more they are, and where their curves end."""

    ends: list[CurveEnd]
    lines: list[str]
    height: float


def stack_labels(
    row: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, room: Box
) -> list[tuple[EndLabel, float]]:
    """Labels for ends that are given from the top down, each with the height of its middle: as near to its ends as can be, none
    over another, all in the room. Where that is too low for all, those whose ends are nearest share one."""
    order = list(names)

    def make_label(ends: list[CurveEnd]) -> EndLabel:
        ends = sorted(ends, key=lambda end: order.index(end.trace.lane))
        text = names[ends[0].trace.lane] + (f" +{len(ends) - 1}" if len(ends) > 1 else "")
        lines = _wrapped_name(letters, text, room.width + 0.5)
        return EndLabel(ends, lines, len(lines) * letters.line_height)

    labels = [make_label([end]) for end in row]
    while len(labels) > 1 and sum(upper.height for upper in labels) > room.height:
        gaps = [_mean_height(below) - _mean_height(upper) for upper, below in pairwise(labels)]
        index = gaps.index(min(gaps))
        labels[index : index + 2] = [make_label([*labels[index].ends, *labels[index + 1].ends])]
    middles = spread_labels(
        [_mean_height(upper) for upper in labels], [upper.height for upper in labels], room.y, room.bottom
    )
    return list(zip(labels, middles, strict=True))


def _mean_height(label: EndLabel) -> float:
    return sum(end.y for end in label.ends) / len(label.ends)


class CrossLabel(NamedTuple):
    """The name of a lane in lines, where it stands beside the cross at its end."""

    end: CurveEnd
    lines: list[str]
    box: Box


def place_cross_labels(
    died: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, curves: DrawnCurves
) -> Iterator[CrossLabel]:
    """Where the names of lanes go that died in sight: beside their crosses, in the plot, over no curve or other name, and not by
    the cross of another. Of one for which there is no such place in one line a part, or two lines; else it has none."""
    occupied: list[Box] = []
    for end in died:
        cross_boxes = [_cross_box(other, end, letters.line_height) for other in died]
        for lines in _name_variants(names[end.trace.lane], names.values(), letters):
            width, height = max(map(letters.advance, lines)), len(lines) * letters.line_height
            box = next(
                (
                    box
                    for box in _positions_beside(
                        end,
                        width,
                        height,
                        curves.area,
                        max(2 * _CROSS_GAP, _MAX_CROSS_DISTANCE * letters.line_height),
                    )
                    if not any(box.intersects(other_box) for other_box in (*cross_boxes, *occupied))
                    and not curves.is_crossed(box)
                ),
                None,
            )
            if box is not None:
                occupied.append(
                    Box(box.x - letters.line_height, box.y, box.width + 2 * letters.line_height, box.height)
                )
                yield CrossLabel(end, lines, box)
                break


def _cross_box(cross: CurveEnd, end: CurveEnd, line: float) -> Box:
    """Where the name of a lane that died at `end` is none of those at a `cross`: near that, but where both are near each other."""
    across, down = (
        max(_CROSS_GAP, min(reach, abs(separation) / 2))
        for reach, separation in (
            (_MAX_CROSS_DISTANCE * line, cross.x - end.x),
            (2 * line, math.hypot(cross.x - end.x, cross.y - end.y)),
        )
    )
    return Box(cross.x - across, cross.y - down, 2 * across, 2 * down)


def _name_variants(name: str, names: Collection[str], letters: TextMetrics) -> Iterator[list[str]]:
    """A name in one line, what it is written in alone if that is the end of no other, and that in two lines."""
    part = name.rpartition(" in ")[2]
    short = part if sum(other.endswith(part) for other in names) == 1 else name
    yield [name]
    yield [short]
    yield wrap_evenly(short, 0.7 * letters.advance(short), letters.advance)


def _positions_beside(
    end: CurveEnd, width: float, height: float, area: Box, max_distance: float
) -> Iterator[Box]:
    """Places beside a cross in the plot, the best first; where that is by an edge, a name stands above or below at this edge, and
    beside a peak there further away."""
    middle = min(max(end.x - width / 2, area.x), area.right - width)
    level, far = min(max(end.y - height / 2, area.y), area.bottom - height), 2 * _CROSS_GAP
    for y, x in product(
        (end.y - _CROSS_GAP - height, end.y + _CROSS_GAP, level),
        (
            *(
                end.x + _CROSS_GAP,
                end.x - width - _CROSS_GAP,
                end.x - width / 2,
                middle,
                area.x,
                area.right - width,
            ),
            *(end.x + far, end.x - width - far, end.x + max_distance, end.x - width - max_distance),
        ),
    ):
        box = Box(x, y, width, height)
        if area.contains(box) and x - max_distance <= end.x <= box.right + max_distance:
            yield box
