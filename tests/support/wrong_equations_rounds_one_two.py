"""Thirty-three wrong equations that were written without knowledge of the code of `judge`, with a part of the verdict.

`ROUND_ONE` has twenty-one, judged with the heavy top. The first version of `judge` described eighteen correctly, found no known
mistake in two, and accepted one: `no_gyroscopic_term_when_very_slow`. After that was corrected, `ROUND_TWO` was judged with the
default preset. Of its twelve equations, `judge` described eight correctly, one unclearly, and found no known mistake in three.
"""

import numpy as np
from student_equations import dcm, four_by_three
from wrong_equations import WrongEquation, correct_rate

import quatviz as qv


def gyro(J, w):
    (x, y, z), (a, b, c) = w, J @ w
    return np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def euler(body, n, w, gyroscopic=None):
    return body.inverse_inertia @ (n - (gyro(body.inertia, w) if gyroscopic is None else gyroscopic))


def torque_twice(t, p, omega, body, loads):
    return euler(body, 2.0 * loads.torque(t, p, omega), omega)


def torque_without_second_component(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) * [1.0, 0.0, 1.0], omega)


def gyroscopic_too_large(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega), omega, 1.3 * gyro(body.inertia, omega))


def sum_for_difference(t, p, omega, body, loads):
    (A, B, C), (x, y, z), n = np.diag(body.inertia), omega, loads.torque(t, p, omega)
    return np.array(
        [(n[0] + (B + C) * y * z) / A, (n[1] + (C - A) * z * x) / B, (n[2] + (A - B) * x * y) / C]
    )


def divisors_exchanged(t, p, omega, body, loads):
    (A, B, C), (x, y, z), n = np.diag(body.inertia), omega, loads.torque(t, p, omega)
    return np.array(
        [(n[0] + (B - C) * y * z) / B, (n[1] + (C - A) * z * x) / A, (n[2] + (A - B) * x * y) / C]
    )


def quadratic_drag(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) - 0.05 * np.linalg.norm(omega) * omega, omega)


def forgotten_motor(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) + np.array([0.4, 0.0, 0.0]), omega)


def product_of_the_other_side(t, p, omega, body, loads):
    (e0, e1, e2, e3), (x, y, z) = p, omega
    rate = [
        -e1 * x - e2 * y - e3 * z,
        e0 * x - e2 * z + e3 * y,
        e0 * y + e1 * z - e3 * x,
        e0 * z - e1 * y + e2 * x,
    ]
    return 0.5 * np.array(rate), euler(body, loads.torque(t, p, omega), omega)


def no_half(t, p, omega, body, loads):
    return 2.0 * correct_rate(p, omega), euler(body, loads.torque(t, p, omega), omega)


def scalar_rate_sign(t, p, omega, body, loads):
    return correct_rate(p, omega) * [-1.0, 1.0, 1.0, 1.0], euler(body, loads.torque(t, p, omega), omega)


def products_with_the_other_sign(t, p, omega, body, loads):
    J = 2.0 * np.diag(np.diag(body.inertia)) - body.inertia
    return np.linalg.solve(J, loads.torque(t, p, omega) - gyro(J, omega))


def momentum_the_wrong_way_round(t, p, h, body, loads):
    omega = body.inverse_inertia @ h
    return loads.torque(t, p, omega) + gyro(body.inertia, omega)


def torque_never_turned(t, p, h_space, body, loads):
    return loads.torque(t, p, body.inverse_inertia @ (dcm(p).T @ h_space))


def load_sees_the_inverse(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p * [1.0, -1.0, -1.0, -1.0], omega), omega)


def load_of_the_first_moment(t, p, omega, body, loads):
    return euler(body, loads.torque(0.0, p, omega), omega)


def no_gyroscopic_term_when_very_slow(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega), omega, gyro(body.inertia, omega) * (omega @ omega > 1.0))


def saturated_torque(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler(body, n / max(np.linalg.norm(n), 1.0), omega)


def heavier_for_torques(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) / 1.1, omega)


def hidden_wheel(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) - np.cross(omega, [0.0, 0.7, 0.0]), omega)


def components_moved_on(t, p, omega, body, loads):
    return np.roll(euler(body, loads.torque(t, p, omega), omega), -1)


def acceleration_in_degrees(t, p, omega, body, loads):
    return np.degrees(1.0) * euler(body, loads.torque(t, p, omega), omega)


def spring_in_one_component(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) + np.array([0.0, 0.3 * p[1], 0.0]), omega)


def one_row_without_half(t, p, omega, body, loads):
    return correct_rate(p, omega) * [1.0, 1.0, 1.0, 2.0], euler(body, loads.torque(t, p, omega), omega)


def growing_length(t, p, omega, body, loads):
    return correct_rate(p, omega) + 0.01 * p, euler(body, loads.torque(t, p, omega), omega)


