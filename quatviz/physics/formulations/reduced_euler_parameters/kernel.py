"""Kernels of the formulation `reduced_euler_parameters`: its equations, and the parameters that they read."""

import math

from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations._kernels.three_coordinates import acceleration
from quatviz.physics.kernels.algebra import combined3, cross, dot3, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.loads._kernels.packed import body_torque


class ReducedParameters(BodyParameters):
    """Parameters of the kernels of `reduced_euler_parameters`: the fields of `BodyParameters`. numba selects
    the kernels by this type.
    """


@inline
def scalar_part(q):
    """Return q1 = +sqrt(1 - q2^2 - q3^2 - q4^2); NaN beyond half a turn."""
    return math.sqrt(1.0 - dot3(q, q))


@inline
def column(q, q1, axis):
    """Return S(q) `axis` with S(q) = 2 (q1 I - q~ + q q^T / q1), eq. S2(50): a column of S for a unit vector."""
    partial_column = combined3(2.0 * q1, axis, -2.0, cross(q, axis))
    return combined3(1.0, partial_column, 2.0 * dot3(q, axis) / q1, q)


@inline
def columns(q, q1):
    """Return the three columns of S(q), the matrix with omega = S q'."""
    return (
        column(q, q1, (1.0, 0.0, 0.0)),
        column(q, q1, (0.0, 1.0, 0.0)),
        column(q, q1, (0.0, 0.0, 1.0)),
    )


def reduced_euler_parameters(par, t, y):
    """Return the derivative of the state y = (q, q') by eqs. S2(11, 50):

        S^T J S q'' = S^T (n - J S' q' - omega x J omega),   S' q' = 2 (q'.q' + q1'^2) q / q1

    q = (q2, q3, q4) is the vector part of the Euler parameters and q1 > 0 their scalar part. The matrix S(q), see
    `column`, gives omega = S q'. n is the torque of the loads [N m, body].
    """
    q, rate = y[:3], y[3:]
    q1 = scalar_part(q)
    s1, s2, s3 = columns(q, q1)
    q1_rate = -dot3(q, rate) / q1
    omega = combined3(1.0, combined3(rate[0], s1, rate[1], s2), rate[2], s3)
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    drift = times_inertia(par.principal, par.inertia, q)
    moment = combined3(1.0, moment, -2.0 * (dot3(rate, rate) + q1_rate * q1_rate) / q1, drift)
    if par.loads.present:
        p = (q1, q[0], q[1], q[2])
        moment = combined3(1.0, moment, 1.0, body_torque(par.loads, t, p, omega))
    return y[3:] + acceleration(par, s1, s2, s3, moment)


def singularity_measure(par, t, y):
    """Return the measure q1 = e0 of the distance from the singularity, where det S = 8/q1 diverges."""
    return scalar_part(y[:3])


STEPS_TO_SINGULARITY = 3.0
"""Smallest number of steps, at the present speed of p, after which e0 may reach zero.

The motion itself is regular there, but the error of the angular velocity that follows from q' grows as 1/q1.
"""


def singularity_limit(par, dt, y):
    """Return the value of q1 at which steps of dt [s] become too long.

    q1 is the distance of p from the sphere q1 = 0 on which the coordinates are singular. A step moves p by dt |p'|,
    where p'.p' = q'.q' + q1'^2.
    """
    q, rate = y[:3], y[3:]
    q1_rate = dot3(q, rate) / scalar_part(q)
    return STEPS_TO_SINGULARITY * abs(dt) * math.sqrt(dot3(rate, rate) + q1_rate * q1_rate)


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state `y` = (q, q'), with omega = S q' [rad/s, body]."""
    q, rate = y[:3], y[3:6]
    q1 = scalar_part(q)
    s1, s2, s3 = columns(q, q1)
    omega = combined3(1.0, combined3(rate[0], s1, rate[1], s2), rate[2], s3)
    return (q1, q[0], q[1], q[2]), omega


KERNELS = Kernels(
    rhs=reduced_euler_parameters,
    singularity=singularity_measure,
    singularity_limit=singularity_limit,
    observed=attitude,
)
