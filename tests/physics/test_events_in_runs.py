"""Events in a run: their place in the record, their effect on every formulation, and the laws off the sphere."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import LANES, MOTIONS, random_preset

import quatviz as qv
from quatviz.files.preset import Preset
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.simulation import Simulation

AUGMENTED = [
    *(
        f"{family}/{form}"
        for family in ("lagrange_full", "lagrange_simplified")
        for form in ("torque", "split")
    ),
    *("lagrange_projected", "udwadia_schutte_fundamental"),
]
OSCILLATING = ["lagrange_full/torque_closed", "lagrange_simplified/torque_closed", "udwadia_schutte"]


def spinning(*events: qv.Perturb | qv.Reverse, duration: float = 10.0) -> Preset:
    """A steady spin of 2 rad/s about a principal axis, with constant |p'| = 1/s."""
    return Preset(
        body=qv.Body(inertia=[1.0, 2.0, 3.0]),
        initial=qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0.0, 0.0, 2.0]),
        events=events,
        run=qv.RunSettings(duration=duration, dt=1e-3, sample_interval=0.01),
    )


def test_event_sample_is_the_state_after_it() -> None:
    event = qv.Perturb(at=0.5, length=1.001)
    run = qv.simulate(spinning(event, duration=1.0), lanes=["udwadia_schutte"])
    before, after = run["udwadia_schutte"].constraint[[49, 50]]
    assert abs(before) < 1e-12
    assert after == pytest.approx(1.001**2 - 1, rel=1e-9)


def test_initial_event_does_not_change_the_drift_reference() -> None:
    free = random_preset(3, gravity=True)
    run = qv.simulate(
        replace(free, events=[qv.Perturb(at=0.0, length=1.01)]), lanes=["hamilton"], duration=1.0
    )
    lane, plain = run["hamilton"], qv.simulate(free, lanes=["hamilton"], duration=1.0)["hamilton"]
    assert lane.constraint[0] == pytest.approx(1.01**2 - 1)
    changed = (lane.energy[0] - plain.energy[0]) / max(abs(plain.energy[0]), plain.kinetic[0])
    assert lane.energy_drift[0] == pytest.approx(changed)
    assert abs(changed) > 1e-4


@pytest.mark.parametrize(
    "lane", ["hamilton", "lagrange_simplified/torque", "lie_group", "modified_rodrigues"]
)
def test_block_size_does_not_change_the_result(lane: str) -> None:
    events = [
        qv.Perturb(at=0.3, length=1.001, rate=1e-3),
        qv.Reverse(at=0.7),
        qv.Perturb(at=0.7, length=0.999),
    ]
    preset = replace(random_preset(1, gravity=True), events=events)
    preset = preset.with_run(lanes=[lane], duration=1.0, dt=5e-3, sample_interval=0.01)
    rows = []
    for size in (1, 7, 29, 30, 1000):
        run = Simulation(preset)
        only = run.lanes[0]
        only.prepare()
        while run.missing(only):
            only.advance(min(size, run.missing(only)))
        rows.append(only.history.rows.copy())
    assert all(np.array_equal(rows[0], other) for other in rows[1:])
    plain = qv.simulate(replace(preset, events=())).lanes[0].engine.history.rows
    assert np.array_equal(plain[:30], rows[0][:30])
    assert not np.array_equal(plain[30:], rows[0][30:])


@pytest.mark.parametrize("lane", LANES)
def test_perturbed_length_does_not_change_the_motion(lane: str) -> None:
    preset = random_preset(2, gravity=False).with_run(lanes=[lane], duration=0.02, sample_interval=0.01)
    after = qv.simulate(replace(preset, events=[qv.Perturb(at=0.0, length=1.01, rate=0.1)]))[lane]
    plain = qv.simulate(preset)[lane]
    assert relative_angle(after.p[0], plain.p[0]) < 1e-14
    assert after.omega[0] == pytest.approx(plain.omega[0], rel=1e-13, abs=1e-14)
    state = after.engine.formulation.component_names
    has_p, has_rates = "e0" in state, "e0_rate" in state
    assert after.constraint[0] == pytest.approx(1.01**2 - 1 if has_p else 0.0, abs=1e-14)
    assert after.constraint_rate[0] == pytest.approx(0.1 if has_rates else 0.0, abs=1e-14)
    assert (after.warnings == ()) == has_rates


