"""Errata of S3, Shivarama and Fahrenthold (2004)."""

from dataclasses import replace

import numpy as np

from quatviz.physics.formulations import make_formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics import rotations as r
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.observables.printed_angles import angles_as_printed, angles_by_quadrant
from quatviz.verification.arrays import (
    derivative_at_zero,
    dot,
    partial_derivatives,
    random_p,
    times,
    transpose,
)
from quatviz.verification.errata.base import STATE_COUNT, Erratum, ErratumResiduals
from quatviz.verification.motions import ring_preset

FIGURE_6_DURATION = 40.0
"""Time [s] over which the jumps of Figure 6 are counted at intervals of 0.01 s. The time span of the figure is not
known.
"""
FIGURE_6_JUMPS, FIGURE_6_JUMPS_AS_PRINTED = 17, 28
"""Number of jumps of phi and psi in `FIGURE_6_DURATION`, with atan2 and with the quotients as printed."""
FIGURE_6_WRONG_SHARE = 0.48
"""Fraction of the samples at which the angles from the printed quotients describe a wrong orientation."""


def precession_angle(random: np.random.Generator) -> ErratumResiduals:
    """Compare the precession angle of the sequence 3-1-3 with atan2(e3, e0) + atan2(e2, e1) as corrected, and
    with the printed quotients, which lose the quadrant."""
    p = random_p(random, STATE_COUNT)
    A = r.rotation_matrix(p)
    exact = np.arctan2(A[:, 0, 2], -A[:, 1, 2])
    return ErratumResiduals(
        *(np.sin(0.5 * (f(p)[:, 0] - exact)) for f in (angles_by_quadrant, angles_as_printed))
    )


