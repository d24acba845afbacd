"""Which lesson: a list of those that came with the program, and a person's own from a file."""

from __future__ import annotations

import logging

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from quatviz.base.errors import InputError
from quatviz.base.markdown import plain
from quatviz.base.tr import tr
from quatviz.lessons import Lesson, lesson_paths, read_lesson
from quatviz.look.theme import UNIT
from quatviz.ui.kit.style import Themed
from quatviz.ui.kit.widgets import Dialog, RefusalLabel, column, label, row

log = logging.getLogger(__name__)


class LessonChooser(Themed, Dialog):
    """Enter or a double click presents the lesson; what cannot be read is explained."""

    chosen = Signal(object)
    """The `Lesson`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Lessons – quatviz"))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Lessons"))
        self.list.setWordWrap(True)
        self.list.itemActivated.connect(lambda _: self.present())
        self.list.currentRowChanged.connect(self._tell)
        self._about = label()
        self._about.setMinimumHeight(6 * self.theme.normal)
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.problem = RefusalLabel()
        self.problem.hide()
        self.start, self.file = QPushButton(tr("Present")), QPushButton(tr("Open a file…"))
        self.start.setObjectName("primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self.present)
        self.file.clicked.connect(self._ask)
        buttons, margins = row(self.file, None, self.start), (3 * UNIT, 3 * UNIT, 3 * UNIT, 2 * UNIT)
        self.setLayout(column((self.list, 1), self._about, self.problem, buttons, margins=margins))
        self.lessons: list[Lesson] = []
        for path in lesson_paths().values():
            try:
                self._add(read_lesson(path))
            except InputError as refusal:  # one bad lesson must not hide the others
                log.error("a lesson was left out: %s", refusal)
        self.follow_theme()
        self.resize(720, 640)
        if self.lessons:
            self.list.setCurrentRow(0)

    def present(self) -> None:
        """Present the lesson that is marked."""
        row = self.list.currentRow()
        if 0 <= row < len(self.lessons):
            self.accept()
            self.chosen.emit(self.lessons[row])

    def take(self, path: str) -> None:
        """Present the lesson of a file, or say why that cannot be."""
        try:
            lesson = read_lesson(path)
        except InputError as refusal:
            self.problem.explain(refusal)
            return
        self.problem.hide()
        self._add(lesson)
        self.list.setCurrentRow(self.list.count() - 1)
        self.present()

    def follow_theme(self) -> None:
        theme = self.theme
        self.setStyleSheet(
            f"QListWidget {{ font-size: {theme.title}px; }} QListWidget::item {{ padding: 6px 8px; }}"
            + f"QListWidget::item:selected {{ background: {theme.accent}; color: {theme.window}; }}"
        )

    def _add(self, lesson: Lesson) -> None:
        self.lessons.append(lesson)
        item = QListWidgetItem(lesson.title)
        item.setSizeHint(QSize(0, 36))
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, plain(lesson.summary))
        self.list.addItem(item)

    def _tell(self, row: int) -> None:
        if 0 <= row < len(self.lessons):
            lesson = self.lessons[row]
            size = tr("{count} steps, {minutes} minutes", count=len(lesson.steps), minutes=lesson.minutes)
            self._about.setText(
                f"{plain(lesson.summary)}\n{size}" + (f"\n{lesson.source}" if lesson.source else "")
            )

    def _ask(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a lesson"), "", tr("Lessons (*.md)"))
        if path:
            self.take(path)
