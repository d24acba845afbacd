"""Data of a fit: validation, noise estimates, and cleaning for the first guess."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quatviz.analysis.fitting import noise
from quatviz.analysis.fitting.fit_parameters import FitOptions
from quatviz.base.errors import InputError, phrase
from quatviz.physics.mechanics.rotations import (
    conjugate,
    continuous_sign,
    from_rotation_vector,
    multiply,
    normalize,
    to_rotation_vector,
)
from quatviz.recordings.kinematics import differentiate_attitudes

TOPIC = "fit#requirements"


@dataclass(frozen=True, eq=False)
class FitData:
    """Recorded data to which a motion is fitted, with NaN for missing values."""

    t: np.ndarray
    """Times (n,) [s], beginning at 0."""
    p: np.ndarray | None
    """Attitudes (n, 4), or None."""
    omega: np.ndarray | None
    """Rates (n, 3) [rad/s, body], or None."""
    first_time: float
    """Time [s] of the first row in the recording, which was subtracted from all times."""
    sigma_p: float
    """Standard deviation of the noise of the attitudes, about each axis [rad]."""
    sigma_omega: float
    """Standard deviation of the noise of each rate component [rad/s]."""
    loss: str
    """Name of the loss function that weights outliers, one of `noise.LOSSES`."""


def make_fit_data(t: ArrayLike, p: ArrayLike | None, omega: ArrayLike | None, loss: str) -> FitData:
    """Check the arrays and return the data to fit, without rows that lack a time or contain no value.

    Parameters
    ----------
    t
        Times (n,) [s].
    p
        Attitudes (n, 4), or None.
    omega
        Rates (n, 3) [rad/s, body], or None.
    loss
        One of `noise.LOSSES`.

    Returns
    -------
    FitData
        The checked data with noise estimates.

    Raises
    ------
    InputError
        If shapes do not match, fewer than ten rows have values, or times do not increase.
    """
    noise.check_loss(loss)
    times = np.asarray(t, dtype=np.float64)
    columns = []
    for name, values, width in (("p", p, 4), ("omega", omega, 3)):
        array = None if values is None else np.array(values, dtype=np.float64)
        if array is not None and array.shape != (len(times), width):
            raise InputError(
                name, expected=phrase("numbers of the shape ({rows}, {width})", rows=len(times), width=width),
                found=phrase("the shape {shape}", shape=array.shape), remedy="give a row for each time", topic=TOPIC,
            )  # fmt: skip
        columns.append(array)
    has_time = np.isfinite(times)
    known_rows = [np.isfinite(column).all(axis=1) for column in columns if column is not None]
    rows = np.flatnonzero(has_time & np.any(known_rows, axis=0)) if known_rows else np.arange(0)
    if len(rows) < 10:
        raise InputError(
            "t", expected="ten rows or more with an attitude or a rate", found=f"{len(rows)}",
            remedy="give p, omega or both for at least one turn", topic=TOPIC,
        )  # fmt: skip
    times = times[rows]
    if (np.diff(times) <= 0.0).any():
        raise InputError(
            "t", expected="times that increase from row to row", found="a time that does not increase",
            remedy="sort the rows, and remove repeated times", topic=TOPIC,
        )  # fmt: skip
    attitudes, rates = (None if column is None else column[rows] for column in columns)
    if attitudes is not None:
        attitudes = normalize(attitudes)
    return FitData(
        times - times[0], attitudes, rates, float(times[0]),
        0.0 if attitudes is None else noise.attitude_noise(attitudes, loss),
        0.0 if rates is None else noise.rate_noise(rates, loss),
        loss,
    )  # fmt: skip


class CleanedData(NamedTuple):
    """Data without outliers. The first guess is computed from them, because it weights all samples equally."""

    p: np.ndarray | None
    """Attitudes (n, 4), or None."""
    omega: np.ndarray
    """Rates (n, 3) [rad/s, body]."""

    @property
    def speed(self) -> float:
        """Root mean square of |omega| [rad/s]."""
        return float(np.sqrt(np.nanmean(np.sum(self.omega**2, axis=1))))

    @property
    def first_attitude(self) -> np.ndarray | None:
        """First known attitude (4,), or None."""
        return None if self.p is None else self.p[np.isfinite(self.p).all(axis=1)][0]


def clean_data(data: FitData) -> CleanedData:
    """Return the data for the first guess: outliers are interpolated, and missing rates computed from attitudes."""
    p, omega = data.p, data.omega
    if p is not None:
        wild = noise.outlier_attitudes(p, data.loss)
        if wild.any():
            p = p.copy()
            p[~wild] = continuous_sign(p[~wild])
            p = _extrapolate_ends(data.t, normalize(_interpolate_outliers(data.t, p, wild)), wild)
    if omega is None:
        assert p is not None
        return CleanedData(p, differentiate_attitudes(data.t, p).omega)
    return CleanedData(p, _interpolate_outliers(data.t, omega, noise.outlier_rates(omega, data.loss)))


def _extrapolate_ends(t: np.ndarray, p: np.ndarray, wild: np.ndarray) -> np.ndarray:
    """Return attitudes (n, 4) in which outliers at the ends are replaced by extrapolation at a constant rate.

    If they were replaced by the nearest reliable attitude instead, the flight would seem to begin or end at
    rest.
    """
    reliable = np.flatnonzero(~wild & np.isfinite(p).all(axis=1))
    if len(reliable) < 2:
        return p
    before, behind = slice(0, reliable[0]), slice(reliable[-1] + 1, None)
    for end, neighbor, rows in ((reliable[0], reliable[1], before), (reliable[-1], reliable[-2], behind)):
        rate = to_rotation_vector(multiply(conjugate(p[neighbor]), p[end])) / (t[end] - t[neighbor])
        p[rows] = multiply(p[end], from_rotation_vector(rate * (t[rows] - t[end])[:, None]))
    return p


def _interpolate_outliers(t: np.ndarray, values: np.ndarray, wild: np.ndarray) -> np.ndarray:
    """Return values (n, k) with outliers replaced by linear interpolation."""
    reliable = ~wild & np.isfinite(values).all(axis=1)
    if not wild.any() or reliable.sum() < 2:
        return values
    filled = values.copy()
    filled[wild] = np.stack(
        [np.interp(t[wild], t[reliable], column[reliable]) for column in values.T], axis=1
    )
    return filled


def check_scale_option(data: FitData, choice: FitOptions, scale: str) -> None:
    """Raise an `InputError` if the scale option is unknown, or if the data contain only rates, which do not
    determine a scale."""
    if scale not in ("", "common", "each"):
        raise InputError(
            "scale", expected='"", "common" or "each"', found=repr(scale), remedy='leave it out, or write "common"', topic=TOPIC
        )  # fmt: skip
    if choice.scale == "each" and data.p is None:
        raise InputError(
            "scale", expected="attitudes in addition to the rates: with rates alone, scales of the axes and ratios of the moments "
            "cannot be distinguished", found="rates alone", remedy='write scale = "common", or add attitudes', topic=TOPIC,
        )  # fmt: skip
