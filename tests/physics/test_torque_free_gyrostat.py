"""The exact torque-free gyrostat: against formulations, a quadrature of the polhode, and other exact solutions."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.integrate import quad

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.exact import NoClosedForm, solve
from quatviz.physics.exact.base import ExactSolution
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.rotations import normalize, relative_angle
from quatviz.physics.mechanics.rotor import Rotor
from quatviz.verification.parts.exact import check_equations

START = normalize(np.array([0.8, 0.1, -0.5, 0.3])).tolist()
FULL = [[3.0, 0.2, -0.1], [0.2, 4.0, 0.3], [-0.1, 0.3, 5.0]]
ASKEW = (
    Rotor(axis=[0.2, 1.0, 0.4], inertia=0.2, law="constant_speed", speed=12.0),
    Rotor(axis=[1.0, 0.0, -0.5], inertia=0.3, law="constant_momentum", momentum=-1.5),
    Rotor(axis=[0.0, 0.0, 1.0], law="constant_momentum", momentum=3.0),
)
RUN = qv.RunSettings(duration=5.0, dt=1e-3, sample_interval=0.1)
TINY = (0.0, 1e-3, -1e-6, 1e-9, 1e-13, -1e-16, 1e-20, 1e-40, 1e-100)


def make_preset(
    inertia: object,
    omega: Sequence[float],
    rotors: Sequence[Rotor] = (),
    run: qv.RunSettings = RUN,
    loads: Sequence[Load] = (),
) -> Preset:
    return Preset(
        body=qv.Body(inertia=inertia, rotors=rotors),
        initial=qv.Initial(euler_parameters=START, angular_velocity=omega),
        run=run,
        loads=loads,
    )


def solution_of(preset: Preset) -> ExactSolution:
    return solve(preset.body, preset.loads, preset.initial.p(), preset.initial.omega(preset.body))


@pytest.mark.parametrize("name", [name for name, form in FORMULATIONS.items() if form.supports_rotors])
def test_formulations_agree_with_the_exact_lane(name: str) -> None:
    run = qv.RunSettings(duration=5.0, dt=5e-4, sample_interval=0.25)
    preset = make_preset(FULL, [0.7, -0.4, 0.9], ASKEW, run=run)
    exact, lane = qv.simulate(preset, lanes=["exact", name]).lanes
    # This motion passes half a turn, where reduced Euler parameters end.
    assert (exact.status, lane.status) == ("ok", "singular" if name == "reduced_euler_parameters" else "ok")
    rows = len(lane.p)
    assert rows > 8
    assert relative_angle(exact.p[:rows], lane.p).max() < 1e-10
    assert np.abs(exact.omega[:rows] - lane.omega).max() < 1e-10
    assert np.abs(exact.rotor_momentum[:rows] - lane.rotor_momentum)[:, :3].max() < 1e-10
    assert np.abs(exact.rotor_torque[:rows] - lane.rotor_torque)[:, :3].max() < 1e-9


def test_newton_euler_matches_the_exact_lane_to_1e_minus_12() -> None:
    run = qv.RunSettings(duration=20.0, dt=5e-3, sample_interval=0.5)
    preset = make_preset(FULL, [0.7, -0.4, 0.9], ASKEW, run=run)
    exact, lane = qv.simulate(preset, lanes=["exact", qv.Lane("newton_euler", integrator="gauss6")]).lanes
    assert relative_angle(exact.p, lane.p).max() < 1e-12
    assert np.abs(exact.omega - lane.omega).max() < 1e-12
    assert np.abs(exact.h_space_drift).max() < 1e-13
    assert np.abs(exact.energy - exact.energy[0] - (lane.energy - lane.energy[0])).max() < 1e-12


def test_period_matches_quadrature_of_the_polhode() -> None:
    """With the rotor along axis 3, H_1^2 and H_2^2 are quadratic in H_3, and (H_3')^2 = (A_1 - A_2)^2 H_1^2 H_2^2."""
    A, s, omega = 1.0 / np.array([3.0, 4.0, 5.0]), 3.0, np.array([0.7, -0.4, 0.9])
    H = omega / A + [0.0, 0.0, s]
    energy, size = omega @ (omega / A), H @ H

    # A_1 H_1^2 + A_2 H_2^2 = 2T - A_3 (H_3 - s)^2 and H_1^2 + H_2^2 = h^2 - H_3^2
    polynomial = np.polynomial.Polynomial([energy - A[2] * s * s, 2.0 * A[2] * s, -A[2]])
    circle = np.polynomial.Polynomial([size, 0.0, -1.0])
    first = (polynomial - A[1] * circle) / (A[0] - A[1])
    second = (A[0] * circle - polynomial) / (A[0] - A[1])
    roots = np.sort([root.real for root in [*first.roots(), *second.roots()] if abs(root.imag) < 1e-9])
    low, high = roots[roots < H[2]].max(), roots[roots > H[2]].min()
    turning = np.polynomial.Polynomial.fromroots([low, high])
    count = (first * second) // turning

    def density(angle: float) -> float:
        x = 0.5 * (low + high) + 0.5 * (high - low) * np.sin(angle)
        return float(1.0 / (abs(A[0] - A[1]) * np.sqrt(abs(count(x)))))

    period = 2.0 * quad(density, -0.5 * np.pi, 0.5 * np.pi, epsabs=0.0, epsrel=1e-13)[0]
    wheel = Rotor(axis=[0.0, 0.0, 1.0], law="constant_momentum", momentum=s)
    solution = solution_of(make_preset([3.0, 4.0, 5.0], omega.tolist(), [wheel]))
    t = np.linspace(0.0, 5.0, 11)
    # H_3 has this period; it circles axis 3, so that H_1 and H_2 change their signs in it.
    half_turn = np.array([-1.0, -1.0, 1.0])
    assert np.abs(solution.evaluate(t + period)[1] - half_turn * solution.evaluate(t)[1]).max() < 1e-12


def test_rotor_at_rest_equals_the_free_body() -> None:
    still = Rotor(axis=[0.3, 1.0, 0.0], inertia=0.4, law="constant_speed")
    t = np.array([0.0, 1.0, 77.0, 1e5])
    expected, omega = solution_of(make_preset(FULL, [0.7, -0.4, 0.9])).evaluate(t)
    solution = solution_of(make_preset(FULL, [0.7, -0.4, 0.9], [still]))
    assert solution.name == "torque_free_gyrostat"
    p, rate = solution.evaluate(t)
    assert relative_angle(p, expected).max() < 1e-12
    assert np.abs(rate - omega).max() < 1e-12


def test_nearly_symmetric_bodies_match_the_axisymmetric_gyrostat() -> None:
    wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, law="constant_speed", speed=8.0)
    t = np.array([0.0, 1.0, 30.0])
    expected, _ = solution_of(make_preset([10.0, 10.0, 6.0], [0.2, -0.1, 0.5], [wheel])).evaluate(t)
    solution = solution_of(make_preset([10.0, 10.0 + 1e-12, 6.0], [0.2, -0.1, 0.5], [wheel]))
    assert solution.name == "torque_free_gyrostat"
    assert relative_angle(solution.evaluate(t)[0], expected).max() < 1e-12


