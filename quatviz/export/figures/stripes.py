"""Stripes: coinciding curves are drawn alternately, so that each is visible.

Lanes describe the same motion. Their curves therefore coincide, and the last one drawn would hide the others. Time
is divided into buckets that are fixed in data time. If curves stay within a pixel of each other in a bucket, only
one of them is drawn there, alternating from bucket to bucket. In other buckets, all curves are drawn.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.display.data.series import BucketRange
from quatviz.display.panels.base.curves import Trace

MIN_STRIPE_WIDTH = 12.0
"""Smallest width of a stripe [pixels]. A stripe is a part of the time axis in which one of several coinciding curves is
drawn."""

TOUCH_DISTANCE = 1.0
"""Largest distance [pixels] of curves that count as coinciding."""


def stripe_duration(seconds_per_pixel: float, spacing: float, width: float = MIN_STRIPE_WIDTH) -> float:
    """Return the duration of a stripe [s] of at least `width` pixels.

    The duration is a power of two, so that stripes keep their positions while the view scrolls or zooms a little.
    It is at least the `spacing` [s] of the points.

    Examples
    --------
    >>> stripe_duration(seconds_per_pixel=0.02, spacing=0.01)
    0.25
    """
    least = max(width * seconds_per_pixel, spacing, 1e-300)
    return float(2.0 ** math.ceil(math.log2(least)))


class StripeBuckets:
    """Division of the times (n,) [s] of points into buckets of duration `length` [s].

    In each bucket, one of several coinciding curves is drawn. All plots of a window share the buckets.
    """

    def __init__(self, times: np.ndarray, length: float) -> None:
        self.times, self.length = times, length
        buckets = _bucket_numbers(times, length)
        self.starts = np.flatnonzero(np.diff(buckets, prepend=buckets[0] - 1))
        """Index (m,) of the first point in each bucket."""
        self.numbers = buckets[self.starts]
        """Number (m,) of each bucket, counted from time 0."""
        self._agreeing_turns: dict[int, StripeTurns] = {}

    @cached_property
    def bucket_indices(self) -> np.ndarray:
        """Index of the bucket (n,) that contains each point."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.times)))

    def turns_if_agreeing(self, count: int) -> "StripeTurns":
        """Return the turns of `count` curves that coincide in all buckets, so that each bucket shows one of them."""
        if count not in self._agreeing_turns:
            shown = self.numbers % count == np.arange(count)[:, None]
            self._agreeing_turns[count] = StripeTurns(self, shown, np.full(shown.shape, count == 1))
        return self._agreeing_turns[count]


_recent_buckets: deque[StripeBuckets] = deque(maxlen=8)


def _cached_buckets(times: np.ndarray, length: float) -> StripeBuckets:
    """Return the buckets for `times`. Recent results are cached, since several plots have the same times."""
    for known in tuple(_recent_buckets):
        if known.times is times and known.length == length:
            return known
    _recent_buckets.append(StripeBuckets(times, length))
    return _recent_buckets[-1]


@dataclass(frozen=True, eq=False)
class StripeTurns:
    """Choice of the curves that are drawn in each bucket.

    `is_shown` (curves, m) is True where a curve is drawn in a bucket. `is_alone` (curves, m) is True where a curve touches
    no other curve.
    """

    buckets: StripeBuckets
    is_shown: np.ndarray
    is_alone: np.ndarray

    def mask(self, curve: int, times: np.ndarray) -> np.ndarray:
        """Return a mask (n,) that is True for the drawn points of a curve at `times` (n,) [s].

        Consecutive stripes have one point in common, so that there is no gap between them.
        """
        return self.masks(times, [curve])[0]

    def masks(self, times: np.ndarray, curves: list[int]) -> np.ndarray:
        """Return the masks (curves, n) of the drawn points of several curves, as `mask` does for one."""
        if times is self.buckets.times:
            return self._bucket_masks[curves]
        return _extend_masks(self.is_shown[curves][:, self._bucket_indices(times)])

    def touches_none(self, curve: int, times: np.ndarray) -> np.ndarray:
        """Return a mask (n,) that is True for the points at `times` (n,) [s] where a curve touches no other curve."""
        return self.is_alone[curve, self._bucket_indices(times)]

    def _bucket_indices(self, times: np.ndarray) -> np.ndarray:
        """Return the index (n,) of the bucket that contains each time."""
        if times is self.buckets.times:
            return self.buckets.bucket_indices
        indices = np.searchsorted(self.buckets.numbers, _bucket_numbers(times, self.buckets.length))
        return np.minimum(indices, len(self.buckets.numbers) - 1)

    @cached_property
    def _bucket_masks(self) -> np.ndarray:
        """Masks (curves, n) that are True for the drawn points of all curves, at the times of `buckets`."""
        return _extend_masks(self.is_shown[:, self.buckets.bucket_indices])


