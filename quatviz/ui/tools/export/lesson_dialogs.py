"""What is made of a lesson beside the window: a student's sheet, a quiz, the class prepared the day before, two lessons joined."""

import re
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError
from quatviz.base.markdown import table
from quatviz.base.translation import told, tr
from quatviz.teaching.lessons import Lesson, read_lesson
from quatviz.teaching.lessons.merging import write_joined
from quatviz.teaching.lessons.parsing import Unread
from quatviz.teaching.lessons.preparation import prepare_apart, write_sheet_apart
from quatviz.teaching.lessons.user_lessons import is_own, listed, own_files
from quatviz.ui.scene.gl_context import check_gl
from quatviz.ui.tools.export.dialog import ExportDialog, open_path
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.controls import Button, ChoiceBox, column, form_of, label, scrolling, within
from quatviz.ui.widgets.richtext import Words

_SHEET = (
    "The words of every step, its questions with room for answers, the body and its curves; a copy for teachers has the answers: "
    "as PDF (A4) and as Markdown. The first time, compiling takes a minute."
)
_QUIZ = (
    "The questions of a lesson for a learning platform, with the answers as measured now and how near an answer has to be. "
    "The first time, compiling takes a minute."
)
_PREPARE = (
    "Compiles what the lesson runs, runs all of it, measures every number that it states, and looks for its files, on the machine "
    "that it will be given on: the day before, so that nobody waits in the lecture."
)
_JOIN = "Writes a file with the steps of both, one lesson after the other, to be presented like any other."


class LessonDialog(ExportDialog):
    """Of which lesson: one of those in all lists, the one that is presented being chosen, or a file."""

    def __init__(self, exporter: Exporter, parent: QWidget, title: str, do: str) -> None:
        super().__init__(exporter, parent, title, do)
        self._titles: dict[str, str] = {}
        self._last: dict[ChoiceBox, object] = {}
        """The boxes with lessons, and what was chosen in each before a file."""
        self.lesson = self._box()

    def offer(self, panel: str) -> None:
        if self.job is not None:
            return
        super().offer(panel)
        chosen = str(self.lesson.value) if self._titles else ""
        presented = self.exporter.lesson()
        self._list()
        if presented is not None and presented.path is not None:
            chosen = _named(presented)
        if chosen in self._titles:
            self.lesson.show_value(chosen)

    def _box(self) -> ChoiceBox:
        """One of the boxes with all lessons."""
        box = ChoiceBox({})
        self._last[box] = None
        box.currentIndexChanged.connect(lambda _: self._last.update({box: box.value or self._last[box]}))
        box.chosen.connect(lambda name: None if name else self._ask_file(box))
        return box

    def _list(self) -> None:
        """All lessons by title, which a person types, with their numbers in all lists; what is chosen stays."""
        every = {_named(one): one for one in listed()}
        titles = {name: f"{one.title}  ({number})" for number, (name, one) in enumerate(every.items(), 1)}
        refused = {name: one.about for name, one in every.items() if isinstance(one, Unread)}
        self._titles = {name: title for name, title in titles.items() if name not in refused}
        for box in self._last:
            box.offer({**titles, "": tr("Open a file…")}, refused)

    def _ask_file(self, box: ChoiceBox) -> None:
        """Have a lesson of one's own in all lists that was never presented, and choose it."""
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a lesson"), "", tr("Lessons (*.md)"))
        box.show_value(self._last[box])

        def take() -> None:
            self.problem.hide()
            lesson = read_lesson(path)
            own_files().add(Path(path))
            self._list()
            box.show_value(_named(lesson))

        if path:
            self.attempt(take)


class SheetDialog(LessonDialog):
    """Writes a student's sheet, and offers to open it."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("A student's sheet"), tr("Write…"))
        self._sheet = Path()
        said = tr("Open the sheet in the program that this desktop has for it")
        self.open_sheet = Button(tr("Open"), lambda: open_path(self._sheet), said)
        self.open_sheet.hide()
        self.lay_out(label("", tr(_SHEET)), form_of({tr("Lesson"): self.lesson}), extras=(self.open_sheet,))

    def place(self) -> Path | None:
        return self.ask_folder(tr("Folder for the sheet"))

    def write(self, path: Path) -> None:
        """Write the sheet of the lesson that is chosen into a folder."""
        name = str(self.lesson.value)
        self.open_sheet.hide()

        def done(count: object) -> str:
            self._sheet = path / f"{Path(name).stem}.pdf"
            self.open_sheet.show()
            return tr("{count} files written to {folder}", count=count, folder=path)

        self.begin(lambda progress: write_sheet_apart(name, path, progress), done)


class QuizDialog(LessonDialog):
    """Writes the questions of a lesson for a learning platform."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("A quiz for a learning platform"), tr("Write…"))
        self.form = ChoiceBox({".xml": tr("Moodle XML"), ".gift": tr("GIFT")})
        self.lay_out(label("", tr(_QUIZ)), form_of({tr("Lesson"): self.lesson, tr("Format"): self.form}))

    def place(self) -> Path | None:
        return self.ask(f"{Path(str(self.lesson.value)).stem}-questions", str(self.form.value), tr("Quizzes"))

    def write(self, path: Path) -> None:
        """Run `quatviz lessons --questions` for the lesson that is chosen."""
        command = ["lessons", "--questions", str(self.lesson.value), "-o", str(path)]
        self.begin(
            lambda progress: run_command(command, path, "the questions of a lesson", progress)[-1],
            lambda said: tr("{count} questions written to {path}", count=str(said).split()[0], path=path),
        )


