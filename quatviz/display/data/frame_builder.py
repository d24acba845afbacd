"""Creation of the frame of a run at each tick, and its distribution to the listeners.

Lanes are interpolated at the time of the cursor, for display only. The timer is in the user interface.
"""

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
    sample_nodes,
)
from quatviz.files.preset_edits import shown_title
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.formulations import lane_title
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import normalize, rotation_matrix
from quatviz.physics.observables.interpolation import InterpolationNodes
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.commands import RunnerCommand
from quatviz.simulation.end_reasons import with_lane_title
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.schedule import physical_configs, run_conserved_quantities
from quatviz.simulation.simulation import Simulation

READOUT_QUANTITIES = ("p", "omega", "h", "energy", "constraint", "energy_drift")
"""Quantities whose values at the cursor are part of every frame, for all lanes. Lanes with a Lagrange multiplier also have λ."""


class LazyValues(Mapping[str, np.ndarray]):
    """Components (k,) of quantities by name. Each quantity is computed on first access, because most frames do not
    update numbers and few lanes have arrows."""

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
    """Reader of the values of one lane at the cursor. `nodes` are the rows between which it interpolates. Beyond the
    last sample, it returns the values of the last sample."""

    lane: LaneRun
    nodes: InterpolationNodes
    reader: BatchedCursorReader

    def at(self, name: str) -> np.ndarray:
        """Return the components (k,) of the quantity `name` at the cursor."""
        return self.reader.at(self.lane, name, QUANTITIES[name].column_values, self.nodes)

    def vectors(self) -> LazyValues:
        """Return the vectors that are drawn as arrows, in components of the space frame."""
        names = tuple(name for name in VECTOR_QUANTITIES if has_vector(self.lane, name))
        return LazyValues(self._vector, names)

    def _vector(self, name: str) -> np.ndarray:
        vector = self.at(f"{name}_space")
        return np.where(np.isfinite(vector), vector, 0.0)


def _lanes_at(
    lanes: Sequence[LaneRun], time: float, columns: RunColumns | None, at_samples: bool
) -> list[_LaneAtCursor]:
    """Return a reader of the values at `time` [s] for each lane."""
    transient_reader = BatchedCursorReader(LastBlockCache()) if columns is None else columns.transient_reader
    # Readers that cache also read neighboring rows, which costs more than the few samples shown of a
    # transient run.
    is_transient = columns is not None and columns.info.is_transient
    caching_reader = transient_reader if columns is None or is_transient else columns.reader
    positions = [
        _LaneAtCursor(
            lane,
            sample_nodes(lane, time / lane.interval)
            if at_samples
            else lane.nodes(time / lane.interval, lane.samples),
            caching_reader if lane.prepared else transient_reader,
        )
        for lane in lanes
    ]
    # A transient run is replaced in the next frame: computing in advance would cost more than it saves.
    max_age = 1 if is_transient else QUERY_LIFETIME_FRAMES
    for reader in {caching_reader, transient_reader}:
        reader.set_positions(
            [(position.lane, position.nodes) for position in positions if position.reader is reader],
            ("p",),
            max_age,
            at_samples,
        )
    if columns is not None and is_transient:
        columns.reader.set_positions(
            [(position.lane, position.nodes) for position in positions if position.lane.prepared],
            (),
            max_age,
            at_samples,
        )
    return positions


@large_numbers
def poses_and_values(
    lanes: Sequence[LaneRun], time: float, columns: RunColumns | None = None, at_samples: bool = False
) -> list[tuple[Pose, LazyValues]]:
    """Return the pose and the values of each lane at `time` [s]. All lanes are computed in one call, for speed.

    With `at_samples`, interpolate between samples only, even if the lane has rows between samples.
    """
    positions = _lanes_at(lanes, time, columns, at_samples)
    quaternions = np.array([position.at("p") for position in positions])
    # Scaled first, because the last numbers of a diverging lane may overflow when squared.
    p = normalize(quaternions / np.abs(quaternions).max(axis=1, keepdims=True))
    rotations = rotation_matrix(p)
    return [
        (
            Pose(p[number], rotations[number], position.vectors()),
            LazyValues(position.at, _readout_quantities(position.lane), {"p": quaternions[number]}),
        )
        for number, position in enumerate(positions)
    ]


def _readout_quantities(lane: LaneRun) -> tuple[str, ...]:
    return (*READOUT_QUANTITIES, "lam") if lane.formulation.has_multiplier else READOUT_QUANTITIES


