"""Sixty wrong formulations with the sentence that describes each mistake, and twenty correct ones.

Twenty have a known mistake each (`student_equations.STUDENT_EQUATIONS`). Forty others have one in a component, a factor, a
frame, a sign, a term, an interval of time or a region of states, the inertia, the normalization, or the loads. The
sentences were written from the mistakes, before `judge` was run on the equations. `judge` was then extended to find all of them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from student_equations import LEVER_ARM, SKEWED, STUDENT_EQUATIONS, WEIGHT, dcm, euler_equation

import quatviz as qv


class WrongFormulation(NamedTuple):
    """Equations with one mistake, and the part of the verdict that names the mistake."""

    equations: qv.TypedFormulation | Callable[..., Any]
    sentence: str
    preset: qv.Preset | None = None

    @property
    def name(self) -> str:
        if isinstance(self.equations, qv.TypedFormulation):
            return self.equations.name
        return self.equations.__name__


EULER = "omega' = solve(J, n - cross(omega, J @ omega))"
KINEMATICS = "p' = product(p, [0, omega])/2"
SPACE_EULER = "omega_space' = A @ solve(J, n - cross(omega, J @ omega))"
MRP_START = "s = where(p[0] < 0, -p[1:], p[1:])/(1 + abs(p[0]))"
MRP_ATTITUDE = "p = [1 - dot(s, s), 2*s]/(1 + dot(s, s))"
ANGLES_313_START = "k = A @ [0, 0, 1]\nm = A.T @ [0, 0, 1]\nphi = atan2(k[0], -k[1])\ntheta = acos(k[2])\npsi = atan2(m[0], m[1])"
ANGLES_313_ATTITUDE = (
    "p = [cos(theta/2)*cos((phi + psi)/2), sin(theta/2)*cos((phi - psi)/2),"
    " sin(theta/2)*sin((phi - psi)/2), cos(theta/2)*sin((phi + psi)/2)]"
)
PRECESSION = "(omega[0]*sin(psi) + omega[1]*cos(psi))/sin(theta)"
MOMENTA = "h = product(conjugate(p), g)[1:]/2\nw = solve(J, h)\nv = product(p, [0, w])/2\np' = v"


def typed(name: str, *rates: str, start: str = "", attitude: str = "") -> qv.TypedFormulation:
    return qv.TypedFormulation(f"{name}_typed", rates="\n".join(rates), start=start, attitude=attitude)


def newton_euler(name: str, rate: str) -> qv.TypedFormulation:
    """Return equations of omega with a wrong right side, and correct kinematics."""
    return typed(name, f"omega' = {rate}", KINEMATICS)


def kinematics(name: str, rate: str) -> qv.TypedFormulation:
    """Return correct equations of omega, with a wrong p'."""
    return typed(name, EULER, f"p' = {rate}")


def angles_313(name: str, theta_rate: str, psi_rate: str) -> qv.TypedFormulation:
    return typed(
        name, EULER, f"phi' = {PRECESSION}", f"theta' = {theta_rate}", f"psi' = {psi_rate}", "singular = abs(sin(theta))",
        start=ANGLES_313_START, attitude=ANGLES_313_ATTITUDE,
    )  # fmt: skip


# --- mistakes that a text cannot contain


def weight_also_written_out(t, p, omega, body, loads):
    n = loads.torque(t, p, omega) + np.cross(LEVER_ARM, dcm(p).T @ [0.0, 0.0, -WEIGHT])
    return euler_equation(body.inertia, omega, n)


def loads_of_a_tenth_of_a_second_ago(t, p, omega, body, loads):
    return euler_equation(body.inertia, omega, loads.torque(t - 0.1, p, omega))


def loads_of_the_opposite_rate(t, p, omega, body, loads):
    return euler_equation(body.inertia, omega, loads.torque(t, p, -omega))


def payload_added_to_the_inertia(t, p, omega, body, loads):
    J = body.inertia + np.diag([0.2, 0.2, 0.0])
    return euler_equation(J, omega, loads.torque(t, p, omega))


def inertia_of_turned_axes(t, p, omega, body, loads):
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return euler_equation(R @ body.inertia @ R.T, omega, loads.torque(t, p, omega))