def angle_of_the_disk(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate the angle of Figure 3, where e1 = e2 = 0. The quotient that eq. S3(2) prints is then 0/0,
    whereas atan2 is defined."""
    angle = random.uniform(-3.0, 3.0, STATE_COUNT)
    zero = np.zeros(STATE_COUNT)
    p = np.stack((np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)), axis=1)
    printed = np.nan_to_num(angles_as_printed(p)[:, 0] - angle, nan=np.pi)
    return ErratumResiduals(2.0 * np.arctan2(p[:, 3], p[:, 0]) - angle, printed)


def third_row_of_E(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate the third component of E e, which must be 0, for the third row of E as corrected and as
    printed."""
    p = random_p(random, STATE_COUNT)
    e0, e1, e2, e3 = p.T
    corrected, printed = np.stack((-e3, -e2, e1, e0), axis=1), np.stack((-e3, e2, e1, e0), axis=1)
    return ErratumResiduals(dot(corrected, p), dot(printed, p))


def third_row_of_G(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate the third component of G e, which must be 0, for the third row of G as corrected and as
    printed."""
    p = random_p(random, STATE_COUNT)
    e0, e1, e2, e3 = p.T
    corrected, printed = np.stack((-e3, e2, -e1, e0), axis=1), np.stack((-e3, -e2, -e1, e0), axis=1)
    return ErratumResiduals(dot(corrected, p), dot(printed, p))


def slope_of_kinetic_energy(random: np.random.Generator) -> ErratumResiduals:
    """Compare dT/de at constant g, by finite differences, with -k + 4T e as corrected, and with -k as
    printed."""
    p, h = random_p(random, STATE_COUNT), random.normal(size=(STATE_COUNT, 3))
    J = np.diag([1.0, 2.0, 2.5])
    g = 2.0 * times(transpose(r.matrix_L(p)), h)

    def kinetic(at: np.ndarray) -> np.ndarray:
        half = times(r.matrix_L(at), g)
        return dot(half, times(np.linalg.inv(J), half)) / 8.0

    slope = partial_derivatives(kinetic, p)
    rate = r.rate_from_omega(p, h @ np.linalg.inv(J))
    k = -2.0 * times(transpose(r.matrix_L(rate)), h)
    return ErratumResiduals(slope + k - 4.0 * kinetic(p)[:, None] * p, slope + k)


def moment_of_the_spring(random: np.random.Generator) -> ErratumResiduals:
    """Compare the moment of the spring in eq. S3(46) with the derivative of its energy, eq. S3(45), for a
    radius of 1.7 m. The moment is proportional to the squared radius as corrected, and to the radius as
    printed."""
    phi, k, radius = random.uniform(-1.0, 1.0, STATE_COUNT), 10.0, 1.7
    slope = derivative_at_zero(lambda s: 0.5 * k * radius**2 * np.sin(phi + s) ** 2)
    moment = 0.5 * k * np.sin(2.0 * phi)
    return ErratumResiduals(moment * radius**2 - slope, moment * radius - slope)


def least_h1(random: np.random.Generator) -> ErratumResiduals:
    """Compare h1 at h3 = 0, computed from the two integrals |h|^2 and T, with the corrected and the printed
    value.

    A residual is the part of the error that exceeds half a unit of the last printed digit, measured in units of
    this digit.
    """
    J, h = np.array([400.0, 307.808385, 200.0]), np.array([346.4101616, 0.0, -200.0])
    square, energy = h @ h, (h**2 / J).sum()
    exact = np.sqrt((energy - square / J[1]) / (1.0 / J[0] - 1.0 / J[1]))
    return ErratumResiduals(*(_beyond_half_a_digit(value, exact, 1e-4) for value in (162.6297, 162.6296)))


def _beyond_half_a_digit(value: float, exact: float, digit: float) -> np.ndarray:
    return np.array([max(abs(value - exact) / digit - 0.5, 0.0)])


def missing_parameters_of_the_top(random: np.random.Generator) -> ErratumResiduals:
    """Evaluate e^T e - 1 for Table 4. It vanishes for e2 = e3 = 0, as corrected, and not for other values of
    e2, which the table leaves open."""
    given = np.array([np.cos(0.15), np.sin(0.15), 0.0, 0.0])
    open_value = np.zeros((STATE_COUNT, 4))
    open_value[:, 2] = random.uniform(0.2, 1.0, STATE_COUNT)
    return ErratumResiduals(*(dot(p, p) - 1.0 for p in (given[None, :], given + open_value)))


def length_of_the_top(random: np.random.Generator) -> ErratumResiduals:
    """Compare the precession rate W l / h3 with that of Table 5, for l = 1 m as corrected, and for other
    lengths l."""
    other_lengths = np.array([0.5, 2.0])
    return ErratumResiduals(np.array([20.0 * 1.0 / 50.0 - 0.4]), 20.0 * other_lengths / 50.0 - 0.4)


def nutation_of_the_top(random: np.random.Generator) -> ErratumResiduals:
    """Compare the exact nutation frequency, an elliptic integral, with the corrected and the printed value.

    A residual is the part of the error that exceeds half a unit of the last printed digit, measured in units of
    this digit. With u the cosine of the tilt, u'^2 = 8 (u0 - u)(u - u1)(u2 - u), where u1 and u2 solve
    8 (1 - u^2) = 100 (u0 - u).
    """
    start = np.cos(0.3)
    least, beyond = np.sort(np.roots([1.0, -12.5, 12.5 * start - 1.0]).real)
    # Complete elliptic integral K(m) = pi / (2 agm(1, sqrt(1 - m))), by the arithmetic-geometric mean.
    mean, geometric = 1.0, np.sqrt(1.0 - (start - least) / (beyond - least))
    for _ in range(6):
        mean, geometric = 0.5 * (mean + geometric), np.sqrt(mean * geometric)
    period = 4.0 / np.sqrt(8.0 * (beyond - least)) * np.pi / (2.0 * mean)
    return ErratumResiduals(
        *(_beyond_half_a_digit(value, 2.0 * np.pi / period, 1e-2) for value in (9.21, 9.24))
    )


def potential_of_the_ring(random: np.random.Generator) -> ErratumResiduals:
    """Compare g.(A c), for the center of mass c, with -V/m as corrected (with A), and as printed (with
    A^T)."""
    p, g = random_p(random, STATE_COUNT), np.array([0.3, -0.2, -9.8])
    A, center = r.rotation_matrix(p), random.normal(size=(STATE_COUNT, 3))
    height = r.rotate(p, center) @ g
    printed = np.einsum("i,nji,nj->n", g, A, center)
    corrected = np.einsum("i,nij,nj->n", g, A, center)
    return ErratumResiduals(corrected - height, printed - height)


def unit_of_the_damping(random: np.random.Generator) -> ErratumResiduals:
    """Compare the motions of the ring computed in kilograms and in grams. They agree if C_d has the unit
    kg/s, as corrected, and differ if C_d is dimensionless, as printed."""
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
    return ErratumResiduals((in_grams - in_kilograms) / size, (as_a_number - in_kilograms) / size)


def origin_of_the_ring(random: np.random.Generator) -> ErratumResiduals:
    """Compare the kinetic energy of the arc about the rotor's center of mass, summed over points, with 1/2 omega^T
    J_m omega.
    """
    arc = Ring(mass=1.3, mean_radius=0.8, offset=0.6, arc_angle=2.0, spin=0.0)
    angles = 2.0 * (np.arange(2000) + 0.5) / 2000 - 1.0
    points = np.column_stack((0.8 * np.cos(angles), 0.8 * np.sin(angles), np.full(2000, 0.6)))
    omega = random.normal(size=(STATE_COUNT, 3))
    energy = 0.5 * 1.3 * (np.cross(omega[:, None, :], points) ** 2).sum(2).mean(1)
    residuals = [
        0.5 * np.einsum("ni,ij,nj->n", omega, ring.inertia, omega) - energy
        for ring in (arc, replace(arc, offset=0.0))
    ]
    return ErratumResiduals(*residuals)


ERRATA = (
    Erratum(
        "S3(2), (3) and Figure 6",
        "quadrants of the 3-1-3 angles",
        r"$\phi = \tan^{-1}(e_3/e_0) + \tan^{-1}(e_2/e_1)$, and $\psi$ with the difference",
        r"$\mathrm{atan2}(e_3, e_0) \pm \mathrm{atan2}(e_2, e_1)$; undefined for $e_1 = e_2 = 0$ and for "
        r"$e_0 = e_3 = 0$",
        r"A quotient is the same for $(e_3, e_0)$ and $(-e_3, -e_0)$. Where one of the two pairs is in the left half plane, "
        r"$\phi$ and $\psi$ are wrong by half a turn, which is another orientation. "
        f"In the first {FIGURE_6_DURATION:.0f} s of the torque-free body the printed equations give "
        f"{FIGURE_6_JUMPS_AS_PRINTED} jumps of half a turn, and a wrong orientation in {100 * FIGURE_6_WRONG_SHARE:.0f} % of the "
        f"samples. With atan2 there are {FIGURE_6_JUMPS} jumps, each of a whole turn, and no wrong orientation. quatviz shows "
        "these. `quatviz verify figures` counts both. Which of them the authors drew is unknown: our copy has the caption only.",
        "S3(2, 3): precession",
        residuals=precession_angle,
    ),
    Erratum(
        "S3 Figure 3, caption",
        "angle of the disk",
        "$e_0$ and $e_3$ “determine the nonzero Euler angle in accordance with equation (2)”",
        r"$\phi = 2\,\mathrm{atan2}(e_3, e_0)$",
        r"The disk turns about its axis, so that $e_1 = e_2 = 0$ and the second quotient of (2) is $0/0$. The motion stays in "
        r"the singularity $\theta = 0$, where only $\phi + \psi$ has a meaning.",
        "S3 Figure 3: the angle",
        residuals=angle_of_the_disk,
    ),
    Erratum(
        "S3(7), third row",
        "sign in E",
        r"$(-e_3, e_2, e_1, e_0)$",
        r"$(-e_3, -e_2, e_1, e_0)$",
        r"As printed the row times $e$ is $2e_1e_2$ where $E e = 0$ must hold, and $R = E G^T$ is no rotation. S0(8) has the "
        r"correct sign.",
        "S3(7): E e = 0",
        residuals=third_row_of_E,
    ),
    Erratum(
        "S3(8), third row",
        "sign in G",
        r"$(-e_3, -e_2, -e_1, e_0)$",
        r"$(-e_3, e_2, -e_1, e_0)$",
        r"As printed the row times $e$ is $-2e_1e_2$, against S3(11), $G e = 0$. S0(9) has the correct sign.",
        "S3(8): G e = 0",
        residuals=third_row_of_G,
    ),
    Erratum(
        "S3(23) and (74)",
        "slope of the kinetic energy",
        r"$\partial T/\partial e = -k$",
        r"$\partial T/\partial e = -k + 4Te$",
        r"The appendix takes $\dot e$ and $g$ for functions of each other. But $4G^TJG$ has rank 3: $g$ cannot be chosen "
        r"freely, and the differential $dg$ is bound to $e^Tg = 0$. On that surface both slopes differ by a multiple of $e$ "
        r"only, which $G e = 0$ removes: S3(42) is right all the same.",
        "S3(23, 74): dT/de",
        residuals=slope_of_kinetic_energy,
    ),
    Erratum(
        "S3(46)",
        "moment of the spring",
        r"$\tfrac12 k r\sin 2\phi$",
        r"$\tfrac12 k r^2\sin 2\phi$",
        r"S3(45) is $V = \tfrac12 k r^2\sin^2\phi$, whose slope is $\tfrac12 k r^2\sin 2\phi$. As printed it is no moment but a "
        r"force. Table 1 has $r = 1$ m, so Figure 2 is the same.",
        "S3(46): moment = dV/dphi for r = 1.7",
        residuals=moment_of_the_spring,
    ),
    Erratum(
        "S3 Table 3, last period",
        "name of the component",
        "“Period of $h_2$” twice",
        "the second is the period of $h_3$",
        r"$h_2$ and $h_3$ are proportional to sn and cn of the same argument, and share the period of 18.6786 s. The table "
        r"lists amplitudes of $h_1$, $h_2$ and $h_3$ before.",
        "S3 Table 3: period of h3 [s]",
        "published",
    ),
    Erratum(
        "S3 Table 3, minimum of h₁",
        "last digit",
        "exact solution 162.6296",
        "162.6297",
        r"Where $h_3 = 0$, $h_1^2 + h_2^2 = |h|^2$ and $h_1^2/J_1 + h_2^2/J_2 = 2T$. The data of Table 2 give "
        r"$h_1 = 162.629717$.",
        "S3 Table 3: exact min h1 to its last digit",
        residuals=least_h1,
    ),
    Erratum(
        "S3 Table 4, e₃ and e₄",
        "names of the Euler parameters",
        r"$e_3 = 0$, $e_4 = 0$",
        r"$e_2 = 0$, $e_3 = 0$",
        r"S3(1) numbers them $e_0$ to $e_3$: there is no $e_4$, and $e_2$ is missing. As $e_0^2 + e_1^2 = 1$, the constraint "
        r"S3(9) leaves zero for both others.",
        "S3 Table 4: e^T e = 1",
        residuals=missing_parameters_of_the_top,
    ),
    Erratum(
        "S3 Table 4, length",
        "distance of the center of mass",
        "no length is given",
        "1 m from the pivot to the center of mass",
        r"The fast-top approximation of the precession is $W l/h_3$. Table 5 has 0.40 rad/s, so $l = 0.4 \cdot 50/20 = 1$ m.",
        "S3 Table 4: W l / h3 = 0.40",
        residuals=length_of_the_top,
    ),
    Erratum(
        "S3 Table 5, nutation",
        "accuracy of the numerical frequency",
        "9.24 rad/s",
        "9.21 rad/s; exactly 9.209425",
        r"The exact period is 0.682256 s, an elliptic integral over the tilt from 0.3 to 0.3267337 rad. $2\pi/0.68 = 9.24$: the "
        r"period seems to have been read with two digits. The mean precession is 0.416425 rad/s, where the table has 0.4136.",
        "S3 Table 5: nutation to its last digit",
        residuals=nutation_of_the_top,
    ),
    Erratum(
        "S3(50)",
        "potential of the ring",
        r"$V = -m\,g_c R^T B^T r_c$",
        r"$V = -m\,g_c^T R B^T r_c$",
        r"$B$ maps rotor to ring components, S3(51), so $B^T r_c$ is in rotor components. $R$ maps those to space, S3(5). $g_c$ is "
        r"in space components and a column.",
        "S3(50): -V/m = g . position",
        residuals=potential_of_the_ring,
    ),
    Erratum(
        "S3 below (52)",
        "unit of the damping coefficient",
        r"$C_d$ is “dimensionless”",
        r"$C_d$ is in kg/s",
        r"$C_d R^2\dot\beta$ of S3(52) is a moment, kg m²/s². $R^2\dot\beta$ has m²/s, which leaves kg/s.",
        "S3 below (52): the unit of C_d",
        residuals=unit_of_the_damping,
    ),
    Erratum(
        "S3, text on the ring damper",
        "origin of the frames",
        "both body-fixed frames are “co-located at the centroid of the damper”",
        "at the center of mass of the rotor",
        r"Only the rotor's center of mass is fixed. About the damper's centroid, $r_c$ would have no $L$, and "
        r"$\tfrac12\omega_m^T J_m\omega_m$ would leave out the velocity of the centroid.",
        "S3, ring: the origin of both frames",
        residuals=origin_of_the_ring,
    ),
    Erratum(
        "S3(54)-(66)",
        "reactions of the constraints",
        r"$T = \mu c$ and $T_m = -\mu c$: only the constraint S3(59) has a multiplier",
        "the two constraints S3(58) have reactions too, which act on ring and rotor",
        r"S3(58) makes the ring turn with the rotor about $u$ and $v$. These moments are missing in (53), and (66) takes a row of "
        r"$J_m^{-1}(\ldots)$ that contains them. As printed, without gravity and damping, energy falls by 0.26 % and the angular "
        r"momentum wanders by 2.1 % in 2 s. [ring_damper](formulations.md#ring_damper-ring-damper-consistent) has all "
        r"reactions; [ring_damper_as_printed](formulations.md#ring_damper_as_printed-ring-damper-as-printed) has none.",
        "as printed, energy falls by",
        "rings",
    ),
    Erratum(
        "S3, reference 6",
        "pages",
        "pp. 561-5991",
        "pp. 569–591",
        "S4's reference 2 is the same paper of Morton, and has these pages.",
    ),
)
