"""Watches the files of a lesson: who writes one sees it in the window as soon as it is saved."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from quatviz.files.files import written
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.merging import files_of

_REST_MS = 200
"""How long the files must have been left alone: an editor may write one in several steps, or another in its place."""


class Watch(QObject):
    """Of the lesson's own file, and of presets and pictures beside it."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._files: dict[Path, tuple[int, int] | None] = {}
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._look)
        self._watcher.directoryChanged.connect(lambda _: self._rest.start())
        self._watcher.fileChanged.connect(lambda _: self._rest.start())

    def begin(self, lesson: Lesson) -> None:
        """Watch what this lesson is made of."""
        self.stop()
        if lesson.path is None:
            return
        self._files = {path: written(path) for path in (lesson.path, *files_of(lesson).values())}
        self._watch()

    def stop(self) -> None:
        """Watch nothing."""
        self._rest.stop()
        self._files.clear()
        if watched := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(watched)

    def _watch(self) -> None:
        """A file that was written in place of another is another to the system: only its folder tells of it."""
        paths = {str(path) for path in self._files if path.is_file()} | {
            str(path.parent) for path in self._files
        }
        new = paths - {*self._watcher.files(), *self._watcher.directories()}
        if new:
            self._watcher.addPaths(sorted(new))

    def _look(self) -> None:
        now = {path: written(path) for path in self._files}
        self._watch()
        if now != self._files:
            self._files = now
            self.changed.emit()
