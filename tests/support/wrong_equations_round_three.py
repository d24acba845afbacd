"""Twenty wrong and ten correct formulations that were written without knowledge of the code of `judge`, a third round.

`judge` accepted all ten and rejected all twenty. It described fourteen correctly, found no known mistake in four, and described
two by many single terms.
"""

import numpy as np
from student_equations import SKEWED, dcm
from wrong_equations import WrongEquation, correct_rate

import quatviz as qv

TOP = qv.load_preset("heavy_top")
_EULER = "omega' = solve(J, n - cross(omega, J @ omega))"


def gyro(J, w):
    (x, y, z), (a, b, c) = w, J @ w
    return np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def euler(body, n, w):
    return body.inverse_inertia @ (n - gyro(body.inertia, w))


def typed_mrp(name, kinematics):
    return qv.TypedFormulation(
        name,
        rates=f"{_EULER}\ns' = {kinematics}",
        start="s = where(p[0] < 0, -p[1:], p[1:])/(1 + abs(p[0]))",
        attitude="p = [1 - dot(s, s), 2*s]/(1 + dot(s, s))",
    )


# --- wrong


mrp_rate_over_two = typed_mrp(
    "mrp_rate_over_two", "((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/2"
)
mrp_cross_reversed = typed_mrp(
    "mrp_cross_reversed", "((1 - dot(s, s))*omega + 2*cross(omega, s) + 2*s*dot(s, omega))/4"
)


def no_gyroscopic_term_for_a_while(t, p, omega, body, loads):
    gyroscopic = gyro(body.inertia, omega)
    if 0.5 < t < 1.5:
        gyroscopic = 0.0 * gyroscopic
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyroscopic)


def constant_pull_in_space(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) + dcm(p).T @ np.array([0.0, 0.2, 0.0]), omega)


def moments_exchanged_in_the_gyroscopic_term(t, p, omega, body, loads):
    (A, B, C), (x, y, z), n = np.diag(body.inertia), omega, loads.torque(t, p, omega)
    return np.array(
        [(n[0] + (A - C) * y * z) / A, (n[1] + (C - B) * z * x) / B, (n[2] + (B - A) * x * y) / C]
    )


def product_of_inertia_doubled(t, p, omega, body, loads):
    J = body.inertia.copy()
    J[0, 1] *= 2.0
    J[1, 0] *= 2.0
    return np.linalg.solve(J, loads.torque(t, p, omega) - gyro(J, omega))


def one_product_of_inertia_forgotten(t, p, omega, body, loads):
    J = body.inertia.copy()
    J[1, 2] = J[2, 1] = 0.0
    return np.linalg.solve(J, loads.torque(t, p, omega) - gyro(J, omega))


def half_a_gyroscopic_component(t, p, omega, body, loads):
    gyroscopic = gyro(body.inertia, omega) * np.array([1.0, 0.5, 1.0])
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyroscopic)


def torque_turned_to_space(t, p, omega, body, loads):
    return euler(body, dcm(p) @ loads.torque(t, p, omega), omega)


def momentum_leaks(t, p, h_space, body, loads):
    A = dcm(p)
    omega = body.inverse_inertia @ (A.T @ h_space)
    return A @ loads.torque(t, p, omega) - 0.2 * h_space


def bearing_about_the_first_axis(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) - np.array([0.1 * omega[0], 0.0, 0.0]), omega)


def rate_in_the_wrong_row(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) + np.array([0.2 * omega[1], 0.0, 0.0]), omega)


def wheel_held_in_space(t, p, omega, body, loads):
    wheel = dcm(p).T @ np.array([0.0, 0.0, 0.4])
    (x, y, z), (a, b, c) = omega, wheel
    return euler(
        body, loads.torque(t, p, omega) - np.array([y * c - z * b, z * a - x * c, x * b - y * a]), omega
    )


def growing_thrust(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) + np.array([0.05 * t, 0.0, 0.0]), omega)


def rates_clipped_in_the_gyroscopic_term(t, p, omega, body, loads):
    w = np.minimum(np.maximum(omega, -1.0), 1.0)
    return body.inverse_inertia @ (loads.torque(t, p, omega) - gyro(body.inertia, w))


def loads_frozen_in_time(t, p, omega, body, loads):
    return euler(body, loads.torque(0.0, p, omega), omega)


def square_drag_by_components(t, p, omega, body, loads):
    return euler(body, loads.torque(t, p, omega) - 0.05 * np.abs(omega) * omega, omega)


def gyroscope_mounted_askew(t, p, omega, body, loads):
    c, s = np.cos(0.04), np.sin(0.04)
    x, y, z = omega
    measured = np.array([c * x - s * y, s * x + c * y, z])
    return correct_rate(p, measured), euler(body, loads.torque(t, p, omega), omega)


def gyroscope_with_a_bias(t, p, omega, body, loads):
    measured = omega + np.array([0.0, 0.02, 0.0])
    return correct_rate(p, measured), euler(body, loads.torque(t, p, omega), omega)


def positive_scalar_in_the_kinematics(t, p, omega, body, loads):
    q = np.array([abs(p[0]), p[1], p[2], p[3]])
    return correct_rate(q, omega), euler(body, loads.torque(t, p, omega), omega)


