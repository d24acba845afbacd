"""Dialogs for documents made from lessons: worksheet, quiz, preparation of a class, and joining two lessons."""

import re
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError
from quatviz.base.markdown import format_markdown_table
from quatviz.base.translation import tr
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.merging import write_merged
from quatviz.teaching.lessons.parsing import UnreadableLesson
from quatviz.teaching.lessons.preparation import prepare_in_subprocess, write_sheet_in_subprocess
from quatviz.teaching.lessons.sheet import existing_sheet_files
from quatviz.teaching.lessons.user_lessons import lesson_key, list_lessons, recent_lesson_files
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.tools.export.dialog import ExportDialog, open_path
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.file_dialogs import ask_open_path, suggested_name
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, make_form_layout
from quatviz.ui.widgets.richtext import RichTextLabel
from quatviz.ui.widgets.scrolling import make_scroll_area
from quatviz.ui.widgets.windows import move_inside

_SHEET_TEXT = (
    "Text and questions of every step, with room for answers, the body and its curves, as PDF (A4) and Markdown. A copy for "
    "teachers has the answers. The first time, compiling takes a minute."
)
_QUIZ_TEXT = (
    "The questions of a lesson for a learning platform, with measured answers and their tolerances. "
    "The first time, compiling takes a minute."
)
_PREPARE_TEXT = (
    "Compiles and runs all steps of the lesson, measures every number that it states, and checks its files. Do this on the day "
    "before, on the machine used in the lecture, so that nobody has to wait."
)
_TITLE_LETTERS = 32
"""Width of a box with titles of lessons [characters]."""
_JOIN_TEXT = "Writes a lesson file with the steps of the first lesson, followed by those of the second."


class LessonDialog(ExportDialog):
    """Base class of dialogs in which the user chooses a lesson from a list or a file. Initially, the presented lesson is
    selected."""

    def __init__(self, exporter: Exporter, parent: QWidget, title: str, button_text: str) -> None:
        super().__init__(exporter, parent, title, button_text)
        self._titles: dict[str, str] = {}
        self._last_choices: dict[ChoiceBox, object] = {}
        """For each box with lessons, the last choice that was not "Open a file…"."""
        self.lesson = self._make_lesson_box()

    def offer(self, panel: str) -> None:
        if self.job is not None:
            return
        super().offer(panel)
        chosen = str(self.lesson.value) if self._titles else ""
        presented = self.exporter.lesson()
        self._update_lessons()
        if presented is not None and presented.path is not None:
            chosen = lesson_key(presented)
        if chosen in self._titles:
            self.lesson.show_value(chosen)

    def _make_lesson_box(self) -> ChoiceBox:
        """Return a choice box that lists all lessons, followed by "Open a file…"."""
        box = ChoiceBox({}, min_characters=_TITLE_LETTERS)
        self._last_choices[box] = None
        box.currentIndexChanged.connect(
            lambda _: self._last_choices.update({box: box.value or self._last_choices[box]})
        )
        box.chosen.connect(lambda name: None if name else self._ask_file(box))
        return box

    def _update_lessons(self) -> None:
        """Fill the choice boxes with all lessons, by number and title, and keep the selected ones."""
        lessons = {lesson_key(lesson): lesson for lesson in list_lessons()}
        numbered_titles = {
            name: f"{lesson.title}  ({number})" for number, (name, lesson) in enumerate(lessons.items(), 1)
        }
        refused = {
            name: lesson.description
            for name, lesson in lessons.items()
            if isinstance(lesson, UnreadableLesson)
        }
        self._titles = {name: lesson.title for name, lesson in lessons.items() if name not in refused}
        for box in self._last_choices:
            box.set_choices({**numbered_titles, "": tr("Open a file…")}, refused)

    def _ask_file(self, box: ChoiceBox) -> None:
        """Ask for a lesson file, add it to the list of lessons, and choose it."""
        path = ask_open_path(self, tr("Open a lesson"), "lesson", tr("Lessons (*.md)"))
        box.show_value(self._last_choices[box])

        def open_lesson() -> None:
            self.problem.hide()
            assert path is not None
            lesson = read_lesson(path)
            recent_lesson_files().add(path)
            self._update_lessons()
            box.show_value(lesson_key(lesson))

        if path is not None:
            self.attempt(open_lesson)


