"""A motion between two of its samples: on the polynomial through those about it, and never across an event."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np

MOST = 6
"""Samples that the polynomial goes through, where there are so many: its error falls with the sixth power of their distance."""
_SAME = 1e-6
"""Of the distance of two samples: a time that is so near to one is its time."""

_large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")


@dataclass(frozen=True)
class Nodes:
    """The samples first:stop about a `place`, in samples, all of one stretch without an event. With `event`, the last one
    stands for what led to the events there, not for what they made of it. Where `per` is more than one, the numbers are those of
    rows of which there are so many for each sample."""

    first: int
    stop: int
    place: float
    event: bool = False
    per: int = 1

    @classmethod
    def about(cls, place: float, count: int, events: Sequence[int] = (), per: int = 1) -> Self:
        """Of `count` samples, with events at some, in order; beyond them all it is the first or the last one. Between two samples
        they are rows where a lane has several `per` sample."""
        place = min(max(place, 0.0), count - 1.0)
        nearest = round(place)
        if abs(place - nearest) < _SAME:
            return cls(nearest, nearest + 1, float(nearest))
        number = bisect_right(events, place)
        begin = per * (events[number - 1] if number else 0)
        ends = number < len(events) and events[number] < count
        end = per * (events[number] if ends else count - 1)
        place *= per
        low = math.floor(place)
        first = max(min(low + 1 - MOST // 2, end + 1 - MOST), begin)
        stop = min(first + MOST, end + 1)
        return cls(first, stop, place, ends and stop == end + 1, per)

    @cached_property
    def low(self) -> int:
        """The number, among these, of the sample before."""
        return math.floor(self.place) - self.first

    @property
    def share(self) -> float:
        """How far it is from there to the next one."""
        return self.place - math.floor(self.place)

    @_large_numbers
    def mixed(self, values: np.ndarray) -> np.ndarray:
        """What components (m, k) at these samples are at the place (k,): on the polynomial where fourth differences are half of
        the second ones or less, as of a wave with nine samples or more; on the line between two where they are as large, as beside
        a step or a kink, and of rounding. There a polynomial would say what no sample says. None depends on those beside it, to
        the last digit: what two lanes have in common they have between samples, too."""
        if len(values) == 1:
            return values[0]
        low, share = self.low, self.share
        line = values[low] + share * (values[low + 1] - values[low])
        if len(values) == 2:
            return np.asarray(line)
        second, high = (np.maximum.reduce(np.abs(each)) for each in _differences(values))
        # From the one to the other without a leap: lanes that agree at the samples do so between them.
        smooth = np.minimum(2.0 - 2.0 * (high / second), 1.0)
        curve = np.add.reduce(self._weights[:, None] * values)
        return np.where(smooth > 0.0, line + smooth * (curve - line), line)

    @_large_numbers
    def turned(self, p: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """What Euler parameters (l, m, 4) of lanes, of any length, are at the place (l, 4), where bodies turn by `turns`
        (l, m, 3) [rad, body] from sample to sample at the rates they have there. They are those of a steady turn from the sample
        before to the next, and a rotation that is near none at all of these samples. The sign is that of the sample before."""
        if p.shape[1] == 1:
            return p[:, 0]
        # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
        largest = np.maximum.reduce(np.abs(p), axis=2, keepdims=True)
        size = largest * _length(p / largest)
        low, share, lanes = self.low, self.share, len(p)
        unit = p / size
        first = unit[:, low, _PLACES] * _BEFORE
        away = unit @ first
        axis, half = _steady(away[:, low + 1], 0.5 * (turns[:, low] + turns[:, low + 1]))
        # The rotation that is left follows the steady one, or it goes before: a body that is free differs slowly from its own
        # axes, a top from those of space.
        sides = axis[:, _PLACES] * _SIDES
        steps = half[:, None, None] * (np.arange(p.shape[1]) - low)[:, None]
        left = np.cos(steps) * away - np.sin(steps) * (away @ sides.swapaxes(2, 3))
        left = np.where(left[..., :1] < 0.0, -left, left)
        columns = left.transpose(2, 0, 1, 3).reshape(p.shape[1], -1)
        mixed = self.mixed(np.concatenate((columns, size[..., 0].T), axis=1))
        rest = mixed[:-lanes].reshape(2, lanes, 4, 1)
        ahead = share * half[:, None, None]
        own, others = np.cos(ahead) * rest + np.sin(ahead) * (sides @ rest)
        reached = (first @ (own + _part(left) * (others - own)))[..., 0]
        return np.asarray(reached * (mixed[-lanes:, None] / _length(reached)))

    @cached_property
    def _weights(self) -> np.ndarray:
        """Of each of the samples in Lagrange's polynomial through them."""
        away = [self.place - number for number in range(self.first, self.stop)]
        if 0.0 in away:  # a row between two samples
            return np.equal(away, 0.0).astype(float)
        return math.prod(away) / (np.array(away) * _divisors(len(away)))


