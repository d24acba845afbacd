"""Frames of a run, for display only: every lane at the cursor's time, between samples if it is there; made once a
tick and handed to all who follow the run. No timer is known here."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol, runtime_checkable

import numpy as np

from quatviz.base.translation import told, tr
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import Frame, LaneFrame, Pose, RunInfo, Source
from quatviz.display.data.lazy_columns import large_numbers
from quatviz.display.data.row_cache import LATELY, VECTORS, Abreast, Columns, Sparing
from quatviz.physics.events.base import Setting
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import normalise, rotation_matrix
from quatviz.physics.observables.interpolation import Nodes
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.commands import Command
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.schedule import constants_of, settings_of_run
from quatviz.simulation.simulation import Simulation

READ_OUT = ("p", "omega", "h", "energy", "constraint", "energy_drift")
"""Quantities whose values at the cursor every frame carries."""

_FREE = tuple(name for name in VECTORS if name != "torque")


class Values(Mapping[str, np.ndarray]):
    """Components (k,) of each of the quantities `names`, computed when they are asked for: digits change more seldom
    than frames, and few lanes have arrows."""

    def __init__(
        self,
        between: Callable[[str], np.ndarray],
        names: Sequence[str],
        known: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._between, self._names = between, names
        self._known: dict[str, np.ndarray] = dict(known or {})

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = self._between(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class _Between:
    """One lane at the place of `nodes`, as a `reader` says. Beyond the last sample it is that one: a lane that ended stays where
    it ended."""

    lane: LaneRun
    nodes: Nodes
    reader: Abreast

    def at(self, name: str) -> np.ndarray:
        """A quantity (k,)."""
        return self.reader.at(self.lane, name, QUANTITIES[name].of, self.nodes)

    def vectors(self) -> Values:
        """What is drawn as arrows, in space."""
        return Values(self._vector, VECTORS if self.lane.loads else _FREE)

    def _vector(self, name: str) -> np.ndarray:
        vector = self.at(f"{name}_space")
        return np.where(np.isfinite(vector), vector, 0.0)


def _between(lanes: Sequence[LaneRun], time: float, columns: Columns | None) -> list[_Between]:
    """Each lane at `time` [s]."""
    sparing = Abreast(Sparing()) if columns is None else columns.sparing
    # Columns keep what stands about the cursor too, which costs more than few samples of a run that is passing.
    passing = columns is not None and columns.info.passing
    kept = sparing if columns is None or passing else columns.reader
    places = [
        _Between(lane, lane.nodes(time / lane.interval, lane.samples), kept if lane.prepared else sparing)
        for lane in lanes
    ]
    # Another run comes with the next frame: what is found in vain for this one costs more than what is found by itself.
    lately = 1 if passing else LATELY
    for reader in {kept, sparing}:
        reader.come([(each.lane, each.nodes) for each in places if each.reader is reader], ("p",), lately)
    if columns is not None and passing:
        columns.reader.come([(each.lane, each.nodes) for each in places if each.lane.prepared], (), lately)
    return places


@large_numbers
def at_cursor(
    lanes: Sequence[LaneRun], time: float, columns: Columns | None = None
) -> list[tuple[Pose, Values]]:
    """Pose and values of each lane at `time` [s]; those of all at once, which cost little more than one's."""
    places = _between(lanes, time, columns)
    read = np.array([place.at("p") for place in places])
    # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
    p = normalise(read / np.abs(read).max(axis=1, keepdims=True))
    rotations = rotation_matrix(p)
    return [
        (
            Pose(p[number], rotations[number], place.vectors()),
            Values(place.at, READ_OUT, {"p": read[number]}),
        )
        for number, place in enumerate(places)
    ]


class Lanes(Protocol):
    """How the lanes of a run are shown, by their numbers."""

    @property
    def body(self) -> int:
        """The lane that is drawn as the body."""

    @property
    def colours(self) -> tuple[int, ...]:
        """Each lane's number of a colour and a shape."""

    def mode(self, lane: int) -> str:
        """`body`, `ghost`, `plots` for one that is in no view, or `hidden`."""


