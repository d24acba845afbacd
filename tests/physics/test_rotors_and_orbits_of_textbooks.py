"""Published results on gyrostats, damping, pivots and orbits that no preset, formulation or other test was made from."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import quatviz as qv

FORMS = ("newton_euler", "hamilton", "udwadia_schutte")
ORBIT: dict[str, Any] = {
    "gravitational_parameter": 1.0, "distance": 1.0, "direction": [0.0, 0.0, 1.0], "normal": [0.0, 1.0, 0.0],
}  # fmt: skip
"""An orbit with the mean motion 1 rad/s; at the start z points up and x forward."""


def simulate(
    body: qv.Body, omega: Any, duration: float, dt: float, p: Any = (1.0, 0.0, 0.0, 0.0), loads: Any = (),
    form: str = "newton_euler", interval: float = 0.05,
) -> Any:  # fmt: skip
    initial = qv.Initial(euler_parameters=list(p), angular_velocity=list(omega))
    preset = qv.Preset(body=body, initial=initial, loads=loads, run=qv.RunSettings(duration, dt, interval))
    lane = qv.simulate(preset, lanes=[qv.Lane(form, integrator="gauss6")]).lanes[0]
    assert lane.status == "ok", lane.message
    return lane


def matrices(p: np.ndarray) -> np.ndarray:
    """A (n, 3, 3) from body to space, written out."""
    e0, e1, e2, e3 = p.T
    return np.array(
        [
            [1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)],
        ]
    ).transpose(2, 0, 1)


def linear_motion(matrix: Any, start: Any, t: np.ndarray) -> np.ndarray:
    """Solution (n, k) of y' = M y, by eigenvectors."""
    values, vectors = np.linalg.eig(np.array(matrix, dtype=complex))
    weights = np.linalg.solve(vectors, np.array(start, dtype=complex))
    return (vectors @ (weights[:, None] * np.exp(np.outer(values, t)))).T


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("oblateness", "momentum", "case"),
    [
        (0.2, 1.5, "stable"),
        (-0.5, 3.0, "stable"),
        (0.3, -2.0, "stable"),
        (0.2, 0.7, "divergent"),
        (-0.8, 1.9, "divergent"),
        (-0.45, 0.93, "oscillating with growth"),
    ],
)
def test_spinning_axisymmetric_satellite_with_a_rotor(
    oblateness: float, momentum: float, case: str, form: str
) -> None:
    """Thomson 1962, Kane and Mingori 1965: s^4 + ((r - 1)^2 + 1 + 3k) s^2 + (r - 1)(r - 1 + 3k) = 0, with the axial
    momentum r n J1 along the normal of the orbit and k = J3/J1 - 1."""
    r, k, size, spin, n = momentum, oblateness, 1e-6, 0.6, 1.0
    b, c = (r - 1.0) ** 2 + 1.0 + 3.0 * k, (r - 1.0) * (r - 1.0 + 3.0 * k)
    squares = np.roots([1.0, b, c])
    stable = np.all(np.abs(squares.imag) < 1e-12) and np.all(squares.real < 0.0)
    assert case == ("stable" if stable else "divergent" if c < 0.0 else "oscillating with growth")
    rotor = qv.Rotor(axis=[0, 0, 1], law="constant_momentum", momentum=r - (1.0 + k) * spin)
    # The body axis 3 is along the normal, which is y in space, tilted by `size` about x.
    half = 0.25 * np.pi - 0.5 * size
    lane = simulate(
        qv.Body(inertia=[1.0, 1.0, 1.0 + k], rotors=[rotor]), [0.0, 0.0, spin], 5.0, 1e-2,
        p=(np.cos(half), -np.sin(half), 0.0, 0.0), form=form,
        loads=[qv.GravityGradient(**ORBIT, orbit="circular")],
    )  # fmt: skip
    axis = matrices(lane.p)[:, :, 2]
    forward = np.stack([np.cos(n * lane.t), np.zeros_like(lane.t), -np.sin(n * lane.t)], axis=1)
    up = np.stack([np.sin(n * lane.t), np.zeros_like(lane.t), np.cos(n * lane.t)], axis=1)
    tilt = np.stack([(axis * forward).sum(axis=1), (axis * up).sum(axis=1)], axis=1)
    # The axis is at rest in space at the start, and so turns backward in the orbital frame.
    x, z = tilt[0]
    equations = [
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [1 - r, 0, 0, r - 2],
        [0, 1 - r - 3 * k, 2 - r, 0],
    ]
    expected = linear_motion(equations, [x, z, -n * z, n * x], lane.t)[:, :2].real
    assert np.hypot(x, z) == pytest.approx(size, rel=1e-9)
    assert np.abs(tilt - expected).max() < 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize(
    ("inertia", "unstable"),
    [
        ([0.9, 1.0, 0.4], ()),  # the region of Lagrange: moments pitch > roll > yaw
        ([1.71, 0.914, 1.0], ()),  # the region of DeBra and Delp: pitch is the smallest moment
        ([0.7, 1.0, 0.8], ("pitch",)),
        ([1.0, 0.8, 0.7], ("roll and yaw",)),
        ([1.0, 0.5, 0.8], ("roll and yaw",)),  # an oscillation that grows
        ([0.7, 0.8, 1.0], ("pitch", "roll and yaw")),
    ],
)
def test_stable_and_unstable_satellites_in_a_circular_orbit(
    inertia: list[float], unstable: tuple[str, ...]
) -> None:
    """DeBra and Delp 1961; Hughes, Spacecraft Attitude Dynamics, 9.2: small motions in the regions of Smelt's
    parameters k1 = (J2 - J3)/J1 and k3 = (J2 - J1)/J3."""
    J, size = np.array(inertia), 1e-8
    k1, k3 = (J[1] - J[2]) / J[0], (J[1] - J[0]) / J[2]
    b, c = 1.0 + 3.0 * k1 + k1 * k3, 4.0 * k1 * k3
    assert (J[0] < J[2]) == ("pitch" in unstable)
    assert (not (b > 0.0 and c > 0.0 and b * b > 4.0 * c)) == ("roll and yaw" in unstable)
    roll, pitch, yaw = size * np.array([0.5, 0.8, 0.3])
    lane = simulate(
        qv.Body(inertia=J), [0.0, 1.0, 0.0], 8.0, 1e-2, p=(1.0, 0.5 * roll, 0.5 * pitch, 0.5 * yaw),
        loads=[qv.GravityGradient(**ORBIT, orbit="circular")],
    )  # fmt: skip
    angles = np.radians(lane.orbital_angles)
    swing = pitch * np.cos(np.sqrt(complex(3.0 * (J[0] - J[2]) / J[1])) * lane.t).real
    assert angles[:, 0] == pytest.approx(swing, abs=1e-5 * np.abs(swing).max())
    # omega = (roll' + yaw, 1 + pitch', yaw' - roll) in small angles
    equations = [[0, 0, 1, 0], [0, 0, 0, 1], [-4 * k1, 0, 0, k1 - 1], [0, -k3, 1 - k3, 0]]
    expected = linear_motion(equations, [roll, yaw, -yaw, roll], lane.t)[:, :2].real
    assert np.abs(angles[:, 1:] - expected).max() < 1e-5 * np.abs(expected).max()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("momentum", "damping", "is_stable"), [(7.0, 0.0, True), (7.0, 0.5, False), (5.0, 0.0, False)]
)
def test_damping_ends_the_gyroscopic_stability_of_an_inverted_pendulum(
    momentum: float, damping: float, is_stable: bool, form: str
) -> None:
    """Thomson and Tait, Natural Philosophy, 345; Chetaev: J z'' + (d - i h) z' - W l z = 0, stable only for d = 0 and
    h^2 > 4 J W l."""
    J, h, d, stiffness, size = 2.0, momentum, damping, 5.0 * 1.0, 1e-6
    roots = np.roots([J, d - 1j * h, -stiffness])
    assert (roots.real.max() < 1e-12) == is_stable
    assert (h * h > 4.0 * J * stiffness) == (h == 7.0)
    wheel = qv.Rotor(axis=[0, 0, 1], law="constant_momentum", momentum=h)
    loads = [qv.Gravity(weight=5.0, centre=[0.0, 0.0, 1.0]), qv.Damping(matrix=[d, d, 0.0])]
    lane = simulate(
        qv.Body(inertia=[J, J, 0.8], about="pivot", rotors=[wheel]), [0.0, 0.0, 0.0], 5.0, 5e-3,
        p=(1.0, 0.5 * size, 0.0, 0.0), loads=loads, form=form,
    )  # fmt: skip
    axis = matrices(lane.p)[:, :, 2]
    tilt = axis[:, 0] + 1j * axis[:, 1]
    weights = np.linalg.solve(np.vstack([np.ones(2), roots]), np.array([tilt[0], 0.0]))
    expected = np.exp(np.outer(lane.t, roots)) @ weights
    assert np.abs(tilt - expected).max() < 1e-7 * np.abs(expected).max()


