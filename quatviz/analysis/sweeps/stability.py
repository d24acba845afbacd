"""What is known exactly of where motions become others, for maps to be drawn over and checked by: numbers that pass zero there.

Moments of inertia are about principal axes [kg m^2]; numbers may be arrays, which broadcast.
"""

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray


def separatrix(moments: ArrayLike, omega: ArrayLike) -> Array:
    """2T J2 - |h|^2 (...) of a free body with moments (..., 3) that turns with omega (..., 3) [rad/s, body], J2 being the
    middle one: above zero h circles the axis of the least moment in the body, below that of the largest, and at zero neither;
    Landau and Lifshitz, Mechanics, 37.

    >>> float(separatrix([1.0, 2.0, 3.0], [0.0, 5.0, 0.0]))  # about the middle axis
    0.0
    >>> bool(separatrix([1.0, 2.0, 3.0], [1.0, 0.0, 0.1]) > 0)
    True
    """
    J, rate = np.broadcast_arrays(np.asarray(moments, float), np.asarray(omega, float))
    middle = np.median(J, axis=-1)
    return np.asarray((J * rate**2).sum(axis=-1) * middle - ((J * rate) ** 2).sum(axis=-1))


def sleeping_top(across: ArrayLike, along: ArrayLike, spin: ArrayLike, moment: ArrayLike) -> Array:
    """J3^2 omega3^2 - 4 J1 W l (...) of an upright symmetric top with the moments `across` J1 and `along` J3 its axis, its `spin`
    omega3 [rad/s] and the `moment` W l [N m] of its weight above the pivot: above zero it sleeps, below it falls; Goldstein, 5.7.

    >>> bool(sleeping_top(5.0, 1.0, 50.0, 20.0) > 0), bool(sleeping_top(5.0, 1.0, 10.0, 20.0) > 0)
    (True, False)
    """
    J1, J3, rate, weight_moment = (np.asarray(value, float) for value in (across, along, spin, moment))
    return np.asarray((J3 * rate) ** 2 - 4.0 * J1 * weight_moment)


def inertia_ratios(moments: ArrayLike) -> tuple[Array, Array]:
    """k1 = (J2 - J3)/J1 and k3 = (J2 - J1)/J3 (...) of moments (..., 3) about roll, pitch and yaw; each within -1 and 1."""
    J1, J2, J3 = np.moveaxis(np.asarray(moments, float), -1, 0)
    return np.asarray((J2 - J3) / J1), np.asarray((J2 - J1) / J3)


def gravity_gradient(moments: ArrayLike) -> Array:
    """Above zero where a satellite on a circular orbit, with its axes 1, 2, 3 along its way, the orbit's normal and the
    vertical, stays so but for small swings; below where one of them grows. It is the least of

        k1 - k3,    k1 k3,    1 + 3 k1 + k1 k3 - 4 sqrt(k1 k3)

    for pitch and for roll and yaw; DeBra and Delp 1961; Hughes, Spacecraft Attitude Dynamics, 9.2.

    >>> bool(gravity_gradient([90.0, 100.0, 20.0]) > 0), bool(gravity_gradient([20.0, 100.0, 90.0]) > 0)
    (True, False)
    """
    k1, k3 = inertia_ratios(moments)
    product = k1 * k3
    swings = 1.0 + 3.0 * k1 + product - 4.0 * np.sqrt(np.maximum(product, 0.0))
    return np.asarray(np.minimum(np.minimum(k1 - k3, product), swings))


def swing_growth_rate(moments: ArrayLike) -> Array:
    """How fast the fastest of these swings grows, over the orbital rate (...): the largest real part of the roots of

        s^2 + 3 (J1 - J3)/J2 = 0    s^4 + (1 + 3 k1 + k1 k3) s^2 + 4 k1 k3 = 0

    >>> swing_growth_rate([[90.0, 100.0, 20.0], [20.0, 100.0, 90.0]]).round(3).tolist()
    [0.0, 1.449]
    """
    J1, J2, J3 = np.moveaxis(np.asarray(moments, float), -1, 0)
    k1, k3 = inertia_ratios(moments)
    half, product = 0.5 * (1.0 + 3.0 * k1 + k1 * k3), 4.0 * k1 * k3
    root = np.sqrt((half**2 - product).astype(complex))
    squares = np.stack([-3.0 * (J1 - J3) / J2 + 0j, -half + root, -half - root])
    return np.asarray(np.abs(np.sqrt(squares).real).max(axis=0))
