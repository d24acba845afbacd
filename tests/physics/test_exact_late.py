"""The closed forms after a million seconds, against the textbooks' formulae in 40 digits.

The textbooks use 3-1-3 angles and incomplete elliptic integrals of the third kind; the program uses theta functions.
The two are independent.
"""

from typing import Any

import mpmath
import numpy as np
import pytest

from quatviz.files.preset import Preset
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.rotations import rotation_matrix
from quatviz.verification.motions import reference_preset
from quatviz.verification.regimes import closed_form_presets

TIMES = (1.0, 1234.5, 1e6)


@pytest.fixture(autouse=True)
def forty_digits():
    with mpmath.workdps(40):
        yield


def about_3(angle: Any) -> Any:
    c, s = mpmath.cos(angle), mpmath.sin(angle)
    return mpmath.matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def about_1(angle: Any) -> Any:
    c, s = mpmath.cos(angle), mpmath.sin(angle)
    return mpmath.matrix([[1, 0, 0], [0, c, -s], [0, s, c]])


def third_kind(n: Any, u: Any, m: Any) -> Any:
    """The integral of 1/(1 - n sn^2) from 0 to u, over any number of periods."""
    K = mpmath.ellipk(m)
    halves = mpmath.nint(u / (2 * K))
    amplitude = mpmath.asin(mpmath.ellipfun("sn", u - 2 * halves * K, m=m))
    return 2 * halves * mpmath.ellippi(n, m) + mpmath.ellippi(n, amplitude, m)


def start_of(motion: Preset) -> tuple[list[Any], Any, Any]:
    """Return omega, p and A at t = 0."""
    omega = [mpmath.mpf(x) for x in motion.initial.omega(motion.body).tolist()]
    p = [mpmath.mpf(x) for x in motion.initial.p().tolist()]
    p = [x / mpmath.sqrt(sum(y**2 for y in p)) for x in p]
    e0, e = p[0], mpmath.matrix(p[1:])
    tilde = mpmath.matrix([[0, -p[3], p[2]], [p[3], 0, -p[1]], [-p[2], p[1], 0]])
    return omega, p, (2 * e0**2 - 1) * mpmath.eye(3) + 2 * (e * e.T + e0 * tilde)


def free(motion: Preset, t: Any) -> tuple[Any, list[Any]]:
    """A and omega of a body with J1 > J2 > J3 about its axes 1, 2, 3, above the separatrix, so that h circles axis 1."""
    J = [mpmath.mpf(float(x)) for x in np.diagonal(motion.body.inertia)]
    omega, _, A0 = start_of(motion)
    h = [a * b for a, b in zip(J, omega, strict=True)]
    H2, T2 = sum(x**2 for x in h), sum(x * y for x, y in zip(h, omega, strict=True))
    H = mpmath.sqrt(H2)
    a1, a2, a3 = 1 / J[0], 1 / J[1], 1 / J[2]
    # body 3-1-3 angles about body axis 1: cyclic names x = h2, y = h3, z = h1
    e = T2 / H2
    alpha2, gamma2 = (e - a1) / (a3 - a1), (a3 - e) / (a3 - a1)
    beta2 = (e - a1) / (a2 - a1)
    nu = H * mpmath.sqrt((a2 - a1) * (a3 - e))
    m = (a3 - a2) * (e - a1) / ((a2 - a1) * (a3 - e))
    side = mpmath.sign(h[0])
    phi = mpmath.atan2(-side * h[1] / mpmath.sqrt(beta2), h[2] / mpmath.sqrt(alpha2))
    u0 = mpmath.ellipf(phi, m)

    def at(time: Any) -> tuple[Any, list[Any]]:
        u = nu * time + u0
        sn, cn, dn = (mpmath.ellipfun(function, u, m=m) for function in ("sn", "cn", "dn"))
        z, x, y = side * mpmath.sqrt(gamma2) * dn, -side * mpmath.sqrt(beta2) * sn, mpmath.sqrt(alpha2) * cn
        n = -gamma2 * m / alpha2
        turned = (third_kind(n, u, m) - third_kind(n, u0, m)) / (alpha2 * nu)
        precession = H * a1 * time + H * (e - a1) * turned
        M = about_3(precession) * about_1(mpmath.acos(z)) * about_3(mpmath.atan2(x, y))
        return M, [H * z * a1, H * x * a2, H * y * a3]

    cyclic = mpmath.matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    (M, rate), (M0, _) = at(t), at(mpmath.mpf(0))
    return A0 * (M0 * cyclic).T * M * cyclic, rate


def roots(cubic: list[Any]) -> list[Any]:
    """Return the three real roots, by Newton's method from those of NumPy."""
    cubic_roots = sorted(np.roots([float(c) for c in cubic]).real)
    with mpmath.workdps(60):
        c3, c2, c1, c0 = cubic
        for index, z in enumerate(map(mpmath.mpf, cubic_roots)):
            for _ in range(60):
                z -= (((c3 * z + c2) * z + c1) * z + c0) / ((3 * c3 * z + 2 * c2) * z + c1)
            cubic_roots[index] = z
    return cubic_roots


