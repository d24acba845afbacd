"""Presentation of a lesson: the current page, the timer, the votes and the presentation mode."""

import time
from itertools import chain

from PySide6.QtCore import QObject, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QPainter, QPen, QPixmap

from quatviz.base.errors import InputError
from quatviz.base.markdown import find_formulae
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.arrangement import lesson_width_shares
from quatviz.display.view_state.theme import PROJECTOR, Theme
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.schema import SCREEN
from quatviz.teaching.lessons import Lesson, read_lesson
from quatviz.teaching.lessons.presentation import (
    LectureHistory,
    LessonPage,
    QuestionKey,
    Votes,
    matching_page_index,
    pages_of,
)
from quatviz.teaching.lessons.user_lessons import is_user_lesson, recent_lesson_files
from quatviz.ui.lessons.file_watcher import LessonFileWatcher
from quatviz.ui.lessons.panel import LessonPanel
from quatviz.ui.lessons.precompiler import Precompiler
from quatviz.ui.lessons.scene_applier import SceneApplier
from quatviz.ui.widgets.painting import draw_pixmap
from quatviz.ui.widgets.style import theme_of, with_opacity
from quatviz.ui.widgets.typeset import Typesetter
from quatviz.ui.window.main_window import MainWindow

POINTER_SIZE = 56
"""Diameter of the pointer spot [pixels]."""


