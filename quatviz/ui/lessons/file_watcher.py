"""Watcher of a lesson's files, so that an author sees a change in the window as soon as it is saved."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from quatviz.files.files import file_signature
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.merging import companion_files

_SETTLE_MS = 200
"""Time without changes before files are checked [ms]. An editor may save a file in several steps or by replacing it."""


class LessonFileWatcher(QObject):
    """Watcher of the lesson's file and of the presets and pictures that it uses."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._stamps: dict[Path, tuple[int, int] | None] = {}
        self._settle_timer = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle_timer.timeout.connect(self._check_files)
        self._watcher.directoryChanged.connect(lambda _: self._settle_timer.start())
        self._watcher.fileChanged.connect(lambda _: self._settle_timer.start())

    def begin(self, lesson: Lesson) -> None:
        """Start to watch the files of this lesson."""
        self.stop()
        if lesson.path is None:
            return
        self._stamps = {
            path: file_signature(path) for path in (lesson.path, *companion_files(lesson).values())
        }
        self._watch_paths()

    def stop(self) -> None:
        """Stop watching."""
        self._settle_timer.stop()
        self._stamps.clear()
        if watched := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(watched)

    def _watch_paths(self) -> None:
        """Watch the files that are not watched yet, and their folders. If an editor replaces a file, Qt reports only a change
        of its folder."""
        paths = {str(path) for path in self._stamps if path.is_file()} | {
            str(path.parent) for path in self._stamps
        }
        new_paths = paths - {*self._watcher.files(), *self._watcher.directories()}
        if new_paths:
            self._watcher.addPaths(sorted(new_paths))

    def _check_files(self) -> None:
        stamps = {path: file_signature(path) for path in self._stamps}
        self._watch_paths()
        if stamps != self._stamps:
            self._stamps = stamps
            self.changed.emit()
