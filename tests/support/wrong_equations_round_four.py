"""Twenty-five typed formulations with mistakes, a fourth round.

They were written after `judge` described all of sixty others. Of the first twenty-three, it described fifteen with the
expected sentence and three with another correct one, named one region inexactly, found no explanation of two, and explained
one wrongly.
"""

from sixty_wrong_formulations import (
    EULER,
    KINEMATICS,
    MRP_ATTITUDE,
    MRP_START,
    kinematics,
    newton_euler,
    typed,
)
from student_equations import SKEWED
from wrong_equations import WrongEquation

ANGLES_321_START = "yaw = atan2(A[1, 0], A[0, 0])\npitch = -asin(A[2, 0])\nroll = atan2(A[2, 1], A[2, 2])"
ANGLES_321_ATTITUDE = (
    "p = product(product([cos(yaw/2), 0, 0, sin(yaw/2)], [cos(pitch/2), 0, sin(pitch/2), 0]),"
    " [cos(roll/2), sin(roll/2), 0, 0])"
)
PITCH_RATE = "pitch' = omega[1]*cos(roll) - omega[2]*sin(roll)\nsingular = abs(cos(pitch))"
"""Correct line of the rate of the pitch angle, and its singularity."""


def angles_321(name, yaw_rate, roll_rate):
    return typed(
        name, EULER, f"yaw' = {yaw_rate}", PITCH_RATE, f"roll' = {roll_rate}",
        start=ANGLES_321_START, attitude=ANGLES_321_ATTITUDE,
    )  # fmt: skip


def with_torque(name, torque):
    return newton_euler(name, f"solve(J, {torque} - cross(omega, J @ omega))")


def momentum_in_space(name, rate):
    return typed(name, f"h_space' = {rate}", "p' = product(p, [0, omega])/2")


