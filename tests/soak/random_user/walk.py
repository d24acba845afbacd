"""The random user at work: action by action, with rests at which threads, timers, windows and memory are compared."""

import faulthandler
import math
import multiprocessing
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QDrag
from PySide6.QtWidgets import QApplication, QDialog

import quatviz
from quatviz.analysis.sweeps.axes import Axis
from quatviz.app import WindowController, make_application, set_thread_switch_interval
from quatviz.base import resources
from quatviz.display.view_state.theme import INTERFACE_SCALES, THEMES
from quatviz.display.view_state.view_layout import VIEW_COUNTS
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.drawing import draw_figure as paint
from quatviz.export.figures.figure import make_run_figure
from quatviz.export.figures.paper import Paper
from quatviz.files.formula_cache import FormulaCache
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_reading import read_preset
from quatviz.physics.events import event_templates
from quatviz.simulation.commands import ClearRange, Pause, SetLoop, SetSpeed
from quatviz.simulation.compilation import compile_preset, mark_path
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.scene_runs import preset_of
from quatviz.ui.tools.export.dialogs import EXPORTS
from random_user.actions import ACTIONS
from random_user.actions.base import UserAction
from random_user.actions.fields import SECTIONS
from random_user.actions.fits import open_tumbling
from random_user.actions.lanes import LANES
from random_user.actions.lessons import FEW_KERNELS as LESSONS
from random_user.actions.maps import COARSE_COUNT
from random_user.actions.presets import FEW_KERNELS as PRESETS
from random_user.faults import FaultRecorder
from random_user.levels import ResourceLevels, measure_levels, memory_growth, running_timers
from random_user.user import RandomUser

BASE_PRESET = "torque_free"
"""The preset that every rest returns to, so that levels can be compared."""
RESTS = 9
"""How often a run by the clock comes to rest."""
FIRST_COMPARED = RESTS // 3 - 1
"""The rest with which the last is compared, after a third of the time; the memory of the last three with that of the three
around it."""
REPETITIONS = 3
"""How often a number of acts is done, with a rest after each; the last is compared with the one before."""
MIN_SECONDS_FOR_MEMORY = 100.0
"""A run by the clock that is shorter [s] is still making windows for the first time: its memory is told, not judged."""
WARM_UP_REPETITIONS = 20
"""How often each kind of action is done before levels are compared at all, where the clock ends the run: what it loads for the
first time, and keeps, is no growth."""
_HANG_TIMEOUT = 120.0
"""Seconds after which an action has hung."""
_TIMEOUT = 60.0
_DRAWING_THREADS = 32
"""Threads that draw a figure, each with two or more faces of letters."""
_WINDOW_SIZE = 1280, 800
"""The window's size at every rest [pixels]: what is drawn is kept in buffers as large as it, up to 40 bytes a pixel."""
_TIMER_TIMEOUT = 5.0
"""How long a timer that fires once may run on after all is done [s]."""
_DIALOG_MS = 300
_POLL_INTERVAL = 0.004
"""How long it is left alone between two looks for events [s]: a fraction of a frame."""


@dataclass(frozen=True)
class WalkLength:
    """How long the window is used: so many seconds, or so many acts three times over, which make nothing for the first time
    in the end and need no more than before, on a machine of any speed."""

    seconds: float = 0.0
    actions: int = 0

    @property
    def pause(self) -> float:
        """Return the longest pause between two actions [s]."""
        return 0.03 if self.actions else 0.15

    def limit_frame_rate(self) -> AbstractContextManager[object]:
        """While acts are counted what plays is drawn 25 times a second, as in all tests: the time between them is that of children
        that compute, and to draw sixty takes a processor."""
        return patch("quatviz.ui.window.frame_loop.FRAME_INTERVAL_MS", 40) if self.actions else nullcontext()

    def intervals_between_rests(self, user: RandomUser) -> Iterator[tuple[float, float]]:
        """Each ends with a rest: when, on the clock, or after which act."""
        if self.actions:
            for number in range(1, REPETITIONS + 1):
                user.restart()
                yield math.inf, number * self.actions
            return
        started = time.monotonic()
        for number in range(1, RESTS + 1):
            yield started + self.seconds * number / RESTS, math.inf

    def growth(self, levels: Sequence[ResourceLevels]) -> list[str]:
        """What is more at the end than it was when all had been made, one sentence each."""
        if self.actions:
            return levels[-1].growth_since(levels[-2]) + memory_growth(levels[-1:], levels[-2:-1])
        # Of the first rests the one with most: at a rest a window may be gone that is made again when it is asked for.
        reference = max(levels[: FIRST_COMPARED + 1], key=lambda level: level.windows.total())
        messages = levels[-1].growth_since(reference)
        if self.seconds < MIN_SECONDS_FOR_MEMORY:
            return messages
        return messages + memory_growth(levels[-3:], levels[FIRST_COMPARED - 1 : FIRST_COMPARED + 2])


