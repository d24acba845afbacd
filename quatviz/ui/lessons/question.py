"""Question of a lesson with its answers, counted votes and verdict."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QLineEdit, QSizePolicy, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import format_error
from quatviz.base.markdown import to_plain_text
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT, nearest_font_size
from quatviz.teaching.lessons import LessonCheck, Question
from quatviz.teaching.lessons.check_text import fill_placeholders, unit_of
from quatviz.teaching.lessons.presentation import (
    MAX_ROUNDS,
    LessonPage,
    Rounds,
    judge_guess,
    parse_votes,
    vote_percentage,
    vote_summary,
)
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.richtext import RichTextLabel
from quatviz.ui.widgets.style import PaintedWidget, tabular_font, theme_of, tint


class AnswerButton(PaintedWidget, QAbstractButton):
    """Button of one answer with its letter and votes. A right answer is marked by a symbol and in words, not by color alone."""

    def __init__(self, mark: str, text: str) -> None:
        super().__init__()
        self.mark = mark
        self.plain_text = to_plain_text(f"**{text}**")  # otherwise Markdown reads a leading number as a list
        """Text of the answer, in which formulas are written with Unicode letters."""
        self._mark_label, self._text_label, self.votes_field = (
            label(word_wrap=False),
            label("", self.plain_text),
            LineEntry(),
        )
        self._votes_label = label(word_wrap=False)
        self._vote_shares: list[int] = []
        self._vertical_margin = GRID_UNIT
        for part in (self._mark_label, self._text_label, self._votes_label):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.votes_field.setAccessibleName(tr("Votes for {mark}: {text}", mark=mark, text=self.plain_text))
        self.votes_field.hide()
        self._votes_label.hide()
        self._row_layout = row(
            self._mark_label, (self._text_label, 1), self._votes_label, self.votes_field, margins=GRID_UNIT
        )
        self.setLayout(self._row_layout)
        self.setText(text)
        # The width of a QPushButton is at least that of its text in one line.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.show_verdict(None)
        self.toggled.connect(lambda _: self.show_verdict(self.verdict))

    def set_size(self, size: int, compact: bool) -> None:
        """Set the type size [pixels]. `compact` reduces the margins."""
        self._vertical_margin = GRID_UNIT // 2 if compact else GRID_UNIT
        self._update_margins()
        self._mark_label.setFont(tabular_font(self.theme, size, QFont.Weight.DemiBold))
        self._mark_label.setFixedWidth(round(2.2 * size) - GRID_UNIT)
        for part in (self._text_label, self._votes_label, self.votes_field):
            part.setFont(tabular_font(self.theme, size))
        self.votes_field.setStyleSheet(f"font-size: {size}px;")
        self.votes_field.setFixedWidth(round(3.2 * size))

    def show_verdict(self, verdict: bool | None) -> None:
        """Show whether the answer is right, or hide the verdict (None)."""
        self.verdict = verdict
        verdict_text = "" if verdict is None else tr(", right") if verdict else tr(", wrong")
        votes = tr(", {votes} votes", votes=self._votes_label.text()) if self._vote_shares else ""
        self.setAccessibleName(f"{self.mark}: {self.plain_text}{verdict_text}{votes}")
        is_wrong = verdict is False
        self._mark_label.setText("✓" if verdict else "✗" if is_wrong and self.isChecked() else self.mark)
        for part in (self._mark_label, self._text_label):
            part.setForegroundRole(
                QPalette.ColorRole.PlaceholderText if is_wrong else QPalette.ColorRole.WindowText
            )
        self.update()

    def show_votes(self, rounds: Rounds, answer: int, counting: bool) -> None:
        """Show one bar for each round of votes, with the number of votes.

        While votes are counted, an input field is shown in place of the last bar.
        """
        self._vote_shares = [vote_percentage(round_votes, answer) for round_votes in rounds]
        self._votes_label.setText(" → ".join(str(round_votes[answer]) for round_votes in rounds))
        self._votes_label.setVisible(bool(rounds) and not counting)
        self.votes_field.setVisible(counting)
        # The field is higher than a line of text: letter and text are centered on it.
        vertical_alignment = Qt.AlignmentFlag.AlignVCenter if counting else Qt.AlignmentFlag.AlignTop
        self._mark_label.setAlignment(Qt.AlignmentFlag.AlignHCenter | vertical_alignment)
        if counting and not self.votes_field.isModified():
            self.votes_field.show_text(str(rounds[-1][answer] or ""))
        self._update_margins()
        self.show_verdict(self.verdict)

    def _update_margins(self) -> None:
        self._row_layout.setContentsMargins(
            GRID_UNIT,
            self._vertical_margin,
            GRID_UNIT,
            self._vertical_margin + len(self._vote_shares) * _BAR_HEIGHT,
        )

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        # A wrong answer must not look like the right one.
        is_marked = self.verdict is True or (self.isChecked() and self.verdict is None)
        is_strong = is_marked or self.hasFocus()
        edge_color = theme.accent if is_strong else theme.muted if self.isChecked() else theme.line
        fill_color = tint(theme.accent, theme.surface, 0.22) if is_marked else QColor(theme.raised)
        painter.setPen(QPen(QColor(edge_color), 2.0 if is_strong or self.isChecked() else 1.0))
        painter.setBrush(fill_color)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        area = QRectF(self.rect()).adjusted(self._text_label.x(), 0, -1.5 * GRID_UNIT, 0)
        for index, share in enumerate(reversed(self._vote_shares)):
            line = QRectF(
                area.left(), area.bottom() - GRID_UNIT - index * _BAR_HEIGHT, area.width(), _BAR_HEIGHT - 3
            )
            painter.setBrush(tint(theme.muted, fill_color.name(), 0.25))
            painter.drawRect(line)
            line.setWidth(line.width() * share / 100)
            painter.setBrush(QColor(theme.muted if index else theme.accent))
            painter.drawRect(line)


def text_gap(size: int) -> int:
    """Return the extra space above text of this type size [pixels], which is half a line."""
    return max(0, round(0.65 * size) - GRID_UNIT)


_NUMBER_KEYS = frozenset("0123456789-.,")
"""Characters with which a number may begin."""
_BAR_HEIGHT = 9
"""Height of the bar of one round of votes, including the gap above it [pixels]."""


class QuestionView(QWidget):
    """Widget with a question and its answers. It keeps the user's answer until another question is shown."""

    answered = Signal()
    """Emitted when the user has entered a number as the answer."""
    count_started = Signal()
    """Emitted when the user starts to count votes. The counts begin at 0."""
    votes_counted = Signal(int, int)
    """Votes were entered. Emitted with the index of the answer and the number of votes."""
    field_focused = Signal(QWidget)
    """A field for votes got the focus. Emitted with the field."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0
        self._question: Question | None = None
        self._check: LessonCheck | None = None
        self._rounds: Rounds = ()
        self._is_revealed = False
        self.question_text = RichTextLabel()
        self.answer_buttons: list[AnswerButton] = []
        self._group = QButtonGroup(self)
        self.number_field, self._unit_label, self.verdict = QLineEdit(), label(word_wrap=False), label()
        self.number_field.setAccessibleName(tr("Your guess"))
        self.number_field.returnPressed.connect(self.answered)
        self._number_row = wrap_layout(row(self.number_field, self._unit_label, None))
        self.count_button, self.vote_again_button = (
            QuietButton(tr("Count votes")),
            QuietButton(tr("Vote again"), self._vote_again),
        )
        self.count_button.setCheckable(True)
        self.count_button.toggled.connect(self._toggle_counting)
        self.tally_label = label()
        self._voting_row = wrap_layout(
            row((self.tally_label, 1), self.vote_again_button, self.count_button, gap=2 * GRID_UNIT)
        )
        self._layout = column(self.question_text, self._number_row, self.verdict, self._voting_row)
        self.setLayout(self._layout)

    @property
    def tab_widgets(self) -> list[QWidget]:
        """Widgets of the question that Tab reaches, in tab order."""
        answer_widgets: list[QWidget] = [*self.answer_buttons] or [self.number_field]
        return [
            *answer_widgets,
            *(choice.votes_field for choice in self.answer_buttons),
            self.vote_again_button,
            self.count_button,
        ]

    @property
    def verdict_message(self) -> str:
        """Text of the right answer, or of the verdict on the user's answer. It is "" until the answer is revealed."""
        if not self._is_revealed or self._question is None:
            return ""
        return (
            tr("Right answer: {answer}", answer=self._question.answer)
            if self.answer_buttons
            else self.verdict.text()
        )

    def accepts_key(self, typed: str) -> bool:
        """Return True if the view handles this key while the lesson has the focus.

        The view handles the characters of a number if the question asks for a number or votes are counted.
        """
        return typed in _NUMBER_KEYS and (self.number_field.isVisible() or self.count_button.isChecked())

    def enter_key(self, typed: str) -> None:
        """Move the focus to the number field and insert the typed character."""
        if self.number_field.isVisible() and not self.number_field.isReadOnly():
            self.number_field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.number_field.insert(typed)

    def show_question(self, page: LessonPage, checks: Mapping[str, LessonCheck], rounds: Rounds) -> None:
        """Show the question of a page, if it has one, and reveal the answer if the page does."""
        question = page.question
        if self.number_field.hasFocus():
            self.setFocus()  # keys go to the panel
        self.setVisible(question is not None)
        if question is not self._question:
            self._set_question(question, checks)
        self._is_revealed = page.answer is not None
        self._layout.setContentsMargins(0, 0, 0, text_gap(self._size) if self._is_revealed else 0)
        for choice in self.answer_buttons:
            is_right = question is not None and choice.text() == question.answer
            choice.show_verdict(is_right if self._is_revealed else None)
        self.verdict.setVisible(self._is_revealed and not self.answer_buttons)
        self.number_field.setReadOnly(self._is_revealed)
        self.number_field.setFocusPolicy(
            Qt.FocusPolicy.NoFocus if self._is_revealed else Qt.FocusPolicy.StrongFocus
        )
        if self._is_revealed and question is not None and self._check is not None:
            self.verdict.setText(judge_guess(question, self._check, self.number_field.text()))
        if self._is_revealed:
            self.count_button.setChecked(False)
        self.show_votes(rounds)

    def show_votes(self, rounds: Rounds) -> None:
        """Show the counted votes. Before a second round is complete the first one is hidden, because it would influence the
        voters."""
        self._rounds = rounds
        shown_rounds = rounds if self._is_revealed else rounds[-1:]
        is_counting = self.count_button.isChecked() and bool(rounds)
        shown_rounds = shown_rounds if is_counting or any(map(sum, shown_rounds)) else ()
        for index, choice in enumerate(self.answer_buttons):
            choice.show_votes(shown_rounds, index, is_counting)
        if self._question is not None:
            self.tally_label.setText(vote_summary(self._question, shown_rounds, self._is_revealed))
        self.vote_again_button.setVisible(
            not self._is_revealed and bool(rounds) and any(rounds[-1]) and len(rounds) < MAX_ROUNDS
        )
        self.count_button.setVisible(not self._is_revealed)
        self.count_button.setText(tr("Finish counting") if is_counting else tr("Count votes"))
        self._voting_row.setVisible(
            bool(self.answer_buttons) and not (self._is_revealed and not self.tally_label.text())
        )

    def set_size(self, size: int, compact: bool = False) -> None:
        """Set the type size [pixels]. `compact` reduces the spacing between answers."""
        self._size = size
        self._layout.setSpacing(GRID_UNIT // 2 if compact else GRID_UNIT)
        self.question_text.set_font_size(size, compact)
        for choice in self.answer_buttons:
            choice.set_size(size, compact)
        font = tabular_font(theme_of(self), size)
        parts: tuple[QWidget, ...] = (self._unit_label, self.verdict, self.number_field)
        for part in parts:
            part.setFont(font)
            part.setStyleSheet(f"font-size: {size}px;")
        self.number_field.setFixedWidth(8 * size)
        small = max(theme_of(self).normal, nearest_font_size(0.7 * size))
        for part in (self.tally_label, self.vote_again_button, self.count_button):
            part.setStyleSheet(f"font-size: {small}px;")
        self._layout.invalidate()
        self.updateGeometry()

    def _set_question(self, question: Question | None, checks: Mapping[str, LessonCheck]) -> None:
        """Show another question, and discard the answer that the user gave to the previous one."""
        self._question = question
        self._check = checks.get(question.answer) if question is not None and not question.choices else None
        for old in self.answer_buttons:
            self._group.removeButton(old)
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.answer_buttons = []
        self.number_field.clear()
        self.count_button.setChecked(False)
        if question is None:
            return
        self.question_text.set_markdown(f"**{fill_placeholders(question.ask, checks)}**")
        for index, text in enumerate(question.choices or ()):
            choice = AnswerButton(chr(ord("A") + index), text)
            choice.votes_field.textEdited.connect(lambda _, index=index: self._count_votes(index))
            choice.votes_field.committed.connect(lambda index=index: self._count_votes(index))
            choice.votes_field.returnPressed.connect(lambda index=index: self._focus_next_field(index))
            self._group.addButton(choice)
            self._layout.insertWidget(1 + index, choice)
            choice.show()  # otherwise the layout ignores it until the next repaint
            self.answer_buttons.append(choice)
        self._number_row.setVisible(not self.answer_buttons)
        self._unit_label.setText(unit_of(self._check) if self._check is not None else "")
        self.set_size(self._size or theme_of(self).normal)

    def _toggle_counting(self, on: bool) -> None:
        if on and not self._rounds:
            self.count_started.emit()
        self.show_votes(self._rounds)
        if on and self.answer_buttons:
            self._focus_field(0)
        elif not on:
            self.setFocus()

    def _vote_again(self) -> None:
        self.count_started.emit()
        self.count_button.setChecked(True)
        self.show_votes(self._rounds)
        self._focus_field(0)

    def _focus_field(self, index: int) -> None:
        field = self.answer_buttons[index].votes_field
        field.setFocus()
        field.selectAll()
        self.field_focused.emit(field)

    def _focus_next_field(self, index: int) -> None:
        """Move the focus to the next field, or from the last field to the Done button."""
        if self._count_votes(index):
            self._focus_field(index + 1) if index + 1 < len(
                self.answer_buttons
            ) else self.count_button.setFocus()

    def _count_votes(self, index: int) -> bool:
        """Take the votes from an answer's field. Return True if they are valid; else show the reason below the answers."""
        field = self.answer_buttons[index].votes_field
        try:
            votes = parse_votes(field.text())
        except InputError as refusal:
            field.set_refused(True)
            self.votes_counted.emit(index, 0)  # discard the number entered before
            self.tally_label.setText(format_error(refusal))
            return False
        field.set_refused(False)
        self.show_votes(self._rounds)  # hides an earlier refusal
        self.votes_counted.emit(index, votes)
        return True