ACROSS = "(omega[1]*sin(roll) + omega[2]*cos(roll))"
ROUND_FOUR = (
    WrongEquation(
        typed("torque_in_body_components", "omega_space' = A @ solve(J, A.T @ n - cross(omega, J @ omega))", KINEMATICS),
        "torque_in_body",
    ),
    WrongEquation(
        typed("cross_product_with_a_plus", "w = solve(J, h)\nh' = n + cross(w, h)", "p' = product(p, [0, w])/2"),
        "gyroscopic_sign",
    ),
    WrongEquation(
        typed(
            "mrp_square_with_a_plus", EULER, "s' = ((1 + dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4",
            start=MRP_START, attitude=MRP_ATTITUDE,
        ),
        "in s': |s|² ω times -1",
    ),
    WrongEquation(
        typed(
            "rotation_vector_without_cross_product", EULER,
            "a = norm(v)\nv' = omega + (1 - a/(2*tan(a/2)))/a**2*cross(v, cross(v, omega))\nsingular = abs(cos(a/4))",
            start="v = 2*atan2(norm(p[1:]), p[0])*p[1:]/norm(p[1:])",
            attitude="p = [cos(norm(v)/2), sin(norm(v)/2)/norm(v)*v]",
        ),
        "e × ω missing",
    ),
    WrongEquation(angles_321("roll_without_yaw", f"{ACROSS}/cos(pitch)", "omega[0]"), "roll' only"),
    WrongEquation(
        angles_321("yaw_divided_by_the_sine", f"{ACROSS}/sin(pitch)", f"omega[0] + tan(pitch)*{ACROSS}"), "yaw' only"
    ),
    WrongEquation(
        typed(
            "one_sign_of_cayley_klein", EULER,
            "alpha_re' = -(beta_im*omega[0] + beta_re*omega[1] + alpha_im*omega[2])/2",
            "beta_im' = (alpha_re*omega[0] + beta_re*omega[2] - alpha_im*omega[1])/2",
            "beta_re' = (alpha_re*omega[1] + alpha_im*omega[0] + beta_im*omega[2])/2",
            "alpha_im' = (alpha_re*omega[2] + beta_im*omega[1] - beta_re*omega[0])/2",
            start="alpha_re = p[0]\nbeta_im = p[1]\nbeta_re = p[2]\nalpha_im = p[3]",
            attitude="p = [alpha_re, beta_im, beta_re, alpha_im]",
        ),
        "beta_re' only",
    ),
    WrongEquation(
        typed(
            "one_row_of_the_matrix_backwards", EULER, "a' = cross(a, omega)\nb' = cross(b, omega)\nc' = cross(omega, c)",
            "singular = sqrt(max(1 + a[0] + b[1] + c[2], 0))",
            start="a = A.T @ [1, 0, 0]\nb = A.T @ [0, 1, 0]\nc = A.T @ [0, 0, 1]",
            attitude=(
                "e0 = sqrt(1 + a[0] + b[1] + c[2])/2\n"
                "p = [e0, (c[1] - b[2])/(4*e0), (a[2] - c[0])/(4*e0), (b[0] - a[1])/(4*e0)]"
            ),
        ),
        "c' times -1",
    ),
    WrongEquation(
        typed(
            "friction_about_the_vertical", "W = A @ omega",
            "omega' = solve(J, n - A.T @ [0, 0, 0.2*W[2]] - cross(omega, J @ omega))", KINEMATICS,
        ),
        "additional torque -0.200 ω_z in component z in space",
    ),
    WrongEquation(
        typed(
            "no_vertical_torque", "N = A @ n",
            "omega' = solve(J, A.T @ [N[0], N[1], 0] - cross(omega, J @ omega))", KINEMATICS,
        ),
        "component 3 of the torque n in space only, missing",
    ),
    WrongEquation(with_torque("fading_torque", "exp(-t)*n"), "the torque n times exp(-t)"),
    WrongEquation(
        newton_euler("late_gyroscopic_term", "solve(J, n - where(t < 1, 0*omega, cross(omega, J @ omega)))"),
        "for t < 1 s: no_gyroscopic",
    ),
    WrongEquation(
        with_torque("drag_near_zero", "n - where(abs(omega[2]) < 0.5, 0.3*omega, 0*omega)"),
        "where |ω3| < 0.5 rad/s: additional torque -0.300 ω",
    ),
    WrongEquation(with_torque("spring_of_one_axis", "n - [0.3*p[1], 0, 0]"), "additional torque -0.300 e1 in component 1"),
    WrongEquation(
        newton_euler(
            "products_left_out_of_one_term",
            "solve(J, n - cross(omega, [J[0, 0]*omega[0], J[1, 1]*omega[1], J[2, 2]*omega[2]]))",
        ),
        "J12 missing, J13 missing and J23 missing in ω × Jω",
        SKEWED,
    ),
    WrongEquation(with_torque("control_left_in", "n - 0.5*p[1:] - 0.2*omega"), "additional torque -0.200 ω and -0.500 e"),
    WrongEquation(with_torque("torque_turned_by_the_rate", "n + 0.1*cross(omega, n)"), "additional torque 0.100 ω × n"),
    WrongEquation(
        kinematics("rate_with_an_offset", "product(p, [0, omega + [0, 0, 0.1]])/2"),
        "p' turns with an additional constant rate (0, 0, 0.100) rad/s in the body",
    ),
    WrongEquation(
        typed(
            "constraint_with_a_plus", "a = solve(J, n - cross(omega, J @ omega))",
            "p' = p_rate\np_rate' = product(p, [0, a])/2 + dot(p_rate, p_rate)*p",
        ),
        "the constraint is violated at the rate 2.000 |p'|²",
    ),
    WrongEquation(
        with_torque("torque_of_the_square_of_time", "n + 0.05*t**2*[0, 0, 1]"),
        "additional torque (0, 0, 0.050) t² N m in the body",
    ),
    WrongEquation(
        with_torque("half_of_small_torques", "where(norm(n) > 2, n, 0.5*n)"), "where |n| < 2 N m: half_torque"
    ),
    WrongEquation(
        kinematics("two_rates_exchanged", "product(p, [0, [omega[1], omega[0], omega[2]]])/2"),
        "in p' ω1 and ω2 are exchanged",
    ),
    WrongEquation(
        momentum_in_space("momentum_in_space_with_a_term_of_the_body", "A @ n - cross(omega, h_space)"),
        "in h_space' an additional term - ω × h_space: the rate of h in space is the torque alone",
    ),
    WrongEquation(
        momentum_in_space("momentum_in_space_in_a_turning_frame", "A @ n - cross(A @ omega, h_space)"),
        "twice_gyroscopic",
    ),
    WrongEquation(
        momentum_in_space("momentum_in_space_by_the_equation_of_the_body", "n - cross(omega, J @ omega)"),
        "in h_space' n in place of A n, and an additional term - ω × Jω",
    ),
)  # fmt: skip
