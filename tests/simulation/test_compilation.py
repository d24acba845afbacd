"""Child processes compile missing kernels, continue for the next run if it needs the same, and end if unused."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

import quatviz as qv
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import parse_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.formulations.newton_euler import NewtonEuler
from quatviz.physics.kernels import cache, compiler_pool, extremes_cache
from quatviz.simulation import compilation
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

Child = subprocess.Popen[bytes]


class Heard:
    """A child that compiles nothing; it records messages and ends on request."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], stdin=subprocess.PIPE
        )
        self.lanes: list[str] = []
        self.presets: list[Preset] = []

    @property
    def alive(self) -> bool:
        """Return True if the child runs; wait briefly if it was asked to end."""
        assert self.process.stdin is not None
        if self.process.stdin.closed:
            self.process.wait(60)
        return self.process.poll() is None


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lanes that this process would compile or load. Kernels compiled with a moved cache would stay in memory only, and
    other processes would compile them again."""
    names: list[str] = []
    monkeypatch.setattr(LaneRun, "prepare", lambda lane: names.append(lane.name))
    return names


@pytest.fixture
def started(prepared: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Heard]]:
    """The started children. Marks are in an empty folder; the kernel of curves is ignored."""
    children: list[Heard] = []

    def start(in_background: bool) -> Child:
        children.append(Heard())
        return children[-1].process

    def send(child: Child, job: bytes) -> None:
        (compilation,) = (candidate for candidate in children if candidate.process is child)
        message = json.loads(job.splitlines()[0])
        compilation.lanes.append(message if isinstance(message, str) else message["lane"])
        compilation.presets += [parse_preset(message["preset"])] if isinstance(message, dict) else []

    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: None)
    monkeypatch.setattr(compiler_pool, "start_compiler", start)
    monkeypatch.setattr(compiler_pool, "send_job", send)
    monkeypatch.setattr(compiler_pool.os, "cpu_count", lambda: 8)
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    cache.prepare_folder()
    yield children
    for child in children:
        compiler_pool.kill_and_wait(child.process)


def run_of(*lanes: str, duration: float = 10.0) -> tuple[Simulation, ChildCompilation]:
    preset = qv.load_preset("torque_free")
    preset = replace(
        preset, lanes=tuple(map(Lane, lanes)), run=replace(preset.run, duration=duration, dt=1e-2)
    )
    return Simulation(preset), ChildCompilation(preset)


def ask(run: Simulation, preparation: ChildCompilation) -> list[bool]:
    return [preparation.is_ready(lane) for lane in run]


def done(run: Simulation, lane: str) -> None:
    compilation.mark_path(run[lane]).touch()


@pytest.mark.parametrize("processors", [1, None], ids=["one processor", "not known"])
def test_one_processor_runs_one_compiler_at_a_time(
    processors: int | None, started: list[Heard], prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler_pool.os, "cpu_count", lambda: processors)
    run, preparation = run_of("hamilton", "newton_euler")
    assert ask(run, preparation) == [False] * 2
    assert [child.lanes for child in started] == [["hamilton"]]
    done(run, "hamilton")
    assert ask(run, preparation) == [True, False]
    assert [child.lanes for child in started] == [["hamilton", "newton_euler"]]


def test_two_children_compile_concurrently_then_the_next_job(
    started: list[Heard], prepared: list[str]
) -> None:
    run, preparation = run_of("hamilton", "newton_euler", "lagrange_full", "udwadia_schutte")
    for _ in range(2):
        assert ask(run, preparation) == [False] * 4
    assert [child.lanes for child in started] == [["hamilton"], ["newton_euler"]]
    done(run, "newton_euler")
    preparation.is_ready(run["lagrange_full"])
    assert [child.lanes for child in started] == [["hamilton"], ["newton_euler", "lagrange_full"]]
    for lane in ("hamilton", "lagrange_full", "udwadia_schutte"):
        done(run, lane)
    preparation.is_ready(run["udwadia_schutte"])
    assert prepared == ["udwadia_schutte"], "it is in the cache"
    assert not any(child.alive for child in started), "there is nothing more for them"
    assert len(started) == 2


def test_job_of_a_waiting_lane_is_written_once(started: list[Heard], monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker asks every few milliseconds. Writing the preset each time took a quarter of a processor from the children.

    Private: `_job_line`, whose calls are counted.
    """
    run, preparation = run_of("hamilton", "newton_euler", "lagrange_full")
    written: list[str] = []
    write = compilation._job_line

    def record(preset: Preset, lane: str) -> bytes:
        written.append(lane)
        return write(preset, lane)

    monkeypatch.setattr(compilation, "_job_line", record)
    for _ in range(3):
        ask(run, preparation)
    assert written == ["hamilton", "newton_euler", "lagrange_full"]


