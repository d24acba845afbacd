"""Lessons of a person's own: the files that were presented last, beside those that come with quatviz."""

from collections.abc import Callable
from pathlib import Path

from quatviz.document.store import RecentFiles
from quatviz.lessons.model import Lesson
from quatviz.lessons.reading import Unread, all_of, lesson_paths, read_heading, read_lesson


def own_files() -> RecentFiles:
    """The files of lessons that were presented last, which are in all lists."""
    return RecentFiles("lessons.toml")


def is_own_file(path: Path) -> bool:
    """Whether it is that of a lesson that was presented."""
    return path in own_files().paths


def is_own(lesson: Lesson) -> bool:
    """Whether it is from a file of a person's own, and not one of those that come with quatviz."""
    return lesson.path is not None and lesson_paths().get(lesson.path.stem) != lesson.path


def listed(read: Callable[[Path], Lesson] = read_lesson) -> list[Lesson | Unread]:
    """Every lesson that lists have: those that come with quatviz, in order, and then one's own, the newest first. One that cannot
    be read stands there as such."""
    return all_of([*lesson_paths().values(), *own_files().paths], read)


def known() -> list[Lesson]:
    """Those of them that can be read, without their steps."""
    return [one for one in listed(read_heading) if isinstance(one, Lesson)]
