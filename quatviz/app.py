"""Composition root of the window, in which all parts are created, connected, and shut down in order."""

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
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEventLoop, QLocale, QSize, Qt, QTimer, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from quatviz.base import resources
from quatviz.base.help_topics import INTERNAL_ERROR_TOPIC
from quatviz.base.translation import tr
from quatviz.display.data.derived_sources import PreviousRun, first_differing_sample
from quatviz.display.data.frame_builder import SHOW_DELAY, extra_delay
from quatviz.display.document.autosave import Autosave
from quatviz.display.document.document import Document, DocumentChange
from quatviz.display.document.state import PresetProposal, initial_snapshot, state_of
from quatviz.display.document.user_files import recoverable_sessions, save_last_session
from quatviz.display.view_state.board_choices import PreviousRunSource
from quatviz.display.view_state.session import Session as Saved
from quatviz.display.view_state.theme import DARK, THEMES, Theme
from quatviz.display.view_state.view_state import ViewState, undoable_part
from quatviz.display.view_state.view_store import ViewStore
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Hold, SetSpeed
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import STOP_TIMEOUT, Worker, limit_malloc_arenas
from quatviz.teaching.lessons import Lesson
from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.scene.gl_context import prepare_gl
from quatviz.ui.start.controller import StartPageController
from quatviz.ui.tools import TOOLS
from quatviz.ui.tools.base import ToolContext
from quatviz.ui.tools.base.tool_windows import ToolWindows
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.labels import HelpUrlHandler
from quatviz.ui.widgets.style import (
    apply_scale,
    apply_theme,
    deferred_style_sheet,
    load_fonts,
    set_startup_scale,
)
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.command_palette import preset_and_lesson_entries
from quatviz.ui.window.frame_loop import FrameLoop
from quatviz.ui.window.main_window import MainWindow
from quatviz.ui.window.offscreen import window_frame_source
from quatviz.ui.window.process_hooks import (
    DISPLAY_CLOSED_MESSAGE,
    FaultLogHandler,
    GarbageTimer,
    close_on_interrupt,
    install_display_error_handler,
    install_exception_hook,
    report_qt_startup_failure,
)
from quatviz.ui.window.save_timer import SaveTimer
from quatviz.ui.window.settings import Settings
from quatviz.ui.window.window_tools import WindowTools

if TYPE_CHECKING:
    from quatviz.ui.lessons.chooser import LessonChooser
    from quatviz.ui.lessons.presenter import Presenter
    from quatviz.ui.tools.help.tour import Tour
    from quatviz.ui.window.unattended_run import UnattendedRun

log = logging.getLogger(__name__)

_SETTLE_DELAY_MS = 200
"""Delay [ms] between the last change of a drag and the full computation that replaces the coarse preview."""

MAX_LOADING_SECONDS = 1.5
"""Longest time [s] for which the window waits for cached kernels before it starts to play."""
LAYOUT_SECONDS = 0.12
"""Minimum time before the window starts to play [s]. It suffices for the first layout and a full drawing."""
_REDRAW_INTERVAL = 0.01
"""Interval between redraws while the window starts [s]."""


