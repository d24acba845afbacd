"""Twenty wrong equations of students, each with one known mistake from teaching or literature.

`STUDENT_EQUATIONS` lists each equation with the name of its mistake. Some are written by components, some with quaternion
products, and some as Lagrange's or Hamilton's equations that are solved here. No code is shared with
`verification.judging.mistakes`.
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
"""Preset with principal axes, for equations by components."""
SKEWED = qv.Preset(
    body=qv.Body(inertia=[[1.0, 0.1, -0.2], [0.1, 1.4, 0.15], [-0.2, 0.15, 0.8]], about="pivot"),
    initial=START,
    loads=[qv.Gravity(weight=WEIGHT, centre=LEVER_ARM)],
)


class StudentEquation(NamedTuple):
    """An equation, the preset that it is judged with, and the name of its mistake."""

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
    """Return the rotation matrix from body to space by Rodrigues' formula."""
    w, v = q[0], q[1:]
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def four_by_three(q):
    """Return the matrix (4, 3) that maps body rates to twice the quaternion rates."""
    w, x, y, z = q
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])


def euler_equation(I, w, n):
    """Return omega' by Euler's equations, without mistake."""
    return np.linalg.solve(I, n - np.cross(w, I @ w))


# --- kinematics


def left_product(t, p, omega, body, loads):
    """Write q' = 1/2 w q, with w from a gyroscope in the body."""
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
    """Use q*' = -1/2 w q* of the conjugate, though p is not the conjugate."""
    return -hamilton_product([0.0, *omega], p) / 2, euler_equation(
        body.inertia, omega, loads.torque(t, p, omega)
    )


def shuster(t, p, omega, body, loads):
    """Use Omega of Shuster's survey, where the scalar part of the quaternion is last."""
    a, b, c = omega
    Omega = np.array([[0, c, -b, a], [-c, 0, a, b], [b, -a, 0, c], [-a, -b, -c, 0]])
    return 0.5 * Omega @ p, euler_equation(body.inertia, omega, loads.torque(t, p, omega))


def matrix_backwards(t, p, omega, body, loads):
    """Use the sign of A' = -w~ A, which holds for the matrix from space to body."""
    return -hamilton_product(p, [0.0, *(omega / 2)]), euler_equation(
        body.inertia, omega, loads.torque(t, p, omega)
    )


def printed_matrix(t, p, h, body, loads):
    """Use e' = 1/2 G^T J^-1 h, h' = n - J^-1 h x h, with the matrix as printed in the paper."""
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
    """Expand the determinant of the cross product with three positive signs."""
    n, h = loads.torque(t, p, omega), body.inertia @ omega
    x, y, z = omega
    gyro = np.array([y * h[2] - z * h[1], x * h[2] - z * h[0], x * h[1] - y * h[0]])
    return body.inverse_inertia @ (n - gyro)


def laboratory_axes(t, p, omega_space, body, loads):
    """Resolve everything in space, but use the constant inertia of the body frame."""
    R, I = dcm(p), body.inertia
    n = R @ loads.torque(t, p, R.T @ omega_space)
    return np.linalg.inv(I) @ (n - np.cross(omega_space, I @ omega_space))


def moments_alone(t, p, omega, body, loads):
    """Take A, B, C from the diagonal, though the axes are not principal."""
    A, B, C = body.inertia[0, 0], body.inertia[1, 1], body.inertia[2, 2]
    n = loads.torque(t, p, omega)
    wx, wy, wz = omega
    return [(n[0] - (C - B) * wy * wz) / A, (n[1] - (A - C) * wz * wx) / B, (n[2] - (B - A) * wx * wy) / C]


def cad_products(t, p, omega, body, loads):
    """Use products of inertia with the positive sign of CAD programs, +integral xy dm."""
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
    """Use only d/dt dT/dp', whose second part is 4 L'^T J L p'."""
    E, E_rate, I = four_by_three(p), four_by_three(p_rate), body.inertia
    omega = 2 * E.T @ p_rate
    return solve_augmented(
        p, p_rate, I, 4 * E_rate @ I @ (E.T @ p_rate), 2 * E @ loads.torque(t, p, omega), -p_rate @ p_rate
    )


