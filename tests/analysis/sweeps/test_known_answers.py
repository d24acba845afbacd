"""Every measure on a motion with a known answer, for a single run and for runs side by side."""

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import quatviz as qv
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.files.addresses import with_number
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.rotations import rotate

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"])
TOP = qv.load_preset("heavy_top").with_run(lanes=["newton_euler"])
MANY = 66
"""Points, which are computed side by side."""


def both(preset: qv.Preset, measure: str, address: str, value: float, **settings: Any) -> np.ndarray:
    """Return the measure of points (2, *shape): computed alone, and side by side."""
    alone = qv.sweep(preset, {address: [value]}, measure=measure, **settings)[measure]
    values = np.full(MANY, value)
    beside = qv.sweep(preset, {address: values}, measure=measure, jobs=1, **settings)[measure]
    return np.stack([alone.values[0, 0], beside.values[0, -1]])


def elliptic() -> float:
    """A quarter of the period [s] of h in a body with moments 1, 2, 3 that starts with h = (0.001, 4, 0), about the axis of
    the least moment: Landau and Lifshitz, Mechanics, 37.9 to 37.12, with the axes 1 and 3 exchanged, for 2T J2 > |h|^2."""
    J, h = np.array([1.0, 2.0, 3.0]), np.array([0.001, 4.0, 0.0])
    energy, size = float((h * h / J).sum()), float(h @ h)  # 2T, |h|^2
    rate = np.sqrt((J[1] - J[0]) * (energy * J[2] - size) / np.prod(J))
    m = (J[2] - J[1]) * (size - energy * J[0]) / ((J[1] - J[0]) * (energy * J[2] - size))
    return float(ellipk(m) / rate)


def test_flips_and_period_match_elliptic_functions() -> None:
    quarter = elliptic()
    settings = {"dt": 2e-3, "duration": 40.0}
    first = both(FREE, "first_flip", "initial.angular_momentum[2]", 0.0, **settings)
    np.testing.assert_allclose(first, quarter, rtol=2e-8)
    period = both(FREE, "period", "initial.angular_momentum[2]", 0.0, **settings)
    np.testing.assert_allclose(period, 4.0 * quarter, rtol=2e-8)
    assert both(FREE, "flips", "initial.angular_momentum[2]", 0.0, **settings).tolist() == [3.0, 3.0]


def test_drift_measures_are_lane_maxima() -> None:
    run = qv.simulate(FREE, dt=0.05, sample_interval=0.05, duration=8.0).lanes[0]
    quantities = {
        "energy_drift": "energy_drift",
        "momentum_drift": "h_space_drift",
        "constraint_drift": "constraint",
    }
    for name, quantity in quantities.items():
        expected = float(np.abs(getattr(run, quantity)).max())
        settings = {"dt": 0.05, "sample_interval": 0.05, "duration": 8.0}
        values = both(FREE, name, "initial.angular_momentum[2]", 0.0, **settings)
        assert expected > 1e-9
        np.testing.assert_allclose(values, expected, rtol=1e-6)
    values = both(TOP, "energy_drift", "loads[0].weight", 20.0, dt=5e-3, sample_interval=5e-3, duration=1.0)
    run = qv.simulate(TOP, dt=5e-3, sample_interval=5e-3, duration=1.0).lanes[0]
    np.testing.assert_allclose(values, np.abs(run.energy_drift).max(), rtol=1e-6)


def test_error_measure_decreases_with_the_step() -> None:
    steps = [0.04, 0.02, 0.01]
    sweep = qv.sweep(FREE, {"lanes[0].dt": steps}, measure="error", sample_interval=0.04, duration=4.0)
    errors = sweep["error"].values[0]
    orders = np.log2(errors[:-1] / errors[1:])
    np.testing.assert_allclose(orders, 4.0, atol=0.2)


def test_error_measure_uses_the_exact_motion_of_each_point() -> None:
    settings: dict[str, Any] = {"dt": 0.02, "sample_interval": 0.02, "duration": 2.0}
    run = qv.simulate(
        with_number(FREE, "initial.angular_velocity[2]", 0.7), lanes=["newton_euler", "exact"], **settings
    )
    expected = run.orientation_error("newton_euler", "exact").max()
    np.testing.assert_allclose(
        both(FREE, "error", "initial.angular_velocity[2]", 0.7, **settings), expected, rtol=1e-6
    )


