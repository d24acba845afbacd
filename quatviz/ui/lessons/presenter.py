"""Leads through a lesson: which place is shown, how long it has taken, and what comes next."""

import time
from itertools import chain

from PySide6.QtCore import QObject, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QPainter, QPen, QPixmap

from quatviz.base.errors import InputError
from quatviz.base.markdown import formulae_of
from quatviz.base.tr import tr
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.lessons import Lesson, read_lesson
from quatviz.lessons.leading import Asks, Lectures, Page, Votes, pages_of, place_of
from quatviz.lessons.own import is_own, own_files
from quatviz.look.arrangement import shares
from quatviz.look.belonging import ROOM
from quatviz.look.look import Look
from quatviz.look.theme import PROJECTOR, Theme
from quatviz.ui.kit.painting import drawn
from quatviz.ui.kit.style import clear, theme_of
from quatviz.ui.kit.text.typeset import Typesetting
from quatviz.ui.lessons.ahead import Ahead
from quatviz.ui.lessons.panel import LessonPanel
from quatviz.ui.lessons.staging import Before, Staging
from quatviz.ui.lessons.watch import Watch
from quatviz.ui.window.main_window import MainWindow

SPOT = 56
"""Width of the spot that points [pixels]."""


class Presenter(QObject):
    """One lesson in one window. `begin` shows its first step in place of the side column; `leave` gives that back."""

    ended = Signal()

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__()
        self._window, self._document = window, document
        self.panel = LessonPanel(window.acts)
        self.panel.hide()
        self.staging = Staging(window, document, self)
        self.ahead = Ahead(self)
        self.watch = Watch(self)
        self.watch.changed.connect(self._read_again)
        self.pointing = False
        """Whether the mouse's arrow is a large spot."""
        self._desk: tuple[Theme, Qt.WindowState] | None = None
        """What the window wore before it was shown to a room."""
        self.lesson: Lesson | None = None
        self.number = 0
        """Which of its pages."""
        self._pages: tuple[Page, ...] = ()
        self._shares = (0.0, 0.0, 0.0)
        self._shared: Asks | None = None
        """The question that they are for."""
        self.votes, self._lectures = Votes(), Lectures()
        self.votes.changed.connect(self._show_votes)
        self._interrupted = 0
        """The page at which the last lecture of this lesson was left."""
        self._before: Before | None = None
        self._typesetting = Typesetting(self)
        self._typesetting.ended.connect(self._typeset)
        self._began = 0.0
        self._clock = QTimer(self, interval=500)
        self._clock.timeout.connect(self._tell_time)
        self.panel.timer.clicked.connect(self.restart_timer)
        self.panel.again.clicked.connect(self._repeat)
        self.panel.earlier.clicked.connect(self._go_on)
        self.panel.anew.clicked.connect(self._begin_votes_anew)
        self.panel.question.begun.connect(self._begin_count)
        self.panel.question.counted.connect(self._count)
        self.panel.question.count.toggled.connect(self._share_width)  # fields for votes take room
        document.changed.connect(self._follow_edits)

    @property
    def presenting(self) -> bool:
        """Whether a lesson is shown."""
        return self.lesson is not None

    @property
    def before(self) -> State | None:
        """What the window showed before the lesson; None where there is no lesson."""
        return self._before.state if self._before is not None else None

    def begin(self, lesson: Lesson) -> None:
        """Show a lesson from its first step on, and its end page at last."""
        if self._before is None:
            self._before = self.staging.remember()
            splitter = self._window.splitter
            splitter.insertWidget(0, self.panel)
            self._share_room(0)
            self._window.dress(Look().taking(self._before.look, (ROOM,)))
            self._window.side.hide()
            self.panel.show()
            self._shares = (0.0, 0.0, 0.0)
        self.number = 0
        self._take(lesson)
        self._interrupted, rounds = self._lectures.of(lesson)
        self.votes.take(rounds)
        self._offer()
        if is_own(lesson) and lesson.path is not None:
            own_files().add(lesson.path)
        self.panel.follow_theme()
        self._window.acts.renew()
        self.restart_timer()
        self.go(0)
        self.panel.setFocus()

    def _take(self, lesson: Lesson) -> None:
        """Its pages, and what goes on beside them while they are shown."""
        self.lesson, self._pages = lesson, pages_of(lesson)
        self.staging.take(lesson)
        self.watch.begin(lesson)
        self._typesetting.begin(chain.from_iterable(map(formulae_of, lesson.words)))
        self.ahead.begin(lesson)

    def do(self, what: str) -> None:
        """What `ui.window.main_window.Tools.follow_lesson` is told."""
        acts = {"next": self.next, "back": self.back, "pointer": self.toggle_pointer, "leave": self.leave}
        {**acts, "votes": self.panel.question.count.click, "room": self.toggle_room}[what]()

    def next(self) -> None:
        """The answer or the next step, once all of the page was in sight."""
        if not self.panel.show_rest() and self.number + 1 < len(self._pages):
            self.go(self.number + 1)

    def back(self) -> None:
        """What was shown before."""
        if self.number > 0:
            self.go(self.number - 1)

    def go(self, number: int) -> None:
        """Show a page."""
        if self.lesson is None:
            return
        self.number = number
        if number:
            self._keep()
        page = self._pages[number]
        self.panel.show_page(self.lesson, self._pages, number, self.votes.of(page.asks))
        self.panel.room.setVisible(number == 0 and not self.in_room)
        self._share_width()
        self._window.narrator.announce(self.panel.said)
        folder = self.lesson.path.parent if self.lesson.path is not None else None
        try:
            self.ahead.show(page.scene, folder)
            self.staging.show(page.scene, folder)
            self._follow_edits(self._document.state)
        except InputError as refusal:
            self._window.explain(refusal)

    def counted(self, back: bool) -> Votes | None:
        """The votes, where the last of what can be undone, or the first that can be done again, is a number of the question that
        is shown."""
        steps = self.votes.steps[-1:] if back else self.votes.undone[:1]
        ours = any(step.asks == self._asks and (not back or step.mark == self._mark) for step in steps)
        return self.votes if ours else None

    @property
    def _mark(self) -> object:
        return self._document.steps[-1:]

    @property
    def _asks(self) -> Asks | None:
        return self._pages[self.number].asks if self.presenting else None

    def _begin_count(self) -> None:
        asks = self._asks
        if asks is not None:
            self.votes.begin(asks, self._mark)

    def _count(self, answer: int, votes: int) -> None:
        asks = self._asks
        if asks is not None:
            self.votes.count(asks, answer, votes, self._mark)

    def _keep(self) -> None:
        """A lecture that ends here unforeseen goes on here; one that has come to its end does not."""
        if self.lesson is not None:
            at = self.number if self.number + 1 < len(self._pages) else 0
            self._lectures.keep(self.lesson, at, self.votes.all)

    def _offer(self) -> None:
        earlier = self._pages[self._interrupted] if self._interrupted else None
        self.panel.offer(earlier, len(self.votes.all), self.votes.anew)

    def _go_on(self) -> None:
        """Where a lecture was interrupted."""
        self.go(self._interrupted)

    def _begin_votes_anew(self) -> None:
        self.votes.begin_anew()
        self._offer()
        self.go(self.number)

    def _show_votes(self) -> None:
        if self.presenting:
            self._keep()
            self.panel.question.show_votes(self.votes.of(self._pages[self.number].asks))
        self._window.acts.renew()

    def leave(self) -> None:
        """End the lesson; the window is as it was before."""
        self._end(run=True)

    def shut_down(self) -> None:
        """The window closes: what it remembers is what it had before the lesson."""
        self._end(run=False)

    def toggle_pointer(self) -> None:
        """A large spot in place of the mouse's arrow, which a lecture room sees, or the arrow. The desktop itself moves it:
        nothing is painted anew."""
        if not self.presenting and not self.pointing:
            return
        self.pointing = not self.pointing
        if self.pointing:
            cursor = QCursor(spot(theme_of(self.panel)), SPOT // 2, SPOT // 2)
            QGuiApplication.setOverrideCursor(cursor)
        else:
            QGuiApplication.restoreOverrideCursor()
        self.panel.pointer.setChecked(self.pointing)

    @property
    def in_room(self) -> bool:
        """Whether a lecture room is to see it: in the projector's theme, on the whole screen."""
        return self._desk is not None

    def toggle_room(self) -> None:
        """Show it to a lecture room, or as it was before."""
        window = self._window
        if self._desk is None and self.presenting:
            self._desk = window.theme, window.windowState()
            window.show_theme(PROJECTOR)
            window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        elif self._desk is not None:
            (theme, state), self._desk = self._desk, None
            window.show_theme(theme)
            window.setWindowState(state)
        self.panel.room.hide()
        window.acts.renew()

    def _share_room(self, stretch: int) -> None:
        """Whether views and plots take what room there is more, or each part its share of it: words grow with their type."""
        for part in (self._window.views, self._window.board):
            self._window.splitter.setStretchFactor(self._window.splitter.indexOf(part), stretch)

    def _share_width(self) -> None:
        """Let the words have no more of a narrow window than they need, unless a hand has moved the line between them. While one
        question is shown it only grows: nothing moves when it is answered."""
        width, grows = self._window.width(), self._asks is not None and self._asks == self._shared
        self._shared = self._asks
        wanted = shares(width, self._shares[0] if grows else 0.0, self.panel.holds)
        if wanted != self._shares:
            self._shares = wanted
            words, view, plots = (round(share * width) for share in wanted)
            self._window.splitter.setSizes([words, 0, view, plots])
        self.panel.fit()

    def restart_timer(self) -> None:
        """Count from now on."""
        self._began = time.monotonic()
        self._clock.start()
        self._tell_time()

    def _end(self, run: bool) -> None:
        before, self._before = self._before, None
        if before is None:
            return
        self.lesson, self._pages, self.number = None, (), 0
        self._clock.stop()
        self.ahead.stop()
        self.watch.stop()
        self._typesetting.stop()
        if self.pointing:
            self.toggle_pointer()
        if self.in_room:
            self.toggle_room()
        self._share_room(1)
        self._window.acts.renew()
        self.panel.hide()
        self.panel.setParent(None)
        self._window.side.show()
        self.staging.give_back(before, run)
        self._window.setFocus()
        self.ended.emit()

    def _repeat(self) -> None:
        self.go(self.number)

    def _read_again(self) -> None:
        """The lesson's file has changed: show the page that is shown as it is now, or say why that cannot be."""
        if self.lesson is None or self.lesson.path is None:
            return
        try:
            lesson = read_lesson(self.lesson.path)
        except InputError as refusal:
            self._window.explain(refusal)
            return
        shown = self._pages[self.number]
        self._take(lesson)
        self.staging.forget()
        self.go(place_of(shown, self._pages))
        self._window.say(tr("The lesson is read again"))

    def _follow_edits(self, state: State) -> None:
        """What a person changes while a lesson is presented, by a kick perhaps, may make its figures wrong."""
        if self.presenting:
            self.panel.show_edited(state.preset != self.staging.staged)

    def _tell_time(self) -> None:
        spent = int(time.monotonic() - self._began)
        said = f"{spent // 60}:{spent % 60:02d}"
        planned = self.lesson.minutes if self.lesson is not None else 0
        self.panel.timer.setText(
            tr("{said} of {planned} min", said=said, planned=planned) if planned else said
        )

    def _typeset(self, fault: BaseException | None) -> None:
        if fault is not None:
            self._window.say(tr("A formula cannot be typeset: {outcome}", outcome=fault))
        self.panel.renew()
        if self.presenting:
            self._share_width()  # formulae take another room than their letters, for which the column was chosen


def spot(theme: Theme) -> QPixmap:
    """Red, to be seen through, with a rim of the ground's colour."""

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(clear("#ff2b2b", 0.45))
        painter.setPen(QPen(QColor(theme.window), 5.0))
        painter.drawEllipse(QPointF(SPOT / 2, SPOT / 2), SPOT / 2 - 4, SPOT / 2 - 4)
        painter.setPen(QPen(QColor("#ff2b2b"), 3.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(SPOT / 2, SPOT / 2), SPOT / 2 - 5, SPOT / 2 - 5)

    return drawn(QSize(SPOT, SPOT), 1.0, Qt.GlobalColor.transparent, draw)
