"""The frame loop: a timer that regularly turns the worker's state into a frame and shows this frame in all parts of the
window."""

import logging
import os
import traceback
from collections.abc import Sequence
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from quatviz.base.errors import PLUGIN_EXCEPTIONS, exception_text
from quatviz.base.translation import tr
from quatviz.display.data.budget import MAX_LANES_AT_ONCE
from quatviz.display.data.frame_builder import FrameDispatcher, LaneDisplay, RunDriver, RunListener
from quatviz.physics.kernels.compiler_pool import MAX_PROCESSES
from quatviz.simulation.commands import RunnerCommand
from quatviz.simulation.simulation import Simulation

log = logging.getLogger(__name__)

FRAME_INTERVAL_MS = 16
COMPILING_INTERVAL_MS = 30 if (os.cpu_count() or 1) <= MAX_PROCESSES else FRAME_INTERVAL_MS
"""Interval of ticks while lanes are compiled [ms].

It is longer if compilation takes all processors: the views would otherwise see late frames and reduce their resolution.
"""
IDLE_INTERVAL_MS = 200
"""Interval of ticks while the run is not visible [ms], for example behind the start page."""
MIN_PAUSE_MS = 2
"""Least time between the end of a tick and the next one [ms]."""
COMMAND_DELAY_MS = 2
"""Time from a command to the next tick while the run is paused [ms]. The worker usually executes a command in a tenth of
this time."""


class FrameLoop(FrameDispatcher, QObject):
    """A frame dispatcher for a run, driven by a timer.

    A frame takes two iterations of the event loop, so that user input waits for half of a frame at most. Exceptions of
    listeners or of the loop are logged and reported, and the loop continues.
    """

    faulted = Signal(str)
    """Emitted once for each internal error, with a message. Either the worker has died, or a part of the window has failed."""

    def __init__(
        self,
        simulation: Simulation,
        worker: RunDriver,
        display: LaneDisplay,
        listeners: Sequence[RunListener],
    ) -> None:
        QObject.__init__(self)
        FrameDispatcher.__init__(self, simulation, worker, display, listeners)
        precise = Qt.TimerType.PreciseTimer
        self._timers = [QTimer(self, singleShot=True, timerType=precise) for _ in range(3)]
        self._tick_timer, self._prepare_timer, self._show_timer = self._timers
        self._tick_timer.timeout.connect(self._begin_tick)
        self._prepare_timer.timeout.connect(self._prepare_tick)
        self._show_timer.timeout.connect(self._show_tick)
        self._tick_started = 0.0
        self._is_idle = False
        self._reported_fault: BaseException | None = None
        self._reported_errors: set[str] = set()

    def replace_run(self) -> None:
        """Start all listeners and the ticks for the new run.

        For a run with many lanes, the listeners are started in the next turn of the event loop, and the first frame is made in
        the first tick after that.
        """
        if len(list(self.builder.simulation)) > MAX_LANES_AT_ONCE:
            self._are_listeners_due = True
            self._tick_timer.start(0)
        else:
            self.start_run()
            self.start()

    def start(self) -> None:
        """Start ticking."""
        self._tick_timer.start(self.interval)

    def stop(self) -> None:
        """Stop ticking and disconnect from the run."""
        self._stop_timers()
        self.close()

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.stop()

    def set_idle(self, enabled: bool) -> None:
        """Tick rarely (True), for a run that is not visible, or at the normal rate (False)."""
        self._is_idle = enabled

    @property
    def interval(self) -> int:
        """Present interval between ticks [ms]."""
        return (
            IDLE_INTERVAL_MS
            if self._is_idle
            else COMPILING_INTERVAL_MS
            if self.snapshot.preparing
            else FRAME_INTERVAL_MS
        )

    def send(self, command: RunnerCommand) -> None:
        """Send a command to the worker. While the run is paused, the next tick comes soon after, to show the result."""
        super().send(command)
        if not self.snapshot.playing and self._tick_timer.remainingTime() > COMMAND_DELAY_MS:
            self._tick_timer.start(COMMAND_DELAY_MS)

    def tick(self) -> None:
        """Show a frame now, and delay the next tick until this frame is painted.

        During a drag each tick starts another run. Without the delay, a tick before the paint would replace the run, and
        nothing would be computed while the window paints.
        """
        super().tick()
        if any(timer.isActive() for timer in self._timers):
            self._stop_timers()
            self._tick_timer.start(self.interval)

    def show(self) -> None:
        super().show()
        if self.fault is not None and self.fault is not self._reported_fault:
            self._reported_fault = self.fault
            self.faulted.emit(tr("Computing stopped: {reason}", reason=self.fault))

    def handle_listener_error(self, error: BaseException) -> None:
        """Log and report an exception of a listener. The same exception at the same position in the code is reported once,
        because every frame may raise it."""
        *_, last_frame = traceback.extract_tb(error.__traceback__)
        key = f"{type(error).__name__} at {last_frame.filename}:{last_frame.lineno}"
        if key not in self._reported_errors:
            self._reported_errors.add(key)
            log.error("a part of the window failed", exc_info=error)
            self.faulted.emit(tr("A part of the window failed: {error}", error=exception_text(error)))

    def _begin_tick(self) -> None:
        """Begin a tick. Pending events, such as a paint, are handled before the next frame is made."""
        self._tick_started = perf_counter()
        self._prepare_timer.start()

    def _prepare_tick(self) -> None:
        """Make the next frame and schedule its display. If this fails, schedule the next tick."""
        if self.is_waiting:
            self._tick_timer.start(MIN_PAUSE_MS)
            return
        if self._are_listeners_due:
            self.start_listeners()
            self.start()
            return
        is_prepared = False
        try:
            self.prepare()
            is_prepared = True
        except PLUGIN_EXCEPTIONS as error:
            self.handle_listener_error(error)
        finally:
            if is_prepared:
                self._show_timer.start(0)
            else:
                self._tick_timer.start(IDLE_INTERVAL_MS)

    def _show_tick(self) -> None:
        """Show the frame that was made, and schedule the next tick one interval after this one began, or after a pause, so
        that other events are handled."""
        try:
            self.show()
        except PLUGIN_EXCEPTIONS as error:
            self.handle_listener_error(error)
        finally:
            elapsed_ms = (perf_counter() - self._tick_started) * 1000
            # Rounded down, because Qt's timers are never early.
            self._tick_timer.start(max(int(self.interval - elapsed_ms), MIN_PAUSE_MS))
