"""Between the worker and the window: one timer, which makes one frame and hands it to every part."""

import logging
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic, perf_counter
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from quatviz.base.tr import tr
from quatviz.feed.budget import FrameBudget
from quatviz.feed.frame import Frame, Source
from quatviz.feed.framer import Framer, info_within
from quatviz.kernels.crew import CHILDREN
from quatviz.look.display import Display
from quatviz.simulation.commands import Command
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.schedule import settings_of_run
from quatviz.simulation.simulation import Simulation

log = logging.getLogger(__name__)

INTERVAL_MS = 16
LEISURELY = 5.0
"""Speed up to which the cursor does not catch up with curves that are made at leisure."""

COMPILING_MS = 30 if (os.cpu_count() or 1) <= CHILDREN else INTERVAL_MS
"""From one tick to the next while lanes are compiled [ms]: where that takes all processors, they wait for every frame. No
picture is taken for late for it, and drawn more coarsely."""
IDLE_MS = 200
"""Between two ticks while nobody sees the run [ms]."""
REST_MS = 2
"""Least time between the end of a tick and the next."""


class Listener(Protocol):
    """A part of the window that follows the run. One that draws body or loads sets `follows_setting`: the run begins for
    it again where the cursor passes a change of these."""

    def start(self, source: Source) -> None:
        """A run begins."""

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""


@runtime_checkable
class Preparer(Protocol):
    """A listener for whom showing a frame takes long. What it does first changes nothing on the screen."""

    def prepare_frame(self, frame: Frame) -> None:
        """Begin with this frame, which `show_frame` brings next."""


