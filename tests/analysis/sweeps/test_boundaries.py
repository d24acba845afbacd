"""Computed maps compared with exactly known boundaries."""

import numpy as np

import quatviz as qv
from quatviz.analysis.sweeps.stability import gravity_gradient, separatrix, sleeping_top, swing_growth_rate


def test_body_flips_beyond_the_separatrix() -> None:
    """A body spun about the axis of the largest moment: h3 changes its sign only if h circles another axis."""
    preset = qv.Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]), lanes=[qv.Lane("newton_euler")],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.1, 0.1, 1.0]),
    )  # fmt: skip
    side = np.linspace(-3.0, 3.0, 17)
    over = {"initial.angular_velocity[0]": side, "initial.angular_velocity[1]": side}
    flips = qv.sweep(preset, over, measure="flips", dt=1e-2, duration=40.0)["flips"].values[0]
    x, y = np.meshgrid(side, side, indexing="ij")
    beyond = separatrix([1.0, 2.0, 3.0], np.stack([x, y, np.ones_like(x)], axis=-1))
    clear = np.abs(beyond) > 0.05  # nearer to it a flip takes longer than the run
    assert 30 < (beyond[clear] > 0).sum() < clear.sum() - 30
    np.testing.assert_array_equal((flips > 0)[clear], (beyond > 0)[clear])


def test_top_sleeps_above_its_critical_spin() -> None:
    J1, J3, weight, arm = 1.0, 0.5, 9.0, 0.5
    preset = qv.Preset(
        body=qv.Body(inertia=[J1, J1, J3], about="pivot", mass=1.0, centre_of_mass=[0, 0, arm]),
        loads=[qv.Gravity(weight=weight, centre=[0, 0, arm])], lanes=[qv.Lane("newton_euler")],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[1e-3, 0.0, 5.0]),
    )  # fmt: skip
    spins, weights = np.linspace(2.0, 16.0, 15), np.linspace(3.0, 15.0, 7)
    over = {"initial.angular_velocity[2]": spins, "loads[0].weight": weights}
    nods = qv.sweep(preset, over, measure="nutation", dt=5e-3, sample_interval=0.02, duration=30.0)[
        "nutation"
    ].values[0]
    margin = sleeping_top(J1, J3, spins[:, None], weights * arm)
    clear = np.abs(margin) > 1.5
    assert 20 < (margin[clear] > 0).sum() < clear.sum() - 20
    np.testing.assert_array_equal((nods < 2.0)[clear], (margin > 0)[clear])


def test_satellite_stability_matches_debra_and_delp() -> None:
    preset = qv.Preset(
        body=qv.Body(inertia=[0.9, 1.0, 0.2]), lanes=[qv.Lane("newton_euler")],
        loads=[
            qv.GravityGradient(
                gravitational_parameter=1.0, distance=1.0, direction=[0, 0, 1], orbit="circular", normal=[0, 1, 0]
            )
        ],
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 1.0, 0.0]),
    )  # fmt: skip
    roll, yaw = np.linspace(0.15, 1.9, 8), np.linspace(0.2, 1.9, 9)
    over = {"body.inertia[0]": roll, "body.inertia[2]": yaw}
    settings = {
        "dt": 0.02,
        "sample_interval": 0.04,
        "duration": 8.0,
    }  # before step errors have grown
    sweep = qv.sweep(preset, over, measure="lyapunov_exponent", **settings)  # type: ignore[arg-type]
    rate = sweep["lyapunov_exponent"].values[0]
    x, y = np.meshgrid(roll, yaw, indexing="ij")
    moments = np.stack([x, np.ones_like(x), y], axis=-1)
    expected, margin = swing_growth_rate(moments), gravity_gradient(moments)
    finite = np.isfinite(rate)
    np.testing.assert_array_equal(finite, (2 * moments.max(axis=-1) <= moments.sum(axis=-1) * (1 + 1e-9)))
    unstable, stable = finite & (expected > 0.7), finite & (margin > 0.01)
    assert unstable.sum() > 10
    assert stable.sum() > 3
    np.testing.assert_allclose(rate[unstable], expected[unstable], atol=0.1)  # some swing while they grow
    assert (np.abs(rate[stable]) < 0.4).all()
    clear = finite & (np.abs(margin) > 1e-9)
    np.testing.assert_array_equal((margin > 0)[clear], (expected < 1e-7)[clear])
