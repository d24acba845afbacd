"""A question to the audience: choices with letters, or a field for a number; and which answer is right, once that is shown."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from quatviz.base.tr import told, tr
from quatviz.lessons import Check, Question
from quatviz.lessons.stating import stated, unit_of
from quatviz.look.theme import UNIT
from quatviz.ui.kit.fields import number
from quatviz.ui.kit.richtext import Words
from quatviz.ui.kit.style import Themed, tabular, theme_of, tint
from quatviz.ui.kit.widgets import column, held, label, row


class Choice(Themed, QAbstractButton):
    """One answer with its letter. What is right is told by a mark and in words, not by colour alone."""

    def __init__(self, letter: str, text: str) -> None:
        super().__init__()
        self._size, self.letter = self.theme.normal, letter
        self.verdict: bool | None = None
        """Whether it is right; None while that is hidden."""
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(f"{letter}: {text}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_size(self, size: int) -> None:
        """In type of `size` pixels."""
        self._size = size
        self.setFont(tabular(self.theme, size))
        self.updateGeometry()

    def judge(self, verdict: bool | None) -> None:
        """Show whether it is right, or hide that."""
        self.verdict = verdict
        said = "" if verdict is None else tr(", right") if verdict else tr(", wrong")
        self.setAccessibleName(f"{self.letter}: {self.text()}{said}")
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        room = QFontMetrics(tabular(self.theme, self._size)).boundingRect(
            0,
            0,
            max(width - self._indent - 2 * UNIT, 40),
            10_000,
            Qt.TextFlag.TextWordWrap.value,
            self.text(),
        )
        return room.height() + 2 * UNIT

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    @property
    def _indent(self) -> int:
        return round(2.2 * self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right, wrong = self.verdict is True, self.verdict is False
        marked = right or (
            self.isChecked() and not wrong
        )  # an answer that is wrong must not look like the right one
        ground = tint(theme.accent, theme.surface, 0.22) if marked else QColor(theme.raised)
        strong = marked or self.hasFocus()
        edge = theme.accent if strong else theme.muted if self.isChecked() else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if strong or self.isChecked() else 1.0))
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        ink = QColor(theme.muted if wrong else theme.text)
        painter.setPen(ink)
        painter.setFont(tabular(theme, self._size, self.font().Weight.DemiBold))
        mark = "✓" if right else "✗" if wrong and self.isChecked() else self.letter
        left = QRectF(UNIT, UNIT, self._indent - UNIT, self.height() - 2 * UNIT)
        painter.drawText(left, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, mark)
        painter.setFont(tabular(theme, self._size))
        room = QRectF(
            self._indent + UNIT, UNIT, self.width() - self._indent - 2 * UNIT, self.height() - 2 * UNIT
        )
        painter.drawText(room, Qt.TextFlag.TextWordWrap.value, self.text())
        painter.end()


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
