"""Forty wrong equations with a part of the expected verdict, and more than twenty correct equations.

They are written as in exercises: by components, with matrices or with quaternions. No code is shared with
`verification.judging`. `WRONG_EQUATIONS` maps the name of an equation to the equation and the verdict.
"""

from typing import Any, NamedTuple

import numpy as np
from student_equations import PRINCIPAL, SKEWED, dcm, euler_equation, four_by_three, hamilton_product

import quatviz as qv

TOP = qv.load_preset("heavy_top")
FREE = qv.load_preset("torque_free")


class WrongEquation(NamedTuple):
    """An equation, a part of the expected verdict, and the preset for `judge` (None: its default)."""

    function: Any
    """A function in Python, or a `TypedFormulation`."""
    verdict: str
    preset: qv.Preset | None = None


def correct_rate(p, w):
    """Return q' = q w / 2."""
    return 0.5 * hamilton_product(p, [0.0, *w])


def gyro(body, w):
    return np.cross(w, body.inertia @ w)


def euler_rate(body, n, w):
    return body.inverse_inertia @ (n - gyro(body, w))


def scaled(vector, component, factor):
    result = np.array(vector, dtype=float)
    result[component] *= factor
    return result


def third_row_sign(t, p, omega, body, loads):
    return scaled(euler_rate(body, loads.torque(t, p, omega), omega), 2, -1.0)


def half_missing_in_one_row(t, p, omega, body, loads):
    return scaled(correct_rate(p, omega), 2, 2.0), euler_rate(body, loads.torque(t, p, omega), omega)


def scalar_row_sign(t, p, omega, body, loads):
    return scaled(correct_rate(p, omega), 0, -1.0), euler_rate(body, loads.torque(t, p, omega), omega)


def one_product_sign(t, p, omega, body, loads):
    a, b, c, d = p
    x, y, z = omega
    rate = [-b * x - c * y - d * z, a * x + c * z + d * y, a * y + d * x - b * z, a * z + b * y - c * x]
    return 0.5 * np.array(rate), euler_rate(body, loads.torque(t, p, omega), omega)


def one_product_missing(t, p, omega, body, loads):
    a, b, c, d = p
    x, y, z = omega
    rate = [-b * x - c * y, a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x]
    return 0.5 * np.array(rate), euler_rate(body, loads.torque(t, p, omega), omega)


def second_moment_off(t, p, omega, body, loads):
    J = np.diag(np.diag(body.inertia) * [1.0, 1.2, 1.0])
    return euler_equation(J, omega, loads.torque(t, p, omega))


def second_moment_off_below(t, p, omega, body, loads):
    A, B, C = np.diag(body.inertia)
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (B - C) * y * z) / A, (n[1] + (C - A) * z * x) / (1.2 * B), (n[2] + (A - B) * x * y) / C]


def moments_swapped(t, p, omega, body, loads):
    A, B, C = np.diag(body.inertia)
    return euler_equation(np.diag([B, A, C]), omega, loads.torque(t, p, omega))


def wrong_moment_in_first_row(t, p, omega, body, loads):
    A, B, C = np.diag(body.inertia)
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (A - C) * y * z) / A, (n[1] + (C - A) * z * x) / B, (n[2] + (A - B) * x * y) / C]


def wrong_rates_in_second_row(t, p, omega, body, loads):
    A, B, C = np.diag(body.inertia)
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (B - C) * y * z) / A, (n[1] + (C - A) * y * x) / B, (n[2] + (A - B) * x * y) / C]


def drag(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) - 0.1 * omega, omega)


def drag_of_momentum(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) - 0.05 * body.inertia @ omega, omega)


def quadratic_drag(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) - 0.02 * np.linalg.norm(omega) * omega, omega)


def bearing_about_third_axis(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) - 0.3 * np.array([0, 0, omega[2]]), omega)


def gyrostat(t, p, omega, body, loads):
    h = body.inertia @ omega + np.array([0.0, 0.0, 0.3])
    return body.inverse_inertia @ (loads.torque(t, p, omega) - np.cross(omega, h))


def thruster_left_on(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) + np.array([0.0, 0.02, 0.0]), omega)


def wind(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) + dcm(p).T @ [0.05, 0.0, 0.0], omega)


def spring_to_upright(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega) - 0.4 * p[1:], omega)


def seventy_percent(t, p, omega, body, loads):
    return euler_rate(body, 0.7 * loads.torque(t, p, omega), omega)


