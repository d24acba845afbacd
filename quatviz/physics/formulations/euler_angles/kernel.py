"""Kernels of the formulation `euler_angles`: its equations, and the parameters that they read."""

import math
from typing import NamedTuple

from quatviz.physics.formulations._kernels.three_coordinates import acceleration
from quatviz.physics.kernels.algebra import combined3, cross, dot3, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.loads._kernels.packed import PackedLoads, body_torque


class EulerAngleParameters(NamedTuple):
    """Parameters of the kernels of `euler_angles`: the fields of `BodyParameters`, and the unit vectors of
    the three axes.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
    first: tuple[float, float, float]
    second: tuple[float, float, float]
    third: tuple[float, float, float]


@inline
def axis_columns(par, t2, t3):
    """Return the three columns of S, with omega = S q'.

    They are the axes of the three rotations in body components: the first two are rotated back by the
    rotations that follow them.
    """
    c2, s2, c3, s3 = math.cos(t2), math.sin(t2), math.cos(t3), math.sin(t3)
    once_rotated = combined3(c2, par.first, -s2, cross(par.second, par.first))
    along = (1.0 - c3) * dot3(par.third, once_rotated)
    twice_rotated = combined3(c3, once_rotated, -s3, cross(par.third, once_rotated))
    first = combined3(1.0, twice_rotated, along, par.third)
    second = combined3(c3, par.second, -s3, cross(par.third, par.second))
    return first, second, par.third


@inline
def rotate_about_axis(p, angle, axis):
    """Return the product of p with the rotation by `angle` about a unit `axis`."""
    c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
    e = (p[1], p[2], p[3])
    v = cross(e, axis)
    return (
        p[0] * c - s * dot3(e, axis),
        p[1] * c + s * (p[0] * axis[0] + v[0]),
        p[2] * c + s * (p[0] * axis[1] + v[1]),
        p[3] * c + s * (p[0] * axis[2] + v[2]),
    )


@inline
def attitude(par, y):
    """Return p (4) of the angles in the state `y`, for A = R_a(t1) R_b(t2) R_c(t3)."""
    p = rotate_about_axis((1.0, 0.0, 0.0, 0.0), y[0], par.first)
    return rotate_about_axis(rotate_about_axis(p, y[1], par.second), y[2], par.third)


@inline
def attitude_and_rate(par, y):
    """Return `(p, omega)` of the state `y` = (q, q'), with omega = S q' [rad/s, body]."""
    s1, s2, s3 = axis_columns(par, y[1], y[2])
    return attitude(par, y), combined3(1.0, combined3(y[3], s1, y[4], s2), y[5], s3)


def euler_angles(par, t, y):
    """Return the derivative of the state (q, q') by S^T J S q'' = S^T (n - J S' q' - omega x J omega); eqs.
    S2(10, 11) and S2(16).
    """
    s1, s2, s3 = axis_columns(par, y[1], y[2])
    q1, q2, q3 = y[3], y[4], y[5]
    omega = combined3(1.0, combined3(q1, s1, q2, s2), q3, s3)
    # Each axis rotates with the rotations that follow it: s1' = -(q2 s2 + q3 s3) x s1, s2' = -q3 s3 x s2.
    first = cross(s1, combined3(q2, s2, q3, s3))
    second = cross(s2, s3)
    drift = combined3(q1, first, q2 * q3, second)
    h = times_inertia(par.principal, par.inertia, omega)
    moment = cross(h, omega)
    if par.loads.present:
        moment = combined3(1.0, moment, 1.0, body_torque(par.loads, t, attitude(par, y), omega))
    moment = combined3(1.0, moment, -1.0, times_inertia(par.principal, par.inertia, drift))
    return y[3:] + acceleration(par, s1, s2, s3, moment)


def singularity_measure(par, t, y):
    """Return det S with the sign of S2, whose columns have the opposite order."""
    s1, s2, s3 = axis_columns(par, y[1], y[2])
    return dot3(s1, cross(s3, s2))


STEPS_TO_SINGULARITY = 5.0
"""Smallest number of steps that the third axis must be away from the singularity.

Within fewer steps, a single step changes an angle by more than a fifth of a radian and is so inaccurate that
the lane could pass the singularity and continue with a wrong motion.
"""


def singularity_limit(par, dt, y):
    """Return the value of |det S| at which steps of dt [s] become too long.

    det S is the sine of the angle between the first axis, fixed in space, and the third, fixed in the body. A step
    rotates the third axis by dt |omega x c|.
    """
    s1, s2, s3 = axis_columns(par, y[1], y[2])
    velocity = cross(combined3(y[3], s1, y[4], s2), s3)
    return STEPS_TO_SINGULARITY * abs(dt) * math.sqrt(dot3(velocity, velocity))


KERNELS = Kernels(
    rhs=euler_angles,
    singularity=singularity_measure,
    singularity_limit=singularity_limit,
    observed=attitude_and_rate,
)
