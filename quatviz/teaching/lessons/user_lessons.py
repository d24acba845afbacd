"""Lessons of a person's own: the files that were presented last, beside those that come with quatviz."""

from pathlib import Path

from quatviz.display.document.user_files import RecentFiles
from quatviz.files.files import written
from quatviz.teaching.lessons.merging import files_of
from quatviz.teaching.lessons.model import Lesson
from quatviz.teaching.lessons.parsing import Unread, all_of, lesson_paths, read_lesson


def own_files() -> RecentFiles:
    """The files of lessons that were presented last, which are in all lists."""
    return RecentFiles("lessons.toml")


def is_own_file(path: Path) -> bool:
    """Whether it is that of a lesson that was presented."""
    return path in own_files().paths


def is_own(lesson: Lesson | Unread) -> bool:
    """Whether it is from a file of a person's own, and not one of those that come with quatviz."""
    path = lesson.path
    if path is None:
        return False
    shipped = lesson_paths().get(path.stem)
    return shipped is None or shipped.resolve() != path.resolve()  # by whatever way somebody names it


def listed() -> list[Lesson | Unread]:
    """Every lesson that lists have: those that come with quatviz, in order, and then one's own, the newest first. One that cannot
    be read stands there as such, wherever lessons are listed. What has not been written since is not read again."""
    return all_of([*lesson_paths().values(), *own_files().paths], _read)


_kept: dict[Path, tuple[Lesson, dict[Path, object]]] = {}
"""What was read, and when its files were written then: its own, and the presets and pictures beside it."""


def _read(path: Path) -> Lesson:
    if path in _kept:
        lesson, files = _kept[path]
        if all(written(file) == when for file, when in files.items()):
            return lesson
    lesson = read_lesson(path)
    _kept[path] = lesson, {file: written(file) for file in (path, *files_of(lesson).values())}
    return lesson
