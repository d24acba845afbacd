"""Frames of a run, for display only: every lane at the cursor's time, between samples if it is there; made once a
tick and handed to all who follow the run. No timer is known here."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol, runtime_checkable

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.base.translation import tr
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import ColumnSource, Frame, LaneFrame, Pose, RunInfo
from quatviz.display.data.lazy_columns import large_numbers
from quatviz.display.data.row_cache import (
    QUERY_LIFETIME_FRAMES,
    VECTOR_QUANTITIES,
    BatchedCursorReader,
    LastBlockCache,
    RunColumns,
    has_vector,
)
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import normalize, rotation_matrix
from quatviz.physics.observables.interpolation import InterpolationNodes
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.commands import RunnerCommand
from quatviz.simulation.lane import LaneRun, with_lane_title
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.schedule import physical_configs, run_conserved_quantities
from quatviz.simulation.simulation import Simulation

READOUT_QUANTITIES = ("p", "omega", "h", "energy", "constraint", "energy_drift")
"""Quantities whose values at the cursor every frame carries."""


class LazyValues(Mapping[str, np.ndarray]):
    """Components (k,) of each of the quantities `names`, computed when they are asked for: digits change more seldom
    than frames, and few lanes have arrows."""

    def __init__(
        self,
        compute: Callable[[str], np.ndarray],
        names: Sequence[str],
        computed: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._compute, self._names = compute, names
        self._computed: dict[str, np.ndarray] = dict(computed or {})

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._computed:
            self._computed[name] = self._compute(name)
        return self._computed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class _LaneAtCursor:
    """One lane at the place of `nodes`, as a `reader` says. Beyond the last sample it is that one: a lane that ended stays where
    it ended."""

    lane: LaneRun
    nodes: InterpolationNodes
    reader: BatchedCursorReader

    def at(self, name: str) -> np.ndarray:
        """A quantity (k,)."""
        return self.reader.at(self.lane, name, QUANTITIES[name].column_values, self.nodes)

    def vectors(self) -> LazyValues:
        """What is drawn as arrows, in space."""
        names = tuple(name for name in VECTOR_QUANTITIES if has_vector(self.lane, name))
        return LazyValues(self._vector, names)

    def _vector(self, name: str) -> np.ndarray:
        vector = self.at(f"{name}_space")
        return np.where(np.isfinite(vector), vector, 0.0)


def _lanes_at(lanes: Sequence[LaneRun], time: float, columns: RunColumns | None) -> list[_LaneAtCursor]:
    """Each lane at `time` [s]."""
    transient_reader = BatchedCursorReader(LastBlockCache()) if columns is None else columns.transient_reader
    # Columns keep what stands about the cursor too, which costs more than few samples of a run that is passing.
    is_transient = columns is not None and columns.info.is_transient
    caching_reader = transient_reader if columns is None or is_transient else columns.reader
    positions = [
        _LaneAtCursor(
            lane,
            lane.nodes(time / lane.interval, lane.samples),
            caching_reader if lane.prepared else transient_reader,
        )
        for lane in lanes
    ]
    # Another run comes with the next frame: what is found in vain for this one costs more than what is found by itself.
    max_age = 1 if is_transient else QUERY_LIFETIME_FRAMES
    for reader in {caching_reader, transient_reader}:
        reader.set_positions(
            [(position.lane, position.nodes) for position in positions if position.reader is reader],
            ("p",),
            max_age,
        )
    if columns is not None and is_transient:
        columns.reader.set_positions(
            [(position.lane, position.nodes) for position in positions if position.lane.prepared], (), max_age
        )
    return positions


@large_numbers
def poses_and_values(
    lanes: Sequence[LaneRun], time: float, columns: RunColumns | None = None
) -> list[tuple[Pose, LazyValues]]:
    """Pose and values of each lane at `time` [s]; those of all at once, which cost little more than one's."""
    positions = _lanes_at(lanes, time, columns)
    quaternions = np.array([position.at("p") for position in positions])
    # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
    p = normalize(quaternions / np.abs(quaternions).max(axis=1, keepdims=True))
    rotations = rotation_matrix(p)
    return [
        (
            Pose(p[number], rotations[number], position.vectors()),
            LazyValues(position.at, READOUT_QUANTITIES, {"p": quaternions[number]}),
        )
        for number, position in enumerate(positions)
    ]


