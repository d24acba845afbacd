"""The frame: what the window shows at one instant, as plain values that panels, 3D items and readouts share.

`frame_builder.FrameDispatcher` makes one `Frame` per timer tick and passes the same object to every part of the
window, so that all show the same time.
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
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import BoundLoad, Load
from quatviz.physics.mechanics.body import Body

ACTIVE_STATUSES = ("preparing", "running", "ok")
"""Statuses of a lane that has not ended early."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Attitude and vectors of one lane at the cursor, interpolated between samples for display only.

    Attributes
    ----------
    p
        Unit Euler parameters (4,), scalar first, body to space.
    rotation
        Rotation matrix (3, 3): `v_space = rotation @ v_body`.
    vectors
        Space components (3,) by quantity name: "omega" [rad/s], "h" [kg m^2/s], "torque" [N m] if a load acts, and
        "pivot_force" [N] if the body has a pivot, a mass and a center of mass.
    """

    p: np.ndarray
    rotation: np.ndarray
    vectors: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class LaneFrame:
    """One lane at the cursor. `pose` is None before the first sample, and at t > 0 while the lane is being prepared."""

    name: str
    color: int
    solid: bool
    """True if the lane is drawn as the body. The other visible lanes are ghosts."""
    pose: Pose | None
    status: str
    """`preparing`, `running`, `ok`, or the reason for the end of the lane (`singular`, `not_finite`, ...)."""
    message: str
    """Why the lane ended early, or a warning about its result; "" if there is nothing to report."""
    computed_to: float
    """Time up to which the lane has been computed [s]."""
    visible: bool = True
    """True if the lane is shown in the plots. It is shown in 3D if `drawn` is True as well."""
    drawn: bool = True
    frozen: bool = False
    """True if the lane ended before the time of the cursor. `pose` is then the pose at the last sample of the lane."""
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Components (k,) at the cursor by quantity name, for readouts; empty until there is a pose."""
    cost: float = math.nan
    """Processor time per step so far [s]; NaN before the first step."""
    ended_at: float | None = None
    """Time of an early end [s]. It may be later than the last sample. None if it is not known."""
    warnings: tuple[str, ...] = ()
    """One sentence for each event that has no effect, or only a partial effect, on this lane."""

    @property
    def termination_time(self) -> float | None:
        """Time [s] at which an inactive lane ended: `ended_at` if it is known, otherwise the time of the last sample.
        None for an active lane."""
        if self.status in ACTIVE_STATUSES:
            return None
        return self.computed_to if self.ended_at is None else self.ended_at


