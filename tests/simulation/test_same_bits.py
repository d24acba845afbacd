"""A run gives the same bits live, from its text and headless, whatever the block sizes and thread timing."""

import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz import cli
from quatviz.base.errors import InputError
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.simulation import lane_solver
from quatviz.simulation.commands import Extend, Pause, Play, RunnerCommand, Seek, SetSpeed, StepSamples
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import Worker

EVENTS = (
    qv.Kick(at=0.21, impulse=[20.0, -10.0, 30.0]),
    qv.FlipSign(at=0.4),
    qv.ChangeModel(at=0.5, loads=[qv.Torque(torque=[50.0, 0.0, 10.0])], dt=5e-3),
    qv.Perturb(at=0.5, length=1.001, rate=1e-3),
    qv.LaneChange(at=0.6, lane="lagrange_simplified/torque", dt=1e-3, stabilisation="project"),
    qv.LaneChange(at=0.7, lane="hamilton_canonical", dt=2e-3),
    qv.Reverse(at=0.8),
    qv.SetState(at=0.9, euler_parameters=[0.8, 0.2, -0.4, 0.4], angular_velocity=[0.5, 1.0, -0.2]),
    qv.ChangeModel(at=1.0, body=qv.Body(inertia=[300.0, 250.0, 200.0]), keeps="angular_momentum"),
)

PLAY: list[RunnerCommand] = [Play(), Pause(), Seek(0.7), StepSamples(-3), SetSpeed(5.0)]


class Ready:
    def is_ready(self, lane: LaneRun) -> bool:
        lane.prepare()
        return True

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def preset() -> Preset:
    lanes = [
        Lane("newton_euler"),
        Lane("lagrange_simplified/torque"),
        Lane("hamilton", integrator="dop853"),
        Lane("hamilton_canonical", integrator="rattle"),
        Lane("exact"),
    ]
    free = qv.load_preset("torque_free")
    return replace(free, events=EVENTS).with_run(lanes=lanes, duration=1.5, dt=1e-2, sample_interval=0.01)


@pytest.fixture(scope="module")
def hashes(preset: Preset) -> dict[str, str]:
    """Return the hashes of a script's run."""
    return {lane.name: lane.digest for lane in qv.simulate(preset).lanes}


def of(simulation: Simulation) -> dict[str, str]:
    return {lane.name: lane.digest for lane in simulation}


def test_live_run_during_interaction_gives_the_same_bits(preset: Preset, hashes: dict[str, str]) -> None:
    for seed in range(3):
        chance = random.Random(seed)
        simulation = Simulation(preset.with_run(duration=1.2))
        worker = Worker(Runner(simulation, Ready()))
        worker.start()
        try:
            for _ in range(20):
                worker.submit(chance.choice(PLAY))
                time.sleep(chance.uniform(0.0, 2e-3))
            worker.submit(Extend(1.5))
            until = time.monotonic() + 60.0
            while any(map(simulation.missing, simulation)) or simulation.duration < 1.5:
                assert time.monotonic() < until
                time.sleep(0.01)
        finally:
            worker.stop()
        assert of(simulation) == hashes


def test_run_exceeding_memory_is_refused_before_allocation(preset: Preset) -> None:
    endless = replace(preset, events=()).with_run(duration=1e15)
    with pytest.raises(InputError) as caught:
        Simulation(endless)
    assert caught.value.key == "run.duration"
    late = replace(preset, events=[qv.ChangeModel(at=1e30, dt=5e-3)])
    lane = qv.simulate(late, lanes=["newton_euler"]).lanes[0]
    assert lane.engine.motion_at(np.array([0, 100])).p.shape == (2, 4)


@pytest.mark.parametrize(("steps", "seconds"), [(1, 1e-9), (77, 1e-3), (10**6, 1.0)])
def test_block_sizes_and_clocks_give_the_same_bits(
    preset: Preset, hashes: dict[str, str], steps: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("STEPS_PER_BLOCK", steps), ("FIRST_BLOCK", steps), ("BLOCK_TIME", seconds)):
        monkeypatch.setattr(lane_solver, name, value)
    simulation = Simulation(preset)
    runner = Runner(simulation, Ready())
    chance = np.random.default_rng(1)
    while runner.tick(float(chance.uniform(0.0, 0.1))):
        pass
    assert of(simulation) == hashes


def test_sample_of_many_steps_does_not_block(preset: Preset) -> None:
    """A sample of 10^11 steps, for every way of stepping."""
    slow = replace(preset, events=()).with_run(dt=1e-12, sample_interval=0.1, lanes=preset.lanes[:-1])
    for lane in Simulation(slow):
        lane.prepare()
        for _ in range(3):
            before = lane.solver.steps
            lane.advance_briefly(1)
            assert before < lane.solver.steps <= before + lane_solver.STEPS_PER_BLOCK
        assert lane.samples == 1
    with pytest.raises(InputError, match="steps between two samples"):
        preset.with_run(dt=1e-60)


def test_replay_from_text_gives_the_same_bits(preset: Preset, hashes: dict[str, str]) -> None:
    again = parse_preset(format_preset(preset))
    assert {lane.name: lane.digest for lane in qv.simulate(again).lanes} == hashes


def test_headless_run_gives_the_same_bits(
    preset: Preset, hashes: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(format_preset(preset), "utf-8")
    assert cli.main(["run", str(file), "--hash"]) == 0
    printed = dict(line.split("  ")[::-1] for line in capsys.readouterr().out.splitlines())
    assert printed == hashes