def torque_row_sign(t, p, omega, body, loads):
    return euler_rate(body, scaled(loads.torque(t, p, omega), 1, -1.0), omega)


def torque_row_missing(t, p, omega, body, loads):
    return euler_rate(body, scaled(loads.torque(t, p, omega), 0, 0.0), omega)


def torque_axes_exchanged(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler_rate(body, n[[1, 0, 2]], omega)


def gyroscopic_row_sign(t, p, omega, body, loads):
    return body.inverse_inertia @ (loads.torque(t, p, omega) - scaled(gyro(body, omega), 2, -1.0))


def gyroscopic_row_missing(t, p, omega, body, loads):
    return body.inverse_inertia @ (loads.torque(t, p, omega) - scaled(gyro(body, omega), 0, 0.0))


def a_little_too_much(t, p, omega, body, loads):
    return (1.0 + 1e-6) * euler_rate(body, loads.torque(t, p, omega), omega)


def one_gyroscopic_term_sign(t, p, omega, body, loads):
    a, b, c = body.inertia @ omega
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return body.inverse_inertia @ (n - np.array([y * c + z * b, z * a - x * c, x * b - y * a]))


def product_of_inertia_sign(t, p, omega, body, loads):
    J = np.array(body.inertia)
    J[0, 1] = J[1, 0] = -J[0, 1]
    return euler_equation(J, omega, loads.torque(t, p, omega))


def wrong_after_a_second(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler_rate(body, n if t < 1.0 else -n, omega)


def wrong_when_it_turns_back(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler_rate(body, n - 0.2 * omega if omega[2] < 0.0 else n, omega)


def wrong_on_one_half_of_the_sphere(t, p, omega, body, loads):
    rate = correct_rate(p, omega)
    return (rate if p[0] > 0.0 else -rate), euler_rate(body, loads.torque(t, p, omega), omega)


def no_gyroscopic_term_when_slow(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler_rate(body, n, omega) if omega @ omega > 4.0 else body.inverse_inertia @ n


def hidden_by_symmetry(t, p, omega, body, loads):
    """Use a wrong sign in the third row, which the equal moments of the top hide."""
    A, B, C = np.diag(body.inertia)
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (B - C) * y * z) / A, (n[1] + (C - A) * z * x) / B, (n[2] + (B - A) * x * y) / C]


def hidden_by_a_free_body(t, p, omega, body, loads):
    return euler_rate(body, -loads.torque(t, p, omega), omega)


def momentum_without_transport(t, p, h, body, loads):
    return loads.torque(t, p, body.inverse_inertia @ h)


def momentum_row_sign(t, p, h, body, loads):
    w = body.inverse_inertia @ h
    return scaled(loads.torque(t, p, w) - np.cross(w, h), 0, -1.0)


def space_momentum_turned_back(t, p, h_space, body, loads):
    A = dcm(p)
    w = body.inverse_inertia @ (A.T @ h_space)
    return A.T @ loads.torque(t, p, w)


def load_at_the_start(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(0.0, p, omega), omega)


def load_with_the_rate_in_space(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, dcm(p) @ omega), omega)


def load_at_the_conjugate(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p * [1.0, -1.0, -1.0, -1.0], omega), omega)


def acceleration_row_sign(t, p, p_rate, body, loads):
    """Return p'' with a wrong sign in its last row."""
    E = four_by_three(p)
    w = 2.0 * E.T @ p_rate
    alpha = euler_rate(body, loads.torque(t, p, w), w)
    return scaled(0.5 * E @ alpha - 0.25 * (w @ w) * p, 3, -1.0)


