"""The runner with a fake clock: its cursor, its commands, and lanes that are late or have ended."""

import itertools
import math
import os
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

import quatviz as qv
from quatviz.files.preset import Lane, Preset
from quatviz.simulation import worker as worker_module
from quatviz.simulation.commands import (
    Extend,
    Hold,
    Pause,
    Play,
    Seek,
    SetLoop,
    SetPlaybackRate,
    SetSpeed,
    StepSamples,
    Toggle,
    ToggleLoop,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import (
    Runner,
    Snapshot,
)
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import Worker


class Ready:
    """Kernels are ready, but for the lanes named."""

    def __init__(self, late: set[str] | None = None) -> None:
        self.late = late or set()
        self.closed = False

    def is_ready(self, lane: LaneRun) -> bool:
        return lane.name not in self.late

    def close(self) -> None:
        self.closed = True


def preset_of(*lanes: Lane, duration: float = 10.0) -> Preset:
    preset = qv.load_preset("torque_free")
    return replace(
        preset, lanes=lanes or (Lane("newton_euler"),), run=replace(preset.run, duration=duration, dt=1e-2)
    )


def computed(runner: Runner) -> Runner:
    while runner.tick(0.0):
        pass
    return runner


@pytest.fixture
def runner() -> Runner:
    return computed(Runner(Simulation(preset_of()), Ready()))


def test_cursor_does_not_jump_after_standby(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 30.0)
    monkeypatch.setattr(worker_module, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    turns: list[float] = []

    monkeypatch.setattr(runner, "move", turns.append)
    monkeypatch.setattr(runner, "compute", lambda: len(turns) < 2)
    worker = Worker(runner)
    worker.start()
    assert worker.has_idled.wait(60.0)
    worker.stop()
    assert turns[:3] == [0.5, 0.5, 0.5]


def test_cursor_moves_by_elapsed_time_times_speed(runner: Runner) -> None:
    runner.tick(0.5)
    assert runner.snapshot.time == pytest.approx(0.5)
    runner.submit(SetSpeed(4.0))
    runner.tick(0.5)
    assert runner.snapshot.time == pytest.approx(2.5)
    runner.submit(SetSpeed(-1.0))
    runner.tick(1.0)
    assert runner.snapshot.time == pytest.approx(1.5)


def test_preset_speed_applies_until_changed() -> None:
    fast = replace(preset_of(), speed=4.0)
    runner = Runner(Simulation(fast), Ready())
    assert runner.snapshot.speed == 4.0
    computed(runner).tick(0.5)
    assert (runner.snapshot.time, runner.snapshot.speed) == (pytest.approx(2.0), 4.0)
    runner.submit(SetSpeed(0.5))
    runner.tick(0.0)
    edited = Runner(Simulation(replace(fast, run=replace(fast.run, duration=5.0))), Ready())
    edited.resume(runner.snapshot)
    edited.tick(0.0)
    assert edited.snapshot.speed == 0.5


def test_playback_speed_does_not_change_the_result() -> None:
    preset = preset_of(duration=1.0)
    first, second = (
        qv.simulate(variant)["newton_euler"].digest for variant in (preset, replace(preset, speed=100.0))
    )
    assert first == second


def test_playback_stops_at_the_end_or_restarts(runner: Runner) -> None:
    runner.tick(11.0)
    assert (runner.snapshot.time, runner.snapshot.playing) == (10.0, False)
    runner.submit(Play())
    runner.tick(0.25)
    assert runner.snapshot.time == pytest.approx(0.25)
    runner.submit(SetLoop(True))
    runner.tick(11.0)
    assert runner.snapshot.time == pytest.approx(1.25)
    assert runner.snapshot.playing


@pytest.mark.parametrize(
    ("duration", "interval", "end"), [(4.2, 0.7, 4.2), (1.05, 0.1, 1.0), (1.0, 0.3, 0.9)]
)
def test_playback_stops_at_the_last_sample(duration: float, interval: float, end: float) -> None:
    """6 × 0.7 is less than 4.2 in floating point, and the interval may not divide the duration."""
    preset = preset_of()
    run = replace(preset.run, duration=duration, sample_interval=interval, dt=interval / 10)
    runner = computed(Runner(Simulation(replace(preset, run=run)), Ready()))
    runner.tick(2 * duration)
    assert (runner.snapshot.time, runner.snapshot.playing) == (end, False)
    assert runner.snapshot.duration == runner.computed_to == end
    remarks = " ".join(runner.simulation.lanes[0].diagnostics.remarks)
    assert ("is not a multiple of sample_interval" in remarks) == (end != duration)


def test_commands_apply_in_order_and_are_recorded(runner: Runner) -> None:
    for command in (Seek(4.0), StepSamples(-1), Pause(), Seek(99.0), StepSamples(1)):
        runner.submit(command)
    runner.tick(1.0)
    assert (runner.snapshot.time, runner.snapshot.playing) == (10.0, False)
    assert [type(command) for _, command in runner.record] == [Seek, StepSamples, Pause, Seek, StepSamples]
    assert runner.record[1][0] == 4.0
    assert runner.record[2][0] == pytest.approx(3.99)


def test_cursor_never_passes_computed_samples() -> None:
    runner = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    runner.tick(9_000.0)
    assert 0.0 < runner.snapshot.time <= runner.computed_to < 10_000.0


def test_pending_cursor_follows_the_computation() -> None:
    runner = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    runner.submit(Pause())
    runner.submit(Seek(9_000.0))
    runner.tick(1.0)
    assert (runner.snapshot.time, runner.snapshot.target_time) == (runner.computed_to, 9_000.0)
    runner.submit(Play())
    while runner.computed_to < 9_000.0:
        runner.tick(0.0)
    assert runner.snapshot.time == runner.snapshot.target_time == 9_000.0
    runner.tick(0.5)
    assert runner.snapshot.time == pytest.approx(9_000.5)


@pytest.mark.parametrize("command", [StepSamples(-1), Seek(1.0)])
def test_new_cursor_target_replaces_the_pending_one(command: StepSamples | Seek) -> None:
    runner = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    runner.tick(0.0)
    runner.submit(Pause())
    runner.submit(Seek(9_000.0))
    runner.submit(command)
    runner.tick(0.0)
    assert runner.snapshot.target_time == runner.snapshot.time < 9_000.0


def test_replaced_run_keeps_the_pending_target_time() -> None:
    """Two quick edits start at the same cursor."""
    before = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    before.submit(Seek(9_000.0))
    before.tick(0.0)
    after = Runner(Simulation(preset_of(duration=10_000.0)), Ready())
    after.resume(before.snapshot)
    assert after.snapshot.target_time == 9_000.0
    after.tick(0.0)
    assert after.snapshot.time < after.snapshot.target_time == 9_000.0


def test_extended_run_continues_computing(runner: Runner) -> None:
    runner.submit(Extend(20.0))
    computed(runner)
    assert runner.simulation.lanes[0].computed_to == pytest.approx(20.0)
    assert runner.simulation.lanes[0].status == "ok"


def test_late_kernels_do_not_block_other_lanes() -> None:
    preparation = Ready(late={"hamilton"})
    runner = computed_but_late(
        Runner(Simulation(preset_of(Lane("newton_euler"), Lane("hamilton"))), preparation)
    )
    assert runner.snapshot.preparing == ("hamilton",)
    assert runner.simulation["newton_euler"].status == "ok"
    preparation.late.clear()
    computed(runner)
    assert runner.snapshot.preparing == ()
    assert runner.simulation["hamilton"].status == "ok"


def test_late_lane_joins_at_the_cursor() -> None:
    preparation = Ready(late={"hamilton"})
    runner = computed_but_late(
        Runner(Simulation(preset_of(Lane("newton_euler"), Lane("hamilton"), duration=10_000.0)), preparation)
    )
    runner.submit(Pause())
    runner.submit(Play())
    runner.tick(0.0)
    runner.tick(runner.computed_to / 2)
    time = runner.snapshot.time
    assert time > 100.0, "the lane that is ready plays"
    preparation.late.clear()
    runner.submit(Pause())
    while runner.snapshot.preparing:
        assert runner.snapshot.time == time
        assert runner.simulation["hamilton"].computed_to < time
        runner.tick(0.0)
    assert runner.simulation["hamilton"].computed_to >= runner.snapshot.time == time
    assert runner.computed_to == min(lane.computed_to for lane in runner.simulation)


def test_ready_lanes_play_immediately() -> None:
    preparation = Ready(late={"newton_euler", "hamilton"})
    runner = Runner(Simulation(preset_of(Lane("newton_euler"), Lane("hamilton"))), preparation)
    for _ in range(5):
        runner.tick(1.0)
    assert (runner.snapshot.time, runner.snapshot.playing) == (0.0, True), "nothing is ready"
    preparation.late.remove("newton_euler")
    computed_but_late(runner)
    runner.tick(1.0)
    assert runner.snapshot.time == pytest.approx(1.0)
    assert runner.snapshot.preparing == ("hamilton",)


@pytest.mark.parametrize(("heading", "then"), [(4.0, 5.0), (0.0, 1.0)])
def test_edit_continues_without_late_lanes(heading: float, then: float) -> None:
    runner = Runner(Simulation(preset_of(Lane("newton_euler"), Lane("hamilton"))), Ready(late={"hamilton"}))
    runner.resume(Snapshot(time=heading, duration=10.0, playing=True))
    while runner.tick(0.0):
        pass
    runner.tick(1.0)
    assert runner.snapshot.time == pytest.approx(then)


def test_ended_late_lane_does_not_block_others() -> None:
    preset = qv.load_preset("gimbal_lock")
    preset = replace(preset, lanes=(Lane("newton_euler"), Lane("euler_angles/321")))
    preparation = Ready(late={"euler_angles/321"})
    runner = computed_but_late(Runner(Simulation(preset), preparation))
    runner.submit(Pause())
    runner.submit(Seek(preset.run.duration))
    preparation.late.clear()
    computed(runner)
    assert not runner.simulation["euler_angles/321"].alive
    assert runner.snapshot.preparing == ()
    assert runner.snapshot.time == preset.run.duration


def computed_but_late(runner: Runner) -> Runner:
    for _ in range(50):
        runner.tick(0.0)
    return runner


def test_diverged_lane_reports_it_and_others_continue() -> None:
    preset = qv.load_preset("torque_free")
    run = replace(preset.run, duration=4000.0, sample_interval=20.0, dt=1e-2)
    lanes = (Lane("newton_euler", dt=20.0, name="coarse"), Lane("newton_euler", name="fine"))
    runner = computed(Runner(Simulation(replace(preset, run=run, lanes=lanes)), Ready()))
    coarse, fine = runner.simulation["coarse"], runner.simulation["fine"]
    assert coarse.status == "not_finite"
    assert f"t = {coarse.ended_at:.6g} s" in coarse.message
    assert "smaller dt" in coarse.message
    assert coarse.samples < fine.samples == 201
    assert fine.status == "ok"
    runner.submit(Seek(3000.0))
    runner.tick(0.0)
    assert runner.snapshot.time == 3000.0


def test_worker_computes_follows_commands_and_stops() -> None:
    preparation = Ready()
    simulation = Simulation(preset_of(duration=100.0))
    worker = Worker(Runner(simulation, preparation))
    worker.start()
    worker.submit(Pause())
    while simulation.lanes[0].status != "ok" or worker.snapshot.playing:
        assert worker.error is None
    worker.stop()
    assert preparation.closed
    assert not worker.snapshot.playing
    assert simulation.lanes[0].samples == simulation.samples


def test_internal_error_ends_the_worker_and_is_stored(caplog: pytest.LogCaptureFixture) -> None:
    asked = threading.Event()

    class Broken(Ready):
        def is_ready(self, lane: LaneRun) -> bool:
            asked.set()
            raise RuntimeError("broken")

    worker = Worker(Runner(Simulation(preset_of()), Broken()))
    worker.start()
    assert asked.wait(60.0), "stopped before its first tick it would have nothing to keep"
    worker.stop()
    assert str(worker.error) == "broken"
    assert "the worker stopped" in caplog.text


def test_held_cursor_does_not_stop_the_computation() -> None:
    runner = Runner(Simulation(preset_of()), Ready())
    runner.submit(Hold(True))
    for _ in range(5):
        runner.tick(0.1)
    assert runner.snapshot.time == 0.0
    assert runner.snapshot.playing
    assert runner.computed_to > 0.0
    runner.submit(Hold(False))
    runner.tick(0.1)
    assert runner.snapshot.time > 0.0


def test_playback_reserve_is_the_time_until_the_cursor_must_wait() -> None:
    runner = Runner(Simulation(preset_of(duration=1e4)), Ready())
    runner.tick(0.0)
    computed_to = runner.computed_to
    assert runner.playback_reserve == pytest.approx(computed_to)
    runner.submit(SetSpeed(4.0))
    runner.submit(Seek(0.5 * computed_to))
    runner.obey()
    assert runner.playback_reserve == pytest.approx(computed_to / 8.0)
    runner.submit(SetSpeed(-1.0))
    runner.obey()
    assert runner.playback_reserve == math.inf
    runner.submit(SetSpeed(1.0))
    runner.submit(Seek(9e3))
    runner.obey()
    assert runner.playback_reserve == 0.0  # the cursor waits for samples


def test_playback_needs_no_samples_beyond_the_end_or_while_paused(runner: Runner) -> None:
    assert runner.playback_reserve == math.inf
    runner.submit(Pause())
    runner.obey()
    assert runner.playback_reserve == 0.0


def test_tick_computes_one_block_and_moves_the_cursor() -> None:
    names = ("a", "b", "c")
    lanes = tuple(Lane("newton_euler", name=name) for name in names)
    runner = Runner(Simulation(preset_of(*lanes, duration=10_000.0)), Ready())
    behind, moved = [], []
    for _ in range(6):
        before = {lane.name: lane.samples for lane in runner.simulation}
        runner.tick(1e-3)
        grown = [lane.name for lane in runner.simulation if lane.samples > before[lane.name]]
        behind.append(grown == [min(names, key=before.__getitem__)])
        moved.append(runner.snapshot.time)
    assert all(behind)
    assert moved[2:] == sorted(set(moved[2:]))  # the cursor moves in each tick once every lane has samples


@pytest.mark.parametrize(
    ("playing", "speed", "backward", "after"),
    [
        (False, 2.0, False, (True, 2.0)),
        (False, -2.0, False, (True, 2.0)),
        (True, 2.0, False, (False, 2.0)),
        (True, -2.0, False, (False, -2.0)),
        (False, 2.0, True, (True, -2.0)),
        (True, 2.0, True, (True, -2.0)),
        (True, -2.0, True, (False, -2.0)),
    ],
)
def test_toggling_playback(
    runner: Runner, playing: bool, speed: float, backward: bool, after: tuple[bool, float]
) -> None:
    runner.submit(Seek(5.0))
    runner.submit(SetSpeed(speed))
    runner.submit(Play() if playing else Pause())
    runner.submit(Toggle(backward))
    runner.tick(0.0)
    assert (runner.snapshot.playing, runner.snapshot.speed) == after


def test_two_toggles_in_one_tick_cancel(runner: Runner) -> None:
    """With two presses of Space in one frame, the second acts on the state after the first."""
    for command in (Toggle(), ToggleLoop()):
        before = runner.snapshot
        runner.submit(command)
        runner.submit(command)
        runner.tick(0.0)
        assert runner.snapshot == before
        runner.submit(command)
        runner.tick(0.0)
        assert runner.snapshot != before


def test_play_and_speed_commands_keep_other_settings(runner: Runner) -> None:
    runner.submit(SetSpeed(-2.0))
    runner.submit(SetPlaybackRate(5.0))
    runner.tick(0.0)
    assert runner.snapshot.speed == -5.0
    runner.submit(Seek(0.0))
    runner.submit(Play(backward=False))
    runner.tick(0.1)
    assert runner.snapshot.speed == 5.0
    assert runner.snapshot.time == pytest.approx(0.5)


class HeldRunner(Runner):
    """A runner whose long blocks last until they are released."""

    def __init__(self) -> None:
        super().__init__(Simulation(preset_of(Lane("newton_euler"), duration=1e4)), Ready())
        self.is_in_block, self.may_go_on = threading.Event(), threading.Event()

    def compute(self, blocks: int = 1) -> bool:
        if blocks > 1:
            self.is_in_block.set()
            assert self.may_go_on.wait(60.0)
        return super().compute(blocks)


def test_long_block_does_not_delay_cursor_and_commands() -> None:
    runner = HeldRunner()
    worker = Worker(runner)
    worker.start()
    try:
        assert runner.is_in_block.wait(60.0)
        reached = runner.computed_to
        worker.submit(Seek(0.5 * reached))
        worker.submit(Pause())
        while worker.snapshot.playing:
            time.sleep(1e-3)
        assert worker.snapshot.time == pytest.approx(0.5 * reached)
        worker.submit(Extend(2e4))
        worker.submit(Play())
        assert runner.computed_to == reached
        assert not worker.snapshot.playing, "what changes the run, and all after it, waits for the block"
        runner.may_go_on.set()
        while not worker.snapshot.playing:
            time.sleep(1e-3)
        assert runner.simulation.duration == 2e4
    finally:
        runner.may_go_on.set()
        worker.stop()


@pytest.mark.parametrize(("processors", "rests"), [(2, True), (8, False)])
def test_blocks_rest_beside_playback_if_there_are_few_processors(
    processors: int, rests: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Computing a long run without rests halved the frame rate of a machine with two processors.

    Private: `_REST_FACTOR`, which makes the first rest endless.
    """

    class CountingRunner(Runner):
        long_blocks = 0

        def compute(self, blocks: int = 1) -> bool:
            self.long_blocks += blocks > 1
            return super().compute(blocks)

    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(worker_module, "_REST_FACTOR", 1e9)
    runner = CountingRunner(Simulation(preset_of(duration=1e5)), Ready())
    worker = Worker(runner)
    worker.start()
    try:
        while runner.long_blocks < (1 if rests else 3):
            time.sleep(1e-3)
        if rests:
            shown = worker.snapshot.time
            while worker.snapshot.time < shown + 0.1:
                time.sleep(1e-3)
            assert runner.long_blocks == 1
            worker.submit(Pause())  # a paused run is computed without rests
            while runner.long_blocks < 3:
                time.sleep(1e-3)
    finally:
        worker.stop()


def test_error_in_a_long_block_ends_the_worker() -> None:
    class FaultyRunner(Runner):
        def compute(self, blocks: int = 1) -> bool:
            if blocks > 1:
                raise ArithmeticError("no such block")
            return super().compute(blocks)

    worker = Worker(FaultyRunner(Simulation(preset_of(Lane("newton_euler"), duration=1e4)), Ready()))
    worker.start()
    while worker.error is None:
        time.sleep(1e-3)
    worker.stop()
    assert isinstance(worker.error, ArithmeticError)


class Loading(Ready):
    """Kernels that are loaded until they are released, as on a busy machine."""

    def __init__(self) -> None:
        super().__init__()
        self.is_loading, self.is_released = threading.Event(), threading.Event()

    def is_ready(self, lane: LaneRun) -> bool:
        self.is_loading.set()
        assert self.is_released.wait(60.0)
        return super().is_ready(lane)


def test_replaced_run_is_not_waited_for_while_its_kernels_are_loaded() -> None:
    loading = Loading()
    worker = Worker(Runner(Simulation(preset_of()), loading))
    worker.submit(SetSpeed(3.0))
    worker.start()
    assert loading.is_loading.wait(60.0)
    worker.submit(ToggleLoop())
    worker.stop(0.01)
    assert worker.runner.simulation.lanes[0].status == "running"
    runner = Runner(Simulation(preset_of()), Ready())
    runner.take_over(worker.runner)
    assert runner.snapshot.speed == 3.0
    successor = Worker(runner, worker)
    successor.start()
    assert not successor.kernels_loaded.is_set(), "only one of both runs is computed at a time"
    loading.is_released.set()
    assert successor.has_idled.wait(60.0)
    successor.stop()
    assert successor.snapshot.loop
    assert runner.simulation.lanes[0].status == "ok"


def test_stopping_the_last_worker_waits_for_the_ones_before_it() -> None:
    loading = Loading()
    first = Worker(Runner(Simulation(preset_of()), loading))
    first.start()
    assert loading.is_loading.wait(60.0)
    first.stop(0.01)
    second = Worker(Runner(Simulation(preset_of()), Ready()), first)
    third = Worker(Runner(Simulation(preset_of()), Ready()), second)
    threading.Timer(0.01, loading.is_released.set).start()
    third.stop()
    assert first.kernels_loaded.is_set()


def test_commands_take_effect_while_kernels_are_loaded() -> None:
    loading = Loading()
    worker = Worker(Runner(Simulation(preset_of()), loading))
    worker.start()
    assert loading.is_loading.wait(60.0)
    worker.submit(Seek(4.0))
    worker.submit(Pause())
    snapshot = worker.wait_settled()
    assert not loading.is_released.is_set()
    assert (snapshot.target_time, snapshot.playing) == (4.0, False)
    loading.is_released.set()
    worker.stop()