class LaneDisplay(Protocol):
    """How the lanes of a run are shown, by their numbers."""

    @property
    def body(self) -> int:
        """The lane that is drawn as the body."""

    @property
    def colours(self) -> tuple[int, ...]:
        """Each lane's number of a colour and a shape."""

    def mode(self, lane: int) -> str:
        """`body`, `ghost`, `plots` for one that is in no view, or `hidden`."""


class FrameBuilder:
    """Of one run, whose lanes are shown as `display` says. What it has made its columns of can be filmed when the window
    has long gone on to another run."""

    def __init__(
        self,
        simulation: Simulation,
        display: LaneDisplay,
        generation: int = 0,
        before: RunColumns | None = None,
    ) -> None:
        self.simulation = simulation
        self.columns = RunColumns(simulation, run_info(simulation, display), before)
        self.lane_styles, self._generation = display, generation

    def set_lane_styles(self, display: LaneDisplay) -> None:
        """Show the lanes in another way from now on."""
        self.lane_styles = display
        self.columns.info = replace(self.columns.info, colours=display.colours)

    def frame_at_rest(self, time: float) -> Frame:
        """The frame of a run that rests at `time` [s]."""
        return self.frame(Snapshot(time=time, duration=self.simulation.duration, playing=False))

    def frame(self, snapshot: Snapshot, budget: FrameBudget | None = None) -> Frame:
        """The frame of a run that is where `snapshot` says; all of it may be drawn at once where it has no `budget`."""
        lane_states = poses_and_values(self.simulation.lanes, snapshot.time, self.columns)
        body = self._body_index(snapshot.preparing)
        lanes = tuple(
            self._lane_frame(lane, index, index == body, snapshot, *lane_states[index])
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
            scales=self.columns.vector_scales(),
            loop=snapshot.loop,
            selected=snapshot.selected,
            target_time=snapshot.target_time,
            data_revision=self.columns.data_revision,
            budget=budget or FrameBudget(),
        )

    def _body_index(self, preparing: Sequence[str]) -> int:
        """The lane that is drawn as the body; while that is being prepared, the first that is not, of those in 3D."""
        names = [lane.name for lane in self.simulation.lanes]
        drawn = (index for index in range(len(names)) if self.lane_styles.mode(index) in ("body", "ghost"))
        ready = [index for index in drawn if names[index] not in preparing]
        return self.lane_styles.body if not ready or self.lane_styles.body in ready else ready[0]

    def _lane_frame(
        self, lane: LaneRun, index: int, solid: bool, snapshot: Snapshot, pose: Pose, values: LazyValues
    ) -> LaneFrame:
        mode = self.lane_styles.mode(index)
        preparing = lane.name in snapshot.preparing
        hide_message = (
            self.columns.info.is_coarsened and lane.status == "ok"
        )  # looked through when it is computed whole
        return LaneFrame(
            name=lane.name,
            colour=self.lane_styles.colours[index],
            solid=solid,
            pose=None if preparing and snapshot.time > 0 else pose,
            status="preparing" if preparing else lane.status,
            message="" if hide_message else lane.status_text,
            computed_to=self.columns.readable_until(lane.name),
            visible=mode != "hidden",
            drawn=mode in ("body", "ghost"),
            frozen=not lane.alive and snapshot.time > lane.computed_to,
            values={} if preparing and snapshot.time > 0 else values,
            cost=lane.cost,
            ended_at=lane.ended_at,
            warnings=tuple(tr(with_lane_title(remark, lane.name)) for remark in lane.all_remarks),
        )


def run_info(simulation: Simulation, display: LaneDisplay) -> RunInfo:
    """What the window is told about a run once."""
    preset = simulation.preset
    own_loads = tuple(tuple(lane.loads) for lane in preset.lanes)
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
        thresholds=tuple(lane.singularity_limit for lane in simulation),
        multipliers=tuple(lane.name for lane in simulation if lane.formulation.has_multiplier),
        exact=tuple(lane.name for lane in simulation if lane.formulation.is_exact and lane.alive),
        constants=run_conserved_quantities(preset),
        events=tuple(preset.events),
        loads=bind(preset.loads, preset.body),
        own_loads=own_loads if any(own_loads) else (),
        J0=_free_inertias(simulation, {}),
        sizes=simulation.lanes[0].motion(stop=1).scales,
    )


