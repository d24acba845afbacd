"""The runner with a selected time range: loops, backward playing, steps between samples; with a fake clock."""

from dataclasses import replace

import pytest
from test_runner import Ready, computed, preset_of, runner  # noqa: F401

import quatviz as qv
from quatviz.files.preset import Lane
from quatviz.simulation.commands import (
    ClearRange,
    Extend,
    Play,
    RunnerCommand,
    Seek,
    SetLoop,
    SetRange,
    SetSpeed,
    StepTimeSteps,
)
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation


def send(runner: Runner, *commands: RunnerCommand, elapsed: float = 0.0) -> float:
    """Return the cursor after these commands and a tick."""
    for command in commands:
        runner.submit(command)
    runner.tick(elapsed)
    return runner.snapshot.time


def test_looping_cursor_stays_in_the_range(runner: Runner) -> None:
    send(runner, Seek(5.0), SetRange(2.0, 5.5), SetLoop(True))
    assert runner.snapshot.selected == (2.0, 5.5)
    assert runner.snapshot.loop
    runner.tick(0.75)
    assert runner.snapshot.time == pytest.approx(2.25)
    times = []
    for _ in range(200):
        runner.tick(0.1)
        times.append(runner.snapshot.time)
    assert min(times) >= 2.0
    assert max(times) <= 5.5
    assert runner.snapshot.playing


def test_cursor_loops_backward(runner: Runner) -> None:
    send(runner, Seek(2.5), SetRange(2.0, 5.5), SetLoop(True), SetSpeed(-1.0))
    runner.tick(0.75)
    assert runner.snapshot.time == pytest.approx(5.25)
    runner.tick(1.0)
    assert runner.snapshot.time == pytest.approx(4.25)


@pytest.mark.parametrize(("speed", "then"), [(100.0, 2.0 + 2.5), (-100.0, 5.5 - 2.5)])
def test_one_tick_may_contain_several_loops(runner: Runner, speed: float, then: float) -> None:
    start = 2.0 if speed > 0 else 5.5
    send(runner, Seek(start), SetRange(2.0, 5.5), SetLoop(True), SetSpeed(speed))
    runner.tick((10 * 3.5 + 2.5) / 100.0)
    assert runner.snapshot.time == pytest.approx(then)


@pytest.mark.parametrize(("speed", "entry"), [(1.0, 2.0), (-1.0, 5.5)])
@pytest.mark.parametrize("outside", [0.5, 8.0])
def test_cursor_outside_the_range_enters_it(
    runner: Runner, speed: float, entry: float, outside: float
) -> None:
    send(runner, Seek(outside), SetRange(2.0, 5.5), SetLoop(True), SetSpeed(speed))
    assert runner.snapshot.time == pytest.approx(entry)
    runner.tick(0.25)
    assert runner.snapshot.time == pytest.approx(entry + 0.25 * speed)


def test_range_without_loop_does_not_limit_the_cursor(runner: Runner) -> None:
    send(runner, Seek(5.0), SetRange(2.0, 5.5))
    runner.tick(2.0)
    assert runner.snapshot.time == pytest.approx(7.0)
    send(runner, SetLoop(True), ClearRange())
    assert runner.snapshot.selected is None
    runner.tick(4.0)
    assert runner.snapshot.time == pytest.approx(1.0)


def test_playing_at_the_range_end_restarts_the_range(runner: Runner) -> None:
    send(runner, SetRange(2.0, 5.5), SetLoop(True), Seek(5.5), Play())
    assert runner.snapshot.time == pytest.approx(2.0)
    assert send(runner, SetSpeed(-1.0), Seek(2.0), Play()) == pytest.approx(5.5)


def test_cursor_waits_for_an_uncomputed_range() -> None:
    preparation = Ready(late={"newton_euler", "hamilton"})  # one alone would play
    runner = Runner(Simulation(preset_of(Lane("newton_euler"), Lane("hamilton"))), preparation)
    assert runner.computed_to == 0.0
    send(runner, SetRange(4.0, 6.0), SetLoop(True))
    for _ in range(20):
        runner.tick(1.0)
        assert runner.snapshot.time == 0.0
        assert runner.snapshot.playing
    preparation.late.clear()
    computed(runner)
    runner.tick(0.0)
    assert runner.snapshot.time == pytest.approx(4.0)
    runner.tick(2.5)
    assert runner.snapshot.time == pytest.approx(4.5)


