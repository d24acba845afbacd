"""The composition root of the window: makes every part, introduces them, and takes them down in order."""

from __future__ import annotations

import gc
import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from quatviz import resources
from quatviz.core.meshes import SUFFIXES
from quatviz.core.preset import Preset
from quatviz.core.session import Session as Saved
from quatviz.core.session import View
from quatviz.core.topics import FAULT
from quatviz.lessons import Lesson
from quatviz.simulation.commands import SetSpeed
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.runner import Runner, Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import Worker
from quatviz.ui.bridge import Bridge
from quatviz.ui.editing import Editor, State
from quatviz.ui.export.exporter import Exporter
from quatviz.ui.film.live import Takes
from quatviz.ui.fonts import load_fonts
from quatviz.ui.hashes import HashDialog
from quatviz.ui.help.links import HelpLinks
from quatviz.ui.look_menu import LookMenu
from quatviz.ui.main_window import MainWindow
from quatviz.ui.old_future import OldFuture, parting
from quatviz.ui.process_hooks import GuardedFaults, keep_memory_together, report_exceptions, stop_on_interrupt
from quatviz.ui.recovery import Autosave, lost_sessions
from quatviz.ui.scene.gl_support import prepare_gl
from quatviz.ui.session_view import dress, go_there, snapshot_of, state_of, view_of
from quatviz.ui.settings import Settings
from quatviz.ui.start.front import Front
from quatviz.ui.start.last import keep_last
from quatviz.ui.style import apply_theme
from quatviz.ui.theme import DARK, Theme
from quatviz.ui.tr import install_translator

if TYPE_CHECKING:
    from quatviz.ui.help.tour import Tour
    from quatviz.ui.help.window import HelpWindow
    from quatviz.ui.lessons.presenter import Presenter
    from quatviz.ui.study.window import StudyWindow

log = logging.getLogger(__name__)

_PATIENCE = 0.05
"""How long an edit may wait for its run [s]: most are computed by then, and the window shows no half-drawn curves."""


_LOADING = 1.5
"""How long the window waits at most for kernels that are in the cache [s]."""
_SETTLING = 0.2
"""How long it is given to find its size and to draw everything once [s]."""