class Framer:
    """Of one run, whose lanes are shown as `display` says. What it has made its columns of can be filmed when the window
    has long gone on to another run."""

    def __init__(
        self, simulation: Simulation, display: Lanes, generation: int = 0, before: Columns | None = None
    ) -> None:
        self.simulation = simulation
        self.columns = Columns(simulation, run_info(simulation, display), before)
        self.display, self._generation = display, generation

    def dress(self, display: Lanes) -> None:
        """Show the lanes in another way from now on."""
        self.display = display
        self.columns.info = replace(self.columns.info, colours=display.colours)

    def frame_at(self, time: float) -> Frame:
        """The frame of a run that rests at `time` [s]."""
        return self.frame(Snapshot(time=time, duration=self.simulation.duration, playing=False))

    def frame(self, snapshot: Snapshot, budget: FrameBudget | None = None) -> Frame:
        """The frame of a run that is where `snapshot` says; all of it may be drawn at once where it has no `budget`."""
        found = at_cursor(self.simulation.lanes, snapshot.time, self.columns)
        body = self._body(snapshot.preparing)
        lanes = tuple(
            self._lane_frame(lane, index, index == body, snapshot, *found[index])
            for index, lane in enumerate(self.simulation.lanes)
        )
        notice = (
            tr("Preparing {preparing}…", preparing="; ".join(map(lane_title, snapshot.preparing)))
            if snapshot.preparing
            else ""
        )
        return Frame(
            time=snapshot.time,
            duration=snapshot.duration,
            playing=snapshot.playing,
            speed=snapshot.speed,
            lanes=lanes,
            generation=self._generation,
            notice=notice,
            scales=self.columns.scales(),
            loop=snapshot.loop,
            selected=snapshot.selected,
            heading=snapshot.heading,
            taken=self.columns.taken,
            budget=budget or FrameBudget(),
        )

    def _body(self, preparing: Sequence[str]) -> int:
        """The lane that is drawn as the body; while that is being prepared, the first that is not, of those in 3D."""
        names = [lane.name for lane in self.simulation.lanes]
        drawn = (index for index in range(len(names)) if self.display.mode(index) in ("body", "ghost"))
        ready = [index for index in drawn if names[index] not in preparing]
        return self.display.body if not ready or self.display.body in ready else ready[0]

    def _lane_frame(
        self, lane: LaneRun, index: int, solid: bool, snapshot: Snapshot, pose: Pose, values: Values
    ) -> LaneFrame:
        mode = self.display.mode(index)
        preparing = lane.name in snapshot.preparing
        passes = (
            self.columns.info.sketched and lane.status == "ok"
        )  # looked through when it is computed whole
        return LaneFrame(
            name=lane.name,
            colour=self.display.colours[index],
            solid=solid,
            pose=None if preparing and snapshot.time > 0 else pose,
            status="preparing" if preparing else lane.status,
            message="" if passes else lane.told,
            computed_to=self.columns.reach(lane.name),
            visible=mode != "hidden",
            drawn=mode in ("body", "ghost"),
            frozen=not lane.alive and snapshot.time > lane.computed_to,
            values={} if preparing and snapshot.time > 0 else values,
            cost=lane.cost,
            ended_at=lane.ended_at,
            remarks=tuple(map(told, lane.all_remarks)),
        )


def run_info(simulation: Simulation, display: Lanes) -> RunInfo:
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
        dt=preset.run.dt,
        lanes=tuple(lane.name for lane in simulation),
        colours=display.colours,
        formulations=tuple(lane.formulation.id for lane in simulation),
        thresholds=tuple(lane.first_segment.threshold for lane in simulation),
        multipliers=tuple(lane.name for lane in simulation if lane.formulation.has_multiplier),
        exact=tuple(
            lane.name
            for lane in simulation
            if lane.formulation.closed_form and not lane.formulation.recorded and lane.alive
        ),
        constants=constants_of(preset),
        events=tuple(preset.events),
        loads=bind(preset.loads, preset.body),
        J0=_free_inertias(simulation, {}),
        sizes=simulation.lanes[0].motion(stop=1).sizes,
    )


