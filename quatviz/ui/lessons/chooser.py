"""Search popup in which the user chooses a lesson: a shipped one or a file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base.translation import tr
from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.parsing import UnreadableLesson
from quatviz.teaching.lessons.user_lessons import is_user_lesson, list_lessons, recent_lesson_files
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.file_dialogs import ask_open_path
from quatviz.ui.widgets.search_popup import SearchPopup

_WIDTH, _ROWS = 640, 7


class LessonChooser(SearchPopup):
    """Search popup with the shipped lessons and the user's own. The function `present` receives the path of the chosen
    lesson."""

    def __init__(self, window: QWidget, present: Callable[[Path], object]) -> None:
        self._window, self._present = window, present
        self.open_button = QuietButton(tr("Open a file…"), self._ask_file)
        super().__init__(window, tr("Lessons"), tr("Search the lessons"), _ROWS, 2, self.open_button)

    def ask(self) -> None:
        """Open the list of lessons."""
        self.open_over(self._window, map(self._make_entry, list_lessons()), _WIDTH)

    def _make_entry(self, lesson: Lesson | UnreadableLesson) -> SearchEntry:
        details, about = [tr("your lesson")] if is_user_lesson(lesson) else [], lesson.description
        if isinstance(lesson, Lesson):
            steps, minutes = len(lesson.steps), lesson.minutes
            details.append(tr("{steps} steps, {minutes} minutes", steps=steps, minutes=minutes))
            about = f"{about}\n{lesson.source}".strip()
        assert lesson.path is not None
        present, show_menu = partial(self._present, lesson.path), partial(self._show_lesson_menu, lesson.path)
        return SearchEntry(
            lesson.title,
            ", ".join(details),
            present,
            description=about,
            open_menu=show_menu if is_user_lesson(lesson) else None,
        )

    def _show_lesson_menu(self, path: Path, point: QPoint) -> None:
        """Show the context menu of a lesson that the user has written."""
        menu = QMenu(self)
        menu.addAction(tr("Remove from list"), partial(self._remove_from_list, path))
        menu.exec(point)
        menu.deleteLater()

    def _remove_from_list(self, path: Path) -> None:
        recent_lesson_files().remove(path)
        self.ask()

    def _ask_file(self) -> None:
        self.hide()
        path = ask_open_path(self._window, tr("Open a lesson"), "lesson", tr("Lessons (*.md)"))
        if path is not None:
            self._present(path)
