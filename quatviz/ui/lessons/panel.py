"""The left side of the window while a lesson is presented: the words, the question, the way on and back."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QLayout, QWidget

from quatviz.base.tr import tr
from quatviz.lessons import Lesson
from quatviz.lessons.leading import Page, Rounds, answer_to
from quatviz.lessons.stating import filled
from quatviz.look.theme import TYPE, UNIT, type_size
from quatviz.ui.kit.acts import Acts
from quatviz.ui.kit.style import Themed, tabular
from quatviz.ui.kit.text.richtext import Words
from quatviz.ui.kit.widgets import Button, QuietButton, column, held, label, row, scrolling, tip
from quatviz.ui.lessons.question import QuestionView, gap_of

_LINES = 42
"""Lines of type in the height of the window, which decide its size: 26 pixels in 1080, which is large enough for a room."""
_LEAST = 0.85
"""Of that size, where a page has more words than there is room; never smaller than the words beside the plots, but where a person
has these larger than that size they give way too, for what is scrolled away is read by nobody."""


class LessonPanel(Themed, QWidget):
    """Shows one place of a lesson. The arrow keys go on and back while it has the focus."""

    def __init__(self, acts: Acts[Any]) -> None:
        """`acts` are those of the window, which its buttons do."""
        super().__init__()
        self._acts = acts
        self._sized, self._written, self._close = 0, 0, False
        self._fitted: tuple[int, int, int] | None = None
        """Width and height of the area, and height of the page in it, after the last fit; None during a fit."""
        self._is_check_pending = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Lesson"))
        self._place, self.title = label("muted"), label()
        self.words, self.answer = Words(), Words()
        self._answer = self._coming = partial(self.answer.say, "")
        """What says the answer of the page, nothing where it is hidden yet, and what says it in any case."""
        self.question = QuestionView()
        self.question.setFocusProxy(self)  # when votes are counted, keys lead on
        self.question.answered.connect(acts["lesson_next"].trigger)
        self.question.entered.connect(self._bring_in_sight)
        self.again = QuietButton(tr("Show this step again"))
        said = tr("The run was edited. The figures below were measured before that, and may not hold.")
        self._edited = held(column(label("", said), row(self.again, None), gap=0))
        self._edited.hide()
        self.room = QuietButton(tr("F5: to a lecture room"))
        self.earlier = QuietButton(tr("Go on where it was left"))
        self.anew = QuietButton(tr("Begin the votes anew"))
        self._onward = "lesson_next"
        """What the last button does: keys that lead on end nothing, for a hand presses them once too often."""
        self._offers = dict.fromkeys((self.earlier, self.anew), False)
        """Whether there is something to go on with."""
        self.back, self.next = Button(tr("Back")), Button(tr("Next"), look="primary")
        self.timer, self.pointer, self.leave = (
            QuietButton(text) for text in ("0:00", tr("Pointer"), tr("Leave"))
        )
        self.timer.setToolTip(tr("Time since the lesson began; press to begin anew"))
        self.pointer.setCheckable(True)
        for button, act, said in (
            (self.back, "lesson_back", tr("Back")),
            (self.leave, "lesson_leave", tr("Leave the lesson; the window is as it was before")),
            (self.pointer, "lesson_pointer", tr("A large spot in place of the mouse's arrow")),
            (
                self.room,
                "lesson_open",
                tr("Large, black on white, on the full screen without menus; the same key goes back"),
            ),
        ):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(acts.tip(act, said))
            button.clicked.connect(acts[act].trigger)
        self.next.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next.clicked.connect(self._go_onward)
        self._lay_out()
        self.follow_theme()

    def show_page(self, lesson: Lesson, pages: Sequence[Page], number: int, rounds: Rounds) -> None:
        """Show one of the pages of a lesson, with the votes that were counted; whoever has given it its width lets it `fit`."""
        page, checks = pages[number], lesson.checks
        folder = lesson.path.parent if lesson.path is not None else None
        count, ends = len(lesson.steps), number + 1 == len(pages)
        place = tr("End") if ends else tr("{number} of {count}", number=page.number + 1, count=count)
        self._place.setText(f"{place}   {lesson.title}")
        self.title.setText(page.title)
        self.words.say(filled(page.words, checks), folder)
        self.question.put(page, checks, rounds)
        self._answer = partial(self.answer.say, filled(page.answer or "", checks), folder)
        self._coming = partial(self.answer.say, filled(answer_to(page, pages), checks), folder)
        self._answer()
        self.back.setEnabled(number > 0)
        hidden = page.question is not None and page.answer is None
        sees = page.question is not None and page.question.predict and not page.seen
        self._onward = "lesson_leave" if ends else "lesson_next"
        self.next.setToolTip(self._acts.tip(self._onward, tr("Next")))
        further = tr("End") if ends else tr("Next")
        self.next.setText(further if not hidden else tr("See") if sees else tr("Answer"))
        self.setAccessibleDescription(f"{page.title}. {self.words.text}")
        for button, offered in self._offers.items():
            button.setVisible(number == 0 and offered)
        self._chain()
        self._check_fit_later()
        self._area.verticalScrollBar().setValue(0)
        if number and pages[number - 1].number == page.number:
            QTimer.singleShot(0, self, self._show_foot)  # when it is laid out

    def offer(self, earlier: Page | None, counted: int, anew: bool) -> None:
        """Let a lecture that was interrupted go on at the page `earlier`, with so many questions that votes were counted for; or
        have these begin `anew`, which is taken back so too."""
        self._offers = {self.earlier: earlier is not None, self.anew: anew or counted > 0}
        self.earlier.setToolTip(tip(earlier.title) if earlier is not None else "")
        self.anew.setText(tr("Have the kept votes back") if anew else tr("Begin the votes anew"))
        self.anew.setToolTip(tr("Votes of the last lecture are kept. Questions: {count}", count=counted))

    @property
    def said(self) -> str:
        """What is new on the page, for who hears it: what is right and why, or else words and question."""
        question = self.question.ask.text if self.question.isVisibleTo(self) else ""
        asked = [self.title.text(), self.words.text, question]
        parts = [self.question.told, self.answer.text] if self.answer.text else asked
        return ". ".join(part.removesuffix(".") for part in parts if part)

    def show_edited(self, on: bool) -> None:
        """Say that another run is shown than that of the step."""
        self._edited.setVisible(on)

    def _go_onward(self) -> None:
        self._acts[self._onward].trigger()

    def _chain(self) -> None:
        """Tab comes to the question first, then to the way on."""
        above = self.again, self.room, *self._offers
        ways = self.next, self.back, self.leave, self.pointer, self.timer
        for one, other in pairwise([*self.question.answers, *above, *ways]):
            self.setTabOrder(one, other)

    def _show_foot(self) -> None:
        """Scroll to the end of what is new, but not beyond its beginning."""
        bar, last = self._area.verticalScrollBar(), self.answer if self.answer.isVisible() else self.question
        bottom = last.geometry().bottom() + 2 * UNIT - self._area.viewport().height()
        bar.setValue(max(0, min(bottom, self.question.geometry().top())))

    def _bring_in_sight(self, field: QWidget) -> None:
        """Scroll to it when it is laid out."""
        QTimer.singleShot(0, field, partial(self._area.ensureWidgetVisible, field))

    def renew(self) -> None:
        """More formulae are typeset."""
        for words in (self.words, self.answer, self.question.ask):
            words.renew()
        self.fit()

    def follow_theme(self) -> None:
        """In the type that suits the window's height, or a little smaller where that lets all be seen at once."""
        self._sized, self._written = self._size(), 0
        self.fit()

    def fit(self) -> None:
        """Where there is no room for all, an answer, and fields for votes, take that of the words before the question, which were
        read by then; and where that is not enough, lines and answers stand closer."""
        self._fitted = None
        gives = bool(self.answer.text) or self.question.count.isChecked()
        fits = self._fits(True) or (gives and self._fits(False)) or self._fits(not gives, close=True)
        # Else the bar of the page before takes the width without which this one has no room, and stays.
        bar = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(bar.ScrollBarAlwaysOff if fits else bar.ScrollBarAsNeeded)
        self._fitted = self._measured_fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Check the fit when the page or the area that shows it has another size: the window, the splitter, the bar of times and
        remarks on the page change these without showing another page."""
        if event.type() == QEvent.Type.Resize and self._fitted is not None:
            self._check_fit_later()
        return bool(super().eventFilter(watched, event))

    def _check_fit_later(self) -> None:
        """Check the fit once when all events of now are processed."""
        if not self._is_check_pending:
            self._is_check_pending = True
            QTimer.singleShot(0, self, self._check_fit)

    def _check_fit(self) -> None:
        """Fit the page again if it or its area has another size than after the last fit."""
        self._is_check_pending = False
        if self._fitted != self._measured_fit():
            self.fit()

    def _measured_fit(self) -> tuple[int, int, int]:
        """Return what `_fitted` would be now."""
        width = self._area.width()
        needed = self._needed(width)
        return width, self._area.height(), needed

    def holds(self, width: int) -> bool:
        """Whether a column so wide has room for all of the page in its full size, and for the answer that it hides yet."""
        self._set_size(max(self._sized, self.theme.normal))
        self.words.setVisible(bool(self.words.text))
        self._coming()
        needed = self._needed(width)
        self._answer()
        return needed <= self._area.height() + self._top.geometry().height() - self._top.heightForWidth(width)

    def show_rest(self) -> bool:
        """Scroll on to what is not in sight yet, where there is a question first to that; whether there is anything."""
        bar, asked, high = self._area.verticalScrollBar(), self.question, self._area.viewport().height()
        before, seen = bar.value(), [one for one in (self.words, asked, self.answer) if one.isVisible()]
        if seen and seen[-1].geometry().bottom() > before + high:
            further = before + high
            bar.setValue(min(asked.y(), further) if asked in seen and before < asked.y() else further)
        return bar.value() > before

    def _fits(self, whole: bool, close: bool = False) -> bool:
        """Write as large as there is room for, or least and `close`, words before a question too if `whole`; whether there is."""
        least = max(type_size(_LEAST * self._sized), min(self.theme.normal, self._sized))
        largest = least if close else max(self._sized, self.theme.normal)
        sizes = sorted({least, *(size for size in TYPE if least < size < largest), largest}, reverse=True)

        def fits(size: int) -> bool:
            self._set_size(size, close)
            self.words.setVisible(whole and bool(self.words.text))
            return self._needed(self._area.width()) <= self._area.height()

        return fits(sizes[0]) or (fits(sizes[-1]) and fits(sizes[bisect_left(sizes, True, key=fits)]))

    def _needed(self, width: int) -> int:
        """The height of the page in a column so wide, where nothing scrolls."""
        # Qt invalidates a layout inside a part only when it handles that part's LayoutRequest, so that a page would be measured
        # with some parts in the type of before.
        for layout in self._page.findChildren(QLayout):
            layout.invalidate()
        for part in self._page.findChildren(QWidget):
            part.updateGeometry()
        self._whole.invalidate()  # Qt does not by itself where only a style sheet has changed its type
        self._whole.activate()
        return self._column.totalHeightForWidth(width)

    def _set_size(self, size: int, close: bool = False) -> None:
        if (size, close) == (self._written, self._close):
            return
        self._written, self._close, theme = size, close, self.theme
        large = type_size(1.4 * size)
        small = min(max(theme.normal, type_size(0.62 * self._sized)), size)  # no larger than what is read
        high = round(1.7 * self._sized)
        self.setStyleSheet(f"QPushButton {{ font-size: {small}px; min-height: {high}px; }}")
        self._place.setStyleSheet(f"font-size: {small}px;")
        self.title.setFont(tabular(theme, large, QFont.Weight.DemiBold))
        self.title.setStyleSheet(f"font-size: {large}px; font-weight: 600;")
        self.title.setContentsMargins(0, 0, 0, gap_of(size))
        for words in (self.words, self.answer):
            words.set_size(size, close)
        self.question.set_size(size, close)
        self._column.setSpacing(UNIT // 2 if close else UNIT)

    def sizeHint(self) -> QSize:
        return QSize(560, 600)

    def event(self, event: QEvent) -> bool:
        """Arrow keys belong to the lesson while it has the focus, and not to the cursor of time; digits to its question."""
        if isinstance(event, QKeyEvent) and event.type() in (
            QEvent.Type.ShortcutOverride,
            QEvent.Type.KeyPress,
        ):
            chord = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if self.question.keeps(event.text()) and not chord & ~Qt.KeyboardModifier.ShiftModifier:
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self.question.type(event.text())
                return True
            act = {Qt.Key.Key_Right: "lesson_next", Qt.Key.Key_Left: "lesson_back"}.get(Qt.Key(event.key()))
            if act is not None and not chord and self.hasFocus():
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self._acts[act].trigger()
                return True
        if event.type() == QEvent.Type.Resize and self._size() != self._sized:
            self.follow_theme()
        return bool(super().event(event))

    def _size(self) -> int:
        window = self.window()
        return min(max(type_size(window.height() / _LINES), 17), 48)

    def _lay_out(self) -> None:
        offers = self.room, *self._offers, self._edited
        parts = self.title, *offers, self.words, self.question, self.answer
        # One gap for each part that is seen: those that are hidden take none.
        self._column = column(*parts, None, margins=(3 * UNIT, UNIT, 3 * UNIT, UNIT))
        self._area = scrolling(self._column)
        self._area.setMinimumWidth(38 * UNIT)  # the buttons below may need more
        page = self._area.widget()
        assert page is not None
        self._page = page
        for watched in (self._area, page):
            watched.installEventFilter(self)
        self._top = row((self._place, 1), self.timer, gap=2 * UNIT, margins=(3 * UNIT, 2 * UNIT, 3 * UNIT, 0))
        buttons = self.leave, self.pointer, None, self.back, self.next
        foot = row(*buttons, gap=UNIT, margins=(3 * UNIT, UNIT, 3 * UNIT, 2 * UNIT))
        self._whole = column(self._top, (self._area, 1), foot, gap=0)
        self.setLayout(self._whole)
