"""Equations as students write them, each with one slip from teaching or literature; nothing here is shared with
`verification.judging.mistakes`.

Twenty are wrong, and `WRONG` says by which name each is to be found out; some are written by components, some with quaternions as
products, some as Lagrange's or Hamilton's equations that are solved here. `RIGHT` has no slip.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import quatviz as qv

WEIGHT, LEVER_ARM = 3.0, np.array([0.1, -0.05, 0.3])
START = qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.4, -1.1, 1.6])
PRINCIPAL = qv.Preset(
    body=qv.Body(inertia=[1.3, 0.7, 0.9], about="pivot"),
    initial=START,
    loads=[qv.Gravity(weight=WEIGHT, centre=LEVER_ARM)],
)
"""For equations by components: axes are principal."""
SKEWED = qv.Preset(
    body=qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
    initial=START,
    loads=[qv.Gravity(weight=WEIGHT, centre=LEVER_ARM)],
)


class SlipCase(NamedTuple):
    """What was written, on what it is tried, and the mistake in it."""

    function: Callable[..., Any]
    preset: qv.Preset
    mistake: str


def hamilton_product(a, b):
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    return np.array([
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3, a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1, a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    ])  # fmt: skip


def dcm(q):
    """Direction cosines, from the body to space, from Rodrigues' formula."""
    w, v = q[0], q[1:]
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def four_by_three(q):
    """The matrix that takes body rates to twice the quaternion's rates."""
    w, x, y, z = q
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])


def euler_equation(I, w, n):
    """The equation of Euler as it should be."""
    return np.linalg.solve(I, n - np.cross(w, I @ w))


# --- kinematics


def left_product(t, p, omega, body, loads):
    """q' = 1/2 w q with w from a gyroscope in the body."""
    return 0.5 * hamilton_product(np.append(0.0, omega), p), euler_equation(
        body.inertia, omega, loads.torque(t, p, omega)
    )


def angle_not_halved(t, p, omega, body, loads):
    wx, wy, wz = omega
    s, x, y, z = p
    rate = [
        -x * wx - y * wy - z * wz,
        s * wx + y * wz - z * wy,
        s * wy + z * wx - x * wz,
        s * wz + x * wy - y * wx,
    ]
    return np.array(rate), euler_equation(body.inertia, omega, loads.torque(t, p, omega))


def world_to_body(t, p, omega, body, loads):
    """For the conjugate, q* ' = -1/2 w q*, though p is not the conjugate."""
    return -hamilton_product([0.0, *omega], p) / 2, euler_equation(
        body.inertia, omega, loads.torque(t, p, omega)
    )


def shuster(t, p, omega, body, loads):
    """Omega of Shuster's survey, whose quaternion has its scalar last."""
    a, b, c = omega
    Omega = np.array([[0, c, -b, a], [-c, 0, a, b], [b, -a, 0, c], [-a, -b, -c, 0]])
    return 0.5 * Omega @ p, euler_equation(body.inertia, omega, loads.torque(t, p, omega))


def matrix_backwards(t, p, omega, body, loads):
    """A' = -w~ A has been learnt for the matrix to the body, and its sign has come along."""
    return -hamilton_product(p, [0.0, *(omega / 2)]), euler_equation(
        body.inertia, omega, loads.torque(t, p, omega)
    )


def printed_matrix(t, p, h, body, loads):
    """e' = 1/2 G^T J^-1 h, h' = n - J^-1 h x h, with the matrix copied from the paper."""
    e0, e1, e2, e3 = p
    G = np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, -e2, -e1, e0]])
    w = body.inverse_inertia @ h
    return G.T @ w / 2, loads.torque(t, p, w) + np.cross(h, w)


# --- Euler's equations


def game_engine(t, p, omega, body, loads):
    return body.inverse_inertia @ loads.torque(t, p, omega)


def differences_swapped(t, p, omega, body, loads):
    (A, B, C), (x, y, z) = np.diag(body.inertia), omega
    L, M, N = loads.torque(t, p, omega)
    return np.array([(L + (C - B) * y * z) / A, (M + (A - C) * z * x) / B, (N + (B - A) * x * y) / C])


def middle_row(t, p, omega, body, loads):
    """The determinant is expanded with three pluses."""
    n, h = loads.torque(t, p, omega), body.inertia @ omega
    x, y, z = omega
    gyro = np.array([y * h[2] - z * h[1], x * h[2] - z * h[0], x * h[1] - y * h[0]])
    return body.inverse_inertia @ (n - gyro)


def laboratory_axes(t, p, omega_space, body, loads):
    """Everything in the laboratory, with the moments from the data sheet."""
    R, I = dcm(p), body.inertia
    n = R @ loads.torque(t, p, R.T @ omega_space)
    return np.linalg.inv(I) @ (n - np.cross(omega_space, I @ omega_space))


def moments_alone(t, p, omega, body, loads):
    """A, B, C from the diagonal, though the axes are those of the drawing."""
    A, B, C = body.inertia[0, 0], body.inertia[1, 1], body.inertia[2, 2]
    n = loads.torque(t, p, omega)
    wx, wy, wz = omega
    return [(n[0] - (C - B) * wy * wz) / A, (n[1] - (A - C) * wz * wx) / B, (n[2] - (B - A) * wx * wy) / C]


def cad_products(t, p, omega, body, loads):
    """Products of inertia as a CAD program lists them, +integral xy dm, entered as they are."""
    I = body.inertia.copy()
    for i, j in ((0, 1), (0, 2), (1, 2)):
        I[i, j] = I[j, i] = -I[i, j]
    return euler_equation(I, omega, loads.torque(t, p, omega))