def other_matrix(t, p, p_rate, body, loads):
    """Use G' for L' in the gyroscopic term."""
    E, I = four_by_three(p), body.inertia
    G_rate = -four_by_three(p_rate * [-1.0, 1.0, 1.0, 1.0])
    G_rate[0] *= -1.0
    G_rate[0] = -p_rate[1:]
    omega = 2 * E.T @ p_rate
    return solve_augmented(
        p, p_rate, I, 8 * G_rate @ I @ (E.T @ p_rate), 2 * E @ loads.torque(t, p, omega), -p_rate @ p_rate
    )


def virtual_work(t, p, p_rate, body, loads):
    """Derive Q from dW = n . L dp, without the factor 2 of the rotation."""
    E, I = four_by_three(p), body.inertia
    omega = 2 * E.T @ p_rate
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    return solve_augmented(p, p_rate, I, gyro, E @ loads.torque(t, p, omega), -(p_rate @ p_rate))


def constraint_differentiated_once(t, p, p_rate, body, loads):
    """Use p . p'' = 0 as the last row."""
    E, I = four_by_three(p), body.inertia
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    return solve_augmented(p, p_rate, I, gyro, 2 * E @ loads.torque(t, p, 2 * E.T @ p_rate), 0.0)


def twice_the_kinetic_energy(t, p, p_rate, body, loads):
    """Use M = 4 (L^T J L + J0 p p^T) with the force -(2T + J0 w^2) p: 2 w^T J w was read as 2T."""
    E, I, J0 = four_by_three(p), body.inertia, 0.6
    omega = 2 * E.T @ p_rate
    gyro = 8 * four_by_three(p_rate) @ I @ (E.T @ p_rate)
    along = omega @ I @ omega + J0 * omega @ omega
    mass = 4 * (E @ I @ E.T + J0 * np.outer(p, p))
    return np.linalg.solve(mass, 2 * E @ loads.torque(t, p, omega) - gyro - along * p)


def no_multiplier(t, p, g, body, loads):
    """Use g' = -2 L'^T h + 2 L^T n, without the multiplier along p."""
    E = four_by_three(p)
    h = E.T @ g / 2
    omega = body.inverse_inertia @ h
    p_rate = E @ omega / 2
    return p_rate, 2 * E @ loads.torque(t, p, omega) - 2 * four_by_three(p_rate) @ h


STUDENT_EQUATIONS = [
    StudentEquation(left_product, SKEWED, "rate_in_space"),
    StudentEquation(angle_not_halved, SKEWED, "no_half"),
    StudentEquation(world_to_body, SKEWED, "conjugate"),
    StudentEquation(shuster, SKEWED, "scalar_last"),
    StudentEquation(matrix_backwards, SKEWED, "rate_sign"),
    StudentEquation(printed_matrix, SKEWED, "row_of_L"),
    StudentEquation(game_engine, SKEWED, "no_gyroscopic"),
    StudentEquation(differences_swapped, PRINCIPAL, "gyroscopic_sign"),
    StudentEquation(middle_row, PRINCIPAL, "not_cyclic"),
    StudentEquation(laboratory_axes, SKEWED, "inertia_in_space"),
    StudentEquation(moments_alone, SKEWED, "products_dropped"),
    StudentEquation(cad_products, SKEWED, "products_sign"),
    StudentEquation(to_space_instead, SKEWED, "transposed_attitude"),
    StudentEquation(force_cross_arm, SKEWED, "torque_sign"),
    StudentEquation(moment_about_fixed_axes, SKEWED, "torque_in_space"),
    StudentEquation(one_term_of_lagrange, SKEWED, "half_gyroscopic"),
    StudentEquation(other_matrix, SKEWED, "G_for_L"),
    StudentEquation(virtual_work, SKEWED, "half_torque"),
    StudentEquation(constraint_differentiated_once, SKEWED, "constraint_once"),
    StudentEquation(twice_the_kinetic_energy, SKEWED, "dropped_4T"),
]
