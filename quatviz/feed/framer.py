"""Every lane at the cursor's time, interpolated between its two nearest samples, for display only."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from quatviz.base.tr import told, tr
from quatviz.events.base import Setting
from quatviz.feed.budget import FrameBudget
from quatviz.feed.columns import VECTORS, Columns
from quatviz.feed.frame import Frame, LaneFrame, Pose, RunInfo
from quatviz.feed.lazy import about, interpolated, large_numbers
from quatviz.formulations import lane_title
from quatviz.loads import bind
from quatviz.mechanics.rotations import normalise, rotation_matrix, slerp
from quatviz.motion.observables import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.schedule import constants_of
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


class _Between:
    """One lane between two samples. Beyond the last one it is that one: a lane that ended stays where it ended."""

    def __init__(self, lane: LaneRun, time: float, columns: Columns | None) -> None:
        self._lane, self._columns = lane, columns
        self._row, self.share = about(time / lane.interval, lane.samples)
        self._motion: Motion | None = None

    def ends(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """A quantity (k,) at the sample before and at the one after, from `columns` where those have got so far and will be
        asked again: they keep what stands about the cursor too, which costs more than two samples of a run that is passing."""
        columns = self._columns if self._columns is not None and not self._columns.info.passing else None
        values = columns.pair(self._lane.name, name, self._row) if columns is not None else None
        if values is None:
            self._motion = self._motion or self._lane.motion(self._row, self._row + 2)
            values = QUANTITIES[name].of(self._motion)
        return values[0], values[-1]

    @large_numbers
    def between(self, name: str) -> np.ndarray:
        """A quantity (k,) at the cursor."""
        return np.asarray(interpolated(self.ends(name), self.share))

    def vectors(self) -> Values:
        """What is drawn as arrows, in space."""
        return Values(self._vector, VECTORS if self._lane.loads else _FREE)

    def _vector(self, name: str) -> np.ndarray:
        vector = self.between(f"{name}_space")
        return np.where(np.isfinite(vector), vector, 0.0)


@large_numbers
def at_cursor(
    lanes: Sequence[LaneRun], time: float, columns: Columns | None = None
) -> list[tuple[Pose, Values]]:
    """Pose and values of each lane at `time` [s]; the rotations of all at once, which costs little more than one."""
    places = [_Between(lane, time, columns) for lane in lanes]
    ends = np.array([place.ends("p") for place in places])
    # Divided first: the last numbers of a lane that grew beyond all bounds cannot be squared.
    largest = np.abs(ends).max(axis=2, keepdims=True)
    unit, shares = normalise(ends / largest), np.array([place.share for place in places])
    p = slerp(unit[:, 0], unit[:, 1], shares)
    rotations = rotation_matrix(p)
    # On the arc between two samples as the body is, not on its chord; as long as they are.
    sizes = largest[..., 0] * np.linalg.norm(ends / largest, axis=2)
    read = p * (sizes[:, 0] + shares * (sizes[:, 1] - sizes[:, 0]))[:, None]
    return [
        (
            Pose(p[number], rotations[number], place.vectors()),
            Values(place.between, READ_OUT, {"p": read[number]}),
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

    def __init__(self, simulation: Simulation, display: Lanes, generation: int = 0) -> None:
        self.simulation = simulation
        self.columns = Columns(simulation, run_info(simulation, display))
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
            remarks=tuple(map(told, lane.remarks)),
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
        lanes=tuple(lane.name for lane in simulation),
        colours=display.colours,
        formulations=tuple(lane.formulation.id for lane in simulation),
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
