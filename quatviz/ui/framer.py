"""Makes the frame of one moment of a run: for the window at every tick, for films at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quatviz.simulation.lane import LaneRun
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.at_cursor import Values, at_cursor
from quatviz.ui.columns import Columns
from quatviz.ui.display import Display
from quatviz.ui.frame import Frame, LaneFrame, Pose, RunInfo
from quatviz.ui.tr import told, tr
from quatviz.ui.words import formulation_text


class Framer:
    """Of one run, whose lanes are shown as `display` says. What it has made its columns of can be filmed when the window
    has long gone on to another run."""

    def __init__(self, simulation: Simulation, info: RunInfo, display: Display, generation: int = 0) -> None:
        self.simulation = simulation
        self.columns = Columns(simulation, info)
        self.display, self._generation = display, generation

    def dress(self, display: Display) -> None:
        """Show the lanes in another way from now on."""
        self.display = display
        colours = tuple(look.colour for look in display.looks)
        self.columns.info = replace(self.columns.info, colours=colours)

    def frame_at(self, time: float) -> Frame:
        """The frame of a run that rests at `time` [s]."""
        return self.frame(Snapshot(time=time, duration=self.simulation.duration, playing=False))

    def frame(self, snapshot: Snapshot) -> Frame:
        """The frame of a run that is where `snapshot` says."""
        found = at_cursor(self.simulation.lanes, snapshot.time, self.columns)
        body = self._body(snapshot.preparing)
        lanes = tuple(
            self._lane_frame(lane, index, index == body, snapshot, *found[index])
            for index, lane in enumerate(self.simulation.lanes)
        )
        notice = (
            tr("Preparing {preparing}…", preparing=", ".join(snapshot.preparing))
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
        look, mode = self.display.looks[index], self.display.mode(index)
        preparing = lane.name in snapshot.preparing
        return LaneFrame(
            name=lane.name,
            formulation=formulation_text(type(lane.formulation), lane.formulation.variant),
            colour=look.colour,
            solid=solid,
            pose=None if preparing and snapshot.time > 0 else pose,
            status="preparing" if preparing else lane.status,
            message=told(lane.message),
            computed_to=self.columns.reach(lane.name),
            visible=mode != "hidden",
            drawn=mode in ("body", "ghost"),
            frozen=not lane.alive and snapshot.time > lane.computed_to,
            values={} if preparing and snapshot.time > 0 else values,
            cost=lane.cost,
            remarks=tuple(map(told, lane.remarks)),
        )