@pytest.mark.parametrize("axial", [1.5, 0.6])
def test_nutation_damping_by_a_transverse_wheel(axial: float) -> None:
    """Likins, JPL TR 32-860, and Hughes, Spacecraft Attitude Dynamics, 5.3: a viscous wheel across the spin axis damps
    the nutation about the axis of the largest moment, and drives it about that of the smallest."""
    J, inertia, friction, spin, size = 1.0, 0.1, 0.06, 2.0, 1e-6
    k = (axial - J) / J * spin
    mass = [[J, 0.0, inertia], [0.0, J, 0.0], [inertia, 0.0, inertia]]
    forces = [[0.0, -k * J, 0.0], [k * J, 0.0, -inertia * spin], [0.0, 0.0, -friction]]
    equations = np.linalg.solve(mass, forces)
    growth = np.linalg.eigvals(equations).real
    assert (growth.max() < 0.0) == (axial > J)
    wheel = qv.Rotor(axis=[1, 0, 0], inertia=inertia, friction=friction)
    lane = simulate(qv.Body(inertia=[J, J, axial], rotors=[wheel]), [size, 0.0, spin], 40.0, 5e-3)
    expected = linear_motion(equations, [size, 0.0, 0.0], lane.t).real
    values = np.column_stack([lane.omega[:, :2], lane.rotor_speed[:, 0]])
    assert np.abs(values - expected).max() < 1e-7 * np.abs(expected).max()