class WindowController(WindowTools):
    """The controller of one window and its successive runs. `open` starts it; closing the window ends it."""

    def __init__(
        self,
        preset: Preset,
        playing: bool = True,
        view_state: ViewState | None = None,
        start_page: bool = False,
        preparation: ChildCompilation | None = None,
        proposed: bool = False,
    ) -> None:
        """Create the window.

        Parameters
        ----------
        preset
            Preset of the first run.
        playing
            True to start playing.
        view_state
            Initial view state, or None to use the one in the settings.
        start_page
            True to show the start page first.
        preparation
            Compilation of the preset's kernels if it has already begun, otherwise None.
        proposed
            True if `view_state` is a proposal of the preset, which sets choices of the view but not the cursor; see
            `display.view_state.session.Session`.
        """
        self.settings = Settings()
        self.document = self._make_document(Saved(preset, view_state, proposed))
        self._preparation = preparation or ChildCompilation(preset)
        runner = Runner(self.simulation, self._preparation, playing)
        if self._initial_snapshot is not None:
            runner.resume(self._initial_snapshot)
        self.worker = Worker(runner)
        self.tour: Tour | None = None
        self.lesson_chooser: LessonChooser | None = None
        self.presenter: Presenter | None = None
        with deferred_style_sheet():
            self.window = MainWindow(self.document, ACTIONS, self)
        self.autosave = self._make_autosave()
        self._garbage_timer = GarbageTimer(self.window)
        self.save_timer = self._make_save_timer()
        self.frame_loop = FrameLoop(
            self.simulation, self.worker, self.document.state.lane_styles, self.window.listeners
        )
        self.exporter = self._make_exporter()
        self.tool_windows = self._make_tool_windows()
        self.window.command.connect(self.frame_loop.send)
        self.window.closed.connect(self.close)
        self.frame_loop.faulted.connect(
            lambda message: self.window.messages.show(message, INTERNAL_ERROR_TOPIC)
        )
        self._fault_handler = FaultLogHandler(
            self.window, lambda message: self.window.messages.show(message, INTERNAL_ERROR_TOPIC)
        )
        self.links = HelpUrlHandler()
        self.links.topic_requested.connect(partial(self.open_tool, "help"))
        self.start_page = StartPageController(self.window, self.document)
        self.window.side.picker.refused.connect(self.start_page.explain)
        self.start_page.pause_requested.connect(self._pause_run)
        self.start_page.run_covered.connect(self.frame_loop.set_idle)
        self.start_page.lesson_requested.connect(self.present)
        self._shows_start_page = start_page
        self._is_open = self._is_closed = self._keeps_recovery_file = False
        self._settle_timer = QTimer(singleShot=True, interval=_SETTLE_DELAY_MS)
        self._settle_timer.timeout.connect(self._settle_when_released)

    def _make_document(self, session: Saved) -> Document:
        """Return the document of a session.

        Its view state is that of the session or, if the session has none, that of the settings.
        """
        view_state = session.view_state
        self._has_initial_view = view_state is not None and not session.is_proposed
        self._initial_view = (
            view_state
            if view_state is not None and self._has_initial_view
            else session.applied_to(self.settings.view_state)
        )
        self._initial_snapshot = initial_snapshot(session)
        state = state_of(session)
        if session.is_proposed and state.view_state is not None:
            proposal = PresetProposal(undoable_part(self.settings.view_state), state.view_state)
            state = replace(state, proposal=proposal)
        return Document(
            replace(state, view_state=None),
            self._apply_change,
            lambda: self.worker.wait_settled().target_time,
            ViewStore(self._initial_view),
            lambda: self.worker.snapshot.target_time,
        )

    def _make_save_timer(self) -> SaveTimer:
        """Return the timer that saves changes of the session and of the settings."""
        window = self.window
        save_timer = SaveTimer(
            window, self.document, self.autosave, lambda: self.settings.save_unless_lesson_active(window)
        )
        window.geometry_changed.connect(save_timer.schedule)
        return save_timer

    def _make_autosave(self) -> Autosave:
        file_actions = self.window.file_actions
        show_message = partial(self.window.messages.show, topic="errors#files")
        return Autosave(
            file_actions.recovery_file,
            lambda: file_actions.own_session,
            lambda: bool(self.document.steps),
            show_message,
        )

    def _make_exporter(self) -> Exporter:
        return Exporter(
            self.window,
            self.window.board,
            self.window.views,
            lambda: self.window.view_state,
            self.frame_loop,
            lambda plan, view_state: window_frame_source(self.window, self.frame_loop, plan, view_state),
            lambda: self.presenter.lesson if self.presenter is not None else None,
            _make_export_dialog,
        )

    def _make_tool_windows(self) -> ToolWindows:
        window = self.window
        context = ToolContext(
            self.document,
            window,
            window.file_actions.show_session,
            window.equation_window,
            self.exporter,
            lambda: preset_and_lesson_entries(window),
            lambda name: window.action_registry[name].trigger(),
            lambda name, *arguments: self.open_tool(name, *arguments),
            partial(self.control_lesson, "leave"),
        )
        return ToolWindows(TOOLS, context)

    @property
    def simulation(self) -> Simulation:
        """The run that is being computed."""
        return self.document.simulation

    def open(self) -> None:
        """Show the window and start computing and playing."""
        self._is_open = True
        self._fault_handler.attach()
        warning = self.settings.repair()
        self.settings.restore_geometry(self.window)
        if self._shows_start_page:
            self.start_page.show_at_startup()
        self.window.show()
        self.frame_loop.start_run()
        self._begin_document()
        self._wait_until_ready()
        if not self._is_open:
            return  # the window was closed meanwhile
        # Objects that live as long as the window need not be scanned while it plays. There is little garbage yet, and
        # collecting it first would take a third of a second.
        gc.freeze()
        self._garbage_timer.begin()
        self.frame_loop.start()
        if warning:
            self.window.messages.show(warning)
        if self._preparation.cache_error is not None:
            self.window.messages.explain(self._preparation.cache_error)
        self.window.recovery_bar.offer(recoverable_sessions(self.window.messages.explain))
        self.document.changed.connect(lambda _: self.autosave.save_state(self.document.own_state))
        self.autosave.start()
        self.save_timer.begin()

    def _begin_document(self) -> None:
        """Show the first run.

        If it comes from a session, also apply the session's theme and associate the document with its file.
        """
        if self._has_initial_view:
            self.document.begin(self._initial_view)
            self.window.file_actions.set_file(self.simulation.preset.path)
        else:
            self.document.begin(replace(self._initial_view, theme=self.window.theme.name))

    def _wait_until_ready(self) -> None:
        """Hold the run until kernels are loaded and the first pictures are drawn, because both would delay the cursor."""
        self._pause_run(True)
        self.worker.start()
        layout_end = time.monotonic() + LAYOUT_SECONDS
        self._process_events_until(
            MAX_LOADING_SECONDS,
            lambda: self.worker.kernels_loaded.is_set() and time.monotonic() >= layout_end,
        )
        self._pause_run(self.start_page.is_shown)

    def _pause_run(self, paused: bool) -> None:
        """Hold the run (True) or release it (False). It is held while the start page covers it or kernels are loaded."""
        self.worker.submit(Hold(paused))

    def _process_events_until(self, seconds: float, is_done: Callable[[], bool]) -> None:
        """Process events and redraw until `is_done` returns True, or for `seconds` at most.

        Between redraws no Python code runs here, because the loading thread needs the interpreter.
        """
        deadline = time.monotonic() + seconds
        while self._is_open and time.monotonic() < deadline and not is_done():
            self.frame_loop.tick()
            process_events_for(_REDRAW_INTERVAL)

    def open_tool(self, name: str, *arguments: Any) -> Any:
        return self.tool_windows.open(name, *arguments)

    def open_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        return self.tool_windows.open_files(paths)

    def start_tour(self) -> None:
        """Start the tour of the window and remember that it was shown."""
        self.settings.remember_tour()
        if self.tour is None:
            from quatviz.ui.tools.help.tour import Tour, tour_targets

            self.tour = Tour(self.window, tour_targets(self.window))
        self.tour.begin()

    def present(self, lesson: Lesson, at_startup: bool = False) -> None:
        """Present a lesson. `at_startup` is True if the lesson opens when the program starts, and so
        covers the initial run before the user has seen it."""
        if at_startup:
            self.start_page.cover_initial_run()
        if self.presenter is None:
            from quatviz.ui.lessons.presenter import Presenter

            self.presenter = Presenter(self.window, self.document)
        self.presenter.begin(lesson)

    def present_lesson(self, path: Path) -> None:
        self.start_page.present(path)

    def choose_lesson(self) -> None:
        if self.lesson_chooser is None:
            from quatviz.ui.lessons.chooser import LessonChooser

            self.lesson_chooser = LessonChooser(self.window, self.present_lesson)
        self.lesson_chooser.ask()

    @property
    def is_presenting(self) -> bool:
        return self.presenter is not None and self.presenter.is_presenting

    def control_lesson(self, command: str) -> None:
        if self.presenter is not None:
            self.presenter.execute(command)

    @property
    def in_presentation_mode(self) -> bool:
        return self.presenter is not None and self.presenter.in_presentation_mode

    def undoable_votes(self, undo: bool) -> Votes | None:
        return self.presenter.undoable_votes(undo) if self.presenter is not None else None

    def show_run(self) -> None:
        self.start_page.leave()

    def toggle_start_page(self) -> None:
        self.start_page.toggle()

    @property
    def scale(self) -> int:
        return self.settings.view_state.scale

    def set_scale(self, scale: int) -> None:
        self.settings.set_scale(scale)
        apply_scale(scale)
        self.document.message_emitted.emit(tr("Interface scale: {scale}\u00a0%", scale=scale), "")

    def reset_view(self) -> None:
        self.settings.reset(self.window)
        apply_scale(self.scale)

    def _apply_change(self, change: DocumentChange) -> None:
        """Compute and show the changed document: another run, or the same run with another cursor or other colors."""
        before, after = change.before.preset, change.after.preset
        if change.run is not change.old:
            self.window.experiments.previous_run.set_run(self._previous_run(change))
            is_new_run = before.title != after.title or before.speed != after.speed
            self._replace_run(change, resume=not is_new_run)
            return
        if change.cursor is not None:
            for command in change.cursor.restore_commands():
                self.frame_loop.send(command)
        elif after.speed != before.speed:
            self.frame_loop.send(SetSpeed(after.speed))
        self.frame_loop.set_lane_styles(change.after.lane_styles)
        self.window.board.update_colors()

    def _previous_run(self, change: DocumentChange) -> PreviousRunSource | None:
        """Return the run that is drawn faintly behind the new one, or None.

        After an edit that changes the motion, this is the run from before the edit. If only lanes change, or a drag continues,
        it is the previous run that is already shown. After undo and redo it is None.
        """
        before, after = change.before.preset, change.after.preset
        if change.coalesces or replace(before, lanes=()).has_same_run(replace(after, lanes=())):
            return self.window.choices.previous_run
        branch_sample = first_differing_sample(before, after) if change.is_new_step else None
        return None if branch_sample is None else PreviousRun(change.old, branch_sample)

    def _replace_run(self, change: DocumentChange, resume: bool) -> None:
        """Replace the run by the run of the changed document.

        The new run starts at the cursor of the change, if it has one. Otherwise it continues from the cursor of the old run if
        `resume` is True. During a drag the old run stays visible until the new one is ready.
        """
        self.tool_windows.close_windows_of_run()
        preset, display = change.after.preset, change.after.lane_styles
        is_transient = self._is_open and change.coalesces
        must_wait = self.frame_loop.has_upcoming_run and is_transient
        if must_wait and not self.worker.has_idled.wait(SHOW_DELAY):
            self.worker.has_idled.wait(extra_delay(self.worker.snapshot))
        if not is_transient:
            self.frame_loop.stop()
        preparation = ChildCompilation(preset)
        preparation.take_over(self._preparation, self.simulation)
        self.worker.stop(STOP_TIMEOUT)
        self._preparation = preparation
        runner = Runner(self.simulation, preparation)
        if change.cursor is not None:
            runner.resume(change.cursor)
        elif resume:
            runner.take_over(self.worker.runner)
        self.worker = worker = Worker(runner, self.worker)
        if is_transient:
            worker.start()
            if must_wait:
                self.frame_loop.tick()  # show at least one frame of each step during a fast drag
            self.frame_loop.schedule_run(
                self.simulation, worker, display, worker.has_idled.is_set, change.is_coarsened
            )
            if change.is_coarsened:
                self._settle_timer.start()
            else:
                self._settle_timer.stop()  # the run is already computed in full
            return
        self.frame_loop.set_run(self.simulation, worker, display)
        if self._is_open:
            worker.start()
            worker.has_idled.wait(SHOW_DELAY)
            self.frame_loop.replace_run()

    def _settle_when_released(self) -> None:
        """Compute the run in full after a coarse preview, as soon as the mouse button is released.

        The button is checked when the timer ends, since a busy system may report movements late.
        """
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.document.finish_drag()
        else:
            self._settle_timer.start()

    def _save_last_run(self) -> None:
        """Save the run for the entry *Continue* at the next start, unless the user has never seen this run."""
        if not self.start_page.is_own_run_chosen:
            return
        self._keeps_recovery_file = True  # until the session is saved elsewhere
        self._keeps_recovery_file = not save_last_session(
            self.window.file_actions.own_session, self.document.has_unsaved_run
        )

    def close(self) -> None:
        """Shut down timers, thread, child process and graphics.

        May be called twice, and before `open` has succeeded.
        """
        if self._is_closed:
            return
        was_open, self._is_open, self._is_closed = self._is_open, False, True
        for step in self._closing_steps() if was_open else self._unopened_closing_steps():
            try:
                step()
            except Exception:  # the compiling processes must end whatever fails
                log.exception("a step of closing the window failed")

    def _closing_steps(self) -> tuple[Callable[[], object], ...]:
        """Return the functions that shut down the window's parts, in the order in which they must be called."""
        return (
            self._stop_timers,
            self._save_last_run,
            # Only now, because a mesh may be stored with the recovery file.
            lambda: self.autosave.stop(self._keeps_recovery_file),
            self.tool_windows.shutdown,
            self._end_lessons,
            self.links.close,
            self.exporter.shutdown,
            self.frame_loop.stop,
            self.worker.stop,
            self.document.close,
            self.start_page.shutdown,
            lambda: self.settings.save(self.window),
            self.window.shutdown,
            self._fault_handler.detach,
            self._delete_parts,
            gc.unfreeze,
        )

    def _unopened_closing_steps(self) -> tuple[Callable[[], object], ...]:
        """Return the shutdown steps for a window that was created but not opened."""
        return (self.worker.stop, self.document.close, self.window.shutdown)

    def _stop_timers(self) -> None:
        self._settle_timer.stop()
        self.save_timer.end()
        self._garbage_timer.end()

    def _end_lessons(self) -> None:
        if self.tour is not None:
            self.tour.end()
        if self.presenter is not None:
            self.presenter.shutdown()

    def _delete_parts(self) -> None:
        for part in (self.frame_loop, self.links, self.save_timer):
            part.deleteLater()  # also deletes its connections, which keep the run alive


