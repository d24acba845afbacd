"""The shipped presets: complete texts, and the claims that their texts make."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers import ROOT, STATES, reference_preset

import quatviz as qv
from quatviz.base import resources
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import relative_angle, rotate, rotation_matrix

BENCHMARKS = json.loads((ROOT / "assets/reference/benchmarks.json").read_text())
NAMES = sorted(path.stem for path in resources.preset_folder().glob("*.toml"))
EXPECTED = {
    *("spring_disk", "torque_free", "heavy_top", "point_force"),
    *("six_lambdas", "intermediate_axis", "gimbal_lock"),
    *("ring_damper", "half_turn", "unconstrained", "fundamental"),
    *("simo_wong_top", "lie_group_heavy_top", "steady_precession", "stiff_top"),
    *("drift", "off_the_sphere", "round_trip"),
    *("explorer", "gravity_gradient", "attitude_control", "tumbling_brick", "t_handle", "wrong_and_cheap"),
    "game_engines",
    *("body_on_spring",),
    "thrown_phone",
}
SINGULAR = {
    ("spring_disk", "euler_angles/313"),
    ("gimbal_lock", "euler_angles/321"),
    ("half_turn", "reduced_euler_parameters"),
    ("half_turn", "rotation_vector"),
}
LIMITS = {
    "simo_wong_top": 1e-3,
    "simo_wong_heavy_top": 0.2,
    "fundamental": 1e-6,
    "steady_precession": 1e-6,
    "stiff_top": 4.0,
    "drift": 2e-3,
    "explorer": 1e-3,
    "off_the_sphere": 1.0,
    "round_trip": 2.5,
    "wrong_and_cheap": 0.3,
    "game_engines": 3.2,
    "intermediate_axis": 3e-7,  # rounding amplified by the unstable axis; depends on the order of sums, not on the step
    "thrown_phone": 0.03,
}
"""Where one lane is there to lose digits, or is a recording with noise."""


def run_of(name: str, **changes):
    return qv.simulate(qv.load_preset(name), **changes)


def crossings(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the times at which the values change sign [s]."""
    rows = np.flatnonzero(values[:-1] * values[1:] < 0)
    return t[rows] - values[rows] * (t[rows + 1] - t[rows]) / (values[rows + 1] - values[rows])


def test_expected_presets_are_shipped() -> None:
    assert set(NAMES) >= EXPECTED


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_has_texts_and_agreeing_lanes(name: str) -> None:
    preset = qv.load_preset(name)
    for text in (preset.title, preset.source, preset.summary, preset.watch):
        assert len(text) > 10
    assert 2 <= len(preset.lanes) <= 8
    run = qv.simulate(preset)
    alive = [lane.name for lane in run.lanes if lane.status == "ok"]
    assert {(name, lane.name) for lane in run.lanes if lane.status != "ok"} <= SINGULAR
    for lane in alive:
        has_same_loads = run[lane].engine.spec.loads == run[alive[0]].engine.spec.loads
        if run[lane].engine.formulation.yields_motion and has_same_loads:
            assert run.orientation_error(lane, alive[0]).max() < LIMITS.get(name, 1e-7), lane


@pytest.mark.parametrize("name", [name for name in NAMES if name in STATES])
def test_presets_with_a_reference_have_its_initial_state(name: str) -> None:
    ours, given = qv.load_preset(name), reference_preset(name)
    assert relative_angle(ours.initial.p(), given.initial.p()) < 1e-12
    if name != "spring_disk":  # only the moment about the axis matters here, and the reference uses a sphere
        assert np.array_equal(ours.body.inertia, given.body.inertia)
    p, omega = given.initial.p(), given.initial.omega(given.body)
    for mine, other in zip(ours.loads, given.loads, strict=True):
        assert mine == other
    assert ours.initial.omega(ours.body) == pytest.approx(omega, abs=1e-12)
    assert ours.initial.p() == pytest.approx(p, abs=1e-12)


def test_claims_on_wrong_and_cheap_lanes_hold() -> None:
    run = run_of("wrong_and_cheap")
    right, sign, frame = run["exact"], run["Wrong sign"], run["Rate in the wrong frame"]
    assert (run["No gyroscopic term"].omega[:, 1] > 0.0).all()
    assert (right.omega[:, 1] < 0.0).any()
    assert np.abs(sign.omega - right.omega).max() > 1.0
    assert frame.omega == pytest.approx(right.omega, abs=1e-9)
    assert min(sign.h_space_drift.max(), frame.h_space_drift.max()) > 0.5
    cheap = [run[name] for name in ("Euler", "Semi-implicit Euler", "Euler, normalized", "Frozen rate")]
    assert [lane.energy_drift[-1] for lane in cheap] == pytest.approx([0.008] * 4, abs=0.002)
    assert [np.abs(lane.constraint).max() for lane in cheap] == pytest.approx(
        [0.11, 0.11, 0.0, 0.0], abs=0.01
    )


