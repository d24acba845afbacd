"""The misprints of the documents: as printed the equation fails, corrected it holds."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics import rotations as r
from quatviz.physics.mechanics import scalar_last
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.ring import Ring
from quatviz.verification.arrays import (
    E4,
    derivative_at_zero,
    dot,
    partial_derivatives,
    random_p,
    scale_rows,
    times,
    transpose,
)
from quatviz.verification.check import Check, check_exceeds, check_zero
from quatviz.verification.motions import ring_preset
from quatviz.verification.parts.base import VerificationPart

STATE_COUNT = 200
RUN_DESCRIPTION = f"identity, {STATE_COUNT} random states"
TOLERANCE = 1e-6
"""Loose enough for the arc that is summed point by point; the others hold to 1e-10."""
MIN_MISPRINT_RESIDUAL = 1e-2


class Erratum(NamedTuple):
    """Residuals (n, ...) of the equation as printed and as corrected."""

    name: str
    printed: np.ndarray
    corrected: np.ndarray


class Errata(VerificationPart):
    """Each row of the table of errata that states an equation; those about words and labels have nothing to compute."""

    name = "errata"
    title = "Errata of the documents, largest residual"

    def checks(self, full: bool) -> Iterator[Check]:
        random = np.random.default_rng(55)
        for make in ERRATA:
            erratum = make(random)
            yield check_zero(f"{erratum.name}, corrected", erratum.corrected, TOLERANCE, RUN_DESCRIPTION)
            yield check_exceeds(
                f"{erratum.name}, as printed",
                np.abs(erratum.printed).max(),
                MIN_MISPRINT_RESIDUAL,
                RUN_DESCRIPTION,
            )


def third_row_of_E(random: np.random.Generator) -> Erratum:
    p = random_p(random, STATE_COUNT)
    e0, e1, e2, e3 = p.T
    printed = np.stack((-e3, e2, e1, e0), axis=1)
    corrected = np.stack((-e3, -e2, e1, e0), axis=1)
    return Erratum("S3(7): E e = 0", dot(printed, p), dot(corrected, p))


def third_row_of_G(random: np.random.Generator) -> Erratum:
    p = random_p(random, STATE_COUNT)
    e0, e1, e2, e3 = p.T
    printed = np.stack((-e3, -e2, -e1, e0), axis=1)
    corrected = np.stack((-e3, e2, -e1, e0), axis=1)
    return Erratum("S3(8): G e = 0", dot(printed, p), dot(corrected, p))


def moment_of_the_spring(random: np.random.Generator) -> Erratum:
    phi, k, radius = random.uniform(-1.0, 1.0, STATE_COUNT), 10.0, 1.7
    slope = derivative_at_zero(lambda s: 0.5 * k * radius**2 * np.sin(phi + s) ** 2)
    moment = 0.5 * k * np.sin(2.0 * phi)
    return Erratum(
        "S3(46): moment = dV/dphi for r = 1.7", moment * radius - slope, moment * radius**2 - slope
    )


def four_quadrants(random: np.random.Generator) -> Erratum:
    """Precession of 3-1-3 = atan2(e3, e0) + atan2(e2, e1): a quotient loses the quadrant."""
    p = random_p(random, STATE_COUNT)
    A = r.rotation_matrix(p)
    exact = np.arctan2(A[:, 0, 2], -A[:, 1, 2])
    with_quadrant = np.arctan2(p[:, 3], p[:, 0]) + np.arctan2(p[:, 2], p[:, 1])
    quotient = np.arctan(p[:, 3] / p[:, 0]) + np.arctan(p[:, 2] / p[:, 1])
    residuals = [np.sin(0.5 * (angle - exact)) for angle in (quotient, with_quadrant)]
    return Erratum("S3(2, 3): precession", *residuals)


def potential_of_the_ring(random: np.random.Generator) -> Erratum:
    p, g = random_p(random, STATE_COUNT), np.array([0.3, -0.2, -9.8])
    A, centre = r.rotation_matrix(p), random.normal(size=(STATE_COUNT, 3))
    height = r.rotate(p, centre) @ g
    printed = np.einsum("i,nji,nj->n", g, A, centre)
    corrected = np.einsum("i,nij,nj->n", g, A, centre)
    return Erratum("S3(50): -V/m = g . position", printed - height, corrected - height)


def table_4_has_no_length(random: np.random.Generator) -> Erratum:
    """Table 5's precession W l / h3 = 0.40 rad/s asks for l = 1 m; any other length misses it."""
    length = np.array([0.5, 2.0])
    return Erratum(
        "S3 Table 4: W l / h3 = 0.40", 20.0 * length / 50.0 - 0.4, np.array([20.0 * 1.0 / 50.0 - 0.4])
    )


