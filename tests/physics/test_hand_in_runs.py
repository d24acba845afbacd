"""Changes by the user while a run is computed: kicks, flips, set states, branches; and the hash of the result."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import LANES, random_preset

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.events.base import Event
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation

FEW = ["newton_euler", "hamilton", "hamilton_canonical", "lagrange_simplified/torque", "lie_group"]
SHORT: dict[str, Any] = {"duration": 1.0, "dt": 2e-3, "sample_interval": 0.01}


def eventful(*events: Event, seed: int = 4, gravity: bool = True) -> Preset:
    return replace(random_preset(seed, gravity), events=events).with_run(**SHORT)


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize("frame", ["space", "body"])
def test_kick_adds_its_impulse_to_h(lane: str, frame: str) -> None:
    kick = qv.Kick(at=0.0, impulse=[0.3, -0.2, 0.5], frame=frame)
    off = qv.Perturb(at=0.0, length=1.02)
    preset = eventful(off, kick).with_run(lanes=[lane], duration=0.02)
    after = qv.simulate(preset)[lane]
    before = qv.simulate(replace(preset, events=[off]))[lane]
    gained = after.h_space[0] - before.h_space[0] if frame == "space" else after.h[0] - before.h[0]
    assert gained == pytest.approx([0.3, -0.2, 0.5], abs=1e-12)
    assert relative_angle(after.p[0], before.p[0]) < 1e-14
    assert after.constraint[0] == pytest.approx(before.constraint[0], abs=1e-14)
    assert after.constraint_rate[0] == pytest.approx(before.constraint_rate[0], abs=1e-14)


def test_ring_receives_its_part_of_a_kick() -> None:
    preset = qv.load_preset("ring_damper").with_run(duration=2.0, sample_interval=0.01)
    kick = qv.Kick(at=1.0, impulse=[2.0, 1.0, -3.0], frame="body")
    lanes = [lane.name for lane in Simulation(preset)]
    for name in lanes:
        before, after = (
            qv.simulate(replace(preset, events=events))[name] for events in ((qv.FlipSign(at=1.0),), (kick,))
        )
        assert after.h[100] - before.h[100] == pytest.approx([2.0, 1.0, -3.0], rel=1e-9)
        assert after.ring_angle[100] == before.ring_angle[100]
        work = np.array([2.0, 1.0, -3.0]) @ (before.omega[100] + after.omega[100]) / 2.0
        assert after.kinetic[100] - before.kinetic[100] == pytest.approx(work, rel=1e-9), (
            "dT = L.(mean omega)"
        )
        assert np.array_equal(after.p[100], -before.p[100])


@pytest.mark.parametrize("lane", LANES)
def test_flipped_sign_of_p_keeps_the_motion(lane: str) -> None:
    preset = eventful(qv.FlipSign(at=0.5)).with_run(lanes=[lane])
    flipped, plain = qv.simulate(preset)[lane], qv.simulate(replace(preset, events=()))[lane]
    common = min(len(flipped), len(plain))
    has_p = "e0" in flipped.engine.formulation.component_names
    sign = np.where((np.arange(common) >= 50) & has_p, -1.0, 1.0)[:, None]
    assert np.array_equal(flipped.p[:common], sign * plain.p[:common])
    assert np.array_equal(flipped.omega[:common], plain.omega[:common])
    assert np.array_equal(flipped.lam[:common], plain.lam[:common], equal_nan=True)
    assert (flipped.warnings == ()) == has_p


@pytest.mark.parametrize("lane", LANES)
def test_set_state_places_the_body(lane: str) -> None:
    p, omega = np.array([0.8, 0.2, -0.4, 0.4]), np.array([1.0, 2.0, -1.0])
    event = qv.SetState(at=0.2, euler_parameters=p, angular_velocity=omega)
    lane_result = qv.simulate(eventful(event).with_run(lanes=[lane], duration=0.3))[lane]
    assert len(lane_result) == 31, "no form meets its singularity here"
    assert relative_angle(lane_result.p[20], p) < 1e-12
    assert lane_result.omega[20] == pytest.approx(omega, abs=1e-12)
    only = qv.simulate(
        eventful(qv.SetState(at=0.2, angular_velocity=omega)).with_run(lanes=[lane], duration=0.3)
    )[lane]
    before = qv.simulate(eventful().with_run(lanes=[lane], duration=0.3))[lane]
    assert relative_angle(only.p[20], before.p[20]) < 1e-12
    assert only.omega[20] == pytest.approx(omega, abs=1e-12)


@pytest.mark.parametrize("lane", FEW)
def test_branch_continues_from_the_exact_state(lane: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The continued run equals, bit for bit, a run that has these loads and this step and starts from the same state."""
    loads = [qv.Torque(torque=[0.5, -1.0, 0.2])]
    preset = eventful(qv.ChangeModel(at=0.4, loads=loads, dt=5e-3)).with_run(lanes=[lane])
    branched = qv.simulate(preset)[lane]
    plain = qv.simulate(replace(preset, events=()))[lane]
    assert np.array_equal(branched.engine.history.rows[:41], plain.engine.history.rows[:41])
    assert not np.array_equal(branched.engine.history.rows[41], plain.engine.history.rows[41])
    monkeypatch.setattr(
        type(branched.engine.formulation), "start", lambda *_: branched.engine.history.rows[40]
    )
    other = Simulation(replace(preset, events=(), loads=loads).with_run(dt=5e-3))
    fresh = other.lanes[0]
    other.complete()
    assert np.array_equal(fresh.history.rows[:61], branched.engine.history.rows[40:])
    assert np.array_equal(fresh.lam[:61], branched.lam[40:], equal_nan=True)
    assert np.array_equal(fresh.torque[:61], branched.torque[40:])
    assert branched.dt == 5e-3
    assert plain.energy_drift[40] != 0.0
    assert abs(branched.energy_drift[40]) < 1e-15