# --- the torque of a weight


def to_space_instead(t, p, omega, body, loads):
    return euler_equation(body.inertia, omega, np.cross(LEVER_ARM, dcm(p) @ np.array([0.0, 0.0, -WEIGHT])))


def force_cross_arm(t, p, omega, body, loads):
    down = dcm(p)[2] * -WEIGHT
    return euler_equation(body.inertia, omega, np.cross(down, LEVER_ARM))


def forgot_to_turn(t, p, omega, body, loads):
    return euler_equation(body.inertia, omega, np.cross(LEVER_ARM, [0, 0, -WEIGHT]))


def moment_about_fixed_axes(t, p, omega, body, loads):
    arm = dcm(p) @ LEVER_ARM
    return euler_equation(body.inertia, omega, np.array([-arm[1] * WEIGHT, arm[0] * WEIGHT, 0.0]))


# --- Lagrange and Hamilton


def solve_augmented(p, rate, I, gyro, force, right):
    E = four_by_three(p)
    K = np.zeros((5, 5))
    K[:4, :4] = 4 * E @ I @ E.T
    K[:4, 4] = K[4, :4] = p
    x = np.linalg.solve(K, np.append(force - gyro, right))
    return x[:4], x[4]


def one_term_of_lagrange(t, p, p_rate, body, loads):
    """d/dt dT/dp' alone, whose second part is 4 L'^T J L p'."""
    E, E_rate, I = four_by_three(p), four_by_three(p_rate), body.inertia
    omega = 2 * E.T @ p_rate
    return solve_augmented(
        p, p_rate, I, 4 * E_rate @ I @ (E.T @ p_rate), 2 * E @ loads.torque(t, p, omega), -p_rate @ p_rate
    )


def other_matrix(t, p, p_rate, body, loads):
    """G' in the gyroscopic term, from the wrong line of the formula sheet."""
    E, I = four_by_three(p), body.inertia
    G_rate = -four_by_three(p_rate * [-1.0, 1.0, 1.0, 1.0])
    G_rate[0] *= -1.0
    G_rate[0] = -p_rate[1:]
    omega = 2 * E.T @ p_rate
    return solve_augmented(
        p, p_rate, I, 8 * G_rate @ I @ (E.T @ p_rate), 2 * E @ loads.torque(t, p, omega), -p_rate @ p_rate
    )


def virtual_work(t, p, p_rate, body, loads):
    """Q from dW = n . L dp, the 2 of the rotation being lost."""
    E, I = four_by_three(p), body.inertia
    omega = 2 * E.T @ p_rate
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    return solve_augmented(p, p_rate, I, gyro, E @ loads.torque(t, p, omega), -(p_rate @ p_rate))


def once_too_few(t, p, p_rate, body, loads):
    """The last row is p . p'' = 0."""
    E, I = four_by_three(p), body.inertia
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    return solve_augmented(p, p_rate, I, gyro, 2 * E @ loads.torque(t, p, 2 * E.T @ p_rate), 0.0)


def twice_the_kinetic_energy(t, p, p_rate, body, loads):
    """M = 4 (L^T J L + J0 p p^T), with a force along p of -(2T + J0 w^2) p: 2 w^T J w has been read as 2T."""
    E, I, J0 = four_by_three(p), body.inertia, 0.6
    omega = 2 * E.T @ p_rate
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    along = omega @ I @ omega + J0 * omega @ omega
    mass = 4 * (E @ I @ E.T + J0 * np.outer(p, p))
    return np.linalg.solve(mass, 2 * E @ loads.torque(t, p, omega) - gyro - along * p)


def no_multiplier(t, p, g, body, loads):
    """g' = -2 L'^T h + 2 L^T n, and nothing along p."""
    E = four_by_three(p)
    h = E.T @ g / 2
    omega = body.inverse_inertia @ h
    p_rate = E @ omega / 2
    return p_rate, 2 * E @ loads.torque(t, p, omega) - 2 * four_by_three(p_rate) @ h


WRONG = [
    SlipCase(left_product, SKEWED, "rate_in_space"),
    SlipCase(angle_not_halved, SKEWED, "no_half"),
    SlipCase(world_to_body, SKEWED, "conjugate"),
    SlipCase(shuster, SKEWED, "scalar_last"),
    SlipCase(matrix_backwards, SKEWED, "rate_sign"),
    SlipCase(printed_matrix, SKEWED, "row_of_L"),
    SlipCase(game_engine, SKEWED, "no_gyroscopic"),
    SlipCase(differences_swapped, PRINCIPAL, "gyroscopic_sign"),
    SlipCase(middle_row, PRINCIPAL, "not_cyclic"),
    SlipCase(laboratory_axes, SKEWED, "inertia_in_space"),
    SlipCase(moments_alone, SKEWED, "products_dropped"),
    SlipCase(cad_products, SKEWED, "products_sign"),
    SlipCase(to_space_instead, SKEWED, "transposed_attitude"),
    SlipCase(force_cross_arm, SKEWED, "torque_sign"),
    SlipCase(moment_about_fixed_axes, SKEWED, "torque_in_space"),
    SlipCase(one_term_of_lagrange, SKEWED, "half_gyroscopic"),
    SlipCase(other_matrix, SKEWED, "G_for_L"),
    SlipCase(virtual_work, SKEWED, "half_torque"),
    SlipCase(once_too_few, SKEWED, "constraint_once"),
    SlipCase(twice_the_kinetic_energy, SKEWED, "dropped_4T"),
]
