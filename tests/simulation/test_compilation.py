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
    """A child that compiles nothing: it hears, and ends when it is told so."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"], stdin=subprocess.PIPE
        )
        self.lanes: list[str] = []
        self.presets: list[Preset] = []

    @property
    def alive(self) -> bool:
        """Whether it goes on; one that was told to end has a while for that."""
        assert self.process.stdin is not None
        if self.process.stdin.closed:
            self.process.wait(60)
        return self.process.poll() is None


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lanes that this process would have compiled or loaded. What it compiled while the cache lies elsewhere would be in it
    for good, and kept nowhere: every other process would compile it again."""
    names: list[str] = []
    monkeypatch.setattr(LaneRun, "prepare", lambda lane: names.append(lane.name))
    return names


@pytest.fixture
def started(prepared: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Heard]]:
    """The children that were started. Marks are in an empty folder; the kernel of the curves is none of the matter."""
    children: list[Heard] = []

    def start() -> Child:
        children.append(Heard())
        return children[-1].process

    def tell(child: Child, job: bytes) -> None:
        (heard,) = (each for each in children if each.process is child)
        said = json.loads(job.splitlines()[0])
        heard.lanes.append(said if isinstance(said, str) else said["lane"])
        heard.presets += [parse_preset(said["preset"])] if isinstance(said, dict) else []

    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: None)
    monkeypatch.setattr(compiler_pool, "start_compiler", start)
    monkeypatch.setattr(compiler_pool, "send_job", tell)
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
def test_on_one_processor_one_compiles_at_a_time(
    processors: int | None, started: list[Heard], prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler_pool.os, "cpu_count", lambda: processors)
    run, preparation = run_of("hamilton", "newton_euler")
    assert ask(run, preparation) == [False] * 2
    assert [child.lanes for child in started] == [["hamilton"]]
    done(run, "hamilton")
    assert ask(run, preparation) == [True, False]
    assert [child.lanes for child in started] == [["hamilton", "newton_euler"]]


def test_two_compile_at_once_and_then_what_comes_next(started: list[Heard], prepared: list[str]) -> None:
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