def least_h1(random: np.random.Generator) -> Erratum:
    """Where h3 = 0: h1^2 + h2^2 = H^2 and h1^2/J1 + h2^2/J2 = 2T, in units of the last digit printed."""
    J, h = np.array([400.0, 307.808385, 200.0]), np.array([346.4101616, 0.0, -200.0])
    square, energy = h @ h, (h**2 / J).sum()
    exact = np.sqrt((energy - square / J[1]) / (1.0 / J[0] - 1.0 / J[1]))
    digit = [np.array([max(abs(value - exact) / 1e-4 - 0.5, 0.0)]) for value in (162.6296, 162.6297)]
    return Erratum("S3 Table 3: exact min h1 to its last digit", *digit)


def twice_or_four_times(random: np.random.Generator) -> Erratum:
    p, rate = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    rate -= scale_rows(dot(p, rate), p)
    J = np.diag([1.0, 2.0, 2.5])
    omega = r.omega_from_rate(p, rate)
    value = 2.0 * dot(omega, times(J, omega))
    T = 0.5 * dot(omega, times(J, omega))
    return Erratum("S4 below (20): 2 omega^T J omega in T", value - 2.0 * T, value - 4.0 * T)


def torque_of_three_components(random: np.random.Generator) -> Erratum:
    """Virtual work of the generalised torque, S4(31), with Gamma_B as in S4(30)."""
    p, torque, rotation = (
        random_p(random, STATE_COUNT),
        random.normal(size=(STATE_COUNT, 3)),
        random.normal(size=(STATE_COUNT, 3)),
    )
    step = r.rate_from_omega(p, rotation)
    work = dot(torque, rotation)
    residuals = []
    for torque_components in (torque[:, [0, 1, 0]], torque):
        Q = 2.0 * times(transpose(r.matrix_L(p)), torque_components)
        residuals.append(dot(Q, step) - work)
    return Erratum("S4(30): virtual work", *residuals)


def first_entry_of_S(random: np.random.Generator) -> Erratum:
    """M^T S = 8/q1 I, S2(54, 55), the first row of its product with the first column of S."""
    q = random_p(random, STATE_COUNT)
    q[:, 0] = 0.3 + np.abs(q[:, 0])
    q = r.normalize(q)
    q1, q2, q3, q4 = q.T
    below = np.stack((-q4 + q2 * q3 / q1, q3 + q2 * q4 / q1), axis=1)
    residuals = []
    for first in (q1 + q2 / q1, q1 + q2**2 / q1):
        column = np.column_stack((first, below))
        residuals.append((np.stack((q1, -q4, q3), axis=1) * column).sum(1) - 1.0)
    return Erratum("S2(55): first entry of the product", *residuals)


def slope_of_kinetic_energy(random: np.random.Generator) -> Erratum:
    """dT/de at given g by finite differences, against -k and -k + 4T e."""
    p, h = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 3))
    J = np.diag([1.0, 2.0, 2.5])
    g = 2.0 * times(transpose(r.matrix_L(p)), h)

    def kinetic(at: np.ndarray) -> np.ndarray:
        half = times(r.matrix_L(at), g)
        return dot(half, times(np.linalg.inv(J), half)) / 8.0

    slope = partial_derivatives(kinetic, p)
    rate = r.rate_from_omega(p, h @ np.linalg.inv(J))
    k = -2.0 * times(transpose(r.matrix_L(rate)), h)
    return Erratum("S3(23, 74): dT/de", slope + k, slope + k - 4.0 * kinetic(p)[:, None] * p)


def rates_off_the_sphere(random: np.random.Generator) -> Erratum:
    """2 E u' = -2 E' u only where u.u' = 0."""
    u, rate = 1.2 * random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    tangent = rate - scale_rows(dot(u, rate), u) / dot(u, u)[:, None]
    residuals = [times(E4(u), v) + times(E4(v), u) for v in (rate, tangent)]
    return Erratum("S4(1, 7): E u' = -E' u", *residuals)