def test_rules_of_game_engines_are_off_as_the_preset_says() -> None:
    run = run_of("game_engines")
    moments = run["exact"].engine.problem.preset.body.inertia.diagonal()
    energies = {lane.name: run[lane.name].omega ** 2 @ moments for lane in run.lanes}
    gains = {name: energy[-1] / energy[0] for name, energy in energies.items()}
    momenta = {lane.name: np.linalg.norm(run[lane.name].omega * moments, axis=1) for lane in run.lanes}
    flips = {lane.name: np.count_nonzero(np.diff(np.sign(run[lane.name].omega[:, 1]))) for lane in run.lanes}
    clamped = "Clamped momentum (Jolt)"
    assert gains["Explicit"] == pytest.approx(1.38, abs=0.01)
    assert gains["Implicit (Catto)"] == pytest.approx(0.76, abs=0.01)
    assert momenta["Implicit (Catto)"][-1] / momenta["exact"][0] == pytest.approx(0.87, abs=0.01)
    assert momenta[clamped] == pytest.approx(momenta["exact"][0], rel=1e-12)
    assert flips["No gyroscopic term"] == 0
    assert flips[clamped] == flips["exact"] - 1 == 7
    fine = run_of("game_engines", dt=0.0016)
    for name in ("Explicit", "Implicit (Catto)", clamped):
        coarse_error, fine_error = (
            solution.orientation_error(name, "exact").max() for solution in (run, fine)
        )
        assert fine_error < 0.5 * coarse_error


def test_spring_disk_swings_with_the_exact_period() -> None:
    lane = run_of("spring_disk")["hamilton"]
    angle = 2.0 * np.arctan2(lane.p[:, 3], lane.p[:, 0])
    assert np.degrees(angle).max() == pytest.approx(30.0, abs=1e-3)
    assert 2.0 * np.diff(crossings(lane.t, angle)).mean() == pytest.approx(3.015562, abs=1e-4)
    assert not lane.p[:, 1:3].any()


def test_heavy_top_nutates_between_cusps_and_precesses() -> None:
    lane = run_of("heavy_top", lanes=["hamilton"], sample_interval=1e-3)["hamilton"]
    nutation = np.radians(lane.angles_313[:, 1])
    assert nutation.min() == pytest.approx(0.3, abs=1e-7)
    assert nutation.max() == pytest.approx(0.3267337, abs=1e-6)
    nods = crossings(lane.t, nutation - nutation.mean())[::2]
    assert 2.0 * np.pi / np.diff(nods).mean() == pytest.approx(9.20942, abs=1e-3)
    whole = slice(0, round(22 * 2.0 * np.pi / 9.20942 / 1e-3))
    precession = np.unwrap(np.radians(lane.angles_313[whole, 0]))
    assert np.ptp(precession) / np.ptp(lane.t[whole]) == pytest.approx(0.416425, abs=1e-4)


def test_six_lambdas_differ() -> None:
    run = run_of("six_lambdas")
    ends = [lane.lam[300] for lane in run.lanes]
    assert np.abs(np.subtract.outer(ends, ends))[~np.eye(6, dtype=bool)].min() > 1.0
    split = run["lagrange_full/split"]
    assert split.lam == pytest.approx(-2.0 * split.potential, abs=1e-8)


def test_point_force_gradient_differs_constantly_from_split() -> None:
    run = run_of("point_force")
    distance = run["lagrange_full/gradient"].lam - run["lagrange_full/split"].lam
    assert distance == pytest.approx(-2.3, abs=1e-9)


def test_intermediate_axis_flips_at_stated_times() -> None:
    run = run_of("intermediate_axis")
    lane = run["newton_euler"]
    error = run.orientation_error("newton_euler", reference="exact")
    assert 5e-9 < error.max() < LIMITS["intermediate_axis"]
    assert error[-1] < 0.1 * error.max(), "it falls again"
    flips = crossings(lane.t, lane.h[:, 1])
    assert flips[0] == pytest.approx(7.783140, abs=1e-4)
    assert 2.0 * np.diff(flips).mean() == pytest.approx(31.132561, abs=1e-4)