@dataclass
class WalkResult:
    """What became of a run of `seconds`: faults and leaks in words, none if all is well, with the levels at its rests."""

    seed: int
    seconds: float = 0.0
    actions: int = 0
    faults: list[str] = field(default_factory=list)
    levels: list[ResourceLevels] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    @property
    def report(self) -> str:
        """Print the result."""
        lines = [f"seed {self.seed}: {self.actions} actions in {self.seconds:.0f} s", *map(str, self.levels)]
        if not self.faults:
            return "\n".join([*lines, "no fault, nothing has grown"])
        return "\n".join([*lines, "", "The last actions:", *self.history, "", "Wrong:", *self.faults])


def walk(
    length: WalkLength,
    seed: int,
    folder: Path,
    tell: Callable[[str], object] = lambda words: None,
    only: Sequence[str] = (),
) -> WalkResult:
    """Use the window for this long, with files in `folder`; `only` limits the kinds of actions."""
    faulthandler.enable(sys.__stderr__ or sys.stderr)  # a signal that kills the process tells where it was
    make_application()
    set_thread_switch_interval()
    result = WalkResult(seed)
    _compile_kernels()
    _load_kernels()
    with FaultRecorder() as faults, length.limit_frame_rate():
        session = WindowController(quatviz.load_preset(BASE_PRESET))
        opener = _IgnoringUrlOpener()
        user = RandomUser(session, seed, folder, tell)
        session.open()
        dialog_closer = _start_dialog_closer()
        started = time.monotonic()
        try:
            _run_actions(user, faults, result, length, list(only) or list(ACTIONS))
        finally:
            result.seconds = time.monotonic() - started
            result.actions, result.history = user.count, list(user.history)
            dialog_closer.stop()
            opener.close()
            faulthandler.cancel_dump_traceback_later()
            session.window.unsaved_changes.discard_and_close()
            session.window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        result.faults += faults.faults
    remaining = measure_levels(result.seconds)
    result.faults += [f"after closing, a thread is left: {name}" for name in remaining.threads]
    if remaining.timers:
        result.faults.append(f"after closing, {remaining.timers} timers still run")
    return result