def lagrange_for_independent_u(random: np.random.Generator) -> Erratum:
    """d/dt dT/du' - dT/du by finite differences off the sphere, against the left side of S4(10)."""
    u, v, a = (
        1.2 * random_p(random, STATE_COUNT),
        random.normal(size=(STATE_COUNT, 4)),
        random.normal(size=(STATE_COUNT, 4)),
    )
    J4 = np.diag([0.7, 1.0, 2.0, 2.5])

    def momentum(at: np.ndarray, rate: np.ndarray) -> np.ndarray:
        E = E4(at)
        return 4.0 * times(transpose(E) @ J4 @ E, rate)

    momentum_rate = derivative_at_zero(lambda s: momentum(u + s * v, v + s * a))
    slope = partial_derivatives(lambda at: 0.5 * dot(momentum(at, v), v), u)
    E, E_rate = E4(u), E4(v)
    left_side = momentum(u, a) + 8.0 * times(transpose(E_rate) @ J4 @ E, v)
    left_side += 4.0 * 0.7 * scale_rows(dot(v, v), u)
    missing = 8.0 * 0.7 * scale_rows(dot(u, v), v)
    return Erratum(
        "S4(8, 10): Lagrange's equation off the sphere",
        left_side - momentum_rate + slope,
        left_side - missing - momentum_rate + slope,
    )


def inverse_off_the_sphere(random: np.random.Generator) -> Erratum:
    u = 1.2 * random_p(random, STATE_COUNT)
    J4 = np.diag([0.7, 1.0, 2.0, 2.5])
    E = E4(u)
    mass, inverse = transpose(E) @ J4 @ E, transpose(E) @ np.linalg.inv(J4) @ E
    scale = (dot(u, u) ** 2)[:, None, None]
    return Erratum(
        "S4(13): M_u times its inverse", mass @ inverse - np.eye(4), mass @ inverse / scale - np.eye(4)
    )


def half_the_jacobian(random: np.random.Generator) -> Erratum:
    """S0 below (23): p^T is half of the Jacobian of p^T p - 1."""
    p = random_p(random, STATE_COUNT)
    slope = partial_derivatives(lambda at: dot(at, at), p)
    return Erratum("S0 below (23): Jacobian of the constraint", slope - p, slope - 2.0 * p)


def torque_in_which_frame(random: np.random.Generator) -> Erratum:
    """S0 below (79): Q = 2 L^T n with the torque in body components, by virtual work."""
    p, n_space, rotation = (
        random_p(random, STATE_COUNT),
        random.normal(size=(STATE_COUNT, 3)),
        random.normal(size=(STATE_COUNT, 3)),
    )
    step = r.rate_from_omega(p, rotation)
    work = (n_space * r.rotate(p, rotation)).sum(1)
    LT = transpose(r.matrix_L(p))
    residuals = [(2.0 * times(LT, n) * step).sum(1) - work for n in (n_space, r.rotate_back(p, n_space))]
    return Erratum("S0 below (79): virtual work", *residuals)


def dotted_by_what(random: np.random.Generator) -> Erratum:
    """S1(9): omega'_1 = sum of R_3i R'_i2, where R' is [R]' or its transpose."""
    eps, rate = _random_motion(random)
    R, R_rate = scalar_last.matrix_R(eps), derivative_at_zero(lambda s: scalar_last.matrix_R(eps + s * rate))
    omega = 2.0 * np.einsum("ni,ni->n", scalar_last.matrix_E_body(eps)[:, 0], rate)
    printed, corrected = (np.einsum("ni,ni->n", R[:, 2], slope) for slope in (R_rate[:, :, 1], R_rate[:, 1]))
    return Erratum("S1(9): the first component", printed - omega, corrected - omega)


def bracket_of_the_expansion(random: np.random.Generator) -> Erratum:
    """S1's omega_1 before terms cancel: the first 4 stands before all four terms."""
    eps, rate = _random_motion(random)
    e1, e2, e3, e4 = eps.T
    d1, d2, d3, d4 = rate.T
    first = (e1 * e2 * e3 + e3**2 * e4) * d1
    others = (
        -(e1 * e2 * e4 + e3 * e4**2) * d2
        + (e1**2 * e2 + e1 * e3 * e4) * d3
        - (e1 * e2**2 + e2 * e3 * e4) * d4
    )
    middle = 2.0 * (d2 * e3 + e2 * d3 + d1 * e4 + e1 * d4) * (-(e1**2) + e2**2 - e3**2 + e4**2)
    last = (e1**2 * e4 - e1 * e2 * e3) * d1 + (e1 * e2 * e4 - e2**2 * e3) * d2
    last += (e3**2 * e2 - e1 * e3 * e4) * d3 + (e2 * e3 * e4 - e1 * e4**2) * d4
    remaining_terms = middle + 4.0 * last - 2.0 * np.einsum("ni,ni->n", scalar_last.matrix_E(eps)[:, 0], rate)
    return Erratum(
        "S1, expansion of omega_1",
        4.0 * first + others + remaining_terms,
        4.0 * (first + others) + remaining_terms,
    )