FRAME_DURATION = 1 / 60
"""Intended time from one frame to the next [s]."""
MIN_SAMPLES = 1.0
"""Smallest cursor speed [samples per frame] at which playback reads only rows at samples. At lower speeds, the motion
between two samples is visible, so that rows between samples are read too, although computing them takes ten times as
long."""


class LaneDisplay(Protocol):
    """Styles with which the lanes of a run are shown, by lane index."""

    @property
    def body(self) -> int:
        """Index of the lane that is drawn as the body in 3D."""

    @property
    def colours(self) -> tuple[int, ...]:
        """Color and marker number of each lane."""

    def mode(self, lane: int) -> str:
        """Return `body`, `ghost`, `plots` (not in 3D) or `hidden`."""


class FrameBuilder:
    """Builder of the frames of one run. The columns of the run stay readable while the window shows another run,
    because a film may still need them."""

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
        """Build all following frames with other lane styles."""
        self.lane_styles = display
        self.columns.info = replace(self.columns.info, colors=display.colours)

    def frame_at_rest(self, time: float) -> Frame:
        """Return the frame of the run at `time` [s], as if paused there."""
        return self.frame(Snapshot(time=time, duration=self.simulation.duration, playing=False))

    def frame(self, snapshot: Snapshot, budget: FrameBudget | None = None) -> Frame:
        """Return the frame of the run in the state `snapshot`. Without a `budget`, everything may be drawn at once."""
        is_fast = (
            snapshot.playing
            and abs(snapshot.speed) * FRAME_DURATION >= MIN_SAMPLES * self.simulation.interval
        )
        lane_states = poses_and_values(self.simulation.lanes, snapshot.time, self.columns, is_fast)
        body = self._body_index(snapshot.preparing)
        lanes = tuple(
            self._lane_frame(lane, index, index == body, snapshot, *lane_states[index])
            for index, lane in enumerate(self.simulation.lanes)
        )
        return Frame(
            time=snapshot.time,
            duration=snapshot.duration,
            playing=snapshot.playing,
            speed=snapshot.speed,
            lanes=lanes,
            generation=self._generation,
            notice=_preparing_text(snapshot.preparing),
            scales=self.columns.vector_scales(),
            loop=snapshot.loop,
            selected=snapshot.selected,
            target_time=snapshot.target_time,
            data_revision=self.columns.data_revision,
            budget=budget or FrameBudget(),
        )

    def _body_index(self, preparing: Sequence[str]) -> int:
        """Return the index of the lane that is drawn as the body. While the chosen lane is being prepared, this is the
        first prepared lane that is shown in 3D."""
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
        )  # The message appears when the run is computed with its own steps.
        return LaneFrame(
            name=lane.name,
            color=self.lane_styles.colours[index],
            solid=solid,
            pose=None if preparing and snapshot.time > 0 else pose,
            status="preparing" if preparing else lane.status,
            message="" if hide_message else lane.diagnostics.status_text,
            computed_to=self.columns.readable_until(lane.name),
            visible=mode != "hidden",
            drawn=mode in ("body", "ghost"),
            frozen=not lane.alive and snapshot.time > lane.computed_to,
            values={} if preparing and snapshot.time > 0 else values,
            cost=lane.solver.cost,
            ended_at=lane.ended_at,
            warnings=tuple(tr(with_lane_title(remark, lane.name)) for remark in lane.diagnostics.all_remarks),
        )


_MAX_NAMED_LANES = 4
"""Largest number of lanes that a notice lists by name. The notice is laid out in every frame, and a run may have
hundreds of lanes."""


def _preparing_text(names: Sequence[str]) -> str:
    """Return the notice that these lanes are being prepared, or "" if there are none."""
    if not names:
        return ""
    titles = "; ".join(map(lane_title, names[:_MAX_NAMED_LANES]))
    if len(names) > _MAX_NAMED_LANES:
        count = len(names) - _MAX_NAMED_LANES
        return tr("Preparing {preparing} and {count} more…", preparing=titles, count=count)
    return tr("Preparing {preparing}…", preparing=titles)


def run_info(simulation: Simulation, display: LaneDisplay) -> RunInfo:
    """Return the data of a run that stay constant while it is shown."""
    preset = simulation.preset
    own_loads = tuple(tuple(lane.loads) for lane in preset.lanes)
    return RunInfo(
        title=preset.title,
        shown_title=shown_title(preset),
        body=preset.body,
        duration=simulation.duration,
        sample_interval=simulation.interval,
        dt=preset.run.dt,
        lanes=tuple(lane.name for lane in simulation),
        colors=display.colours,
        formulations=tuple(lane.formulation.id for lane in simulation),
        thresholds=tuple(_singularity_limit(lane) for lane in simulation),
        multipliers=tuple(lane.name for lane in simulation if lane.formulation.has_multiplier),
        exact=tuple(lane.name for lane in simulation if lane.formulation.is_exact and lane.alive),
        constants=run_conserved_quantities(preset),
        events=tuple(preset.events),
        loads=bind(preset.loads, preset.body),
        own_loads=own_loads if any(own_loads) else (),
        J0=_free_inertias(simulation, {}),
        sizes=simulation.lanes[0].motion(stop=1).scales,
    )


