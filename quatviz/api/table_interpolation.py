"""Values between the samples of a table, for lanes that were read from a file."""

from collections.abc import Mapping

import numpy as np

from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotation_interpolation import interpolate_rotations
from quatviz.physics.mechanics.rotations import continuous_sign, normalize
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.recordings.resampling import interpolate_samples

_TIME_TOLERANCE = 1e-9
"""Relative and absolute tolerance [s] within which a time counts as that of a sample."""


class TableInterpolation:
    """Interpolation of the columns of a lane between the samples of its table.

    At the time of a sample its values are returned. Between two samples, attitudes with rates are interpolated by a
    cubic on the rotation group, from which Euler angles follow. Every other column is a cubic through four samples. The
    error is of fourth order in the sample interval. Values are NaN between the last sample before an event and the event, because
    a table lacks the state just before an event.

    Parameters
    ----------
    t
        Times (n,) [s] of the samples.
    columns
        Values (n, k) by name of the quantity.
    event_times
        Times [s] of the events that changed the lane.
    times
        Times (m,) [s] within those of the samples.
    """

    def __init__(
        self, t: np.ndarray, columns: Mapping[str, np.ndarray], event_times: np.ndarray, times: np.ndarray
    ) -> None:
        self._t, self._columns, self._times = t, columns, times
        slack = _TIME_TOLERANCE * (1.0 + np.abs(times))
        self._before = np.maximum(np.searchsorted(t, times + slack, "right") - 1, 0)
        self._is_between = (times - t[self._before] > slack) & (self._before < len(t) - 1)
        numbers = np.searchsorted(t, event_times - _TIME_TOLERANCE * (1.0 + np.abs(event_times)))
        self._is_connected = np.ones(max(len(t) - 1, 0), dtype=bool)
        self._is_connected[numbers[(numbers > 0) & (numbers < len(t))] - 1] = False

    def values(self, name: str) -> np.ndarray:
        """Return the values (m, k) of a recorded quantity."""
        samples = self._columns[name]
        result = samples[self._before].copy()
        result[self._is_between] = np.nan
        rows = np.flatnonzero(self._is_between)
        rows = rows[self._is_connected[self._before[rows]]]
        if len(rows):
            result[rows] = self._between(name, samples, rows)
        return result

    def _between(self, name: str, samples: np.ndarray, rows: np.ndarray) -> np.ndarray:
        quantity = QUANTITIES[name]
        if name == "p":
            return self._attitudes(samples, rows)
        if quantity.sequence and name.startswith("angles_") and "p" in self._columns:
            attitudes = normalize(self._attitudes(self._columns["p"], rows))
            return np.degrees(angles_from_p(attitudes, quantity.sequence))
        if quantity.unit == "deg":
            unwrapped = self._cubic(np.unwrap(samples, period=360.0, axis=0), rows)
            return (unwrapped + 180.0) % 360.0 - 180.0
        return self._cubic(samples, rows)

    def _attitudes(self, p: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the Euler parameters (m, 4) at the requested times with indices `rows`. The norm is
        interpolated between the samples, and the sign is chosen as in the preceding sample."""
        continuous, low = continuous_sign(p), self._before[rows]
        if "omega" in self._columns:
            unit, omega = normalize(continuous), self._columns["omega"]
            duration = self._t[low + 1] - self._t[low]
            share = (self._times[rows] - self._t[low]) / duration
            p_between = interpolate_rotations(
                unit[low], unit[low + 1], omega[low], omega[low + 1], duration, share
            )
            p_between = p_between * self._cubic(np.linalg.norm(p, axis=1)[:, None], rows)
        else:
            p_between = self._cubic(continuous, rows)
        same_sign = np.einsum("ij,ij->i", p_between, p[low]) >= 0.0
        return np.where(same_sign[:, None], p_between, -p_between)

    def _cubic(self, samples: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return interpolate_samples(
            self._t, samples, self._is_connected, self._times[rows], self._before[rows]
        )
