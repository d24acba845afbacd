"""Interpolation between equidistant rows, for drawing.

`simulation.dense_output` computes the motion between two samples in blocks of equidistant rows, about ten per
sample. Between these rows, attitudes follow the Hermite interpolation on SO(3) that recordings use between their
samples. Other values are interpolated by a polynomial through neighboring rows; in a smooth motion its error is
below 1e-9 of their largest value. Computing every quantity from the lane in each frame would cost more than twice
as much. Arrays that do not belong to a lane have no such blocks and are interpolated between their own rows.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np

from quatviz.physics.mechanics.rotation_interpolation import interpolate_rotations

MAX_NODES = 6
"""Largest number of rows that determine an interpolation polynomial. With six rows the error is proportional to the
sixth power of the distance of the rows."""
_SAMPLE_TOLERANCE = 1e-6
"""Largest distance of a position from a sample, in sample intervals, at which the value of the sample is used without
interpolation."""

_ignore_overflow = np.errstate(over="ignore", invalid="ignore", divide="ignore")


@dataclass(frozen=True)
class InterpolationNodes:
    """The rows `first` to `stop` - 1 around a position, without an event between them.

    Attributes
    ----------
    first, stop
        Indices of the rows.
    position
        Position among the rows, which need not be an integer.
    ends_at_event
        True if the last row is that of an event and contains the state before the event.
    rows_per_sample
        Number of rows from one sample to the next; 1 for the samples themselves.
    """

    first: int
    stop: int
    position: float
    ends_at_event: bool = False
    rows_per_sample: int = 1

    @classmethod
    def around(
        cls, position: float, count: int, events: Sequence[int] = (), rows_per_sample: int = 1
    ) -> Self:
        """Return the rows around a position in samples.

        Parameters
        ----------
        position
            Position in samples. It is clipped to the first and the last sample.
        count
            Number of samples.
        events
            Indices of the samples at which events happen, ascending.
        rows_per_sample
            Number of known rows from one sample to the next.
        """
        position = min(max(position, 0.0), count - 1.0)
        nearest = round(position)
        if abs(position - nearest) < _SAMPLE_TOLERANCE:
            return cls(nearest, nearest + 1, float(nearest))
        number = bisect_right(events, position)
        begin = rows_per_sample * (events[number - 1] if number else 0)
        has_next_event = number < len(events) and events[number] < count
        end = rows_per_sample * (events[number] if has_next_event else count - 1)
        position *= rows_per_sample
        low = math.floor(position)
        first = max(min(low + 1 - MAX_NODES // 2, end + 1 - MAX_NODES), begin)
        stop = min(first + MAX_NODES, end + 1)
        return cls(first, stop, position, has_next_event and stop == end + 1, rows_per_sample)

    @cached_property
    def lower(self) -> int:
        """Index, within these rows, of the row before the position."""
        return math.floor(self.position) - self.first

    @property
    def fraction(self) -> float:
        """Fraction, 0 to 1, of the distance from the row before the position to the next one."""
        return self.position - math.floor(self.position)

    @_ignore_overflow
    def interpolate(self, values: np.ndarray) -> np.ndarray:
        """Interpolate components (k,) at the position from their values at the rows (m, k).

        Parameters
        ----------
        values
            Values (m, k) at the rows.

        Returns
        -------
        ndarray
            Components (k,) at the position.

        Notes
        -----
        The polynomial through the rows is used if fourth differences are at most half of the second differences, as for
        a wave with nine rows or more per period. Linear interpolation between two rows is used if the fourth
        differences are at least as large as the second ones, as near a step or a kink, where a polynomial would overshoot.
        In between, the two results are blended. Each component is interpolated separately, so that lanes which agree
        exactly at their rows agree exactly between them.
        """
        if len(values) == 1:
            return values[0]
        lower, fraction = self.lower, self.fraction
        line = values[lower] + fraction * (values[lower + 1] - values[lower])
        if len(values) == 2:
            return np.asarray(line)
        second_difference, high_difference = (
            np.maximum.reduce(np.abs(difference)) for difference in _second_and_high_differences(values)
        )
        # A gradual transition: lanes that agree at the samples also agree between them.
        smoothness = np.minimum(2.0 - 2.0 * (high_difference / second_difference), 1.0)
        curve = np.add.reduce(self._weights[:, None] * values)
        return np.where(smoothness > 0.0, line + smoothness * (curve - line), line)

    @_ignore_overflow
    def interpolate_attitude(self, p: np.ndarray, rotations: np.ndarray) -> np.ndarray:
        """Return the Euler parameters (l, 4) of several lanes at the position.

        Parameters
        ----------
        p
            Euler parameters (l, m, 4) of the lanes at the rows, of any length.
        rotations
            Rotation vectors (l, m, 3) [rad, body] from each row to the next at the angular velocity of that row.

        Returns
        -------
        ndarray
            Euler parameters (l, 4). Sign and length continue those of the row before.

        Notes
        -----
        This is the interpolation of recordings between their samples, between the row before the position and the next
        one. A body may turn by more than half a turn from row to row.
        """
        if p.shape[1] == 1:
            return p[:, 0]
        lower, fraction, lanes = self.lower, self.fraction, len(p)
        p, rotations = p[:, lower : lower + 2], rotations[:, lower : lower + 2]
        # Divide first: the last values of a diverging lane are so large that their squares overflow.
        largest = np.maximum.reduce(np.abs(p), axis=2, keepdims=True)
        size = largest * _norms(p / largest)
        unit, ones = p / size, np.ones(lanes)
        attitude = interpolate_rotations(
            unit[:, 0], unit[:, 1], rotations[:, 0], rotations[:, 1], ones, fraction * ones
        )
        return np.asarray(attitude * (size[:, 0] + fraction * (size[:, 1] - size[:, 0])))

    @cached_property
    def _weights(self) -> np.ndarray:
        """Weights (m,) of the rows in the Lagrange polynomial through them."""
        distances = [self.position - number for number in range(self.first, self.stop)]
        if 0.0 in distances:  # a row between two samples
            return np.equal(distances, 0.0).astype(float)
        return math.prod(distances) / (np.array(distances) * _lagrange_divisors(len(distances)))


@lru_cache
def _lagrange_divisors(count: int) -> np.ndarray:
    """Return the denominators (count,) of the Lagrange weights for rows at unit distances."""
    numbers = range(count)
    return np.array(
        [math.prod(float(node - other) for other in numbers if other != node) for node in numbers]
    )


@lru_cache(maxsize=64)
def interpolation_nodes(
    position: float, count: int, events: tuple[int, ...], rows_per_sample: int
) -> InterpolationNodes:
    """Return the result of `InterpolationNodes.around`. It is cached, since all lanes and panels ask with the same
    arguments."""
    return InterpolationNodes.around(position, count, events, rows_per_sample)


def _second_and_high_differences(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the second differences of rows (m, k), and their fourth differences or, for fewer than five rows, their
    differences of the highest order that exists."""
    first = values[1:] - values[:-1]
    second = high = first[1:] - first[:-1]
    for _ in range(min(len(values) - 1, 4) - 2):
        high = high[1:] - high[:-1]
    return second, high


def _norms(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths (..., 1) of vectors (..., k)."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))