def _singularity_limit(lane: LaneRun) -> float:
    """Return the threshold of the singularity measure at which a lane ends, for its step and angular
    velocity at t = 0. The threshold grows with both."""
    segment = lane.problem.segments[0]
    return lane.formulation.singularity_limit(lane.history.rows[0], segment.parameters, segment.step)


def info_with_setting(info: RunInfo, simulation: Simulation, setting: PhysicalConfig) -> RunInfo:
    """Return `info` with the body, loads and J0 of the configuration `setting`, which applies after an
    event of the run."""
    J0 = _free_inertias(simulation, setting.lanes)
    loads = bind(setting.loads, setting.body)
    return replace(info, body=setting.body, loads=loads, J0=J0)


def _free_inertias(
    simulation: Simulation, changed: Mapping[str, Mapping[str, Any]]
) -> tuple[float | None, ...]:
    """Return the free inertia J0 [kg m^2] of each lane: from the lane's settings in `changed`, otherwise
    from the preset; None if the lane has none."""
    specs = zip(simulation, simulation.preset.lanes, strict=True)
    return tuple(changed.get(lane.name, {}).get("J0", spec.J0) for lane, spec in specs)


MAX_CATCH_UP_SPEED = 5.0
"""Largest playback speed [s of motion per s] at which background threads reduce curves at low priority. During faster
playback, they work at full speed."""


class RunListener(Protocol):
    """A part of the window that shows the frames of a run.

    A listener that draws body or loads sets `follows_setting`: its `start` is called again when the cursor passes an
    event that changes them.
    """

    def start(self, source: ColumnSource) -> None:
        """Prepare for the frames of a new run, whose columns are in `source`."""

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""


@runtime_checkable
class FramePreparer(Protocol):
    """A listener whose frames take long to draw. `prepare_frame` does the part of the work that does not
    change the screen."""

    def prepare_frame(self, frame: Frame) -> None:
        """Prepare for this frame, which `show_frame` receives next."""


class RunDriver(Protocol):
    """Interface to the cursor of a run, implemented by `Worker` and by a stand-in for runs that are not played."""

    error: BaseException | None

    @property
    def snapshot(self) -> Snapshot:
        """Present state of the run."""

    def submit(self, command: RunnerCommand) -> None:
        """Send a command."""


SHOW_DELAY = 0.05
"""Longest delay [s] before a new run replaces the displayed one. Most runs are completely computed by then,
so that no half-drawn curves are seen."""
DISTANT_CURSOR_FACTOR = 3.0
"""Factor by which `SHOW_DELAY` is multiplied if the cursor is beyond the computed part of the new run. If the run were
shown earlier, the body would jump to another time."""


def extra_delay(snapshot: Snapshot) -> float:
    """Return the additional delay [s] before a new run is shown. It is 0 unless the cursor is beyond the
    computed part of that run."""
    return 0.0 if snapshot.goal is None else (DISTANT_CURSOR_FACTOR - 1.0) * SHOW_DELAY


@dataclass(frozen=True)
class _UpcomingRun:
    """A run that is being computed and is not shown yet."""

    simulation: Simulation
    worker: RunDriver
    display: LaneDisplay
    is_coarsened: bool
    computed: Callable[[], bool]
    deadline: float
    """Latest time [s, monotonic clock] at which the run replaces the displayed one. `extra_delay` postpones it if the
    cursor is beyond the computed part of the run."""

    @property
    def is_due(self) -> bool:
        return self.computed() or monotonic() >= self.deadline + extra_delay(self.worker.snapshot)