class _IgnoringUrlOpener(QObject):
    """Opens files and pages in the place of other programs, which a person's machine would start: it looks at none."""

    _SCHEMES = ("file", "http", "https", "mailto")

    def __init__(self) -> None:
        super().__init__()
        for scheme in self._SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "open")  # type: ignore[arg-type]

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Leave the closing to the system."""
        for scheme in self._SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)


def _compile_kernels() -> None:
    """Or a short walk would be one of waiting, by a window that plays meanwhile. In another process, which takes along what
    compiling leaves behind."""
    child = multiprocessing.get_context("spawn").Process(target=_compile_all)
    child.start()
    child.join()
    assert child.exitcode == 0, "the kernels were not compiled"


def _compile_all() -> None:
    for preset in _possible_presets():
        compile_preset(preset)


def _possible_presets() -> Iterator[Preset]:
    """Presets that the user can open, including those of lessons and with one more lane."""
    base = quatviz.load_preset(BASE_PRESET)
    yield replace(base, lanes=(*base.lanes, *map(Lane, LANES)))
    yield from map(quatviz.load_preset, PRESETS)
    for lesson in map(read_lesson, LESSONS):
        for step in lesson.steps:
            yield preset_of(step.part.scene)


def _load_kernels() -> None:
    """Load every kernel that this machine has compiled, one or two megabytes each: the user may come upon any of them, and a
    process keeps what it has loaded."""
    for path in sorted(resources.preset_folder().glob("*.toml")):
        for lane in Simulation(read_preset(path)):
            if mark_path(lane).exists():
                lane.prepare()


def _run_actions(
    user: RandomUser, faults: FaultRecorder, result: WalkResult, length: WalkLength, names: list[str]
) -> None:
    """Perform actions until all are done or something fails."""
    actions = [ACTIONS[name]() for name in names]
    weights = [action.weight for action in actions]
    FormulaCache(user.folder / "formulae.json").render(
        "p"
    )  # loads what typesets, which a formula that is new would
    _warm_up_window(user.session, user.folder)
    if length.seconds >= MIN_SECONDS_FOR_MEMORY:
        _show_all_sizes(user.session)
        _fill_caches(user.session, user.folder)
        if not _do_actions(user, faults, length, actions * WARM_UP_REPETITIONS):
            return
    started = time.monotonic()
    for until, last in length.intervals_between_rests(user):
        while time.monotonic() < until and user.action_count < last:
            if not _do_actions(user, faults, length, [user.choose_action(actions, weights)]):
                return
        faulthandler.dump_traceback_later(_HANG_TIMEOUT, exit=True, file=sys.__stderr__ or sys.stderr)
        _reset_window(user.session)
        result.levels.append(measure_levels(time.monotonic() - started, _undo_memory(user.session)))
        if faults.faults:
            return
    result.faults += length.growth(result.levels)


def _undo_memory(session: WindowController) -> float:
    """Return the memory of the undo and redo steps [MB]."""
    document = session.document
    return sum(step.size_bytes for step in (*document.steps, *document.redo_steps)) / 1e6


def _do_actions(
    user: RandomUser, faults: FaultRecorder, length: WalkLength, actions: Sequence[UserAction]
) -> bool:
    """Perform these actions one after another, and return whether all succeeded."""
    for action in actions:
        faulthandler.dump_traceback_later(_HANG_TIMEOUT, exit=True, file=sys.__stderr__ or sys.stderr)
        try:
            action.do(user)
        except Exception:
            faults.add(f"{action.name} raised: {traceback.format_exc()}")
        _process_events(user.random.uniform(0.0, length.pause))
        _close_popups()
        fault = user.session.worker.error
        if fault is not None:
            faults.add(f"the worker died: {fault!r}")
        if faults.faults:
            return False
    return True


def _warm_up_window(session: WindowController, folder: Path) -> None:
    """Make every panel, window and dialog once, and show every run that is chosen from: what they need is kept, so that what
    comes later would seem to have grown."""
    window = session.window
    session.start_page.show()
    for lesson in LESSONS:
        session.present(read_lesson(lesson))
        _wait_computed(session)
    session.control_lesson("leave")
    for preset in PRESETS:
        _open_preset(session, preset)
        _wait_computed(session)
    _open_preset(session, BASE_PRESET)
    for name in window.board.titles:
        window.board.show_panel(name, True)
    for theme in THEMES.values():
        window.theme_switch.show(theme)
    window.views.set_number(max(VIEW_COUNTS))
    for event in sorted(event_templates()):
        window.experiments.perform(event, 1.0)
        window.experiments.event_card.dismiss()
    window.side.open_sections(SECTIONS)
    window.equation_window.open()
    for six in (True, False):
        window.equation_window.show_six_forms(six)
        _process_events(0.5)
    for name in ("study", "maps", "fit", "help"):
        session.open_tool(name)
        _process_events(0.5)
    for show in (session.choose_lesson, session.start_tour, window.side.picker.show_gallery):
        show()
        _process_events(0.5)
    _run_small_maps(session)
    _run_fit(session, folder)
    for export_name in EXPORTS:
        session.exporter.open_dialog(export_name)
        _process_events(0.3)
    _reset_window(session)


def _show_all_sizes(session: WindowController) -> None:
    """Show everything in each size that there is: Qt keeps each letter of each, and few of them are chosen in half an hour."""
    for scale in (*INTERFACE_SCALES, ViewState().scale):
        session.window.tools.set_scale(scale)
        session.present(read_lesson(LESSONS[0]))
        for name in ("study", "maps", "fit", "help"):
            session.open_tool(name)
            _process_events(0.5)
        for theme in THEMES.values():
            session.window.theme_switch.show(theme)
            _process_events(0.5)
        _reset_window(session)


def _fill_caches(session: WindowController, folder: Path) -> None:
    """Fill what has a limit and fills slowly: Python's handles on parts of widgets, of which the acts take hold by and by; and the
    faces of letters, which matplotlib keeps for each thread that draws, up to 64 of them."""
    for widget in QApplication.allWidgets():
        widget.children()
    finished, drawn = threading.Event(), threading.Semaphore(0)
    figure = make_run_figure(session.simulation)

    def draw(number: int) -> None:
        try:
            paint(figure, Paper()).save(folder / f"face{number}.png")
        finally:
            drawn.release()
        finished.wait(_TIMEOUT)

    threads = [threading.Thread(target=draw, args=(number,)) for number in range(_DRAWING_THREADS)]
    for thread in threads:
        thread.start()
        drawn.acquire()
    finished.set()
    for thread in threads:
        thread.join()


def _run_small_maps(session: WindowController) -> None:
    """A coarse map and one of random points, which load what computes runs side by side and what spreads the points, 20 MB."""
    maps = session.tool_windows.window("maps")
    assert maps is not None
    maps.choices.count.show_value(COARSE_COUNT)
    maps.choices.duration.show_text("1")
    for random in (True, False):
        maps.choices.random.setChecked(random)
        maps.run()
        until = time.monotonic() + _TIMEOUT
        while time.monotonic() < until and maps.is_running:
            _process_events(0.05)


def _replace_with_coarse_map(session: WindowController) -> None:
    """In place of the last map, which stays as large as it is: the section points of 10,000 runs are 15 MB, and as much again
    where they are drawn."""
    maps = session.tool_windows.window("maps")
    if maps is None or maps.work is None:
        return
    choices = maps.choices
    maps.cluster_field.entry.clear()  # where the user typed something, which is no address of one
    maps.cluster_field.entry.editingFinished.emit()
    choices.measure.show_value("flips")
    choices.duration.show_text("1")
    choices.count.show_value(COARSE_COUNT)
    choices.random.setChecked(False)
    for axis, component in (
        (choices.across, 0),
        (choices.up, 2),
    ):  # any others might be refused, and the last map stay
        axis.show(f"initial.angular_momentum[{component}]", Axis.linear(0.5, 1.0, 2))
    maps.run()
    until = time.monotonic() + _TIMEOUT
    while time.monotonic() < until and maps.is_running:
        _process_events(0.05)
    is_replaced = maps.work is not None and maps.work.done and maps.work.plan.point_count == COARSE_COUNT**2
    assert is_replaced, f"the last map stays: {maps.problem.text() or maps.state_text.text()}"


def _run_fit(session: WindowController, folder: Path) -> None:
    """A fit that is taken over, which makes the tables and plots of what was found."""
    open_tumbling(session, folder)
    fit = session.tool_windows.window("fit")
    assert fit is not None
    until = time.monotonic() + _TIMEOUT
    while time.monotonic() < until and fit.inspection is None:
        _process_events(0.05)
    fit.run()
    while time.monotonic() < until and fit.is_running:
        _process_events(0.05)
    fit.apply_fit()
    _wait_computed(session)


def _reset_window(session: WindowController) -> None:
    """Bring the window to where it was at first, wait until all is computed, and let go of what is deleted later."""
    window = session.window
    _close_popups()
    for other in QApplication.topLevelWidgets():
        if other is not window and other.isVisible():
            other.close()
    if session.tour is not None:
        session.tour.end()
    if session.presenter is not None:
        session.control_lesson("leave")
    session.start_page.leave()
    _wait_for_exports()
    window.experiments.event_card.dismiss()
    window.experiments.previous_run.dismiss()
    window.showNormal()
    # A setting, no part of a look; at 300 % all that is drawn takes up to 60 MB more.
    window.tools.set_scale(ViewState().scale)
    window.store.assign(ViewState())
    window.equation_window.show_six_forms(False)
    # A run that is this one already would keep what has been read of it.
    for preset in (PRESETS[-1], BASE_PRESET):
        _open_preset(session, preset)
    _replace_with_coarse_map(session)
    window.status.clear()
    QApplication.clipboard().clear()  # a copied picture is the person's, and stays until something else is copied
    for command in (Pause(), ClearRange(), SetLoop(True), SetSpeed(1.0)):
        window.command.emit(command)
    _wait_computed(session)
    window.resize(*_WINDOW_SIZE)  # which it was too wide for in larger letters
    _process_events(0.3)
    until = time.monotonic() + _TIMER_TIMEOUT
    # One is that of the bridge; some fire once, and soon.
    while time.monotonic() < until and len(running_timers()) > 1:
        _process_events(0.05)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _open_preset(session: WindowController, preset: str) -> None:
    session.window.file_actions.open(resources.preset_folder() / f"{preset}.toml")


def _wait_computed(session: WindowController) -> None:
    until = time.monotonic() + _TIMEOUT
    while time.monotonic() < until and any(map(session.simulation.missing, session.simulation)):
        _process_events(0.05)


def _wait_for_exports() -> None:
    """What is written to files, a sheet of a lesson for half a minute, goes on when the window that asked for it is closed."""
    until = time.monotonic() + _TIMEOUT
    while time.monotonic() < until and any(
        thread.name == "quatviz-export" for thread in threading.enumerate()
    ):
        _process_events(0.05)


def _process_events(seconds: float) -> None:
    until = time.monotonic() + seconds
    while True:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        if time.monotonic() >= until:
            return
        time.sleep(_POLL_INTERVAL)


def _close_popups() -> None:
    """A menu or a list that is open keeps mouse and keys from everything else."""
    while (popup := QApplication.activePopupWidget()) is not None:
        if not popup.close():
            popup.hide()


def _start_dialog_closer() -> QTimer:
    """A timer that leaves every dialog that keeps the window waiting: the system's file dialogs have a loop of their own. So has
    text that is dragged: Qt waits for a real mouse to let go of it."""
    timer = QTimer()
    seen: list[object] = []

    def close_blocking_dialog() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is not None and dialog in seen:
            with suppress(RuntimeError):
                dialog.reject() if isinstance(dialog, QDialog) else dialog.close()
        seen[:] = [dialog]
        QDrag.cancel()

    timer.timeout.connect(close_blocking_dialog)
    timer.start(_DIALOG_MS)
    return timer