def test_libration_in_the_spin_orbit_resonance_of_mercury() -> None:
    """Goldreich and Peale 1966: gamma'' + 3/2 n^2 (B - A)/C H(3/2, e) sin(2 gamma) = 0 on average over an orbit, with
    gamma = theta - 3/2 M and H(3/2, e) = 7/2 e - 123/16 e^3 + ..., the mean of (a/r)^3 cos(3 M - 2 f)."""
    e, start = 0.2056, 0.25 * np.pi
    E = np.arange(4096) * 2.0 * np.pi / 4096
    r, M = 1.0 - e * np.cos(E), E - e * np.sin(E)
    f = 2.0 * np.arctan2(np.sqrt(1.0 + e) * np.sin(0.5 * E), np.sqrt(1.0 - e) * np.cos(0.5 * E))
    H = float(np.mean(np.cos(3.0 * M - 2.0 * f) / r**2))
    assert pytest.approx(3.5 * e - 123.0 / 16.0 * e**3, abs=2e-3) == H
    errors = []
    for ratio in (1e-3, 2.5e-4):
        rate = np.sqrt(3.0 * ratio * H)
        orbits = int(4.0 * ellipk(np.sin(start) ** 2) / rate / (2.0 * np.pi))
        orbit = qv.GravityGradient(
            gravitational_parameter=1.0, distance=1.0, direction=[1.0, 0.0, 0.0], normal=[0.0, 0.0, 1.0],
            orbit="elliptic", eccentricity=e,
        )  # fmt: skip
        lane = simulate(
            qv.Body(inertia=[0.8, 0.8 + ratio, 1.0]), [0.0, 0.0, 1.5], 2.0 * np.pi * orbits, np.pi / 200.0,
            p=(np.cos(0.5 * start), 0.0, 0.0, np.sin(0.5 * start)), loads=[orbit], interval=2.0 * np.pi,
        )  # fmt: skip
        theta = 2.0 * np.arctan2(lane.p[:, 3], lane.p[:, 0])
        gamma = np.unwrap(theta - 1.5 * lane.t, period=np.pi)
        gamma -= np.pi * np.round((gamma[0] - start) / np.pi)
        _, cn, dn, _ = ellipj(rate * lane.t, np.sin(start) ** 2)
        errors.append(np.abs(np.sin(gamma) - np.sin(start) * cn / dn).max())
    assert errors[0] < 0.01
    assert errors[1] < errors[0] / 3.0, "the average is of first order in (B - A)/C"


def test_flat_spin_recovery_of_a_dual_spin_satellite() -> None:
    """Hall and Rand 1994: x' = ((i2 - i3) x2 x3, (i3 x1 - mu) x3, (mu - i2 x1) x2), mu' = const., and, in a slow
    recovery, Gebman and Mingori 1976: x1 = mu/i2 until mu = i2; i = 1 - J/J_k with the axial moment J of the platform."""
    moments, wheel_inertia = np.array([2.0, 3.0, 2.5]), 0.2
    platform = moments[0] - wheel_inertia
    i2, i3 = 1.0 - platform / moments[1], 1.0 - platform / moments[2]
    errors = []
    for torque in (4e-4, 2e-4):
        wheel = qv.Rotor(axis=[1, 0, 0], inertia=wheel_inertia, law="motor", torque=torque)
        duration = 0.6 / torque
        lane = simulate(
            qv.Body(inertia=moments, rotors=[wheel]),
            [0.0, 1.0 / moments[1], 0.0],
            duration,
            0.05,
            interval=1.0,
        )
        x, mu = lane.h, lane.rotor_momentum[:, 0]
        assert mu == pytest.approx(torque * lane.t, abs=1e-12)

        def slope(t: float, x: np.ndarray, torque: float = torque) -> np.ndarray:
            mu = torque * t
            rates = np.array([(i2 - i3) * x[1] * x[2], (i3 * x[0] - mu) * x[2], (mu - i2 * x[0]) * x[1]])
            return rates / platform

        solution = solve_ivp(
            slope, (0.0, lane.t[-1]), [0.0, 1.0, 0.0], "DOP853", t_eval=lane.t, rtol=1e-12, atol=1e-13
        )
        assert np.abs(solution.y.T - x).max() < 1e-8
        recovers = mu < 0.9 * i2
        errors.append(np.abs(x[recovers, 0] - mu[recovers] / i2).max())
        assert x[-1, 0] > 0.98, "the spin is about the axis of the wheel again"
    assert errors[0] < 0.02
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.1), "in proportion to the torque"


