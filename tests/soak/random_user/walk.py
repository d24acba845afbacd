"""A run of the random user, with checkpoints that compare threads, timers, windows and memory."""

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
"""Preset that is open at every checkpoint, so that levels can be compared."""
CHECKPOINTS = 9
"""Number of checkpoints of a run with a time limit."""
REFERENCE_CHECKPOINT = CHECKPOINTS // 3 - 1
"""Index of the checkpoint, after a third of the time, that the last one is compared with. The memory of the last three is
compared with that of the three around it."""
REPETITIONS = 3
"""Number of repetitions of a run with a number of actions. The last two are compared."""
MIN_SECONDS_FOR_MEMORY = 100.0
"""Duration from which on memory is checked [s]. A shorter run still creates windows for the first time."""
WARM_UP_REPETITIONS = 20
"""Number of repetitions of each action before the first checkpoint of a run with a time limit.

They load what stays in memory, so that it is not counted as growth.
"""
_HANG_TIMEOUT = 120.0
"""Time limit of an action [s]."""
_TIMEOUT = 60.0
_DRAWING_THREADS = 32
"""Number of threads that draw a figure, each with two or more fonts."""
_WINDOW_SIZE = 1280, 800
"""Window size at every checkpoint [pixels]. The buffers of the window need up to 40 bytes per pixel."""
_TIMER_TIMEOUT = 5.0
"""Time limit for single-shot timers to fire at a checkpoint [s]."""
_DIALOG_MS = 300
_POLL_INTERVAL = 0.004
"""Pause between two calls of `processEvents` [s], a fraction of a frame."""


@dataclass(frozen=True)
class WalkLength:
    """Length of a run: a time limit [s], or a number of actions that are repeated `REPETITIONS` times."""

    seconds: float = 0.0
    actions: int = 0

    @property
    def pause(self) -> float:
        """Return the longest pause between two actions [s]."""
        return 0.03 if self.actions else 0.15

    def limit_frame_rate(self) -> AbstractContextManager[object]:
        """Draw 25 frames per second if actions are counted, as in all tests, to leave processor time for child processes."""
        return patch("quatviz.ui.window.frame_loop.FRAME_INTERVAL_MS", 40) if self.actions else nullcontext()

    def intervals_between_checkpoints(self, user: RandomUser) -> Iterator[tuple[float, float]]:
        """Yield the end of each interval as a time and a number of actions."""
        if self.actions:
            for number in range(1, REPETITIONS + 1):
                user.restart()
                yield math.inf, number * self.actions
            return
        started = time.monotonic()
        for number in range(1, CHECKPOINTS + 1):
            yield started + self.seconds * number / CHECKPOINTS, math.inf

    def growth(self, levels: Sequence[ResourceLevels]) -> list[str]:
        """Return a message for each level that is larger at the end than at the reference checkpoint."""
        if self.actions:
            return levels[-1].growth_since(levels[-2]) + memory_growth(levels[-1:], levels[-2:-1])
        # The checkpoint with most windows: one may be missing at a checkpoint and created again later.
        reference = max(levels[: REFERENCE_CHECKPOINT + 1], key=lambda level: level.windows.total())
        messages = levels[-1].growth_since(reference)
        if self.seconds < MIN_SECONDS_FOR_MEMORY:
            return messages
        return messages + memory_growth(
            levels[-3:], levels[REFERENCE_CHECKPOINT - 1 : REFERENCE_CHECKPOINT + 2]
        )


@dataclass
class WalkResult:
    """Result of a run: faults and leaks as texts, and the levels at its checkpoints."""

    seed: int
    seconds: float = 0.0
    actions: int = 0
    faults: list[str] = field(default_factory=list)
    levels: list[ResourceLevels] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    @property
    def report(self) -> str:
        """Return the result as text."""
        lines = [f"seed {self.seed}: {self.actions} actions in {self.seconds:.0f} s", *map(str, self.levels)]
        if not self.faults:
            return "\n".join([*lines, "no fault, no growth"])
        return "\n".join([*lines, "", "The last actions:", *self.history, "", "Faults:", *self.faults])