def top(motion: Preset, t: Any) -> tuple[Any, list[Any]]:
    """A and omega of a symmetric top with its point of the force on the body z axis."""
    J1, J3 = (mpmath.mpf(float(motion.body.inertia[i, i])) for i in (0, 2))
    M = mpmath.mpf(motion.loads[0].weight) * mpmath.mpf(float(motion.loads[0].centre[2]))  # type: ignore[attr-defined]
    omega, _, A0 = start_of(motion)
    up = [A0[2, i] for i in range(3)]
    h3 = J3 * omega[2]
    h_z = J1 * (omega[0] * up[0] + omega[1] * up[1]) + h3 * up[2]
    a, b, slope = h3 / J1, h_z / J1, 2 * M / J1
    energy = omega[0] ** 2 + omega[1] ** 2 + slope * up[2]
    z1, z2, z3 = roots([slope, -(energy + a**2), 2 * a * b - slope, energy - b**2])
    rate = mpmath.sqrt(slope * (z3 - z1)) / 2
    m = (z2 - z1) / (z3 - z1)
    fall = up[0] * omega[1] - up[1] * omega[0]
    part = min(max((up[2] - z1) / (z2 - z1), mpmath.mpf(0)), mpmath.mpf(1))
    u0 = mpmath.ellipf(mpmath.asin(mpmath.sqrt(part)), m) * (1 if fall >= 0 else -1)

    def at(time: Any) -> tuple[Any, list[Any]]:
        u = rate * time + u0
        sn, cn, dn = (mpmath.ellipfun(function, u, m=m) for function in ("sn", "cn", "dn"))
        z = z1 + (z2 - z1) * sn**2
        z_rate = 2 * (z2 - z1) * rate * sn * cn * dn
        n_up, n_down = -(z2 - z1) / (1 + z1), (z2 - z1) / (1 - z1)
        above = (third_kind(n_up, u, m) - third_kind(n_up, u0, m)) / (rate * (1 + z1))
        below = (third_kind(n_down, u, m) - third_kind(n_down, u0, m)) / (rate * (1 - z1))
        plus, minus = (h_z + h3) / (2 * J1) * above, (h_z - h3) / (2 * J1) * below
        phi, psi = plus + minus, h3 * (1 / J3 - 1 / J1) * time + plus - minus
        theta = mpmath.acos(z)
        theta_rate, phi_rate = -z_rate / mpmath.sin(theta), (b - a * z) / (1 - z**2)
        across = phi_rate * mpmath.sin(theta)
        M = about_3(phi) * about_1(theta) * about_3(psi)
        return M, [theta_rate, across, psi]

    (M, (theta_rate, across, psi)), (M0, _) = at(t), at(mpmath.mpf(0))
    # psi is 0 at t = 0 in both frames, so the initial rotation about the body axis is M0^T ... A0
    first = mpmath.atan2(up[0], up[1]) if up[0] or up[1] else mpmath.mpf(0)
    M, M0, psi = M * about_3(first), M0 * about_3(first), psi + first
    w1 = across * mpmath.sin(psi) + theta_rate * mpmath.cos(psi)
    w2 = across * mpmath.cos(psi) - theta_rate * mpmath.sin(psi)
    return A0 * M0.T * M, [w1, w2, omega[2]]


def compare(motion: Preset, formula: Any, t: float, tolerance: float) -> None:
    A, omega = formula(motion, mpmath.mpf(t))
    p, rate = solve(
        motion.body, motion.loads, motion.initial.p(), motion.initial.omega(motion.body)
    ).evaluate(np.array([t]))
    expected = np.array(A.tolist(), dtype=float)
    assert np.abs(rotation_matrix(p[0]) - expected).max() < tolerance
    scale = max(abs(float(x)) for x in omega)
    assert np.abs(rate[0] - np.array(omega, dtype=float)).max() < tolerance * scale


@pytest.mark.parametrize("t", TIMES)
def test_free_body_matches_textbook_after_long_time(t: float) -> None:
    compare(reference_preset("torque_free"), free, t, 2e-14)


@pytest.mark.parametrize("t", TIMES)
@pytest.mark.parametrize("case", ["heavy_top", "simo_wong_top"])
def test_heavy_top_matches_textbook_after_long_time(case: str, t: float) -> None:
    compare(reference_preset(case), top, t, 2e-14)


@pytest.mark.parametrize("t", TIMES)
@pytest.mark.parametrize(
    "name", ["top, loops", "top, waves", "top, flat", "spherical pendulum", "top, waking"]
)
def test_further_tops_match_textbook_after_long_time(name: str, t: float) -> None:
    compare(closed_form_presets()[name], top, t, 2e-14)


@pytest.mark.parametrize("t", TIMES)
def test_spring_disk_matches_textbook_after_long_time(t: float) -> None:
    """phi = 2 asin(k sn(W t + K))/2 with k = sin 30 deg, W = sqrt(k r^2/J); from rest at 30 deg."""
    motion = reference_preset("spring_disk")
    _, p, _ = start_of(motion)
    k = 2 * p[0] * p[3]  # sin of the angle
    W = mpmath.sqrt(mpmath.mpf(10) / 2)
    u = W * mpmath.mpf(t) + mpmath.ellipk(k**2)
    angle = mpmath.asin(k * mpmath.ellipfun("sn", u, m=k**2))
    rate = W * k * mpmath.ellipfun("cn", u, m=k**2)
    got, omega = solve(
        motion.body, motion.loads, motion.initial.p(), motion.initial.omega(motion.body)
    ).evaluate(np.array([t]))
    assert abs(got[0, 0] - float(mpmath.cos(angle / 2))) < 2e-15
    assert abs(got[0, 3] - float(mpmath.sin(angle / 2))) < 2e-15
    assert abs(omega[0, 2] - float(rate)) < 2e-15
    assert not got[0, 1:3].any()