def test_nutation_agrees_with_lagrange_and_precession_with_the_exact_motion() -> None:
    settings = {"dt": 2e-3, "duration": 3.0}
    amplitude = both(TOP, "nutation", "loads[0].weight", 20.0, **settings)
    J1, h3, weight, z0 = 5.0, 50.0, 20.0, np.cos(0.3)
    # between z0 and the root of 2 J1 W (1 - z^2) = h3^2 (z0 - z), for a top released with spin only
    roots = np.roots([-2 * J1 * weight, h3**2, 2 * J1 * weight - h3**2 * z0])
    z1 = roots[(np.abs(roots) < 1) & (roots < z0)][0]
    np.testing.assert_allclose(amplitude, np.degrees(np.arccos(z1) - 0.3), rtol=1e-5)
    exact = solve(TOP.body, TOP.loads, TOP.initial.p(), TOP.initial.omega(TOP.body))
    nod = 0.6823
    times = np.linspace(0.0, 2.2, 220_001)
    axis = rotate(exact.evaluate(times)[0], [0.0, 0.0, 1.0])
    highest = [int(np.argmax(np.where(np.abs(times - k * nod) < 0.2, axis[:, 2], -1))) for k in (1, 2, 3)]
    angle = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    turns = (angle[highest[-1]] - angle[highest[0]]) / (2 * np.pi * 2)
    number = both(TOP, "rotation_number", "loads[0].weight", 20.0, **settings)
    np.testing.assert_allclose(number, turns, rtol=1e-5)


def test_divergence_rate_about_the_intermediate_axis_is_linearized() -> None:
    rate = 2.0 * np.sqrt((2.0 - 1.0) * (3.0 - 2.0) / (1.0 * 3.0))  # omega2 sqrt((J2 - J1)(J3 - J2)/(J1 J3))
    still = qv.Preset(
        body=FREE.body, lanes=[qv.Lane("newton_euler")],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 2.0, 0.0]),
    )  # fmt: skip
    settings = {"dt": 0.01, "sample_interval": 0.01, "duration": 20.0}
    values = both(still, "lyapunov_exponent", "initial.angular_velocity[0]", 0.0, **settings)
    np.testing.assert_allclose(values, rate, rtol=5e-6)
    # A sleeping top that is too slow: h3^2 < 4 J1 W l; lambda^2 = W l / J1 - (h3 / 2 J1)^2
    slow = qv.Preset(
        body=qv.Body(inertia=[1.0, 1.0, 0.5], about="pivot", mass=1.0, centre_of_mass=[0, 0, 0.5]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 0.0, 2.0]),
        loads=[qv.Gravity(weight=9.0, centre=[0, 0, 0.5])], lanes=[qv.Lane("newton_euler")],
    )  # fmt: skip
    expected = np.sqrt(9.0 * 0.5 / 1.0 - (0.5 * 2.0 / 2.0) ** 2)
    values = both(slow, "lyapunov_exponent", "loads[0].weight", 9.0, **settings)
    np.testing.assert_allclose(values, expected, rtol=1e-5)


def test_divergence_rate_does_not_depend_on_block_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings: dict[str, Any] = {"dt": 0.01, "sample_interval": 0.01, "duration": 1.0, "jobs": 1}
    rates = []
    for rows in (3, 4, 5, 200):
        monkeypatch.setattr("quatviz.analysis.sweeps.engine.MAX_BUFFER_NUMBERS", rows * MANY)
        starts = {"initial.angular_velocity[0]": np.full(MANY, 0.25)}
        rates.append(
            qv.sweep(FREE, starts, measure="lyapunov_exponent", **settings)["lyapunov_exponent"].values
        )
    np.testing.assert_allclose(rates, np.full_like(rates, rates[-1].flat[0]), rtol=1e-9)


def test_steady_rotation_about_a_stable_axis_does_not_diverge() -> None:
    stable = qv.Preset(
        body=FREE.body, lanes=[qv.Lane("newton_euler")],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 0.0, 2.0]),
    )  # fmt: skip
    sweep = qv.sweep(
        stable, {"initial.angular_velocity[0]": [0.0]}, measure="lyapunov_exponent", duration=40.0
    )
    assert abs(sweep["lyapunov_exponent"].item()) < 0.1