def test_augmented_forms_drift_linearly() -> None:
    run = qv.simulate(spinning(qv.Perturb(at=1.0, rate=1e-4)), lanes=AUGMENTED)
    for lane in run.lanes:
        since = lane.t[100:] - 1.0
        assert lane.constraint[100:] == pytest.approx(2e-4 * since, abs=2e-9), lane.name


def test_closed_forms_oscillate_at_omega_over_root_two() -> None:
    run = qv.simulate(spinning(qv.Perturb(at=1.0, rate=1e-6)), lanes=OSCILLATING)
    frequency = 2.0 / np.sqrt(2.0)
    for lane in run.lanes:
        since = lane.t[100:] - 1.0
        expected = 2e-6 / frequency * np.sin(frequency * since)
        assert lane.constraint[100:] == pytest.approx(expected, abs=1e-10), lane.name


def test_length_is_constant_in_augmented_and_oscillates_in_closed_forms() -> None:
    run = qv.simulate(spinning(qv.Perturb(at=1.0, length=1 + 1e-6)), lanes=[AUGMENTED[0], OSCILLATING[0]])
    flat, wave = (run[name].constraint[100:] for name in (AUGMENTED[0], OSCILLATING[0]))
    assert flat == pytest.approx(2e-6, abs=1e-10)
    assert wave == pytest.approx(2e-6 * np.cos(np.sqrt(2.0) * run.lanes[0].t[: len(wave)]), abs=1e-10)


def test_first_order_forms_conserve_the_initial_length() -> None:
    lanes = ["newton_euler", "hamilton", "hamilton_canonical", "lie_group"]
    for lane in qv.simulate(spinning(qv.Perturb(at=1.0, length=1.001)), lanes=lanes).lanes:
        assert lane.constraint[100:] == pytest.approx(1.001**2 - 1, abs=1e-9), lane.name


def test_stabilized_lanes_return_to_the_sphere() -> None:
    names = ("renormalise", "project", "baumgarte")
    lanes = [qv.Lane("lagrange_simplified/torque", stabilisation=name, name=name) for name in names]
    run = qv.simulate(spinning(qv.Perturb(at=1.0, length=1.001, rate=1e-3)), lanes=lanes)
    assert run["renormalise"].constraint[101:] == pytest.approx(0.0, abs=1e-14)
    assert run["renormalise"].constraint_rate[-1] == pytest.approx(1e-3, rel=1e-2), "it leaves p.p' as it is"
    assert run["project"].constraint_rate[101:] == pytest.approx(0.0, abs=1e-14)
    pulled = np.abs(run["baumgarte"].constraint)
    assert pulled[150] < 1e-1 * pulled[100]
    assert pulled[-1] < 1e-9


def test_unconstrained_form_leaves_the_sphere_as_predicted() -> None:
    """(|u|^4)'' = 4 T/J0 with T at the event."""
    event = qv.Perturb(at=0.0, length=1.0, rate=0.01)
    lane = qv.simulate(
        spinning(event, duration=0.2), lanes=[qv.Lane("udwadia_schutte_unconstrained", J0=1.0)]
    ).lanes[0]
    fourth = (1.0 + lane.constraint) ** 2
    start = 1.0 + 4.0 * 0.01 * lane.t + 2.0 * (lane.kinetic[0]) * lane.t**2
    assert fourth[:6] == pytest.approx(start[:6], rel=1e-3)
    assert lane.constraint[-1] > 10.0 * 2 * 0.01 * 0.2


