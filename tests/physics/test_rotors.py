"""Rotors in the body: against an independent definition, closed forms and balances, in every formulation that moves them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers import ROTORS, TARGET
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import quatviz as qv
from quatviz import Rotor
from quatviz.base.errors import InputError
from quatviz.files.addresses import number_at, with_number
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._multiplier_forms import MULTIPLIER_FORMS
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import relative_angle

J = np.array([[3.0, 0.1, -0.2], [0.1, 2.5, 0.15], [-0.2, 0.15, 2.0]])
OMEGA = np.array([0.2, -0.1, 0.5])
LOADS = (qv.Torque(torque=[0.1, 0.0, 0.2], frame="space"), qv.Gravity(weight=0.3, centre=[0.0, 0.0, 0.2]))
FORMS = (
    "hamilton",
    "hamilton_canonical",
    "lagrange_full/torque",
    "lagrange_full/gradient_closed",
    "lagrange_simplified/split",
    "lagrange_projected",
    "udwadia_schutte",
    "udwadia_schutte_fundamental",
    "euler_angles/321",
    "reduced_euler_parameters",
    "lie_group",
    "rotation_vector",
    "modified_rodrigues",
)


def make_preset(
    rotors=ROTORS, loads=(), inertia=J, duration=2.0, dt=1e-3, interval=0.1, lanes=("newton_euler",)
):
    return qv.Preset(
        body=qv.Body(inertia=inertia, rotors=rotors),
        initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=OMEGA),
        loads=loads,
        run=qv.RunSettings(duration, dt, interval),
        lanes=lanes,
    )


def rate_by_definition(t: float, y: np.ndarray) -> np.ndarray:
    """omega', p' and h_k' of `ROTORS` under `LOADS`, from Newton's and Euler's equations of body and rotors."""
    omega, p, h = y[:3], y[3:7], y[7:]
    A = Rotation.from_quat(np.roll(p, -1)).as_matrix()
    axes = [np.asarray(rotor.axis) / np.linalg.norm(rotor.axis) for rotor in ROTORS]
    inertias = [0.3, 0.2, 0.25, 0.1, 0.05]
    speeds = [h[k] / inertias[k] - axes[k] @ omega for k in range(3)]
    turn = (Rotation.from_quat(np.roll(TARGET, -1)).inv() * Rotation.from_matrix(A)).as_rotvec()
    angle = np.linalg.norm(turn)
    on_body = -1.5 * np.sin(0.5 * angle) * turn / angle - 2.0 * omega
    motors = [0.0, 0.3 * np.sin(2.0 * t), -on_body @ axes[2]]
    h_rates = np.array([motors[k] - (0.02, 0.01, 0.0)[k] * speeds[k] for k in range(3)])
    carrier = J - sum(inertia * np.outer(axis, axis) for inertia, axis in zip(inertias, axes, strict=True))
    momenta = [*h, 0.1 * (axes[3] @ omega + 40.0), 1.3]
    total = carrier @ omega + sum(momentum * axis for momentum, axis in zip(momenta, axes, strict=True))
    n = A.T @ [0.1, 0.0, 0.2] + np.cross([0.0, 0.0, 0.2], A.T @ [0.0, 0.0, -0.3])
    moment = n - np.cross(omega, total) - sum(h_rates[k] * axes[k] for k in range(3))
    # The momentum of the rotor of constant speed changes with omega.
    omega_rate = np.linalg.solve(carrier + 0.1 * np.outer(axes[3], axes[3]), moment)
    p_rate = 0.5 * np.array([-p[1:] @ omega, *(p[0] * omega + np.cross(p[1:], omega))])
    return np.concatenate([omega_rate, p_rate, h_rates])


@pytest.fixture(scope="module")
def forced() -> qv.Solution:
    return qv.simulate(make_preset(loads=LOADS), lanes=["newton_euler"])["newton_euler"]


