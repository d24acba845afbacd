"""Which lesson: one of those that came with the program, or a person's own from a file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from quatviz.base.translation import tr
from quatviz.teaching.help.entry_search import Entry
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.parsing import Unread
from quatviz.teaching.lessons.user_lessons import is_own, listed, own_files
from quatviz.ui.widgets.controls import QuietButton
from quatviz.ui.widgets.search_popup import Finder

_WIDTH, _ROWS = 640, 7


class LessonChooser(Finder):
    """Lets `present` have the file of the lesson that is chosen."""

    def __init__(self, window: QWidget, present: Callable[[Path], object]) -> None:
        self._window, self._present = window, present
        self.file = QuietButton(tr("Open a file…"), self._ask_file)
        super().__init__(window, tr("Lessons"), tr("Search the lessons"), _ROWS, 2, self.file)

    def ask(self) -> None:
        """Let a person choose."""
        self.open_over(self._window, map(self._entry, listed()), _WIDTH)

    def _entry(self, lesson: Lesson | Unread) -> Entry:
        said, about = [tr("yours")] if is_own(lesson) else [], lesson.about
        if isinstance(lesson, Lesson):
            steps, minutes = len(lesson.steps), lesson.minutes
            said.append(tr("{steps} steps, {minutes} minutes", steps=steps, minutes=minutes))
            about = f"{about}\n{lesson.source}".strip()
        assert lesson.path is not None
        present, more = partial(self._present, lesson.path), partial(self._more, lesson.path)
        return Entry(
            lesson.title, ", ".join(said), present, about=about, more=more if is_own(lesson) else None
        )

    def _more(self, path: Path, point: QPoint) -> None:
        """What can be done with a lesson of one's own."""
        menu = QMenu(self)
        menu.addAction(tr("Take it from the list"), partial(self._forget, path))
        menu.exec(point)
        menu.deleteLater()

    def _forget(self, path: Path) -> None:
        own_files().remove(path)
        self.ask()

    def _ask_file(self) -> None:
        self.hide()
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open a lesson"), "", tr("Lessons (*.md)"))
        if path:
            self._present(Path(path))
