"""Thirty-three wrong equations that were invented without knowledge of the examiner's code, with a part of the verdict.

Of the first twenty-one (`ROUND_ONE`, judged with the heavy top), the examiner of that time described eighteen rightly,
two by no known mistake, and accepted one: `no_gyroscopic_term_when_very_slow`. Of the twelve of `ROUND_TWO`, judged with
the default preset after that was mended, it described eight rightly, one by an unhelpful sentence and three by no
known mistake.
"""

import numpy as np
from slips import Slip, right_rate
from student_equations import dcm, four_by_three

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
    return 2.0 * right_rate(p, omega), euler(body, loads.torque(t, p, omega), omega)


def scalar_rate_sign(t, p, omega, body, loads):
    return right_rate(p, omega) * [-1.0, 1.0, 1.0, 1.0], euler(body, loads.torque(t, p, omega), omega)


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
    return right_rate(p, omega) * [1.0, 1.0, 1.0, 2.0], euler(body, loads.torque(t, p, omega), omega)


def growing_length(t, p, omega, body, loads):
    return right_rate(p, omega) + 0.01 * p, euler(body, loads.torque(t, p, omega), omega)


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
    return right_rate(p, np.radians(1.0) * omega), euler(body, loads.torque(t, p, omega), omega)


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
    Slip(torque_twice, "twice_torque", TOP),
    Slip(torque_without_second_component, "component 2 of the torque n only, missing", TOP),
    Slip(gyroscopic_too_large, "ω × Jω times 1.3", TOP),
    Slip(sum_for_difference, "in J ω'_1: J3 ω2 ω3 times -1", TOP),
    Slip(divisors_exchanged, "ω'_1 is divided by J2 and ω'_2 is divided by J1", TOP),
    Slip(quadratic_drag, "additional torque -0.050 |ω| ω", TOP),
    Slip(forgotten_motor, "additional constant torque (0.400, 0, 0) N m in the body", TOP),
    Slip(product_of_the_other_side, "rate_in_space", TOP),
    Slip(no_half, "no_half", TOP),
    Slip(scalar_rate_sign, "p'_0 only, times -1", TOP),
    Slip(products_with_the_other_sign, "not with products of inertia: products_sign", TOP),
    Slip(momentum_the_wrong_way_round, "gyroscopic_sign", TOP),
    Slip(torque_never_turned, "torque_in_body", TOP),
    Slip(load_sees_the_inverse, "load_at_conjugate", TOP),
    Slip(load_of_the_first_moment, "load_at_start", TOP),
    Slip(no_gyroscopic_term_when_very_slow, "where |ω| < 1 rad/s: no_gyroscopic", TOP),
    Slip(saturated_torque, "where |n| > 1 N m: the torque |n| is limited to 1.000 N m", TOP),
    Slip(heavier_for_torques, "the torque n times 0.9091", TOP),
    Slip(hidden_wheel, "constant additional momentum (0, 0.700, 0) kg m²/s", TOP),
    Slip(components_moved_on, "ω'_1, ω'_2 and ω'_3 are exchanged", TOP),
    Slip(acceleration_in_degrees, "J ω' times 57.3", TOP),
)
ROUND_TWO = (
    Slip(spring_in_one_component, "additional torque 0.300 e1 in component 2"),
    Slip(one_row_without_half, "p'_3 only, times 2"),
    Slip(growing_length, "p' has an additional 0.010 p"),
    Slip(turning_ground, "p' turns with an additional constant rate (0, 0, -0.010) rad/s in space"),
    Slip(dead_zone_of_torque, "N m: no_torque"),
    Slip(clipped_components, "each component of the torque n is limited to 0.800 N m"),
    Slip(load_at_rest, "the loads are evaluated at ω = 0"),
    Slip(one_moment_twice, "J2 in place of J3"),
    Slip(rate_of_attitude_in_degrees, "p' times 0.01745"),
    Slip(torque_sign_upside_down, "where A33 < 0: torque_sign"),
    Slip(rate_in_space_for_the_gyroscopic_term, "Aω × Jω in place of ω × Jω"),
    Slip(drag_beyond_a_rate, "where |ω3| > 1 rad/s: ω'_3 only"),
)
