"""Panel at the left of the window during a lesson: the text, the question, and the buttons Back and Next."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QLayout, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import FONT_SIZES, GRID_UNIT, nearest_font_size
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.check_text import fill_placeholders
from quatviz.teaching.lessons.presentation import LessonPage, Rounds, answer_to
from quatviz.ui.lessons.question import QuestionView, text_gap
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.buttons import Button, QuietButton
from quatviz.ui.widgets.labels import label, tooltip_text
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.richtext import RichTextLabel
from quatviz.ui.widgets.scrolling import make_scroll_area
from quatviz.ui.widgets.style import Themed, tabular_font

_LINES_PER_WINDOW = 42
"""Height of the window in lines of text at the preferred type size of a lesson page. It defines that size.

In a window 1080 pixels high the size is 26 pixels, which is readable in a lecture room.
"""
_MIN_TYPE_SHARE = 0.85
"""Smallest type size of a page that has more text than space, relative to the preferred type size.

The size is also at least the type size of the interface, or the preferred size if that is smaller. Small type is preferred to
scrolling, because readers often miss text that must be scrolled into view.
"""


class LessonPanel(Themed, QWidget):
    """Panel that shows one page of a lesson. While it has the focus, the arrow keys go to the next and the previous page."""

    def __init__(self, actions: ActionRegistry[Any]) -> None:
        """Build the panel. Its buttons trigger actions of the window, which are registered in `actions`."""
        super().__init__()
        self._actions = actions
        self._base_size, self._current_size, self._is_compact = 0, 0, False
        self._fitted: tuple[int, int, int] | None = None
        """Sizes after the last fit [pixels]: width and height of the scroll area, and height of the page in it. None during
        a fit."""
        self._is_check_pending = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Lesson"))
        self._position_label, self.title = label("muted"), label()
        self.words, self.answer = RichTextLabel(), RichTextLabel()
        self._show_answer = self._show_hidden_answer = partial(self.answer.set_markdown, "")
        """Functions that set the text of the answer label. `_show_answer` sets the text that the page reveals, which is ""
        before the answer is revealed. `_show_hidden_answer` always sets the full answer, to measure its height."""
        self.question = QuestionView()
        self.question.setFocusProxy(self)  # after votes are counted, keys go to the panel
        self.question.answered.connect(actions["lesson_next"].trigger)
        self.question.field_focused.connect(self._scroll_to_field)
        self.repeat_button = QuietButton(tr("Restore the run of this step"))
        description = tr(
            "The run was edited. The numbers below were measured before the edit and may no longer be true."
        )
        self._edited_notice = wrap_layout(
            column(label("", description), row(self.repeat_button, None), gap=0)
        )
        self._edited_notice.hide()
        self.presentation_button = QuietButton(tr("F5: full screen"))
        self.resume_button = QuietButton(tr("Resume at the last page"))
        self.restart_votes_button = QuietButton(tr("Clear saved votes"))
        self._next_action = "lesson_next"
        """Name of the action of the Next button. On the last page the button ends the lesson; the keyboard shortcut never does."""
        self._resume_offers = dict.fromkeys((self.resume_button, self.restart_votes_button), False)
        """Buttons of the first page for an interrupted lecture. The value is True if the button is to be shown."""
        self.back_button, self.next_button = Button(tr("Back")), Button(tr("Next"), object_name="primary")
        self.timer_button, self.pointer_button, self.leave_button = (
            QuietButton(text) for text in ("0:00", tr("Pointer"), tr("Exit"))
        )
        self.timer_button.setToolTip(tr("Time since the lesson began. Click to restart the clock"))
        self.pointer_button.setCheckable(True)
        for button, action_name, description in (
            (self.back_button, "lesson_back", tr("Back")),
            (self.leave_button, "lesson_leave", tr("End the lesson and restore the window")),
            (self.pointer_button, "lesson_pointer", tr("Pointer spot")),
            (
                self.presentation_button,
                "lesson_open",
                tr("Full screen without menus, in large black-on-white type. The same key goes back"),
            ),
        ):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(actions.tooltip(action_name, description))
            button.clicked.connect(actions[action_name].trigger)
        self.next_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next_button.clicked.connect(self._trigger_next)
        self._lay_out()
        self.follow_theme()

    def show_page(self, lesson: Lesson, pages: Sequence[LessonPage], number: int, rounds: Rounds) -> None:
        """Show a page of a lesson.

        The caller sets the width of the panel and then calls `fit`.

        Parameters
        ----------
        lesson
            The lesson that is presented.
        pages
            All pages of the lesson.
        number
            Index of the page to be shown.
        rounds
            Votes that were counted for the question of this page.
        """
        page, checks = pages[number], lesson.checks
        folder = lesson.path.parent if lesson.path is not None else None
        count, is_last = len(lesson.steps), number + 1 == len(pages)
        position_text = (
            tr("End") if is_last else tr("{number} of {count}", number=page.step_index + 1, count=count)
        )
        self._position_label.setText(f"{position_text}   {lesson.title}")
        self.title.setText(page.title)
        self.words.set_markdown(fill_placeholders(page.text, checks), folder)
        self.question.show_question(page, checks, rounds)
        self._show_answer = partial(
            self.answer.set_markdown, fill_placeholders(page.answer or "", checks), folder
        )
        self._show_hidden_answer = partial(
            self.answer.set_markdown, fill_placeholders(answer_to(page, pages), checks), folder
        )
        self._show_answer()
        self.back_button.setEnabled(number > 0)
        is_answer_hidden = page.question is not None and page.answer is None
        is_prediction = page.question is not None and page.question.predict and not page.shows_answer_scene
        self._next_action = "lesson_leave" if is_last else "lesson_next"
        self.next_button.setToolTip(self._actions.tooltip(self._next_action, tr("Next")))
        next_text = tr("End") if is_last else tr("Next")
        self.next_button.setText(
            next_text if not is_answer_hidden else tr("Show what happens") if is_prediction else tr("Answer")
        )
        self.setAccessibleDescription(f"{page.title}. {self.words.text}")
        for button, is_offered in self._resume_offers.items():
            button.setVisible(number == 0 and is_offered)
        self._update_tab_order()
        self._check_fit_later()
        self._area.verticalScrollBar().setValue(0)
        if number and pages[number - 1].step_index == page.step_index:
            QTimer.singleShot(0, self, self._scroll_to_end)  # after the layout has run

    def offer_resume(self, resume_page: LessonPage | None, question_count: int, votes_cleared: bool) -> None:
        """Offer to resume an interrupted lecture on the first page.

        Parameters
        ----------
        resume_page
            Page where the lecture was interrupted, or None.
        question_count
            Number of questions with saved votes.
        votes_cleared
            True if the saved votes were put aside, so that the button offers to restore them.
        """
        self._resume_offers = {
            self.resume_button: resume_page is not None,
            self.restart_votes_button: votes_cleared or question_count > 0,
        }
        self.resume_button.setToolTip(tooltip_text(resume_page.title) if resume_page is not None else "")
        self.restart_votes_button.setText(
            tr("Restore saved votes") if votes_cleared else tr("Clear saved votes")
        )
        self.restart_votes_button.setToolTip(
            tr("Saved votes of the last lecture; number of questions: {count}", count=question_count)
        )

    @property
    def spoken_text(self) -> str:
        """Text for screen readers: the verdict and the answer if they are visible, else the title, the text and the
        question."""
        question = self.question.question_text.text if self.question.isVisibleTo(self) else ""
        question_parts = [self.title.text(), self.words.text, question]
        parts = [self.question.verdict_message, self.answer.text] if self.answer.text else question_parts
        return ". ".join(part.removesuffix(".") for part in parts if part)

    def show_edited(self, on: bool) -> None:
        """Show or hide the notice that the run was edited and differs from the run of the lesson step."""
        self._edited_notice.setVisible(on)

    def _trigger_next(self) -> None:
        self._actions[self._next_action].trigger()

    def _update_tab_order(self) -> None:
        """Set the tab order of the panel: first the question, then the navigation buttons."""
        above = self.repeat_button, self.presentation_button, *self._resume_offers
        navigation = (
            self.next_button,
            self.back_button,
            self.leave_button,
            self.pointer_button,
            self.timer_button,
        )
        for first, second in pairwise([*self.question.tab_widgets, *above, *navigation]):
            self.setTabOrder(first, second)

    def _scroll_to_end(self) -> None:
        """Scroll to the end of the answer, or of the question while no answer is shown. The beginning of the question stays
        visible."""
        bar, last = self._area.verticalScrollBar(), self.answer if self.answer.isVisible() else self.question
        bottom = last.geometry().bottom() + 2 * GRID_UNIT - self._area.viewport().height()
        bar.setValue(max(0, min(bottom, self.question.geometry().top())))

    def _scroll_to_field(self, field: QWidget) -> None:
        """Scroll until this field is visible, after the pending layout update."""
        QTimer.singleShot(0, field, partial(self._area.ensureWidgetVisible, field))

    def update_formulas(self) -> None:
        """Show formulas that have been typeset since the page was shown."""
        for words in (self.words, self.answer, self.question.question_text):
            words.refresh()
        self.fit()

    def follow_theme(self) -> None:
        """Choose the type size of the page for the current theme and height of the window. If the page does not fit, choose
        a smaller one."""
        self._base_size, self._current_size = self._preferred_size(), 0
        self.fit()

    def fit(self) -> None:
        """Choose the largest type size with which the page fits.

        If even the smallest size is too large, the text above the question is hidden, provided that an answer or fields for
        votes are shown. If the page is still too high, the spacing is reduced as well. If that fails too, the page can be
        scrolled.
        """
        self._fitted = None
        can_hide_words = bool(self.answer.text) or self.question.count_button.isChecked()
        fits = (
            self._try_fit(True)
            or (can_hide_words and self._try_fit(False))
            or self._try_fit(not can_hide_words, compact=True)
        )
        # A bar left from the previous page would take the width this page needs, and so would never go away.
        bar = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(bar.ScrollBarAlwaysOff if fits else bar.ScrollBarAsNeeded)
        self._fitted = self._measured_fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Check the fit after the page or its scroll area was resized, for example by the window or the splitter."""
        if event.type() == QEvent.Type.Resize and self._fitted is not None:
            self._check_fit_later()
        return bool(super().eventFilter(watched, event))

    def _check_fit_later(self) -> None:
        """Schedule a single call of `_check_fit` after all pending events."""
        if not self._is_check_pending:
            self._is_check_pending = True
            QTimer.singleShot(0, self, self._check_fit)

    def _check_fit(self) -> None:
        """Fit the page again if the size of the page or of its scroll area has changed since the last fit."""
        self._is_check_pending = False
        if self._fitted != self._measured_fit():
            self.fit()

    def _measured_fit(self) -> tuple[int, int, int]:
        """Return the current sizes in the form of `_fitted` [pixels]."""
        width = self._area.width()
        needed = self._needed_height(width)
        return width, self._area.height(), needed

    def fits_width(self, width: int) -> bool:
        """Return True if the page, including a hidden answer, fits at full type size in a column of this width [pixels]."""
        self._set_size(max(self._base_size, self.theme.normal))
        self.words.setVisible(bool(self.words.text))
        self._show_hidden_answer()
        needed = self._needed_height(width)
        self._show_answer()
        return (
            needed
            <= self._area.height()
            + self._header_layout.geometry().height()
            - self._header_layout.heightForWidth(width)
        )

    def scroll_on(self) -> bool:
        """Scroll down by one screen, but not past the top of the question. Return False if everything was already visible."""
        bar, question, visible_height = (
            self._area.verticalScrollBar(),
            self.question,
            self._area.viewport().height(),
        )
        before, visible_parts = (
            bar.value(),
            [part for part in (self.words, question, self.answer) if part.isVisible()],
        )
        if visible_parts and visible_parts[-1].geometry().bottom() > before + visible_height:
            next_top = before + visible_height
            bar.setValue(
                min(question.y(), next_top)
                if question in visible_parts and before < question.y()
                else next_top
            )
        return bar.value() > before

    def _try_fit(self, show_words: bool, compact: bool = False) -> bool:
        """Set the largest type size with which the page fits, else the smallest. Return True if the page fits.

        Parameters
        ----------
        show_words
            True if the words above the question are shown.
        compact
            True if only the smallest size is tried, with tight spacing.
        """
        least = max(
            nearest_font_size(_MIN_TYPE_SHARE * self._base_size), min(self.theme.normal, self._base_size)
        )
        largest = least if compact else max(self._base_size, self.theme.normal)
        sizes = sorted(
            {least, *(size for size in FONT_SIZES if least < size < largest), largest}, reverse=True
        )

        def fits(size: int) -> bool:
            self._set_size(size, compact)
            self.words.setVisible(show_words and bool(self.words.text))
            return self._needed_height(self._area.width()) <= self._area.height()

        return fits(sizes[0]) or (fits(sizes[-1]) and fits(sizes[bisect_left(sizes, True, key=fits)]))

    def _needed_height(self, width: int) -> int:
        """Return the height [pixels] that the page needs in a column of this width [pixels] to avoid scrolling."""
        # Qt invalidates a nested layout only when its widget handles a LayoutRequest. Without this loop some widgets would be
        # measured in their previous font.
        for layout in self._page.findChildren(QLayout):
            layout.invalidate()
        for part in self._page.findChildren(QWidget):
            part.updateGeometry()
        self._outer_layout.invalidate()  # Qt does not do so if only a style sheet changed the font
        self._outer_layout.activate()
        return self._content_layout.totalHeightForWidth(width)

    def _set_size(self, size: int, compact: bool = False) -> None:
        if (size, compact) == (self._current_size, self._is_compact):
            return
        self._current_size, self._is_compact, theme = size, compact, self.theme
        large = nearest_font_size(1.4 * size)
        small = min(
            max(theme.normal, nearest_font_size(0.62 * self._base_size)), size
        )  # not larger than the text of the page
        high = round(1.7 * self._base_size)
        self.setStyleSheet(f"QPushButton {{ font-size: {small}px; min-height: {high}px; }}")
        self._position_label.setStyleSheet(f"font-size: {small}px;")
        self.title.setFont(tabular_font(theme, large, QFont.Weight.DemiBold))
        self.title.setStyleSheet(f"font-size: {large}px; font-weight: 600;")
        self.title.setContentsMargins(0, 0, 0, text_gap(size))
        for words in (self.words, self.answer):
            words.set_font_size(size, compact)
        self.question.set_size(size, compact)
        self._content_layout.setSpacing(GRID_UNIT // 2 if compact else GRID_UNIT)

    def sizeHint(self) -> QSize:
        return QSize(560, 600)

    def event(self, event: QEvent) -> bool:
        """Handle arrow keys and digits. Arrow keys would otherwise move the time cursor; digits go to the question."""
        if isinstance(event, QKeyEvent) and event.type() in (
            QEvent.Type.ShortcutOverride,
            QEvent.Type.KeyPress,
        ):
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if self.question.accepts_key(event.text()) and not modifiers & ~Qt.KeyboardModifier.ShiftModifier:
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self.question.enter_key(event.text())
                return True
            action_name = {Qt.Key.Key_Right: "lesson_next", Qt.Key.Key_Left: "lesson_back"}.get(
                Qt.Key(event.key())
            )
            if action_name is not None and not modifiers and self.hasFocus():
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self._actions[action_name].trigger()
                return True
        if event.type() == QEvent.Type.Resize and self._preferred_size() != self._base_size:
            self.follow_theme()
        return bool(super().event(event))

    def _preferred_size(self) -> int:
        window = self.window()
        return min(max(nearest_font_size(window.height() / _LINES_PER_WINDOW), 17), 48)

    def _lay_out(self) -> None:
        offers = self.presentation_button, *self._resume_offers, self._edited_notice
        parts = self.title, *offers, self.words, self.question, self.answer
        # A gap is added only between visible widgets.
        self._content_layout = column(
            *parts, None, margins=(3 * GRID_UNIT, GRID_UNIT, 3 * GRID_UNIT, GRID_UNIT)
        )
        self._area = make_scroll_area(self._content_layout)
        self._area.setMinimumWidth(38 * GRID_UNIT)  # the buttons below may need more
        page = self._area.widget()
        assert page is not None
        self._page = page
        for watched in (self._area, page):
            watched.installEventFilter(self)
        self._header_layout = row(
            (self._position_label, 1),
            self.timer_button,
            gap=2 * GRID_UNIT,
            margins=(3 * GRID_UNIT, 2 * GRID_UNIT, 3 * GRID_UNIT, 0),
        )
        links = self.leave_button, GRID_UNIT, self.pointer_button
        buttons = *links, None, self.back_button, self.next_button
        foot = row(*buttons, gap=GRID_UNIT, margins=(3 * GRID_UNIT, GRID_UNIT, 3 * GRID_UNIT, 2 * GRID_UNIT))
        self._outer_layout = column(self._header_layout, (self._area, 1), foot, gap=0)
        self.setLayout(self._outer_layout)
