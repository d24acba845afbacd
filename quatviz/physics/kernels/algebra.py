"""Functions for kernels on tuples of floats: states, three- and four-vectors, quaternions, and row-major 3x3 matrices
(nine floats).
"""

import math

from quatviz.physics.kernels.binder import Kernel, compile_source, inline, overload


def unroll(signature: str, element: str, like: str = "", **scope: Kernel) -> Kernel:
    """Return a kernel that maps tuples element by element, such as `unroll("y, a, k", "y[#] + a * k[#]")`.

    Parameters
    ----------
    signature
        Argument names of the kernel.
    element
        Expression for an element of the result, in which `#` stands for the index. It is repeated for each element, so
        that an expression with a branch is better moved to a kernel of its own.
    like
        Name of the argument whose length is that of the result, by default the first.
    scope
        Functions that the expression calls.
    """
    stub = compile_source("stub", signature, ["pass"])
    length_index = signature.split(", ").index(like) if like else 0

    def implementation(*arguments):
        elements = "".join(
            f"{element.replace('#', str(index))}, " for index in range(len(arguments[length_index]))
        )
        return compile_source("unrolled", signature, [f"return ({elements})"], **scope)

    overload(stub, strict=False)(implementation)
    return stub


axpy = unroll("y, a, k", "y[#] + a * k[#]")
"""Kernel that returns y + a k for tuples y and k of any length and a number a."""


def load(rows, row, y):
    """Return the row `rows[row]` of an array as a tuple of the length of `y`."""
    return tuple(rows[row, : len(y)].tolist())


@overload(load)
def _load(rows, row, y):
    elements = "".join(f"rows[row, {index}], " for index in range(len(y)))
    return compile_source("loaded", "rows, row, y", [f"return ({elements})"])


@inline
def store(rows, row, y):
    """Write the tuple `y` into the row `rows[row]` of an array."""
    for index in range(len(y)):
        rows[row, index] = y[index]


@inline
def total(y):
    """Return the sum of the elements of `y`, which is finite only if all of them are."""
    result = 0.0
    for value in y:
        result += value
    return result


# --- three- and four-vectors, matrices


@inline
def add3(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def dot4(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@inline
def on_sphere(p):
    """Return p / |p| (4), the nearest point of the sphere."""
    a, b, c, d = p
    scale = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    return (scale * a, scale * b, scale * c, scale * d)


@inline
def tangent(p, v):
    """Return v - p (p.v) (4), the component of a four-vector v that is tangent to the sphere at unit p."""
    return combined4(1.0, v, -dot4(p, v), p)


@inline
def combined3(a, u, b, v):
    """Return a u + b v (3) for numbers a and b and three-vectors u and v."""
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2])


@inline
def combined4(a, u, b, v):
    """Return a u + b v (4) for numbers a and b and four-vectors u and v."""
    return (a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2], a * u[3] + b * v[3])


@inline
def cross(a, b):
    a1, a2, a3 = a
    b1, b2, b3 = b
    return (a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1)


@inline
def times_inertia(principal, matrix, v):
    """Return J v or J^-1 v for a row-major matrix (9).

    If the body axes are principal axes only the diagonal is used, which saves a third of the time of a step.
    """
    m11, m12, m13, m21, m22, m23, m31, m32, m33 = matrix
    v1, v2, v3 = v
    if principal:
        return (m11 * v1, m22 * v2, m33 * v3)
    return (
        m11 * v1 + m12 * v2 + m13 * v3,
        m21 * v1 + m22 * v2 + m23 * v3,
        m31 * v1 + m32 * v2 + m33 * v3,
    )


@inline
def L_times(p, q):
    """Return L(p) q, with L = [-e, -e~ + e0 I], for a four-vector q; eq. S0(9)."""
    e0, e1, e2, e3 = p
    q0, q1, q2, q3 = q
    return (
        -e1 * q0 + e0 * q1 + e3 * q2 - e2 * q3,
        -e2 * q0 - e3 * q1 + e0 * q2 + e1 * q3,
        -e3 * q0 + e2 * q1 - e1 * q2 + e0 * q3,
    )


@inline
def LT_times(p, v):
    """Return L(p)^T v for a three-vector v; eq. S0(9)."""
    e0, e1, e2, e3 = p
    v1, v2, v3 = v
    return (
        -e1 * v1 - e2 * v2 - e3 * v3,
        e0 * v1 - e3 * v2 + e2 * v3,
        e3 * v1 + e0 * v2 - e1 * v3,
        -e2 * v1 + e1 * v2 + e0 * v3,
    )


@inline
def GT_times(p, v):
    """Return G(p)^T v for a three-vector v, with G = [-e, e~ + e0 I]; eq. S0(8)."""
    e0, e1, e2, e3 = p
    v1, v2, v3 = v
    return (
        -e1 * v1 - e2 * v2 - e3 * v3,
        e0 * v1 + e3 * v2 - e2 * v3,
        -e3 * v1 + e0 * v2 + e1 * v3,
        e2 * v1 - e1 * v2 + e0 * v3,
    )


@inline
def half_LT_times(p, omega):
    """Return p' = 1/2 L^T omega (4) [1/s] for omega (3) [rad/s, body]; eqs. S0(17), S1(12)."""
    return LT_times(p, (0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]))


@inline
def twice_L_times(p, p_rate):
    """Return omega = 2 L p' (3) [rad/s, body] for unit p; eq. S0(17)."""
    half = L_times(p, p_rate)
    return (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])


@inline
def to_body(p, v):
    """Return A^T v = L G^T v = (e0^2 - e.e) v + 2 (e.v) e - 2 e0 e x v (3) for a vector v (3) in space
    components. A is G L^T off the sphere as well; eq. S0(7).
    """
    e0, e1, e2, e3 = p
    v1, v2, v3 = v
    along = 2.0 * (e1 * v1 + e2 * v2 + e3 * v3)
    scale, across = e0 * e0 - e1 * e1 - e2 * e2 - e3 * e3, 2.0 * e0
    return (
        scale * v1 + along * e1 - across * (e2 * v3 - e3 * v2),
        scale * v2 + along * e2 - across * (e3 * v1 - e1 * v3),
        scale * v3 + along * e3 - across * (e1 * v2 - e2 * v1),
    )


@inline
def exponential(theta):
    """Return the unit quaternion (4) of the rotation vector theta (3) [rad].

    Near zero a series is used, which keeps all digits.
    """
    square = dot3(theta, theta)
    if square < 1e-4:
        scale = 0.5 * (1.0 - square / 24.0 * (1.0 - square / 80.0))
        return (
            1.0 - square / 8.0 * (1.0 - square / 48.0),
            scale * theta[0],
            scale * theta[1],
            scale * theta[2],
        )
    angle = math.sqrt(square)
    scale = math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), scale * theta[0], scale * theta[1], scale * theta[2])


@inline
def product(p, q):
    """Return the quaternion product p q: the rotation q followed by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )
