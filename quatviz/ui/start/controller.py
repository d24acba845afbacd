"""Shows the start page in place of the run, and takes what is chosen there to where it belongs."""

from pathlib import Path

from PySide6.QtCore import QDateTime, QObject, QTimer, Signal

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.user_files import Last, last, preset_entries
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.user_lessons import is_own_file, listed
from quatviz.ui.start.page import Going, StartPage
from quatviz.ui.window.main_window import MainWindow

_DRAWING_MS = 250
"""How long the run rests when it is shown again, while everything is drawn once."""


class Front(QObject):
    """One start page of one window, made when it is first asked for. While it is shown the run rests."""

    covered = Signal(bool)
    """Whether the page hides the run."""
    held = Signal(bool)
    """Whether the run is to rest: a moment longer, until it is drawn."""
    lesson_wanted = Signal(object)
    """A `Lesson` is to be presented."""

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__()
        self._window, self._document = window, document
        self.page: StartPage | None = None
        self._last: Last | None = None
        self.chosen = True
        """Whether the run behind the page is one that a person has seen: not so at a start."""
        self._taking = False
        self._rest = QTimer(self, singleShot=True, interval=_DRAWING_MS)
        self._rest.timeout.connect(
            self._let_run
        )  # a lambda would keep this, and the window with it, for ever
        document.changed.connect(self._follow)

    def _let_run(self) -> None:
        self.held.emit(False)

    def _follow(self, _: object) -> None:
        """Another run is there to be seen."""
        if not self._taking:
            self.leave()

    @property
    def shown(self) -> bool:
        """Whether the page stands in place of the run."""
        return self.page is not None and self._window.stack.currentWidget() is self.page

    def begin(self) -> None:
        """Show the page at a start: what can be gone on with is what was open last."""
        self.chosen = False
        self._last = last()
        self.show()

    def show(self) -> None:
        """Show the page."""
        if self.shown:
            return
        if self.page is None:
            self._make()
        assert self.page is not None
        self.page.fill(self._going(), self._window.desk.recents, listed(), preset_entries())
        self._rest.stop()
        self.covered.emit(True)
        self.held.emit(True)
        self._window.stack.setCurrentWidget(self.page)
        self.page.begin()

    def leave(self) -> None:
        """Show the run again."""
        if not self.shown:
            return
        self.chosen, self._last = True, None
        self._window.stack.setCurrentIndex(0)
        self._window.setFocus()
        self.covered.emit(False)
        self._rest.start()

    def toggle(self) -> None:
        """Show the page, or the run."""
        self.leave() if self.shown else self.show()

    def shut_down(self) -> None:
        """The window closes."""
        self._rest.stop()
        if self.page is not None:
            self.page.turns.stop()

    def _make(self) -> None:
        page = self.page = StartPage(self._window.acts)
        self._window.stack.addWidget(page)
        page.going_on.connect(self._go_on)
        page.file_chosen.connect(self._take)
        page.lesson_chosen.connect(self.present)

    def _going(self) -> Going | None:
        """What can be gone on with."""
        if self.chosen:
            lesson = self._window.tools.presenting
            run = tr("Back to the run, at {time:.2f} s", time=self._document.clock())
            return Going(self._document.state.preset, tr("Back to the lesson") if lesson else run)
        if self._last is None:
            return None
        when = QDateTime.fromSecsSinceEpoch(int(self._last.closed)).toString("d MMM yyyy, HH:mm")
        return Going(self._last.session.preset, tr("As you left it on {when}", when=when))

    def _go_on(self) -> None:
        remembered = self._last
        if remembered is not None:
            self._window.desk.restore(remembered.path)
        self.leave()

    def _take(self, path: Path) -> None:
        """Show a run, or present a lesson; what cannot be shown is explained on the page, which stays."""
        if is_own_file(path):
            self.present(path)
            return
        self._taking = True
        shown = self._window.desk.open(path)
        self._taking = False
        if shown:
            self.leave()

    def present(self, path: Path) -> None:
        """Have the lesson of a file presented, or say why that cannot be, on the page where that is what a person sees."""
        try:
            lesson = read_lesson(path)
        except InputError as refusal:
            self.explain(refusal) if self.shown else self._window.explain(refusal)
            return
        self.leave()
        self.lesson_wanted.emit(lesson)

    def explain(self, refusal: InputError) -> None:
        """Say on the page why something is not shown, where that is what a person sees."""
        if self.shown and self.page is not None:
            self.page.explain(refusal)