WRONG_EQUATIONS = {
    case.function.__name__: case
    for case in (
        WrongEquation(third_row_sign, "ω'_3 only, times -1"),
        WrongEquation(half_missing_in_one_row, "p'_2 only, times 2"),
        WrongEquation(scalar_row_sign, "p'_0 only, times -1"),
        WrongEquation(one_product_sign, "in p'_1: e3 ω2 times -1"),
        WrongEquation(one_product_missing, "in p'_0: e3 ω3 missing"),
        WrongEquation(second_moment_off, "J2 times 1.2"),
        WrongEquation(second_moment_off_below, "ω'_2 only, times 5/6"),
        WrongEquation(moments_swapped, "J1 and J2 are exchanged"),
        WrongEquation(wrong_moment_in_first_row, "in J ω'_1: J1 ω2 ω3 for J2 ω2 ω3"),
        WrongEquation(wrong_rates_in_second_row, "in J ω'_2: (J3 - J1) ω1 ω2 for (J3 - J1) ω1 ω3"),
        WrongEquation(drag, "additional torque -0.100 ω"),
        WrongEquation(drag_of_momentum, "additional torque -0.050 Jω"),
        WrongEquation(quadratic_drag, "additional torque -0.020 |ω| ω"),
        WrongEquation(bearing_about_third_axis, "additional torque -0.300 ω3 in component 3"),
        WrongEquation(gyrostat, "constant additional momentum (0, 0, 0.300)"),
        WrongEquation(thruster_left_on, "additional constant torque (0, 0.020, 0) N m in the body"),
        WrongEquation(wind, "additional constant torque (0.050, 0, 0) N m in space"),
        WrongEquation(spring_to_upright, "additional torque -0.400 e"),
        WrongEquation(seventy_percent, "the torque n times 0.7"),
        WrongEquation(torque_row_sign, "component 2 of the torque n only, times -1"),
        WrongEquation(torque_row_missing, "component 1 of the torque n only, missing"),
        WrongEquation(torque_axes_exchanged, "component 1 of n and component 2 of n are exchanged"),
        WrongEquation(gyroscopic_row_sign, "component 3 of ω × Jω only, times -1"),
        WrongEquation(gyroscopic_row_missing, "component 1 of ω × Jω only, missing"),
        WrongEquation(a_little_too_much, "ω' times 1.000001"),
        WrongEquation(one_gyroscopic_term_sign, "in J ω'_1: J2 ω2 ω3 times -1"),
        WrongEquation(product_of_inertia_sign, "J12 times -1", SKEWED),
        WrongEquation(wrong_after_a_second, "for t > 1 s: torque_sign"),
        WrongEquation(wrong_when_it_turns_back, "where ω3 < 0: additional torque -0.200 ω"),
        WrongEquation(wrong_on_one_half_of_the_sphere, "where e0 < 0: rate_sign"),
        WrongEquation(no_gyroscopic_term_when_slow, "where |ω| < 2 rad/s: no_gyroscopic"),
        WrongEquation(hidden_by_symmetry, "component 3 of ω × Jω only, times -1", TOP),
        WrongEquation(hidden_by_a_free_body, "torque_sign", FREE),
        WrongEquation(momentum_without_transport, "no_gyroscopic"),
        WrongEquation(momentum_row_sign, "h'_1 only, times -1"),
        WrongEquation(space_momentum_turned_back, "torque_turned_twice"),
        WrongEquation(load_at_the_start, "load_at_start"),
        WrongEquation(load_with_the_rate_in_space, "load_rate_in_space"),
        WrongEquation(load_at_the_conjugate, "load_at_conjugate"),
        WrongEquation(acceleration_row_sign, "p''_3 only, times -1"),
    )
}


# --- correct


def euler_by_components(t, p, omega, body, loads):
    """Return Euler's equations for principal axes, as most textbooks print them."""
    A, B, C = np.diag(body.inertia)
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (B - C) * y * z) / A, (n[1] + (C - A) * z * x) / B, (n[2] + (A - B) * x * y) / C]


def euler_by_matrices(t, p, omega, body, loads):
    return euler_rate(body, loads.torque(t, p, omega), omega)


def euler_with_kinematics(t, p, omega, body, loads):
    return correct_rate(p, omega), euler_rate(body, loads.torque(t, p, omega), omega)


def euler_in_space(t, p, omega_space, body, loads):
    A = dcm(p)
    J = A @ body.inertia @ A.T
    n = A @ loads.torque(t, p, A.T @ omega_space)
    return np.linalg.solve(J, n - np.cross(omega_space, J @ omega_space))


def momentum_in_body(t, p, h, body, loads):
    w = body.inverse_inertia @ h
    return loads.torque(t, p, w) + np.cross(h, w)


def momentum_with_kinematics(t, p, h, body, loads):
    w = body.inverse_inertia @ h
    return four_by_three(p) @ w / 2, loads.torque(t, p, w) + np.cross(h, w)


def momentum_in_space(t, p, h_space, body, loads):
    A = dcm(p)
    return A @ loads.torque(t, p, body.inverse_inertia @ (A.T @ h_space))


def own_weight(t, p, omega, body, loads):
    """Use the weight of the preset as constants in the equation."""
    return euler_equation(body.inertia, omega, np.cross([0.1, -0.05, 0.3], dcm(p).T @ [0.0, 0.0, -3.0]))