def test_gimbal_lock_ends_only_3_2_1_at_five_seconds() -> None:
    run = run_of("gimbal_lock")
    locked = run["euler_angles/321"]
    assert locked.status == "singular"
    assert locked.ended_at == pytest.approx(5.0, abs=0.02)
    assert "3-2-1 angles are locked" in locked.message
    rates = np.abs(locked.engine.history.rows[:, 3])
    assert rates[-1] > 20.0 * rates[0], "the azimuth runs away before the end"
    assert np.abs(locked.det_S_321[:-50]).min() > 0.05
    whole = run["newton_euler"]
    pitch = whole.angles_321[:, 1]
    assert 90.0 - pitch.max() == pytest.approx(0.26, abs=0.005)
    up = rotation_matrix(whole.p)[:, 2, 0]
    assert np.degrees(np.arcsin(up[0])) == pytest.approx(49.0, abs=0.05), "its summary says so"
    assert (up.argmin(), up.min()) == (pitch.argmax(), pytest.approx(-1.0, abs=2e-5)), "straight down"
    assert "0.28 deg from 90 deg" in locked.message
    assert [run[name].status for name in ("newton_euler", "euler_angles/313")] == ["ok", "ok"]


def test_literature_benchmarks_hold() -> None:
    top = run_of("lie_group_heavy_top")
    for lane in top.lanes:
        assert lane.omega_space[-1, 1] == pytest.approx(-106.163804141, abs=1e-4), lane.name
    assert np.abs(top["lie_group"].constraint).max() < 1e-11
    given = BENCHMARKS["simo_wong_top"]
    lane = run_of("simo_wong_top", lanes=["newton_euler"])["newton_euler"]
    rows = [round(time / 0.005) for time in given["times"]]
    assert relative_angle(lane.p[rows], np.array(given["e"])).max() < 1e-8
    steady = run_of("steady_precession")["newton_euler"]
    assert steady.angles_313[:, 1] == pytest.approx(60.0, abs=6e-6)
    turned = np.unwrap(np.radians(steady.angles_313[:, 0]))
    assert turned == pytest.approx(10.0 * steady.t, abs=1e-6)
    assert BENCHMARKS["steady_precession"]["spin"] == pytest.approx(steady.omega[0, 2] - 5.0, abs=0.05)


def test_half_turn_ends_as_stated() -> None:
    run = run_of("half_turn")
    reduced, vector = run["reduced_euler_parameters"], run["rotation_vector"]
    assert reduced.ended_at is not None
    assert vector.ended_at is not None
    assert 2.0 < reduced.ended_at < vector.ended_at < 12.0
    assert abs(run["newton_euler"].p[len(reduced), 0]) < 0.02


def test_fundamental_has_one_lambda() -> None:
    run = run_of("fundamental")
    for lane in run.lanes[1:]:
        assert lane.lam == pytest.approx(lane.lam_theory, abs=1e-6), lane.name


def axis(lane) -> np.ndarray:
    """The body z axis (n, 3) [space]."""
    return rotate(lane.p, np.broadcast_to([0.0, 0.0, 1.0], (len(lane.p), 3)))


def walked(lane) -> float:
    """Return the precession of the axis around the vertical [deg]."""
    x, y, _ = axis(lane).T
    return float(np.degrees(np.ptp(np.unwrap(np.arctan2(y, x))[[0, -1]])))


def test_stiff_top_invariants_depend_on_the_integrator() -> None:
    run = run_of("stiff_top")
    fine = run_of("stiff_top", lanes=["hamilton"], dt=1e-5)["hamilton"]
    right, rk4, midpoint, rattle = (
        run["Dormand–Prince 8(5,3)"],
        run["Runge–Kutta 4"],
        run["Implicit midpoint"],
        run["RATTLE (index 3)"],
    )
    assert relative_angle(right.p, fine.p).max() < 1e-8
    assert fine.omega[0, 2] == 400.0
    assert 360.0 / (walked(fine) / 10.0) == pytest.approx(43.0, abs=0.5)
    for lane, degrees in ((right, 84.3), (rk4, 73.5), (midpoint, 75.8)):
        assert walked(lane) == pytest.approx(degrees, abs=0.05), lane.name
    assert rk4.constraint[-1] == pytest.approx(-0.24, abs=0.01)
    assert np.abs(midpoint.constraint).max() < 1e-12
    assert np.abs(midpoint.energy_drift).max() < 1e-14
    assert np.abs(rattle.constraint).max() < 1e-15
    for lane, degrees in ((rattle, 0.02), (run["Lie-group Runge–Kutta 4"], 0.05)):
        apart = np.linalg.norm(axis(lane) - axis(right), axis=1).max()
        assert np.degrees(apart) < degrees, lane.name


def test_stiff_top_at_twice_its_step() -> None:
    lanes = [replace(lane, dt=4e-3) for lane in qv.load_preset("stiff_top").lanes]
    run = run_of("stiff_top", lanes=lanes, sample_interval=4e-3)
    assert run["Runge–Kutta 4"].constraint[-1] < -0.95
    assert run["RATTLE (index 3)"].status == "step_failed"