KNOWN_MISTAKES = tuple(
    WrongFormulation(case.function, case.mistake, case.preset) for case in STUDENT_EQUATIONS
)
OTHER_MISTAKES = (
    # one component
    WrongFormulation(
        typed(
            "momentum_row_without_a_product",
            "w = solve(J, h)\nh' = n - [w[1]*h[2] - w[2]*h[1], w[2]*h[0], w[0]*h[1] - w[1]*h[0]]",
            "p' = product(p, [0, w])/2",
        ),
        "in h'_2: ω1 h3 missing",
    ),
    WrongFormulation(
        typed(
            "space_rate_with_a_wrong_sign",
            "a = A @ solve(J, n - cross(omega, J @ omega))\nomega_space' = [a[0], -a[1], a[2]]",
            KINEMATICS,
        ),
        "ω'_y only, times -1",
    ),
    WrongFormulation(
        typed("vertical_momentum_held", "N = A @ n\nh_space' = [N[0], N[1], 0]", "p' = product(p, [0, omega])/2"),
        "h'_z only, missing",
    ),
    WrongFormulation(
        angles_313(
            "nutation_with_a_wrong_sign", "omega[1]*sin(psi) - omega[0]*cos(psi)", f"omega[2] - cos(theta)*{PRECESSION}"
        ),
        "theta' only, times -1",
    ),
    WrongFormulation(
        angles_313("spin_without_precession", "omega[0]*cos(psi) - omega[1]*sin(psi)", "omega[2]"), "psi' only"
    ),
    # factors and halves
    WrongFormulation(
        typed(
            "second_derivative_without_half",
            "a = solve(J, n - cross(omega, J @ omega))\np' = p_rate\np_rate' = product(p, [0, a]) - dot(p_rate, p_rate)*p",
        ),
        "J ω' times 2",
    ),
    WrongFormulation(
        typed(
            "rate_of_half_the_size",
            "w = product(conjugate(p), p_rate)[1:]\na = solve(J, n - cross(w, J @ w))",
            "p' = p_rate\np_rate' = product(p, [0, a])/2 - dot(p_rate, p_rate)*p",
        ),
        "ω × Jω times 0.25",
    ),
    # frames and transposed matrices
    WrongFormulation(
        typed("space_rate_as_body_rate", SPACE_EULER, "p' = product(p, [0, omega_space])/2"), "in p', Aω in place of ω"
    ),
    WrongFormulation(
        typed("momentum_turned_the_wrong_way", "h_space' = A @ n\np' = product(p, [0, solve(J, A @ h_space)])/2"),
        "in p', ω = J⁻¹ A h with h in space",
    ),
    WrongFormulation(
        typed(
            "inertia_turned_the_wrong_way",
            "K = A.T @ J @ A\nomega_space' = solve(K, A @ n - cross(omega_space, K @ omega_space))",
            KINEMATICS,
        ),
        "AᵀJA in place of AJAᵀ",
    ),
    WrongFormulation(
        newton_euler("drag_in_space_components", "solve(J, n - 0.2*(A @ omega) - cross(omega, J @ omega))"),
        "additional torque -0.200 Aω",
    ),
    # signs
    WrongFormulation(
        kinematics(
            "one_product_with_a_wrong_sign",
            "[-p[1]*omega[0] - p[2]*omega[1] - p[3]*omega[2], p[0]*omega[0] + p[2]*omega[2] - p[3]*omega[1],"
            " p[0]*omega[1] + p[3]*omega[0] + p[1]*omega[2], p[0]*omega[2] + p[1]*omega[1] - p[2]*omega[0]]/2",
        ),
        "in p'_2: e1 ω3 times -1",
    ),
    WrongFormulation(
        newton_euler(
            "one_product_of_inertia_in_one_term",
            "solve(J, n - cross(omega, J @ omega - 2*J[1, 2]*[0, omega[2], omega[1]]))",
        ),
        "J23 times -1 in ω × Jω",
        SKEWED,
    ),
    WrongFormulation(
        typed(
            "modified_rodrigues_with_a_wrong_sign",
            EULER,
            "s' = ((1 - dot(s, s))*omega + 2*cross(s, omega) - 2*s*dot(s, omega))/4",
            start=MRP_START,
            attitude=MRP_ATTITUDE,
        ),
        "in s': s (s·ω) times -1",
    ),
    WrongFormulation(
        typed("multiplier_with_the_wrong_sign", MOMENTA, "g' = 2*product(p, [0, n]) - 2*product(v, [0, h]) + 2*dot(h, w)*p"),
        "λ has the opposite sign",
    ),
    # missing terms
    WrongFormulation(
        typed(
            "rodrigues_without_cross_product",
            EULER,
            "r' = (omega + r*dot(r, omega))/2\nsingular = 1/sqrt(1 + dot(r, r))",
            start="r = p[1:]/p[0]",
            attitude="p = [1, r]/sqrt(1 + dot(r, r))",
        ),
        "in r': r × ω missing",
    ),
    WrongFormulation(
        kinematics("quaternion_without_cross_product", "[-dot(p[1:], omega), p[0]*omega]/2"), "in p': e × ω missing"
    ),
    # only part of the time, or some of the states
    WrongFormulation(
        newton_euler("loads_switched_on_late", "solve(J, where(t < 0.5, 0*n, n) - cross(omega, J @ omega))"),
        "for t < 0.5 s: no_torque",
    ),
    WrongFormulation(
        newton_euler(
            "loads_doubled_for_a_while",
            "solve(J, where(t < 0.5, n, where(t < 1, 2*n, n)) - cross(omega, J @ omega))",
        ),
        "for 0.5 < t < 1 s: twice_torque",
    ),
    WrongFormulation(
        newton_euler("no_loads_upside_down", "solve(J, where(A[2, 2] < 0, 0*n, n) - cross(omega, J @ omega))"),
        "where A33 < 0: no_torque",
    ),
    WrongFormulation(
        newton_euler(
            "drag_above_a_speed", "solve(J, n - where(norm(omega) > 2, 0.2*omega, 0*omega) - cross(omega, J @ omega))"
        ),
        "where |ω| > 2 rad/s: additional torque -0.200 ω",
    ),
    WrongFormulation(
        newton_euler("sign_of_one_direction", "solve(J, n + sign(omega[0])*cross(omega, J @ omega))"),
        "where ω1 > 0: gyroscopic_sign",
    ),
    WrongFormulation(
        newton_euler("loads_that_grow_to_full_size", "solve(J, min(t, 1)*n - cross(omega, J @ omega))"),
        "for t < 1 s: the torque n times t",
    ),
    # additional torques
    WrongFormulation(
        newton_euler("shaken_body", "solve(J, n + [0.1*sin(3*t), 0, 0] - cross(omega, J @ omega))"),
        "additional torque (0.100, 0, 0) sin(3 t) N m in the body",
    ),
    WrongFormulation(
        newton_euler("cubic_drag", "solve(J, n - 0.03*dot(omega, omega)*omega - cross(omega, J @ omega))"),
        "additional torque -0.030 |ω|² ω",
    ),
    WrongFormulation(
        newton_euler("dry_friction", "solve(J, n - 0.1*omega/norm(omega) - cross(omega, J @ omega))"),
        "additional torque -0.100 ω/|ω|",
    ),
    WrongFormulation(
        newton_euler("spring_of_gibbs_vector", "solve(J, n - 0.5*p[1:]/p[0] - cross(omega, J @ omega))"),
        "additional torque -0.500 e/e0",
    ),
    # loads
    WrongFormulation(weight_also_written_out, "gravity acts twice", SKEWED),
    WrongFormulation(loads_of_a_tenth_of_a_second_ago, "the loads are evaluated at t - 0.100 s"),
    WrongFormulation(loads_of_the_opposite_rate, "the loads are evaluated at -ω"),
    # inertia
    WrongFormulation(payload_added_to_the_inertia, "an additional inertia (0.200, 0.200, 0) kg m²"),
    WrongFormulation(inertia_of_turned_axes, "J is turned by 30° about (0, 0, 1.000)"),
    WrongFormulation(
        newton_euler("multiplied_by_the_inertia", "J @ (n - cross(omega, J @ omega))"), "multiplied by J in place of J⁻¹"
    ),
    WrongFormulation(
        newton_euler("torque_not_divided", "n - solve(J, cross(omega, J @ omega))"), "n in place of J⁻¹n"
    ),
    WrongFormulation(
        newton_euler("inverse_in_the_gyroscopic_term", "solve(J, n - cross(omega, solve(J, omega)))"),
        "ω × J⁻¹ω in place of ω × Jω",
    ),
    # normalization
    WrongFormulation(
        kinematics("shrinking_quaternion", "product(p, [0, omega])/2 - 0.3*p"), "p' has an additional -0.300 p"
    ),
    WrongFormulation(newton_euler("unit_torque", "solve(J, n/norm(n) - cross(omega, J @ omega))"), "n/|n| in place of n"),
    WrongFormulation(
        kinematics("unit_rate", "product(p, [0, omega])/(2*norm(omega))"), "in p', ω/|ω| in place of ω"
    ),
    WrongFormulation(
        typed(
            "attitude_without_normalization",
            EULER,
            "s' = ((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4",
            start=MRP_START,
            attitude="p = [1 - dot(s, s), 2*s]",
        ),
        "p is not normalized",
    ),
    WrongFormulation(
        typed(
            "start_of_the_inverse_rotation",
            EULER,
            "s' = ((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4",
            start="s = -p[1:]/(1 + p[0])",
            attitude=MRP_ATTITUDE,
        ),
        "give the conjugate of p",
    ),
)  # fmt: skip
SIXTY = (*KNOWN_MISTAKES, *OTHER_MISTAKES)


