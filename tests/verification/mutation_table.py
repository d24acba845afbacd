"""Wrong signs and factors that `quatviz verify` must see, by the name of the formulation or load that they are in."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """An edit of one place in a source file, after which a check of `quatviz verify` must fail.

    Parameters
    ----------
    old, new
        Text that is replaced, and its replacement. `old` must occur exactly once outside of strings.
    file
        The edited file, relative to `quatviz/`. Default: `kernel.py` in the folder of the formulation or load, or
        the file of its class if it has none.
    detected_by
        The check that must fail, as `part.function` of `quatviz.verification.parts`. Default: the comparison of
        derivatives of a formulation.
    formulation
        The formulation whose derivatives are compared. Default: the one that the mutation is listed under.
    """

    old: str
    new: str
    file: str = ""
    detected_by: str = ""
    formulation: str = ""


FORMULATION_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "euler_angles": (
        Mutation("combined3(q1, first, q2 * q3, second)", "combined3(-q1, first, q2 * q3, second)"),
        Mutation("combined3(c3, par.second, -s3,", "combined3(c3, par.second, s3,"),
    ),
    "exact": (
        Mutation(
            "multiply(turn, swing",
            "multiply(swing, turn",
            file="physics/exact/torque_free.py",
            detected_by="exact.check_regimes",
        ),
        Mutation(
            "theta_function = theta.theta1 if self.sign > 0",
            "theta_function = theta.theta2 if self.sign > 0",
            file="physics/exact/heavy_top.py",
            detected_by="exact.check_regimes",
        ),
        Mutation(
            "self._n**2 * abs(phasor)",
            "self._n * abs(phasor)",
            file="physics/exact/pendulum.py",
            detected_by="exact.check_regimes",
        ),
    ),
    "hamilton": (
        Mutation("h_rate = cross(h, omega)", "h_rate = cross(omega, h)"),
        Mutation(
            "-controller[1], omega)",
            "controller[1], omega)",
            file="physics/formulations/_kernels/rotors.py",
            detected_by="rotors.check_newton_euler",
        ),
        Mutation(
            "speed_reserve - abs(speed)",
            "speed_reserve + abs(speed)",
            file="physics/formulations/_kernels/rotors.py",
            detected_by="rotors.check_newton_euler",
        ),
        Mutation(
            "if axis == i]",
            "if axis == (i + 1) % 3]",
            file="physics/formulations/_kernels/rotors.py",
            detected_by="rotors.check_newton_euler",
        ),
    ),
    "hamilton_canonical": (
        Mutation("combined4(1.0, force, -lam, p)", "combined4(1.0, force, lam, p)"),
        Mutation("force = (-2.0 * k[0]", "force = (2.0 * k[0]"),
        Mutation("-2.0 * dot3(omega, h), p)", "2.0 * dot3(omega, h), p)"),
    ),
    "lagrange_full": (
        Mutation("return (8.0 * q[0]", "return (4.0 * q[0]"),
        Mutation(
            "s00 * e0 + s01 * e1 + s02 * e2",
            "s00 * e0 - s01 * e1 + s02 * e2",
            file="physics/loads/_kernels/packed.py",
        ),
        Mutation(
            "4.0 * dot3(l1, c2)", "4.0 * dot3(l1, c3)", file="physics/formulations/_kernels/lagrange.py"
        ),
        Mutation(
            "0.25 * q[2] + p[2] * along",
            "0.25 * q[2] - p[2] * along",
            file="physics/formulations/_kernels/lagrange.py",
        ),
    ),
    "lagrange_projected": (
        Mutation("-2.0 * g[1]", "2.0 * g[1]"),
        Mutation("(p[3], p[0], -p[1])", "(p[3], p[0], p[1])"),
        Mutation(
            "return -dot4(p_rate, p_rate)",
            "return dot4(p_rate, p_rate)",
            file="physics/formulations/_kernels/rates.py",
        ),
    ),
    "lagrange_simplified": (Mutation("return (8.0 * q[0]", "return (-8.0 * q[0]"),),
    "lie_group": (
        Mutation(
            "+ p[2] * q[3] - p[3] * q[2]", "+ p[2] * q[3] + p[3] * q[2]", file="physics/kernels/algebra.py"
        ),
    ),
    "mistaken": (
        Mutation("cross(h, omega), 0.0", "cross(omega, h), 0.0", detected_by="mistaken.check_kernels"),
        Mutation(
            "par.space, GT_times(p, omega)",
            "par.body, GT_times(p, omega)",
            detected_by="mistaken.check_kernels",
        ),
    ),
    "modified_rodrigues": (Mutation("0.25 * (1.0 - dot3(sigma", "0.25 * (1.0 + dot3(sigma"),),
    "newton_euler": (
        Mutation("(False, inertia, omega), omega)", "(False, inertia, omega), (0.0, 0.0, 0.0))"),
        Mutation("(j3 - j1) * w3", "(j1 - j3) * w3"),
        Mutation("moment = add3(moment, body_torque", "moment = add3((0.0, 0.0, 0.0), body_torque"),
        Mutation(
            "e3 * v1 + e0 * v2 - e1 * v3",
            "e3 * v1 + e0 * v2 + e1 * v3",
            file="physics/kernels/algebra.py",
        ),
    ),
    "recording": (
        Mutation(
            "(1.0 - u) * start - u * end",
            "(1.0 - u) * start + u * end",
            file="physics/mechanics/rotation_interpolation.py",
            detected_by="recordings.check_between_samples",
        ),
        Mutation(
            "omega + 0.5 * across",
            "omega - 0.5 * across",
            file="physics/mechanics/rotation_interpolation.py",
            detected_by="recordings.check_between_samples",
        ),
        Mutation(
            "lengths[:, None] * convention_of(options).attitude_of(values)",
            "lengths[:, None] * convention_of(options).attitude_of(values)[:, [0, 2, 1, 3]]",
            file="recordings/loading.py",
            detected_by="recordings.check_conventions",
        ),
        Mutation(
            "return rotate_back(p, omega)",
            "return rotate(p, omega)",
            file="recordings/conventions.py",
            detected_by="recordings.check_conventions",
        ),
    ),
    "reduced_euler_parameters": (
        Mutation("-2.0 * (dot3(rate, rate) +", "-2.0 * (dot3(rate, rate) -"),
        Mutation("-2.0, cross(q, axis)", "2.0, cross(q, axis)"),
    ),
    "ring_damper": (
        Mutation(
            "combined3(1.0, ring, -1.0, ring_weight",
            "combined3(1.0, ring, 1.0, ring_weight",
            detected_by="rings.check_random_states",
        ),
        Mutation("-par.drag * beta_rate", "par.drag * beta_rate", detected_by="rings.check_random_states"),
    ),
    "ring_damper_as_printed": (
        Mutation("beta_rate - weight[2]", "beta_rate + weight[2]", detected_by="rings.check_random_states"),
    ),
    "rotation_vector": (
        Mutation("omega, 0.5, once)", "omega, -0.5, once)"),
        Mutation("(1.0 - half * math.cos(half)", "(1.0 + half * math.cos(half)"),
    ),
    "udwadia_schutte": (Mutation("combined4(0.5, acceleration", "combined4(-0.5, acceleration"),),
    "udwadia_schutte_fundamental": (
        Mutation("along), -coefficient", "along), coefficient"),
        Mutation("- dot4(u, free)) /", "+ dot4(u, free)) /"),
    ),
    "udwadia_schutte_unconstrained": (
        Mutation(
            "combined4(1.0, Q, 2.0,", "combined4(1.0, Q, -2.0,", detected_by="fundamental.check_off_sphere"
        ),
        Mutation(
            "combined4(-8.0 * par.J0",
            "combined4(-4.0 * par.J0",
            file="physics/formulations/_kernels/free_inertia.py",
            detected_by="fundamental.check_off_sphere",
        ),
    ),
    "one_angle": (
        Mutation(
            "self.axis @ torque) / self._inertia",
            "self.axis @ torque) * self._inertia",
            file="physics/formulations/one_angle/motion.py",
            detected_by="exact.check_one_angle",
        ),
    ),
    "udwadia_schutte_unconstrained_consistent": (
        Mutation("8.0 * par.J0", "4.0 * par.J0", detected_by="free_inertia._check_consistent_law"),
        Mutation(
            "combined4(1.0, Q, 2.0,", "combined4(1.0, Q, -2.0,", detected_by="derivatives.check_formulation"
        ),
    ),
}

LOAD_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "damping": (Mutation("combined3(-1.0, times", "combined3(1.0, times", formulation="newton_euler"),),
    "gravity": (
        Mutation(
            "np.cross(point, force)",
            "np.cross(force, point)",
            file="physics/loads/_packing.py",
            formulation="hamilton",
        ),
    ),
    "guided_spring": (
        Mutation("scaled4(-2.0, half", "scaled4(-1.0, half", detected_by="work.check_potentials"),
    ),
    "spring": (
        Mutation("row[7] / length - 1.0", "row[7] / length + 1.0", formulation="hamilton"),
        Mutation(
            "(-0.5 * n[0], -0.5 * n[1]",
            "(-0.5 * n[0], 0.5 * n[1]",
            file="physics/kernels/forces.py",
            formulation="newton_euler",
        ),
    ),
}
