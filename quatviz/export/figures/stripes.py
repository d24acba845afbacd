"""Curves that agree, drawn so that each can be seen.

Lanes describe one motion: their curves coincide and the last drawn would hide the rest. Time is cut into
buckets fixed in data time. Within a bucket in which curves stay within a pixel of each other they take
turns, one bucket each; where they part, all are drawn fully.
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
"""The least width of a stripe in pixels."""

TOUCH_DISTANCE = 1.0
"""Curves no further apart than this many pixels count as one."""


def stripe_duration(seconds_per_pixel: float, spacing: float, width: float = MIN_STRIPE_WIDTH) -> float:
    """Length of a stripe in seconds, at least `width` pixels wide: a power of two, so that it keeps its place while the view
    scrolls or zooms a little, and never shorter than the `spacing` of the points that draw it.

    >>> stripe_duration(seconds_per_pixel=0.02, spacing=0.01)
    0.25
    """
    least = max(width * seconds_per_pixel, spacing, 1e-300)
    return float(2.0 ** math.ceil(math.log2(least)))


class StripeBuckets:
    """Stripes of `length` [s], and which of the points at `times` (n,) [s] lie in each: the same for all plots of a window."""

    def __init__(self, times: np.ndarray, length: float) -> None:
        self.times, self.length = times, length
        buckets = _bucket_numbers(times, length)
        self.starts = np.flatnonzero(np.diff(buckets, prepend=buckets[0] - 1))
        """The first point of each (m,),"""
        self.numbers = buckets[self.starts]
        """and its number (m,)."""
        self._agreeing_turns: dict[int, StripeTurns] = {}

    @cached_property
    def bucket_indices(self) -> np.ndarray:
        """In which of them each point lies (n,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.times)))

    def turns_if_agreeing(self, count: int) -> "StripeTurns":
        """The turns of so many curves that agree all along."""
        if count not in self._agreeing_turns:
            shown = self.numbers % count == np.arange(count)[:, None]
            self._agreeing_turns[count] = StripeTurns(self, shown, np.full(shown.shape, count == 1))
        return self._agreeing_turns[count]


_recent_buckets: deque[StripeBuckets] = deque(maxlen=8)


def _cached_buckets(times: np.ndarray, length: float) -> StripeBuckets:
    """Those of these `times`, which were found a moment ago if another plot has the same."""
    for known in tuple(_recent_buckets):
        if known.times is times and known.length == length:
            return known
    _recent_buckets.append(StripeBuckets(times, length))
    return _recent_buckets[-1]


@dataclass(frozen=True, eq=False)
class StripeTurns:
    """Whose turn it is: who is `is_shown` (curves, m) in each of the `buckets`, and who touches nobody there (curves, m)."""

    buckets: StripeBuckets
    is_shown: np.ndarray
    is_alone: np.ndarray

    def mask(self, curve: int, times: np.ndarray) -> np.ndarray:
        """Which points (n,) of a curve at `times` (n,) [s] are drawn; runs overlap by one, so that turns join without a gap."""
        return self.masks(times, [curve])[0]

    def masks(self, times: np.ndarray, curves: list[int]) -> np.ndarray:
        """The same of several curves (curves, points)."""
        if times is self.buckets.times:
            return self._bucket_masks[curves]
        return _extend_masks(self.is_shown[curves][:, self._bucket_indices(times)])

    def touches_none(self, curve: int, times: np.ndarray) -> np.ndarray:
        """At which of the points (n,) of a curve at `times` (n,) [s] it touches nobody."""
        return self.is_alone[curve, self._bucket_indices(times)]

    def _bucket_indices(self, times: np.ndarray) -> np.ndarray:
        """In which of the buckets each of these times lies."""
        if times is self.buckets.times:
            return self.buckets.bucket_indices
        indices = np.searchsorted(self.buckets.numbers, _bucket_numbers(times, self.buckets.length))
        return np.minimum(indices, len(self.buckets.numbers) - 1)

    @cached_property
    def _bucket_masks(self) -> np.ndarray:
        """Of all curves, at the times of the buckets."""
        return _extend_masks(self.is_shown[:, self.buckets.bucket_indices])


def _extend_masks(masks: np.ndarray) -> np.ndarray:
    masks[:, 1:] |= masks[:, :-1]
    return masks


def assign_turns(times: np.ndarray, pixels: np.ndarray, length: float) -> StripeTurns:
    """`times` (points,) [s] are shared by the curves, `pixels` (curves, points) are heights, NaN where there is
    none; `length` is `stripe_duration`."""
    buckets, own = _cached_buckets(times, length), np.arange(len(pixels))[:, None]
    spread = pixels.max(axis=0) - pixels.min(axis=0)
    is_touching = np.maximum.reduceat(spread, buckets.starts) <= TOUCH_DISTANCE
    if is_touching.all():  # which is most often so
        return buckets.turns_if_agreeing(len(pixels))
    touching = _touching(pixels, buckets.starts, is_touching)
    rank = (own > own.T)[:, :, None] & touching
    size = touching.sum(axis=1)
    return StripeTurns(
        buckets, _show_isolated(buckets.numbers % size == rank.sum(axis=1), touching), size == 1
    )