ROUND_THREE = (
    WrongEquation(mrp_rate_over_two, "no_half"),
    WrongEquation(mrp_cross_reversed, "rate_in_space"),
    WrongEquation(no_gyroscopic_term_for_a_while, "for 0.5 < t < 1.5 s: no_gyroscopic"),
    WrongEquation(constant_pull_in_space, "additional constant torque (0, 0.200, 0) N m in space"),
    WrongEquation(moments_exchanged_in_the_gyroscopic_term, "J1 and J2 are exchanged in ω × Jω", TOP),
    WrongEquation(product_of_inertia_doubled, "J12 times 2", SKEWED),
    WrongEquation(one_product_of_inertia_forgotten, "J23 missing", SKEWED),
    WrongEquation(half_a_gyroscopic_component, "component 2 of ω × Jω only, times 0.5"),
    WrongEquation(torque_turned_to_space, "torque_in_space"),
    WrongEquation(momentum_leaks, "additional torque -0.200 Jω"),
    WrongEquation(bearing_about_the_first_axis, "additional torque -0.100 ω1 in component 1"),
    WrongEquation(rate_in_the_wrong_row, "additional torque 0.200 ω2 in component 1"),
    WrongEquation(wheel_held_in_space, "constant additional momentum (0, 0, 0.400) kg m²/s in space"),
    WrongEquation(growing_thrust, "additional torque (0.050, 0, 0) t N m in the body"),
    WrongEquation(
        rates_clipped_in_the_gyroscopic_term, "each component of ω is limited to 1.000 rad/s in ω × Jω"
    ),
    WrongEquation(loads_frozen_in_time, "load_at_start"),
    WrongEquation(square_drag_by_components, "additional torque -0.050 |ω_k| ω_k in each component"),
    WrongEquation(gyroscope_mounted_askew, "in p', ω is turned by 2.292° about (0, 0, 1.000)"),
    WrongEquation(
        gyroscope_with_a_bias, "p' turns with an additional constant rate (0, 0.020, 0) rad/s in the body"
    ),
    WrongEquation(positive_scalar_in_the_kinematics, "where e0 < 0"),
)


# --- correct

euler_angles_typed = qv.TypedFormulation(
    "euler_angles_typed",
    rates=(
        f"{_EULER}\n"
        "phi' = (omega[0]*sin(psi) + omega[1]*cos(psi))/sin(theta)\n"
        "theta' = omega[0]*cos(psi) - omega[1]*sin(psi)\n"
        "psi' = omega[2] - cos(theta)*(omega[0]*sin(psi) + omega[1]*cos(psi))/sin(theta)\n"
        "singular = abs(sin(theta))"
    ),
    start=(
        "k = A @ [0, 0, 1]\nm = A.T @ [0, 0, 1]\n"
        "phi = atan2(k[0], -k[1])\ntheta = acos(k[2])\npsi = atan2(m[0], m[1])"
    ),
    attitude=(
        "p = [cos(theta/2)*cos((phi + psi)/2), sin(theta/2)*cos((phi - psi)/2),"
        " sin(theta/2)*sin((phi - psi)/2), cos(theta/2)*sin((phi + psi)/2)]"
    ),
)
momentum_in_space_typed = qv.TypedFormulation(
    "momentum_in_space_typed", rates="h_space' = A @ n\np' = product(p, [0, solve(J, A.T @ h_space)])/2"
)
rotation_vector_typed = qv.TypedFormulation(
    "rotation_vector_typed",
    rates=(
        f"{_EULER}\n"
        "a = norm(v)\n"
        "v' = omega + cross(v, omega)/2 + (1 - a/(2*tan(a/2)))/a**2*cross(v, cross(v, omega))\n"
        "singular = abs(cos(a/4))"
    ),
    start="v = 2*atan2(norm(p[1:]), p[0])*p[1:]/norm(p[1:])",
    attitude="p = [cos(norm(v)/2), sin(norm(v)/2)/norm(v)*v]",
)
mrp_typed = typed_mrp("mrp_typed", "((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4")
momentum_with_numbers = qv.TypedFormulation(
    "momentum_with_numbers",
    rates="w = solve(J, h)\nh' = n - cross(w, h)\np' = product(p, [0, w])/2 + k*(1 - dot(p, p))*p",
    numbers={"k": 3.0},
)


def turned_axes(t, p, omega, body, loads):
    """Resolve the equation in axes that are turned in the body, and turn the result back."""
    c, s = np.cos(0.7), np.sin(0.7)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    J, w, n = R @ body.inertia @ R.T, R @ omega, R @ loads.torque(t, p, omega)
    return R.T @ np.linalg.solve(J, n - gyro(J, w))


def jerk_free_identity(t, p, omega, body, loads):
    """Add a term that is zero, as the gyroscopic torque does no work."""
    gyroscopic = gyro(body.inertia, omega)
    return euler(body, loads.torque(t, p, omega) + omega * (omega @ gyroscopic), omega)


def branches_that_agree(t, p, omega, body, loads):
    """Evaluate the same equation in another way for slow bodies and early times."""
    n = loads.torque(t, p, omega)
    if omega @ omega < 1.0 or t < 0.3:
        return np.linalg.solve(body.inertia, n - gyro(body.inertia, omega))
    return euler(body, n, omega)


def loads_at_minus_p(t, p, omega, body, loads):
    """Evaluate the loads at -p, the same attitude."""
    return euler(body, loads.torque(t, -p, omega), omega)


def kinetic_energy_rate(t, p, h, body, loads):
    """Write the rate of h by the skew matrix of h."""
    omega = body.inverse_inertia @ h
    S = np.array([[0.0, -h[2], h[1]], [h[2], 0.0, -h[0]], [-h[1], h[0], 0.0]])
    return correct_rate(p, omega), loads.torque(t, p, omega) + S @ omega


CORRECT_ROUND_THREE = (
    (euler_angles_typed, None),
    (momentum_in_space_typed, None),
    (rotation_vector_typed, None),
    (mrp_typed, TOP),
    (momentum_with_numbers, None),
    (turned_axes, None),
    (jerk_free_identity, TOP),
    (branches_that_agree, None),
    (loads_at_minus_p, SKEWED),
    (kinetic_energy_rate, None),
)