def test_rotor_motion_matches_an_independent_definition(forced: qv.Solution) -> None:
    momenta = [rotor.inertia * (rotor.unit_axis @ OMEGA + rotor.speed) for rotor in ROTORS[:3]]
    solution = solve_ivp(
        rate_by_definition, (0.0, 2.0), [*OMEGA, 1.0, 0.0, 0.0, 0.0, *momenta], "DOP853",
        t_eval=np.arange(21) * 0.1, rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    assert relative_angle(solution.y[3:7].T, forced.p).max() < 1e-10
    assert np.abs(solution.y[:3].T - forced.omega).max() < 1e-10
    assert np.abs(solution.y[7:].T - forced.rotor_momentum[:, :3]).max() < 1e-10


def test_rotor_torques_match_the_definition(forced: qv.Solution) -> None:
    row = 13
    state = np.concatenate([forced.omega[row], forced.p[row], forced.rotor_momentum[row, :3]])
    rates = rate_by_definition(1.3, state)
    friction = np.array([0.02, 0.01, 0.0]) * forced.rotor_speed[row, :3]
    assert forced.rotor_torque[row, :3] == pytest.approx(rates[7:] + friction, abs=1e-12)
    held = 0.1 * (rates[:3] @ ROTORS[3].unit_axis)
    assert forced.rotor_torque[row, 3:5] == pytest.approx([held, 0.0], abs=1e-12)
    assert forced.rotor_speed[row, 3] == pytest.approx(40.0, abs=1e-12)
    assert np.isnan(forced.rotor_speed[:, 5:]).all()


def test_pivot_force_includes_the_rotors() -> None:
    """m c'' minus the weight, c'' from the definition's omega'."""
    preset = make_preset(loads=LOADS)
    body = replace(preset.body, about="pivot", mass=0.5, centre_of_mass=[0.0, 0.0, 0.2])
    lane = qv.simulate(replace(preset, body=body), lanes=["newton_euler"], duration=0.1).lanes[0]
    state = np.concatenate([lane.omega[-1], lane.p[-1], lane.rotor_momentum[-1, :3]])
    omega, omega_rate = lane.omega[-1], rate_by_definition(0.1, state)[:3]
    u = np.array([0.0, 0.0, 0.2])
    acceleration = np.cross(omega_rate, u) + np.cross(omega, np.cross(omega, u))
    A = Rotation.from_quat(np.roll(lane.p[-1], -1)).as_matrix()
    assert lane.pivot_force_space[-1] == pytest.approx(A @ (0.5 * acceleration) + [0.0, 0.0, 0.3], abs=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_formulations_agree(forced: qv.Solution, form: str) -> None:
    lane = qv.simulate(make_preset(loads=LOADS), lanes=[form]).lanes[0]
    assert lane.status == "ok"
    assert relative_angle(lane.p, forced.p).max() < 1e-10
    assert np.abs(lane.rotor_speed - forced.rotor_speed)[:, :5].max() < 1e-10
    if not np.isnan(lane.lam).all():
        assert np.abs(lane.lam - lane.lam_theory).max() < 1e-10


def test_axisymmetric_gyrostat_matches_its_closed_form() -> None:
    """omega_1 + i omega_2 turns with lambda = ((C - A) omega_3 + I W)/A: Hughes, Spacecraft Attitude Dynamics, chapter 6."""
    wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, law="constant_speed", speed=8.0)
    for rotor in (wheel, Rotor(axis=[0.0, 0.0, 3.0], law="constant_momentum", momentum=4.0)):
        preset = make_preset([rotor], inertia=[10.0, 10.0, 6.0], duration=60.0, dt=1e-2, interval=1.0)
        lane = qv.simulate(preset, lanes=[qv.Lane("newton_euler", integrator="gauss6")]).lanes[0]
        expected = (0.2 - 0.1j) * np.exp(0.2j * lane.t)
        assert lane.omega[:, 0] + 1j * lane.omega[:, 1] == pytest.approx(expected, abs=1e-12)
        assert lane.omega[:, 2] == pytest.approx(0.5, abs=1e-12)
        p = [-0.9443224240260176, -0.012110202867582461, 0.011210392218972047, -0.3286074094941087]
        assert relative_angle(lane.p[60:61], np.array([p]))[0] < 1e-10


def test_rotors_conserve_total_energy_and_momentum() -> None:
    """Without motor or friction, drift over 1e5 steps is rounding. The work of a constant-speed motor follows from the state."""
    rotors = (replace(ROTORS[0], friction=0.0), *ROTORS[3:])
    preset = make_preset(rotors, duration=100.0, interval=1.0)
    lane = qv.simulate(preset, lanes=[qv.Lane("newton_euler", integrator="gauss6")]).lanes[0]
    assert np.abs(lane.energy_drift).max() < 1e-12
    assert np.abs(lane.h_space_drift).max() < 1e-12
    assert np.ptp(lane.energy) > 1e-3, "the motor takes part"


def test_motors_conserve_total_momentum() -> None:
    preset = make_preset(duration=100.0, interval=1.0)
    lane = qv.simulate(preset, lanes=[qv.Lane("newton_euler", integrator="gauss6")]).lanes[0]
    assert np.abs(lane.h_space_drift).max() < 1e-12


def test_energy_gain_equals_work_of_motors_and_friction() -> None:
    """By Simpson's rule over short samples: T(t) - T(0) is the integral of sum tau W - sum c W^2."""
    preset = make_preset(ROTORS[:3], duration=2.0, interval=1e-3)
    lane = qv.simulate(preset, lanes=["newton_euler"]).lanes[0]
    speed, torque = lane.rotor_speed[:, :3], lane.rotor_torque[:, :3]
    power = (torque * speed - np.array([0.02, 0.01, 0.0]) * speed**2).sum(axis=1)
    work = 1e-3 / 3.0 * (power[0] + 4.0 * power[1:-1:2].sum() + 2.0 * power[2:-1:2].sum() + power[-1])
    assert lane.energy[-1] - lane.energy[0] == pytest.approx(work, rel=1e-10)


def test_rotor_error_is_of_fourth_order() -> None:
    preset = make_preset(loads=LOADS, duration=2.0, interval=2.0)
    ends = [qv.simulate(preset, lanes=["newton_euler"], dt=dt).lanes[0].p[-1:] for dt in (0.02, 0.01, 0.005)]
    errors = [relative_angle(p, ends[-1])[0] for p in ends[:2]]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0 + np.log2(1.0 + 1.0 / 16.0), abs=0.2)