def unit_of_the_damping(random: np.random.Generator) -> Erratum:
    """S3 below (52): in grams the ring moves as it does in kilograms, if C_d is in kg/s and not a number."""
    preset = ring_preset(damping=2.0, gravity=9.81)
    body, ring = preset.body, preset.body.ring
    assert ring is not None
    form = make_formulation("ring_damper")
    rates_at_start = random.normal(size=(STATE_COUNT, 3))

    def rates(scale: float, damping: float) -> np.ndarray:
        scaled_ring = replace(ring, mass=scale * ring.mass, damping=damping)
        parameters = form.parameters(Body(inertia=scale * body.inertia, ring=scaled_ring), ())
        states = (form.start(preset.initial.p(), omega, parameters).tolist() for omega in rates_at_start)
        return np.array([blocks.derivative(parameters, 0.0, tuple(state))[0] for state in states])

    in_kilograms, as_a_number, in_grams = rates(1.0, 2.0), rates(1e3, 2.0), rates(1e3, 2e3)
    size = np.abs(in_kilograms).max()
    return Erratum(
        "S3 below (52): the unit of C_d",
        (as_a_number - in_kilograms) / size,
        (in_grams - in_kilograms) / size,
    )


def origin_of_the_ring(random: np.random.Generator) -> Erratum:
    """T of the arc, point by point about the rotor's centre of mass, which alone stays fixed: 1/2 omega^T J_m omega with J_m
    about the damper's centroid leaves L out."""
    arc = Ring(mass=1.3, mean_radius=0.8, offset=0.6, arc_angle=2.0, spin=0.0)
    angles = 2.0 * (np.arange(2000) + 0.5) / 2000 - 1.0
    points = np.column_stack((0.8 * np.cos(angles), 0.8 * np.sin(angles), np.full(2000, 0.6)))
    omega = random.normal(size=(STATE_COUNT, 3))
    energy = 0.5 * 1.3 * (np.cross(omega[:, None, :], points) ** 2).sum(2).mean(1)
    residuals = [
        0.5 * np.einsum("ni,ij,nj->n", omega, ring.inertia, omega) - energy
        for ring in (replace(arc, offset=0.0), arc)
    ]
    return Erratum("S3, ring: the origin of both frames", *residuals)


def angle_of_the_disk(random: np.random.Generator) -> Erratum:
    """S3 Figure 3: e1 = e2 = 0, where the quotient of (2) is 0/0 and no angle."""
    angle = random.uniform(-3.0, 3.0, STATE_COUNT)
    e0, e3, nothing = np.cos(0.5 * angle), np.sin(0.5 * angle), np.zeros(STATE_COUNT)
    with np.errstate(invalid="ignore"):
        printed = np.arctan(e3 / e0) + np.arctan(nothing / nothing) - angle
    return Erratum(
        "S3 Figure 3: the angle", np.nan_to_num(printed, nan=np.pi), 2.0 * np.arctan2(e3, e0) - angle
    )


def _random_motion(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """eps and eps' (n, 4) on the sphere, scalar last."""
    eps, rate = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 4))
    return eps, rate - scale_rows(dot(eps, rate), eps)


ERRATA: tuple[Callable[[np.random.Generator], Erratum], ...] = (
    third_row_of_E,
    third_row_of_G,
    moment_of_the_spring,
    four_quadrants,
    potential_of_the_ring,
    table_4_has_no_length,
    least_h1,
    twice_or_four_times,
    torque_of_three_components,
    first_entry_of_S,
    slope_of_kinetic_energy,
    rates_off_the_sphere,
    lagrange_for_independent_u,
    inverse_off_the_sphere,
    half_the_jacobian,
    torque_in_which_frame,
    dotted_by_what,
    bracket_of_the_expansion,
    unit_of_the_damping,
    origin_of_the_ring,
    angle_of_the_disk,
)
