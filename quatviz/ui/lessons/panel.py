"""The left side of the window while a lesson is presented: the words, the question, the way on and back."""

from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QLineEdit, QPushButton, QSizePolicy, QWidget

from quatviz.base.tr import told, tr
from quatviz.base.words import number
from quatviz.lessons import Check, Lesson, Question
from quatviz.lessons.stating import filled, stated, unit_of
from quatviz.look.theme import UNIT
from quatviz.ui.kit.acts import Acts
from quatviz.ui.kit.richtext import Words
from quatviz.ui.kit.style import Painted, Themed, tabular, theme_of, tint
from quatviz.ui.kit.widgets import ElidedLabel, QuietButton, column, held, label, row, scrolling


class Choice(Painted, QAbstractButton):
    """One answer with its letter. What is right is told by a mark and in words, not by colour alone."""

    def __init__(self, letter: str, text: str) -> None:
        super().__init__()
        self.letter = letter
        self._mark, self._said = label(wraps=False), label("", text)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        for part in (self._mark, self._said):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setLayout(row(self._mark, (self._said, 1), margins=UNIT))
        self.setText(text)
        # A button of Qt is never narrower than its words in one line.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.judge(None)
        self.toggled.connect(lambda _: self.judge(self.verdict))

    def set_size(self, size: int) -> None:
        """In type of `size` pixels."""
        self._mark.setFont(tabular(self.theme, size, QFont.Weight.DemiBold))
        self._mark.setFixedWidth(round(2.2 * size) - UNIT)
        self._said.setFont(tabular(self.theme, size))

    def judge(self, verdict: bool | None) -> None:
        """Show whether it is right, or hide that."""
        self.verdict = verdict
        said = "" if verdict is None else tr(", right") if verdict else tr(", wrong")
        self.setAccessibleName(f"{self.letter}: {self.text()}{said}")
        wrong = verdict is False
        self._mark.setText("✓" if verdict else "✗" if wrong and self.isChecked() else self.letter)
        for part in (self._mark, self._said):
            part.setForegroundRole(
                QPalette.ColorRole.PlaceholderText if wrong else QPalette.ColorRole.WindowText
            )
        self.update()

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        # An answer that is wrong must not look like the right one.
        marked = self.verdict is True or (self.isChecked() and self.verdict is None)
        strong = marked or self.hasFocus()
        edge = theme.accent if strong else theme.muted if self.isChecked() else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if strong or self.isChecked() else 1.0))
        painter.setBrush(tint(theme.accent, theme.surface, 0.22) if marked else QColor(theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)


class QuestionView(QWidget):
    """The question with its answers. It keeps what was answered until another question is shown."""

    answered = Signal()
    """A person has entered a number."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0
        self._question: Question | None = None
        self._check: Check | None = None
        self.ask = Words()
        self.choices: list[Choice] = []
        self._group = QButtonGroup(self)
        self.field, self._unit, self.verdict = QLineEdit(), label(wraps=False), label()
        self.field.setAccessibleName(tr("Your guess"))
        self.field.returnPressed.connect(self.answered)
        self._row = held(row(self.field, self._unit, None))
        self._column = column(self.ask, self._row, self.verdict)
        self.setLayout(self._column)

    def put(self, question: Question | None, check: Check | None, ask: str) -> None:
        """Ask this; `check` is what a number is compared with."""
        self.setVisible(question is not None)
        if question is self._question:
            return
        self._question, self._check = question, check
        for old in self.choices:
            self._group.removeButton(old)
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.choices = []
        self.field.clear()
        if question is None:
            return
        self.ask.say(f"**{ask}**")
        for place, text in enumerate(question.choices or ()):
            choice = Choice(chr(ord("A") + place), text)
            self._group.addButton(choice)
            self._column.insertWidget(1 + place, choice)
            self.choices.append(choice)
        self._row.setVisible(not self.choices)
        self._unit.setText(unit_of(check) if check is not None else "")
        self.set_size(self._size or theme_of(self).normal)

    def show_answer(self, on: bool) -> None:
        """Say what is right, or hide it."""
        question, check = self._question, self._check
        for choice in self.choices:
            choice.judge(choice.text() == question.answer if on and question is not None else None)
        self.verdict.setVisible(on and not self.choices)
        self.field.setReadOnly(on)
        if on and check is not None and question is not None and not self.choices:
            self.verdict.setText(self._said(question, check))

    def set_size(self, size: int) -> None:
        """In type of `size` pixels."""
        self._size = size
        self.ask.set_size(size)
        for choice in self.choices:
            choice.set_size(size)
        font = tabular(theme_of(self), size)
        for part in (self._unit, self.verdict, self.field):
            part.setFont(font)
            part.setStyleSheet(f"font-size: {size}px;")
        self.field.setFixedWidth(8 * size)
        self._column.invalidate()
        self.updateGeometry()

    def _said(self, question: Question, check: Check) -> str:
        right = told(stated(check))
        guess = number(self.field.text().strip().replace(",", "."))
        if guess is None or check.number is None:
            return tr("It is {right}.", right=right)
        near = abs(guess - check.number) <= question.near * abs(check.number)
        return tr("Right: it is {right}.", right=right) if near else tr("It is {right}.", right=right)


_LINES = 42
"""Lines of type in the height of the window, which decide its size: 26 pixels in 1080, which is large enough for a room."""


class LessonPanel(Themed, QWidget):
    """Shows one place of a lesson. The arrow keys go on and back while it has the focus."""

    def __init__(self, acts: Acts[Any]) -> None:
        """`acts` are those of the window, which its buttons do."""
        super().__init__()
        self._acts = acts
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Lesson"))
        self._place, self.title = ElidedLabel(), label()
        self._place.setObjectName("muted")
        self.words, self.answer = Words(), Words()
        self.question = QuestionView()
        self.question.answered.connect(acts["lesson_next"].trigger)
        self.again = QuietButton(tr("Show this step again"))
        said = tr("The run was edited. The figures below were measured before that, and may not hold.")
        self._edited = held(column(label("", said), row(self.again, None), gap=0))
        self._edited.hide()
        self.back, self.next = QPushButton(tr("Back")), QPushButton(tr("Next"))
        self.next.setObjectName("primary")
        self.timer, self.pointer, self.leave = (
            QuietButton(text) for text in ("0:00", tr("Pointer"), tr("Leave"))
        )
        self.timer.setToolTip(tr("Time since the lesson began; press to begin anew"))
        self.pointer.setCheckable(True)
        for button, act, said in (
            (self.back, "lesson_back", tr("Back")),
            (self.next, "lesson_next", tr("Next")),
            (self.leave, "lesson_leave", tr("Leave the lesson; the window is as it was before")),
            (self.pointer, "lesson_pointer", tr("A large spot in place of the mouse's arrow")),
        ):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(acts.tip(act, said))
            button.clicked.connect(acts[act].trigger)
        self._lay_out()
        self.setMinimumWidth(360)
        self.follow_theme()

    def show_place(self, lesson: Lesson, number: int, revealed: bool) -> None:
        """Show a step, with or without its answer."""
        step, checks = lesson.steps[number], lesson.checks
        folder = lesson.path.parent if lesson.path is not None else None
        self._place.setText(
            tr(
                "{number} of {count}   {title}",
                number=number + 1,
                count=len(lesson.steps),
                title=lesson.title,
            )
        )
        self.title.setText(step.title)
        self.words.say(filled(step.part.words, checks), folder)
        question = step.question
        check = checks.get(question.answer) if question is not None and question.choices is None else None
        self.question.put(question, check, filled(question.ask, checks) if question is not None else "")
        self.question.show_answer(revealed)
        answer = filled(step.answer.words, checks) if revealed and step.answer is not None else ""
        self.answer.say(answer, folder)
        self.back.setEnabled(number > 0 or revealed)
        hidden = question is not None and not revealed
        last = number + 1 == len(lesson.steps) and not hidden
        self.next.setText(tr("Answer") if hidden else tr("End") if last else tr("Next"))
        self.setAccessibleDescription(f"{step.title}. {self.words.text}")
        self._chain()
        bar = self._area.verticalScrollBar()
        bar.setValue(0)
        if revealed:
            QTimer.singleShot(0, self, self._show_answer)  # when it is laid out

    def show_edited(self, on: bool) -> None:
        """Say that another run is shown than that of the step."""
        self._edited.setVisible(on)

    def _chain(self) -> None:
        """Tab comes to the question first, then to the way on."""
        asked: list[QWidget] = [*self.question.choices] or [self.question.field]
        order = [*asked, self.again, self.next, self.back, self.leave, self.pointer, self.timer]
        for one, other in pairwise(order):
            self.setTabOrder(one, other)

    def _show_answer(self) -> None:
        """Scroll to the answer's end, but not beyond its beginning."""
        bar = self._area.verticalScrollBar()
        bottom = self.answer.geometry().bottom() + 2 * UNIT - self._area.viewport().height()
        bar.setValue(max(0, min(bottom, self.question.geometry().top())))

    def renew(self) -> None:
        """More formulae are typeset."""
        for words in (self.words, self.answer, self.question.ask):
            words.renew()

    def follow_theme(self) -> None:
        """In the type that suits the window's height."""
        theme, size = self.theme, self._size()
        self.title.setFont(tabular(theme, round(1.4 * size), QFont.Weight.DemiBold))
        self.title.setStyleSheet(f"font-size: {round(1.4 * size)}px; font-weight: 600;")
        for words in (self.words, self.answer):
            words.set_size(size)
        self.question.set_size(size)
        small = max(theme.normal, round(0.62 * size))
        self.setStyleSheet(f"QPushButton {{ font-size: {small}px; min-height: {round(1.7 * size)}px; }}")
        self._place.setStyleSheet(f"font-size: {small}px;")
        self._sized = size

    def sizeHint(self) -> QSize:
        return QSize(560, 600)

    def event(self, event: QEvent) -> bool:
        """Arrow keys belong to the lesson while it has the focus, and not to the cursor of time."""
        if isinstance(event, QKeyEvent) and event.type() in (
            QEvent.Type.ShortcutOverride,
            QEvent.Type.KeyPress,
        ):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            act = {Qt.Key.Key_Right: "lesson_next", Qt.Key.Key_Left: "lesson_back"}.get(Qt.Key(event.key()))
            if act is not None and plain and self.hasFocus():
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self._acts[act].trigger()
                return True
        if event.type() == QEvent.Type.Resize and self._size() != self._sized:
            self.follow_theme()
        return bool(super().event(event))

    def _size(self) -> int:
        window = self.window()
        return min(max(round(window.height() / _LINES), 17), 48)

    def _lay_out(self) -> None:
        parts = [self.title, self._edited, self.words, self.question, self.answer]
        spaced = [one for part in parts for one in (part, UNIT)]
        self._area = scrolling(column(*spaced, None, margins=(3 * UNIT, 2 * UNIT, 3 * UNIT, 2 * UNIT)))
        top = row((self._place, 1), self.timer, gap=2 * UNIT, margins=(3 * UNIT, 2 * UNIT, 3 * UNIT, 0))
        buttons = self.leave, self.pointer, None, self.back, self.next
        foot = row(*buttons, gap=2 * UNIT, margins=(3 * UNIT, UNIT, 3 * UNIT, 2 * UNIT))
        self.setLayout(column(top, (self._area, 1), foot, gap=0))
