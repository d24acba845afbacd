"""The exact lane: evaluated without steps or compilation; it ends with a message if no closed form is known."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers import reference_preset

import quatviz as qv
from quatviz import cli
from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset, RunSettings
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations.base import StateFunction
from quatviz.physics.formulations.exact import Exact
from quatviz.physics.kernels import blocks, compiler_pool
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation import compilation
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation


def damped(preset: Preset) -> Preset:
    return replace(preset, loads=(qv.Damping(coefficient=0.1),))


@pytest.mark.parametrize(("case", "dt"), [("torque_free", 1e-2), ("heavy_top", 1e-3), ("spring_disk", 1e-2)])
def test_exact_lane_is_the_reference_of_orientation_errors(case: str, dt: float) -> None:
    run = qv.simulate(reference_preset(case), lanes=["exact", "hamilton"], dt=dt, duration=2.0)
    assert [lane.status for lane in run.lanes] == ["ok", "ok"]
    error = run.orientation_error("hamilton", reference="exact")
    assert error.shape == run["exact"].t.shape
    assert 0.0 < error.max() < 1e-6
    finer = qv.simulate(reference_preset(case), lanes=["exact", "hamilton"], dt=dt / 2, duration=2.0)
    ratio = error[-1] / finer.orientation_error("hamilton", reference="exact")[-1]
    assert ratio == pytest.approx(16.0, rel=0.15), "the whole error, of order four"


def test_exact_lane_is_independent_of_the_step() -> None:
    lane = qv.simulate(
        reference_preset("torque_free"), lanes=["exact"], dt=0.5, duration=200.0, sample_interval=0.5
    )["exact"]
    assert len(lane) == 401
    assert np.abs(lane.energy_drift).max() < 1e-13
    assert np.abs(lane.momentum_drift).max() < 1e-13
    assert np.abs(lane.constraint).max() < 1e-14
    single = qv.simulate(
        reference_preset("torque_free"), lanes=["exact"], dt=200.0, duration=200.0, sample_interval=200.0
    )
    assert single["exact"].p[-1] == pytest.approx(lane.p[-1], abs=1e-15), "no step leads to another"


def test_exact_lane_has_no_steps_or_multiplier() -> None:
    lane = qv.simulate(reference_preset("heavy_top"), lanes=["exact"], duration=1.0)["exact"]
    assert (lane.steps, lane.integrator) == (0, "")
    assert np.isnan(lane.lam).all()
    assert np.isnan(lane.condition).all()
    assert (lane.singularity == 1.0).all()


def test_exact_lane_ignores_the_integrator_of_the_run() -> None:
    """RATTLE appends the multiplier to each state. An exact lane in the same run once got rows of the wrong length."""
    preset = qv.load_preset("torque_free")
    lanes = (Lane("exact"), Lane("lagrange_simplified/torque"))
    run = qv.simulate(
        replace(preset, run=replace(preset.run, integrator="rattle", duration=1.0), lanes=lanes)
    )
    assert [lane.status for lane in run.values()] == ["ok", "ok"]


def test_exact_lane_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(compiler_pool, "start_compiler", never)
    monkeypatch.setattr(blocks, "measure_rows", never)
    preset = replace(reference_preset("torque_free"), lanes=(Lane("exact"),))
    compilation.compile_preset(preset)
    simulation = Simulation(preset)
    lane = simulation["exact"]
    assert lane.prepared
    preparation = ChildCompilation(preset)
    runner = Runner(simulation, preparation)
    while runner.tick(0.0):
        pass
    assert (lane.status, lane.samples) == ("ok", simulation.samples)
    simulation.extend(20.0)
    while runner.tick(0.0):
        pass
    assert (lane.status, lane.samples) == ("ok", simulation.samples)
    assert not compilation.mark_path(lane).exists()


@pytest.mark.parametrize("key", ["dt", "integrator", "stabilisation"])
def test_exact_lane_refuses_step_options(key: str) -> None:
    value: Any = {"dt": 1e-3, "integrator": "rk4", "stabilisation": "renormalise"}[key]
    lane = Lane("exact", **{key: value})
    with pytest.raises(InputError) as caught:
        qv.simulate(reference_preset("torque_free"), lanes=["hamilton", lane])
    assert caught.value.key == f"lanes[1].{key}"
    assert "not integrated" in str(caught.value)


def test_exact_lane_without_closed_form_ends_and_others_run() -> None:
    run = qv.simulate(
        damped(reference_preset("torque_free")), lanes=["exact", "hamilton"], dt=1e-3, duration=1.0
    )
    lane = run["exact"]
    assert (lane.status, lane.ended_at, len(lane)) == ("no_closed_form", 0.0, 1)
    assert (
        "torque-free motion needs a body without active loads, but these loads act: damping" in lane.message
    )
    assert (run["hamilton"].status, len(run["hamilton"])) == ("ok", 101)


def test_exact_lane_with_a_ring_ends_with_a_message() -> None:
    preset = replace(qv.load_preset("ring_damper"), run=RunSettings(0.1, 1e-3, 0.1))
    lane = qv.simulate(preset, lanes=["ring_damper", "exact"])["exact"]
    assert (lane.status, "ring" in lane.message) == ("no_closed_form", True)


def test_run_of_unsolvable_exact_lanes_finishes_none(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "damped.toml"
    path.write_text(format_preset(damped(reference_preset("torque_free"))), "utf-8")
    arguments = [
        "--lane",
        "exact",
        "--duration",
        "0.1",
        "--sample-interval",
        "0.1",
        "-o",
        str(tmp_path / "out.csv"),
    ]
    assert cli.main(["run", str(path), *arguments]) == 3
    assert "no closed form" in "".join(capsys.readouterr())


def test_preset_accepts_an_exact_lane() -> None:
    preset = replace(reference_preset("torque_free"), lanes=(Lane("exact"), Lane("hamilton")))
    again = parse_preset(format_preset(preset), "a text")
    assert again.lanes == preset.lanes
    assert qv.simulate(again, duration=0.1)["exact"].status == "ok"


def test_exact_lane_applies_events_and_reverses() -> None:
    preset = replace(
        qv.load_preset("torque_free"), events=(qv.Perturb(at=2.0, length=1.01), qv.Reverse(at=5.0))
    )
    run = qv.simulate(preset, lanes=["exact", "hamilton"], duration=10.0, sample_interval=0.1)
    exact = run["exact"]
    assert exact.status == "ok"
    forward, back = exact.p[21:51], exact.p[79:49:-1]
    assert relative_angle(forward, back).max() < 1e-12
    assert run.orientation_error("hamilton", reference="exact").max() < 1e-9


def test_exact_lane_ends_at_an_event_without_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = Exact.solution

    def only_at_first(form: Exact, *given: Any) -> StateFunction:
        if solved:
            raise NoClosedForm("no longer known")
        solved.append(form)
        return solve(form, *given)

    solved: list[Exact] = []
    monkeypatch.setattr(Exact, "solution", only_at_first)
    preset = replace(qv.load_preset("torque_free"), events=(qv.Reverse(at=5.0),))
    lane = qv.simulate(preset, lanes=["exact"], duration=10.0, sample_interval=0.1)["exact"]
    assert (lane.status, lane.ended_at) == ("no_closed_form", 5.0)
    assert "no longer known" in lane.message
    assert len(lane) == 51