def turning_ground(t, p, omega, body, loads):
    rate = 0.5 * four_by_three(p) @ (omega - dcm(p).T @ [0.0, 0.0, 0.01])
    return rate, euler(body, loads.torque(t, p, omega), omega)


def dead_zone_of_torque(t, p, omega, body, loads):
    n = loads.torque(t, p, omega)
    return euler(body, n * (np.linalg.norm(n) > 0.5), omega)


def clipped_components(t, p, omega, body, loads):
    return euler(body, np.clip(loads.torque(t, p, omega), -0.8, 0.8), omega)


def load_at_rest(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, 0.0 * omega), omega)


def one_moment_twice(t, p, omega, body, loads):
    (A, B, _), (x, y, z), n = np.diag(body.inertia), omega, loads.torque(t, p, omega)
    return np.array([n[0] / A, (n[1] + (B - A) * z * x) / B, (n[2] + (A - B) * x * y) / B])


def rate_of_attitude_in_degrees(t, p, omega, body, loads):
    return correct_rate(p, np.radians(1.0) * omega), euler(body, loads.torque(t, p, omega), omega)


def torque_sign_upside_down(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) * np.sign(dcm(p)[2, 2]), omega)


def rate_in_space_for_the_gyroscopic_term(t, p, omega, body, loads):
    gyroscopic = np.cross(dcm(p) @ omega, body.inertia @ omega)
    return euler(body, loads.torque(t, p, omega), omega, gyroscopic)


def drag_beyond_a_rate(t, p, omega, body, loads):
    drag = 0.1 * max(abs(omega[2]) - 1.0, 0.0) * np.sign(omega[2])
    return euler(body, loads.torque(t, p, omega) - [0.0, 0.0, drag], omega)


TOP = qv.load_preset("heavy_top")
ROUND_ONE = (
    WrongEquation(torque_twice, "twice_torque", TOP),
    WrongEquation(torque_without_second_component, "component 2 of the torque n only, missing", TOP),
    WrongEquation(gyroscopic_too_large, "ω × Jω times 1.3", TOP),
    WrongEquation(sum_for_difference, "in J ω'_1: J3 ω2 ω3 times -1", TOP),
    WrongEquation(divisors_exchanged, "ω'_1 is divided by J2 and ω'_2 is divided by J1", TOP),
    WrongEquation(quadratic_drag, "additional torque -0.050 |ω| ω", TOP),
    WrongEquation(forgotten_motor, "additional constant torque (0.400, 0, 0) N m in the body", TOP),
    WrongEquation(product_of_the_other_side, "rate_in_space", TOP),
    WrongEquation(no_half, "no_half", TOP),
    WrongEquation(scalar_rate_sign, "p'_0 only, times -1", TOP),
    WrongEquation(products_with_the_other_sign, "not with products of inertia: products_sign", TOP),
    WrongEquation(momentum_the_wrong_way_round, "gyroscopic_sign", TOP),
    WrongEquation(torque_never_turned, "torque_in_body", TOP),
    WrongEquation(load_sees_the_inverse, "load_at_conjugate", TOP),
    WrongEquation(load_of_the_first_moment, "load_at_start", TOP),
    WrongEquation(no_gyroscopic_term_when_very_slow, "where |ω| < 1 rad/s: no_gyroscopic", TOP),
    WrongEquation(saturated_torque, "where |n| > 1 N m: the torque |n| is limited to 1.000 N m", TOP),
    WrongEquation(heavier_for_torques, "the torque n times 0.9091", TOP),
    WrongEquation(hidden_wheel, "constant additional momentum (0, 0.700, 0) kg m²/s", TOP),
    WrongEquation(components_moved_on, "ω'_1, ω'_2 and ω'_3 are exchanged", TOP),
    WrongEquation(acceleration_in_degrees, "J ω' times 57.3", TOP),
)
ROUND_TWO = (
    WrongEquation(spring_in_one_component, "additional torque 0.300 e1 in component 2"),
    WrongEquation(one_row_without_half, "p'_3 only, times 2"),
    WrongEquation(growing_length, "p' has an additional 0.010 p"),
    WrongEquation(turning_ground, "p' turns with an additional constant rate (0, 0, -0.010) rad/s in space"),
    WrongEquation(dead_zone_of_torque, "N m: no_torque"),
    WrongEquation(clipped_components, "each component of the torque n is limited to 0.800 N m"),
    WrongEquation(load_at_rest, "the loads are evaluated at ω = 0"),
    WrongEquation(one_moment_twice, "J2 in place of J3"),
    WrongEquation(rate_of_attitude_in_degrees, "p' times 0.01745"),
    WrongEquation(torque_sign_upside_down, "where A33 < 0: torque_sign"),
    WrongEquation(rate_in_space_for_the_gyroscopic_term, "Aω × Jω in place of ω × Jω"),
    WrongEquation(drag_beyond_a_rate, "where |ω3| > 1 rad/s: ω'_3 only"),
)