def install_translator(app: QCoreApplication) -> bool:
    """Load `assets/translations/quatviz_<locale>.qm` for the desktop's language. Return False if it does not exist."""
    try:
        folder = resources.asset_path("translations")
    except FileNotFoundError:
        return False
    translator = QTranslator()
    if not translator.load(QLocale(), "quatviz", "_", str(folder)):
        return False
    translator.setParent(app)
    return app.installTranslator(translator)


def make_application(theme: Theme = DARK, scale: int | None = None) -> QApplication:
    """Return the Qt application with fonts and theme.

    Raises
    ------
    InputError
        If the machine has no display.
    """
    limit_malloc_arenas()
    prepare_gl()
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        scale = Settings().view_state.scale if scale is None else scale
        discard_invalid_scale_factors()
        with report_qt_startup_failure():
            app = _create_application(scale)
    app.setApplicationName("quatviz")  # no display name, which Qt would append to titles with another dash
    install_translator(app)
    app.setWindowIcon(QIcon(str(resources.asset_path("icon.svg"))))
    load_fonts()
    apply_theme(app, theme)
    if scale is not None:
        apply_scale(scale)
    return app


_MIN_SCREEN_SIZE = QSize(840, 480)
"""Smallest screen, measured in scaled pixels, on which Qt may enlarge the window. On a smaller one the window would not fit."""


