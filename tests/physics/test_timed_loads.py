"""Loads that depend on time: exact solutions, order of every integrator, work, and remarks."""

from typing import Any

import numpy as np
import pytest
from helpers import LANES

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.integrators import INTEGRATORS, ExplicitRungeKutta
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply, relative_angle
from quatviz.simulation.schedule import conserved_quantities

J = 2.5
RATE = 0.4
START = np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2])
BODY = qv.Body(inertia=[1.0, 2.0, J])


def spun(torque: object = "2*sin(3*t)", **run: float) -> Preset:
    """A spin about the third principal axis, driven about it."""
    settings: Any = {"duration": 2.0, "dt": 1e-3, "sample_interval": 0.04, **run}
    return Preset(
        body=BODY,
        initial=qv.Initial(euler_parameters=START, angular_velocity=[0.0, 0.0, RATE]),
        loads=[qv.Torque(torque=[0.0, 0.0, torque])],
        run=qv.RunSettings(**settings),
    )


def exact(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """omega3 = w + 2/(3 J) (1 - cos 3t) for J omega3' = 2 sin 3t, and the attitude after its integral."""
    rate = RATE + 2.0 / (3.0 * J) * (1.0 - np.cos(3.0 * t))
    angle = RATE * t + 2.0 / (3.0 * J) * (t - np.sin(3.0 * t) / 3.0)
    turn = from_rotation_vector(angle[:, None] * np.array([0.0, 0.0, 1.0]))
    return multiply(np.broadcast_to(START, turn.shape), turn), rate


@pytest.mark.parametrize("lane", LANES)
def test_driven_spin_matches_its_closed_form(lane: str) -> None:
    lane_result = qv.simulate(spun(), lanes=[lane]).lanes[0]
    form = lane_result.engine.formulation
    if form.carries_ring or not form.yields_motion:
        return
    p, rate = exact(lane_result.t)
    assert relative_angle(lane_result.p, p).max() < 1e-9
    assert lane_result.omega[:, 2] == pytest.approx(rate, abs=1e-9)


FORMS = ("newton_euler", "hamilton_canonical", "lagrange_simplified/gradient")


@pytest.mark.parametrize("integrator", [name for name, method in INTEGRATORS.items() if method.fixed_step])
def test_order_of_convergence_with_a_timed_load(integrator: str) -> None:
    """A stage that is given the wrong time has order 1. One may do better than its order: the body turns about one axis."""
    steps = 0.04 / 2.0 ** np.arange(4)
    tried = 0
    tableau = integrator != "rk4" and issubclass(INTEGRATORS[integrator], ExplicitRungeKutta)
    for form in FORMS[:1] if tableau else FORMS:
        errors = []
        for dt in steps:
            try:
                run = qv.simulate(spun(), lanes=[Lane(form, integrator=integrator, dt=dt)])
            except InputError:
                break
            p, _ = exact(run.lanes[0].t)
            errors.append(relative_angle(run.lanes[0].p, p).max())
        if len(errors) == len(steps):
            tried += 1
            usable = np.array(errors) > 1e-14  # below, it is rounding
            slope = np.polyfit(np.log(steps[usable]), np.log(np.array(errors)[usable]), 1)[0]
            assert slope > INTEGRATORS[integrator].order - 0.15, (form, errors)
    assert tried


def test_adaptive_method_evaluates_timed_loads() -> None:
    lane = qv.simulate(spun(), lanes=[Lane("newton_euler", integrator="dop853")]).lanes[0]
    assert relative_angle(lane.p, exact(lane.t)[0]).max() < 1e-9


def test_changed_expression_does_not_recompile() -> None:
    qv.simulate(spun(0.3), lanes=["newton_euler"])
    compiled = len(blocks.fixed_step_block.dispatcher.signatures)
    for torque in ("2*sin(3*t)", "exp(-t)+sqrt(abs(t-1))"):
        qv.simulate(spun(torque), lanes=["newton_euler"])
    assert len(blocks.fixed_step_block.dispatcher.signatures) == compiled


def test_constant_expression_equals_a_number() -> None:
    """0*t + 0.3 goes through the interpreter, 0.3 does not."""
    runs = [qv.simulate(spun(torque), lanes=["hamilton"]).lanes[0] for torque in (0.3, "0*t+0.3", "0.3")]
    assert runs[1].p == pytest.approx(runs[0].p, abs=1e-14)
    assert np.array_equal(runs[2].p, runs[0].p)


def test_energy_gain_equals_work_of_the_torque() -> None:
    loads = [
        qv.Torque(torque=["0.4*sin(3*t)", 0.1, "0.3*cos(2*t)"], frame="space"),
        qv.Gravity(weight="5+2*sin(4*t)", centre=[0.1, 0.2, -0.3]),
        qv.Damping(coefficient="0.1*t"),
    ]
    preset = Preset(
        body=BODY, initial=qv.Initial(euler_parameters=START, angular_velocity=[1, 2, -1]), loads=loads
    )
    lane = qv.simulate(preset, lanes=["lagrange_full/gradient"], duration=4.0, sample_interval=0.01).lanes[0]
    power = np.einsum("ni,ni->n", lane.torque, lane.omega)
    work = 0.01 / 3.0 * (power[0:-2:2] + 4.0 * power[1:-1:2] + power[2::2]).cumsum()
    assert lane.kinetic[2::2] - lane.kinetic[0] == pytest.approx(work, abs=1e-7)
    assert np.abs(lane.energy - lane.energy[0]).max() > 0.5, "the energy is not constant"


def test_conserved_quantities_of_a_run_are_declared() -> None:
    steady = qv.Gravity(weight=5.0, centre=[0.1, 0.2, -0.3])
    moving = qv.Gravity(weight="5+t", centre=[0.1, 0.2, -0.3])
    assert "energy_drift" in conserved_quantities([steady])
    assert "energy_drift" not in conserved_quantities([moving])
    assert not moving.bind(BODY).conserves_energy
    assert steady.bind(BODY).conserves_energy


def test_vector_expressions_depend_on_time() -> None:
    """A force of constant length that goes round: every element has its own program."""
    load = qv.PointForce(force=["2*cos(t)", "2*sin(t)", -0.5], point=[0.3, -0.2, 0.7])
    (bound,) = bind([load], BODY)
    t = np.linspace(0.0, 5.0, 7)
    acting = bound.force(t, np.tile(START, (7, 1)))
    assert acting is not None
    expected = np.stack((2 * np.cos(t), 2 * np.sin(t), np.full(7, -0.5)), axis=1)
    assert acting[0] == pytest.approx(expected, abs=1e-15)
    assert acting[1] == pytest.approx([0.3, -0.2, 0.7])
    assert bind([bound], BODY) == (bound,)


def test_expressions_round_trip_through_text() -> None:
    preset = Preset(
        title="driven",
        body=BODY,
        initial=qv.Initial(euler_parameters=START, angular_velocity=[0, 0, 1]),
        loads=[qv.Torque(torque=["2*sin(3*t)", 0.5, 0]), qv.Gravity(weight="5+t", centre=[0, 0, 1])],
    )
    text = format_preset(preset)
    assert 'torque = ["2*sin(3*t)", 0.5, 0]' in text
    assert 'weight = "5+t"' in text
    assert parse_preset(text) == preset
    assert hash(parse_preset(text)) == hash(preset)
    with pytest.raises(InputError, match="unknown name 'u' at character 9") as refusal:
        parse_preset(text.replace("2*sin(3*t)", "2*sin(3*u)"))
    assert refusal.value.key == "loads[0].torque"
    assert "line" in refusal.value.place


def test_undefined_expression_ends_the_lane_with_a_message() -> None:
    lane = qv.simulate(spun("1/(1-t)"), lanes=["newton_euler"]).lanes[0]
    assert lane.status == "not_finite"
    assert lane.ended_at == pytest.approx(1.0, abs=0.05)
    assert "'1/(1-t)' of the load torque has no finite value at t = 1 s" in lane.message


def test_exact_lane_refuses_timed_loads() -> None:
    lane = qv.simulate(spun(), lanes=["exact"]).lanes[0]
    assert lane.status == "no_closed_form"