class PrepareDialog(LessonDialog):
    """Prepares a class, and says what was seen to and what is to do."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Prepare a class"), tr("Prepare"))
        self.report = Words()
        self.report.say("")
        self._lines: list[str] = []
        self._area = scrolling(column(self.report, None))
        room = self.screen().availableGeometry().height() - _AROUND
        self._area.setMinimumHeight(max(min(_REPORT, room), _LEAST))
        self._area.hide()
        self._second = QTimer(self, singleShot=True, interval=1000)
        self._second.timeout.connect(self._tell_speed)
        self._frames: int | None = None
        self.lesson.chosen.connect(lambda _: self._area.hide())
        self.lay_out(
            label("", tr(_PREPARE)), form_of({tr("Lesson"): self.lesson}), self._area, width=_REPORT_WIDE
        )

    def export(self) -> None:
        name = str(self.lesson.value)
        self._area.hide()
        self.begin(lambda progress: prepare_apart(name, progress), self._tell)

    def _tell(self, found: object) -> str:
        size, ratio = self.screen().size(), self.screen().devicePixelRatio()
        wide, high = round(size.width() * ratio), round(size.height() * ratio)
        said = tr("{wide} × {high} pixels, at {share} %", wide=wide, high=high, share=round(100 * ratio))
        self._lines = [
            *(found if isinstance(found, list) else ()),
            f"ok {tr('Display')}: {said}",
            self._drawing(),
        ]
        self._frames = self.exporter.frames
        self._second.start()
        self._show()
        to_do = sum(not line.startswith("ok ") for line in self._lines)
        return tr("Ready.") if not to_do else tr("To do before the lecture: {count}", count=to_do)

    def _drawing(self) -> str:
        """By what."""
        try:
            info = check_gl()
        except InputError as refusal:
            return f"-- {tr('Drawing')}: {told(refusal.found)}; {told(refusal.remedy)}"
        by = tr("the processor draws") if info.software else tr("the graphics card draws")
        return f"ok {tr('Drawing')}: {by}"

    def _tell_speed(self) -> None:
        """How many pictures this second had, if the run played all the time: nothing is computed beside it any more."""
        before, now = self._frames, self.exporter.frames
        said = tr("its pictures are counted where the run plays meanwhile")
        if before is not None and now is not None:
            said = tr("{count} pictures a second while it plays", count=now - before)
        self._lines[-1] += f", {said}"
        self._show()

    def _show(self) -> None:
        rows = []
        for line in self._lines:
            what, _, said = _said(line).partition(": ")
            rows.append(["✓" if line.startswith("ok ") else "**✗**", f"**{what}**", said])
        self.report.say(table(("", "", ""), rows))
        self._area.show()
        QTimer.singleShot(0, self, self._stay_in_sight)  # when it is laid out

    def _stay_in_sight(self) -> None:
        """It has grown downwards, where on a small screen its buttons would be beyond the edge."""
        self.move(within(self.frameGeometry(), self.screen().availableGeometry()).topLeft())


_REPORT, _REPORT_WIDE = 340, 560
"""Height and width of what is told [pixels]."""
_AROUND, _LEAST = 330, 80
"""What stands above and below it, and how high it is on however small a screen [pixels]."""


class JoinDialog(LessonDialog):
    """Two lessons, one after the other, as a file."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Join two lessons"), tr("Write…"))
        self.then = self._box()
        self.lay_out(label("", tr(_JOIN)), form_of({tr("First"): self.lesson, tr("Then"): self.then}))

    def offer(self, panel: str) -> None:
        super().offer(panel)
        names = list(self._titles)
        if names and self.then.value == self.lesson.value:  # a lesson after itself is no class
            self.then.show_value(names[(names.index(str(self.lesson.value)) + 1) % len(names)])

    def place(self) -> Path | None:
        if self.then.value == self.lesson.value:
            raise InputError(
                "the lessons to join", expected="two lessons", found="the same one twice",
                remedy="choose another for one of them", topic="errors#exports",
            )  # fmt: skip
        return self.ask("class", ".md", tr("Lessons"))

    def write(self, path: Path) -> None:
        """Write both into this file."""
        names = [str(box.value) for box in self._last]

        def done(count: object) -> str:
            own_files().add(path)
            return tr("{path} written, with {count} steps; it stands in all lists", path=path, count=count)

        self.begin(lambda _: len(write_joined([read_lesson(name) for name in names], path).steps), done)


def _named(lesson: Lesson | Unread) -> str:
    """As a command takes it."""
    assert lesson.path is not None
    return str(lesson.path) if is_own(lesson) else lesson.path.stem


def _said(line: str) -> str:
    """Without the mark, as Markdown that says the same."""
    return re.sub(r"([\\*_`$\[<&])", r"\\\1", re.sub(r"^(ok|TO DO|--)\s+", "", line))