class Session:
    """One window with the run that it shows, one after another. `open` starts it; closing the window ends it."""

    def __init__(
        self,
        preset: Preset,
        theme: Theme = DARK,
        playing: bool = True,
        view: View | None = None,
        start_page: bool = False,
    ) -> None:
        self._view = view
        self.simulation = Simulation(preset)
        self._preparation = ChildCompilation(preset)
        runner = Runner(self.simulation, self._preparation, playing)
        if view is not None:
            runner.resume(snapshot_of(view))
        self.worker = Worker(runner)
        self.settings = Settings()
        self.editor = Editor(State.of(preset) if view is None else state_of(Saved(preset, view)), self._show)
        self.window = MainWindow(theme, self.editor)
        self._expected: Snapshot | None = None
        """Where the next run is to begin, if a session says so."""
        self._join_desk()
        self.look = LookMenu(self.window, self.settings, self.window.menus["View"])
        self.exporter = Exporter(
            self.window,
            self.window.board,
            self.window.scene,
            lambda: self.window.theme,
            lambda: self.simulation,
        )
        self.bridge = Bridge(self.simulation, self.worker, (*self.window.listeners, self.exporter))
        self.exporter.lesson = lambda: self.presenter.lesson if self.presenter is not None else None
        self.exporter.takes = Takes(self.window, self.bridge)
        self.bridge.take(self.simulation, self.worker, self.editor.state.display)
        self.window.command.connect(self.bridge.send)
        self.window.closed.connect(self.close)
        self.bridge.faulted.connect(lambda sentence: self.window.say(sentence, FAULT))
        self._guarded = GuardedFaults(self.window, lambda sentence: self.window.say(sentence, FAULT))
        self.window.study_wanted.connect(self.open_study)
        self.window.hashes_wanted.connect(self.show_hashes)
        self.window.export_wanted.connect(self.exporter.ask)
        self.window.restyled.connect(self.exporter.restyle)
        self.window.tour_wanted.connect(self.start_tour)
        self.window.lesson_wanted.connect(self.follow_lesson)
        self.links = HelpLinks()
        self.links.wanted.connect(self.open_help)
        self.study: StudyWindow | None = None
        self.help: HelpWindow | None = None
        self.tour: Tour | None = None
        self.presenter: Presenter | None = None
        self.front = Front(self.window, self.editor, lambda: self.follow_lesson("leave"))
        self.front.held.connect(self._hold)
        self.front.covered.connect(self.bridge.rest)
        self.front.lesson_wanted.connect(self.present)
        self._start_page = start_page
        self._open = False

    def _join_desk(self) -> None:
        """Let files and clipboard know of the run, and what is done be kept in case the process is killed."""
        desk, picker = self.window.desk, self.window.side.picker
        desk.view = lambda: view_of(self.window, self.worker.snapshot, self.editor.state.display)
        self.autosave = Autosave(lambda: desk.session, lambda: bool(self.editor.steps))
        self.autosave.failed.connect(lambda sentence: self.window.say(sentence, "errors#files"))
        desk.kept = self.autosave.folder
        desk.takers.update(dict.fromkeys(SUFFIXES, self.window.side.take_mesh))
        picker.opening = self._expect
        picker.opened = self._arrive

    def _expect(self, view: View | None) -> None:
        self._expected = None if view is None else snapshot_of(view)

    def _arrive(self, view: View) -> None:
        """Show a session's view; the cursor of a run that is the same as before has yet to go there."""
        if self._expected is not None:
            self._expected = None
            go_there(view, self.bridge.send)
        dress(self.window, view)

    def open(self) -> None:
        """Show the window and begin to compute and to play."""
        self._open = True
        self._guarded.begin()
        damage = self.settings.mend()
        self.settings.restore(self.window)
        if self._start_page:
            self.front.begin()
        self.window.show()
        self.bridge.introduce()
        if self._view is not None:
            dress(self.window, self._view)
            self.window.desk.keep_at(self.simulation.preset.path)
        self._settle()
        if not self._open:
            return  # somebody has closed it already
        gc.collect()
        gc.freeze()  # what lives as long as the window need not be searched for garbage while it plays
        self.bridge.start()
        if damage:
            self.window.say(damage)
        self.window.recovery.offer(lost_sessions())
        self.autosave.start()

    def _settle(self) -> None:
        """Load kernels and draw the first pictures, at the size that the desktop gives the window, before the cursor
        moves: each of these would hold up what moves."""
        runner = self.worker.runner
        runner.held = True
        self.worker.start()
        self._wait(_LOADING, self.worker.loaded.is_set)
        self._wait(_SETTLING, lambda: False)
        runner.held = self.front.shown

    def _hold(self, on: bool) -> None:
        """Let the run rest while something else is shown in its place."""
        self.worker.runner.held = on

    def _wait(self, seconds: float, ended: Callable[[], bool]) -> None:
        until = time.monotonic() + seconds
        while self._open and time.monotonic() < until and not ended():
            self.bridge.tick()
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)

    def open_study(self) -> None:
        """Show the window of studies, which is made when it is first asked for."""
        if self.study is None:
            from quatviz.ui.study.window import StudyWindow

            self.study = StudyWindow(self.window.theme, self.editor)
            self.window.restyled.connect(self.study.restyle)
        self.study.show()
        self.study.raise_()
        self.study.activateWindow()

    def open_help(self, topic: str = "") -> None:
        """Show a topic of the help, or what was read last."""
        if self.help is None:
            from quatviz.ui.help.window import HelpWindow

            self.help = HelpWindow(self.window.theme, self.window)
            self.window.restyled.connect(self.help.restyle)
        self.help.open(topic)

    def start_tour(self) -> None:
        """Lead through the window; at a first start nobody has to ask for it."""
        self.settings.remember_tour()
        if self.tour is None:
            from quatviz.ui.help.tour import Tour

            self.tour = Tour(self.window.theme, self.window)
            self.window.restyled.connect(self.tour.restyle)
        self.tour.begin()

    def present(self, lesson: Lesson) -> None:
        """Present a lesson in the window."""
        if self.presenter is None:
            from quatviz.ui.lessons.presenter import Presenter

            self.presenter = Presenter(self.window, self.editor)
        self.presenter.begin(lesson)

    def follow_lesson(self, what: str) -> None:
        """Let a person choose a lesson, or do what a lesson that is presented offers."""
        if what == "open":
            from quatviz.ui.lessons.chooser import LessonChooser

            chooser = LessonChooser(self.window.theme, self.window)
            chooser.chosen.connect(self.present)
            chooser.finished.connect(chooser.deleteLater)
            chooser.open()
        elif self.presenter is not None:
            self.presenter.do(what)

    def _show(self, state: State) -> None:
        """Show another state of the editor. A `Refusal` leaves the run that is shown as it was."""
        before = self.simulation.preset
        if state.preset.same_run(before):
            if state.preset.speed != before.speed:
                self.simulation.preset = state.preset  # which is what exports write
                self.bridge.send(SetSpeed(state.preset.speed))
            self.bridge.dress(state.display)
            self.window.board.recolour()
            return
        simulation = Simulation(state.preset)
        self.window.old.take(self._old_future(state.preset))
        anew = before.title != state.preset.title or before.speed != state.preset.speed
        self._replace(simulation, state, keep=not anew)

    def _old_future(self, after: Preset) -> OldFuture | None:
        """What the run that is shown goes on to, where a new step leads away from it; the one that is drawn already, where
        only lanes change."""
        if not self.editor.proposing:
            return None
        before = self.simulation.preset
        if replace(before, lanes=()).same_run(replace(after, lanes=())):
            return self.window.board.choices.old
        first = parting(before, after)
        return None if first is None else OldFuture(self.simulation, first)

    def show_hashes(self) -> None:
        """Show the hashes of what is computed so far."""
        dialog = HashDialog(self.simulation, self.window.theme, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _replace(self, simulation: Simulation, state: State, keep: bool) -> None:
        """Stop the run and start another in its place; `keep` leaves the cursor where it is."""
        for hashes in self.window.findChildren(HashDialog):
            hashes.close()  # they are of the run that ends
        self.bridge.stop()
        preparation = ChildCompilation(state.preset)
        preparation.take_over(self._preparation, simulation)
        self.worker.stop()
        self._preparation = preparation
        runner = Runner(simulation, preparation)
        if self._expected is not None:
            runner.resume(self._expected)
            self._expected = None
        elif keep:
            runner.resume(self.worker.snapshot)
        self.simulation, self.worker = simulation, Worker(runner)
        self.bridge.take(self.simulation, self.worker, state.display)
        if self._open:
            self.worker.start()
            self.worker.rested.wait(_PATIENCE)
            self.bridge.introduce()
            self.bridge.start()

    def _remember_run(self) -> None:
        """What is open can be gone on with at the next start, unless nobody has seen it yet."""
        if not self.front.chosen:
            return
        before = self.presenter.before if self.presenter is not None else None
        keep_last(self.window.desk.session if before is None else Saved(before.preset, View()))

    def close(self) -> None:
        """Stop the timer, the thread and its child, then the graphics. Safe to call twice."""
        if not self._open:
            return
        self._open = False
        self.autosave.stop()
        self._remember_run()
        if self.study is not None:
            self.study.shut_down()
            self.study = None
        if self.tour is not None:
            self.tour.end()
        if self.presenter is not None:
            self.presenter.shut_down()
        self.links.close()
        if self.help is not None:
            self.help.shut_down()
            self.help = None
        self.exporter.shut_down()
        self.bridge.stop()
        self.worker.stop()
        self.editor.close()
        self.front.shut_down()
        self.settings.save(self.window)
        self.window.shut_down()
        self._guarded.end()
        for part in (self.editor, self.bridge, self.autosave, self.links):
            part.deleteLater()  # and with it what it calls, which holds the run
        gc.unfreeze()
        gc.unfreeze()


def make_application(theme: Theme = DARK) -> QApplication:
    """The Qt application with its fonts and theme; a `Refusal` where this machine has no display."""
    keep_memory_together()
    prepare_gl()
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        scale = Settings().scale()
        if scale != 100:
            os.environ.setdefault("QT_SCALE_FACTOR", str(scale / 100))
        app = QApplication(sys.argv[:1])
    app.setApplicationName("quatviz")
    install_translator(app)
    app.setApplicationDisplayName("quatviz")
    app.setWindowIcon(QIcon(str(resources.asset("icon.svg"))))
    load_fonts()
    apply_theme(app, theme)
    return app


def run_window(
    preset: Preset,
    present: Path | None = None,
    tour: bool | None = None,
    view: View | None = None,
    start_page: bool = False,
) -> int:
    """Show the window until it is closed; with `present`, until picture and table are in that folder.

    `tour` says whether to begin with the tour of the window: at a first start where it is None. `view` is that of the
    session that the preset is of, if it is of one. `start_page` begins with the start page, unless the tour does.
    """
    theme = Settings().theme()
    app = make_application(theme)
    warm_up()
    touring = tour if tour is not None else present is None and not Settings().toured()
    session = Session(preset, theme, view=view, start_page=start_page and present is None and not touring)
    failure: list[str] = []
    report_exceptions(session.window.say)
    heartbeat = stop_on_interrupt(app)
    if present is not None:
        from quatviz.presentation import Presentation

        presentation = Presentation(session, present, failure.append)
        presentation.start()
    session.open()
    if touring:
        session.start_tour()
    app.exec()
    heartbeat.stop()
    session.close()
    for sentence in failure:
        print(sentence, file=sys.stderr)
    return 1 if failure else 0


def warm_up() -> None:
    """Do before the window shows what would stall it later: numba's first kernel needs a third of a second."""
    sys.setswitchinterval(0.0005)  # the thread that paints waits at most this long for the GIL
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
