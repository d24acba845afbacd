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
    stands for what led to the events there, not for what they made of it."""

    first: int
    stop: int
    place: float
    event: bool = False

    @classmethod
    def about(cls, place: float, count: int, events: Sequence[int] = ()) -> Self:
        """Of `count` samples, with events at some, in order; beyond them all it is the first or the last one."""
        place = min(max(place, 0.0), count - 1.0)
        nearest = round(place)
        if abs(place - nearest) < _SAME:
            return cls(nearest, nearest + 1, float(nearest))
        low = math.floor(place)
        number = bisect_right(events, low)
        begin = events[number - 1] if number else 0
        ends = number < len(events) and events[number] < count
        end = events[number] if ends else count - 1
        first = max(min(low + 1 - MOST // 2, end + 1 - MOST), begin)
        stop = min(first + MOST, end + 1)
        return cls(first, stop, place, ends and stop == end + 1)

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
        a step or a kink, and of rounding. There a polynomial would say what no sample says."""
        if len(values) == 1:
            return values[0]
        low, share = self.low, self.share
        line = values[low] + share * (values[low + 1] - values[low])
        if len(values) == 2:
            return np.asarray(line)
        second, high = (np.abs(each @ values).max(axis=0) for each in _differences(len(values)))
        weights = _weights(len(values), self.place - self.first)
        # From the one to the other without a leap: lanes that agree at the samples do so between them.
        rough = np.divide(high, second, out=np.ones_like(high), where=second > 0.0)
        smooth = np.clip(2.0 - 2.0 * rough, 0.0, 1.0)
        return np.where(smooth > 0.0, line + smooth * (weights @ values - line), line)

    @_large_numbers
    def turned(self, p: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """What Euler parameters (m, 4), of any length, are at the place (4,), of a body that turns by `turns` (m, 3) [rad, body]
        from sample to sample at the rates it has there. They are those of a steady turn from the sample before to the next, and a
        rotation that is near none at all of these samples. The sign is that of the sample before."""
        if len(p) == 1:
            return p[0]
        # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
        largest = np.abs(p).max(axis=1, keepdims=True)
        size = largest * np.linalg.norm(p / largest, axis=1, keepdims=True)
        low, share = self.low, self.share
        unit = p / size
        away = unit @ _before(unit[low] * _CONJUGATE).T
        axis, half = _steady(away[low + 1], turns[low : low + 2].mean(axis=0))
        turn = np.array([0.0, *axis])
        steps = half * (np.arange(len(p)) - low)[:, None]
        # The rotation that is left follows the steady one, or it goes before: a body that is free differs slowly from its own
        # axes, a top from those of space.
        sides = _before(turn), _behind(turn)
        left = [np.cos(steps) * away - np.sin(steps) * (away @ by.T) for by in sides]
        own, others = (np.where(rest[:, :1] < 0.0, -rest, rest) for rest in left)
        mixed = self.mixed(np.hstack((own, others, size)))
        cosine, sine = math.cos(share * half), math.sin(share * half)
        one, other = (
            cosine * rest + sine * (by @ rest)
            for by, rest in zip(sides, (mixed[:4], mixed[4:8]), strict=True)
        )
        reached = _before(unit[low]) @ (one + self._part(own, others) * (other - one))
        return np.asarray(reached * (mixed[8] / np.linalg.norm(reached)))

    def _part(self, one: np.ndarray, other: np.ndarray) -> float:
        """How much of what is at the place comes from the components in `other` (m, k), the rest from those in `one`: from 0 to 1,
        without a leap."""
        high = _differences(len(one))[1]
        sizes = [float(np.sum((high @ each) ** 2)) ** 2 for each in (one, other)]
        return sizes[0] / sum(sizes) if sum(sizes) > 0.0 else 0.5


def _steady(away: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, float]:
    """The axis (3,) of a rotation (4,), and half of its angle [rad]: of all that lead there the one that is nearest to a `turn`
    (3,) [rad], for the rates tell how often a body goes round between two samples."""
    scalar, vector = float(away[0]), away[1:]
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        vector, length = turn, float(np.linalg.norm(turn)) or 1.0
        half = 0.0
    else:
        vector, half = math.copysign(1.0, scalar) * vector, math.atan2(length, abs(scalar))
    axis = vector / length
    missing = (0.5 * float(axis @ turn) - half) / math.pi
    return axis, half + math.pi * (round(missing) if math.isfinite(missing) else 0)


_CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


def _before(p: np.ndarray) -> np.ndarray:
    """The matrix (4, 4) that makes p q of q (4,)."""
    e0, e1, e2, e3 = p.tolist()
    return np.array([[e0, -e1, -e2, -e3], [e1, e0, -e3, e2], [e2, e3, e0, -e1], [e3, -e2, e1, e0]])


def _behind(p: np.ndarray) -> np.ndarray:
    """The matrix (4, 4) that makes q p of q (4,)."""
    e0, e1, e2, e3 = p.tolist()
    return np.array([[e0, -e1, -e2, -e3], [e1, e0, e3, -e2], [e2, -e3, e0, e1], [e3, e2, -e1, e0]])


@lru_cache
def _differences(count: int) -> tuple[np.ndarray, np.ndarray]:
    """From so many samples to their second differences, and to their fourth, or the highest that they have."""
    return np.diff(np.eye(count), n=2, axis=0), np.diff(np.eye(count), n=min(count - 1, 4), axis=0)


@lru_cache(maxsize=16)
def _weights(count: int, place: float) -> np.ndarray:
    """Of each of so many samples in Lagrange's polynomial through them."""
    weights = np.ones(count)
    for one in range(count):
        for other in range(count):
            if other != one:
                weights[one] *= (place - other) / (one - other)
    return weights