# --- correct formulations in twenty sets of coordinates

MODIFIED_RODRIGUES = "((1 - dot(s, s))*omega + 2*cross(s, omega) + 2*s*dot(s, omega))/4"
TWENTY_CORRECT = (
    typed("quaternion_and_rate", EULER, KINEMATICS),
    typed("quaternion_and_space_rate", SPACE_EULER, KINEMATICS),
    typed("quaternion_and_momentum", "w = solve(J, h)\nh' = n - cross(w, h)\np' = product(p, [0, w])/2"),
    typed("quaternion_and_space_momentum", "h_space' = A @ n\np' = product([0, A @ solve(J, A.T @ h_space)], p)/2"),
    typed(
        "quaternion_and_derivative",
        "a = solve(J, n - cross(omega, J @ omega))\np' = p_rate\np_rate' = product(p, [0, a])/2 - dot(p_rate, p_rate)*p",
    ),
    typed(
        "quaternion_and_canonical_momenta", MOMENTA,
        "lam = 2*dot(h, w)\ng' = 2*product(p, [0, n]) - 2*product(v, [0, h]) - 2*dot(h, w)*p",
    ),
    typed(
        "quaternion_of_length_two", EULER, "q' = product(q, [0, omega])/2",
        start="q = 2*p", attitude="p = q/norm(q)",
    ),
    typed(
        "vector_part_of_the_quaternion", EULER,
        "e' = (sqrt(1 - dot(e, e))*omega + cross(e, omega))/2\nsingular = sqrt(1 - dot(e, e))",
        start="e = where(p[0] < 0, -p[1:], p[1:])", attitude="p = [sqrt(1 - dot(e, e)), e]",
    ),
    typed(
        "rodrigues", EULER, "r' = (omega + cross(r, omega) + r*dot(r, omega))/2\nsingular = 1/sqrt(1 + dot(r, r))",
        start="r = p[1:]/p[0]", attitude="p = [1, r]/sqrt(1 + dot(r, r))",
    ),
    typed("modified_rodrigues", EULER, f"s' = {MODIFIED_RODRIGUES}", start=MRP_START, attitude=MRP_ATTITUDE),
    typed(
        "wiener_milenkovic", EULER, "s = c/4", f"c' = 4*{MODIFIED_RODRIGUES}",
        start=f"{MRP_START}\nc = 4*s", attitude="b = dot(c, c)/16\np = [1 - b, c/2]/(1 + b)",
    ),
    typed(
        "rotation_vector", EULER, "a = norm(v)",
        "v' = omega + cross(v, omega)/2 + (1 - a/(2*tan(a/2)))/a**2*cross(v, cross(v, omega))\nsingular = abs(cos(a/4))",
        start="v = 2*atan2(norm(p[1:]), p[0])*p[1:]/norm(p[1:])", attitude="p = [cos(norm(v)/2), sin(norm(v)/2)/norm(v)*v]",
    ),
    typed(
        "angle_and_axis", EULER,
        "angle' = dot(u, omega)\nu' = (cross(u, omega) - cross(u, cross(u, omega))/tan(angle/2))/2\nsingular = abs(sin(angle/2))",
        start="angle = 2*atan2(norm(p[1:]), p[0])\nu = p[1:]/norm(p[1:])", attitude="p = [cos(angle/2), sin(angle/2)*u]",
    ),
    typed(
        "cayley_klein", EULER,
        "alpha_re' = -(beta_im*omega[0] + beta_re*omega[1] + alpha_im*omega[2])/2",
        "beta_im' = (alpha_re*omega[0] + beta_re*omega[2] - alpha_im*omega[1])/2",
        "beta_re' = (alpha_re*omega[1] + alpha_im*omega[0] - beta_im*omega[2])/2",
        "alpha_im' = (alpha_re*omega[2] + beta_im*omega[1] - beta_re*omega[0])/2",
        start="alpha_re = p[0]\nbeta_im = p[1]\nbeta_re = p[2]\nalpha_im = p[3]",
        attitude="p = [alpha_re, beta_im, beta_re, alpha_im]",
    ),
    angles_313("angles_313", "omega[0]*cos(psi) - omega[1]*sin(psi)", f"omega[2] - cos(theta)*{PRECESSION}"),
    typed(
        "angles_321", EULER,
        "yaw' = (omega[1]*sin(roll) + omega[2]*cos(roll))/cos(pitch)\npitch' = omega[1]*cos(roll) - omega[2]*sin(roll)",
        "roll' = omega[0] + tan(pitch)*(omega[1]*sin(roll) + omega[2]*cos(roll))\nsingular = abs(cos(pitch))",
        start="yaw = atan2(A[1, 0], A[0, 0])\npitch = -asin(A[2, 0])\nroll = atan2(A[2, 1], A[2, 2])",
        attitude=(
            "p = product(product([cos(yaw/2), 0, 0, sin(yaw/2)], [cos(pitch/2), 0, sin(pitch/2), 0]),"
            " [cos(roll/2), sin(roll/2), 0, 0])"
        ),
    ),
    typed(
        "angles_321_in_degrees", EULER, "c = 180/pi\nb = roll/c\na = pitch/c",
        "yaw' = c*(omega[1]*sin(b) + omega[2]*cos(b))/cos(a)\npitch' = c*(omega[1]*cos(b) - omega[2]*sin(b))",
        "roll' = c*omega[0] + c*tan(a)*(omega[1]*sin(b) + omega[2]*cos(b))\nsingular = abs(cos(a))",
        start="yaw = atan2(A[1, 0], A[0, 0])*180/pi\npitch = -asin(A[2, 0])*180/pi\nroll = atan2(A[2, 1], A[2, 2])*180/pi",
        attitude=(
            "k = pi/360\np = product(product([cos(k*yaw), 0, 0, sin(k*yaw)], [cos(k*pitch), 0, sin(k*pitch), 0]),"
            " [cos(k*roll), sin(k*roll), 0, 0])"
        ),
    ),
    typed(
        "direction_cosines", EULER, "a' = cross(a, omega)\nb' = cross(b, omega)\nc' = cross(c, omega)",
        "singular = sqrt(max(1 + a[0] + b[1] + c[2], 0))",
        start="a = A.T @ [1, 0, 0]\nb = A.T @ [0, 1, 0]\nc = A.T @ [0, 0, 1]",
        attitude="e0 = sqrt(1 + a[0] + b[1] + c[2])/2\np = [e0, (c[1] - b[2])/(4*e0), (a[2] - c[0])/(4*e0), (b[0] - a[1])/(4*e0)]",
    ),
    typed(
        "rate_in_turned_axes", "a = solve(J, n - cross(omega, J @ omega))\nu' = [0.6*a[0] - 0.8*a[1], 0.8*a[0] + 0.6*a[1], a[2]]",
        KINEMATICS,
        start="u = [0.6*omega[0] - 0.8*omega[1], 0.8*omega[0] + 0.6*omega[1], omega[2]]",
        attitude="omega = [0.6*u[0] + 0.8*u[1], 0.6*u[1] - 0.8*u[0], u[2]]",
    ),
    typed(
        "with_baumgarte", "a = solve(J, n - cross(omega, J @ omega))",
        "error = dot(p_rate, p_rate) + 10*dot(p, p_rate) + 12.5*(dot(p, p) - 1)",
        "p' = p_rate\np_rate' = product(p, [0, a])/2 - p*error",
    ),
)  # fmt: skip
