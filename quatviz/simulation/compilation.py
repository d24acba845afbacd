"""Compiling kernels in a child process, which fills the cache that this process then loads from.

Compiled in a thread of the window, a kernel stalls it for most of a second; from the cache it takes milliseconds.
A mark in the cache folder, left by whoever compiled a pair, says that it is there; its name stands for every source
of the pair, so that a mark never speaks of older kernels.

The child ends with the process that started it, however that ends: it hears the pipe to it close. Nothing needs to be
said for that, so that it holds for a signal and a power of the system that kills (SIGTERM, SIGHUP, SIGKILL) as well.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from quatviz.kernels import cache
from quatviz.simulation.lane import LaneRun
from quatviz.text.preset import Preset
from quatviz.text.preset_text import format_preset, parse_preset

log = logging.getLogger(__name__)


def mark_of(lane: LaneRun) -> Path:
    """The file that says that the kernels of this lane are in the cache."""
    name = f"{lane.formulation.id}+{lane.integrator.name}".replace("/", "-")
    code = cache.fingerprint({type(lane.formulation).__module__, type(lane.integrator).__module__}) or ""
    return cache.folder() / f"{name}-{code[:16]}.ready"


class ChildCompilation:
    """A `Preparation`: lanes found in the cache are ready at once, the others when a child has compiled them.

    Raises `InputError` where there is no place for compiled kernels."""

    def __init__(self, preset: Preset) -> None:
        cache.prepare()
        self._preset = preset
        self._child: subprocess.Popen[bytes] | None = None
        self._inherited = False
        """Whether the child was started for another run."""
        self._handed_over = self._failed = False
        self._asked: set[Path] = set()
        """Marks of the lanes that were not there when they were asked for."""

    def ready(self, lane: LaneRun) -> bool:
        """Whether `lane` can run; starts the child when first asked for a lane that is not in the cache."""
        if lane.formulation.closed_form or mark_of(lane).exists() or self._failed:
            lane.prepare()
            return True
        self._asked.add(mark_of(lane))
        child = self._child
        if child is None and not self._handed_over:
            self._child = start_child(self._preset)
        elif child is not None and child.poll() is not None and not mark_of(lane).exists():
            if self._inherited:
                end_child(child)
                self._child, self._inherited = None, False  # it knew nothing of this lane
            else:
                # Better slow than stuck: without a child the lane compiles here, and the log says why.
                log.warning("the compiling process ended with status %s", child.returncode)
                self._failed = True
        return False

    def take_over(self, before: ChildCompilation, lanes: Iterable[LaneRun]) -> None:
        """Let the child of the run `before` go on if all that it still compiles is wanted for `lanes` too: an edit must not
        make a person wait from the beginning again. To be said before either run is closed."""
        missing = {mark for mark in set(before._asked) if not mark.exists()}
        if missing and missing <= {mark_of(lane) for lane in lanes}:
            before._handed_over = True
            self._child, before._child = before._child, None
            self._inherited = self._child is not None

    def close(self) -> None:
        """End the child if it still runs."""
        if self._child is not None:
            end_child(self._child)


def start_child(preset: Preset) -> subprocess.Popen[bytes]:
    """A process that compiles the kernels of every lane of `preset` that are not in the cache, and ends with this one."""
    child = subprocess.Popen(
        [sys.executable, "-m", "quatviz.simulation.compilation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert child.stdin is not None
    text = format_preset(preset).encode()
    child.stdin.write(b"%d\n" % len(text) + text)
    child.stdin.flush()  # and left open: that it closes says to the child that this process is gone
    return child


def end_child(child: subprocess.Popen[bytes]) -> None:
    """End a child of `start_child` at once, whatever it is at."""
    child.kill()
    child.wait()
    if child.stdin is not None:
        child.stdin.close()


def compile_preset(preset: Preset) -> None:
    """Compile the kernels of every lane of `preset` in this process, and mark each as ready."""
    for lane in _lacking(preset):
        lane.prepare()
        mark_of(lane).touch()


def missing_marks(preset: Preset) -> set[Path]:
    """The marks of the kernels that a run of `preset` lacks; an `InputError` where it cannot be run."""
    return {mark_of(lane) for lane in _lacking(preset)}


def _lacking(preset: Preset) -> Iterator[LaneRun]:
    from quatviz.simulation.simulation import Simulation

    for lane in Simulation(preset):
        if not lane.formulation.closed_form and not mark_of(lane).exists():
            yield lane


def _compile_what_comes(pipe: BinaryIO) -> None:
    """The child: a preset comes through the pipe, its length before it."""
    text = pipe.read(int(pipe.readline())).decode()
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    compile_preset(parse_preset(text, "the window's preset"))


def _end_with(pipe: BinaryIO) -> None:
    """End this process when the pipe closes; the compiler is left where it is, and so is what it has not written yet.

    It waits for the pipe itself, not for its buffer, which Python could not close then when all is compiled, and would abort.
    """
    while os.read(pipe.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # the window that waits for these kernels is playing meanwhile
    _compile_what_comes(sys.stdin.buffer)
