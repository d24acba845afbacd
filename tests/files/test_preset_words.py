"""Numbers in texts of presets that `test_presets` and `test_experiments` do not check: each is stated and true."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle, rotate


def say(name: str, *phrases: str) -> qv.Preset:
    """Return the preset after checking that its texts contain these phrases."""
    preset = qv.load_preset(name)
    text = " ".join((preset.summary + " " + preset.watch).split())
    for phrase in phrases:
        assert phrase in text
    return preset


def test_intermediate_axis_states_the_sufficient_perturbation() -> None:
    preset = say("intermediate_axis", "1/4000 of its momentum off that axis")
    beside, axis, _ = preset.initial.omega(preset.body) @ preset.body.inertia
    assert beside / axis == pytest.approx(1 / 4000)


def test_simo_wong_top_states_which_form_loses_digits() -> None:
    preset = say(
        "simo_wong_top", "Three forms follow the exact motion to 2·10⁻¹⁰ rad", "lose five digits more"
    )
    run = qv.simulate(preset, lanes=[*preset.lanes, qv.Lane("exact")])
    *three, canonical = (run.orientation_error(lane.name, reference="exact").max() for lane in run.lanes[:4])
    assert three == pytest.approx([1.6e-10] * 3, rel=0.2)
    assert canonical / max(three) == pytest.approx(1e5, rel=0.2)


def test_literature_top_states_the_error_of_each_form() -> None:
    preset = say(
        "lie_group_heavy_top", "steps of 0.1 ms", "Newton and Euler leave it by 5·10⁻¹¹", "Schutte by 4·10⁻¹⁰"
    )
    lie, newton, schutte = (np.abs(lane.constraint).max() for lane in qv.simulate(preset).lanes)
    assert lie < 1e-13
    assert newton == pytest.approx(5e-11, rel=0.1)
    assert schutte == pytest.approx(4e-10, rel=0.1)
    say("lie_group_heavy_top", "hundred thousand and ten thousand times larger")
    coarse = [np.abs(lane.constraint).max() for lane in qv.simulate(preset, dt=1e-3).lanes]
    assert coarse[0] < 1e-13
    assert coarse[1:] == pytest.approx([1e5 * newton, 1e4 * schutte], rel=0.1)


def test_heavy_top_states_the_contents_of_lambda() -> None:
    preset = say("heavy_top", "minus twice the potential energy, less 40 J", "a period of 0.6823 s")
    lane = qv.simulate(preset, lanes=["lagrange_full/gradient"])["lagrange_full/gradient"]
    assert lane.lam == pytest.approx(-2.0 * lane.potential - 40.0, abs=1e-6)


def test_sleeping_top_states_its_largest_tilt() -> None:
    preset = say("sleeping_top_map", "With 19 kg m²/s", "by 36 degrees", "with 21", "within 2 degrees")
    leans = []
    for spin in (19.0, 21.0):
        top = replace(preset, initial=replace(preset.initial, angular_momentum=[0.0, 0.0, spin]))
        lane = qv.simulate(top, lanes=["newton_euler"])["newton_euler"]
        axis = rotate(lane.p, np.broadcast_to([0.0, 0.0, 1.0], (len(lane.p), 3)))
        leans.append(np.degrees(np.arccos(axis[:, 2].min())))
    assert leans[0] == pytest.approx(36.0, abs=0.5)
    assert leans[1] < 2.0


def test_lost_digits_preset_states_the_effect_of_tolerance() -> None:
    preset = say("lost_digits_map", "Down to some 10⁻¹²", "ten times smaller gains one digit")
    errors = []
    for rtol in (1e-9, 1e-10, 1e-11, 1e-12, 1e-13):
        run = qv.simulate(preset, lanes=[qv.Lane("newton_euler", rtol=rtol), qv.Lane("exact")])
        errors.append(run.orientation_error("newton_euler", reference="exact").max())
    gained = -np.diff(np.log10(errors))
    assert gained[:3] == pytest.approx([1.0] * 3, abs=0.05)
    assert gained[3] < 0.95, "rounding takes it"


def test_unstable_satellite_states_its_growth_rate() -> None:
    preset = say(
        "gravity_gradient_map", "a millionth of a radian grows five hundredfold in an orbit and a quarter"
    )
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    half = np.pi * lane.t / 5553.456
    upright = np.stack((np.cos(half), 0.0 * half, np.sin(half), 0.0 * half), axis=1)
    away = relative_angle(lane.p, upright)
    assert away[0] == pytest.approx(np.sqrt(3.0) * 1e-6)
    assert away[-1] / away[0] == pytest.approx(550.0, rel=0.1)
    assert lane.t[-1] / 5553.456 == pytest.approx(1.25, abs=0.02)


def test_free_J0_preset_states_its_error() -> None:
    preset = say("fundamental", "With 500 kg m² for moments of 1 to 2.5 three digits are lost")
    run = qv.simulate(preset, lanes=[*preset.lanes, qv.Lane("exact")])
    good, bad = (run.orientation_error(f"J₀ = {own}", reference="exact").max() for own in (2, 500))
    assert np.log10(bad / good) == pytest.approx(3.0, abs=0.5)


def test_spring_disk_states_the_small_swing_period() -> None:
    preset = say("spring_disk", "Small swings would need 2.81 s")
    small = replace(
        preset, initial=qv.Initial(rotation_vector=[0.0, 0.0, 0.01], angular_velocity=[0.0, 0.0, 0.0])
    )
    lane = qv.simulate(small, lanes=["newton_euler"])["newton_euler"]
    zeros = lane.t[:-1][np.diff(np.signbit(lane.p[:, 3])) != 0]
    assert 2.0 * np.diff(zeros).mean() == pytest.approx(2.81, abs=0.005)


def test_free_body_states_the_range_of_h() -> None:
    preset = say("torque_free", "between 162.6 and 346.4", "repeats every 9.34 s", "18.68 s")
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    one, _, three = lane.h.T
    assert (one.min(), one.max()) == pytest.approx((162.6, 346.4), abs=0.05)
    zeros = lane.t[:-1][np.diff(np.signbit(three)) != 0]
    assert 2.0 * np.diff(zeros) == pytest.approx(18.68, abs=0.03)
    rows = np.round(zeros[0] + np.array([0.0, 9.34, 18.68]), 2)
    assert one[np.searchsorted(lane.t, rows - 1e-9)] == pytest.approx(
        one[np.searchsorted(lane.t, rows[0])], abs=1.0
    )
    at = np.searchsorted(lane.t, 18.68 - 1e-9)
    assert relative_angle(lane.p[at], lane.p[0]) > 2.0, "the body does not return when h does"


def test_unconstrained_lanes_slow_down() -> None:
    preset = say(
        "unconstrained", "|p|² − 1 of the unconstrained lanes starts as T t² / J₀", "turn ever more slowly"
    )
    run = qv.simulate(preset)
    for name, own in (("Unconstrained, J₀ = 1", 1.0), ("Unconstrained, J₀ = 20", 20.0)):
        lane = run[name]
        assert lane.constraint[5] == pytest.approx(lane.kinetic[0] * lane.t[5] ** 2 / own, rel=0.02)
        assert (np.diff(np.linalg.norm(lane.omega[::100], axis=1)) < 0.0).all()


def test_flat_spin_satellite_states_its_initial_spin() -> None:
    preset = say("explorer", "at 750 turns a minute", "instead of 78.5", "grows from one degree")
    omega = preset.initial.omega(preset.body)
    assert omega[2] == pytest.approx(78.5, abs=0.05)
    assert omega[2] * 60.0 / (2.0 * np.pi) == pytest.approx(750.0, abs=0.5)
    h = preset.body.inertia @ omega
    assert np.degrees(np.arctan2(h[0], h[2])) == pytest.approx(1.0, abs=0.01)


def test_heavy_top_states_its_angles_in_degrees() -> None:
    preset = say(
        "heavy_top",
        "from 0.3 to 0.3267 rad, 17.2 to 18.7 degrees",
        "at 0.4164 rad/s on average, 23.9 degrees a second",
    )
    lane = qv.simulate(preset, lanes=["hamilton"])["hamilton"]
    lean = np.radians(lane.angles_313[:, 1])
    assert (lean.min(), lean.max()) == pytest.approx((0.3, 0.3267), abs=5e-5)
    assert np.degrees([lean.min(), lean.max()]) == pytest.approx([17.2, 18.7], abs=0.05)
    around = np.unwrap(np.radians(lane.angles_313[:, 0]))
    nods = np.flatnonzero((lean[1:-1] <= lean[:-2]) & (lean[1:-1] < lean[2:])) + 1
    rate = (around[nods[-1]] - around[nods[0]]) / (lane.t[nods[-1]] - lane.t[nods[0]])
    assert rate == pytest.approx(0.4164, abs=2e-4)
    assert np.degrees(0.4164) == pytest.approx(23.9, abs=0.05)


def test_intermediate_axis_states_its_flip_times() -> None:
    preset = say("intermediate_axis", "with a period of 31.1326 s", "first crosses zero at 7.7831 s")
    lane = qv.simulate(preset, lanes=["exact"], duration=40.0)["exact"]
    h = lane.h[:, 1]
    rows = np.flatnonzero(np.diff(np.signbit(h)) != 0)
    zeros = lane.t[rows] + 0.01 * h[rows] / (h[rows] - h[rows + 1])
    assert zeros[0] == pytest.approx(7.7831, abs=1e-4)
    assert 2.0 * (zeros[1] - zeros[0]) == pytest.approx(31.1326, abs=2e-4)


def test_spring_disk_states_its_period() -> None:
    preset = say("spring_disk", "30 degrees to either side with a period of 3.0156 s")
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    angle = lane.angles_321[:, 0]
    assert (angle.min(), angle.max()) == pytest.approx((-30.0, 30.0), abs=0.01)
    rows = np.flatnonzero(np.diff(np.signbit(angle)) != 0)
    spacing = lane.t[1]
    zeros = lane.t[rows] + spacing * angle[rows] / (angle[rows] - angle[rows + 1])
    assert 2.0 * np.diff(zeros) == pytest.approx(3.0156, abs=1e-4)


def test_steady_precession_states_its_spin() -> None:
    preset = say(
        "steady_precession", "135.6 rad/s relative to the precession of 10 rad/s", "tilted by 60 degrees"
    )
    omega = preset.initial.omega(preset.body)
    precession = np.hypot(omega[0], omega[1]) / np.sin(np.radians(60.0))
    assert precession == pytest.approx(10.0)
    assert omega[2] - precession * np.cos(np.radians(60.0)) == pytest.approx(135.6)


def test_tumbling_brick_states_its_flight_path() -> None:
    preset = say("tumbling_brick", "takes off at 12 m/s, is 7.3 m up after 1.22 s and back after 2.45 s")
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    high = lane.centre[:, 2]
    top = int(np.argmax(high))
    assert lane.centre_velocity[0, 2] == 12.0
    assert high[top] == pytest.approx(7.3, abs=0.05)
    assert lane.t[top] == pytest.approx(1.22, abs=0.01)
    assert high[-1] == pytest.approx(0.0, abs=0.05)
    assert lane.t[-1] == pytest.approx(2.45)


def test_body_on_spring_states_the_exchanged_energy() -> None:
    preset = say(
        "body_on_spring", "has 0.07 J at the start and up to 1.35 J later", "moves at up to 0.57 m/s",
        "stays at 0.2 kg m²/s", "15 to 20.4 J",
    )  # fmt: skip
    run = qv.simulate(preset, lanes=["hamilton", "lagrange_full/split"])
    lane, split = run.lanes
    rotation = 0.5 * np.einsum("ni,ni->n", lane.omega, lane.h)
    assert rotation[0] == pytest.approx(0.07, abs=0.005)
    assert rotation.max() == pytest.approx(1.35, abs=0.005)
    assert np.linalg.norm(lane.centre_velocity, axis=1).max() == pytest.approx(0.57, abs=0.005)
    anchor = [0.0, 0.0, 1.0]
    about_anchor = lane.h_space + np.cross(lane.centre - anchor, lane.momentum)
    assert about_anchor[:, 2] == pytest.approx(0.2, abs=1e-9)
    assert (split.lam.min(), split.lam.max()) == pytest.approx((15.0, 20.4), abs=0.06)


def test_given_values_are_written_unchanged() -> None:
    top = say("lie_group_heavy_top", "a top of 15 kg spinning at 150 rad/s")
    assert top.body.mass == 15.0
    assert top.initial.omega(top.body)[1] == 150.0
    preset = say("off_the_sphere", "the constraint rate p·p′ = 0.001 /s")
    (push,) = preset.events
    run = qv.simulate(preset, lanes=["lagrange_simplified/torque"], duration=6.0)
    lane = run.lanes[0]
    assert lane.constraint_rate[np.searchsorted(lane.t, push.at - 1e-9)] == pytest.approx(1e-3)


def test_tumbling_top_claims_hold_in_four_families() -> None:
    preset = say(
        "tumbling_top", "jump by 360°", "4 times the kinetic energy", "The other lanes have no multiplier"
    )
    run = qv.simulate(preset)
    families = [lane.engine.formulation.name for lane in run.lanes]
    assert families == ["newton_euler", "hamilton", "lagrange_simplified", "euler_angles"]
    newton, lagrange, angles = run["Newton–Euler"], run["Lagrange with λ"], run["Euler angles"]
    assert lagrange.lam == pytest.approx(4.0 * newton.kinetic, abs=1e-6)
    assert lagrange.lam.max() > 2.0 * lagrange.lam.min(), "it varies"
    assert all(np.isnan(lane.lam).all() for lane in run.lanes if lane is not lagrange)
    jumps = (np.abs(np.diff(angles.angles_313, axis=0)) > 180.0).sum(axis=0)
    assert jumps[1] == 0
    assert min(jumps[0], jumps[2]) >= 3
    assert np.abs(np.diff(newton.p, axis=0)).max() < 0.1, "Euler parameters stay smooth"
    lowest = np.argmin(rotate(newton.p, np.broadcast_to([0.0, 0.0, 1.0], (len(newton.p), 3)))[:, 2])
    assert newton.kinetic[lowest] == pytest.approx(newton.kinetic.max(), rel=0.02)


def test_ring_damper_states_conservation_and_printed_losses() -> None:
    preset = say(
        "ring_damper_gravity", "by 17.5 degrees in 10 s", "gains 3 percent of energy", "by up to 2.8 percent"
    )
    run = qv.simulate(preset)
    right, printed = (run[name] for name in ("ring_damper", "ring_damper_as_printed"))
    assert (np.diff(right.energy) < 0.0).all()
    angle = np.degrees(np.unwrap(np.arctan2(right.h_space[:, 1], right.h_space[:, 0])))
    assert angle[-1] - angle[0] == pytest.approx(17.5, abs=0.1)
    assert np.ptp(right.h_space[:, 2]) < 1e-10 * right.h_space[0, 2]
    assert printed.energy[-1] / printed.energy[0] == pytest.approx(1.03, abs=0.005)
    change = np.abs(printed.h_space[:, 2] / printed.h_space[0, 2] - 1.0).max()
    assert change == pytest.approx(0.028, abs=0.001)


def test_simo_wong_preset_states_conservation_and_error() -> None:
    preset = say(
        "simo_wong_heavy_top",
        "conserves the energy to 1·10⁻¹³",
        "after 15 s it is 0.16 rad off",
        "off by 3·10⁻⁶ rad, and loses 9·10⁻¹⁰ of the energy",
    )
    run = qv.simulate(preset)
    runge_kutta, simo_wong = run["Runge–Kutta 4"], run["Simo–Wong"]
    assert np.abs(simo_wong.energy_drift).max() < 1e-13
    assert np.ptp(simo_wong.h_space[:, 2]) < 1e-11
    assert run.orientation_error("Simo–Wong", reference="exact")[-1] == pytest.approx(0.157, abs=0.002)
    assert run.orientation_error("Runge–Kutta 4", reference="exact").max() == pytest.approx(2.6e-6, rel=0.2)
    assert np.abs(runge_kutta.energy_drift).max() == pytest.approx(9e-10, rel=0.1)


def test_hinged_bar_states_its_pivot_force() -> None:
    preset = say(
        "pivot_force", "carries 19.6 N", "pulls with 76.1 N", "53 degrees from the top", "about 33 s"
    )
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    size = np.linalg.norm(lane.pivot_force, axis=1)
    assert size[0] == pytest.approx(19.6, abs=0.05)
    assert size.max() == pytest.approx(76.1, abs=0.05)
    first = np.flatnonzero(lane.pivot_force[:-1, 2] * lane.pivot_force[1:, 2] < 0.0)[0]
    from_the_top = 180.0 - np.degrees(2.0 * np.arctan2(lane.p[first, 1], lane.p[first, 0]))
    assert from_the_top == pytest.approx(53.3, abs=0.5)
    moving = np.flatnonzero(np.abs(lane.omega[:, 0]) > 0.05)
    assert lane.t[moving[-1]] == pytest.approx(33.25, abs=0.5)


def test_elliptic_orbit_preset_states_its_libration() -> None:
    preset = say("elliptic_orbit", "each orbit of 7.8 hours", "8.42 degrees to either side", "8.19")
    load: Any = preset.loads[0]
    assert 2.0 * np.pi / load.orbital_rate / 3600.0 == pytest.approx(7.8, abs=0.05)
    a, b, c = np.diag(preset.body.inertia)
    k = (a - c) / b
    assert np.degrees(2.0 * load.eccentricity / (3.0 * k - 1.0)) == pytest.approx(8.19, abs=0.005)
    lane = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    pitch = lane.orbital_angles[:, 0]
    assert pitch.max() == pytest.approx(8.42, abs=0.005)
    assert -pitch.min() == pytest.approx(8.42, abs=0.005)
