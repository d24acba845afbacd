"""Leads through a lesson: which place is shown, how long it has taken, and what comes next."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from quatviz.base.errors import InputError
from quatviz.base.markdown import formulae_of
from quatviz.base.tr import tr, translated
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.lessons import Lesson
from quatviz.look.arrangement import Layout
from quatviz.ui.kit.job import Job
from quatviz.ui.kit.style import theme_of
from quatviz.ui.kit.typeset import book
from quatviz.ui.tools.lessons.ahead import Ahead
from quatviz.ui.tools.lessons.panel import LessonPanel
from quatviz.ui.tools.lessons.pointer import Pointer
from quatviz.ui.tools.lessons.staging import Before, Stage, Staging

log = logging.getLogger(__name__)

SHARES = 0.34, 0.28, 0.38
"""Of the window's width that the words, the 3D view and the plots have: two plots beside each other keep their titles."""


class Presenter(QObject):
    """One lesson in one window. `begin` shows its first step in place of the side column; `leave` gives that back."""

    ended = Signal()

    def __init__(self, window: Stage, document: Document) -> None:
        super().__init__()
        self._window = window
        self.panel = LessonPanel(window.acts)
        self.panel.hide()
        self.staging = Staging(window, document, self)
        self.ahead = Ahead(self)
        self.pointer = Pointer()
        self.lesson: Lesson | None = None
        self.number = 0
        """Which place: a step, or a step with its answer."""
        self._places: list[tuple[int, bool]] = []
        self._before: Before | None = None
        self._job: Job | None = None
        self._began = 0.0
        self._clock = QTimer(self)
        self._clock.setInterval(500)
        self._clock.timeout.connect(self._tell_time)
        panel = self.panel
        panel.next_wanted.connect(self.next)
        panel.back_wanted.connect(self.back)
        panel.leave_wanted.connect(self.leave)
        panel.pointer_wanted.connect(self.toggle_pointer)
        panel.timer_wanted.connect(self.restart_timer)

    @property
    def presenting(self) -> bool:
        """Whether a lesson is shown."""
        return self.lesson is not None

    @property
    def before(self) -> State | None:
        """What the window showed before the lesson; None where there is no lesson."""
        return self._before.state if self._before is not None else None

    def begin(self, lesson: Lesson) -> None:
        """Show a lesson from its first step on."""
        if self._before is None:
            self._before = self.staging.remember()
            splitter = self._window.splitter
            splitter.insertWidget(0, self.panel)
            splitter.setStretchFactor(0, 0)
            self._window.dress(replace(self._before.look, layout=Layout(), maximised=""))
            self._window.side.hide()
            self.panel.show()
            width = max(self._window.width(), 900)
            words, view, plots = (round(share * width) for share in SHARES)
            splitter.setSizes([words, 0, view, plots])
        self.lesson = lesson
        self._places = [
            (step, revealed)
            for step, one in enumerate(lesson.steps)
            for revealed in ((False, True) if one.question is not None else (False,))
        ]
        self._typeset(lesson)
        self.ahead.begin(lesson)
        self.panel.follow_theme()
        self._window.acts.renew()
        self.restart_timer()
        self.go(0)
        self.panel.setFocus()

    def do(self, what: str) -> None:
        """What `ui.window.acts.Tools.follow_lesson` is told."""
        {"next": self.next, "back": self.back, "pointer": self.toggle_pointer, "leave": self.leave}[what]()

    def next(self) -> None:
        """The answer, or the next step; the lesson is left behind the last one."""
        if self.number + 1 < len(self._places):
            self.go(self.number + 1)
        elif self.presenting:
            self.leave()

    def back(self) -> None:
        """What was shown before."""
        if self.number > 0:
            self.go(self.number - 1)

    def go(self, number: int) -> None:
        """Show a place."""
        if self.lesson is None:
            return
        self.number = number
        index, revealed = self._places[number]
        step = self.lesson.steps[index]
        part = step.answer if revealed and step.answer is not None else step.part
        self.panel.show_place(self.lesson, index, revealed)
        folder = self.lesson.path.parent if self.lesson.path is not None else None
        try:
            self.ahead.show(part.scene, folder)
            self.staging.show(part.scene, folder)
        except InputError as refusal:
            refusal = translated(refusal)
            self._window.say(f"{refusal.place}: {refusal.found}; {refusal.remedy}", refusal.topic)

    def leave(self) -> None:
        """End the lesson; the window is as it was before."""
        self._end(run=True)

    def shut_down(self) -> None:
        """The window closes: what it remembers is what it had before the lesson."""
        self._end(run=False)

    def toggle_pointer(self) -> None:
        """The large spot, or the arrow."""
        if self.presenting or self.pointer.on:
            self.pointer.switch(not self.pointer.on, theme_of(self.panel))
            self.panel.pointer.setChecked(self.pointer.on)

    def restart_timer(self) -> None:
        """Count from now on."""
        self._began = time.monotonic()
        self._clock.start()
        self._tell_time()

    def _end(self, run: bool) -> None:
        before, self._before = self._before, None
        if before is None:
            return
        self.lesson, self._places, self.number = None, [], 0
        self._clock.stop()
        self.ahead.stop()
        self._stop_job()
        self.pointer.switch(False, theme_of(self.panel))
        self.panel.pointer.setChecked(False)
        self._window.acts.renew()
        self.panel.hide()
        self.panel.setParent(None)
        self._window.side.show()
        self.staging.give_back(before, run)
        self._window.setFocus()
        self.ended.emit()

    def _tell_time(self) -> None:
        spent = int(time.monotonic() - self._began)
        said = f"{spent // 60}:{spent % 60:02d}"
        planned = self.lesson.minutes if self.lesson is not None else 0
        self.panel.say_time(tr("{said} of {planned} min", said=said, planned=planned) if planned else said)

    def _typeset(self, lesson: Lesson) -> None:
        """In a thread: the first formula of a start takes a second."""
        self._stop_job()
        parts = [part for step in lesson.steps for part in (step.part, step.answer) if part is not None]
        asked = [step.question.ask for step in lesson.steps if step.question is not None]
        lacking = book().lacks(
            latex for words in [*(part.words for part in parts), *asked] for latex in formulae_of(words)
        )
        if not lacking:
            return
        self._job = Job(lambda told: book().draw_all(lacking, told), self)
        self._job.ended.connect(self._typeset_ended)
        self._job.start()

    def _typeset_ended(self, outcome: object) -> None:
        if self._job is not None:
            self._job.deleteLater()
            self._job = None
        if isinstance(outcome, BaseException):
            log.error("formulae cannot be typeset", exc_info=outcome)
            self._window.say(tr("A formula cannot be typeset: {outcome}", outcome=outcome))
        self.panel.renew()

    def _stop_job(self) -> None:
        if self._job is not None:
            self._job.shut_down()
            self._job = None