@pytest.mark.parametrize("case", range(8))
def test_random_gyrostats_satisfy_the_equations(case: int) -> None:
    random = np.random.default_rng(case)
    for _ in range(4):
        x = random.uniform(0.2, 1.5, 3)
        inertia = np.array([x[1] + x[2], x[0] + x[2], x[0] + x[1]])
        omega, axis, momentum = random.uniform(-3.0, 3.0, 3), random.normal(size=3), random.normal() * 3.0
        if case in (1, 3):
            omega[random.integers(3)] = 0.0
        if case in (2, 3, 4):
            axis = np.eye(3)[random.integers(3)]
        if case == 4:
            omega = np.eye(3)[random.integers(3)] * omega + random.choice(TINY, 3)
        if case == 5:
            momentum *= 100.0
        if case == 6:
            momentum = float(random.choice(TINY))
        if case == 7:
            inertia[1] = inertia[0] * (1.0 + random.choice(TINY))
        rotor = Rotor(axis=axis.tolist(), law="constant_momentum", momentum=float(momentum))
        preset = make_preset(inertia.tolist(), omega.tolist(), [rotor])
        assert not [check for check in check_equations("random", preset, solution_of(preset)) if not check.ok]


@pytest.mark.parametrize(
    ("preset", "reason"),
    [
        (
            make_preset(
                [3.0, 4.0, 6.0],
                [-2.0, 0.25, 1.0],
                [Rotor(axis=[1.0, 0.0, 0.0], inertia=0.5, law="constant_speed")],
            ),
            "on a separatrix",
        ),
        (
            make_preset(FULL, [0.7, -0.4, 0.9], [Rotor(axis=[1.0, 0.0, 0.0], inertia=0.5)]),
            "rotor changes",
        ),
        (
            make_preset(FULL, [0.7, -0.4, 0.9], ASKEW, loads=[Damping(coefficient=0.1)]),
            "these loads act: damping",
        ),
    ],
)
def test_motions_without_a_closed_form_are_refused(preset: Preset, reason: str) -> None:
    with pytest.raises(NoClosedForm, match=reason):
        solution_of(preset)
