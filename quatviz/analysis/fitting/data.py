"""What a body is fitted to: checked, with its noise, and calm for a first guess."""

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

TOPIC = "fit#what-it-takes"


@dataclass(frozen=True, eq=False)
class FitData:
    """What is fitted to: times from 0 on, attitudes and rates, with NaN where there is none, and their noise."""

    t: np.ndarray
    p: np.ndarray | None
    omega: np.ndarray | None
    first_time: float
    """What was the first time [s]."""
    sigma_p: float
    """[rad]"""
    sigma_omega: float
    """[rad/s]"""
    loss: str
    """One of `noise.LOSSES`."""


def make_fit_data(t: ArrayLike, p: ArrayLike | None, omega: ArrayLike | None, loss: str) -> FitData:
    """Times (n,), attitudes (n, 4) and rates (n, 3), of which one may be None; `InputError` where too little is there."""
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
            remedy="give p, omega or both, of a flight of a turn or more", topic=TOPIC,
        )  # fmt: skip
    times = times[rows]
    if (np.diff(times) <= 0.0).any():
        raise InputError(
            "t", expected="times that increase from row to row", found="one that does not",
            remedy="sort the rows, and leave out those that repeat a time", topic=TOPIC,
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
    """Attitudes (n, 4), if there are any, and rates (n, 3) [rad/s] without the samples that are far off: a first guess counts all
    alike."""

    p: np.ndarray | None
    omega: np.ndarray

    @property
    def speed(self) -> float:
        """Usual |omega| [rad/s]."""
        return float(np.sqrt(np.nanmean(np.sum(self.omega**2, axis=1))))

    @property
    def first_attitude(self) -> np.ndarray | None:
        """The first attitude (4,) that is known."""
        return None if self.p is None else self.p[np.isfinite(self.p).all(axis=1)][0]


def clean_data(data: FitData) -> CleanedData:
    """What a first guess is made of: wild samples are bridged by a line, rates that are not there follow from attitudes."""
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
    """Attitudes (n, 4) that turn on before the first and behind the last that is not wild, as between it and the next: a flight
    does not begin at rest."""
    reliable = np.flatnonzero(~wild & np.isfinite(p).all(axis=1))
    if len(reliable) < 2:
        return p
    before, behind = slice(0, reliable[0]), slice(reliable[-1] + 1, None)
    for end, neighbor, rows in ((reliable[0], reliable[1], before), (reliable[-1], reliable[-2], behind)):
        rate = to_rotation_vector(multiply(conjugate(p[neighbor]), p[end])) / (t[end] - t[neighbor])
        p[rows] = multiply(p[end], from_rotation_vector(rate * (t[rows] - t[end])[:, None]))
    return p


def _interpolate_outliers(t: np.ndarray, values: np.ndarray, wild: np.ndarray) -> np.ndarray:
    """Values (n, k) with a line through the others in the place of wild ones."""
    reliable = ~wild & np.isfinite(values).all(axis=1)
    if not wild.any() or reliable.sum() < 2:
        return values
    filled = values.copy()
    filled[wild] = np.stack(
        [np.interp(t[wild], t[reliable], column[reliable]) for column in values.T], axis=1
    )
    return filled


def check_scale_option(data: FitData, choice: FitOptions, scale: str) -> None:
    """Refuse a scale that the data do not tell."""
    if scale not in ("", "common", "each"):
        raise InputError(
            "scale", expected='"", "common" or "each"', found=repr(scale), remedy='leave it out, or write "common"', topic=TOPIC
        )  # fmt: skip
    if choice.scale == "each" and data.p is None:
        raise InputError(
            "scale", expected="attitudes beside the rates: with rates alone a scale of each axis, and the ratios of the moments, "
            "make the same motion", found="rates alone", remedy='write scale = "common", or add attitudes', topic=TOPIC,
        )  # fmt: skip