def test_curve_reduction_is_compiled_after_the_lanes(
    started: list[Heard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "extremes.kernel"
    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: place)
    run, preparation = run_of("exact", "hamilton")
    assert ask(run, preparation) == [True, False]
    assert [child.lanes for child in started] == [["hamilton"]]
    done(run, "hamilton")
    assert ask(run, preparation) == [True, True]
    assert [child.lanes for child in started] in ([["hamilton", "extremes"]], [["hamilton"], ["extremes"]])
    assert started[-1].alive
    place.touch()
    started[-1].process.kill()  # it has been told that nothing comes after
    started[-1].process.wait()
    assert ask(run, preparation) == [True, True]
    assert not any(child.alive for child in started)


def test_a_finished_child_gets_no_further_jobs(
    started: list[Heard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may end at any moment, and the window would then compile the job itself and freeze."""
    place = tmp_path / "extremes.kernel"
    monkeypatch.setattr(extremes_cache, "kernel_file", lambda: place)
    run, preparation = run_of("udwadia_schutte", "hamilton", "newton_euler", "lagrange_full")
    done(run, "udwadia_schutte")
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"]]
    place.touch()
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"]], "it has yet to end"
    started[0].process.kill()
    started[0].process.wait()
    assert ask(run, preparation) == [True, False, False, False]
    assert [child.lanes for child in started] == [["extremes"], ["hamilton"], ["newton_euler"]]


def test_it_can_start_before_anybody_asks(started: list[Heard]) -> None:
    run, preparation = run_of("exact", "hamilton", "newton_euler")
    preparation.begin()
    assert [child.lanes for child in started] == [["hamilton"]], "the other processor makes the window"
    assert ask(run, preparation) == [True, False, False]
    assert [child.lanes for child in started] == [["hamilton"], ["newton_euler"]]
    preparation.close()
    assert not any(child.alive for child in started)


def test_the_first_started_child_compiles_first(started: list[Heard]) -> None:
    """It starts before the preset is known, and imports meanwhile."""
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


def test_a_lane_says_that_the_process_which_compiled_it_was_killed(
    started: list[Heard], prepared: list[str]
) -> None:
    run, preparation = run_of("hamilton")
    assert ask(run, preparation) == [False]
    started[0].process.kill()
    started[0].process.wait()
    assert [ask(run, preparation) for _ in range(2)] == [[False], [True]]
    assert prepared == ["hamilton"]
    (said,) = run["hamilton"].diagnostics.remarks
    assert "was ended by SIGKILL" in said
    assert "`quatviz compile`" in said


def test_a_child_is_told_nothing_of_forms_of_this_session(started: list[Heard]) -> None:
    parameters = type("SessionParameters", (BodyParameters,), {"__module__": "a session"})
    form = {"__module__": "a session", "name": "of_a_session", "parameter_type": parameters}
    FORMULATIONS.add(lambda: type("OfASession", (NewtonEuler,), form))
    try:
        run, preparation = run_of("of_a_session", "hamilton", "hamilton")
        assert ask(run, preparation) == [False] * 3
        (told,) = started[0].presets
        assert [(lane.formulation, lane.name) for lane in told.lanes] == [
            ("hamilton", run.lanes[1].name),
            ("hamilton", run.lanes[2].name),
        ]
    finally:
        FORMULATIONS.remove("of_a_session")


def test_unneeded_children_end(started: list[Heard]) -> None:
    run, _ = run_of("exact")
    called = compiler_pool.CompilerPool()
    called.start()
    ChildCompilation(run.preset, pool=called).begin()
    assert not any(child.alive for child in started)


def test_an_edit_while_lanes_are_compiled_does_not_start_anew(started: list[Heard]) -> None:
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


def test_a_lane_whose_child_has_ended_is_compiled_by_who_asks(
    started: list[Heard], prepared: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Better slow than stuck."""
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
def test_a_child_ends_with_the_process_that_started_it(name: str, tmp_path: Path) -> None:
    """Whoever ends that one in the middle of the compiling: the pipe of errors, which both have, closes with the last."""
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


def test_a_child_that_is_done_ends_well_while_its_pipe_is_open() -> None:
    child = compilation.start_child(qv.load_preset("torque_free").with_run(lanes=["newton_euler"]))
    try:
        assert child.wait(timeout=100.0) == 0
    finally:
        compiler_pool.kill_and_wait(child)


def test_a_child_whose_work_nobody_wants_any_more_is_ended(started: list[Heard]) -> None:
    run, before = run_of("hamilton", "newton_euler")
    ask(run, before)
    other, after = run_of("newton_euler")
    after.take_over(before, other)
    before.close()
    assert [child.alive for child in started] == [False, True]
    ask(other, after)
    assert len(started) == 2
    after.close()


def test_an_edit_does_not_wait_for_a_child_that_it_ends(
    started: list[Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_all_that_presets_lack_is_compiled_once(started: list[Heard]) -> None:
    presets = [
        qv.load_preset("torque_free").with_run(lanes=lanes)
        for lanes in (["hamilton", "exact"], ["hamilton", "newton_euler"])
    ]
    told = compilation.compile_presets(presets, 1)
    assert next(told) == (0, 2)
    for lane in Simulation(presets[1]):
        compilation.mark_path(lane).touch()
        left = next(told)
    assert left == (2, 2)
    assert [child.lanes for child in started] == [["hamilton", "newton_euler"]]
    assert not started[0].alive
    assert list(compilation.compile_presets(presets, 1)) == [(0, 0)]


def test_nothing_is_compiled_where_a_run_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window's thread makes the run. A sum over loads took it four seconds with an empty cache."""
    preset = replace(
        qv.load_preset("attitude_control"),
        lanes=tuple(map(Lane, ("newton_euler", "hamilton", "lagrange_full"))),
    )

    def refuse(dispatcher: Dispatcher, signature: object) -> None:
        raise AssertionError(f"{dispatcher.py_func.__name__} was compiled, or loaded")

    monkeypatch.setattr(Dispatcher, "compile", refuse)
    assert all(lane.problem.load_sums for lane in Simulation(preset))


def test_a_lane_is_not_ready_before_its_sum_over_loads_is(started: list[Heard]) -> None:
    preset = qv.load_preset("attitude_control")
    free = Simulation(replace(preset, loads=()))
    controlled = Simulation(preset)
    for lane in free:
        compilation.mark_path(lane).touch()
    assert [compilation.mark_path(lane).exists() for lane in controlled] == [False] * len(controlled.lanes)


def test_a_form_of_this_session_is_compiled_beside_and_holds_nobody_up(
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


def test_a_child_that_was_killed_before_it_was_told_anything_is_let_go() -> None:
    """Closing what it was told through raised, and the worker of the window ended with it: nothing was ever computed."""
    child = compiler_pool.start_compiler()
    child.kill()
    child.wait()
    compiler_pool.send_job(child, b"{}")
    compiler_pool.kill_and_wait(child)
    assert child.stdin is not None
    assert child.stdin.closed