def _show_isolated(shown: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """Who is shown (curves, m), and whoever touches nobody who is: of curves that fan out the first touches the second, and that
    the third, but not the first the third, so that each counts other turns, and there may be places where none has its own."""
    for curve, others in enumerate(touching):
        shown[curve] |= ~(others & shown).any(axis=0)
    return shown


SHAPE_SPACING = 80.0
"""Pixels from one shape to the next, about."""


def shape_times(
    stripe_turns: StripeTurns | None, curve: int, low: float, high: float, pixel: float
) -> np.ndarray:
    """Times (m,) [s] within [low, high] of the shapes that tell a curve, fixed in data time as stripes are; `pixel` is a
    pixel's width in seconds.

    Where curves agree a shape stands in the middle of its own curve's stripe, and belongs to no other.
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
"""Number of curves up to which those that agree take turns. Every pair is compared in every frame, and each of more curves
would have less than one stripe in a plot."""


def _touching(pixels: np.ndarray, starts: np.ndarray, together: np.ndarray) -> np.ndarray:
    """(curves, curves, buckets): whether two curves stay within a pixel all through a bucket, as all do where `together`."""
    touching = np.ones((len(pixels), len(pixels), len(starts)), dtype=bool)
    counts = np.diff(starts, append=pixels.shape[1])
    firsts = np.cumsum(counts[~together]) - counts[~together]
    touching[:, :, ~together] = _touching_pairs(pixels[:, np.repeat(~together, counts)], firsts)
    return touching


def _touching_pairs(pixels: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The same for each pair by itself."""
    first, second = np.triu_indices(len(pixels), 1)
    apart = np.abs(pixels[first] - pixels[second])
    missing = np.isnan(pixels)
    if missing.any():
        # Two gaps agree; a gap against a value does not.
        apart[missing[first] & missing[second]] = 0.0
        apart[np.isnan(apart)] = np.inf
    touching = np.ones((len(pixels), len(pixels), len(starts)), dtype=bool)
    touching[first, second] = touching[second, first] = (
        np.maximum.reduceat(apart, starts, axis=1) <= TOUCH_DISTANCE
    )
    return touching


def group_by_times(curves: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[np.ndarray, list[int]]]:
    """Times, and the numbers of the curves that have these: most often all lanes do."""
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
"""Times (m,), the numbers of the curves that have these, and their heights (curves, m)."""


def trace_turns(
    traces: list[Trace],
    views: list[BucketRange],
    height: Callable[[np.ndarray], np.ndarray],
    pixel: float,
    groups: CurveGroups,
) -> StripeTurns | None:
    """Who is drawn where, of the traces that are no parts of a sum, which come first; None where traces are sampled
    differently and all are drawn fully. `pixel` is a pixel's width in seconds."""
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
    """Whether `times` begin like `longest`; the last pair belongs to a bucket that is still filling."""
    count = max(len(times) - 2, 0)
    return times is longest or bool(np.array_equal(times[:count], longest[:count]))


CELL_SIZE = 11.0
"""Side of the squares on the paper, in pixels, in which paths that agree take turns."""


def assign_path_turns(
    times: Sequence[np.ndarray], pixels: Sequence[np.ndarray], is_drawn: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Which of the points that are `is_drawn` (m,) of paths at `times` (m,) [s] and `pixels` (m, 2) are their own to draw: where
    paths agree they take turns, so that each is seen."""
    longest = max(times, key=len, default=())
    if not 2 <= len(times) <= MAX_STRIPED_CURVES or len(longest) < 2:
        return [np.ones(len(own), dtype=bool) for own in times]
    slack = 1e-3 * float(np.ptp(longest)) / len(longest)
    places = np.full((2, len(times), len(longest)), np.nan)
    for number, (own, at, mask) in enumerate(zip(times, pixels, is_drawn, strict=True)):
        # The last row of a lane that has got less far is between the rows of the others.
        shared = mask & (np.abs(own - longest[: len(mask)]) <= slack)
        places[:, number, : len(mask)][:, shared] = at[shared].T
    # One cell for all that touch: that of the first of them. Stripes have their places on the paper, not in time:
    # so a path that comes by again is striped as it was before.
    numbers, cells = (
        np.arange(len(times))[:, None],
        np.floor(np.nan_to_num(places) / CELL_SIZE).T @ (1.0, 2.0),
    )
    is_own = cells[:, 0] % len(times) == numbers
    parted = ~(np.ptp(places, axis=1) <= TOUCH_DISTANCE).all(axis=0)  # most often nowhere
    apart = places[:, :, parted]
    touching = (np.abs(apart[:, :, None] - apart[:, None]) <= TOUCH_DISTANCE).all(axis=0)
    size, rank = touching.sum(axis=1), (touching & (numbers > numbers.T)[:, :, None]).sum(axis=1)
    cell = np.take_along_axis(cells[parted].T, np.argmax(touching, axis=1), axis=0)
    is_own[:, parted] = _show_isolated(cell % np.maximum(size, 1) == rank, touching)
    return [mask[: len(own)] for mask, own in zip(is_own, times, strict=True)]
