"""Compiling, while a lesson is presented, what its later steps will run: in the lecture nobody should wait for it."""

import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from quatviz.files.preset import Preset
from quatviz.physics.kernels.compiler_pool import end_child
from quatviz.simulation.compilation import missing_marks, start_child
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.model import Scene
from quatviz.teaching.lessons.scene_runs import preset_of, presets_of

PAUSE_MS = 1000
"""Between two looks at what is there."""


class Ahead(QObject):
    """One child at a time, and none while the window has one of its own for the step that is shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: Iterator[Preset] = iter(())
        self._shown: set[Path] = set()
        """Marks of the kernels that the window compiles for itself."""
        self._preset: Preset | None = None
        """What the child compiles."""
        self.child: subprocess.Popen[bytes] | None = None
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self.look)

    def begin(self, lesson: Lesson) -> None:
        """Prepare the runs of this lesson from its first step on."""
        self.stop()
        self._waiting = presets_of(lesson)
        self._timer.start()

    def show(self, scene: Scene, folder: Path | None) -> None:
        """A step is shown, whose kernels the window sees to; what is being compiled may be among them, and waits its turn."""
        self._shown = missing_marks(preset_of(scene, folder))
        if self._shown and self._preset is not None:
            self._waiting = chain([self._preset], self._waiting)
            self._end_child()

    def look(self) -> None:
        """Start on the next run that is not ready, unless somebody compiles already."""
        if self.child is not None and self.child.poll() is None:
            return
        self._end_child()
        if any(not mark.exists() for mark in self._shown):
            return
        preset = next(self._waiting, None)
        if preset is None:
            self._timer.stop()
        elif missing_marks(preset):
            self._preset, self.child = preset, start_child(preset)

    def stop(self) -> None:
        """Leave the rest."""
        self._timer.stop()
        self._waiting, self._shown = iter(()), set()
        self._end_child()

    def _end_child(self) -> None:
        if self.child is not None:
            end_child(self.child)
            self._preset = self.child = None