class FrameDispatcher:
    """Connection between the worker and the listeners. At each tick, the state of the worker is made into a frame and
    shown.

    A frame is made by `prepare` and shown by `show`: only `show` changes the screen. All listeners get the same frame.
    `send` passes commands to the worker.
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
        self._are_listeners_due = False
        """True if the run must be passed to all listeners before the next frame."""
        self._upcoming: _UpcomingRun | None = None
        self._set_builder(FrameBuilder(simulation, display, 1), worker)
        self.tick_count = 0
        """Number of ticks since the dispatcher was created."""
        self.frame: Frame | None = None
        """The last frame."""

    def add(self, listener: RunListener) -> None:
        """Add a listener."""
        self._listeners.append(listener)
        if isinstance(listener, FramePreparer):
            self._preparers.append(listener)

    def set_run(self, simulation: Simulation, worker: RunDriver, display: LaneDisplay) -> None:
        """Show a new run, computed by `worker`, with the lane styles `display`."""
        self._generation += 1
        self._set_builder(FrameBuilder(simulation, display, self._generation, self._columns), worker)

    def _set_builder(self, builder: FrameBuilder, worker: RunDriver) -> None:
        self._worker, self._upcoming = worker, None
        self.lane_styles = builder.lane_styles
        """The lane styles."""
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
        """Show a new run at the first tick after it is complete, or after `SHOW_DELAY` at the latest.

        Until then the previous run stays visible.

        Parameters
        ----------
        simulation
            The new run, which may soon be replaced by another one.
        worker
            Computes the run.
        display
            Lane styles of the run.
        is_computed
            Returns True when the run is complete.
        is_coarsened
            True if the run uses larger steps than its preset.
        """
        self._upcoming = _UpcomingRun(
            simulation, worker, display, is_coarsened, is_computed, monotonic() + SHOW_DELAY
        )

    @property
    def has_upcoming_run(self) -> bool:
        """True if a run is being computed that is not shown yet."""
        return self._upcoming is not None

    def set_lane_styles(self, display: LaneDisplay) -> None:
        """Show the lanes with other styles."""
        self.lane_styles = display
        self.builder.set_lane_styles(display)
        if self._upcoming is not None:
            self._upcoming = replace(self._upcoming, display=display)
        self.tick()

    def hold_time(self, time: float | None) -> None:
        """From the next tick on, show the state at `time` [s] instead of the state at the cursor. With None,
        and when a new run begins, show the state at the cursor again."""
        self._held_time = time

    def start_run(self) -> None:
        """Start all listeners with the run, and show its first frame."""
        self.start_listeners()
        self.tick()

    def start_listeners(self) -> None:
        """Start all listeners with the run."""
        self._are_listeners_due = False
        for listener in self._listeners:
            self._notify(listener.start, self._columns)

    def _notify(self, callback: Callable[[Any], None], value: object) -> None:
        """Call a method of a listener, and pass any exception to `handle_listener_error`."""
        try:
            callback(value)
        except PLUGIN_EXCEPTIONS as error:
            self.handle_listener_error(error)

    def handle_listener_error(self, error: BaseException) -> None:
        """Handle an exception of a listener by raising it. The frame loop of the window overrides this to report it."""
        raise error

    def close(self) -> None:
        """Stop following the run and end its background thread."""
        self._columns.close()
        self._upcoming = None

    def send(self, command: RunnerCommand) -> None:
        """Send a command to the worker."""
        (self._worker if self._upcoming is None else self._upcoming.worker).submit(command)

    @property
    def is_behind(self) -> bool:
        """True if curves do not show all computed rows yet."""
        return self._columns.is_behind

    @property
    def snapshot(self) -> Snapshot:
        """Present state of the run."""
        return self._worker.snapshot

    @property
    def fault(self) -> BaseException | None:
        """Exception that ended the worker, a program error; None if there was none."""
        return self._worker.error

    @property
    def is_waiting(self) -> bool:
        """True while a new run is awaited. Until it is shown, the previous run stands still."""
        return self._upcoming is not None and not self._upcoming.is_due

    def tick(self) -> None:
        """Make the frame of one timer tick and show it."""
        self.prepare()
        self.show()

    def prepare(self) -> None:
        """Make the frame of the next tick without showing it."""
        self.tick_count += 1
        if self._are_listeners_due:
            self.start_listeners()
        if self._upcoming is not None and self._upcoming.is_due:
            self._columns.close()
            upcoming = self._upcoming
            self.set_run(upcoming.simulation, upcoming.worker, upcoming.display)
            self._columns.info = replace(
                self._columns.info, is_transient=True, is_coarsened=upcoming.is_coarsened
            )
            self.start_listeners()
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
        """Show the frame."""
        assert self.frame is not None
        for listener in self._listeners:
            self._notify(listener.show_frame, self.frame)

    def _cursor_jumped(self, snapshot: Snapshot, now: float) -> bool:
        """Return True if the cursor is not where playback would have moved it since the last frame."""
        last = self.frame
        return last is None or abs(snapshot.time - last.time) > 2.0 * abs(snapshot.speed) * (now - last.now)

    def _follow_setting(self, time: float) -> None:
        """Start the listeners that draw body or loads again if the cursor has passed an event that changes these."""
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