def own_body_and_weight(t, p, omega, body, loads):
    n = np.cross([0.1, -0.05, 0.3], dcm(p).T @ [0.0, 0.0, -3.0])
    return euler_equation(np.diag([1.3, 0.7, 0.9]), omega, n)


def free_body(t, p, omega, body, loads):
    return -body.inverse_inertia @ gyro(body, omega)


def acceleration_of_p(t, p, p_rate, body, loads):
    E = four_by_three(p)
    w = 2.0 * E.T @ p_rate
    return 0.5 * E @ euler_rate(body, loads.torque(t, p, w), w) - 0.25 * (w @ w) * p


def lagrange_with_multiplier(t, p, p_rate, body, loads):
    E, E_rate, J = four_by_three(p), four_by_three(p_rate), body.inertia
    w = 2.0 * E.T @ p_rate
    K = np.zeros((5, 5))
    K[:4, :4] = 4.0 * E @ J @ E.T
    K[:4, 4] = K[4, :4] = p
    right = 2.0 * E @ loads.torque(t, p, w) - 8.0 * E_rate @ J @ (E.T @ p_rate)
    x = np.linalg.solve(K, np.append(right, -p_rate @ p_rate))
    return x[:4], x[4]


def udwadia_schutte(t, p, p_rate, body, loads):
    E, J = four_by_three(p), body.inertia
    w = 2.0 * E.T @ p_rate
    alpha = euler_equation(J, w, loads.torque(t, p, w))
    return 0.5 * E @ alpha - (p_rate @ p_rate) * p


def canonical_momenta(t, p, g, body, loads):
    E = four_by_three(p)
    h = E.T @ g / 2.0
    w = body.inverse_inertia @ h
    p_rate = E @ w / 2.0
    k = -2.0 * four_by_three(p_rate) @ h
    lam = 2.0 * h @ w
    return k + 2.0 * E @ loads.torque(t, p, w) - p * lam, lam


def by_skew_matrix(t, p, omega, body, loads):
    x, y, z = omega
    W = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.linalg.inv(body.inertia) @ (loads.torque(t, p, omega) - W @ body.inertia @ omega)


def with_normalized_p(t, p, omega, body, loads):
    q = p / np.linalg.norm(p)
    return correct_rate(q, omega), euler_rate(body, loads.torque(t, q, omega), omega)


def with_positive_scalar(t, p, omega, body, loads):
    """Use -p, the same attitude, if the scalar part is negative."""
    q = p if p[0] > 0.0 else -p
    return euler_rate(body, loads.torque(t, q, omega), omega)


def scalar_last_inside(t, p, omega, body, loads):
    x, y, z, s = np.roll(p, -1)
    E = np.array([[s, -z, y], [z, s, -x], [-y, x, s], [-x, -y, -z]])
    return np.roll(0.5 * E @ omega, 1), euler_rate(body, loads.torque(t, p, omega), omega)


def with_stabilisation(t, p, omega, body, loads):
    """Add a term that restores |p| = 1. It is zero for unit p."""
    return correct_rate(p, omega) + 2.0 * (1.0 - p @ p) * p, euler_rate(
        body, loads.torque(t, p, omega), omega
    )


def symmetric_top(t, p, omega, body, loads):
    """Use A = B for a symmetric top."""
    A, C = body.inertia[0, 0], body.inertia[2, 2]
    x, y, z = omega
    n = loads.torque(t, p, omega)
    return [(n[0] + (A - C) * y * z) / A, (n[1] + (C - A) * z * x) / A, n[2] / C]


def by_work(t, p, omega, body, loads):
    """Rotate the rate of the momentum in space to the body frame."""
    A = dcm(p)
    h_rate = A.T @ (A @ loads.torque(t, p, omega)) - np.cross(omega, body.inertia @ omega)
    return np.linalg.solve(body.inertia, h_rate)


CORRECT_EQUATIONS = (
    (euler_by_components, None), (euler_by_components, PRINCIPAL), (euler_by_matrices, None), (euler_with_kinematics, SKEWED),
    (euler_in_space, None), (momentum_in_body, None), (momentum_with_kinematics, TOP), (momentum_in_space, None),
    (own_weight, SKEWED), (own_body_and_weight, PRINCIPAL), (free_body, FREE), (acceleration_of_p, None),
    (lagrange_with_multiplier, None), (udwadia_schutte, SKEWED), (canonical_momenta, None), (by_skew_matrix, FREE),
    (with_normalized_p, None), (with_positive_scalar, None), (scalar_last_inside, None), (with_stabilisation, TOP), (by_work, None),
    (symmetric_top, TOP),
)  # fmt: skip
