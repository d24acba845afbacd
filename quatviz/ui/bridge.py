"""Between the worker and the window: one timer, which makes one frame and hands it to every part."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from quatviz.core.events.base import Event
from quatviz.core.loads import keeps_energy, resolved
from quatviz.core.loads.base import Load
from quatviz.core.ring import Ring
from quatviz.simulation.commands import Command
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.worker import Worker
from quatviz.ui.at_cursor import Values, at_cursor
from quatviz.ui.columns import Columns
from quatviz.ui.display import Display
from quatviz.ui.frame import Frame, LaneFrame, Pose, RunInfo, Source
from quatviz.ui.words import formulation_text

log = logging.getLogger(__name__)

INTERVAL_MS = 16
REST_MS = 4
"""Least time between the end of a tick and the next."""


class Listener(Protocol):
    """A part of the window that follows the run."""

    def start(self, source: Source) -> None:
        """A run begins."""
        ...

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""
        ...


class Bridge(QObject):
    """Polls the worker once per tick and shows what it finds; sends commands the other way. One run after another.

    All lanes of the window share the frame that a tick makes. `faulted` tells, once, that the worker has died of a
    fault of the program.
    """

    faulted = Signal(str)

    def __init__(self, simulation: Simulation, worker: Worker, listeners: Sequence[Listener]) -> None:
        super().__init__()
        self._listeners = tuple(listeners)
        self._generation = 0
        self.take(simulation, worker, Display.of(len(simulation.lanes)))
        self.ticks = 0
        """Frames handed out so far."""
        self.frame: Frame | None = None
        """The last of them."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def take(self, simulation: Simulation, worker: Worker, display: Display) -> None:
        """Follow this run from now on, whose lanes are shown as `display` says."""
        self._simulation, self._worker, self._display = simulation, worker, display
        self._columns = Columns(simulation, run_info(simulation, display))
        self._fault_told = False
        self._generation += 1

    def dress(self, display: Display) -> None:
        """Show the lanes of this run in another way."""
        self._display = display
        colours = tuple(look.colour for look in display.looks)
        self._columns.info = replace(self._columns.info, colours=colours)
        self.tick()

    def introduce(self) -> None:
        """Introduce the run to every part, and show its first frame."""
        for listener in self._listeners:
            listener.start(self._columns)
        self.tick()

    def start(self) -> None:
        """Begin to tick."""
        self._timer.start(INTERVAL_MS)

    def stop(self) -> None:
        """Tick no more, and take in no more of this run."""
        self._timer.stop()
        self._columns.close()

    def send(self, command: Command) -> None:
        """Pass a command to the worker."""
        self._worker.submit(command)

    @property
    def behind(self) -> bool:
        """Whether curves have yet to show something of what is computed."""
        return self._columns.behind

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is."""
        return self._worker.snapshot

    def _beat(self) -> None:
        """A tick, then a rest: a timer that is always late would let nothing else have a turn."""
        started = perf_counter()
        self.tick()
        spent = (perf_counter() - started) * 1000
        self._timer.start(round(max(INTERVAL_MS - spent, REST_MS)))

    def tick(self) -> None:
        """Make a frame and hand it on."""
        self.ticks += 1
        self._columns.refresh()
        self.frame = frame = self._frame(self._worker.snapshot)
        for listener in self._listeners:
            listener.show_frame(frame)
        if self._worker.fault is not None and not self._fault_told:
            self._fault_told = True
            self.faulted.emit(f"computing stopped: {self._worker.fault}")

    def _frame(self, snapshot: Snapshot) -> Frame:
        found = at_cursor(self._simulation.lanes, snapshot.time, self._columns)
        lanes = tuple(
            self._lane_frame(lane, index, snapshot, pose, values)
            for index, (lane, (pose, values)) in enumerate(zip(self._simulation.lanes, found, strict=True))
        )
        notice = f"Preparing {', '.join(snapshot.preparing)}…" if snapshot.preparing else ""
        return Frame(
            time=snapshot.time,
            duration=snapshot.duration,
            playing=snapshot.playing,
            speed=snapshot.speed,
            lanes=lanes,
            generation=self._generation,
            notice=notice,
            scales=self._columns.scales(),
            loop=snapshot.loop,
            selected=snapshot.selected,
            taken=self._columns.taken,
        )

    def _lane_frame(
        self, lane: LaneRun, index: int, snapshot: Snapshot, pose: Pose, values: Values
    ) -> LaneFrame:
        look, mode = self._display.looks[index], self._display.mode(index)
        return LaneFrame(
            name=lane.name,
            formulation=formulation_text(type(lane.formulation), lane.formulation.variant),
            colour=look.colour,
            solid=index == self._display.body,
            pose=pose,
            status="preparing" if lane.name in snapshot.preparing else lane.status,
            message=lane.message,
            computed_to=self._columns.reach(lane.name),
            visible=mode != "hidden",
            drawn=mode in ("body", "ghost"),
            frozen=not lane.alive and snapshot.time > lane.computed_to,
            values=values,
            cost=lane.cost,
            remarks=lane.remarks,
        )


def run_info(simulation: Simulation, display: Display) -> RunInfo:
    """What the window is told about a run once."""
    preset = simulation.preset
    return RunInfo(
        title=preset.title,
        source=preset.source,
        summary=preset.summary,
        watch=preset.watch,
        body=preset.body,
        duration=simulation.duration,
        sample_interval=simulation.interval,
        lanes=tuple(lane.name for lane in simulation),
        colours=tuple(look.colour for look in display.looks),
        formulations=tuple(lane.formulation.id for lane in simulation),
        multipliers=tuple(lane.name for lane in simulation if lane.formulation.has_multiplier),
        exact=tuple(lane.name for lane in simulation if lane.formulation.closed_form and lane.alive),
        constants=constants(preset.loads, preset.body.ring, preset.events),
        events=tuple(preset.events),
        loads=resolved(preset.loads, preset.body),
    )


def constants(
    loads: Sequence[Load], ring: Ring | None = None, events: Sequence[Event] = ()
) -> tuple[str, ...]:
    """What an exact solution keeps: the energy if every load has a potential and no ring rubs, h if nothing acts, but
    for what an event breaks."""
    energy = all(map(keeps_energy, loads)) and (ring is None or ring.damping == 0)
    momentum = not loads and (ring is None or not np.any(ring.gravity))
    kept = {"energy_drift": energy, "momentum_drift": momentum, "h_space_drift": momentum}
    broken = {name for event in events for name in event.breaks}
    names = (name for name, keeps in kept.items() if keeps and name not in broken)
    return ("constraint", "constraint_rate", *names)