class SheetDialog(LessonDialog):
    """Dialog that writes a worksheet for students and offers to open it."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Worksheet"), tr("Write…"))
        self._sheet = Path()
        tooltip = tr("Open the worksheet in its default program")
        self.open_sheet_button = Button(tr("Open"), lambda: open_path(self._sheet), tooltip)
        self.open_sheet_button.hide()
        self.lay_out(
            label("", tr(_SHEET_TEXT)),
            make_form_layout({tr("Lesson"): self.lesson}),
            extras=(self.open_sheet_button,),
        )

    def choose_path(self) -> Path | None:
        return self.ask_folder(tr("Folder for the worksheet"))

    def files_to_replace(self, path: Path) -> list[Path]:
        return existing_sheet_files(path, Path(str(self.lesson.value)).stem)

    def write(self, path: Path) -> None:
        """Write the worksheet of the chosen lesson into a folder."""
        name = str(self.lesson.value)
        self.open_sheet_button.hide()

        def describe_result(count: object) -> str:
            self._sheet = path / f"{Path(name).stem}.pdf"
            self.open_sheet_button.show()
            return tr("{count} files written to {folder}", count=count, folder=path)

        self.start_job(lambda progress: write_sheet_in_subprocess(name, path, progress), describe_result)


class QuizDialog(LessonDialog):
    """Dialog that writes the questions of a lesson for a learning platform."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Write a quiz for a learning platform"), tr("Write…"))
        self.format_box = ChoiceBox({".xml": tr("Moodle XML"), ".gift": tr("GIFT")})
        self.lay_out(
            label("", tr(_QUIZ_TEXT)),
            make_form_layout({tr("Lesson"): self.lesson, tr("Format"): self.format_box}),
        )

    def choose_path(self) -> Path | None:
        name = suggested_name(self._titles[str(self.lesson.value)], tr("quiz"))
        return self.ask_file(name, str(self.format_box.value), tr("Quizzes"))

    def write(self, path: Path) -> None:
        """Write the questions of the chosen lesson, by running `quatviz lessons --questions`."""
        command = ["lessons", "--questions", str(self.lesson.value), "-o", str(path)]
        self.start_job(
            lambda progress: run_command(command, path, "the questions of a lesson", progress)[-1],
            lambda result: tr("{count} questions written to {path}", count=str(result).split()[0], path=path),
        )