class Follows(Protocol):
    """What moves the cursor of a run: a `Worker`, or, where nothing moves, something in its place."""

    fault: BaseException | None

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is now."""

    def submit(self, command: Command) -> None:
        """Pass a command on."""


PATIENCE = 0.05
"""How long a run may be computed before it is seen [s]: most are there by then, and the window shows no half-drawn curves."""
FAR = 3.0
"""How many times as long where the cursor is beyond what is computed by then: no body is to jump to times that nobody asked for."""


def longer(snapshot: Snapshot) -> float:
    """How much more patience there is with a run that is so far [s]."""
    return 0.0 if snapshot.goal is None else (FAR - 1.0) * PATIENCE


@dataclass(frozen=True)
class _Coming:
    """A run that is computed and not seen yet."""

    simulation: Simulation
    worker: Follows
    display: Display
    sketched: bool
    computed: Callable[[], bool]
    until: float
    """When it is shown at the latest if the cursor has come there, by the clock of the frames [s]."""

    @property
    def due(self) -> bool:
        return self.computed() or monotonic() >= self.until + longer(self.worker.snapshot)


class Bridge(QObject):
    """Polls the worker once per tick and shows what it finds; sends commands the other way. One run after another.

    A frame is made in two turns of the event loop, so that a key or the mouse waits for half of it; the screen changes
    with the second one. All lanes of the window share the frame that a tick makes. `faulted` tells, once, that the
    worker has died of a fault of the program.
    """

    faulted = Signal(str)

    def __init__(
        self, simulation: Simulation, worker: Follows, display: Display, listeners: Sequence[Listener]
    ) -> None:
        super().__init__()
        self._listeners: list[Listener] = []
        self._preparers: list[Preparer] = []
        for one in listeners:
            self.add(one)
        self._generation = 0
        self._budget = FrameBudget()
        self._held: float | None = None
        self._coming: _Coming | None = None
        self.take(simulation, worker, display)
        self.ticks = 0
        """Frames handed out so far."""
        self.frame: Frame | None = None
        """The last of them."""
        exact = Qt.TimerType.PreciseTimer
        self._timer, self._first, self._second = (
            QTimer(self, singleShot=True, timerType=exact) for _ in range(3)
        )
        self._timer.timeout.connect(self._first.start)  # what else is due, such as a paint, comes before it
        self._first.timeout.connect(self._begin_beat)
        self._second.timeout.connect(self._end_beat)
        self._spent = 0.0
        self._resting = False

    def add(self, listener: Listener) -> None:
        """Let one more part follow the run."""
        self._listeners.append(listener)
        if isinstance(listener, Preparer):
            self._preparers.append(listener)

    def take(self, simulation: Simulation, worker: Follows, display: Display) -> None:
        """Follow this run from now on, whose lanes are shown as `display` says."""
        self._generation += 1
        self._worker, self._coming = worker, None
        self.display = display
        """How the lanes are shown."""
        self.framer = Framer(simulation, display, self._generation)
        self._columns = self.framer.columns
        self._settings = settings_of_run(simulation.preset)
        self._setting = self._settings[0][1]
        self._fault_told = False
        self._held = None

    def take_soon(
        self,
        simulation: Simulation,
        worker: Follows,
        display: Display,
        computed: Callable[[], bool],
        sketched: bool = False,
    ) -> None:
        """Follow this run, which has another after it soon, from the first tick on at which it is `computed`, or when `PATIENCE`
        is at its end: until then the run before is seen, and painted while the other thread computes. One that is `sketched`
        has longer steps than its preset says."""
        self._coming = _Coming(simulation, worker, display, sketched, computed, monotonic() + PATIENCE)

    @property
    def awaits(self) -> bool:
        """Whether a run is computed that has not been seen yet."""
        return self._coming is not None

    def dress(self, display: Display) -> None:
        """Show the lanes of this run in another way."""
        self.display = display
        self.framer.dress(display)
        if self._coming is not None:
            self._coming = replace(self._coming, display=display)
        self.tick()

    def hold(self, time: float | None) -> None:
        """Show this time [s] from the next tick on, wherever the cursor is; at None, or with another run, the cursor's."""
        self._held = time

    def introduce(self) -> None:
        """Introduce the run to every part, and show its first frame."""
        self._begin_run()
        self.tick()

    def _begin_run(self) -> None:
        for listener in self._listeners:
            listener.start(self._columns)

    def start(self) -> None:
        """Begin to tick."""
        self._timer.start(self.interval)

    def stop(self) -> None:
        """Tick no more, and take in no more of this run."""
        for timer in (self._timer, self._first, self._second):
            timer.stop()
        self._columns.close()
        self._coming = None

    def rest(self, on: bool) -> None:
        """Tick now and then only, while nobody sees the run."""
        self._resting = on

    @property
    def interval(self) -> int:
        """From one tick to the next [ms]."""
        return IDLE_MS if self._resting else COMPILING_MS if self.snapshot.preparing else INTERVAL_MS

    def send(self, command: Command) -> None:
        """Pass a command to the worker."""
        (self._worker if self._coming is None else self._coming.worker).submit(command)

    @property
    def behind(self) -> bool:
        """Whether curves have yet to show something of what is computed."""
        return self._columns.behind

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is."""
        return self._worker.snapshot

    def _begin_beat(self) -> None:
        if self._coming is not None and not self._coming.due:
            self._timer.start(REST_MS)  # nothing of the run before moves any more
            return
        started = perf_counter()
        self._prepare()
        self._spent = perf_counter() - started
        self._second.start(0)

    def _end_beat(self) -> None:
        """The rest of a tick, then a rest: a timer that is always late would let nothing else have a turn."""
        started = perf_counter()
        self._show()
        spent = (self._spent + perf_counter() - started) * 1000
        self._timer.start(round(max(self.interval - spent, REST_MS)))

    def tick(self) -> None:
        """Make a frame and hand it on, now."""
        self._prepare()
        self._show()

    def _prepare(self) -> None:
        self.ticks += 1
        if self._coming is not None and self._coming.due:
            self._columns.close()
            coming = self._coming
            self.take(coming.simulation, coming.worker, coming.display)
            self._columns.info = replace(self._columns.info, passing=True, sketched=coming.sketched)
            self._begin_run()
        snapshot, now = self._worker.snapshot, monotonic()
        self._columns.refresh(not snapshot.playing or snapshot.speed > LEISURELY, now)
        self._follow_setting(snapshot.heading)
        if self._held is not None:
            snapshot = replace(snapshot, time=self._held, goal=None, playing=False)
        self._budget.begin(now, snapshot.playing, self._leaps(snapshot, now))
        self.frame = self.framer.frame(snapshot, self._budget)
        for preparer in self._preparers:
            preparer.prepare_frame(self.frame)

    def _show(self) -> None:
        assert self.frame is not None
        for listener in self._listeners:
            listener.show_frame(self.frame)
        if self._worker.fault is not None and not self._fault_told:
            self._fault_told = True
            self.faulted.emit(tr("computing stopped: {fault}", fault=self._worker.fault))

    def _leaps(self, snapshot: Snapshot, now: float) -> bool:
        """Whether the cursor is elsewhere than a run that plays would have taken it to since the last frame."""
        last = self.frame
        return last is None or abs(snapshot.time - last.time) > 2.0 * abs(snapshot.speed) * (now - last.now)

    def _follow_setting(self, time: float) -> None:
        """Introduce the run anew to those who draw body and loads where the cursor passes a change of these."""
        if len(self._settings) == 1:
            return
        sample = math.floor(time / self.framer.simulation.interval + 1e-6)
        setting = [setting for first, setting in self._settings if first <= sample][-1]
        before, self._setting = self._setting, setting
        moved = setting.body is not before.body or setting.loads is not before.loads
        if moved or setting.lanes != before.lanes:
            self._columns.info = info_within(self._columns.info, self.framer.simulation, setting)
            for listener in self._listeners:
                if getattr(listener, "follows_setting", False):
                    listener.start(self._columns)