@lru_cache
def _divisors(count: int) -> np.ndarray:
    """Of Lagrange's weights of so many samples: what each is off the others, multiplied."""
    numbers = range(count)
    return np.array([math.prod(float(one - two) for two in numbers if two != one) for one in numbers])


@lru_cache(maxsize=64)
def nodes_about(place: float, count: int, events: tuple[int, ...], per: int) -> Nodes:
    """`Nodes.about`, found once for all lanes and panels that ask for it."""
    return Nodes.about(place, count, events, per)


def _differences(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of samples (m, k) the second differences, and the fourth, or the highest that there are."""
    first = values[1:] - values[:-1]
    second = high = first[1:] - first[:-1]
    for _ in range(min(len(values) - 1, 4) - 2):
        high = high[1:] - high[:-1]
    return second, high


def _length(vectors: np.ndarray) -> np.ndarray:
    """Of vectors (..., k), (..., 1)."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))


def _part(left: np.ndarray) -> np.ndarray:
    """How much of what lanes are at the place comes from the second of two rotations that are left (2, l, m, 4), the rest from the
    first one: from 0 to 1 (l, 1, 1), without a leap."""
    high = _differences(left.transpose(2, 0, 1, 3))[1]
    sizes = (high * high).sum(axis=(0, 3)) ** 2
    both = sizes.sum(axis=0)
    return np.divide(sizes[0], both, out=np.full_like(both, 0.5), where=both > 0.0)[:, None, None]


def _steady(away: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The axes of rotations (l, 4), as quaternions (l, 4), and half of their angles (l,) [rad]: of all that lead there the ones
    that are nearest to the `turn` (l, 3) [rad], for the rates tell how often a body goes round between two samples."""
    scalar, vector = away[:, :1], away[:, 1:]
    length = _length(vector)
    half = np.arctan2(length, np.abs(scalar))[:, 0]
    vector = np.copysign(1.0, scalar) * vector
    none = length == 0.0
    if none.any():
        whole = _length(turn)
        vector, length = np.where(none, turn, vector), np.where(none, whole + (whole == 0.0), length)
    axis = np.concatenate((np.zeros_like(length), vector / length), axis=1)
    missing = np.rint((0.5 * (axis[:, 1:] * turn).sum(axis=1) - half) / math.pi)
    return axis, half + math.pi * np.where(np.isfinite(missing), missing, 0.0)


_PLACES = np.array([[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]])
_BEFORE = np.array(
    [[1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 1.0, -1.0], [1.0, -1.0, 1.0, 1.0]]
)
"""`p[_PLACES] * _BEFORE` is the matrix (4, 4) that makes p q of q (4,), and its transpose makes what p makes q."""
_BEHIND = np.array(
    [[1.0, -1.0, -1.0, -1.0], [1.0, 1.0, 1.0, -1.0], [1.0, -1.0, 1.0, 1.0], [1.0, 1.0, -1.0, 1.0]]
)
"""The same for q p."""
_SIDES = np.stack((_BEFORE, _BEHIND))[:, None]
