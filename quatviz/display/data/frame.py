"""What the window draws at one moment: plain values that panels, scene items and read-outs share.

The bridge makes one `Frame` per timer tick and hands the same one to everybody, so that no two parts
of the window can disagree about what time it is.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from quatviz.base.formatting import format_time, step_decimals
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.lazy_columns import Column
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body

ACTIVE_STATUSES = ("preparing", "running", "ok")
"""Statuses of a lane that has not ended early."""


@dataclass(frozen=True, eq=False)
class Pose:
    """One lane at the cursor, between samples for display only.

    p: (4,) unit Euler parameters, scalar first, body to space. rotation: (3,3), `v_space = rotation @ v_body`.
    vectors: quantity name -> (3,) space components, "omega" [rad/s], "h" [kg m^2/s], "torque" [N m] if a load acts, and
    "pivot_force" [N] if the body has a pivot, a mass and a center of mass.
    """

    p: np.ndarray
    rotation: np.ndarray
    vectors: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class LaneFrame:
    """One lane at the cursor. `pose` is None until its first sample is there, and while it has yet to catch up."""

    name: str
    colour: int
    solid: bool
    """Drawn as the body itself; the other visible lanes are ghosts."""
    pose: Pose | None
    status: str
    """`preparing`, `running`, `ok`, or the reason it ended (`singular`, `not_finite`, ...)."""
    message: str
    """Why it ended early; empty while it lives."""
    computed_to: float
    """Time of the last computed sample [s]."""
    visible: bool = True
    """Shown at all: in the plots, and in 3D where `drawn_lane_names` says so."""
    drawn: bool = True
    frozen: bool = False
    """The lane ended before the cursor's time: `pose` is its last one."""
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Quantity name -> its components (k,) at the cursor, for read-outs; empty until `pose` is there."""
    cost: float = math.nan
    """Processor time per step so far [s]; NaN before the first."""
    ended_at: float | None = None
    """When it ended early [s], which may be after its last sample."""
    warnings: tuple[str, ...] = ()
    """A sentence for each event that has no effect on this lane, or not all of it."""

    @property
    def termination_time(self) -> float | None:
        """When it ended early [s], as its message says, or that of its last sample where nothing else is known; None for one that
        lives."""
        if self.status in ACTIVE_STATUSES:
            return None
        return self.computed_to if self.ended_at is None else self.ended_at


@dataclass(frozen=True, eq=False)
class Frame:
    """The window at one tick of its timer."""

    time: float
    """The one cursor [s]."""
    duration: float
    playing: bool
    speed: float
    lanes: tuple[LaneFrame, ...]
    generation: int
    """Grows when the run is replaced: whoever keeps data of a run starts afresh."""
    notice: str = ""
    """A sentence for the status row, such as what is being prepared."""
    scales: dict[str, float] = field(default_factory=dict)
    """Quantity name -> the largest magnitude of that vector in this run so far; arrows divide by it. Where loads act
    there is "torque" too, and "force" [N], the largest of those at body points."""
    loop: bool = False
    """Whether the cursor starts over at the end of the run, or of the selected range."""
    selected: tuple[float, float] | None = None
    """The times from a to b [s] that a person has selected."""
    target_time: float = 0.0
    """Where the cursor stands, or will as soon as that is computed [s]: edits are made there."""

    data_revision: int = 0
    """It grows where curves have more to draw of what is computed: a long run is reduced beside the window's thread."""
    budget: FrameBudget = field(default_factory=FrameBudget)
    """What of it may be drawn now."""
    now: float = field(init=False)
    """When the tick began, by the one reading of the clock that all of the window shares [s]."""
    updates_readouts: bool = field(init=False)
    """Whether cursors, dots and digits of the window become those of this frame, or stay: see `FrameBudget.updates_readouts`."""
    announces: bool = field(init=False)
    """Whether screen readers are told of them: see `FrameBudget.announces`."""

    def __post_init__(self) -> None:
        # The budget goes on with the next tick; a frame that is kept does not.
        object.__setattr__(self, "now", self.budget.now)
        object.__setattr__(self, "updates_readouts", self.budget.updates_readouts)
        object.__setattr__(self, "announces", self.budget.announces)

    @cached_property
    def body(self) -> LaneFrame | None:
        """The lane that is drawn as the body, once it has a pose."""
        return next((lane for lane in self.lanes if lane.solid and lane.pose is not None), None)

    @property
    def pose(self) -> Pose | None:
        """That of the body."""
        return self.body.pose if self.body is not None else None

    @property
    def shows_body(self) -> bool:
        """Whether the body itself is to be seen in 3D."""
        return self.body is not None and self.body.visible and self.body.drawn

    @cached_property
    def lanes_hidden_in_view(self) -> tuple[LaneFrame, ...]:
        """Its lanes where a view shows none of them."""
        return tuple(replace(lane, solid=False, drawn=False) for lane in self.lanes)

    @property
    def is_at_rest(self) -> bool:
        """Whether what is shown stays until somebody does something."""
        return not self.playing and self.time == self.target_time

    @property
    def computed_to(self) -> float:
        """Up to where every living lane has been computed [s]."""
        alive = [lane.computed_to for lane in self.lanes if lane.status in ACTIVE_STATUSES]
        return min(alive, default=self.duration)

    @property
    def reachable_until(self) -> float:
        """Up to where the cursor can go [s]: lanes that are being prepared are not waited for."""
        ready = [lane for lane in self.lanes if lane.status in ACTIVE_STATUSES and lane.status != "preparing"]
        return min((lane.computed_to for lane in ready), default=self.computed_to)