def test_motor_saturates_in_torque_and_in_speed() -> None:
    wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.1, law="motor", torque=5.0, max_torque=0.4, max_speed=10.0)
    lane = qv.simulate(make_preset([wheel], duration=10.0), lanes=["newton_euler"]).lanes[0]
    assert lane.rotor_torque[0, 0] == 0.4
    assert lane.rotor_speed[-1, 0] == pytest.approx(10.0, abs=0.05), "but for what the body turns by itself"
    assert lane.rotor_torque[-1, 0] < 1e-2
    braked = replace(wheel, torque=-5.0, speed=10.0)
    lane = qv.simulate(make_preset([braked], duration=0.2), lanes=["newton_euler"]).lanes[0]
    assert lane.rotor_torque[:, 0] == pytest.approx(-0.4), "a motor may always brake"


def test_three_wheels_turn_the_body_to_the_target() -> None:
    wheels = [
        Rotor(axis=axis, inertia=0.1, law="attitude_control", stiffness=1.0, damping=2.0, target=TARGET)
        for axis in np.eye(3)
    ]
    preset = make_preset(wheels, duration=60.0)
    lane = qv.simulate(preset, lanes=["newton_euler"]).lanes[0]
    assert relative_angle(lane.p[-1:], (TARGET / np.linalg.norm(TARGET))[None])[0] < 1e-4
    assert np.abs(lane.omega[-1]).max() < 1e-4
    assert np.abs(lane.h_space_drift).max() < 1e-9, "the wheels have what the body had"


def test_four_wheels_share_the_commanded_torque() -> None:
    """A pyramid: the torque on the body is the commanded one, by the pseudoinverse of the axes."""
    axes = [[1.0, 0.0, 0.7], [-1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.0, -1.0, 0.7]]
    wheels = [
        Rotor(axis=axis, inertia=0.1, law="attitude_control", stiffness=1.0, damping=2.0, target=TARGET)
        for axis in axes
    ]
    lane = qv.simulate(make_preset(wheels, duration=0.2), lanes=["newton_euler"]).lanes[0]
    on_body = -sum(lane.rotor_torque[0, k] * wheels[k].unit_axis for k in range(4))
    unit = TARGET / np.linalg.norm(TARGET)
    assert on_body == pytest.approx(
        unit[1:] - 2.0 * OMEGA, abs=1e-12
    )  # q = -target's vector part at p = (1, 0, 0, 0)