def test_settling_time_of_a_damped_sphere_is_exponential() -> None:
    damped = qv.Preset(
        body=qv.Body(inertia=[2.0, 2.0, 2.0]), loads=[qv.Damping(coefficient=1.5)], lanes=[qv.Lane("newton_euler")],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.3, 1.0, 0.2]),
    )  # fmt: skip
    values = both(damped, "settling_time", "loads[0].coefficient", 1.5, dt=0.01, duration=8.0)
    np.testing.assert_allclose(values, 2.0 / 1.5 * np.log(50.0), rtol=1e-5)
    early = qv.sweep(damped, {"loads[0].coefficient": [1.5]}, measure="settling_time", duration=2.0)
    assert np.isnan(early["settling_time"].values).all()


def test_singular_angles_of_a_vertical_pendulum_are_detected() -> None:
    values = both(TOP, "smallest_det_s", "loads[0].weight", 20.0, dt=2e-3, duration=1.0)
    np.testing.assert_allclose(values, np.sin(0.3), rtol=1e-9)


def test_section_points_are_on_the_polhode() -> None:
    values = both(FREE, "section_points", "initial.angular_momentum[2]", 0.5, dt=2e-3, duration=40.0)
    start = FREE.body.inverse_inertia @ [0.001, 4.0, 0.5]
    for points in values:
        finite = points[np.isfinite(points[:, 0])]
        assert len(finite) > 1
        omega = np.stack([np.zeros(len(finite)), finite[:, 0], finite[:, 1]], axis=1)
        seen_from = with_number(FREE, "initial.angular_momentum[2]", 0.5)
        lane = qv.simulate(seen_from.with_run(lanes=["exact"], duration=40.0)).lanes[0]
        seen = np.stack([np.interp(finite[:, 2], lane.t, part) for part in lane.omega.T], axis=1)
        np.testing.assert_allclose(seen, omega, atol=1e-3)
        J = np.diagonal(FREE.body.inertia)
        np.testing.assert_allclose((J * omega**2).sum(axis=1), (J * start**2).sum(), rtol=1e-6)
        np.testing.assert_allclose(((J * omega) ** 2).sum(axis=1), ((J * start) ** 2).sum(), rtol=1e-6)
    np.testing.assert_array_equal(values[0], values[1])


def test_unavailable_measures_are_refused_before_work() -> None:
    control = qv.load_preset("attitude_control")
    for preset, name, message in (
        (TOP, "momentum_drift", "not conserved"),
        (FREE, "settling_time", "no load of the preset damps"),
        (control, "error", "closed form"),
        (control, "energy_drift", "not conserved"),
        (FREE.with_run(sample_interval=2.0, duration=40.0), "lyapunov_exponent", "sample_interval = "),
    ):
        with pytest.raises(qv.InputError, match=message) as refusal:
            qv.sweep(
                preset,
                {"body.inertia[2]": [float(preset.body.inertia[2, 2])]},
                measure=name,
                lanes="newton_euler",
            )
        assert refusal.value.key == "measure"


def test_every_measure_has_a_description_and_a_value() -> None:
    control = qv.load_preset("attitude_control").with_run(lanes=["newton_euler"], duration=2.0)
    orbit = qv.load_preset("elliptic_orbit").with_run(lanes=["newton_euler"], duration=2000.0)
    for name, measure in MEASURES.items():
        assert measure.title
        assert measure.summary
        presets = {
            **dict.fromkeys(("settling_time", "control_effort", "peak_torque"), control), "libration": orbit,
        }  # fmt: skip
        preset = presets.get(name, FREE.with_run(duration=2.0))
        sweep = qv.sweep(
            preset, {"body.inertia[2]": [float(preset.body.inertia[2, 2])]}, measure=name, dt=1e-2
        )
        assert sweep[name].shape[2:] == measure.shape


def test_finished_sweep_releases_exact_motions() -> None:
    settings: dict[str, Any] = {"measure": "error", "dt": 1e-3, "sample_interval": 1e-3, "duration": 4.0}
    # Load everything needed first.
    qv.sweep(FREE, {"initial.angular_velocity[2]": np.linspace(0.2, 0.9, 96)}, **settings)
    gc.collect()
    tracemalloc.start()
    try:
        qv.sweep(FREE, {"initial.angular_velocity[2]": np.linspace(0.1, 1.0, 96)}, **settings)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 4e6
