"""Between the worker and the window: one timer, which makes one frame and hands it to every part."""

import os
from collections.abc import Sequence
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from quatviz.base.translation import tr
from quatviz.display.data.frame_builder import Follows, Lanes, Listener, Showing
from quatviz.physics.kernels.compiler_pool import CHILDREN
from quatviz.simulation.simulation import Simulation

INTERVAL_MS = 16
COMPILING_MS = 30 if (os.cpu_count() or 1) <= CHILDREN else INTERVAL_MS
"""From one tick to the next while lanes are compiled [ms]: where that takes all processors, they wait for every frame. No
picture is taken for late for it, and drawn more coarsely."""
IDLE_MS = 200
"""Between two ticks while nobody sees the run [ms]."""
REST_MS = 2
"""Least time between the end of a tick and the next."""


class Bridge(Showing, QObject):
    """Shows a run from `start` to `stop`.

    A frame is made in two turns of the event loop, so that a key or the mouse waits for half of it. `faulted` tells, once, that
    the worker has died of a fault of the program.
    """

    faulted = Signal(str)

    def __init__(
        self, simulation: Simulation, worker: Follows, display: Lanes, listeners: Sequence[Listener]
    ) -> None:
        QObject.__init__(self)
        Showing.__init__(self, simulation, worker, display, listeners)
        exact = Qt.TimerType.PreciseTimer
        self._timers = [QTimer(self, singleShot=True, timerType=exact) for _ in range(3)]
        self._timer, self._first, self._second = self._timers
        self._timer.timeout.connect(self._first.start)  # what else is due, such as a paint, comes before it
        self._first.timeout.connect(self._begin_beat)
        self._second.timeout.connect(self._end_beat)
        self._spent = 0.0
        self._resting = False
        self._told: BaseException | None = None

    def start(self) -> None:
        """Begin to tick."""
        self._timer.start(self.interval)

    def stop(self) -> None:
        """Tick no more, and take in no more of this run."""
        self._halt()
        self.close()

    def _halt(self) -> None:
        for timer in self._timers:
            timer.stop()

    def rest(self, on: bool) -> None:
        """Tick now and then only, while nobody sees the run."""
        self._resting = on

    @property
    def interval(self) -> int:
        """From one tick to the next [ms]."""
        return IDLE_MS if self._resting else COMPILING_MS if self.snapshot.preparing else INTERVAL_MS

    def tick(self) -> None:
        """Out of turn: the next beat waits until this frame is painted. Where a hand makes one run after another, it would begin
        with the next one before, and nothing would be computed while that is painted."""
        super().tick()
        if any(timer.isActive() for timer in self._timers):
            self._halt()
            self._timer.start(self.interval)

    def show(self) -> None:
        super().show()
        if self.fault is not None and self.fault is not self._told:
            self._told = self.fault
            self.faulted.emit(tr("computing stopped: {fault}", fault=self.fault))

    def _begin_beat(self) -> None:
        if self.waits:
            self._timer.start(REST_MS)
            return
        started = perf_counter()
        self.prepare()
        self._spent = perf_counter() - started
        self._second.start(0)

    def _end_beat(self) -> None:
        """The rest of a tick, then a rest: a timer that is always late would let nothing else have a turn."""
        started = perf_counter()
        self.show()
        spent = (self._spent + perf_counter() - started) * 1000
        self._timer.start(round(max(self.interval - spent, REST_MS)))