def info_with_setting(info: RunInfo, simulation: Simulation, setting: PhysicalConfig) -> RunInfo:
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


MAX_CATCH_UP_SPEED = 5.0
"""Speed up to which the cursor does not catch up with curves that are made at leisure."""


class RunListener(Protocol):
    """A part of the window that follows the run. One that draws body or loads sets `follows_setting`: the run begins for
    it again where the cursor passes a change of these."""

    def start(self, source: ColumnSource) -> None:
        """A run begins."""

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""


@runtime_checkable
class FramePreparer(Protocol):
    """A listener for whom showing a frame takes long. What it does first changes nothing on the screen."""

    def prepare_frame(self, frame: Frame) -> None:
        """Begin with this frame, which `show_frame` brings next."""


class RunDriver(Protocol):
    """What moves the cursor of a run: a `Worker`, or, where nothing moves, something in its place."""

    error: BaseException | None

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is now."""

    def submit(self, command: RunnerCommand) -> None:
        """Pass a command on."""


SHOW_DELAY = 0.05
"""How long a run may be computed before it is seen [s]: most are there by then, and the window shows no half-drawn curves."""
DISTANT_CURSOR_FACTOR = 3.0
"""How many times as long where the cursor is beyond what is computed by then: no body is to jump to times that nobody asked for."""


def extra_delay(snapshot: Snapshot) -> float:
    """How much more patience there is with a run that is so far [s]."""
    return 0.0 if snapshot.goal is None else (DISTANT_CURSOR_FACTOR - 1.0) * SHOW_DELAY


@dataclass(frozen=True)
class _UpcomingRun:
    """A run that is computed and not seen yet."""

    simulation: Simulation
    worker: RunDriver
    display: LaneDisplay
    is_coarsened: bool
    computed: Callable[[], bool]
    deadline: float
    """When it is shown at the latest if the cursor has come there, by the clock of the frames [s]."""

    @property
    def is_due(self) -> bool:
        return self.computed() or monotonic() >= self.deadline + extra_delay(self.worker.snapshot)


class FrameDispatcher:
    """Polls the worker once per tick and shows what it finds; sends commands the other way. One run after another.

    A frame is made in two parts, `prepare` and `show`: the screen changes with the second one. All lanes of the window share the
    frame that a tick makes.
    """

    def __init__(
        self,
        simulation: Simulation,
        worker: RunDriver,
        display: LaneDisplay,
        listeners: Sequence[RunListener],
    ) -> None:
        self._listeners: list[RunListener] = []
        self._preparers: list[FramePreparer] = []
        for listener in listeners:
            self.add(listener)
        self._generation = 1
        self._budget = FrameBudget()
        self._held_time: float | None = None
        self._upcoming: _UpcomingRun | None = None
        self._set_builder(FrameBuilder(simulation, display, 1), worker)
        self.tick_count = 0
        """Frames handed out so far."""
        self.frame: Frame | None = None
        """The last of them."""

    def add(self, listener: RunListener) -> None:
        """Let one more part follow the run."""
        self._listeners.append(listener)
        if isinstance(listener, FramePreparer):
            self._preparers.append(listener)

    def set_run(self, simulation: Simulation, worker: RunDriver, display: LaneDisplay) -> None:
        """Follow this run from now on, whose lanes are shown as `display` says."""
        self._generation += 1
        self._set_builder(FrameBuilder(simulation, display, self._generation, self._columns), worker)

    def _set_builder(self, builder: FrameBuilder, worker: RunDriver) -> None:
        self._worker, self._upcoming = worker, None
        self.lane_styles = builder.lane_styles
        """How the lanes are shown."""
        self.builder, self._columns = builder, builder.columns
        self._settings = physical_configs(builder.simulation.preset)
        self._current_setting = self._settings[0][1]
        self._held_time = None

    def schedule_run(
        self,
        simulation: Simulation,
        worker: RunDriver,
        display: LaneDisplay,
        is_computed: Callable[[], bool],
        is_coarsened: bool = False,
    ) -> None:
        """Follow this run, which has another after it soon, from the first tick on at which it is `is_computed`, or when
        `SHOW_DELAY` is at its end: until then the run before is seen, and painted while the other thread computes. One that is
        `is_coarsened` has longer steps than its preset says."""
        self._upcoming = _UpcomingRun(
            simulation, worker, display, is_coarsened, is_computed, monotonic() + SHOW_DELAY
        )

    @property
    def has_upcoming_run(self) -> bool:
        """Whether a run is computed that has not been seen yet."""
        return self._upcoming is not None

    def set_lane_styles(self, display: LaneDisplay) -> None:
        """Show the lanes of this run in another way."""
        self.lane_styles = display
        self.builder.set_lane_styles(display)
        if self._upcoming is not None:
            self._upcoming = replace(self._upcoming, display=display)
        self.tick()

    def hold_time(self, time: float | None) -> None:
        """Show this time [s] from the next tick on, wherever the cursor is; at None, or with another run, the cursor's."""
        self._held_time = time

    def start_run(self) -> None:
        """Introduce the run to every part, and show its first frame."""
        self._start_listeners()
        self.tick()

    def _start_listeners(self) -> None:
        for listener in self._listeners:
            self._notify(listener.start, self._columns)

    def _notify(self, callback: Callable[[Any], None], value: object) -> None:
        """Call a listener. An exception does not keep the other listeners from being called."""
        try:
            callback(value)
        except PLUGIN_EXCEPTIONS as error:
            self.handle_listener_error(error)

    def handle_listener_error(self, error: BaseException) -> None:
        """Handle an exception that a listener raised: raise it. A loop that must go on reports it instead."""
        raise error

    def close(self) -> None:
        """Take in no more of this run."""
        self._columns.close()
        self._upcoming = None

    def send(self, command: RunnerCommand) -> None:
        """Pass a command to the worker."""
        (self._worker if self._upcoming is None else self._upcoming.worker).submit(command)

    @property
    def is_behind(self) -> bool:
        """Whether curves have yet to show something of what is computed."""
        return self._columns.is_behind

    @property
    def snapshot(self) -> Snapshot:
        """Where the run is."""
        return self._worker.snapshot

    @property
    def fault(self) -> BaseException | None:
        """Of what the worker has died, a fault of the program."""
        return self._worker.error

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a run that comes: nothing of the run before moves any more."""
        return self._upcoming is not None and not self._upcoming.is_due

    def tick(self) -> None:
        """Make a frame and hand it on, now."""
        self.prepare()
        self.show()

    def prepare(self) -> None:
        """Make the next frame."""
        self.tick_count += 1
        if self._upcoming is not None and self._upcoming.is_due:
            self._columns.close()
            upcoming = self._upcoming
            self.set_run(upcoming.simulation, upcoming.worker, upcoming.display)
            self._columns.info = replace(
                self._columns.info, is_transient=True, is_coarsened=upcoming.is_coarsened
            )
            self._start_listeners()
        snapshot, now = self._worker.snapshot, monotonic()
        self._columns.refresh(not snapshot.playing or snapshot.speed > MAX_CATCH_UP_SPEED, now)
        self._follow_setting(snapshot.target_time)
        if self._held_time is not None:
            snapshot = replace(snapshot, time=self._held_time, goal=None, playing=False)
        self._budget.begin_frame(now, snapshot.playing, self._cursor_jumped(snapshot, now))
        self.frame = self.builder.frame(snapshot, self._budget)
        for preparer in self._preparers:
            self._notify(preparer.prepare_frame, self.frame)

    def show(self) -> None:
        """Hand it on."""
        assert self.frame is not None
        for listener in self._listeners:
            self._notify(listener.show_frame, self.frame)

    def _cursor_jumped(self, snapshot: Snapshot, now: float) -> bool:
        """Whether the cursor is elsewhere than a run that plays would have taken it to since the last frame."""
        last = self.frame
        return last is None or abs(snapshot.time - last.time) > 2.0 * abs(snapshot.speed) * (now - last.now)

    def _follow_setting(self, time: float) -> None:
        """Introduce the run anew to those who draw body and loads where the cursor passes a change of these."""
        if len(self._settings) == 1:
            return
        sample = math.floor(time / self.builder.simulation.interval + 1e-6)
        setting = [setting for first, setting in self._settings if first <= sample][-1]
        before, self._current_setting = self._current_setting, setting
        changed = setting.body is not before.body or setting.loads is not before.loads
        if changed or setting.lanes != before.lanes:
            self._columns.info = info_with_setting(self._columns.info, self.builder.simulation, setting)
            for listener in self._listeners:
                if getattr(listener, "follows_setting", False):
                    self._notify(listener.start, self._columns)
