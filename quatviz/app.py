"""The composition root of the window: makes every part, introduces them, and takes them down in order."""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEventLoop, QLocale, QSize, Qt, QTimer, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from quatviz.base import resources
from quatviz.base.help_topics import FAULT
from quatviz.base.translation import tr
from quatviz.display.data.derived_sources import OldFuture, parting
from quatviz.display.data.frame_builder import PATIENCE, longer
from quatviz.display.document.autosave import Autosave
from quatviz.display.document.document import Change, Document
from quatviz.display.document.state import snapshot_of, state_of
from quatviz.display.document.user_files import keep_last, lost_sessions
from quatviz.display.view_state.choices import Old
from quatviz.display.view_state.session import Session as Saved
from quatviz.display.view_state.theme import DARK, THEMES, Theme
from quatviz.display.view_state.view_state import Look
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Hold, SetSpeed
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import Worker, keep_memory_together
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.scene.gl_context import prepare_gl
from quatviz.ui.start.controller import Front
from quatviz.ui.tools.export import EXPORTS
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.tools.hashes import HashDialog
from quatviz.ui.widgets.controls import HelpLinks, bring_forward
from quatviz.ui.widgets.style import apply_scale, apply_theme, begin_scale, dressed_when_whole, load_fonts
from quatviz.ui.window.actions import ACTS
from quatviz.ui.window.command_palette import runs_of
from quatviz.ui.window.frame_loop import Bridge
from quatviz.ui.window.main_window import MainWindow, Tools
from quatviz.ui.window.offscreen import take_of_window
from quatviz.ui.window.poll_timer import Keeper
from quatviz.ui.window.process_hooks import (
    DISPLAY_GONE,
    GarbageTimer,
    GuardedFaults,
    end_with_the_display,
    report_exceptions,
    stop_on_interrupt,
    told_where_qt_cannot_begin,
)
from quatviz.ui.window.settings import Settings

if TYPE_CHECKING:
    from quatviz.ui.lessons.chooser import LessonChooser
    from quatviz.ui.lessons.presenter import Presenter
    from quatviz.ui.tools.fit.window import FitWindow
    from quatviz.ui.tools.help.tour import Tour
    from quatviz.ui.tools.help.window import HelpWindow
    from quatviz.ui.tools.importing.dialog import ImportDialog
    from quatviz.ui.tools.maps.window import MapWindow
    from quatviz.ui.tools.study.window import StudyWindow

log = logging.getLogger(__name__)

_RESTS = 200
"""After how long a number that is dragged rests [ms]: what was sketched meanwhile is computed as it should be."""

LOADING = 1.5
"""How long the window waits at most for kernels that are in the cache [s]."""
SETTLING = 0.12
"""How long it is given to find its size and to draw everything once [s]."""
_BEAT = 0.01
"""How often it is drawn meanwhile [s]."""


