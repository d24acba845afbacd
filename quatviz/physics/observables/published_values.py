"""Published values of motions, the functions that measure the same values in a computed motion, and a reference solution.

The reference solution is the angle of the disk of S3 example 1, integrated as a single coordinate.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.physics.observables.quantities import Motion


class PublishedValue(NamedTuple):
    """A value that a document prints. Its tolerance is half a unit of the last printed digit."""

    name: str
    reference: float
    tolerance: float
    measure: Callable[[Motion], float]

    def as_array(self, motion: Motion) -> np.ndarray:
        """Return the value that is measured in a motion, as an array of shape ()."""
        return np.array(self.measure(motion))


class PublishedTable(NamedTuple):
    """Published values of one example, with step, duration and sample interval [s] of the run that reproduces
    them.
    """

    case: str
    dt: float
    duration: float
    sample_interval: float
    values: tuple[PublishedValue, ...]


def _rising_zeros(motion: Motion, values: np.ndarray) -> np.ndarray:
    """Return the times [s] at which `values` (n,) cross zero upwards.

    They are zeros of a cubic spline through the values.
    """
    spline = CubicSpline(motion.t, values)
    roots = spline.roots(extrapolate=False)
    return roots[spline(roots, 1) > 0.0]


def _period(motion: Motion, values: np.ndarray) -> float:
    zeros = _rising_zeros(motion, values)
    return float(np.diff(zeros).mean()) if len(zeros) > 1 else np.nan


def _extremum(motion: Motion, values: np.ndarray, sign: float) -> float:
    spline = CubicSpline(motion.t, values)
    stationary = spline.derivative().roots(extrapolate=False)
    return float(sign * max((sign * values).max(), (sign * spline(stationary)).max()))


def _tilt(motion: Motion) -> np.ndarray:
    """Return the angle (n,) [rad] between the body's axis and the vertical."""
    return np.arccos(rotation_matrix(motion.unit_p)[:, 2, 2])


def _descent_rate(motion: Motion) -> np.ndarray:
    """Return the rate (n,) [1/s] at which the cosine of the tilt decreases. The rate crosses zero upwards where the
    body's axis is highest."""
    vertical = rotation_matrix(motion.unit_p)[:, 2, :]  # space z in body components
    return vertical[:, 1] * motion.omega[:, 0] - vertical[:, 0] * motion.omega[:, 1]


def _precession(motion: Motion) -> float:
    """Return the mean rate [rad/s] at which the axis circles the vertical, averaged over whole nutations."""
    axis = rotation_matrix(motion.unit_p)[:, :, 2]
    azimuth = CubicSpline(motion.t, np.unwrap(np.arctan2(axis[:, 1], axis[:, 0])))
    zeros = _rising_zeros(motion, _descent_rate(motion))
    return float(np.diff(azimuth(zeros[[0, -1]]))[0] / np.ptp(zeros)) if len(zeros) > 1 else np.nan


PUBLISHED_TABLES = (
    PublishedTable(
        "torque_free",
        1e-3,
        80.0,
        0.01,
        (
            PublishedValue(
                "S3 Table 3: max h1 [kg m^2/s]", 346.4102, 5e-5, lambda m: _extremum(m, m.h[:, 0], 1)
            ),
            PublishedValue(
                "S3 Table 3: min h1 [kg m^2/s]", 162.630, 5e-4, lambda m: _extremum(m, m.h[:, 0], -1)
            ),
            PublishedValue(
                "S3 Table 3: max h2 [kg m^2/s]", 365.447, 5e-4, lambda m: _extremum(m, m.h[:, 1], 1)
            ),
            PublishedValue(
                "S3 Table 3: max |h3| [kg m^2/s]", 200.0, 5e-2, lambda m: _extremum(m, np.abs(m.h[:, 2]), 1)
            ),
            PublishedValue(
                "S3 Table 3: period of h1 [s]", 9.3393, 5e-5, lambda m: _period(m, m.h[:, 0] - 250.0)
            ),
            PublishedValue("S3 Table 3: period of h2 [s]", 18.6786, 5e-5, lambda m: _period(m, m.h[:, 1])),
            PublishedValue("S3 Table 3: period of h3 [s]", 18.6786, 5e-5, lambda m: _period(m, m.h[:, 2])),
        ),
    ),
    PublishedTable(
        "heavy_top",
        1e-4,
        20.0,
        1e-3,
        (
            PublishedValue(
                "S3 Table 5, exact: nutation [rad/s]",
                9.20942,
                5e-6,
                lambda m: 2 * np.pi / _period(m, _descent_rate(m)),
            ),
            PublishedValue("S3 Table 5, exact: mean precession [rad/s]", 0.416425, 5e-7, _precession),
            PublishedValue("heavy top: least tilt [rad]", 0.3, 5e-8, lambda m: float(_tilt(m).min())),
            PublishedValue(
                "heavy top: greatest tilt [rad]", 0.3267337, 5e-8, lambda m: _extremum(m, _tilt(m), 1)
            ),
        ),
    ),
    PublishedTable(
        "heavy_top_lie_group",
        1e-5,
        2.0,
        0.01,
        (
            PublishedValue(
                "Exudyn: space omega_y at 0.01 s [rad/s]",
                149.8473939540758,
                1e-6,
                lambda m: m.omega_space[1, 1],
            ),
            PublishedValue(
                "Exudyn: space omega_y at 2 s [rad/s]", -106.163804141, 1e-6, lambda m: m.omega_space[-1, 1]
            ),
        ),
    ),
    PublishedTable(
        "spring_disk",
        1e-3,
        20.0,
        0.01,
        (
            PublishedValue("S3 example 1: period [s]", 3.015562, 5e-7, lambda m: _period(m, m.unit_p[:, 3])),
            PublishedValue("S3 example 1: e1 and e2", 0.0, 1e-15, lambda m: float(np.abs(m.p[:, 1:3]).max())),
        ),
    ),
    PublishedTable(
        "intermediate_axis",
        1e-3,
        40.0,
        0.01,
        (
            PublishedValue(
                "intermediate axis: first zero of h2 [s]",
                7.783140,
                5e-7,
                lambda m: float(next(iter(_rising_zeros(m, -m.h[:, 1])), np.nan)),
            ),
            PublishedValue(
                "intermediate axis: period of h2 [s]", 31.132561, 5e-7, lambda m: _period(m, -m.h[:, 1])
            ),
        ),
    ),
)


# --- the disk of S3 example 1 by its one angle, without Euler parameters

J, STIFFNESS, RADIUS = 2.0, 10.0, 1.0
"""Moment of inertia [kg m^2], stiffness [N/m] and radius [m] of the disk, from S3 Table 1."""


def disk_angle(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the angle (n,) [rad] of the disk and its rate (n,) [rad/s] at times t (n,) [s].

    Angle and rate solve the corrected eq. S3(46), from rest at 30 degrees.
    """
    angle, rate = solve_ivp(
        lambda t, y: (y[1], -0.5 * STIFFNESS * RADIUS**2 / J * np.sin(2.0 * y[0])),
        (0.0, t[-1]),
        (np.radians(30.0), 0.0),
        method="DOP853",
        t_eval=t,
        rtol=1e-12,
        atol=1e-12,
    ).y
    return angle, rate