def test_lambda_agrees_with_theory_on_both_sides_of_a_branch() -> None:
    change = qv.ChangeModel(at=0.5, body=qv.Body(inertia=[2.0, 3.0, 4.0]), loads=[])
    lane = qv.simulate(eventful(change).with_run(lanes=["lagrange_full/torque"])).lanes[0]
    assert lane.lam == pytest.approx(lane.lam_theory, rel=1e-6)
    jumped = np.array([49, 51, 20, 50])
    for quantity in ("energy", "h", "lam", "torque"):
        scattered = getattr(lane.engine.motion_at(jumped), quantity)
        assert np.array_equal(scattered, getattr(lane, quantity)[jumped]), quantity
    assert lane.motion(40, 60).angles("313").shape == (20, 3)
    assert not lane.torque[50:].any()
    assert lane.torque[:50].any()


@pytest.mark.parametrize("lane", FEW)
def test_changed_body_keeps_omega_or_h(lane: str) -> None:
    skater = qv.Body(inertia=[1.0, 1.5, 0.8])
    for keeps, quantity in (("angular_velocity", "omega"), ("angular_momentum", "h")):
        change = qv.ChangeModel(at=0.5, body=skater, keeps=keeps)
        with_it = qv.simulate(eventful(change).with_run(lanes=[lane]))[lane]
        without = qv.simulate(eventful().with_run(lanes=[lane]))[lane]
        kept = [getattr(lane_result, quantity)[50] for lane_result in (with_it, without)]
        assert kept[0] == pytest.approx(kept[1], rel=1e-12)
        assert with_it.h[50] == pytest.approx(skater.inertia @ with_it.omega[50], rel=1e-12)
        assert relative_angle(with_it.p[50], without.p[50]) < 1e-14


def test_exact_lane_continues_after_every_change() -> None:
    events = [
        qv.Kick(at=0.3, impulse=[0.1, 0.2, 0.3]),
        qv.ChangeModel(at=0.6, body=qv.Body(inertia=[1.0, 2.0, 2.5])),
        qv.SetState(at=0.8, euler_parameters=[0.5, 0.5, 0.5, -0.5]),
    ]
    run = qv.simulate(eventful(*events, gravity=False).with_run(lanes=["exact", "hamilton"]))
    assert run["exact"].status == "ok"
    assert run.orientation_error("exact", "hamilton").max() < 1e-8
    assert np.abs(run["exact"].energy_drift).max() < 1e-12, "drifts begin anew"


def test_branch_round_trips_through_text() -> None:
    body = qv.Body(inertia=[[2.0, 0.1, 0.0], [0.1, 3.0, 0.0], [0.0, 0.0, 4.0]])
    events = (
        qv.ChangeModel(
            at=0.5, body=body, loads=[qv.Torque(torque=[1, 0, 0]), qv.Damping(coefficient=0.1)], dt=5e-3
        ),
        qv.ChangeModel(at=0.6, loads=[], keeps="angular_momentum"),
        qv.Kick(at=0.7, impulse=[1, 2, 3], frame="body"),
        qv.SetState(at=0.8, euler_parameters=[1, 0, 0, 0]),
        qv.FlipSign(at=0.9),
    )
    preset = eventful(*events)
    assert parse_preset(format_preset(preset)) == preset
    assert parse_preset(format_preset(preset)).events == events


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (qv.ChangeModel(at=0.5, dt=3e-3), "events[1].dt"),
        (qv.ChangeModel(at=0.5, body=qv.Body(inertia=[1, 1, 1], ring={
            "mass": 1.0, "mean_radius": 0.5, "arc_angle": 1.5, "spin": 1.0})), "events[1].body"),
    ],
)  # fmt: skip
def test_invalid_branch_is_refused_before_the_run(change: qv.ChangeModel, key: str) -> None:
    with pytest.raises(InputError) as caught:
        Simulation(eventful(qv.FlipSign(at=0.1), change).with_run(lanes=["hamilton"]))
    assert caught.value.key == key


def test_hash_depends_on_every_bit_of_the_result_only() -> None:
    preset = eventful(qv.Kick(at=0.5, impulse=[0.1, 0.0, 0.0])).with_run(lanes=FEW)
    whole = {lane.name: lane.digest for lane in qv.simulate(preset).lanes}
    assert len(set(whole.values())) == len(FEW)
    run = Simulation(preset)
    for lane in run.lanes:
        assert lane.digest == "", "the first record of a method is not there yet"
        lane.prepare()
        asked = set()
        while run.missing(lane):
            lane.advance(min(7, run.missing(lane)))
            asked.add(lane.digest)
        assert lane.digest == whole[lane.name]
        assert len(asked) == 15
    nearly = replace(preset, events=[qv.Kick(at=0.5, impulse=[0.1 + 1e-14, 0.0, 0.0])])
    assert all(lane.digest != whole[lane.name] for lane in qv.simulate(nearly).lanes)