def test_curve_reduction_is_compiled_after_the_lanes(
    started: list[Heard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "extremes.kernel"
    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: path)
    run, preparation = run_of("exact", "hamilton")
    assert ask(run, preparation) == [True, False]
    assert [child.lanes for child in started] == [["hamilton"]]
    done(run, "hamilton")
    assert ask(run, preparation) == [True, True]
    assert [child.lanes for child in started] in ([["hamilton", "extremes"]], [["hamilton"], ["extremes"]])
    assert started[-1].alive
    path.touch()
    started[-1].process.kill()  # it was told that no further job follows
    started[-1].process.wait()
    assert ask(run, preparation) == [True, True]
    assert not any(child.alive for child in started)


def test_finished_child_gets_no_further_jobs(
    started: list[Heard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child may end at any moment; the window would then compile the job itself and freeze."""
    path = tmp_path / "extremes.kernel"
    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: path)
    run, preparation = run_of("udwadia_schutte", "hamilton", "newton_euler", "lagrange_full")
    done(run, "udwadia_schutte")
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"]]
    path.touch()
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"]], "it has yet to end"
    started[0].process.kill()
    started[0].process.wait()
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"], ["newton_euler"]]


def test_child_can_start_before_a_request(started: list[Heard]) -> None:
    run, preparation = run_of("exact", "hamilton", "newton_euler")
    preparation.begin()
    assert [child.lanes for child in started] == [["hamilton"]], "the other processor makes the window"
    assert ask(run, preparation) == [True, False, False]
    assert [child.lanes for child in started] == [["hamilton"], ["newton_euler"]]
    preparation.close()
    assert not any(child.alive for child in started)


def test_first_started_child_compiles_first(started: list[Heard]) -> None:
    """The child starts before the preset is known and imports meanwhile."""
    run, _ = run_of("hamilton", "newton_euler")
    called = compiler_pool.CompilerPool()
    called.start()
    assert [child.lanes for child in started] == [[]]
    preparation = ChildCompilation(run.preset, pool=called)
    preparation.begin()
    assert [child.lanes for child in started] == [["hamilton"]]
    done(run, "hamilton")
    done(run, "newton_euler")
    assert ask(run, preparation) == [True, True]
    assert not any(child.alive for child in started)


def test_killed_compiler_is_reported_by_its_lane(started: list[Heard], prepared: list[str]) -> None:
    run, preparation = run_of("hamilton")
    assert ask(run, preparation) == [False]
    started[0].process.kill()
    started[0].process.wait()
    assert [ask(run, preparation) for _ in range(2)] == [[False], [True]]
    assert prepared == ["hamilton"]
    (remark,) = run["hamilton"].diagnostics.remarks
    assert "was ended by SIGKILL" in remark
    assert "`quatviz compile`" in remark


def test_child_gets_no_session_formulations(started: list[Heard]) -> None:
    parameters = type("SessionParameters", (BodyParameters,), {"__module__": "a session"})
    form = {"__module__": "a session", "name": "of_a_session", "parameter_type": parameters}
    FORMULATIONS.add(lambda: type("OfASession", (NewtonEuler,), form))
    try:
        run, preparation = run_of("of_a_session", "hamilton", "hamilton")
        assert ask(run, preparation) == [False] * 3
        (preset,) = started[0].presets
        assert [(lane.formulation, lane.name) for lane in preset.lanes] == [
            ("hamilton", run.lanes[1].name),
            ("hamilton", run.lanes[2].name),
        ]
    finally:
        FORMULATIONS.remove("of_a_session")


def test_unused_children_end(started: list[Heard]) -> None:
    run, _ = run_of("exact")
    called = compiler_pool.CompilerPool()
    called.start()
    ChildCompilation(run.preset, pool=called).begin()
    assert not any(child.alive for child in started)


def test_edit_during_compilation_does_not_restart_it(started: list[Heard]) -> None:
    run, before = run_of("hamilton", "newton_euler")
    assert ask(run, before) == [False, False]
    edited, after = run_of("hamilton", "newton_euler", "lagrange_full", duration=20.0)
    after.take_over(before, edited)
    assert ask(run, before) == [False, False], "the run that ends starts none in its place"
    before.close()
    assert ask(edited, after) == [False] * 3
    assert len(started) == 2
    assert all(child.alive for child in started)
    done(edited, "hamilton")
    after.is_ready(edited["lagrange_full"])
    assert started[0].lanes == ["hamilton", "lagrange_full"]
    after.close()
    assert not any(child.alive for child in started)


def test_lane_of_an_ended_child_is_compiled_by_the_caller(
    started: list[Heard], prepared: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Slow, but not blocked."""
    run, preparation = run_of("hamilton", "newton_euler")
    ask(run, preparation)
    started[0].process.kill()
    started[0].process.wait()
    preparation.is_ready(run["newton_euler"])
    assert "ended with status" in caplog.text
    assert prepared == []
    assert ask(run, preparation) == [True, False]
    assert prepared == ["hamilton"]
    assert started[1].alive
    preparation.close()


PARENT = """
import signal
import time
import quatviz as qv
from quatviz.simulation.compilation import start_child
preset = qv.load_preset("torque_free").with_run(lanes=["lagrange_full", "lagrange_simplified", "hamilton_canonical"])
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup, under which the tests may run, has its children ignore it
child = start_child(preset)
print("started", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="a system without these signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_child_ends_with_its_parent_process(name: str, tmp_path: Path) -> None:
    """This holds if the parent is killed during compilation: the shared error pipe closes with the last process."""
    environment = {**os.environ, "QUATVIZ_CACHE_DIR": str(tmp_path)}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"started\n"
    parent.send_signal(getattr(signal, name))
    parent.communicate(timeout=100.0)
    assert parent.returncode == -getattr(signal, name)
    assert not list(tmp_path.rglob("*.ready")), "it has ended because it was done"


def test_finished_child_exits_while_its_pipe_is_open() -> None:
    child = compilation.start_child(qv.load_preset("torque_free").with_run(lanes=["newton_euler"]))
    try:
        assert child.wait(timeout=100.0) == 0
    finally:
        compiler_pool.kill_and_wait(child)


def test_child_with_obsolete_work_is_ended(started: list[Heard]) -> None:
    run, before = run_of("hamilton", "newton_euler")
    ask(run, before)
    other, after = run_of("newton_euler")
    after.take_over(before, other)
    before.close()
    assert [child.alive for child in started] == [False, True]
    ask(other, after)
    assert len(started) == 2
    after.close()


def test_edit_does_not_wait_for_an_ended_child(started: list[Heard], monkeypatch: pytest.MonkeyPatch) -> None:
    run, before = run_of("hamilton", "newton_euler")
    ask(run, before)
    other, after = run_of("exact")
    with monkeypatch.context() as patched:
        patched.setattr(subprocess.Popen, "wait", lambda child: pytest.fail("it waits"))
        after.take_over(before, other)
        before.close()
        ask(other, after)
    assert [child.alive for child in started] == [False, False]
    after.close()
    assert all(child.process.returncode is not None for child in started)


def test_missing_kernels_of_presets_are_compiled_once(started: list[Heard]) -> None:
    presets = [
        qv.load_preset("torque_free").with_run(lanes=lanes)
        for lanes in (["hamilton", "exact"], ["hamilton", "newton_euler"])
    ]
    progress = compilation.compile_presets(presets, 1)
    assert next(progress) == (0, 2)
    for lane in Simulation(presets[1]):
        compilation.mark_path(lane).touch()
        remaining = next(progress)
    assert remaining == (2, 2)
    assert [child.lanes for child in started] == [["hamilton", "newton_euler"]]
    assert not started[0].alive
    assert list(compilation.compile_presets(presets, 1)) == [(0, 0)]


def test_creating_a_run_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window's thread creates the run. A load sum once took four seconds with an empty cache."""
    preset = replace(
        qv.load_preset("attitude_control"),
        lanes=tuple(map(Lane, ("newton_euler", "hamilton", "lagrange_full"))),
    )

    def refuse(dispatcher: Dispatcher, signature: object) -> None:
        raise AssertionError(f"{dispatcher.py_func.__name__} was compiled, or loaded")

    monkeypatch.setattr(Dispatcher, "compile", refuse)
    assert all(lane.problem.load_sums for lane in Simulation(preset))


def test_lane_is_ready_only_with_its_load_sum(started: list[Heard]) -> None:
    preset = qv.load_preset("attitude_control")
    free = Simulation(replace(preset, loads=()))
    controlled = Simulation(preset)
    for lane in free:
        compilation.mark_path(lane).touch()
    assert [compilation.mark_path(lane).exists() for lane in controlled] == [False] * len(controlled.lanes)


def test_session_formulation_is_compiled_without_blocking_others(
    started: list[Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Simulation(qv.load_preset("torque_free").with_run(lanes=["newton_euler", "hamilton"]))
    kept, own = run.lanes
    monkeypatch.setattr(compilation, "is_cacheable", lambda lane: lane is kept)
    may_end, threads = threading.Event(), []

    def prepare() -> None:
        threads.append(threading.current_thread())
        assert may_end.wait(60)
        own.prepared = True

    monkeypatch.setattr(own, "prepare", prepare)
    preparation = ChildCompilation(run.preset)
    assert not any(preparation.is_ready(lane) for lane in (own, kept, own, own))
    assert threads == [], "a child compiles the other, whose kernel could not be loaded meanwhile"
    monkeypatch.setattr(kept, "prepare", lambda: None)
    compilation.mark_path(kept).touch()
    assert preparation.is_ready(kept)
    assert not preparation.is_ready(own)
    assert not preparation.is_ready(own)
    may_end.set()
    threads[0].join(60)
    assert preparation.is_ready(own)
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()
    preparation.close()


def test_child_killed_before_its_first_job_is_released() -> None:
    """Closing the pipe once raised an exception, which ended the worker of the window."""
    child = compiler_pool.start_compiler()
    child.kill()
    child.wait()
    compiler_pool.send_job(child, b"{}")
    compiler_pool.kill_and_wait(child)
    assert child.stdin is not None
    assert child.stdin.closed


@pytest.mark.parametrize("in_background", [True, False])
def test_only_children_of_a_window_have_low_priority(
    in_background: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that compiles presets is waited for, so beside other programs it must not be the last to run."""
    commands: list[list[str]] = []
    monkeypatch.setattr(compiler_pool.subprocess, "Popen", lambda command, **_: commands.append(command))
    compiler_pool.CompilerPool(in_background=in_background).start()
    assert (compiler_pool.BACKGROUND_OPTION in commands[0]) is in_background


@pytest.mark.parametrize(("load", "niceness"), [(0.0, 19), (5.0, 19), (5.1, 0), (40.0, 0)])
def test_children_advance_beside_other_programs(
    load: float, niceness: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lowest priority, a child compiled nothing in five minutes beside eight busy processes."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert compiler_pool.background_niceness() == niceness
