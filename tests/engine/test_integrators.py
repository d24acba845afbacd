"""What every integrator of the registry must do: its order, the same results however a run is divided, its refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import LANES, STATES, preset_of

import quatviz as qv
from quatviz.core import integrator_hooks
from quatviz.core.errors import Refusal
from quatviz.core.preset import Lane, Preset
from quatviz.core.rotations import relative_angle
from quatviz.formulations import make_formulation
from quatviz.integrators import INTEGRATORS
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

FORMS = ("newton_euler", "hamilton", "lagrange_simplified/gradient")
"""Every integrator accepts one of these; other tests need most of their kernels too, which take ten seconds each."""
CASE = "point_force"
FIXED = [name for name, method in INTEGRATORS.items() if method.fixed_step]


def made(integrator: str, lane: str, preset: Preset, **changes: float) -> LaneRun | None:
    """The lane, not yet computed; None where the integrator refuses the form."""
    try:
        changed = preset.with_run(lanes=[Lane(lane, integrator=integrator)], **changes)
        return Simulation(changed).lanes[0]
    except Refusal:
        return None


def lanes_of(integrator: str, preset: Preset, **changes: float) -> list[LaneRun]:
    found = [made(integrator, form, preset, **changes) for form in FORMS]
    return [lane for lane in found if lane is not None]


def computed(lane: LaneRun, samples: int, block: int | None = None) -> LaneRun:
    lane.prepare()
    while samples > 0 and lane.alive:
        count = min(block or samples, samples)
        lane.advance(count)
        samples -= count
    return lane


@pytest.mark.parametrize("integrator", FIXED)
def test_order_of_convergence(integrator: str) -> None:
    """The slope of log error over log dt, against states in 80-bit arithmetic, is the order that the method declares."""
    time = 2.0
    e = STATES[CASE]["e"][STATES[CASE]["times"].index(time)]
    steps = 0.04 / 2.0 ** np.arange(4)
    for form in {lane.formulation.id for lane in lanes_of(integrator, preset_of(CASE))}:
        errors = []
        for dt in steps:
            lane = made(integrator, form, preset_of(CASE), dt=dt, duration=time, sample_interval=0.04)
            assert lane is not None
            errors.append(relative_angle(computed(lane, round(time / 0.04)).p[-1], e))
        slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
        assert slope == pytest.approx(INTEGRATORS[integrator].order, abs=0.1), (form, errors)


@pytest.mark.parametrize("integrator", sorted(INTEGRATORS))
def test_results_do_not_depend_on_blocks(integrator: str) -> None:
    """To the last bit, state and lambda: the window computes in other pieces than a script."""
    preset, times = qv.load_preset("heavy_top"), {"dt": 2e-3, "sample_interval": 0.01, "duration": 1.0}
    whole = [computed(lane, 100) for lane in lanes_of(integrator, preset, **times)]
    assert whole
    for block in (1, 7):
        for one, lane in zip(whole, lanes_of(integrator, preset, **times), strict=True):
            divided = computed(lane, 100, block)
            assert np.array_equal(one.history.rows, divided.history.rows)
            assert np.array_equal(one.lam, divided.lam, equal_nan=True)
            assert one.steps == divided.steps


@pytest.mark.parametrize("integrator", sorted(INTEGRATORS))
def test_charts_are_changed_on_the_way(integrator: str) -> None:
    """Beyond half a turn modified Rodrigues parameters change to their shadow set, whatever the integrator."""
    preset = qv.load_preset("half_turn")
    lane = made(integrator, "modified_rodrigues", preset, dt=2e-3, duration=12.0, sample_interval=0.01)
    if lane is None:
        return
    computed(lane, 1200)
    fine = qv.simulate(preset, lanes=["newton_euler"])["newton_euler"]
    assert lane.status == "running"
    assert np.linalg.norm(lane.history.rows[:, 3:6], axis=1).max() < 1.1
    assert relative_angle(lane.p, fine.p[: lane.samples]).max() < 1e-4


@pytest.mark.parametrize(
    ("lane", "words"),
    [
        (Lane("newton_euler", integrator="rattle"), "which has no multiplier left"),
        (Lane("lagrange_full/torque_closed", integrator="rattle"), "from the closed inverse"),
        (Lane("lagrange_full", integrator="rattle", stabilisation="project"), "own equations keep"),
        (Lane("lagrange_full", integrator="rattle", stabilisation="baumgarte"), "own equations keep"),
        (Lane("lie_group", integrator="lie_rk4"), "a formulation whose state is p beside omega or h"),
        (Lane("lagrange_full", integrator="lie_rk4"), "whose state is e0, e1"),
        (Lane("hamilton", integrator="lie_rk4", stabilisation="renormalise"), "by construction"),
    ],
)
def test_what_makes_no_sense_is_refused(lane: Lane, words: str) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        qv.simulate(qv.load_preset("torque_free"), lanes=[lane], duration=0.1)
    assert refusal.value.key in ("lanes[0].integrator", "lanes[0].stabilisation")


@pytest.mark.parametrize("lane", LANES)
def test_a_form_registers_what_it_declares(lane: str) -> None:
    form = make_formulation(lane)
    kind = type(form.parameters(preset_of(CASE).body, ()))
    if form.index3:
        assert kind in integrator_hooks._index3
        assert form.has_multiplier
    assert (kind in integrator_hooks._groups) == form.on_group


def test_a_refusal_of_the_runs_integrator_stands_there() -> None:
    with pytest.raises(Refusal) as refusal:
        qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton"], integrator="rattle", duration=0.1)
    assert refusal.value.key == "run.integrator"


@pytest.mark.parametrize(
    ("integrator", "form", "dt", "words"),
    [
        ("implicit_midpoint", "modified_rodrigues", 0.1, "found no midpoint; the step is too long"),
        ("rattle", "hamilton_canonical", 0.04, "try a dt with |omega| dt below 1"),
        ("dop853", "newton_euler", 0.01, "shorter than dt"),
    ],
)
def test_a_step_that_cannot_be_made_ends_the_lane_with_a_sentence(
    integrator: str, form: str, dt: float, words: str
) -> None:
    preset = qv.load_preset("heavy_top")
    if integrator == "dop853":  # no sane motion makes it fail in regular coordinates
        preset = replace(preset, initial=replace(preset.initial, angular_momentum=[1e100, 0.0, 1e100]))
    lane = made(integrator, form, preset, dt=dt, sample_interval=dt, duration=10 * dt)
    assert lane is not None
    computed(lane, 10)
    assert lane.status == "step_failed"
    assert words in lane.message
    assert np.isfinite(lane.p).all()
