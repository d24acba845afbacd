"""Compiled kernels for recorded samples: polynomial fits of rotations, integration of rates, and the longest range
of constant values."""

import math

import numpy as np

from quatviz.physics.kernels.algebra import cross, exponential, product
from quatviz.physics.kernels.binder import compiled, inline

_SERIES_LIMIT = 1e-3
"""Squared tangent of an angle below which the truncated series of the arctangent is accurate to float64."""
_GAUSS_OFFSET = math.sqrt(3.0) / 6.0
"""Distance of the two Gauss points from the middle of a step, as a fraction of the step."""
MIN_SPACING_RATIO = 0.01
"""Smallest ratio of the shortest to the longest of three successive time intervals for which a cubic is used.

With a smaller ratio, noise or a kick would cause a large slope.
"""


@compiled
def fit_windows(t, p, rows, bounds, degree, width, reach, results):
    """Fit polynomials of `degree` to rotations relative to a steady rotation, in a window of `width` rows around
    each of `rows` (m,).

    `bounds` are the first row and the row after the last row of a contiguous range of `t` (n,) [s] and `p` (n, 4).
    The steady rotation is the one between the two rows at distance `reach` before and after the row.

    The columns of `results` (m, 11) are omega (3) [rad/s, body] and p (4) of the polynomial at the row; the sum of
    squared weights of the derivative; squared residuals per degree of freedom, or NaN; the squared change of omega
    by two more degrees and its expectation for unit noise, or NaN if the window is too short.

    The polynomials are orthonormal over the rows of the window and are computed by their three-term recurrence
    (Forsythe 1957), up to two degrees more than `degree`.
    """
    first, stop = bounds
    x, residuals = np.empty(width), np.empty((width, 3))
    basis, previous_basis = np.empty(width), np.empty(width)
    for number in range(len(rows)):
        row = rows[number]
        start = min(max(row - width // 2, first), stop - width)
        steady, scale = _window_vectors(
            t, p, row, start, max(row - reach, first), min(row + reach, stop - 1), x, residuals
        )
        for k in range(width):
            basis[k], previous_basis[k] = 1.0 / math.sqrt(width), 0.0
        basis_value, previous_value, slope, previous_slope, link = basis[0], 0.0, 0.0, 0.0, 0.0
        value, change, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
        extra_degrees = 2 if width > degree + 2 else 0
        for order in range(degree + extra_degrees + 1):
            c1, c2, c3 = _remove_component(basis, residuals)
            value = (value[0] + c1 * basis_value, value[1] + c2 * basis_value, value[2] + c3 * basis_value)
            change = (change[0] + c1 * slope, change[1] + c2 * slope, change[2] + c3 * slope)
            gain += slope * slope
            if order == degree:
                omega = _angular_velocity(steady, value, change, scale)
                results[number, 0], results[number, 1], results[number, 2] = omega
                smooth = product((p[row, 0], p[row, 1], p[row, 2], p[row, 3]), exponential(value))
                results[number, 3], results[number, 4], results[number, 5], results[number, 6] = smooth
                results[number, 7] = gain / scale**2
                degrees_of_freedom = 3 * (width - degree - 1)
                results[number, 8] = (
                    _sum_of_squares(residuals) / degrees_of_freedom if degrees_of_freedom > 0 else math.nan
                )
            middle = 0.0
            for k in range(width):
                middle += x[k] * basis[k] * basis[k]
            basis_value, previous_value = -middle * basis_value - link * previous_value, basis_value
            slope, previous_slope = previous_value - middle * slope - link * previous_slope, slope
            size = 0.0
            for k in range(width):
                basis[k], previous_basis[k] = (x[k] - middle) * basis[k] - link * previous_basis[k], basis[k]
                size += basis[k] * basis[k]
            link = math.sqrt(size)
            basis_value, slope = basis_value / link, slope / link
            for k in range(width):
                basis[k] /= link
        if extra_degrees:
            higher_omega = _angular_velocity(steady, value, change, scale)
            results[number, 9] = _squared_distance(higher_omega, omega) / 3.0
            results[number, 10] = gain / scale**2 - results[number, 7]
        else:
            results[number, 9], results[number, 10] = math.nan, math.nan


def compile_kernels() -> None:
    """Load the compiled kernels. Kernels that are not in the cache are compiled."""
    t, p = np.arange(3.0), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    fit_windows(t, p, np.arange(3), (0, 3), 2, 3, 1, np.empty((3, 11)))
    accumulate_rotations(t, np.zeros((3, 3)), 1, np.empty((3, 4)))
    longest_constant_run(t, 1.0)


@inline
def _window_vectors(t, p, row, start, low, high, x, phi):
    """Compute the rotations of the rows of a window relative to a steady rotation.

    The times around the row, scaled to -1 to 1, are written to `x` (w,), and the rotation vectors [rad] to `phi` (w, 3).
    Return the steady rate (3,) [rad/s] between the rows `low` and `high`, and the time scale [s], which is the largest time
    difference from the row.
    """
    duration = t[high] - t[low]
    x1, x2, x3 = _rotation_vector(_relative_rotation(p, low, high))
    steady = (x1 / duration, x2 / duration, x3 / duration)
    row_time, scale = t[row], max(abs(t[start] - t[row]), abs(t[start + len(x) - 1] - t[row]))
    for k in range(len(x)):
        tau = t[start + k] - row_time
        back = exponential((-tau * steady[0], -tau * steady[1], -tau * steady[2]))
        phi[k, 0], phi[k, 1], phi[k, 2] = _rotation_vector(
            product(_relative_rotation(p, row, start + k), back)
        )
        x[k] = tau / scale
    return steady, scale


@inline
def _relative_rotation(p, low, high):
    """Return the quaternion (4,) of the rotation from the row `low` to the row `high` of `p` (n, 4)."""
    return product(
        (p[low, 0], -p[low, 1], -p[low, 2], -p[low, 3]), (p[high, 0], p[high, 1], p[high, 2], p[high, 3])
    )


@inline
def _rotation_vector(q):
    """Return the shortest rotation vector (3,) [rad] of a quaternion of any norm."""
    sine = q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    cosine = q[0]
    if sine < _SERIES_LIMIT * cosine * cosine:
        r = sine / (cosine * cosine)
        factor = 2.0 / cosine * (1.0 - r * (1.0 / 3.0 - r * (0.2 - r * (1.0 / 7.0 - r / 9.0))))
    else:
        size = math.sqrt(sine)
        factor = 2.0 * math.atan2(size, abs(cosine)) / size
        if cosine < 0.0:
            factor = -factor
    return (factor * q[1], factor * q[2], factor * q[3])


@inline
def _remove_component(basis, residuals):
    """Return the coefficients (3,) of a basis polynomial (w,) in the residuals (w, 3). The polynomial is subtracted from
    them."""
    c1, c2, c3 = 0.0, 0.0, 0.0
    for k in range(len(basis)):
        c1 += basis[k] * residuals[k, 0]
        c2 += basis[k] * residuals[k, 1]
        c3 += basis[k] * residuals[k, 2]
    for k in range(len(basis)):
        residuals[k, 0] -= c1 * basis[k]
        residuals[k, 1] -= c2 * basis[k]
        residuals[k, 2] -= c3 * basis[k]
    return c1, c2, c3


@inline
def _sum_of_squares(residuals):
    result = 0.0
    for k in range(len(residuals)):
        result += (
            residuals[k, 0] * residuals[k, 0]
            + residuals[k, 1] * residuals[k, 1]
            + residuals[k, 2] * residuals[k, 2]
        )
    return result


@inline
def _squared_distance(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2


@inline
def _angular_velocity(steady, phi, change, scale):
    """Return omega (3,) [rad/s, body] of the rotation exp(phi) exp(steady tau) at tau = 0, where phi' = change /
    scale. It follows from exp(phi~)' = exp(phi~) (J_r phi')~."""
    square = phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2
    if square < 1e-6:
        cross_factor, double_cross_factor = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        cross_factor, double_cross_factor = (
            (1.0 - math.cos(angle)) / square,
            (angle - math.sin(angle)) / (square * angle),
        )
    rate = (change[0] / scale, change[1] / scale, change[2] / scale)
    across = cross(phi, rate)
    double_cross = cross(phi, across)
    return (
        steady[0] + rate[0] - cross_factor * across[0] + double_cross_factor * double_cross[0],
        steady[1] + rate[1] - cross_factor * across[1] + double_cross_factor * double_cross[1],
        steady[2] + rate[2] - cross_factor * across[2] + double_cross_factor * double_cross[2],
    )


@compiled
def accumulate_rotations(t, omega, every, rotations):
    """Write to `rotations` (m, 4) the rotations from the first row to every `every`-th row, for `t` (n,) [s] and
    `omega` (n, 3) [rad/s, body].

    Each step uses the exponential of the Magnus expansion up to its first commutator at the two Gauss points. The
    rates there come from the cubic through the four surrounding rows. If there are fewer rows, the polynomial
    through all rows is used; if their spacing is too uneven (see `MIN_SPACING_RATIO`), the straight line through
    two rows.
    """
    rotation = (1.0, 0.0, 0.0, 0.0)
    rotations[0, 0], rotations[0, 1], rotations[0, 2], rotations[0, 3] = rotation
    count = len(rotations)
    for step in range(count - 1):
        h = t[(step + 1) * every] - t[step * every]
        middle = t[step * every] + 0.5 * h
        first, node_count = min(max(step - 1, 0), max(count - 4, 0)), min(4, count)
        shortest, longest = h, h
        for row in range(first, first + node_count - 1):
            spacing = t[(row + 1) * every] - t[row * every]
            shortest, longest = min(shortest, spacing), max(longest, spacing)
        if shortest <= MIN_SPACING_RATIO * longest:
            first, node_count = step, 2
        first_rate = _interpolated_rate(t, omega, every, first, node_count, middle - _GAUSS_OFFSET * h)
        second_rate = _interpolated_rate(t, omega, every, first, node_count, middle + _GAUSS_OFFSET * h)
        # In p' = p omega / 2 the rates multiply from the right, so the commutator has the opposite sign as in Y' = A Y.
        commutator = cross(first_rate, second_rate)
        half, commutator_factor = 0.5 * h, 0.5 * _GAUSS_OFFSET * h * h
        vector = (
            half * (first_rate[0] + second_rate[0]) + commutator_factor * commutator[0],
            half * (first_rate[1] + second_rate[1]) + commutator_factor * commutator[1],
            half * (first_rate[2] + second_rate[2]) + commutator_factor * commutator[2],
        )
        q = product(rotation, exponential(vector))
        size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        rotation = (q[0] / size, q[1] / size, q[2] / size, q[3] / size)
        rotations[step + 1, 0], rotations[step + 1, 1], rotations[step + 1, 2], rotations[step + 1, 3] = (
            rotation
        )


@inline
def _interpolated_rate(t, omega, every, first, count, time):
    """Return omega (3,) at `time` by the polynomial through `count` rows, which begin at `first` and are `every`
    rows apart."""
    rate_1, rate_2, rate_3 = 0.0, 0.0, 0.0
    for i in range(first, first + count):
        weight = 1.0
        for j in range(first, first + count):
            if i != j:
                weight *= (time - t[j * every]) / (t[i * every] - t[j * every])
        rate_1 += weight * omega[i * every, 0]
        rate_2 += weight * omega[i * every, 1]
        rate_3 += weight * omega[i * every, 2]
    return rate_1, rate_2, rate_3


@compiled
def longest_constant_run(values, limit):
    """Return the first row and the row after the last row of the longest consecutive part of `values` (n,) in which
    maximum and minimum differ by at most `limit`.

    Two monotonic queues contain the candidates for maximum and minimum, so that the effort is proportional to n.
    """
    high, low = np.empty(len(values), dtype=np.int64), np.empty(len(values), dtype=np.int64)
    high_from, high_to, low_from, low_to = 0, 0, 0, 0
    best_first, best_stop, first = 0, 1, 0
    for row in range(len(values)):
        value = values[row]
        while high_to > high_from and values[high[high_to - 1]] <= value:
            high_to -= 1
        while low_to > low_from and values[low[low_to - 1]] >= value:
            low_to -= 1
        high[high_to], low[low_to] = row, row
        high_to += 1
        low_to += 1
        while values[high[high_from]] - values[low[low_from]] > limit:
            first += 1
            if high[high_from] < first:
                high_from += 1
            if low[low_from] < first:
                low_from += 1
        if row + 1 - first > best_stop - best_first:
            best_first, best_stop = first, row + 1
    return best_first, best_stop