def _extend_masks(masks: np.ndarray) -> np.ndarray:
    masks[:, 1:] |= masks[:, :-1]
    return masks


def assign_turns(times: np.ndarray, pixels: np.ndarray, length: float) -> StripeTurns:
    """Return the choice of the curves that are drawn in each bucket, so that coinciding curves alternate.

    Parameters
    ----------
    times
        Common times (n,) [s].
    pixels
        Vertical positions (curves, n) [pixels], NaN in gaps.
    length
        Duration of a bucket [s], from `stripe_duration`.
    """
    buckets, own = _cached_buckets(times, length), np.arange(len(pixels))[:, None]
    spread = pixels.max(axis=0) - pixels.min(axis=0)
    is_touching = np.maximum.reduceat(spread, buckets.starts) <= TOUCH_DISTANCE
    if is_touching.all():  # the most frequent case
        return buckets.turns_if_agreeing(len(pixels))
    touching = _touching(pixels, buckets.starts, is_touching)
    rank = (own > own.T)[:, :, None] & touching
    size = touching.sum(axis=1)
    return StripeTurns(
        buckets, _show_isolated(buckets.numbers % size == rank.sum(axis=1), touching), size == 1
    )


def _show_isolated(shown: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """Return `shown` (curves, buckets) with True also for each curve that touches no shown curve in a bucket.

    Without this a bucket may show no curve of a group. For example, the first curve touches the second and the second
    touches the third, but the first does not touch the third. Each of them then alternates with a different number of
    curves.
    """
    for curve, others in enumerate(touching):
        shown[curve] |= ~(others & shown).any(axis=0)
    return shown


SHAPE_SPACING = 80.0
"""Approximate distance between the markers of a curve [pixels]."""


def shape_times(
    stripe_turns: StripeTurns | None, curve: int, low: float, high: float, pixel: float
) -> np.ndarray:
    """Return the times (m,) [s] of the markers of a curve from `low` to `high` [s]. Like stripes, markers
    keep their times while the view scrolls.

    Where curves coincide, each marker is in the middle of a stripe of its curve. `pixel` is the time [s] that
    one pixel represents.
    """
    if stripe_turns is None:
        length = stripe_duration(pixel, 0.0)
        buckets = np.arange(math.floor(low / length), math.floor(high / length) + 1)
    else:
        length = stripe_turns.buckets.length
        buckets = stripe_turns.buckets.numbers[stripe_turns.is_shown[curve]]
    every = math.ceil(SHAPE_SPACING * pixel / length)
    _, first = np.unique((buckets + curve) // every, return_index=True)
    times = (buckets[first] + 0.5) * length
    return times[(times >= low) & (times <= high)]


def _bucket_numbers(times: np.ndarray, length: float) -> np.ndarray:
    return np.floor(times / length).astype(np.int64)


MAX_STRIPED_CURVES = 24
"""Largest number of curves that alternate in stripes.

The limit bounds the time for comparing all pairs of curves in every frame. With more curves, each would also have less
than one stripe per plot.
"""


def _touching(pixels: np.ndarray, starts: np.ndarray, together: np.ndarray) -> np.ndarray:
    """Return an array (curves, curves, buckets) that is True where two curves stay within a pixel of each other in a bucket.

    `together` (buckets,) is True for buckets in which all curves are already known to stay within a pixel of each
    other. These buckets are not examined.
    """
    touching = np.ones((len(pixels), len(pixels), len(starts)), dtype=bool)
    counts = np.diff(starts, append=pixels.shape[1])
    firsts = np.cumsum(counts[~together]) - counts[~together]
    touching[:, :, ~together] = _touching_pairs(pixels[:, np.repeat(~together, counts)], firsts)
    return touching


def _touching_pairs(pixels: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the same array as `_touching`, by comparing all pairs of curves in all buckets."""
    first, second = np.triu_indices(len(pixels), 1)
    apart = np.abs(pixels[first] - pixels[second])
    missing = np.isnan(pixels)
    if missing.any():
        # Two gaps count as touching, a gap and a value do not.
        apart[missing[first] & missing[second]] = 0.0
        apart[np.isnan(apart)] = np.inf
    touching = np.ones((len(pixels), len(pixels), len(starts)), dtype=bool)
    touching[first, second] = touching[second, first] = (
        np.maximum.reduceat(apart, starts, axis=1) <= TOUCH_DISTANCE
    )
    return touching


def group_by_times(curves: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[np.ndarray, list[int]]]:
    """Group curves (times, values) with equal times. Return the times of each group and the indices of its curves.
    Usually, there is one group."""
    groups: list[tuple[np.ndarray, list[int]]] = []
    for number, (times, _) in enumerate(curves):
        numbers = next(
            (group for known, group in groups if known is times or np.array_equal(known, times)), None
        )
        if numbers is None:
            groups.append((times, [number]))
        else:
            numbers.append(number)
    return groups


CurveGroups = list[tuple[np.ndarray, list[int], np.ndarray]]
"""For each group of curves with equal times: times (m,) [s], indices of the curves, and vertical positions (curves,
m) [pixels]."""


def trace_turns(
    traces: list[Trace],
    views: list[BucketRange],
    height: Callable[[np.ndarray], np.ndarray],
    pixel: float,
    groups: CurveGroups,
) -> StripeTurns | None:
    """Return the stripes (alternating time intervals) of overlapping traces of a plot, so that each trace stays
    visible.

    Traces that are terms of a sum get no stripes. Return None, so that all traces are drawn as continuous curves, if
    fewer than two or more than `MAX_STRIPED_CURVES` other traces exist, or if their samples differ. `pixel` is the time
    [s] that one pixel represents.
    """
    solid = [trace for trace in traces if not trace.is_part]
    if not 2 <= len(solid) <= MAX_STRIPED_CURVES:
        return None
    times, numbers, heights = groups[0]
    if len(numbers) >= len(solid) and len(times) > 1 and times is solid[0].series.points(views[0])[0]:
        return assign_turns(
            times, heights[: len(solid)], stripe_duration(pixel, float(np.max(np.diff(times))))
        )
    points = [trace.series.points(view) for trace, view in zip(solid, views, strict=False)]
    longest = max((times for times, _ in points), key=len)
    if len(longest) < 2 or not all(_same_grid(times, longest) for times, _ in points):
        return None
    values = np.full((len(solid), len(longest)), np.nan)
    for number, (times, rows) in enumerate(points):
        values[number, : len(times)] = rows[:, solid[number].component]
    return assign_turns(longest, height(values), stripe_duration(pixel, float(np.max(np.diff(longest)))))


def _same_grid(times: np.ndarray, longest: np.ndarray) -> bool:
    """Return True if `times` are the first elements of `longest`.

    The last two elements of `times` are ignored, because they belong to the bucket that is still being filled.
    """
    count = max(len(times) - 2, 0)
    return times is longest or bool(np.array_equal(times[:count], longest[:count]))


CELL_SIZE = 11.0
"""Side [pixels] of the square cells of a picture with coinciding paths. In each cell, one of the paths is drawn."""


def assign_path_turns(
    times: Sequence[np.ndarray], pixels: Sequence[np.ndarray], is_drawn: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Return which points of each path are drawn, so that coinciding paths alternate as stripes.

    Parameters
    ----------
    times
        Times (m,) [s] of each path.
    pixels
        Points (m, 2) [pixels] of each path.
    is_drawn
        Mask (m,) of the points of each path that may be drawn.

    Returns
    -------
    list of ndarray
        Mask (m,) of each path, True at the points to draw.
    """
    longest = max(times, key=len, default=())
    if not 2 <= len(times) <= MAX_STRIPED_CURVES or len(longest) < 2:
        return [np.ones(len(own), dtype=bool) for own in times]
    slack = 1e-3 * float(np.ptp(longest)) / len(longest)
    places = np.full((2, len(times), len(longest)), np.nan)
    for number, (own, at, mask) in enumerate(zip(times, pixels, is_drawn, strict=True)):
        # The last row of a shorter lane may be between the rows of other lanes.
        shared = mask & (np.abs(own - longest[: len(mask)]) <= slack)
        places[:, number, : len(mask)][:, shared] = at[shared].T
    # All coinciding paths use the cell of the first one. Stripes are fixed in the picture, not in time, so
    # that a path that passes the same place again has the same stripes.
    numbers, cells = (
        np.arange(len(times))[:, None],
        np.floor(np.nan_to_num(places) / CELL_SIZE).T @ (1.0, 2.0),
    )
    is_own = cells[:, 0] % len(times) == numbers
    parted = ~(np.ptp(places, axis=1) <= TOUCH_DISTANCE).all(axis=0)  # mostly none
    apart = places[:, :, parted]
    touching = (np.abs(apart[:, :, None] - apart[:, None]) <= TOUCH_DISTANCE).all(axis=0)
    size, rank = touching.sum(axis=1), (touching & (numbers > numbers.T)[:, :, None]).sum(axis=1)
    cell = np.take_along_axis(cells[parted].T, np.argmax(touching, axis=1), axis=0)
    is_own[:, parted] = _show_isolated(cell % np.maximum(size, 1) == rank, touching)
    return [mask[: len(own)] for mask, own in zip(is_own, times, strict=True)]