def test_energy_conservation_is_checked_only_without_active_rotors() -> None:
    from quatviz.simulation.schedule import run_conserved_quantities

    kept = run_conserved_quantities(make_preset(ROTORS[3:]))
    assert {"energy_drift", "momentum_drift", "h_space_drift"} <= set(kept)
    for rotor in ROTORS[:3]:
        kept = run_conserved_quantities(make_preset([rotor]))
        assert "energy_drift" not in kept
        assert "h_space_drift" in kept


def test_initial_momentum_includes_the_rotors() -> None:
    body = qv.Body(inertia=J, rotors=ROTORS)
    start = qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_momentum=[1.0, 2.0, 3.0])
    preset = replace(make_preset(), body=body, initial=start)
    lane = qv.simulate(preset, lanes=["newton_euler"], duration=0.1).lanes[0]
    assert lane.h[0] == pytest.approx([1.0, 2.0, 3.0], abs=1e-12)


def test_time_reversal_restores_a_gyrostat() -> None:
    rotors = (replace(ROTORS[0], friction=0.0), *ROTORS[3:])
    preset = replace(make_preset(rotors), events=[qv.Reverse(at=1.0)])
    lane = qv.simulate(preset, lanes=["newton_euler"]).lanes[0]
    assert relative_angle(lane.p[:1], lane.p[-1:])[0] < 1e-9


def test_kick_does_not_change_rotor_momenta() -> None:
    """A blow on the body has no torque about the axis of a wheel: omega gains J*^-1 impulse."""
    preset = replace(make_preset(), events=[qv.Kick(at=1.0, impulse=[0.0, 0.5, 0.0], frame="body")])
    for form in ("newton_euler", "hamilton", "hamilton_canonical", "lagrange_projected", "euler_angles/321"):
        lane = qv.simulate(preset, lanes=[form]).lanes[0]
        before = lane.engine.state_before_event(10)
        assert lane.rotor_momentum[10, :3] == pytest.approx(before.rotor_momentum[0, :3], abs=1e-12)
        assert lane.h[10] - before.h[0] == pytest.approx([0.0, 0.5, 0.0], abs=1e-12)


def test_changed_body_keeps_rotor_speeds_or_momenta() -> None:
    wheel = ROTORS[0]
    other = qv.Body(inertia=1.5 * J, rotors=[replace(wheel, inertia=0.4)])
    for keeps in ("angular_velocity", "angular_momentum"):
        event = qv.ChangeModel(at=1.0, body=other, keeps=keeps)
        lane = qv.simulate(replace(make_preset([wheel]), events=[event]), lanes=["newton_euler"]).lanes[0]
        before = lane.engine.state_before_event(10)
        if keeps == "angular_velocity":
            assert lane.omega[10] == pytest.approx(before.omega[0], abs=1e-12)
            assert lane.rotor_speed[10, 0] == pytest.approx(before.rotor_speed[0, 0], abs=1e-12)
        else:
            assert lane.h[10] == pytest.approx(before.h[0], abs=1e-12)
            assert lane.rotor_momentum[10, 0] == pytest.approx(before.rotor_momentum[0, 0], abs=1e-12)
    faster = qv.ChangeModel(at=1.0, body=qv.Body(inertia=J, rotors=[replace(wheel, speed=50.0)]))
    lane = qv.simulate(replace(make_preset([wheel]), events=[faster]), lanes=["newton_euler"]).lanes[0]
    assert lane.rotor_speed[10, 0] == pytest.approx(50.0, abs=1e-12)
    fewer = qv.ChangeModel(at=1.0, body=qv.Body(inertia=J))
    with pytest.raises(InputError, match="whose momenta continue"):
        qv.simulate(replace(make_preset([wheel]), events=[fewer]), lanes=["newton_euler"])


@pytest.mark.parametrize("integrator", ["dop853", "lie_rk4", "implicit_midpoint", "radau"])
def test_other_integrators_move_rotors(forced: qv.Solution, integrator: str) -> None:
    lane = qv.simulate(
        make_preset(loads=LOADS), lanes=[qv.Lane("newton_euler", integrator=integrator)]
    ).lanes[0]
    assert lane.status == "ok"
    assert relative_angle(lane.p, forced.p).max() < 1e-5


