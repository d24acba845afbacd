"""Lane labels at the ends of curves: stacked to the right of a plot with leader lines, and beside the crosses of
lanes that ended early."""

import math
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from quatviz.base.formatting.text_layout import TextMetrics, spread_labels, wrap_evenly
from quatviz.display.data.scales import Scale
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import MARKER_GLYPHS, marker_of, short_titles
from quatviz.display.view_state.theme import GRID_UNIT

LEADER_LENGTH = 1.75 * GRID_UNIT
"""Width of the space between a plot and its labels [pixels], in which the leader lines are drawn."""
_MAX_LINE_SHARE, _MAX_NAMES_SHARE = 0.22, 0.25
"""Widths of labels as fractions of the strip's width: that above which a line is wrapped, and that above which all
labels are left out."""
_MIN_END_SEPARATION = 1 / 3
"""Smallest vertical distance, in lines of text, at which the ends of two curves count as separate."""
_ARRIVAL_TOLERANCE = 0.01
"""Fraction of the axis by which a curve may end before the axis and still count as complete."""
_TAIL_LENGTH = 4.0
"""Length of the end of a curve [pixels] whose mean height is labeled, because a fast oscillation
fills a band."""
_CROSS_GAP = 5.0
"""Distance between a cross and its label, and between labels and curves [pixels]."""
_MAX_CROSS_DISTANCE = 1.5
"""Largest distance of a label from its cross, in lines of text."""


class CurveEnd(NamedTuple):
    """The end of a curve, in pixels of its plot."""

    trace: Trace
    x: float
    y: float


class DrawnCurves(NamedTuple):
    """The curves of a plot as they are drawn into an `area`."""

    traces: Sequence[Trace]
    scale: Scale
    axis: TimeAxis
    area: Rect
    coarse: bool = False
    band: float | None = None
    """Half the width of the marked band about zero, as `Plot.band`. Labels avoid the band, because its
    color would strike through them."""

    def x_of(self, time: float) -> float:
        return self.area.x + (time - self.axis.low) / self.axis.span * self.area.width

    def heights(self, trace: Trace, x_start: float, x_stop: float) -> np.ndarray:
        """Return the heights (k,) [pixels] of a curve between the x positions `x_start` and `x_stop`, both included; NaN
        in gaps."""
        times, values = self._points(trace)
        return self._heights_of(times, values[None], x_start, x_stop)[0]

    def _points(self, trace: Trace) -> tuple[np.ndarray, np.ndarray]:
        axis = self.axis
        buckets = bucket_range(trace.series.times, axis.low, axis.high, self.area.width, self.coarse)
        return trace.series.curve(buckets, trace.component)

    def _heights_of(self, times: np.ndarray, values: np.ndarray, x_start: float, x_stop: float) -> np.ndarray:
        """Return the heights (curves, k) [pixels] of several curves with `values` (curves, n) at the same
        `times` (n,). For a single curve, `heights` returns them."""
        axis, area = self.axis, self.area
        if not len(times):
            return np.full((len(values), 2), np.nan)
        low, high = (axis.low + (x - area.x) / area.width * axis.span for x in (x_start, x_stop))
        first, last = np.searchsorted(times, (low, high), "right").tolist()
        visible = slice(max(first - 1, 0), last + 1)
        times, y = times[visible], area.bottom - area.height * self.scale.project(values[:, visible])
        is_inside = (low < times) & (times < high)
        heights = np.empty((len(y), np.count_nonzero(is_inside) + 2))
        heights[:, 1:-1] = y[:, is_inside]
        for row, curve in zip(heights, y, strict=True):
            row[0], row[-1] = np.interp((low, high), times, curve, left=np.nan, right=np.nan)
        return heights

    def curve_ends(self) -> tuple[list[CurveEnd], list[CurveEnd]]:
        """Return the ends of the curves that reach the end of the axis, and those of lanes that ended early in view.

        The first list is empty while a curve has not reached the end of the axis.
        """
        arrived: list[CurveEnd] = []
        died: list[CurveEnd] = []
        is_incomplete, axis, right = False, self.axis, self.area.right
        latest = axis.high - _ARRIVAL_TOLERANCE * axis.span
        tails: dict[tuple[int, float], tuple[np.ndarray, list[tuple[Trace, np.ndarray]]]] = {}
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
            times, values = self._points(trace)
            tails.setdefault((id(times), x), (times, []))[1].append((trace, values))
        if is_incomplete:
            return [], died
        for (_, x), (times, curves) in tails.items():
            heights = self._heights_of(times, np.array([values for _, values in curves]), x - _TAIL_LENGTH, x)
            heights = np.where(np.isfinite(heights), heights, np.nan)
            low, high = np.fmin.reduce(heights, axis=1), np.fmax.reduce(heights, axis=1)
            middles = ((low + high) / 2).tolist()
            arrived += [
                CurveEnd(trace, x, middle)
                for (trace, _), middle in zip(curves, middles, strict=True)
                if not math.isnan(middle)
            ]
        return arrived, died

    def is_crossed(self, box: Rect) -> bool:
        """Return True if a curve, or the band about zero, passes through a box."""
        edges = (-self.band, 0.0, self.band) if self.band is not None else ()
        heights = [self.area.bottom - self.area.height * self.scale.project_value(edge) for edge in edges]
        return any(box.y - 2.0 < y < box.bottom + 2.0 for y in heights) or any(
            _passes_between(self.heights(trace, box.x, box.right), box.y - _CROSS_GAP, box.bottom + _CROSS_GAP)
            for trace in self.traces
        )  # fmt: skip