def drawn_lane_names(frame: Frame) -> list[str]:
    """Names of the lanes that are to be seen in 3D, the one that is drawn as the body first."""
    lanes = [lane for lane in frame.lanes if lane.visible and lane.drawn]
    return [lane.name for lane in sorted(lanes, key=lambda lane: not lane.solid)]


def frame_of_lane(frame: Frame, name: str) -> Frame:
    """The frame with this lane as the body and no ghosts."""
    lanes = tuple(
        replace(lane, solid=True) if lane.name == name else absent
        for lane, absent in zip(frame.lanes, frame.lanes_hidden_in_view, strict=True)
    )
    return replace(frame, lanes=lanes)


@dataclass(frozen=True, eq=False)
class RunInfo:
    """What stays the same for one run, handed out when `Frame.generation` changes."""

    title: str
    source: str
    summary: str
    watch: str
    body: Body
    duration: float
    sample_interval: float
    lanes: tuple[str, ...]
    """Names of the lanes, in their order."""
    colours: tuple[int, ...]
    """Number of each lane's colour and shape, see `display.view_state.line_styles`."""
    formulations: tuple[str, ...] = ()
    """Each lane's id, such as `euler_angles/313`."""
    thresholds: tuple[float, ...] = ()
    """How near its singularity each lane ends: larger steps and a faster body need more room."""
    multipliers: tuple[str, ...] = ()
    """Names of the lanes that have a Lagrange multiplier."""
    own_loads: tuple[tuple[Load, ...], ...] = ()
    """What acts on each lane alone; empty where no lane has any."""
    exact: tuple[str, ...] = ()
    """Names of the lanes that are known rather than integrated, and have not ended for want of a closed form."""
    constants: tuple[str, ...] = ("constraint", "constraint_rate", "energy_drift", "momentum_drift")
    """Quantities that stay zero in an exact solution of this run."""
    events: tuple[Event, ...] = ()
    """What happens to every lane on the way, in the preset's order."""
    loads: tuple[BoundLoad, ...] = ()
    J0: tuple[float | None, ...] = ()
    """Each lane's free inertia [kg m^2] at the cursor, None where nothing was chosen."""
    sizes: Mapping[str, float] = field(default_factory=dict)
    """See `physics.observables.quantities.Motion.scales`."""
    dt: float = 0.0
    """Step of the cursor between samples [s]; 0 where there is none."""
    is_transient: bool = False
    """Whether another run is about to take its place: a hand drags a number."""
    is_coarsened: bool = False
    """Whether it has longer steps meanwhile than its preset says, so that errors are larger."""

    def time_text(self, time: float, playing: bool = False) -> str:
        """A time of the cursor [s] as all write it: to the decimals of samples, and to those of steps where it rests between; and
        whether an event that it would read as is still to come."""
        between = not playing and abs(self._distance_from_sample(time)) > 1e-6
        return format_time(time, self.decimals(between), (event.at for event in self.events))

    def decimals(self, between: bool) -> int:
        """Of times on samples, or between them."""
        steps = (self.sample_interval, self.dt) if between else (self.sample_interval,)
        return max(2, *map(step_decimals, steps))

    def _distance_from_sample(self, time: float) -> float:
        """How far from the nearest sample a time is, in samples."""
        return time / self.sample_interval - round(time / self.sample_interval)

    def has_same_loads(self, lane: str, other: str) -> bool:
        """Whether two lanes are under the same loads, so that they differ by errors alone."""
        if not self.own_loads or lane not in self.lanes or other not in self.lanes:
            return True
        return self.own_loads[self.lanes.index(lane)] == self.own_loads[self.lanes.index(other)]

    @property
    def is_free(self) -> bool:
        """Whether |h| and T stay and h is J omega: no load acts, and nothing turns inside."""
        return not self.loads and not any(self.own_loads) and not self.body.has_inner_motion


class ColumnSource(Protocol):
    """Where panels and trails get their curves. Columns only ever grow within one generation."""

    info: RunInfo

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Column]:
        """Sample times (n,) [s] and values (n, k) of a quantity of `physics.observables.quantities.QUANTITIES`.

        The values are an array, or a column that is computed where it is read (`display.data.lazy_columns`): `len`, `shape`,
        and rows by number, by slice, with or without a step, or by an array of numbers, and a component behind these, as of an
        array. What is read costs time, a microsecond or so a row, unless it was read a moment ago: read what is shown.
        As far as is computed so far; do not write to what is read. `n` may be 0.
        """
