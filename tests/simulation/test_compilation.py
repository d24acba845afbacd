"""The child that compiles goes on for the next run where that wants the same, and ends where it does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.kernels import cache
from quatviz.simulation import compilation
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.simulation import Simulation
from quatviz.text.preset import Lane

Child = subprocess.Popen[bytes]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Child]]:
    """The children that were started: each sleeps. Marks are in an empty folder."""
    children: list[Child] = []

    def start(preset: object) -> Child:
        children.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
        return children[-1]

    monkeypatch.setattr(compilation, "start_child", start)
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    cache.prepare()
    yield children
    for child in children:
        child.kill()
        child.wait()


def run_of(*lanes: str, duration: float = 10.0) -> tuple[Simulation, ChildCompilation]:
    preset = qv.load_preset("torque_free")
    preset = replace(
        preset, lanes=tuple(map(Lane, lanes)), run=replace(preset.run, duration=duration, dt=1e-2)
    )
    return Simulation(preset), ChildCompilation(preset)


def ask(run: Simulation, preparation: ChildCompilation) -> list[bool]:
    return [preparation.ready(lane) for lane in run]


def test_an_edit_while_lanes_are_compiled_does_not_begin_anew(started: list[Child]) -> None:
    run, before = run_of("hamilton", "newton_euler")
    assert ask(run, before) == [False, False]
    edited, after = run_of("hamilton", "newton_euler", "lagrange_full", duration=20.0)
    after.take_over(before, edited)
    assert ask(run, before) == [False, False], "the run that ends starts none in its place"
    before.close()
    assert ask(edited, after) == [False] * 3
    assert len(started) == 1
    assert started[0].poll() is None
    after.close()
    assert started[0].poll() is not None


def test_what_the_child_knew_nothing_of_gets_another_one(started: list[Child]) -> None:
    run, before = run_of("hamilton")
    ask(run, before)
    edited, after = run_of("hamilton", "newton_euler")
    after.take_over(before, edited)
    compilation.mark_of(run.lanes[0]).touch()
    started[0].kill()
    started[0].wait()
    ask(edited, after)
    assert ask(edited, after) == [True, False]
    assert len(started) == 2
    after.close()


PARENT = """
import sys
import time
import quatviz as qv
from quatviz.simulation.compilation import start_child
preset = qv.load_preset("torque_free").with_run(lanes=["lagrange_full", "lagrange_simplified", "hamilton_canonical"])
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
        compilation.end_child(child)


def test_a_child_whose_work_nobody_wants_any_more_is_ended(started: list[Child]) -> None:
    run, before = run_of("hamilton", "newton_euler")
    ask(run, before)
    other, after = run_of("newton_euler")
    after.take_over(before, other)
    before.close()
    assert started[0].poll() is not None
    ask(other, after)
    assert len(started) == 2
    after.close()