def _passes_between(heights: np.ndarray, top: float, bottom: float) -> bool:
    """Return True if a curve through the heights (k,) [pixels] enters the range from `top` to `bottom`.
    NaN interrupts the curve."""
    upper, lower = np.minimum(heights[:-1], heights[1:]), np.maximum(heights[:-1], heights[1:])
    return bool(np.any((upper < bottom) & (lower > top)))


class EndLabelLayout:
    """Layout of the lane labels of one strip.

    The labels keep their width as long as the lanes stay the same, so that plots do not change their widths during
    playback.
    """

    def __init__(self) -> None:
        self.ends_differ = False
        """True if curves have ended at different heights."""
        self._lane_order: list[str] = []
        """Names of the lanes from top to bottom in the last layout."""

    def update(self, curves: DrawnCurves, line: float) -> tuple[list[CurveEnd], list[CurveEnd]]:
        """Find the ends of the curves and update `ends_differ`. `line` is the height of a line of text
        [pixels]. Return the ends as `DrawnCurves.curve_ends` does."""
        arrived, died = curves.curve_ends()
        heights = [end.y for end in arrived]
        self.ends_differ |= bool(heights) and max(heights) - min(heights) >= _MIN_END_SEPARATION * line
        return arrived, died

    def required_width(self, letters: TextMetrics, traces: Sequence[Trace], room: float) -> float:
        """Return the width [pixels] of the labels and leader lines; 0 if there are no labels. `room` is the
        width of the strip [pixels]."""
        if not self.ends_differ:
            return 0.0
        return _names_width(letters, _lane_numbers(traces), room)

    def stack(
        self, ends: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, beside: Rect
    ) -> "list[tuple[EndLabel, float]]":
        """Return the labels that `stack_labels` places in the box `beside` the plot, with the y positions of their
        centers [pixels]. Return [] if the curves end together or there is no room."""
        if not self.ends_differ or beside.width <= LEADER_LENGTH:
            return []
        row = self.sort_ends(ends, _MIN_END_SEPARATION * letters.line_height)
        return stack_labels(row, names, letters, beside.shrunk(LEADER_LENGTH, 0, 0, 0))

    def sort_ends(self, ends: Sequence[CurveEnd], tolerance: float) -> list[CurveEnd]:
        """Sort ends from top to bottom. Ends within `tolerance` keep their last order, so that labels do not swap in
        each frame."""
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
"""Lane names, and their color and marker numbers."""


def _lane_numbers(traces: Sequence[Trace]) -> LaneStyleNumbers:
    return tuple(
        (trace.lane, trace.number or 0) for trace in traces if not (trace.is_theory or trace.is_part)
    )


def end_names(traces: Sequence[Trace]) -> dict[str, str]:
    """Return the label of each lane in a plot: its marker symbol, followed by its short title."""
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
    """Return the lines of a label. The result is cached, because measuring text is slower than drawing it."""
    return wrap_evenly(name, room, letters.advance)


class EndLabel(NamedTuple):
    """A label at the ends of curves. It contains the name of one lane or, for several lanes, the name of the
    first and the number of further lanes."""

    ends: list[CurveEnd]
    lines: list[str]
    height: float


def stack_labels(
    row: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, room: Rect
) -> list[tuple[EndLabel, float]]:
    """Return labels with the y positions of their centers [pixels].

    Labels are as near to their ends as possible, without overlapping and inside `room`. If they do not all fit, lanes
    with the nearest ends share a label.

    Parameters
    ----------
    row
        Ends from top to bottom.
    names
        Label of each lane.
    letters
        Metrics of the font.
    room
        Rectangle for the labels [pixels].
    """
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
    """The label of a lane beside the cross at the lane's end: its lines of text, and the box that contains
    it."""

    end: CurveEnd
    lines: list[str]
    box: Rect


def place_cross_labels(
    died: Sequence[CurveEnd], names: dict[str, str], letters: TextMetrics, curves: DrawnCurves
) -> Iterator[CrossLabel]:
    """Yield the labels of lanes that ended early in view, beside their crosses in the plot.

    A label covers no curve, no other label and no other cross. If it does not fit on one line, it is shortened or
    wrapped; otherwise it is left out.
    """
    occupied: list[Rect] = []
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
                    Rect(box.x - letters.line_height, box.y, box.width + 2 * letters.line_height, box.height)
                )
                yield CrossLabel(end, lines, box)
                break


def _cross_box(cross: CurveEnd, end: CurveEnd, line: float) -> Rect:
    """Return the box around a `cross` that the label of another lane's `end` must avoid. If the cross is close to that
    end, the box is smaller, so that the label still finds room."""
    across, down = (
        max(_CROSS_GAP, min(reach, abs(separation) / 2))
        for reach, separation in (
            (_MAX_CROSS_DISTANCE * line, cross.x - end.x),
            (2 * line, math.hypot(cross.x - end.x, cross.y - end.y)),
        )
    )
    return Rect(cross.x - across, cross.y - down, 2 * across, 2 * down)


def _name_variants(name: str, names: Collection[str], letters: TextMetrics) -> Iterator[list[str]]:
    """Yield forms of a label, each as a list of lines and each more compact than the previous one: the full
    name, the last part of the name if that is unique, and the last part on two lines."""
    part = name.rpartition(" in ")[2]
    short = part if sum(other.endswith(part) for other in names) == 1 else name
    yield [name]
    yield [short]
    yield wrap_evenly(short, 0.7 * letters.advance(short), letters.advance)


def _positions_beside(
    end: CurveEnd, width: float, height: float, area: Rect, max_distance: float
) -> Iterator[Rect]:
    """Yield boxes beside a cross in the plot, best first: above, below, level, and further away for steep peaks."""
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
        box = Rect(x, y, width, height)
        if area.contains(box) and x - max_distance <= end.x <= box.right + max_distance:
            yield box
