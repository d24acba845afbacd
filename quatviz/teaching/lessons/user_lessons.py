"""Lessons of the user: files that were presented recently. Lists show them after the shipped lessons."""

from pathlib import Path

from quatviz.display.document.user_files import RecentFiles
from quatviz.files.files import file_signature
from quatviz.teaching.lessons.merging import companion_files
from quatviz.teaching.lessons.model import Lesson
from quatviz.teaching.lessons.parsing import UnreadableLesson, lesson_paths, read_lesson, read_lessons


def recent_lesson_files() -> RecentFiles:
    """Return the stored list of lesson files that were presented recently."""
    return RecentFiles("lessons.toml")


def is_recent_lesson_file(path: Path) -> bool:
    """Return True if `path` is a lesson file that was presented recently."""
    return path in recent_lesson_files().paths


def is_user_lesson(lesson: Lesson | UnreadableLesson) -> bool:
    """Return True if a lesson is not a shipped lesson."""
    path = lesson.path
    if path is None:
        return False
    shipped = lesson_paths().get(path.stem)
    return shipped is None or shipped.resolve() != path.resolve()  # the path may be spelled in different ways


def lesson_key(lesson: Lesson | UnreadableLesson) -> str:
    """Return the argument with which a command finds a lesson: the name of a shipped lesson, or a path.

    `lesson` must have a path.
    """
    assert lesson.path is not None
    return str(lesson.path.absolute()) if is_user_lesson(lesson) else lesson.path.stem


def list_lessons() -> list[Lesson | UnreadableLesson]:
    """Return all lessons in the order of the lesson lists: shipped lessons by number, then the user's lessons, newest
    first.

    A lesson that cannot be read is included as `UnreadableLesson`. Files that have not changed are not read again.
    """
    return read_lessons([*lesson_paths().values(), *recent_lesson_files().paths], _read_cached)


_cache: dict[Path, tuple[Lesson, dict[Path, object]]] = {}
"""Lessons that were read, by path. Each comes with the signatures of its files: the lesson file, presets and pictures."""


def _read_cached(path: Path) -> Lesson:
    if path in _cache:
        lesson, files = _cache[path]
        if all(file_signature(file) == stamp for file, stamp in files.items()):
            return lesson
    lesson = read_lesson(path)
    _cache[path] = lesson, {file: file_signature(file) for file in (path, *companion_files(lesson).values())}
    return lesson