@dataclass(frozen=True, eq=False)
class Frame:
    """The content of the window at one tick of its timer."""

    time: float
    """Time of the cursor [s]."""
    duration: float
    playing: bool
    speed: float
    lanes: tuple[LaneFrame, ...]
    generation: int
    """Number of the current run, which increases whenever another run replaces it. Data cached for another
    number are invalid."""
    notice: str = ""
    """Sentence for the status row, for example about lanes that are being prepared."""
    scales: dict[str, float] = field(default_factory=dict)
    """Largest magnitude of each drawn vector in this run so far, by quantity name. The lengths of arrows are
    relative to it.

    If loads act, the keys include "torque", and "force" for the largest force at a body point [N].
    """
    loop: bool = False
    """True if the cursor returns to the start at the end of the run or of the selected range."""
    selected: tuple[float, float] | None = None
    """Selected time range (from, to) [s]."""
    target_time: float = 0.0
    """Time [s] that the cursor shows, or will show as soon as it is computed. Edits apply there."""

    data_revision: int = 0
    """Counter that increases when curves can show more data. Long runs are reduced in a background thread."""
    budget: FrameBudget = field(default_factory=FrameBudget)
    """Drawing budget of this frame."""
    now: float = field(init=False)
    """Start of the tick [s], the only reading of the clock in a frame."""
    updates_readouts: bool = field(init=False)
    """True if cursors, dots and numbers are updated in this frame, see `FrameBudget.updates_readouts`."""
    announces: bool = field(init=False)
    """True if screen readers are notified in this frame, see `FrameBudget.announces`."""

    def __post_init__(self) -> None:
        # Copied because the budget changes with the next tick, while a frame may be kept.
        object.__setattr__(self, "now", self.budget.now)
        object.__setattr__(self, "updates_readouts", self.budget.updates_readouts)
        object.__setattr__(self, "announces", self.budget.announces)

    @cached_property
    def body(self) -> LaneFrame | None:
        """The lane that is drawn as the body; None if it has no pose."""
        return next((lane for lane in self.lanes if lane.solid and lane.pose is not None), None)

    @property
    def pose(self) -> Pose | None:
        """Pose of the lane that is drawn as the body; None if there is none."""
        return self.body.pose if self.body is not None else None

    @property
    def shows_body(self) -> bool:
        """True if the body is visible in 3D."""
        return self.body is not None and self.body.visible and self.body.drawn

    @cached_property
    def lanes_hidden_in_view(self) -> tuple[LaneFrame, ...]:
        """Copies of all lanes with `drawn` set to False, for a 3D view that shows no lane."""
        return tuple(_changed_copy(lane, solid=False, drawn=False) for lane in self.lanes)

    @property
    def is_at_rest(self) -> bool:
        """True if the content does not change until the user does something."""
        return not self.playing and self.time == self.target_time

    @property
    def computed_to(self) -> float:
        """Time up to which all active lanes have been computed [s]."""
        alive = [lane.computed_to for lane in self.lanes if lane.status in ACTIVE_STATUSES]
        return min(alive, default=self.duration)

    @property
    def reachable_until(self) -> float:
        """Latest time [s] to which the cursor can move. Lanes that are still being prepared do not limit it."""
        ready = [lane for lane in self.lanes if lane.status in ACTIVE_STATUSES and lane.status != "preparing"]
        return min((lane.computed_to for lane in ready), default=self.computed_to)


def _changed_copy(lane: LaneFrame, **changes: object) -> LaneFrame:
    """Faster equivalent of `dataclasses.replace`. It takes a fifth of the time, and views copy every lane in every
    frame."""
    copy = object.__new__(LaneFrame)
    vars(copy).update(vars(lane), **changes)
    return copy


def drawn_lane_names(frame: Frame) -> list[str]:
    """Return the names of the lanes drawn in 3D, the body first."""
    lanes = [lane for lane in frame.lanes if lane.visible and lane.drawn]
    return [lane.name for lane in sorted(lanes, key=lambda lane: not lane.solid)]


def frame_of_lane(frame: Frame, name: str) -> Frame:
    """Return a copy of `frame` in which the lane `name` is the body and no ghosts are drawn."""
    lanes = tuple(
        _changed_copy(lane, solid=True) if lane.name == name else absent
        for lane, absent in zip(frame.lanes, frame.lanes_hidden_in_view, strict=True)
    )
    return replace(frame, lanes=lanes)