_VALID_SCALE_FACTORS = (0.1, 10.0)
"""Smallest and largest scale factor that Qt can draw with."""


def discard_invalid_scale_factors() -> None:
    """Remove scale factors outside `_VALID_SCALE_FACTORS` from the environment.

    With an infinite factor, for example, Qt would never finish painting.
    """
    for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"):
        for setting in os.environ.get(name, "").split(";"):
            with suppress(ValueError):  # Qt itself ignores values that are not numbers
                if (
                    not _VALID_SCALE_FACTORS[0]
                    <= float(setting.rpartition("=")[2])
                    <= _VALID_SCALE_FACTORS[1]
                ):
                    log.warning("%s=%s is ignored: Qt cannot draw at this scale", name, os.environ.pop(name))
                    break


def _create_application(scale: int) -> QApplication:
    """Create the application, scaled by Qt to `scale` [%].

    Qt does not scale if the screen is too small for it, or if the user has set another factor in the environment.
    The window then enlarges texts and controls itself.
    """
    own_factor = str(scale / 100)
    factor = os.environ.setdefault("QT_SCALE_FACTOR", own_factor) if scale != 100 else own_factor
    app = QApplication(sys.argv[:1])
    screen = app.primaryScreen().size()
    if scale > 100 and factor == own_factor and screen.expandedTo(_MIN_SCREEN_SIZE) != screen:
        app.shutdown()
        del os.environ["QT_SCALE_FACTOR"], app
        return _create_application(100)
    set_startup_scale(app, scale if factor == own_factor else 100)
    return app


