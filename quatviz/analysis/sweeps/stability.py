"""Known stability boundaries: functions that change sign at the boundary between two types of motion.

Moments of inertia are about principal axes [kg m^2]. All arguments may be arrays and are broadcast.
"""

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray


def separatrix(moments: ArrayLike, omega: ArrayLike) -> Array:
    """Return 2T J2 - |h|^2 of a free body, which is zero on the separatrix.

    Parameters
    ----------
    moments
        Principal moments of inertia (..., 3) [kg m^2]; J2 is the intermediate one.
    omega
        Angular velocity (..., 3) [rad/s, body].

    Returns
    -------
    ndarray
        Values (...). If positive, h circles the axis of the smallest moment in the body; if negative, that
        of the largest.

    Notes
    -----
    Landau and Lifshitz, Mechanics, 37.

    Examples
    --------
    >>> float(separatrix([1.0, 2.0, 3.0], [0.0, 5.0, 0.0]))  # about the middle axis
    0.0
    >>> bool(separatrix([1.0, 2.0, 3.0], [1.0, 0.0, 0.1]) > 0)
    True
    """
    J, rate = np.broadcast_arrays(np.asarray(moments, float), np.asarray(omega, float))
    middle = np.median(J, axis=-1)
    return np.asarray((J * rate**2).sum(axis=-1) * middle - ((J * rate) ** 2).sum(axis=-1))


def sleeping_top(across: ArrayLike, along: ArrayLike, spin: ArrayLike, moment: ArrayLike) -> Array:
    """Return J3^2 omega3^2 - 4 J1 W l of an upright symmetric top, which is positive if the top sleeps.

    Parameters
    ----------
    across, along
        Moments of inertia J1 and J3 about the pivot, across and along the symmetry axis [kg m^2].
    spin
        Angular velocity omega3 about the symmetry axis [rad/s].
    moment
        W l [N m]: weight times height of the center of mass above the pivot.

    Returns
    -------
    ndarray
        Values (...), negative if the upright spin is unstable.

    Notes
    -----
    Goldstein, Classical Mechanics, 5.7.

    Examples
    --------
    >>> bool(sleeping_top(5.0, 1.0, 50.0, 20.0) > 0), bool(sleeping_top(5.0, 1.0, 10.0, 20.0) > 0)
    (True, False)
    """
    J1, J3, rate, weight_moment = (np.asarray(value, float) for value in (across, along, spin, moment))
    return np.asarray((J3 * rate) ** 2 - 4.0 * J1 * weight_moment)


def inertia_ratios(moments: ArrayLike) -> tuple[Array, Array]:
    """Return k1 = (J2 - J3)/J1 and k3 = (J2 - J1)/J3 (...) for moments (..., 3) about roll, pitch and yaw; both lie
    in [-1, 1].
    """
    J1, J2, J3 = np.moveaxis(np.asarray(moments, float), -1, 0)
    return np.asarray((J2 - J3) / J1), np.asarray((J2 - J1) / J3)


def gravity_gradient(moments: ArrayLike) -> Array:
    """Return a stability function of a satellite on a circular orbit, positive if its attitude is stable.

    Parameters
    ----------
    moments
        Moments of inertia (..., 3) [kg m^2] about the axes along the velocity, the orbit normal and the vertical.

    Returns
    -------
    ndarray
        The smallest of k1 - k3 (pitch), k1 k3 and 1 + 3 k1 + k1 k3 - 4 sqrt(k1 k3) (roll and yaw). If negative, some
        small libration grows.

    Notes
    -----
    DeBra and Delp 1961; Hughes, Spacecraft Attitude Dynamics, 9.2.

    Examples
    --------
    >>> bool(gravity_gradient([90.0, 100.0, 20.0]) > 0), bool(gravity_gradient([20.0, 100.0, 90.0]) > 0)
    (True, False)
    """
    k1, k3 = inertia_ratios(moments)
    product = k1 * k3
    swings = 1.0 + 3.0 * k1 + product - 4.0 * np.sqrt(np.maximum(product, 0.0))
    return np.asarray(np.minimum(np.minimum(k1 - k3, product), swings))


def swing_growth_rate(moments: ArrayLike) -> Array:
    """Return the largest growth rate of small librations, divided by the orbital rate (...).

    It is the largest real part of the roots of

        s^2 + 3 (J1 - J3)/J2 = 0    s^4 + (1 + 3 k1 + k1 k3) s^2 + 4 k1 k3 = 0

    for moments (..., 3) as in `gravity_gradient`.

    >>> swing_growth_rate([[90.0, 100.0, 20.0], [20.0, 100.0, 90.0]]).round(3).tolist()
    [0.0, 1.449]
    """
    J1, J2, J3 = np.moveaxis(np.asarray(moments, float), -1, 0)
    k1, k3 = inertia_ratios(moments)
    half, product = 0.5 * (1.0 + 3.0 * k1 + k1 * k3), 4.0 * k1 * k3
    root = np.sqrt((half**2 - product).astype(complex))
    squares = np.stack([-3.0 * (J1 - J3) / J2 + 0j, -half + root, -half - root])
    return np.asarray(np.abs(np.sqrt(squares).real).max(axis=0))