class Session(Tools):
    """One window with the run that it shows, one after another. `open` starts it; closing the window ends it."""

    importing: "ImportDialog | None" = None
    """The dialog that imports recordings, once it was asked for."""
    fit: "FitWindow | None" = None
    """The window of fits, likewise."""

    def __init__(
        self,
        preset: Preset,
        playing: bool = True,
        look: Look | None = None,
        start_page: bool = False,
        preparation: ChildCompilation | None = None,
        proposed: bool = False,
    ) -> None:
        """`proposed` says that the look is how the preset wants to be seen first, as `look.session.Session` has it."""
        self._saved = Saved(preset, look, proposed)
        self.document = Document(state_of(self._saved), self._compute, lambda: self.worker.settle().heading)
        self._preparation = preparation or ChildCompilation(preset)
        runner = Runner(self.simulation, self._preparation, playing)
        begins = snapshot_of(self._saved)
        if begins is not None:
            runner.resume(begins)
        self.worker = Worker(runner)
        self.settings = Settings()
        self.study: StudyWindow | None = None
        self.maps: MapWindow | None = None
        self.help: HelpWindow | None = None
        self.tour: Tour | None = None
        self.chooser: LessonChooser | None = None
        self.presenter: Presenter | None = None
        with dressed_when_whole():
            self.window = MainWindow(self.document, ACTS, self)
        desk = self.window.desk
        tell = partial(self.window.say, topic="errors#files")
        self.autosave = Autosave(desk.kept, lambda: desk.session, lambda: bool(self.document.steps), tell)
        self._garbage = GarbageTimer(self.window)
        self._keeper = Keeper(self.window)
        self._keeper.timeout.connect(self.window.looks.take)
        self._keeper.seldom.connect(self.autosave.keep)
        self._keeper.seldom.connect(lambda: self.settings.keep(self.window))
        self.bridge = Bridge(self.simulation, self.worker, self.document.state.display, self.window.listeners)
        self.exporter = Exporter(
            self.window,
            self.window.board,
            self.window.views,
            lambda: self.window.look,
            self.bridge,
            lambda plan, look: take_of_window(self.window, self.bridge, plan, look),
            lambda: self.presenter.lesson if self.presenter is not None else None,
            EXPORTS,
        )
        self.window.command.connect(self.bridge.send)
        self.window.closed.connect(self.close)
        self.bridge.faulted.connect(lambda sentence: self.window.say(sentence, FAULT))
        self._guarded = GuardedFaults(self.window, lambda sentence: self.window.say(sentence, FAULT))
        self.links = HelpLinks()
        self.links.wanted.connect(self.open_help)
        self.front = Front(self.window, self.document)
        self.window.side.picker.refused.connect(self.front.explain)
        self.front.held.connect(self._hold)
        self.front.covered.connect(self.bridge.rest)
        self.front.lesson_wanted.connect(self.present)
        self._start_page, self._open = start_page, False
        self._resting = QTimer(singleShot=True, interval=_RESTS)
        self._resting.timeout.connect(self._rest)

    @property
    def simulation(self) -> Simulation:
        """The run that is computed now."""
        return self.document.simulation

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
        if self._saved.proposed:
            self.window.dress(self._saved.shown(self.window.look))
        elif self._saved.look is not None:
            self.window.dress(self._saved.look)
            self.window.desk.keep_at(self.simulation.preset.path)
        self._settle()
        if not self._open:
            return  # somebody has closed it already
        # What lives as long as the window need not be searched for garbage while it plays. What is garbage already is
        # little, and finding it first took a third of a second.
        gc.freeze()
        self._garbage.begin()
        self.bridge.start()
        if damage:
            self.window.say(damage)
        if self._preparation.lack is not None:
            self.window.explain(self._preparation.lack)
        self.window.recovery.offer(lost_sessions(self.window.explain))
        self.document.changed.connect(self.autosave.take)
        self.autosave.start()
        self.window.looks.begin()
        self._keeper.start()

    def _settle(self) -> None:
        """Load kernels and draw the first pictures, at the size that the desktop gives the window, before the cursor
        moves: each of these would hold up what moves."""
        self._hold(True)
        self.worker.start()
        settled = time.monotonic() + SETTLING
        self._wait(LOADING, lambda: self.worker.loaded.is_set() and time.monotonic() >= settled)
        self._hold(self.front.shown)

    def _hold(self, on: bool) -> None:
        """Let the run rest while something else is shown in its place."""
        self.worker.submit(Hold(on))

    def _wait(self, seconds: float, ended: Callable[[], bool]) -> None:
        """Go on with the window's events until then. Between two pictures nothing runs here: the thread that loads needs the
        interpreter."""
        until = time.monotonic() + seconds
        while self._open and time.monotonic() < until and not ended():
            self.bridge.tick()
            let_run(_BEAT)

    def open_study(self) -> None:
        """Show the window of studies, which is made when it is first asked for."""
        if self.study is None:
            from quatviz.ui.tools.study.window import StudyWindow

            self.study = StudyWindow(self.document)
        bring_forward(self.study)

    def open_maps(self) -> None:
        """Show the window of maps, likewise."""
        if self.maps is None:
            from quatviz.ui.tools.maps.window import MapWindow

            self.maps = MapWindow(self.document)
        bring_forward(self.maps)

    def open_fit(self) -> None:
        """Show the window of fits, likewise."""
        if self.fit is None:
            from quatviz.ui.tools.fit.window import FitWindow

            self.fit = FitWindow(self.document)
        bring_forward(self.fit)

    def import_recordings(self, paths: Sequence[Path]) -> None:
        self._import_dialog().take(paths)

    def read_again(self, lane: str) -> None:
        self._import_dialog().read_again(lane)

    def _import_dialog(self) -> "ImportDialog":
        """It is made when it is first asked for."""
        if self.importing is None:
            from quatviz.ui.tools.importing.dialog import ImportDialog

            self.importing = ImportDialog(self.document, self.window)
        return self.importing

    def compare(self) -> None:
        from quatviz.ui.tools.compare import CompareDialog

        CompareDialog(self.document, self.window.desk.show, self.window).open()

    def open_help(self, topic: str = "") -> None:
        """Show a topic of the help, or what was read last."""
        if self.help is None:
            from quatviz.ui.tools.help.window import HelpWindow

            self.help = HelpWindow(self.window, lambda: runs_of(self.window))
        self.help.open(topic)

    def start_tour(self) -> None:
        """Lead through the window; at a first start nobody has to ask for it."""
        self.settings.remember_tour()
        if self.tour is None:
            from quatviz.ui.tools.help.tour import Tour

            self.tour = Tour(self.window, self.window.toured)
        self.tour.begin()

    def present(self, lesson: Lesson) -> None:
        """Present a lesson in the window."""
        if self.presenter is None:
            from quatviz.ui.lessons.presenter import Presenter

            self.presenter = Presenter(self.window, self.document)
        self.presenter.begin(lesson)

    def present_lesson(self, path: Path) -> None:
        self.front.present(path)

    def choose_lesson(self) -> None:
        if self.chooser is None:
            from quatviz.ui.lessons.chooser import LessonChooser

            self.chooser = LessonChooser(self.window, self.present_lesson)
        self.chooser.ask()

    @property
    def presenting(self) -> bool:
        return self.presenter is not None and self.presenter.presenting

    def follow_lesson(self, what: str) -> None:
        if self.presenter is not None:
            self.presenter.do(what)

    @property
    def in_room(self) -> bool:
        return self.presenter is not None and self.presenter.in_room

    def counted(self, back: bool) -> Votes | None:
        return self.presenter.counted(back) if self.presenter is not None else None

    def show_run(self) -> None:
        self.front.leave()

    def toggle_start_page(self) -> None:
        self.front.toggle()

    @property
    def scale(self) -> int:
        return self.settings.look.scale

    def set_scale(self, scale: int) -> None:
        self.settings.set_scale(scale)
        apply_scale(scale)
        self.document.said.emit(tr("Everything is shown at {scale}\u00a0%", scale=scale), "")

    def reset_look(self) -> None:
        self.settings.reset(self.window)
        apply_scale(self.scale)

    def _compute(self, change: Change) -> None:
        """Compute and show what the document has become: another run, or the same one at another place or in other
        colours."""
        before, after = change.before.preset, change.after.preset
        if not change.step:
            self.window.looks.show(change.after.look)
        if change.run is not change.old:
            self.window.laboratory.old.take(self._old_future(change))
            anew = before.title != after.title or before.speed != after.speed
            self._replace(change, goes_on=not anew)
            return
        if change.at is not None:
            for command in change.at.commands():
                self.bridge.send(command)
        elif after.speed != before.speed:
            self.bridge.send(SetSpeed(after.speed))
        self.bridge.dress(change.after.display)
        self.window.board.recolour()

    def _old_future(self, change: Change) -> Old | None:
        """What the run that was shown goes on to, where a new step leads away from it; the one that is drawn already, where
        only lanes change, or a hand rests."""
        before, after = change.before.preset, change.after.preset
        if change.goes_on or replace(before, lanes=()).same_run(replace(after, lanes=())):
            return self.window.board.choices.old
        first = parting(before, after) if change.step else None
        return None if first is None else OldFuture(change.old, first)

    def _replace(self, change: Change, goes_on: bool) -> None:
        """Stop the run that is computed and begin with that of the document: where the change says, else where the one that ends
        was if it `goes_on`. One of which a hand makes another soon is seen as soon as it is there."""
        for one in self.window.children():
            if isinstance(one, HashDialog):
                one.close()  # it is of the run that ends
        preset, display = change.after.preset, change.after.display
        passing = self._open and change.goes_on
        awaited = self.bridge.awaits and passing
        if awaited and not self.worker.rested.wait(PATIENCE):
            self.worker.rested.wait(longer(self.worker.snapshot))
        if not passing:
            self.bridge.stop()
        preparation = ChildCompilation(preset)
        preparation.take_over(self._preparation, self.simulation)
        self.worker.stop()
        self._preparation = preparation
        runner = Runner(self.simulation, preparation)
        if change.at is not None:
            runner.resume(change.at)
        elif goes_on:
            runner.take_over(self.worker.runner)
        self.worker = worker = Worker(runner)
        if passing:
            worker.start()
            if awaited:
                self.bridge.tick()  # no hand is so quick that it sees nothing of what it does
            self.bridge.take_soon(self.simulation, worker, display, worker.rested.is_set, change.sketched)
            if change.sketched:
                self._resting.start()
            else:
                self._resting.stop()  # there is nothing to compute better
            return
        self.bridge.take(self.simulation, worker, display)
        if self._open:
            worker.start()
            worker.rested.wait(PATIENCE)
            self.bridge.introduce()
            self.bridge.start()

    def _rest(self) -> None:
        """What was sketched is computed as it should be, once a hand has let go: a busy machine tells late how that moves."""
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.document.settle()
        else:
            self._resting.start()

    def _remember_run(self) -> None:
        """What is open can be gone on with at the next start, unless nobody has seen it yet."""
        if not self.front.chosen:
            return
        before = self.presenter.before if self.presenter is not None else None
        keep_last(self.window.desk.session if before is None else Saved(before.preset))

    def close(self) -> None:
        """Stop the timer, the thread and its child, then the graphics. Safe to call twice."""
        if not self._open:
            return
        self._open = False
        self._resting.stop()
        self._keeper.stop()
        self._garbage.end()
        self._remember_run()
        self.autosave.stop()  # now, for a mesh may be kept with what could be recovered
        for tool in (self.study, self.maps, self.fit, self.importing):
            if tool is not None:
                tool.shut_down()
        self.study = self.maps = self.fit = self.importing = None
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
        self.document.close()
        self.front.shut_down()
        self.settings.save(self.window)
        self.window.shut_down()
        self._guarded.end()
        for part in (self.bridge, self.links, self._keeper):
            part.deleteLater()  # and with it what it calls, which holds the run
        gc.unfreeze()