def test_explorer_enters_a_flat_spin() -> None:
    lane = run_of("explorer", lanes=["newton_euler"])["newton_euler"]
    tilt = np.degrees(np.arctan2(np.linalg.norm(lane.h[:, :2], axis=1), lane.h[:, 2]))
    assert tilt[0] == pytest.approx(1.0, abs=0.01)
    assert lane.t[np.argmax(tilt > 45.0)] == pytest.approx(82.9, abs=0.06)
    assert tilt[-1] > 89.5
    assert lane.energy[0] == pytest.approx(125.0, abs=0.5)
    assert lane.energy[-1] == pytest.approx(1.0, abs=0.1)
    assert lane.omega[0, 2] == pytest.approx(78.5, abs=0.05)
    assert np.linalg.norm(lane.omega[-1]) == pytest.approx(0.65, abs=0.01)
    assert np.abs(lane.momentum_drift).max() < 1e-6
    h = lane.h_space / np.linalg.norm(lane.h_space, axis=1, keepdims=True)
    assert np.degrees(np.arccos(h @ h[0])).max() == pytest.approx(2.2, abs=0.1)


def test_gravity_gradient_librates_about_the_vertical() -> None:
    lane = run_of("gravity_gradient", lanes=["newton_euler"])["newton_euler"]
    rate = 2.0 * np.pi / 5553.456
    vertical = np.stack((np.sin(rate * lane.t), 0.0 * lane.t, np.cos(rate * lane.t)), axis=1)
    away = np.degrees(np.arccos(np.einsum("ni,ni->n", axis(lane), vertical)))
    assert away.max() == pytest.approx(20.0, abs=0.5)
    assert np.linalg.norm(lane.torque, axis=1).max() < 1e-4
    jacobi = lane.energy - rate * lane.h_space[:, 1]
    assert np.ptp(jacobi) < 1e-6 * np.ptp(lane.energy)


def test_attitude_control_stops_at_its_target() -> None:
    lane = run_of("attitude_control", lanes=["hamilton"])["hamilton"]
    error = np.degrees(relative_angle(lane.p, np.array([1.0, 0.0, 0.0, 0.0])))
    assert error[0] == pytest.approx(119.0, abs=0.5)
    assert lane.t[np.argmax(error < 0.5 * 119.2)] == pytest.approx(3.5, abs=0.05)
    assert error[2300:].max() == pytest.approx(0.22, abs=0.03)
    sizes = np.linalg.norm(lane.torque, axis=1)
    assert sizes.argmax() == 0


def test_tumbling_brick_follows_a_parabola_and_flips() -> None:
    lane = run_of("tumbling_brick", lanes=["newton_euler"])["newton_euler"]
    mass = qv.load_preset("tumbling_brick").body.mass
    assert mass is not None
    g = 34.591 / mass
    height = 12.0 * lane.t - 0.5 * g * lane.t**2
    assert lane.centre == pytest.approx(np.stack((1.5 * lane.t, 0 * lane.t, height), axis=1), abs=1e-12)
    assert lane.centre_velocity[:, 2] == pytest.approx(12.0 - g * lane.t, abs=1e-12)
    assert lane.centre[:, 2].max() == pytest.approx(7.3, abs=0.05)
    assert lane.t[lane.centre[:, 2].argmax()] == pytest.approx(1.22, abs=0.01)
    assert crossings(lane.t, lane.h[:, 1]) == pytest.approx([0.67, 2.0], abs=0.01)
    assert lane.h_space_drift.max() < 1e-9


def test_body_on_spring_conserves_energy_and_vertical_momentum() -> None:
    for lane in run_of("body_on_spring").lanes:
        about_anchor = lane.h_space + np.cross(lane.centre - [0.0, 0.0, 1.0], lane.momentum)
        assert np.ptp(about_anchor[:, 2]) < 1e-9
        assert np.abs(lane.energy_drift).max() < 1e-7


def test_t_handle_flips_repeatedly() -> None:
    run = run_of("t_handle")
    lane = run["newton_euler"]
    turns = crossings(lane.t, lane.h[:, 0])
    assert turns[0] == pytest.approx(0.85, abs=0.01)
    assert np.diff(turns) == pytest.approx(1.94, abs=0.01)
    assert run["exact"].status == "ok"


def test_presets_differ_from_each_other() -> None:
    texts = [replace(qv.load_preset(name), name="", path=None) for name in NAMES]
    assert all(isinstance(preset, Preset) for preset in texts)
    assert len({preset.title for preset in texts}) == len(texts)
