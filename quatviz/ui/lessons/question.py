"""A question of a lesson with its answers, what a room voted for, and what is right."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QLineEdit, QSizePolicy, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import refusal_text
from quatviz.base.markdown import plain
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT, type_size
from quatviz.teaching.lessons import Check, Question
from quatviz.teaching.lessons.check_text import filled, unit_of
from quatviz.teaching.lessons.presentation import (
    MOST_ROUNDS,
    Page,
    Rounds,
    judged,
    said_of,
    share_of,
    votes_typed,
)
from quatviz.ui.widgets.controls import Entry, QuietButton, column, held, label, row
from quatviz.ui.widgets.richtext import Words
from quatviz.ui.widgets.style import Painted, tabular, theme_of, tint


class Choice(Painted, QAbstractButton):
    """One answer with its letter, and the votes for it. What is right is told by a mark and in words, not by colour alone."""

    def __init__(self, letter: str, text: str) -> None:
        super().__init__()
        self.letter = letter
        self.said = plain(f"**{text}**")  # or a number at its start would be one of a list
        """Its words, with formulae in letters."""
        self._mark, self._said, self.votes = label(wraps=False), label("", self.said), Entry()
        self._told = label(wraps=False)
        self._shares: list[int] = []
        self._edge = UNIT
        for part in (self._mark, self._said, self._told):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.votes.setAccessibleName(tr("Votes for {letter}: {text}", letter=letter, text=self.said))
        self.votes.hide()
        self._told.hide()
        self._row = row(self._mark, (self._said, 1), self._told, self.votes, margins=UNIT)
        self.setLayout(self._row)
        self.setText(text)
        # A button of Qt is never narrower than its words in one line.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.judge(None)
        self.toggled.connect(lambda _: self.judge(self.verdict))

    def set_size(self, size: int, close: bool) -> None:
        """In type of `size` pixels, with less room around it where answers stand `close`."""
        self._edge = UNIT // 2 if close else UNIT
        self._pad()
        self._mark.setFont(tabular(self.theme, size, QFont.Weight.DemiBold))
        self._mark.setFixedWidth(round(2.2 * size) - UNIT)
        for part in (self._said, self._told, self.votes):
            part.setFont(tabular(self.theme, size))
        self.votes.setStyleSheet(f"font-size: {size}px;")
        self.votes.setFixedWidth(round(3.2 * size))

    def judge(self, verdict: bool | None) -> None:
        """Show whether it is right, or hide that."""
        self.verdict = verdict
        said = "" if verdict is None else tr(", right") if verdict else tr(", wrong")
        votes = tr(", {votes} votes", votes=self._told.text()) if self._shares else ""
        self.setAccessibleName(f"{self.letter}: {self.said}{said}{votes}")
        wrong = verdict is False
        self._mark.setText("✓" if verdict else "✗" if wrong and self.isChecked() else self.letter)
        for part in (self._mark, self._said):
            part.setForegroundRole(
                QPalette.ColorRole.PlaceholderText if wrong else QPalette.ColorRole.WindowText
            )
        self.update()

    def show_votes(self, rounds: Rounds, answer: int, counting: bool) -> None:
        """A bar for each round, with its number; the last one is a field where votes are counted now."""
        self._shares = [share_of(one, answer) for one in rounds]
        self._told.setText(" → ".join(str(one[answer]) for one in rounds))
        self._told.setVisible(bool(rounds) and not counting)
        self.votes.setVisible(counting)
        # The field is higher than a line: letter and words stand in the middle of it.
        level = Qt.AlignmentFlag.AlignVCenter if counting else Qt.AlignmentFlag.AlignTop
        self._mark.setAlignment(Qt.AlignmentFlag.AlignHCenter | level)
        if counting and not self.votes.isModified():
            self.votes.show_text(str(rounds[-1][answer] or ""))
        self._pad()
        self.judge(self.verdict)

    def _pad(self) -> None:
        self._row.setContentsMargins(UNIT, self._edge, UNIT, self._edge + len(self._shares) * _BAR)

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        # An answer that is wrong must not look like the right one.
        marked = self.verdict is True or (self.isChecked() and self.verdict is None)
        strong = marked or self.hasFocus()
        edge = theme.accent if strong else theme.muted if self.isChecked() else theme.line
        ground = tint(theme.accent, theme.surface, 0.22) if marked else QColor(theme.raised)
        painter.setPen(QPen(QColor(edge), 2.0 if strong or self.isChecked() else 1.0))
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        room = QRectF(self.rect()).adjusted(self._said.x(), 0, -1.5 * UNIT, 0)
        for at, share in enumerate(reversed(self._shares)):
            line = QRectF(room.left(), room.bottom() - UNIT - at * _BAR, room.width(), _BAR - 3)
            painter.setBrush(tint(theme.muted, ground.name(), 0.25))
            painter.drawRect(line)
            line.setWidth(line.width() * share / 100)
            painter.setBrush(QColor(theme.muted if at else theme.accent))
            painter.drawRect(line)


def gap_of(size: int) -> int:
    """What is left free, beside the gap between parts, above words in type of so many pixels: half a line."""
    return max(0, round(0.65 * size) - UNIT)


_OF_NUMBERS = frozenset("0123456789-.,")
"""Keys with which a number begins."""
_BAR = 9
"""Of a round of votes: height of its bar with the gap above it [pixels]."""


class QuestionView(QWidget):
    """The question with its answers. It keeps what was answered until another question is shown."""

    answered = Signal()
    """A person has entered a number."""
    begun = Signal()
    """Votes are to be counted from 0 on."""
    counted = Signal(int, int)
    """For this answer so many votes."""
    entered = Signal(QWidget)
    """The field in which votes are typed now."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0
        self._question: Question | None = None
        self._check: Check | None = None
        self._rounds: Rounds = ()
        self._revealed = False
        self.ask = Words()
        self.choices: list[Choice] = []
        self._group = QButtonGroup(self)
        self.field, self._unit, self.verdict = QLineEdit(), label(wraps=False), label()
        self.field.setAccessibleName(tr("Your guess"))
        self.field.returnPressed.connect(self.answered)
        self._row = held(row(self.field, self._unit, None))
        self.count, self.again = (
            QuietButton(tr("Count votes")),
            QuietButton(tr("Vote again"), self._begin_again),
        )
        self.count.setCheckable(True)
        self.count.toggled.connect(self._open_fields)
        self.tally = label()
        self._voting = held(row((self.tally, 1), self.again, self.count, gap=2 * UNIT))
        self._column = column(self.ask, self._row, self.verdict, self._voting)
        self.setLayout(self._column)

    @property
    def answers(self) -> list[QWidget]:
        """What Tab leads to, in order."""
        asked: list[QWidget] = [*self.choices] or [self.field]
        return [*asked, *(choice.votes for choice in self.choices), self.again, self.count]

    @property
    def told(self) -> str:
        """What is right, once it is revealed."""
        if not self._revealed or self._question is None:
            return ""
        return tr("Right: {answer}", answer=self._question.answer) if self.choices else self.verdict.text()

    def keeps(self, typed: str) -> bool:
        """Whether a key is its own while the lesson has the focus: one of a number that it asks for, also when that is answered and
        takes none any more, or of votes."""
        return typed in _OF_NUMBERS and (self.field.isVisible() or self.count.isChecked())

    def type(self, typed: str) -> None:
        """Go on with the number in its field, which the keys are for now."""
        if self.field.isVisible() and not self.field.isReadOnly():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.insert(typed)

    def put(self, page: Page, checks: Mapping[str, Check], rounds: Rounds) -> None:
        """Ask what a page asks, or nothing; what is right is said where the page does."""
        question = page.question
        if self.field.hasFocus():
            self.setFocus()  # keys lead on
        self.setVisible(question is not None)
        if question is not self._question:
            self._ask(question, checks)
        self._revealed = page.answer is not None
        self._column.setContentsMargins(0, 0, 0, gap_of(self._size) if self._revealed else 0)
        for choice in self.choices:
            right = question is not None and choice.text() == question.answer
            choice.judge(right if self._revealed else None)
        self.verdict.setVisible(self._revealed and not self.choices)
        self.field.setReadOnly(self._revealed)
        self.field.setFocusPolicy(Qt.FocusPolicy.NoFocus if self._revealed else Qt.FocusPolicy.StrongFocus)
        if self._revealed and question is not None and self._check is not None:
            self.verdict.setText(judged(question, self._check, self.field.text()))
        if self._revealed:
            self.count.setChecked(False)
        self.show_votes(rounds)

    def show_votes(self, rounds: Rounds) -> None:
        """Show what was counted: while a second vote is taken, or may be, the first is not shown, for it would lead others."""
        self._rounds = rounds
        shown = rounds if self._revealed else rounds[-1:]
        counting = self.count.isChecked() and bool(rounds)
        shown = shown if counting or any(map(sum, shown)) else ()
        for place, choice in enumerate(self.choices):
            choice.show_votes(shown, place, counting)
        if self._question is not None:
            self.tally.setText(said_of(self._question, shown, self._revealed))
        self.again.setVisible(
            not self._revealed and bool(rounds) and any(rounds[-1]) and len(rounds) < MOST_ROUNDS
        )
        self.count.setVisible(not self._revealed)
        self.count.setText(tr("Done") if counting else tr("Count votes"))
        self._voting.setVisible(bool(self.choices) and not (self._revealed and not self.tally.text()))

    def set_size(self, size: int, close: bool = False) -> None:
        """In type of `size` pixels, the answers `close` to each other or not."""
        self._size = size
        self._column.setSpacing(UNIT // 2 if close else UNIT)
        self.ask.set_size(size, close)
        for choice in self.choices:
            choice.set_size(size, close)
        font = tabular(theme_of(self), size)
        parts: tuple[QWidget, ...] = (self._unit, self.verdict, self.field)
        for part in parts:
            part.setFont(font)
            part.setStyleSheet(f"font-size: {size}px;")
        self.field.setFixedWidth(8 * size)
        small = max(theme_of(self).normal, type_size(0.7 * size))
        for part in (self.tally, self.again, self.count):
            part.setStyleSheet(f"font-size: {small}px;")
        self._column.invalidate()
        self.updateGeometry()

    def _ask(self, question: Question | None, checks: Mapping[str, Check]) -> None:
        """Another question, of which nothing is answered."""
        self._question = question
        self._check = checks.get(question.answer) if question is not None and not question.choices else None
        for old in self.choices:
            self._group.removeButton(old)
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.choices = []
        self.field.clear()
        self.count.setChecked(False)
        if question is None:
            return
        self.ask.say(f"**{filled(question.ask, checks)}**")
        for place, text in enumerate(question.choices or ()):
            choice = Choice(chr(ord("A") + place), text)
            choice.votes.textEdited.connect(lambda _, place=place: self._count(place))
            choice.votes.committed.connect(lambda place=place: self._count(place))
            choice.votes.returnPressed.connect(lambda place=place: self._next_field(place))
            self._group.addButton(choice)
            self._column.insertWidget(1 + place, choice)
            choice.show()  # now, or it takes no room before the window is drawn again
            self.choices.append(choice)
        self._row.setVisible(not self.choices)
        self._unit.setText(unit_of(self._check) if self._check is not None else "")
        self.set_size(self._size or theme_of(self).normal)

    def _open_fields(self, on: bool) -> None:
        if on and not self._rounds:
            self.begun.emit()
        self.show_votes(self._rounds)
        if on and self.choices:
            self._enter(0)
        elif not on:
            self.setFocus()

    def _begin_again(self) -> None:
        self.begun.emit()
        self.count.setChecked(True)
        self.show_votes(self._rounds)
        self._enter(0)

    def _enter(self, place: int) -> None:
        field = self.choices[place].votes
        field.setFocus()
        field.selectAll()
        self.entered.emit(field)

    def _next_field(self, place: int) -> None:
        """Enter leads through the fields, and behind the last one to the button that is done with them."""
        if self._count(place):
            self._enter(place + 1) if place + 1 < len(self.choices) else self.count.setFocus()

    def _count(self, place: int) -> bool:
        """Whether what stands in a field are votes; what does not is refused there."""
        try:
            votes = votes_typed(self.choices[place].votes.text())
        except InputError as refusal:
            self.counted.emit(place, 0)  # not what stood there while it was typed
            self.tally.setText(refusal_text(refusal))
            return False
        self.show_votes(self._rounds)  # no refusal any more
        self.counted.emit(place, votes)
        return True