def install_translator(app: QCoreApplication) -> bool:
    """Use `assets/translations/quatviz_<locale>.qm` for the language of the desktop; False where there is none."""
    try:
        folder = resources.asset("translations")
    except FileNotFoundError:
        return False
    translator = QTranslator()
    if not translator.load(QLocale(), "quatviz", "_", str(folder)):
        return False
    translator.setParent(app)
    return app.installTranslator(translator)


def make_application(theme: Theme = DARK, scale: int | None = None) -> QApplication:
    """The Qt application with its fonts and theme; an `InputError` where this machine has no display."""
    keep_memory_together()
    prepare_gl()
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        scale = Settings().look.scale if scale is None else scale
        leave_out_factors()
        with told_where_qt_cannot_begin():
            app = _begun(scale)
    app.setApplicationName("quatviz")
    install_translator(app)
    app.setApplicationDisplayName("quatviz")
    app.setWindowIcon(QIcon(str(resources.asset("icon.svg"))))
    load_fonts()
    apply_theme(app, theme)
    if scale is not None:
        apply_scale(scale)
    return app


_ROOM = QSize(840, 480)
"""What the window needs of a screen, where Qt shows everything at some size [pixels at 100 %]."""


_SEEN = (0.1, 10.0)
"""Factors with which there is something to be seen on a screen."""