class Presenter(QObject):
    """Presentation of a lesson in one window. `begin` shows the lesson panel in place of the side column; `leave` restores
    the column."""

    ended = Signal()

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__()
        self._window, self._document = window, document
        self.panel = LessonPanel(window.action_registry)
        self.panel.hide()
        self.scene_applier = SceneApplier(window, document, self)
        self.precompiler = Precompiler(self)
        self.file_watcher = LessonFileWatcher(self)
        self.file_watcher.changed.connect(self._reload_lesson)
        self.is_pointer_shown = False
        """True if the mouse cursor is shown as a large spot."""
        self._desktop_state: tuple[Theme, Qt.WindowState] | None = None
        """Theme and window state before the presentation mode, None outside that mode."""
        self.lesson: Lesson | None = None
        self.page_index = 0
        """Index of the lesson page that is shown."""
        self._pages: tuple[LessonPage, ...] = ()
        self._width_shares = (0.0, 0.0, 0.0)
        self._shared_question: QuestionKey | None = None
        """Question for which `_width_shares` was computed. These are the widths of lesson, 3D view and plots, relative to the
        window."""
        self.votes, self._lectures = Votes(), LectureHistory()
        self.votes.changed.connect(self._show_votes)
        self._interrupted_page = 0
        """Index of the page at which the last lecture of this lesson was interrupted, or 0 if none was."""
        self._typesetting = Typesetter(self)
        self._typesetting.finished.connect(self._finish_typesetting)
        self._start_time = 0.0
        self._clock_timer = QTimer(self, interval=500)
        self._clock_timer.timeout.connect(self._update_timer)
        self.panel.timer_button.clicked.connect(self.restart_timer)
        self.panel.repeat_button.clicked.connect(self._show_page_again)
        self.panel.resume_button.clicked.connect(self._resume_lecture)
        self.panel.restart_votes_button.clicked.connect(self._restart_votes)
        self.panel.question.count_started.connect(self._begin_count)
        self.panel.question.votes_counted.connect(self._record_votes)
        self.panel.question.count_button.toggled.connect(self._update_widths)  # fields for votes need space
        document.changed.connect(self._follow_edits)

    @property
    def is_presenting(self) -> bool:
        """True while a lesson is presented."""
        return self.lesson is not None

    def begin(self, lesson: Lesson) -> None:
        """Present a lesson from its first step. An end page follows the last step."""
        if self._document.own_run is None:
            own_run = self._document.own_run = self.scene_applier.own_run()
            splitter = self._window.splitter
            splitter.insertWidget(0, self.panel)
            self._set_stretch(0)
            self._window.store.is_recording = False
            self._window.store.assign(ViewState().merged_with(own_run.view_state, (SCREEN,)))
            self._window.side.hide()
            self.panel.show()
            self._width_shares = (0.0, 0.0, 0.0)
        self.page_index = 0
        self._load_lesson(lesson)
        self._interrupted_page, rounds = self._lectures.restore(lesson)
        self.votes.load(rounds)
        self._offer_resume()
        if is_user_lesson(lesson) and lesson.path is not None:
            recent_lesson_files().add(lesson.path)
        self.panel.follow_theme()
        self._window.action_registry.refresh()
        self.restart_timer()
        self.show_page(0)
        self.panel.setFocus()

    def _load_lesson(self, lesson: Lesson) -> None:
        """Load the pages of a lesson. Start to watch its files, to typeset its formulas and to compile the
        kernels of its runs."""
        self.lesson, self._pages = lesson, pages_of(lesson)
        self.scene_applier.set_lesson(lesson)
        self.file_watcher.begin(lesson)
        self._typesetting.start(chain.from_iterable(map(find_formulae, lesson.all_texts)))
        self.precompiler.begin(lesson)

    def execute(self, command: str) -> None:
        """Execute one of the commands listed in `ui.window.window_tools.WindowTools.control_lesson`."""
        commands = {
            "next": self.go_next,
            "back": self.go_back,
            "pointer": self.toggle_pointer,
            "leave": self.leave,
            "votes": self.panel.question.count_button.click,
            "presentation": self.toggle_presentation_mode,
        }
        commands[command]()

    def go_next(self) -> None:
        """Scroll down if the end of the page is not visible yet. Otherwise show the next page, such as the page
        with the answer."""
        if not self.panel.scroll_on() and self.page_index + 1 < len(self._pages):
            self.show_page(self.page_index + 1)

    def go_back(self) -> None:
        """Show the previous page."""
        if self.page_index > 0:
            self.show_page(self.page_index - 1)

    def show_page(self, number: int) -> None:
        """Show the page with this index, and apply its scene."""
        if self.lesson is None:
            return
        self.page_index = number
        if number:
            self._save_progress()
        page = self._pages[number]
        self.panel.show_page(self.lesson, self._pages, number, self.votes.rounds_of(page.question_key))
        self.panel.presentation_button.setVisible(number == 0 and not self.in_presentation_mode)
        self._update_widths()
        self._window.narrator.announce(self.panel.spoken_text)
        folder = self.lesson.path.parent if self.lesson.path is not None else None
        try:
            self.precompiler.set_scene(page.scene, folder)
            self.scene_applier.apply(page.scene, folder)
            self._follow_edits(self._document.state)
        except InputError as refusal:
            self._window.messages.explain(refusal)

    def undoable_votes(self, undo: bool) -> Votes | None:
        """Return the votes if the next undo step is a vote count of the current question, else None. If `undo` is False, the
        next redo step is examined."""
        steps = self.votes.steps[-1:] if undo else self.votes.redo_steps[:1]
        is_current = any(
            step.question_key == self._question_key and (not undo or step.mark == self._document_mark)
            for step in steps
        )
        return self.votes if is_current else None

    @property
    def _document_mark(self) -> object:
        return self._document.steps[-1:]

    @property
    def _question_key(self) -> QuestionKey | None:
        return self._pages[self.page_index].question_key if self.is_presenting else None

    def _begin_count(self) -> None:
        key = self._question_key
        if key is not None:
            self.votes.start_round(key, self._document_mark)

    def _record_votes(self, answer: int, votes: int) -> None:
        key = self._question_key
        if key is not None:
            self.votes.set_votes(key, answer, votes, self._document_mark)

    def _save_progress(self) -> None:
        """Save the current page and the votes, so that an interrupted lecture can be resumed.

        At the end page the lecture is complete, so the first page is saved instead.
        """
        if self.lesson is not None:
            page_index = self.page_index if self.page_index + 1 < len(self._pages) else 0
            self._lectures.save(self.lesson, page_index, self.votes.all_rounds)

    def _offer_resume(self) -> None:
        earlier = self._pages[self._interrupted_page] if self._interrupted_page else None
        self.panel.offer_resume(earlier, len(self.votes.all_rounds), self.votes.is_restarted)

    def _resume_lecture(self) -> None:
        """Show the page at which the last lecture was interrupted."""
        self.show_page(self._interrupted_page)

    def _restart_votes(self) -> None:
        self.votes.toggle_restart()
        self._offer_resume()
        self.show_page(self.page_index)

    def _show_votes(self) -> None:
        if self.is_presenting:
            self._save_progress()
            self.panel.question.show_votes(self.votes.rounds_of(self._pages[self.page_index].question_key))
        self._window.action_registry.refresh()

    def leave(self) -> None:
        """End the lesson and restore the window."""
        self._end_lesson(restore_run=True)

    def shutdown(self) -> None:
        """End the lesson without restoring the run, because the window closes. The settings are saved as they
        were before the lesson."""
        self._end_lesson(restore_run=False)

    def toggle_pointer(self) -> None:
        """Switch between the normal mouse cursor and a large spot that is visible in a lecture room.

        The spot is a cursor image, so the desktop moves it and the window need not be repainted.
        """
        if not self.is_presenting and not self.is_pointer_shown:
            return
        self.is_pointer_shown = not self.is_pointer_shown
        if self.is_pointer_shown:
            cursor = QCursor(pointer_pixmap(theme_of(self.panel)), POINTER_SIZE // 2, POINTER_SIZE // 2)
            QGuiApplication.setOverrideCursor(cursor)
        else:
            QGuiApplication.restoreOverrideCursor()
        self.panel.pointer_button.setChecked(self.is_pointer_shown)

    @property
    def in_presentation_mode(self) -> bool:
        """True if the window is in presentation mode: full screen in the projector theme."""
        return self._desktop_state is not None

    def toggle_presentation_mode(self) -> None:
        """Enter or leave presentation mode."""
        window = self._window
        if self._desktop_state is None and self.is_presenting:
            self._desktop_state = window.theme, window.windowState()
            window.theme_switch.show(PROJECTOR)
            window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        elif self._desktop_state is not None:
            (theme, state), self._desktop_state = self._desktop_state, None
            window.theme_switch.show(theme)
            window.setWindowState(state)
        self.panel.presentation_button.hide()
        window.action_registry.refresh()

    def _set_stretch(self, stretch: int) -> None:
        """Set the stretch factor of 3D views and plots in the splitter. With 0 they keep their widths when the window is
        resized; with 1 they share the change."""
        for part in (self._window.views, self._window.board):
            self._window.splitter.setStretchFactor(self._window.splitter.indexOf(part), stretch)

    def _update_widths(self) -> None:
        """Divide the window between lesson, 3D views and plots so that the page fits, if possible.

        The splitter is moved only if the computed widths change. While the same question is shown, the lesson only becomes
        wider, so that nothing moves when the question is answered.
        """
        width, only_grows = (
            self._window.width(),
            self._question_key is not None and self._question_key == self._shared_question,
        )
        self._shared_question = self._question_key
        new_shares = lesson_width_shares(
            width, self._width_shares[0] if only_grows else 0.0, self.panel.fits_width
        )
        if new_shares != self._width_shares:
            self._width_shares = new_shares
            words, view, plots = (round(share * width) for share in new_shares)
            self._window.splitter.setSizes([words, 0, view, plots])
        self.panel.fit()

    def restart_timer(self) -> None:
        """Restart the timer at zero."""
        self._start_time = time.monotonic()
        self._clock_timer.start()
        self._update_timer()

    def _end_lesson(self, restore_run: bool) -> None:
        own_run, self._document.own_run = self._document.own_run, None
        if own_run is None:
            return
        self.lesson, self._pages, self.page_index = None, (), 0
        self._clock_timer.stop()
        self.precompiler.stop()
        self.file_watcher.stop()
        self._typesetting.stop()
        if self.is_pointer_shown:
            self.toggle_pointer()
        if self.in_presentation_mode:
            self.toggle_presentation_mode()
        self._set_stretch(1)
        self._window.action_registry.refresh()
        self.panel.hide()
        self.panel.setParent(None)
        self._window.side.show()
        self._window.store.is_recording = True
        self.scene_applier.restore(own_run, restore_run)
        self._window.setFocus()
        self.ended.emit()

    def _show_page_again(self) -> None:
        self.show_page(self.page_index)

    def _reload_lesson(self) -> None:
        """Read the lesson again, because its file has changed, and show the page that matches the present one.

        If the file cannot be read, explain why.
        """
        if self.lesson is None or self.lesson.path is None:
            return
        try:
            lesson = read_lesson(self.lesson.path)
        except InputError as refusal:
            self._window.messages.explain(refusal)
            return
        shown_page = self._pages[self.page_index]
        self._load_lesson(lesson)
        self.scene_applier.clear_presets()
        self.show_page(matching_page_index(shown_page, self._pages))
        self._window.messages.show(tr("Lesson reloaded"))

    def _follow_edits(self, state: State) -> None:
        """Show a notice if the run was edited during the lesson, because numbers stated in the text may then be wrong."""
        if self.is_presenting:
            self.panel.show_edited(state.preset != self.scene_applier.applied_preset)

    def _update_timer(self) -> None:
        seconds = int(time.monotonic() - self._start_time)
        elapsed = f"{seconds // 60}:{seconds % 60:02d}"
        planned = self.lesson.minutes if self.lesson is not None else 0
        self.panel.timer_button.setText(
            tr("{elapsed} of {planned} min", elapsed=elapsed, planned=planned) if planned else elapsed
        )

    def _finish_typesetting(self, fault: BaseException | None) -> None:
        if fault is not None:
            self._window.messages.show(tr("A formula cannot be typeset: {outcome}", outcome=fault))
        self.panel.update_formulas()
        if self.is_presenting:
            self._update_widths()  # typeset formulas differ in size from their placeholders


def pointer_pixmap(theme: Theme) -> QPixmap:
    """Return the picture of the pointer spot: a translucent red disk with a rim in the background color of the window."""

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(with_opacity("#ff2b2b", 0.45))
        painter.setPen(QPen(QColor(theme.window), 5.0))
        painter.drawEllipse(
            QPointF(POINTER_SIZE / 2, POINTER_SIZE / 2), POINTER_SIZE / 2 - 4, POINTER_SIZE / 2 - 4
        )
        painter.setPen(QPen(QColor("#ff2b2b"), 3.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(
            QPointF(POINTER_SIZE / 2, POINTER_SIZE / 2), POINTER_SIZE / 2 - 5, POINTER_SIZE / 2 - 5
        )

    return draw_pixmap(QSize(POINTER_SIZE, POINTER_SIZE), 1.0, Qt.GlobalColor.transparent, draw)
