"""The tables of the documents, and exact periods."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from quatviz.core.observables import Motion
from quatviz.core.rotations import rotation_matrix
from quatviz.verify.check import Check, compared
from quatviz.verify.lanes import endings, run
from quatviz.verify.motions import preset_of
from quatviz.verify.parts.base import Part


class Value(NamedTuple):
    """A published value; half a unit of its last digit is the tolerance."""

    name: str
    reference: float
    tolerance: float
    measure: Callable[[Motion], float]

    def of(self, motion: Motion) -> np.ndarray:
        """The measure as an array without axes."""
        return np.array(self.measure(motion))


class Source(NamedTuple):
    """A table: the case that it is about, the run that measures it, its values."""

    case: str
    dt: float
    duration: float
    sample_interval: float
    values: tuple[Value, ...]


def _zeros(motion: Motion, values: np.ndarray) -> np.ndarray:
    """Times [s] at which `values` (n,) rise through zero, to the accuracy of a cubic spline."""
    spline = CubicSpline(motion.t, values)
    roots = spline.roots(extrapolate=False)
    return roots[spline(roots, 1) > 0.0]


def _period(motion: Motion, values: np.ndarray) -> float:
    zeros = _zeros(motion, values)
    return float(np.diff(zeros).mean()) if len(zeros) > 1 else np.nan


def _first_zero(motion: Motion, values: np.ndarray) -> float:
    return float(next(iter(_zeros(motion, values)), np.nan))


def _extreme(motion: Motion, values: np.ndarray, sign: float) -> float:
    spline = CubicSpline(motion.t, values)
    turning = spline.derivative().roots(extrapolate=False)
    return float(sign * max((sign * values).max(), (sign * spline(turning)).max()))


def _tilt(motion: Motion) -> np.ndarray:
    """Angle (n,) [rad] of the body's axis from the vertical."""
    return np.arccos(rotation_matrix(motion.unit_p)[:, 2, 2])


def _fall(motion: Motion) -> np.ndarray:
    """Minus the rate of the cosine of the tilt (n,) [1/s], which rises through zero where the axis is highest."""
    vertical = rotation_matrix(motion.unit_p)[:, 2, :]  # space z in body components
    return vertical[:, 1] * motion.omega[:, 0] - vertical[:, 0] * motion.omega[:, 1]


def _nutation(motion: Motion) -> float:
    return 2.0 * np.pi / _period(motion, _fall(motion))


def _precession(motion: Motion) -> float:
    """Mean rate [rad/s] at which the axis goes round the vertical, over whole nutations."""
    axis = rotation_matrix(motion.unit_p)[:, :, 2]
    azimuth = CubicSpline(motion.t, np.unwrap(np.arctan2(axis[:, 1], axis[:, 0])))
    zeros = _zeros(motion, _fall(motion))
    return float(np.diff(azimuth(zeros[[0, -1]]))[0] / np.ptp(zeros)) if len(zeros) > 1 else np.nan


SOURCES = (
    Source(
        "torque_free",
        1e-3,
        80.0,
        0.01,
        (
            Value("S3 Table 3: max h1 [kg m^2/s]", 346.4102, 5e-5, lambda m: _extreme(m, m.h[:, 0], 1)),
            Value("S3 Table 3: min h1 [kg m^2/s]", 162.630, 5e-4, lambda m: _extreme(m, m.h[:, 0], -1)),
            Value("S3 Table 3: max h2 [kg m^2/s]", 365.447, 5e-4, lambda m: _extreme(m, m.h[:, 1], 1)),
            Value(
                "S3 Table 3: max |h3| [kg m^2/s]", 200.0, 5e-2, lambda m: _extreme(m, np.abs(m.h[:, 2]), 1)
            ),
            Value("S3 Table 3: period of h1 [s]", 9.3393, 5e-5, lambda m: _period(m, m.h[:, 0] - 250.0)),
            Value("S3 Table 3: period of h2 [s]", 18.6786, 5e-5, lambda m: _period(m, m.h[:, 1])),
            Value("S3 Table 3: period of h3 [s]", 18.6786, 5e-5, lambda m: _period(m, m.h[:, 2])),
        ),
    ),
    Source(
        "heavy_top",
        1e-4,
        20.0,
        1e-3,
        (
            Value("S3 Table 5, exact: nutation [rad/s]", 9.20942, 5e-6, _nutation),
            Value("S3 Table 5, exact: mean precession [rad/s]", 0.416425, 5e-7, _precession),
            Value("heavy top: least tilt [rad]", 0.3, 5e-8, lambda m: float(_tilt(m).min())),
            Value("heavy top: greatest tilt [rad]", 0.3267337, 5e-8, lambda m: _extreme(m, _tilt(m), 1)),
        ),
    ),
    Source(
        "heavy_top_lie_group",
        1e-5,
        2.0,
        0.01,
        (
            Value(
                "Exudyn: space omega_y at 0.01 s [rad/s]",
                149.8473939540758,
                1e-6,
                lambda m: m.omega_space[1, 1],
            ),
            Value(
                "Exudyn: space omega_y at 2 s [rad/s]", -106.163804141, 1e-6, lambda m: m.omega_space[-1, 1]
            ),
        ),
    ),
    Source(
        "spring_disk",
        1e-3,
        20.0,
        0.01,
        (
            Value("S3 example 1: period [s]", 3.015562, 5e-7, lambda m: _period(m, m.unit_p[:, 3])),
            Value("S3 example 1: e1 and e2", 0.0, 1e-15, lambda m: float(np.abs(m.p[:, 1:3]).max())),
        ),
    ),
    Source(
        "intermediate_axis",
        1e-3,
        40.0,
        0.01,
        (
            Value(
                "intermediate axis: first zero of h2 [s]",
                7.783140,
                5e-7,
                lambda m: _first_zero(m, -m.h[:, 1]),
            ),
            Value("intermediate axis: period of h2 [s]", 31.132561, 5e-7, lambda m: _period(m, -m.h[:, 1])),
        ),
    ),
)


class Published(Part):
    """Tables 3 and 5 of S3 with its errata, and periods from elliptic functions."""

    name = "published"
    title = "Published tables and exact periods"

    def checks(self, full: bool) -> Iterator[Check]:
        for source in SOURCES:
            tries = run(
                preset_of(source.case),
                None if full else ["newton_euler", "hamilton"],
                dt=source.dt,
                duration=source.duration,
                sample_interval=source.sample_interval,
                within=math.inf,  # from turn to turn of the intermediate axis rounding grows too
            )
            yield from endings(tries)
            for tried in tries:
                if not tried.complete or tried.coarse.status != "ok":
                    continue
                for value in source.values:
                    yield compared(
                        value.name,
                        value.measure(tried.motion),
                        value.reference,
                        tried.allowed(value.tolerance, value.of),
                        tried.described,
                    )