def leave_out_factors() -> None:
    """Forget by which factor Qt is told to show everything where nothing can be shown so: by infinity it would paint for ever."""
    for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"):
        for word in os.environ.get(name, "").split(";"):
            with suppress(ValueError):  # what is no number Qt leaves out by itself
                if not _SEEN[0] <= float(word.rpartition("=")[2]) <= _SEEN[1]:
                    log.warning("%s=%s is left out: nothing can be shown so", name, os.environ.pop(name))
                    break


def _begun(scale: int) -> QApplication:
    """Let Qt show everything at this size [%], with all gaps; but on a screen that has no room for that at 100 %, and where a
    person gave Qt another factor: the window then enlarges what is read and pressed."""
    own = str(scale / 100)
    factor = os.environ.setdefault("QT_SCALE_FACTOR", own) if scale != 100 else own
    app = QApplication(sys.argv[:1])
    screen = app.primaryScreen().size()
    if scale > 100 and factor == own and screen.expandedTo(_ROOM) != screen:
        app.shutdown()
        del os.environ["QT_SCALE_FACTOR"], app
        return _begun(100)
    begin_scale(app, scale if factor == own else 100)
    return app


def run_window(
    preset: Preset,
    present: Path | None = None,
    tour: bool | None = None,
    look: Look | None = None,
    start_page: bool = False,
    preparation: ChildCompilation | None = None,
    made: Callable[[Session], None] | None = None,
    lesson: Lesson | None = None,
    proposed: bool = False,
) -> int:
    """Show the window until it is closed; with `present`, until picture and table are in that folder.

    `tour` says whether to begin with the tour of the window: at a first start where it is None. `look` is how the run
    is shown at first, and where it begins, unless the preset only `proposed` it. `start_page` begins with the start page,
    unless the tour does. `preparation` is of this preset and may have begun. `made` is given the session before it opens, to
    watch it. `lesson` is presented.
    """
    shown = Settings().look if look is None or proposed else look
    theme = THEMES[shown.theme]
    app = make_application(theme, shown.scale)
    gone = end_with_the_display()
    warm_up()
    touring = tour if tour is not None else present is None and not Settings().toured()
    session = Session(
        preset,
        look=look,
        start_page=start_page and present is None and not touring,
        preparation=preparation,
        proposed=proposed,
    )
    failure: list[str] = []
    report_exceptions(session.window.say)
    heartbeat = stop_on_interrupt(app)
    if present is not None:
        from quatviz.ui.window.unattended_run import Presentation

        presentation = Presentation(session.document, session.window, present, failure.append)
        presentation.start()
    if made is not None:
        made(session)
    session.open()
    if lesson is not None:
        session.present(lesson)
    elif touring:
        session.start_tour()
    if app.exec() != 0:  # what Qt ends with where the X server has; nobody has closed the window
        failure.append(tr(DISPLAY_GONE))
    heartbeat.stop()
    session.close()
    del gone
    for sentence in failure:
        print(sentence, file=sys.stderr)
    return 1 if failure else 0


def let_run(seconds: float) -> None:
    """Go on with events for so long; nothing runs here between two of them, and `processEvents` with a limit would not rest."""
    loop = QEventLoop()  # the application's own quit would close the window
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def warm_up() -> None:
    """The thread that paints waits at most this long for one that computes."""
    sys.setswitchinterval(0.0005)