@pytest.mark.parametrize("lane", MOTIONS)
def test_reversed_motion_returns_to_its_start(lane: str) -> None:
    preset = random_preset(4, gravity=True).with_run(
        lanes=[lane], duration=0.4, dt=1e-3, sample_interval=0.01
    )
    reversed_lane = qv.simulate(replace(preset, events=[qv.Reverse(at=0.2)]))[lane]
    assert reversed_lane.status == "ok"
    assert relative_angle(reversed_lane.p[20], reversed_lane.p[0]) > 0.05
    assert relative_angle(reversed_lane.p, reversed_lane.p[::-1]).max() < 1e-8
    assert reversed_lane.omega[-1] == pytest.approx(-reversed_lane.omega[0], abs=1e-7)
    assert reversed_lane.energy_drift[-1] == pytest.approx(0.0, abs=1e-9)


def test_reverse_event_includes_the_ring() -> None:
    preset = qv.load_preset("ring_damper")
    ring = replace(preset.body.ring, damping=0.0)
    body = replace(preset.body, ring=ring)
    preset = replace(preset, body=body, events=[qv.Reverse(at=1.0)])
    lane = qv.simulate(preset, lanes=["ring_damper"], duration=2.0).lanes[0]
    middle = round(1.0 / preset.run.sample_interval)
    assert lane.ring_angle[-1] == pytest.approx(lane.ring_angle[0], abs=1e-5)
    assert lane.ring_rate[-1] == pytest.approx(-lane.ring_rate[0], abs=1e-6)
    assert relative_angle(lane.p[-1], lane.p[0]) < 1e-7
    assert abs(lane.ring_angle[middle] - lane.ring_angle[0]) > 1.0


def test_event_clears_the_memory_of_multistep_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Simulation(spinning(qv.Perturb(at=0.5, length=1.001), duration=1.0).with_run(lanes=["hamilton"]))
    (lane,) = run.lanes
    made: list[int] = []
    method = lane.solver.segment.integrator.method

    def counted(formulation: Formulation) -> object:
        made.append(lane.samples)
        return method(formulation)

    monkeypatch.setattr(lane.solver.segment.integrator, "method", counted)
    run.complete()
    assert made == [1]


def test_event_after_the_end_applies_in_an_extended_run() -> None:
    preset = spinning(qv.Perturb(at=1.5, length=1.001), duration=1.0).with_run(lanes=["udwadia_schutte"])
    run = Simulation(preset)
    run.complete()
    assert np.abs(run.lanes[0].constraint).max() < 1e-12
    run.extend(2.0)
    run.complete()
    assert run.lanes[0].constraint[149:151] == pytest.approx([0.0, 1.001**2 - 1], abs=1e-9)


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_table_reproduces_a_run_with_events_exactly(suffix: str, tmp_path: Path) -> None:
    events = [qv.Perturb(at=0.31, length=1.0 + 1e-7, rate=-1e-5), qv.Reverse(at=0.5)]
    preset = replace(random_preset(6, gravity=True), events=events)
    run = qv.simulate(preset, lanes=["lagrange_simplified/torque", "hamilton"], duration=1.0)
    path = tmp_path / f"thrown{suffix}"
    run.write(path)
    again = qv.simulate(qv.load_preset(path))
    assert again.preset.events == tuple(events)
    for lane, other in zip(run.lanes, again.lanes, strict=True):
        assert np.array_equal(lane.engine.history.rows, other.engine.history.rows)


def test_h_in_space_is_conserved_without_loads() -> None:
    lane = qv.simulate(random_preset(7, gravity=False), lanes=["newton_euler"], duration=2.0).lanes[0]
    assert lane.h_space_drift.max() < 1e-9
    turned = qv.simulate(spinning(qv.Reverse(at=0.5), duration=1.0), lanes=["newton_euler"]).lanes[0]
    assert turned.h_space_drift[-1] == pytest.approx(2.0)
    assert turned.momentum_drift[-1] == pytest.approx(0.0, abs=1e-12)
