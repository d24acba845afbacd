"""Which lesson: one of those that came with the program, or a person's own from a file."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QFileDialog, QWidget

from quatviz.base.errors import InputError
from quatviz.base.markdown import plain
from quatviz.base.tr import tr
from quatviz.help.finding import Entry
from quatviz.lessons import Lesson, read_lesson, shipped
from quatviz.ui.kit.finder import Finder
from quatviz.ui.kit.widgets import QuietButton

_WIDTH, _ROWS = 640, 7


class LessonChooser(Finder):
    """Lets `present` have the lesson that is chosen, and `refuse` the reason why that of a file cannot be."""

    def __init__(
        self, window: QWidget, present: Callable[[Lesson], object], refuse: Callable[[InputError], object]
    ) -> None:
        self._window, self._present, self._refuse = window, present, refuse
        self.file = QuietButton(tr("Open a file…"))
        super().__init__(window, tr("Lessons"), tr("Search the lessons"), _ROWS, 2, self.file)
        self.file.clicked.connect(self._ask_file)

    def ask(self) -> None:
        """Let a person choose."""
        self.open_over(
            self._window,
            (
                Entry(
                    lesson.title,
                    tr("{count} steps, {minutes} minutes", count=len(lesson.steps), minutes=lesson.minutes),
                    partial(self._present, lesson),
                    about=f"{plain(lesson.summary)}\n{lesson.source}".strip(),
                )
                for lesson in shipped(read_lesson)
            ),
            _WIDTH,
        )

    def take(self, path: str) -> None:
        """Present the lesson of a file, or say why that cannot be."""
        try:
            lesson = read_lesson(path)
        except InputError as refusal:
            self._refuse(refusal)
        else:
            self._present(lesson)

    def _ask_file(self) -> None:
        self.hide()
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Open a lesson"), "", tr("Lessons (*.md)"))
        if path:
            self.take(path)