def info_within(info: RunInfo, simulation: Simulation, setting: Setting) -> RunInfo:
    """What a run is told to be while this setting is in force."""
    J0 = _free_inertias(simulation, setting.lanes)
    loads = bind(setting.loads, setting.body)
    return replace(info, body=setting.body, loads=loads, J0=J0)


def _free_inertias(
    simulation: Simulation, changed: Mapping[str, Mapping[str, Any]]
) -> tuple[float | None, ...]:
    """Each lane's J0, as the preset or what has `changed` says."""
    specs = zip(simulation, simulation.preset.lanes, strict=True)
    return tuple(changed.get(lane.name, {}).get("J0", spec.J0) for lane, spec in specs)


LEISURELY = 5.0
"""Speed up to which the cursor does not catch up with curves that are made at leisure."""


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
    display: Lanes
    sketched: bool
    computed: Callable[[], bool]
    until: float
    """When it is shown at the latest if the cursor has come there, by the clock of the frames [s]."""

    @property
    def due(self) -> bool:
        return self.computed() or monotonic() >= self.until + longer(self.worker.snapshot)


class Showing:
    """Polls the worker once per tick and shows what it finds; sends commands the other way. One run after another.

    A frame is made in two parts, `prepare` and `show`: the screen changes with the second one. All lanes of the window share the
    frame that a tick makes.
    """

    def __init__(
        self, simulation: Simulation, worker: Follows, display: Lanes, listeners: Sequence[Listener]
    ) -> None:
        self._listeners: list[Listener] = []
        self._preparers: list[Preparer] = []
        for one in listeners:
            self.add(one)
        self._generation = 1
        self._budget = FrameBudget()
        self._held: float | None = None
        self._coming: _Coming | None = None
        self._follow(Framer(simulation, display, 1), worker)
        self.ticks = 0
        """Frames handed out so far."""
        self.frame: Frame | None = None
        """The last of them."""

    def add(self, listener: Listener) -> None:
        """Let one more part follow the run."""
        self._listeners.append(listener)
        if isinstance(listener, Preparer):
            self._preparers.append(listener)

    def take(self, simulation: Simulation, worker: Follows, display: Lanes) -> None:
        """Follow this run from now on, whose lanes are shown as `display` says."""
        self._generation += 1
        self._follow(Framer(simulation, display, self._generation, self._columns), worker)

    def _follow(self, framer: Framer, worker: Follows) -> None:
        self._worker, self._coming = worker, None
        self.display = framer.display
        """How the lanes are shown."""
        self.framer, self._columns = framer, framer.columns
        self._settings = settings_of_run(framer.simulation.preset)
        self._setting = self._settings[0][1]
        self._held = None

    def take_soon(
        self,
        simulation: Simulation,
        worker: Follows,
        display: Lanes,
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

    def dress(self, display: Lanes) -> None:
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

    def close(self) -> None:
        """Take in no more of this run."""
        self._columns.close()
        self._coming = None

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

    @property
    def fault(self) -> BaseException | None:
        """Of what the worker has died, a fault of the program."""
        return self._worker.fault

    @property
    def waits(self) -> bool:
        """Whether it waits for a run that comes: nothing of the run before moves any more."""
        return self._coming is not None and not self._coming.due

    def tick(self) -> None:
        """Make a frame and hand it on, now."""
        self.prepare()
        self.show()

    def prepare(self) -> None:
        """Make the next frame."""
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

    def show(self) -> None:
        """Hand it on."""
        assert self.frame is not None
        for listener in self._listeners:
            listener.show_frame(self.frame)

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
