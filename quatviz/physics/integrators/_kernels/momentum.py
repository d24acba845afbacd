"""Kernels for methods that advance p and the angular momentum by their own rules."""

from quatviz.physics.kernels.algebra import (
    combined3,
    combined4,
    cross,
    dot3,
    load,
    product,
    store,
    times_inertia,
)
from quatviz.physics.kernels.binder import inline, momentum, noinline, with_momentum
from quatviz.physics.kernels.linear_solve import pivoted_solve
from quatviz.physics.loads._kernels.packed import body_torque

MAX_NEWTON_ITERATIONS = 40
"""Largest number of Newton iterations in a step. A rotation of half a radian needs four."""
CONVERGENCE_TOLERANCE = 1e-9
"""Largest Newton correction, relative to the rotation of the step, with which an iteration that no longer
improves counts as converged to rounding errors. If a larger correction stops decreasing, the iteration
diverges."""
STATE, MOMENTUM = 0, 1
"""Rows of a method's memory (2, k): the state at the end of the last step, and its h."""
_solve = pivoted_solve(3)


@inline
def load_state(method, par, y):
    """Return `(p, h)` of the state y.

    If y is the result of the last step, h is read from the memory, where that step stored it. If h were
    computed from omega instead, its error would be noticeable after a million steps, since J J^-1 is not exactly 1.
    """
    p, h = momentum(par, y)
    if y == load(method.memory, STATE, y):
        h = load(method.memory, MOMENTUM, h)
    return p, h


@inline
def save_state(method, par, p, h):
    """Return the state with the given `p` and `h`, after storing the state and `h` in the memory for
    `load_state`.
    """
    y = with_momentum(par, p, h)
    store(method.memory, STATE, y)
    store(method.memory, MOMENTUM, h)
    return y


@noinline
def loads_torque(par, t, p, h):
    """Return the body torque of all loads (3) [N m] at p and h."""
    return body_torque(par.loads, t, p, times_inertia(par.principal, par.inverse_inertia, h))


@inline
def apply_kick(par, t, dt, p, h):
    """Return h after dt of the torque alone, at constant attitude.

    The result is exact for a torque that does not depend on omega. Otherwise the midpoint rule is used, so that the
    method as a whole keeps order two.
    """
    if not par.loads.present:
        return h
    torque = loads_torque(par, t, p, h)
    if par.loads.has_variable:
        torque = loads_torque(par, t, p, combined3(1.0, h, 0.5 * dt, torque))
    return combined3(1.0, h, dt, torque)


@inline
def cayley_increment(a):
    """Return the unit quaternion minus 1, (cos - 1, sine (3)), of the rotation that has the Cayley vector a
    (3); see `compose`.
    """
    square = dot3(a, a)
    cosine = 1.0 / (1.0 + square) ** 0.5
    return (-square * cosine * cosine / (1.0 + cosine), a[0] * cosine, a[1] * cosine, a[2] * cosine)


@inline
def compose(p, increment):
    """Return the product p (1 + increment).

    It is computed as a sum p + p increment, whose rounding errors are random, whereas those of a product
    would accumulate.
    """
    return combined4(1.0, p, 1.0, product(p, increment))


@inline
def to_rotated_axes(increment, h):
    """Return the components of `h` in the axes after the rotation 1 + `increment`."""
    c, s = 1.0 + increment[0], (increment[1], increment[2], increment[3])
    across = cross(h, s)
    return combined3(1.0, h, 2.0, combined3(c, across, 1.0, cross(across, s)))


@noinline
def newton_correction(par, b, offset, quadratic_share, a):
    """Make one Newton iteration from `a` for the equation J a + a x (J a + offset) = b (1 + quadratic_share a.a).

    Return `(a, size)`: the new a and the size of the correction relative to a.
    """
    principal, J = par.principal, par.inertia
    Ja = times_inertia(principal, J, a)
    spin = combined3(1.0, Ja, 1.0, offset)
    gyration, growth = cross(a, spin), 1.0 + quadratic_share * dot3(a, a)
    residual = combined3(1.0, combined3(1.0, Ja, 1.0, gyration), -growth, b)
    m = 2.0 * quadratic_share
    a1, a2, a3 = a
    s1, s2, s3 = spin
    matrix = (
        J[0] - a3 * J[3] + a2 * J[6] - m * b[0] * a1,
        J[1] - a3 * J[4] + a2 * J[7] + s3 - m * b[0] * a2,
        J[2] - a3 * J[5] + a2 * J[8] - s2 - m * b[0] * a3,
        J[3] + a3 * J[0] - a1 * J[6] - s3 - m * b[1] * a1,
        J[4] + a3 * J[1] - a1 * J[7] - m * b[1] * a2,
        J[5] + a3 * J[2] - a1 * J[8] + s1 - m * b[1] * a3,
        J[6] - a2 * J[0] + a1 * J[3] + s2 - m * b[2] * a1,
        J[7] - a2 * J[1] + a1 * J[4] - s1 - m * b[2] * a2,
        J[8] - a2 * J[2] + a1 * J[5] - m * b[2] * a3,
    )
    step = _solve(matrix, residual)
    size = (abs(step[0]) + abs(step[1]) + abs(step[2])) / (abs(a1) + abs(a2) + abs(a3) + 1e-300)
    return combined3(1.0, a, -1.0, step), size
