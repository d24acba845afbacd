"""Lessons of a person's own: the files that were presented last, beside those that come with quatviz."""

from pathlib import Path

from quatviz.display.document.user_files import RecentFiles
from quatviz.files.files import file_signature
from quatviz.teaching.lessons.merging import companion_files
from quatviz.teaching.lessons.model import Lesson
from quatviz.teaching.lessons.parsing import UnreadableLesson, lesson_paths, read_lesson, read_lessons


def recent_lesson_files() -> RecentFiles:
    """The files of lessons that were presented last, which are in all lists."""
    return RecentFiles("lessons.toml")


def is_recent_lesson_file(path: Path) -> bool:
    """Whether it is that of a lesson that was presented."""
    return path in recent_lesson_files().paths


def is_user_lesson(lesson: Lesson | UnreadableLesson) -> bool:
    """Whether it is from a file of a person's own, and not one of those that come with quatviz."""
    path = lesson.path
    if path is None:
        return False
    shipped = lesson_paths().get(path.stem)
    return shipped is None or shipped.resolve() != path.resolve()  # by whatever way somebody names it


def lesson_key(lesson: Lesson | UnreadableLesson) -> str:
    """Return the name of a lesson as commands take it: a shipped one's own name, the path of any other. `lesson` has a path."""
    assert lesson.path is not None
    return str(lesson.path.absolute()) if is_user_lesson(lesson) else lesson.path.stem


def list_lessons() -> list[Lesson | UnreadableLesson]:
    """Every lesson that lists have: those that come with quatviz, in order, and then one's own, the newest first. One that cannot
    be read stands there as such, wherever lessons are listed. What has not been written since is not read again."""
    return read_lessons([*lesson_paths().values(), *recent_lesson_files().paths], _read_cached)


_cache: dict[Path, tuple[Lesson, dict[Path, object]]] = {}
"""What was read, and when its files were written then: its own, and the presets and pictures beside it."""


def _read_cached(path: Path) -> Lesson:
    if path in _cache:
        lesson, files = _cache[path]
        if all(file_signature(file) == stamp for file, stamp in files.items()):
            return lesson
    lesson = read_lesson(path)
    _cache[path] = lesson, {file: file_signature(file) for file in (path, *companion_files(lesson).values())}
    return lesson