def test_rotation_of_a_gyrostat_about_its_momentum_in_a_period() -> None:
    """Montgomery 1991, How much does the rigid body rotate?: the integral of omega.H/|H| minus the solid angle that H
    encloses in the body. The rotor is askew."""
    J, stored = np.array([1.0, 2.0, 2.6]), np.array([0.5, 0.2, -0.4])
    omega = np.array([0.3, 0.2, 1.1])

    def rate(t: float, w: np.ndarray) -> np.ndarray:
        return np.cross(J * w + stored, w) / J

    def returns(t: float, w: np.ndarray) -> float:
        return float(rate(0.0, omega) @ (w - omega)) if t > 0.5 else -1.0

    returns.direction, returns.terminal = 1.0, False  # type: ignore[attr-defined]
    path = solve_ivp(rate, (0.0, 60.0), omega, "DOP853", events=returns, rtol=1e-13, atol=1e-14)
    period = next(
        t for t, w in zip(path.t_events[0], path.y_events[0], strict=True) if np.abs(w - omega).max() < 1e-9
    )
    size = float(np.linalg.norm(stored))
    rotor = qv.Rotor(axis=stored, law="constant_momentum", momentum=size)
    lane = simulate(
        qv.Body(inertia=J, rotors=[rotor]), omega, period, period / 4000.0, interval=period / 400.0
    )
    assert np.abs(lane.omega[-1] - omega).max() < 1e-9
    u = lane.h / np.linalg.norm(lane.h, axis=1)[:, None]
    u_rate = np.cross(u, lane.omega)
    # Over a period the mean of equidistant values is exact up to the highest frequencies.
    along = (u * lane.omega).sum(axis=1)[:-1].mean() * period
    solid_angle = ((u[:, 0] * u_rate[:, 1] - u[:, 1] * u_rate[:, 0]) / (1.0 + u[:, 2]))[:-1].mean() * period
    h_space = matrices(lane.p[:1])[0] @ u[0]
    turn = matrices(lane.p[-1:])[0] @ matrices(lane.p[:1])[0].T
    assert turn @ h_space == pytest.approx(h_space, abs=1e-9)
    twice_sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    angle = np.arctan2(twice_sine @ h_space, np.trace(turn) - 1.0)
    assert abs(solid_angle) > 0.1
    assert np.remainder(along - solid_angle - angle + np.pi, 2.0 * np.pi) == pytest.approx(np.pi, abs=1e-8)


def test_eigenaxis_rotation_by_wheels_without_damping() -> None:
    """Wie, Weiss and Arapostathis 1989: quaternion feedback from rest turns about one axis, here (J - I) theta'' = -K
    sin(theta/2), and the wheel takes the momentum."""
    J, inertia, stiffness, start = 3.0, 0.4, 1.5, 2.4
    wheels = [
        qv.Rotor(axis=axis, inertia=inertia, law="attitude_control", stiffness=stiffness)
        for axis in np.eye(3)
    ]
    lane = simulate(
        qv.Body(inertia=[2.0, 2.5, J], rotors=wheels), [0.0, 0.0, 0.0], 20.0, 5e-3,
        p=(np.cos(0.5 * start), 0.0, 0.0, np.sin(0.5 * start)),
    )  # fmt: skip
    modulus = np.sin(0.25 * start) ** 2
    _, cn, dn, _ = ellipj(np.sqrt(stiffness / (2.0 * (J - inertia))) * lane.t, modulus)
    theta = 2.0 * np.arctan2(lane.p[:, 3], lane.p[:, 0])
    assert np.sin(0.25 * theta) == pytest.approx(np.sqrt(modulus) * cn / dn, abs=1e-11)
    assert lane.rotor_speed[:, 2] == pytest.approx(-J / inertia * lane.omega[:, 2], abs=1e-11)