@dataclass(frozen=True, eq=False)
class RunInfo:
    """Constant data of a run. They are passed to all views when `Frame.generation` changes."""

    title: str
    """Title of the preset. It stays the same while the user edits values of the preset."""
    shown_title: str
    """Title for the user, which says if the preset was edited, see `files.preset_edits.shown_title`."""
    body: Body
    duration: float
    sample_interval: float
    lanes: tuple[str, ...]
    """Names of all lanes, in the order of the preset."""
    colors: tuple[int, ...]
    """Color and marker number of each lane, see `display.view_state.line_styles`."""
    formulations: tuple[str, ...] = ()
    """Formulation id of each lane, such as `euler_angles/313`."""
    thresholds: tuple[float, ...] = ()
    """Singularity measure at which each lane ends. It is larger for larger steps and faster bodies."""
    multipliers: tuple[str, ...] = ()
    """Names of the lanes whose formulation has a Lagrange multiplier."""
    own_loads: tuple[tuple[Load, ...], ...] = ()
    """Loads that act on each lane only; empty if no lane has any."""
    exact: tuple[str, ...] = ()
    """Names of the lanes with a closed-form solution. Recordings and lanes that ended early are not included."""
    constants: tuple[str, ...] = ("constraint", "constraint_rate", "energy_drift", "momentum_drift")
    """Quantities that stay zero in an exact solution of this run."""
    events: tuple[Event, ...] = ()
    """Events of all lanes, in the order of the preset."""
    loads: tuple[BoundLoad, ...] = ()
    J0: tuple[float | None, ...] = ()
    """Free inertia J0 of each lane [kg m^2] at the cursor; None if none was chosen."""
    sizes: Mapping[str, float] = field(default_factory=dict)
    """Typical initial size of quantities by their unit, see
    `physics.observables.quantities.Motion.scales`."""
    dt: float = 0.0
    """Time step of the run [s], by which the cursor can be moved between samples; 0 if it is not known."""
    is_transient: bool = False
    """True if another run is about to replace this one because the user is dragging a value."""
    is_coarsened: bool = False
    """True if the run uses larger steps than its preset, so that its errors are larger."""

    def time_text(self, time: float, playing: bool = False) -> str:
        """Format a cursor time [s] with the decimals of the sample interval or, between samples, those of the
        time step.

        A time whose text equals the text of an event time is marked as before or after the event
        (`format_time`).
        """
        between = not playing and abs(self._distance_from_sample(time)) > 1e-6
        return format_time(time, self.decimals(between), (event.at for event in self.events))

    def decimals(self, between: bool) -> int:
        """Return the number of decimals for times between samples (`between` is True) or for times of
        samples (False)."""
        steps = (self.sample_interval, self.dt) if between else (self.sample_interval,)
        return max(2, *map(step_decimals, steps))

    def _distance_from_sample(self, time: float) -> float:
        """Return the distance of a time from the nearest sample, in sample intervals."""
        return time / self.sample_interval - round(time / self.sample_interval)

    def has_same_loads(self, lane: str, other: str) -> bool:
        """Return True if two lanes have the same loads, so that they differ by errors only."""
        if not self.own_loads or lane not in self.lanes or other not in self.lanes:
            return True
        return self.own_loads[self.lanes.index(lane)] == self.own_loads[self.lanes.index(other)]

    def loads_of(self, index: int) -> tuple[BoundLoad, ...]:
        """Return all loads that act on the lane with this index: the loads of the run and the lane's own
        loads."""
        own_loads = self.own_loads[index] if self.own_loads else ()
        if not own_loads:
            return self.loads
        return (*self.loads, *bind(own_loads, self.body))

    def loads_of_lane(self, name: str) -> tuple[BoundLoad, ...]:
        """Return all loads that act on the lane `name`: the loads of the run and the lane's own loads. If the
        run has no such lane, return the loads of the run."""
        return self.loads_of(self.lanes.index(name)) if name in self.lanes else self.loads

    @property
    def all_loads(self) -> tuple[BoundLoad, ...]:
        """Loads that act on all lanes, followed by the loads that act on single lanes only."""
        own_loads = [load for loads in self.own_loads for load in loads]
        return (*self.loads, *bind(own_loads, self.body))

    @property
    def is_free(self) -> bool:
        """True if |h| and T are constant and h = J omega: no load acts, and no rotor or ring turns inside
        the body."""
        return not self.loads and not any(self.own_loads) and not self.body.has_inner_motion


class ColumnSource(Protocol):
    """Source of the curves of panels and trails. While `Frame.generation` is unchanged, rows are only appended."""

    info: RunInfo

    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, Column]:
        """Return the values of a quantity of a lane as far as it is computed.

        Parameters
        ----------
        lane
            Name of the lane.
        quantity
            Name in `physics.observables.quantities.QUANTITIES`.

        Returns
        -------
        times : numpy.ndarray
            Sample times (n,) [s]; n may be 0.
        values : Column
            Values (n, k): an array, or a lazy column (`display.data.lazy_columns`) that supports `len`, `shape` and
            indexing by row, slice, index array and component. Do not write to it.

        Notes
        -----
        Reading takes about a microsecond per row unless the rows were read recently: read only what is shown.
        """