class PrepareDialog(LessonDialog):
    """Dialog that prepares a class and reports what is ready and what remains to be done."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Pre-compute a lesson"), tr("Prepare"))
        self.report = RichTextLabel()
        self.report.set_markdown("")
        self._report_lines: list[str] = []
        self._area = make_scroll_area(column(self.report, None))
        available_height = self.screen().availableGeometry().height() - _OTHER_HEIGHT
        self._area.setMinimumHeight(max(min(_REPORT_HEIGHT, available_height), _MIN_REPORT_HEIGHT))
        self._area.hide()
        self._rate_timer = QTimer(self, singleShot=True, interval=1000)
        self._rate_timer.timeout.connect(self._report_frame_rate)
        self._frames_before: int | None = None
        self.lesson.chosen.connect(lambda _: self._area.hide())
        self.lay_out(
            label("", tr(_PREPARE_TEXT)),
            make_form_layout({tr("Lesson"): self.lesson}),
            self._area,
            width=_REPORT_WIDTH,
        )

    def export(self) -> None:
        name = str(self.lesson.value)
        self._area.hide()
        self.start_job(lambda progress: prepare_in_subprocess(name, progress), self._summarize)

    def _summarize(self, results: object) -> str:
        size, ratio = self.screen().size(), self.screen().devicePixelRatio()
        width, height = round(size.width() * ratio), round(size.height() * ratio)
        display_text = tr(
            "{width} × {height} pixels, scale {scale} %", width=width, height=height, scale=round(100 * ratio)
        )
        self._report_lines = [
            *(results if isinstance(results, list) else ()),
            f"ok {tr('Display')}: {display_text}",
            self._drawing_line(),
        ]
        self._frames_before = self.exporter.frame_count
        self._rate_timer.start()
        self._show_report()
        open_count = sum(not line.startswith("ok ") for line in self._report_lines)
        return (
            tr("The lesson is ready.")
            if not open_count
            else tr("To do before the lecture: {count}", count=open_count)
        )

    def _drawing_line(self) -> str:
        """Return the line of the report that names the graphics driver."""
        try:
            info = check_gl()
        except InputError as refusal:
            return f"-- {tr('Drawing')}: {tr(refusal.found)}; {tr(refusal.remedy)}"
        renderer_text = (
            tr("software rendering on the CPU (slower)")
            if info.is_software
            else tr("rendered by the graphics card")
        )
        return f"ok {tr('Drawing')}: {renderer_text}"

    def _report_frame_rate(self) -> None:
        """Report the frames per second, if the run was playing. This comes after all other checks, when
        nothing else is being computed."""
        before, now = self._frames_before, self.exporter.frame_count
        rate_text = tr("frame rate not measured (play the run while the lesson is being prepared)")
        if before is not None and now is not None:
            rate_text = tr("{count} frames per second while it plays", count=now - before)
        self._report_lines[-1] += f", {rate_text}"
        self._show_report()

    def _show_report(self) -> None:
        rows = []
        for line in self._report_lines:
            subject, _, detail = _to_markdown(line).partition(": ")
            rows.append(["✓" if line.startswith("ok ") else "**✗**", f"**{subject}**", detail])
        self.report.set_markdown(format_markdown_table(("", "", ""), rows))
        self._area.show()
        QTimer.singleShot(0, self, self._move_into_screen)  # after the layout has run

    def _move_into_screen(self) -> None:
        """Move the dialog after it has grown, so that its buttons stay on the screen."""
        self.move(move_inside(self.frameGeometry(), self.screen().availableGeometry()).topLeft())


_REPORT_HEIGHT, _REPORT_WIDTH = 340, 560
"""Height and width of the report on what is ready for a class [pixels]."""
_OTHER_HEIGHT, _MIN_REPORT_HEIGHT = 330, 80
"""Height of everything in the dialog but the report, and minimum height of the report on a small screen [pixels]."""


class JoinDialog(LessonDialog):
    """Dialog that writes two lessons, one after the other, to a file."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Join two lessons"), tr("Write…"))
        self.second_lesson = self._make_lesson_box()
        self.lay_out(
            label("", tr(_JOIN_TEXT)),
            make_form_layout({tr("First lesson"): self.lesson, tr("Second lesson"): self.second_lesson}),
        )

    def offer(self, panel: str) -> None:
        super().offer(panel)
        names = list(self._titles)
        if names and self.second_lesson.value == self.lesson.value:  # a lesson is not joined to itself
            self.second_lesson.show_value(names[(names.index(str(self.lesson.value)) + 1) % len(names)])

    def choose_path(self) -> Path | None:
        if self.second_lesson.value == self.lesson.value:
            raise InputError(
                "the lessons to join", expected="two lessons", found="the same lesson twice",
                remedy="choose another lesson", topic="errors#exports",
            )  # fmt: skip
        return self.ask_file("class", ".md", tr("Lessons"))

    def write(self, path: Path) -> None:
        """Write the joined lesson to this file."""
        names = [str(box.value) for box in self._last_choices]

        def describe_result(count: object) -> str:
            recent_lesson_files().add(path)
            return tr(
                "{path} written, with {count} steps. It is listed with the other lessons",
                path=path,
                count=count,
            )

        self.start_job(
            lambda _: len(write_merged([read_lesson(name) for name in names], path).steps), describe_result
        )


def _to_markdown(line: str) -> str:
    """Return a line of the report as Markdown, without the mark at its beginning."""
    return re.sub(r"([\\*_`$\[<&])", r"\\\1", re.sub(r"^(ok|TO DO|--)\s+", "", line))