def walk(
    length: WalkLength,
    seed: int,
    folder: Path,
    write_log: Callable[[str], object] = lambda line: None,
    only: Sequence[str] = (),
) -> WalkResult:
    """Run the random user, with files in `folder`. `only` limits the actions to these names."""
    faulthandler.enable(sys.__stderr__ or sys.stderr)  # prints the stack if a signal ends the process
    make_application()
    set_thread_switch_interval()
    result = WalkResult(seed)
    _compile_kernels()
    _load_kernels()
    with FaultRecorder() as faults, length.limit_frame_rate():
        session = WindowController(quatviz.load_preset(BASE_PRESET))
        opener = _IgnoringUrlOpener()
        user = RandomUser(session, seed, folder, write_log)
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
    result.faults += [f"after closing, a thread still runs: {name}" for name in remaining.threads]
    if remaining.timers:
        result.faults.append(f"after closing, {remaining.timers} timers still run")
    return result


class _IgnoringUrlOpener(QObject):
    """URL handler that ignores files and pages, so that no other program is started."""

    _SCHEMES = ("file", "http", "https", "mailto")

    def __init__(self) -> None:
        super().__init__()
        for scheme in self._SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "open")  # type: ignore[arg-type]

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Restore the URL handlers of the system."""
        for scheme in self._SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)


def _compile_kernels() -> None:
    """Compile kernels in a child process, so that its memory is released and actions do not wait for compilation."""
    child = multiprocessing.get_context("spawn").Process(target=_compile_all)
    child.start()
    child.join()
    assert child.exitcode == 0, "the kernels were not compiled"


def _compile_all() -> None:
    for preset in _possible_presets():
        compile_preset(preset)


def _possible_presets() -> Iterator[Preset]:
    """Yield the presets that the random user can open, including those of lessons and additional lanes."""
    base = quatviz.load_preset(BASE_PRESET)
    yield replace(base, lanes=(*base.lanes, *map(Lane, LANES)))
    yield from map(quatviz.load_preset, PRESETS)
    for lesson in map(read_lesson, LESSONS):
        for step in lesson.steps:
            yield preset_of(step.part.scene)


def _load_kernels() -> None:
    """Load every compiled kernel (one or two megabytes each), because loaded kernels stay in memory."""
    for path in sorted(resources.preset_folder().glob("*.toml")):
        for lane in Simulation(read_preset(path)):
            if mark_path(lane).exists():
                lane.prepare()


def _run_actions(
    user: RandomUser, faults: FaultRecorder, result: WalkResult, length: WalkLength, names: list[str]
) -> None:
    """Perform actions until the end of the run or the first fault."""
    actions = [ACTIONS[name]() for name in names]
    weights = [action.weight for action in actions]
    FormulaCache(user.folder / "formulae.json").render(
        "p"
    )  # loads the typesetter, which a new formula would load
    _warm_up_window(user.session, user.folder, names)
    if length.seconds >= MIN_SECONDS_FOR_MEMORY:
        _show_all_sizes(user.session)
        _fill_caches(user.session, user.folder)
        if not _do_actions(user, faults, length, actions * WARM_UP_REPETITIONS):
            return
    started = time.monotonic()
    for end, action_limit in length.intervals_between_checkpoints(user):
        while time.monotonic() < end and user.action_count < action_limit:
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


def _warm_up_window(session: WindowController, folder: Path, names: Sequence[str]) -> None:
    """Create every panel, window and dialog once and show every run, because what they load stays in memory. Maps and fits are
    computed if the actions with these `names` do so."""
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
    if "maps" in names:
        _run_small_maps(session)
    if "fits" in names:
        _run_fit(session, folder)
    for export_name in EXPORTS:
        session.exporter.open_dialog(export_name)
        _process_events(0.3)
    _reset_window(session)


def _show_all_sizes(session: WindowController) -> None:
    """Show everything at each interface scale. Qt caches every glyph, and most scales are rarely chosen."""
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
    """Fill caches that are limited but fill slowly: Python wrappers of widgets, and up to 64 fonts of matplotlib per thread."""
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
    """Run a coarse map and one with random points, which load the batch kernels and the sampler (20 MB)."""
    maps = session.tool_windows.window("maps")
    assert maps is not None
    maps.choices.count.show_value(COARSE_COUNT)
    maps.choices.duration.show_text("1")
    for random in (True, False):
        maps.choices.random.setChecked(random)
        maps.run()
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end and maps.is_running:
            _process_events(0.05)


def _replace_with_coarse_map(session: WindowController) -> None:
    """Replace the last map with a coarse one. The section points of 10,000 runs need 15 MB, and their drawing as much."""
    maps = session.tool_windows.window("maps")
    if maps is None or maps.work is None:
        return
    choices = maps.choices
    maps.cluster_field.entry.clear()  # the random user may have typed an invalid address
    maps.cluster_field.entry.editingFinished.emit()
    choices.measure.show_value("flips")
    choices.duration.show_text("1")
    choices.count.show_value(COARSE_COUNT)
    choices.random.setChecked(False)
    for axis, component in (
        (choices.across, 0),
        (choices.up, 2),
    ):  # other axes might be refused, and the last map would remain
        axis.show(f"initial.angular_momentum[{component}]", Axis.linear(0.5, 1.0, 2))
    maps.run()
    end = time.monotonic() + _TIMEOUT
    while time.monotonic() < end and maps.is_running:
        _process_events(0.05)
    is_replaced = maps.work is not None and maps.work.done and maps.work.plan.point_count == COARSE_COUNT**2
    assert is_replaced, f"the last map remains: {maps.problem.text() or maps.state_text.text()}"


def _run_fit(session: WindowController, folder: Path) -> None:
    """Run and apply a fit, which creates the tables and plots of the results."""
    open_tumbling(session, folder)
    fit = session.tool_windows.window("fit")
    assert fit is not None
    end = time.monotonic() + _TIMEOUT
    while time.monotonic() < end and fit.inspection is None:
        _process_events(0.05)
    fit.run()
    while time.monotonic() < end and fit.is_running:
        _process_events(0.05)
    fit.apply_fit()
    _wait_computed(session)


def _reset_window(session: WindowController) -> None:
    """Reset the window to its first state, wait for computations, and delete objects with a deferred deletion."""
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
    # A setting, not part of the view state. At 300 % drawings need up to 60 MB more.
    window.tools.set_scale(ViewState().scale)
    window.store.assign(ViewState())
    window.equation_window.show_six_forms(False)
    # Opening the current preset again would keep its cached columns.
    for preset in (PRESETS[-1], BASE_PRESET):
        _open_preset(session, preset)
    _replace_with_coarse_map(session)
    window.status.clear()
    QApplication.clipboard().clear()  # may hold a copied picture
    for command in (Pause(), ClearRange(), SetLoop(True), SetSpeed(1.0)):
        window.command.emit(command)
    _wait_computed(session)
    window.resize(*_WINDOW_SIZE)  # larger fonts may have widened the window
    _process_events(0.3)
    end = time.monotonic() + _TIMER_TIMEOUT
    # One timer belongs to the bridge. Single-shot timers end soon.
    while time.monotonic() < end and len(running_timers()) > 1:
        _process_events(0.05)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _open_preset(session: WindowController, preset: str) -> None:
    session.window.file_actions.open(resources.preset_folder() / f"{preset}.toml")


def _wait_computed(session: WindowController) -> None:
    end = time.monotonic() + _TIMEOUT
    while time.monotonic() < end and any(map(session.simulation.missing, session.simulation)):
        _process_events(0.05)


def _wait_for_exports() -> None:
    """Wait for exports, which continue after their window is closed. A worksheet takes half a minute."""
    end = time.monotonic() + _TIMEOUT
    while time.monotonic() < end and any(thread.name == "quatviz-export" for thread in threading.enumerate()):
        _process_events(0.05)


def _process_events(seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        if time.monotonic() >= end:
            return
        time.sleep(_POLL_INTERVAL)


def _close_popups() -> None:
    """Close open menus and lists, which grab mouse and keyboard."""
    while (popup := QApplication.activePopupWidget()) is not None:
        if not popup.close():
            popup.hide()


def _start_dialog_closer() -> QTimer:
    """Start a timer that closes dialogs with their own event loop and cancels drags, which wait for a real mouse."""
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