def test_changed_rotor_number_does_not_recompile() -> None:
    qv.simulate(make_preset(ROTORS[:2]), lanes=["newton_euler"], duration=0.1)
    dispatcher = blocks.fixed_step_block.dispatcher
    compiled = len(dispatcher.signatures)
    rotors = (
        replace(ROTORS[0], speed=5.0, law="motor", torque="cos(t)"),
        replace(ROTORS[1], axis=[1.0, 0.0, 0.0]),
    )
    qv.simulate(make_preset(rotors), lanes=["newton_euler"], duration=0.1)
    assert len(dispatcher.signatures) == compiled


def test_adaptive_steps_do_not_skip_a_motor_pulse() -> None:
    wheel = Rotor(
        axis=[0.0, 0.0, 1.0], inertia=0.1, law="motor", torque="10*max(0,min(1,1e6*(0.005-abs(t-5.005))))"
    )
    preset = make_preset([wheel], duration=10.0)
    start = replace(preset.initial, angular_velocity=[0.0, 0.0, 0.0])
    lane = qv.simulate(
        replace(preset, initial=start), lanes=[qv.Lane("newton_euler", integrator="dop853")]
    ).lanes[0]
    assert lane.rotor_momentum[-1, 0] == pytest.approx(0.1, rel=1e-3)


def test_rotors_round_trip_through_text() -> None:
    preset = replace(
        make_preset(), events=[qv.ChangeModel(at=1.0, body=qv.Body(inertia=2.0 * J, rotors=ROTORS))]
    )
    text = format_preset(preset)
    assert text.count("[[rotors]]") == 5
    assert text.count("[[events.body.rotors]]") == 5
    assert parse_preset(text) == preset


@pytest.mark.parametrize(
    ("line", "key", "found"),
    [
        ("axis = [0, 0, 0]\ninertia = 0.1", "rotors[0].axis", "zeros"),
        ("axis = [0, 0, 1]\ninertia = -0.1", "rotors[0].inertia", "-0.1"),
        ("axis = [0, 0, 1]", "rotors[0].inertia", "no such key"),
        ("axis = [0, 0, 1]\ninertia = 6.5", "rotors[0].inertia", "6.5 kg m^2"),
        ('axis = [0, 0, 1]\nlaw = "constant_momentum"', "rotors[0].momentum", "no such key"),
        ('axis = [0, 0, 1]\ninertia = 0.1\nlaw = "spinning"', "rotors[0].law", "'spinning'"),
        ("axis = [0, 0, 1]\ninertia = 0.1\nfriction = -1", "rotors[0].friction", "-1"),
        ("axis = [0, 0, 1]\ninertia = 0.1\ntorque = 2", "rotors[0].torque", "2.0"),
        ("inertia = 0.1", "rotors[0].axis", "no such key"),
    ],
)
def test_invalid_rotors_are_refused_at_their_line(line: str, key: str, found: str) -> None:
    text = f"""format = 1
title = "A wheel"
body = {{ inertia = [10, 10, 6] }}
initial = {{ euler_parameters = [1, 0, 0, 0], angular_velocity = [0, 2, 0.1] }}
run = {{ duration = 4, dt = 1e-3, sample_interval = 0.01 }}
[[rotors]]
{line}
"""
    with pytest.raises(InputError) as refusal:
        parse_preset(text)
    assert refusal.value.key == key
    assert found in str(refusal.value)
    assert refusal.value.remedy
    assert "line" in str(refusal.value)


def test_rotors_exceeding_the_body_inertia_are_refused() -> None:
    wheels = [Rotor(axis=axis, inertia=1.2) for axis in ([1.0, 0.0, 0.0], [1.0, 1e-3, 0.0])]
    with pytest.raises(InputError, match="without that of the other rotors"):
        qv.Body(inertia=[2.0, 2.0, 2.0], rotors=wheels)


def test_one_controller_drives_all_wheels() -> None:
    wheels = [
        Rotor(axis=axis, inertia=0.1, law="attitude_control", stiffness=stiffness)
        for axis, stiffness in zip(np.eye(3), (1.0, 1.0, 2.0), strict=True)
    ]
    with pytest.raises(InputError, match="one controller drives all"):
        qv.Body(inertia=[2.0, 2.0, 2.0], rotors=wheels)


