"""Controller that shows the start page in place of the run, and opens the file or lesson that the user chooses there."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QObject, QTimer, Signal

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.document_file import DocumentFile
from quatviz.display.document.user_files import LastSession, load_last_session, preset_entries
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.user_lessons import is_recent_lesson_file, list_lessons
from quatviz.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from quatviz.ui.start.page import ContinueEntry, StartPage

_RESUME_DELAY_MS = 250
"""Delay before the run resumes when it is shown again [ms], so that everything is drawn first."""


class StartPageController(QObject):
    """Controller of a window's start page. The page is created when it is first shown. The run is paused while the page
    covers it."""

    run_covered = Signal(bool)
    """Emitted with True when the start page covers the run, and with False when the run is visible again."""
    pause_requested = Signal(bool)
    """Emitted with True to pause the run, and with False to resume it. The latter is delayed until the window is drawn."""
    lesson_requested = Signal(object)
    """A lesson is to be presented. Emitted with the `Lesson`."""

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__()
        self._window, self._document = window, document
        self.page: StartPage | None = None
        self._last_session: LastSession | None = None
        self.is_run_seen = True
        """True if the user has seen the run that the start page covers. False while the page is shown at startup."""
        self._unseen_file: DocumentFile | None = None
        """File of the initial run as long as the user has not seen that run, otherwise None."""
        self._is_opening = False
        self._resume_timer = QTimer(self, singleShot=True, interval=_RESUME_DELAY_MS)
        self._resume_timer.timeout.connect(
            self._resume_run
        )  # a lambda would keep this object and its window alive
        document.changed.connect(self._leave_on_change)

    def _resume_run(self) -> None:
        self.pause_requested.emit(False)

    def _leave_on_change(self, _: object) -> None:
        """Leave the start page because another run was loaded."""
        if not self._is_opening:
            self.leave()

    @property
    def is_shown(self) -> bool:
        """True while the start page covers the run."""
        return self.page is not None and self._window.stack.currentWidget() is self.page

    def show_at_startup(self) -> None:
        """Show the page at startup. The entry *Continue* offers the last session."""
        self.is_run_seen = False
        self.cover_initial_run()
        self._last_session = load_last_session()
        self.show()

    def show(self) -> None:
        """Show the page, create it if necessary, and pause the run."""
        if self.is_shown:
            return
        if self.page is None:
            self._make_page()
        assert self.page is not None
        self.page.show_entries(
            self._continue_entry(), self._window.file_actions.recent_paths, list_lessons(), preset_entries()
        )
        self._resume_timer.stop()
        self.run_covered.emit(True)
        self.pause_requested.emit(True)
        self._window.stack.setCurrentWidget(self.page)
        self.page.focus_first()

    def leave(self) -> None:
        """Hide the start page and show the run."""
        if self.is_shown:
            self._unseen_file = None
            self._show_run()

    def cover_initial_run(self) -> None:
        """Record that the user has not seen the initial run, because the start page or a lesson covers it."""
        self._unseen_file = self._document.file

    @property
    def is_own_run_chosen(self) -> bool:
        """True if the user has opened or edited the current run, or has left the start page to see it.

        It is False if a lesson has covered the initial run since startup. *Continue* then still offers the last session.
        """
        state = self._document.own_state
        assert state.file is not None
        return state.file is not self._unseen_file or state.file.is_modified(state)

    def _show_run(self) -> None:
        self.is_run_seen, self._last_session = True, None
        self._window.stack.setCurrentIndex(0)
        self._window.setFocus()
        self.run_covered.emit(False)
        self._resume_timer.start()

    def toggle(self) -> None:
        """Show the page, or leave it if it is shown."""
        self.leave() if self.is_shown else self.show()

    def shutdown(self) -> None:
        """Stop timers when the window closes."""
        self._resume_timer.stop()
        if self.page is not None:
            self.page.animator.stop()

    def _make_page(self) -> None:
        from quatviz.ui.start.page import StartPage  # a start with a preset shows no start page

        page = self.page = StartPage(self._window.action_registry)
        self._window.stack.addWidget(page)
        page.continue_requested.connect(self._continue_last)
        page.file_chosen.connect(self._open_path)
        page.lesson_chosen.connect(self.present)

    def _continue_entry(self) -> "ContinueEntry | None":
        """Return the entry under *Continue*: the current run if the user has seen it, else the last session. Return None if
        there is neither."""
        from quatviz.ui.start.page import ContinueEntry

        if self.is_run_seen:
            lesson = self._window.tools.is_presenting
            run_text = tr("Back to the run, at {time:.2f} s", time=self._document.clock())
            return ContinueEntry(
                self._document.state.preset, tr("Back to the lesson") if lesson else run_text
            )
        if self._last_session is None:
            return None
        when = QDateTime.fromSecsSinceEpoch(int(self._last_session.closed_at)).toString("d MMM yyyy, HH:mm")
        return ContinueEntry(
            self._last_session.session.preset, tr("As you left this run on {when}", when=when)
        )

    def _continue_last(self) -> None:
        remembered = self._last_session
        if remembered is not None:
            self._window.file_actions.restore(remembered.path)
        self.leave()

    def _open_path(self, path: Path) -> None:
        """Open a run or present a lesson. A refusal is explained on the page, which stays open."""
        if is_recent_lesson_file(path):
            self.present(path)
            return
        self._is_opening = True
        is_opened = self._window.file_actions.open(path)
        self._is_opening = False
        if is_opened:
            self.leave()

    def present(self, path: Path) -> None:
        """Present the lesson in a file, or explain on the page why it cannot be read."""
        try:
            lesson = read_lesson(path)
        except InputError as refusal:
            self.explain(refusal) if self.is_shown else self._window.messages.explain(refusal)
            return
        if self.is_shown:
            self._show_run()  # the lesson uses the window of the run
        self.lesson_requested.emit(lesson)

    def explain(self, refusal: InputError) -> None:
        """Explain a refusal on the page, if the page is shown."""
        if self.is_shown and self.page is not None:
            self.page.explain(refusal)
