"""What is computed of samples row by row, the kernels of `calculus` and `alignment`: rotations about each row fitted by
polynomials, rates summed up, and the longest run of rows that keep a value."""

import math

import numpy as np

from quatviz.physics.kernels.algebra import cross, exponential, product
from quatviz.physics.kernels.binder import compiled, inline

_SMALL = 1e-3
"""Square of a tangent below which the series of the arc has as many digits as a double."""
_OFFSET = math.sqrt(3.0) / 6.0
"""Of the two Gauss points from the middle of a step."""
UNEVEN = 0.01
"""The least of three distances between samples, of the greatest, above which a cubic goes through the four: nearer ones would
make a slope of their noise, or of a kick between them, and of rounding in the end."""


@compiled
def fit_windows(t, p, rows, part, degree, width, reach, found):
    """Fit polynomials of `degree` to the turns away from a steady rotation in `width` of the rows `part` (first, behind the last)
    of t (n,) [s] and p (n, 4), about each of `rows` (m,).

    Into `found` (m, 11): omega [rad/s, body] (3) and p (4) of the polynomial at the row; the square of the derivative's weights;
    squares of residuals for each degree of freedom, NaN where there is none; what two degrees more would change, squared, and what
    noise of 1 changes of it, NaN where there are not so many rows.

    The polynomials are orthonormal over the window's rows: each is made of the two before (Forsythe 1957), and those of two degrees
    more only go on.
    """
    first, stop = part
    x, left = np.empty(width), np.empty((width, 3))
    now, before = np.empty(width), np.empty(width)
    for number in range(len(rows)):
        row = rows[number]
        start = min(max(row - width // 2, first), stop - width)
        steady, scale = _turns(t, p, row, start, max(row - reach, first), min(row + reach, stop - 1), x, left)
        for k in range(width):
            now[k], before[k] = 1.0 / math.sqrt(width), 0.0
        here, here_before, slope, slope_before, link = now[0], 0.0, 0.0, 0.0, 0.0
        value, change, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
        more = 2 if width > degree + 2 else 0
        for order in range(degree + more + 1):
            one, two, three = _taken(now, left)
            value = (value[0] + one * here, value[1] + two * here, value[2] + three * here)
            change = (change[0] + one * slope, change[1] + two * slope, change[2] + three * slope)
            gain += slope * slope
            if order == degree:
                omega = _rate(steady, value, change, scale)
                found[number, 0], found[number, 1], found[number, 2] = omega
                smooth = product((p[row, 0], p[row, 1], p[row, 2], p[row, 3]), exponential(value))
                found[number, 3], found[number, 4], found[number, 5], found[number, 6] = smooth
                found[number, 7] = gain / scale**2
                free = 3 * (width - degree - 1)
                found[number, 8] = _squares(left) / free if free > 0 else math.nan
            middle = 0.0
            for k in range(width):
                middle += x[k] * now[k] * now[k]
            here, here_before = -middle * here - link * here_before, here
            slope, slope_before = here_before - middle * slope - link * slope_before, slope
            size = 0.0
            for k in range(width):
                now[k], before[k] = (x[k] - middle) * now[k] - link * before[k], now[k]
                size += now[k] * now[k]
            link = math.sqrt(size)
            here, slope = here / link, slope / link
            for k in range(width):
                now[k] /= link
        if more:
            other = _rate(steady, value, change, scale)
            lack = (other[0] - omega[0]) ** 2 + (other[1] - omega[1]) ** 2 + (other[2] - omega[2]) ** 2
            found[number, 9], found[number, 10] = lack / 3.0, gain / scale**2 - found[number, 7]
        else:
            found[number, 9], found[number, 10] = math.nan, math.nan


def prepare() -> None:
    """Load the kernels, compiling those that are not kept."""
    t, p = np.arange(3.0), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    fit_windows(t, p, np.arange(3), (0, 3), 2, 3, 1, np.empty((3, 11)))
    sum_up(t, np.zeros((3, 3)), 1, np.empty((3, 4)))
    longest_within(t, 1.0)


@inline
def _turns(t, p, row, start, low, high, x, phi):
    """Times x (w,) from -1 to 1 about a row, and rotation vectors phi (w, 3) of the rows from `start` on away from the steady
    rotation of the rows `low` and `high`, which tell it the better, the farther apart they are, the less by their noise. That
    rotation (3,) [rad/s], and the longest time [s]."""
    away = t[high] - t[low]
    one, two, three = _vector(_relative(p, low, high))
    steady = (one / away, two / away, three / away)
    here, scale = t[row], max(abs(t[start] - t[row]), abs(t[start + len(x) - 1] - t[row]))
    for k in range(len(x)):
        tau = t[start + k] - here
        back = exponential((-tau * steady[0], -tau * steady[1], -tau * steady[2]))
        phi[k, 0], phi[k, 1], phi[k, 2] = _vector(product(_relative(p, row, start + k), back))
        x[k] = tau / scale
    return steady, scale


@inline
def _relative(p, low, high):
    """The turn from one row to another."""
    return product(
        (p[low, 0], -p[low, 1], -p[low, 2], -p[low, 3]), (p[high, 0], p[high, 1], p[high, 2], p[high, 3])
    )


@inline
def _vector(q):
    """The shortest rotation vector of a quaternion of any length."""
    sine = q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    cosine = q[0]
    if sine < _SMALL * cosine * cosine:
        r = sine / (cosine * cosine)
        factor = 2.0 / cosine * (1.0 - r * (1.0 / 3.0 - r * (0.2 - r * (1.0 / 7.0 - r / 9.0))))
    else:
        size = math.sqrt(sine)
        factor = 2.0 * math.atan2(size, abs(cosine)) / size
        if cosine < 0.0:
            factor = -factor
    return (factor * q[1], factor * q[2], factor * q[3])


@inline
def _taken(basis, left):
    """The coefficients (3,) of a polynomial of the basis (w,), which is taken from what is left (w, 3)."""
    one, two, three = 0.0, 0.0, 0.0
    for k in range(len(basis)):
        one += basis[k] * left[k, 0]
        two += basis[k] * left[k, 1]
        three += basis[k] * left[k, 2]
    for k in range(len(basis)):
        left[k, 0] -= one * basis[k]
        left[k, 1] -= two * basis[k]
        left[k, 2] -= three * basis[k]
    return one, two, three


@inline
def _squares(left):
    found = 0.0
    for k in range(len(left)):
        found += left[k, 0] * left[k, 0] + left[k, 1] * left[k, 1] + left[k, 2] * left[k, 2]
    return found


@inline
def _rate(steady, phi, change, scale):
    """omega (3,) [rad/s] of exp(phi) exp(steady tau) at tau = 0, where phi' is `change` in the unit `scale` [s]: exp(phi~)' is
    exp(phi~) (J_r phi')~."""
    square = phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2
    if square < 1e-6:
        one, two = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = math.sqrt(square)
        one, two = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    rate = (change[0] / scale, change[1] / scale, change[2] / scale)
    across = cross(phi, rate)
    twice = cross(phi, across)
    return (
        steady[0] + rate[0] - one * across[0] + two * twice[0],
        steady[1] + rate[1] - one * across[1] + two * twice[1],
        steady[2] + rate[2] - one * across[2] + two * twice[2],
    )


@compiled
def sum_up(t, omega, every, turns):
    """The turns from the first row to each (m, 4) of t (n,) [s] and omega (n, 3) [rad/s, body], of which one in `every` counts.

    From row to row by the exponential of Magnus' expansion to its first commutator, at the two Gauss points, where a cubic through
    the four rows around gives the rates, of fewer the polynomial through all; the line, where rows are as `UNEVEN` says."""
    reached = (1.0, 0.0, 0.0, 0.0)
    turns[0, 0], turns[0, 1], turns[0, 2], turns[0, 3] = reached
    count = len(turns)
    for step in range(count - 1):
        h = t[(step + 1) * every] - t[step * every]
        middle = t[step * every] + 0.5 * h
        first, through = min(max(step - 1, 0), max(count - 4, 0)), min(4, count)
        least, most = h, h
        for row in range(first, first + through - 1):
            apart = t[(row + 1) * every] - t[row * every]
            least, most = min(least, apart), max(most, apart)
        if least <= UNEVEN * most:
            first, through = step, 2
        one = _between(t, omega, every, first, through, middle - _OFFSET * h)
        two = _between(t, omega, every, first, through, middle + _OFFSET * h)
        # p' = p omega / 2 has its rates on the right, and so the commutator the other sign than in Y' = A Y.
        turned = cross(one, two)
        half, more = 0.5 * h, 0.5 * _OFFSET * h * h
        vector = (
            half * (one[0] + two[0]) + more * turned[0],
            half * (one[1] + two[1]) + more * turned[1],
            half * (one[2] + two[2]) + more * turned[2],
        )
        q = product(reached, exponential(vector))
        size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        reached = (q[0] / size, q[1] / size, q[2] / size, q[3] / size)
        turns[step + 1, 0], turns[step + 1, 1], turns[step + 1, 2], turns[step + 1, 3] = reached


@inline
def _between(t, omega, every, first, count, at):
    """omega (3,) at a time, by the polynomial through `count` rows of those that count, from the row `first` on."""
    one, two, three = 0.0, 0.0, 0.0
    for i in range(first, first + count):
        weight = 1.0
        for j in range(first, first + count):
            if i != j:
                weight *= (at - t[j * every]) / (t[i * every] - t[j * every])
        one += weight * omega[i * every, 0]
        two += weight * omega[i * every, 1]
        three += weight * omega[i * every, 2]
    return one, two, three


@compiled
def longest_within(values, limit):
    """First row and the one behind the last of the longest run of values (n,) whose largest and least differ by no more than a
    limit. Rows that may still be the largest, or the least, wait in order: each comes and goes once."""
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