def test_cursor_waits_in_a_partly_computed_range() -> None:
    runner = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    runner.tick(0.0)
    half = runner.computed_to
    assert 1.0 < half < 9_000.0
    send(runner, Seek(half - 0.5), SetRange(half - 1.0, 9_000.0), SetLoop(True), elapsed=20_000.0)
    assert runner.snapshot.time == runner.computed_to < 9_000.0


@pytest.mark.parametrize(
    ("asked", "kept"),
    [((5.5, 2.0), (2.0, 5.5)), ((-3.0, 4.0), (0.0, 4.0)), ((8.0, 99.0), (8.0, 10.0)), ((3.0, 3.0), None),
     ((20.0, 30.0), None)],
)  # fmt: skip
def test_range_is_limited_to_the_run(
    runner: Runner, asked: tuple[float, float], kept: tuple[float, float] | None
) -> None:
    send(runner, SetRange(*asked))
    assert runner.snapshot.selected == kept


def test_extended_run_keeps_the_range(runner: Runner) -> None:
    send(runner, SetRange(2.0, 5.5), Extend(20.0))
    assert runner.snapshot.selected == (2.0, 5.5)


@pytest.mark.parametrize(("duration", "kept"), [(10.0, (2.0, 5.5)), (4.0, (2.0, 4.0)), (1.0, None)])
def test_next_run_keeps_a_valid_range(
    runner: Runner, duration: float, kept: tuple[float, float] | None
) -> None:
    send(runner, SetRange(2.0, 5.5), SetLoop(True), SetSpeed(-2.0))
    after = Runner(Simulation(preset_of(duration=duration)), Ready())
    after.resume(runner.snapshot)
    assert after.snapshot.selected == kept
    after.tick(0.0)
    assert (after.snapshot.selected, after.snapshot.loop, after.snapshot.speed) == (kept, True, -2.0)


def test_range_after_the_end_of_every_lane_is_ignored(runner: Runner) -> None:
    preset = qv.load_preset("torque_free")
    run = replace(preset.run, duration=4000.0, sample_interval=20.0, dt=20.0)
    preset = replace(preset, run=run, lanes=(Lane("newton_euler"),))
    ended = computed(Runner(Simulation(preset), Ready()))
    assert ended.computed_to < 3500.0
    send(ended, SetRange(3500.0, 3900.0), SetLoop(True), Seek(20.0))
    ended.tick(20.0)
    assert ended.snapshot.time == pytest.approx(40.0 % ended.computed_to)


def test_backward_playback_stops_or_wraps_at_the_start(runner: Runner) -> None:
    send(runner, Seek(1.0), SetSpeed(-1.0))
    runner.tick(2.0)
    assert (runner.snapshot.time, runner.snapshot.playing) == (0.0, False)
    send(runner, Play())
    assert runner.snapshot.time == pytest.approx(10.0)
    send(runner, Seek(1.0), SetLoop(True))
    runner.tick(2.0)
    assert runner.snapshot.time == pytest.approx(9.0)
    assert runner.snapshot.playing


def test_fine_step_moves_between_samples_and_pauses() -> None:
    preset = preset_of()
    preset = replace(preset, run=replace(preset.run, dt=1e-3, sample_interval=1e-2))
    runner = computed(Runner(Simulation(preset), Ready()))
    assert send(runner, Seek(4.0), StepTimeSteps(1)) == pytest.approx(4.001, abs=1e-12)
    assert not runner.snapshot.playing
    assert send(runner, StepTimeSteps(-3)) == pytest.approx(3.998, abs=1e-12)
    assert repr(send(runner, Seek(0.009), StepTimeSteps(0))) == "0.009", "and no rounding of a product"
    assert send(runner, Seek(0.0), StepTimeSteps(-1)) == 0.0
    assert send(runner, Seek(10.0), StepTimeSteps(5)) == 10.0