def _make_export_dialog(name: str, exporter: Exporter) -> Any:
    """Create an export dialog. `EXPORTS` is imported here, because matplotlib would delay the start of the program."""
    from quatviz.ui.tools.export.dialogs import EXPORTS

    return EXPORTS[name](exporter, exporter.window)


def run_window(
    preset: Preset,
    output_folder: Path | None = None,
    tour: bool | None = None,
    view_state: ViewState | None = None,
    start_page: bool = False,
    preparation: ChildCompilation | None = None,
    on_created: Callable[[WindowController], None] | None = None,
    lesson: Lesson | None = None,
    proposed: bool = False,
    to_open: Saved | None = None,
) -> int:
    """Show the window until it is closed.

    Parameters
    ----------
    preset
        Preset of the first run.
    output_folder
        Folder for a picture and a table, after which the window closes; None for interactive use.
    tour
        True starts the tour, False does not, None starts it only if it was never shown.
    view_state
        Initial view state and cursor.
    start_page
        True to begin with the start page, unless the tour starts.
    preparation
        Compilation of the preset's kernels if it has already begun, otherwise None.
    on_created
        Receives the controller before it opens.
    lesson
        Lesson to present.
    proposed
        True if `view_state` is only the preset's proposal.
    to_open
        Session that replaces the first run as soon as its large recordings have been read, or None.

    Returns
    -------
    int
        Exit status, 1 after an error.
    """
    initial_state = Settings().view_state if view_state is None or proposed else view_state
    theme = THEMES[initial_state.theme]
    app = make_application(theme, initial_state.scale)
    display_handler = install_display_error_handler()
    set_thread_switch_interval()
    starts_tour = tour if tour is not None else output_folder is None and not Settings().has_toured()
    controller = WindowController(
        preset,
        view_state=view_state,
        start_page=start_page and output_folder is None and not starts_tour,
        preparation=preparation,
        proposed=proposed,
    )
    errors: list[str] = []
    install_exception_hook(controller.window.messages.show)
    heartbeat = close_on_interrupt(app)
    presentation = None if output_folder is None else _make_unattended_run(controller, output_folder, errors)
    if on_created is not None:
        on_created(controller)
    try:
        controller.open()
        if lesson is not None:
            controller.present(lesson, at_startup=True)
        elif starts_tour:
            controller.start_tour()
        begin = bool if presentation is None else partial(_begin_unattended_run, presentation, controller)
        if to_open is not None and to_open.preset.path is not None:
            controller.window.file_actions.open_session(to_open, to_open.preset.path, begin)
        else:
            begin(True)
        if app.exec() != 0:  # Qt's exit status after the X server ended; nobody closed the window
            errors.append(tr(DISPLAY_CLOSED_MESSAGE))
        elif presentation is not None and not presentation.has_ended:
            errors.append(tr("the window was closed before the run was complete; nothing was saved"))
    finally:
        heartbeat.stop()
        controller.close()
    del display_handler
    for sentence in errors:
        print(sentence, file=sys.stderr)
    return 1 if errors else 0


def _make_unattended_run(controller: WindowController, folder: Path, errors: list[str]) -> "UnattendedRun":
    from quatviz.ui.window.unattended_run import UnattendedRun

    controller.window.side.picker.refused.connect(lambda refusal: errors.append(str(refusal)))
    return UnattendedRun(
        controller.document,
        controller.window,
        controller.frame_loop,
        lambda: controller.worker.wait_settled(),
        folder,
        errors.append,
    )


def _begin_unattended_run(run: "UnattendedRun", controller: WindowController, is_shown: bool) -> None:
    """Start the unattended run if its preset is shown, otherwise close the window."""
    if is_shown:
        run.start()
    else:  # Qt would not end an event loop that starts later
        QTimer.singleShot(0, controller.window, controller.window.close)


def process_events_for(seconds: float) -> None:
    """Process events for a time `seconds`.

    An event loop is used because `processEvents` with a time limit does not sleep.
    """
    loop = QEventLoop()  # the application's own quit would close the window
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def set_thread_switch_interval() -> None:
    """Shorten the switch interval of Python's threads, so that the GUI thread waits at most 0.5 ms for another thread."""
    sys.setswitchinterval(0.0005)
