"""Background compilation of the kernels of later lesson steps, so that no step waits for a compiler."""

import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from quatviz.files.preset import Preset
from quatviz.physics.kernels.compiler_pool import kill_and_wait
from quatviz.simulation.compilation import missing_mark_paths, start_child
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.model import Scene
from quatviz.teaching.lessons.scene_runs import preset_of, presets_of

POLL_INTERVAL_MS = 1000
"""Interval at which the precompiler looks for a run that needs compilation [ms]."""


class Precompiler(QObject):
    """Compiler of the kernels of all runs of a lesson, in one child process at a time.

    No child process is started while the window itself compiles kernels for the current step.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pending_presets: Iterator[Preset] = iter(())
        self._window_marks: set[Path] = set()
        """Paths of the marker files that appear when the window has compiled the kernels of the current
        step."""
        self._compiling_preset: Preset | None = None
        """Preset whose kernels the child process compiles."""
        self.child: subprocess.Popen[bytes] | None = None
        self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._timer.timeout.connect(self.start_next)

    def begin(self, lesson: Lesson) -> None:
        """Start to compile the kernels of this lesson's runs, from its first step on."""
        self.stop()
        self._pending_presets = presets_of(lesson)
        self._timer.start()

    def set_scene(self, scene: Scene, folder: Path | None) -> None:
        """Let the window compile the kernels of `scene` first. No child process is started before that; a running one is
        stopped, and its preset is queued again."""
        self._window_marks = missing_mark_paths(preset_of(scene, folder))
        if self._window_marks and self._compiling_preset is not None:
            self._pending_presets = chain([self._compiling_preset], self._pending_presets)
            self._end_child()

    def start_next(self) -> None:
        """Start a child process for the next run whose kernels are not compiled, unless a compilation is running."""
        if self.child is not None and self.child.poll() is None:
            return
        self._end_child()
        if any(not mark.exists() for mark in self._window_marks):
            return
        preset = next(self._pending_presets, None)
        if preset is None:
            self._timer.stop()
        elif missing_mark_paths(preset):
            self._compiling_preset, self.child = preset, start_child(preset)

    def stop(self) -> None:
        """Stop the child process and forget the runs whose kernels are not compiled yet."""
        self._timer.stop()
        self._pending_presets, self._window_marks = iter(()), set()
        self._end_child()

    def _end_child(self) -> None:
        if self.child is not None:
            kill_and_wait(self.child)
            self._compiling_preset = self.child = None