def test_other_forms_refuse_rotors_with_a_reason() -> None:
    for name in ("udwadia_schutte_unconstrained", "ring_damper", "mistaken"):
        with pytest.raises(InputError) as refusal:
            qv.simulate(make_preset(), lanes=[name])
        assert refusal.value.key.startswith("lanes[0]")
    assert sum(form.supports_rotors for form in FORMULATIONS.values()) >= 13


def test_numbers_of_rotors_are_axes_of_a_sweep() -> None:
    preset = make_preset(ROTORS[:1], lanes=["newton_euler"], duration=0.2)
    assert number_at(preset, "body.rotors[0].speed") == 20.0
    result = qv.sweep(preset, over={"body.rotors[0].speed": [0.0, 30.0]}, measure="momentum_drift", jobs=1)
    drifts = []
    for speed in (0.0, 30.0):
        lane = qv.simulate(with_number(preset, "body.rotors[0].speed", speed)).lanes[0]
        drifts.append(np.abs(lane.momentum_drift).max())
    assert result["momentum_drift"].values.ravel() == pytest.approx(drifts, rel=1e-12)
    assert (result["status"] == 0).all()


def test_exact_lane_solves_or_refuses_rotors() -> None:
    wheel = Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5, law="constant_speed", speed=8.0)
    preset = make_preset([wheel], inertia=[10.0, 10.0, 6.0], duration=60.0, dt=1e-2, interval=1.0)
    run = qv.simulate(preset, lanes=["exact", qv.Lane("newton_euler", integrator="gauss6")])
    exact, computed = run.lanes
    assert exact.status == "ok"
    assert relative_angle(exact.p, computed.p).max() < 1e-12
    assert np.abs(exact.omega - computed.omega).max() < 1e-12
    assert np.abs(exact.h_space_drift).max() < 1e-13
    assert np.abs(exact.energy - computed.energy).max() < 1e-12
    changing = make_preset([Rotor(axis=[0.0, 0.0, 1.0], inertia=0.5)], inertia=[10.0, 10.0, 6.0])
    lane = qv.simulate(changing, lanes=["exact"]).lanes[0]
    assert lane.status == "no_closed_form"
    assert "the speed or momentum of a rotor changes" in str(lane.message)


def test_cards_show_rates_and_multiplier_with_rotors(forced: qv.Solution) -> None:
    row = 13
    momenta = forced.rotor_momentum[row, :5]
    preset = make_preset(loads=LOADS)
    at = EvaluationPoint(
        preset.body, preset.loads, 1.3, forced.p[row], forced.omega[row], rotor_momenta=momenta
    )
    state = np.concatenate([forced.omega[row], forced.p[row], momenta[:3]])
    assert at.omega_rate == pytest.approx(rate_by_definition(1.3, state)[:3], abs=1e-11)
    for form in MULTIPLIER_FORMS:
        lane = qv.simulate(preset, lanes=[form.id], duration=0.1).lanes[0]
        start = EvaluationPoint(
            preset.body, preset.loads, 0.0, lane.p[0], lane.omega[0], rotor_momenta=lane.rotor_momentum[0, :5]
        )
        assert form.multiplier(start) == pytest.approx(lane.lam[0], abs=1e-10)
    unknown = EvaluationPoint(preset.body, preset.loads, 1.3, forced.p[row], forced.omega[row])
    assert np.isnan(unknown.torque).all(), "never wrong in silence"


@pytest.mark.parametrize(("form", "angle"), [("rotation_vector", 360.0), ("reduced_euler_parameters", 180.0)])
def test_singular_lane_with_rotors_reports_the_turned_angle(form: str, angle: float) -> None:
    """The momenta at the end of the state are no coordinates: with them the angle would be thousands of degrees."""
    wheel = replace(ROTORS[0], axis=[0.0, 0.0, 1.0])
    preset = make_preset([wheel], inertia=[10.0, 10.0, 6.0], duration=60.0, dt=1e-2)
    start = replace(preset.initial, angular_velocity=[0.0, 0.0, 2.0])
    lane = qv.simulate(replace(preset, initial=start), lanes=[form]).lanes[0]
    assert lane.status == "singular"
    turned = [float(number) for number in re.findall(r"(\d+\.\d+) (?:of 180 )?deg", str(lane.message))]
    assert turned[0] == pytest.approx(angle, abs=angle / 30.0), lane.message
