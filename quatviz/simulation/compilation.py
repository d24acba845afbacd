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
        self._failed = False

    def ready(self, lane: LaneRun) -> bool:
        """Whether `lane` can run; starts the child when first asked for a lane that is not in the cache."""
        if lane.formulation.closed_form or mark_of(lane).exists() or self._failed:
            lane.prepare()
            return True
        if self._child is None:
            self._child = _start(self._preset)
        elif self._child.poll() is not None and not mark_of(lane).exists():
            # Better slow than stuck: without a child the lane compiles here, and the log says why.
            log.warning("the compiling process ended with status %s", self._child.returncode)
            self._failed = True
        return False

    def close(self) -> None:
        """End the child if it still runs."""
        if self._child is not None and self._child.poll() is None:
            self._child.kill()
        if self._child is not None:
            self._child.wait()


def _start(preset: Preset) -> subprocess.Popen[bytes]:
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
    from quatviz.simulation.simulation import Simulation

    for lane in Simulation(preset):
        if not lane.formulation.closed_form and not mark_of(lane).exists():
            lane.prepare()
            mark_of(lane).touch()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # the window that waits for these kernels is playing meanwhile
    compile_preset(parse_preset(sys.stdin.read(), "the window's preset"))
