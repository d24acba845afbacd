"""The states between samples: those of the lane's own steps, as accurate within a step as at its ends."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.events.base import Event
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun

DT = 0.002
SPARSE = 0.1
TUMBLING = replace(
    qv.load_preset("torque_free"),
    body=qv.Body(inertia=[1.0, 2.0, 2.8]),
    initial=qv.Initial(euler_parameters=[0.9, 0.1, -0.3, 0.3], angular_velocity=[0.5, 2.0, 1.0]),
)
TIMED = (qv.Torque(torque=["sin(7*t)", 0.2, "0.3*t"]), qv.Damping(coefficient=0.1))


def lane_of(preset: Preset, lane: str, interval: float, duration: float = 1.0, **settings: Any) -> LaneRun:
    return (
        qv.simulate(preset, lanes=[lane], sample_interval=interval, duration=duration, **settings)
        .lanes[0]
        .engine
    )


@pytest.mark.parametrize(
    ("preset", "lane", "integrator"),
    [
        (TUMBLING, "newton_euler", "rk4"),
        (replace(TUMBLING, loads=TIMED), "lagrange_full/torque", "rk4"),
        (TUMBLING, "euler_angles/312", "heun"),
        (TUMBLING, "modified_rodrigues", "rk4"),
        (TUMBLING, "rotation_vector", "rk4"),
        (TUMBLING, "lie_group", "rk4"),
        (TUMBLING, "lagrange_simplified/torque", "gauss4"),
        (qv.load_preset("ring_damper"), "ring_damper", "rk4"),
    ],
)
def test_sparse_lane_equals_dense_lane_at_its_steps(preset: Preset, lane: str, integrator: str) -> None:
    sparse, dense = (
        lane_of(preset, lane, interval, dt=DT, integrator=integrator) for interval in (SPARSE, DT)
    )
    times = np.arange(dense.samples) * DT
    order = np.random.default_rng(1).permutation(len(times))
    assert np.array_equal(sparse.states_at(times[order]), dense.history.rows[order])
    between, true = sparse.motion_at_times(times), dense.motion()
    assert np.array_equal(between.omega, true.omega)
    assert np.array_equal(between.lam, true.lam, equal_nan=True)
    assert np.allclose(between.energy_drift, true.energy_drift, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("lane", "settings"),
    [
        ("newton_euler", {"integrator": "rk4"}),
        ("newton_euler", {"integrator": "gauss6"}),
        ("newton_euler", {"integrator": "moser_veselov"}),
        ("newton_euler", {"integrator": "euler"}),
        ("hamilton_canonical", {"integrator": "rattle"}),
        ("lagrange_full/torque", {"integrator": "rk4"}),
        ("lie_group", {"integrator": "rk4"}),
        ("newton_euler", {"integrator": "dop853"}),
        ("rotation_vector", {"integrator": "dop853"}),
        ("newton_euler", {"integrator": "lsoda"}),
        ("newton_euler", {"integrator": "radau", "rtol": 1e-8}),
        ("exact", {}),
    ],
)
def test_lane_is_as_accurate_between_steps_as_at_them(lane: str, settings: dict[str, Any]) -> None:
    """Especially for high order, with steps of a twentieth of a radian."""
    dt, fine = 0.025, 0.005
    sparse = lane_of(TUMBLING, lane, 0.5, 2.0, dt=dt, **settings)
    exact = lane_of(TUMBLING, "exact", fine, 2.0, dt=fine)
    times = np.arange(exact.samples) * fine
    motion = sparse.motion_at_times(times)
    errors = relative_angle(motion.p, exact.p)
    at_steps = errors[:: round(dt / fine)]
    assert errors.max() < 1.2 * at_steps.max() + 1e-12
    assert np.abs(motion.constraint).max() <= 4.0 * np.abs(sparse.constraint).max() + 1e-11
    rate_errors = np.abs(motion.omega - exact.omega).max(axis=1)
    assert rate_errors.max() < 1.2 * rate_errors[:: round(dt / fine)].max() + 1e-12


@pytest.mark.parametrize("integrator", ["rk4", "dop853", "rattle"])
def test_dense_states_are_continuous_in_time(integrator: str) -> None:
    lane = lane_of(TUMBLING, "hamilton_canonical", 0.1, dt=0.01, integrator=integrator)
    for time in (0.2, 0.25, 0.33, 0.9):  # a sample, and ends of steps
        left, right = lane.states_at(np.array([time - 1e-9, time + 1e-9]))
        assert np.abs(right - left).max() < 1e-7


EVENTS = [
    qv.Kick(at=0.5, impulse=[1.0, -2.0, 0.5]),
    qv.FlipSign(at=0.5),
    qv.Reverse(at=0.5),
    qv.SetState(at=0.5, euler_parameters=[1.0, 0.0, 0.0, 0.0]),
    qv.ChangeModel(at=0.5, body=qv.Body(inertia=[2.0, 2.0, 1.0]), dt=0.01),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize(
    ("lane", "integrator"),
    [("newton_euler", "rk4"), ("lie_group", "rk4"), ("hamilton", "dop853"), ("exact", "rk4")],
)
def test_states_on_both_sides_of_an_event_are_separate(lane: str, integrator: str, event: Event) -> None:
    settings = {"dt": 0.005} if lane == "exact" else {"dt": 0.005, "integrator": integrator}
    run = lane_of(replace(TUMBLING, events=(event,)), lane, 0.1, **settings)
    plain = lane_of(TUMBLING, lane, 0.1, **settings)
    times = np.array([0.41, 0.4975, 0.5 - 1e-8])
    before, expected = run.motion_at_times(times), plain.motion_at_times(times)
    assert np.allclose(before.p, expected.p, atol=1e-9)
    assert np.allclose(before.omega, expected.omega, atol=1e-9)
    assert np.allclose(before.omega[-1], run.state_before_event(5).omega[0], atol=1e-6)
    assert np.allclose(before.p[-1], run.state_before_event(5).p[0], atol=1e-6)
    assert np.array_equal(run.states_at(np.array([0.5]))[0], run.history.rows[5])
    assert np.allclose(run.states_at(np.array([0.5 + 1e-8]))[0], run.history.rows[5], atol=1e-6)
    assert run.motion_at_times(np.array([0.52])).h[0] == pytest.approx(
        run.motion_at_times(np.array([0.52, 0.41])).h[0], rel=1e-14
    )


def test_ring_conserves_energy_between_samples() -> None:
    """A body with a ring was refused, because the ring's position was only known at samples."""
    preset = qv.load_preset("ring_damper")
    preset = replace(preset, body=replace(preset.body, ring=replace(preset.body.ring, damping=0.0)))
    lane = qv.simulate(preset, lanes=["ring_damper"], duration=1.0, sample_interval=0.1, dt=1e-3).lanes[0]
    times = np.linspace(0.0, 1.0, 457)
    between = lane.at(times)
    assert np.abs(between.energy_drift).max() < 1.1 * np.abs(lane.energy_drift).max()
    assert between.ring_angle == pytest.approx(
        np.interp(times, lane.t, lane.ring_angle), abs=np.abs(np.diff(lane.ring_rate)).max() * 10.0
    )


def test_stiff_lanes_are_interpolated_linearly_if_short_steps_blow_up() -> None:
    stiff = replace(TUMBLING, loads=(qv.Damping(coefficient=1e6),))
    lane = lane_of(stiff, "newton_euler", 0.1, dt=0.05, integrator="radau")
    assert lane.status == "ok"
    states = lane.states_at(np.linspace(0.0, 1.0, 301))
    assert np.isfinite(states).all()
    assert np.abs(states[:, :3]).max() <= np.abs(lane.omega).max() * (1.0 + 1e-6)
