"""Compiling kernels in a child process, which fills the cache that this process then loads from.

Compiled in a thread of the window, a kernel stalls it for most of a second; from the cache it takes milliseconds.
A mark in the cache folder, left by whoever compiled a pair, says that it is there; the folder's name stands for
every source, so that a mark never outlives its kernels.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from quatviz.core.kernel import CACHE_FOLDER
from quatviz.core.preset import Preset
from quatviz.core.preset_text import format_preset, parse_preset
from quatviz.simulation.lane import LaneRun

log = logging.getLogger(__name__)


def mark_of(lane: LaneRun) -> Path:
    """The file that says that the kernels of this lane are in the cache."""
    name = f"{lane.formulation.id}+{lane.integrator.name}".replace("/", "-")
    return CACHE_FOLDER / f"{name}.ready"


class ChildCompilation:
    """A `Preparation`: lanes found in the cache are ready at once, the others when a child has compiled them."""

    def __init__(self, preset: Preset) -> None:
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
        if self._child is not None and self._child.poll() is None:
            self._child.kill()
        if self._child is not None:
            self._child.wait()


def start_child(preset: Preset) -> subprocess.Popen[bytes]:
    """A process that compiles the kernels of every lane of `preset` that are not in the cache."""
    child = subprocess.Popen(
        [sys.executable, "-m", "quatviz.simulation.compilation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert child.stdin is not None
    child.stdin.write(format_preset(preset).encode())
    child.stdin.close()
    return child


def compile_preset(preset: Preset) -> None:
    """Compile the kernels of every lane of `preset` in this process, and mark each as ready."""
    for lane in _lacking(preset):
        lane.prepare()
        mark_of(lane).touch()


def missing_marks(preset: Preset) -> set[Path]:
    """The marks of the kernels that a run of `preset` lacks; a `Refusal` where it cannot be run."""
    return {mark_of(lane) for lane in _lacking(preset)}


def _lacking(preset: Preset) -> Iterator[LaneRun]:
    from quatviz.simulation.simulation import Simulation

    for lane in Simulation(preset):
        if not lane.formulation.closed_form and not mark_of(lane).exists():
            yield lane


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # the window that waits for these kernels is playing meanwhile
    compile_preset(parse_preset(sys.stdin.read(), "the window's preset"))
