"""What happens at a time of a run, in words: edits, events, ends of lanes, jumps of coordinates, and crowds of these."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.display.data.frame import ACTIVE_STATUSES, Frame
from quatviz.display.data.jump_index import BodyJumps
from quatviz.display.data.time_drag import GRAB_DISTANCE
from quatviz.physics.events.base import Event
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP, cluster_times, format_jump_count

MIN_MARKER_DISTANCE = 4 * GRAB_DISTANCE
"""Pixels below which marks of one kind are one: of a row of nearer ones nobody reads when, and what does not repeat drowns."""

TimeToPixel = Callable[[float], float]
"""Where a time [s] is on a timeline."""


@dataclass(frozen=True)
class TimelineMarker:
    """A jump target at `time` [s]."""

    time: float

    @property
    def last(self) -> float:
        """Where it ends [s]: `time` itself, but for a crowd."""
        return self.time


def markers_near(markers: "Iterable[Marker]", x: float, x_of: TimeToPixel) -> "list[Marker]":
    """The marks that are near to a pixel, the nearest one first."""

    def distance(mark: "Marker") -> float:
        return max(x_of(mark.time) - x, x - x_of(mark.last), 0.0)

    return sorted((mark for mark in markers if distance(mark) <= GRAB_DISTANCE), key=distance)


@dataclass(frozen=True)
class EditMarker(TimelineMarker):
    """The edits that were made with the cursor at one time [s], in words."""

    words: tuple[str, ...]

    @property
    def description(self) -> str:
        return tr("Edited at t = {time:g} s: {words}", time=self.time, words="; ".join(self.words))


@dataclass(frozen=True)
class EventMarker(TimelineMarker):
    """What happens at one time: places of the events in the preset, and words for all of them."""

    event_indices: tuple[int, ...]
    words: str

    @property
    def description(self) -> str:
        return f"t = {self.time:g} s: {self.words}"


def event_markers(events: Sequence[Event]) -> list[EventMarker]:
    """One flag for all events at a time, from the first to the last."""
    markers = []
    for time in sorted({event.at for event in events}):
        event_indices = tuple(number for number, event in enumerate(events) if event.at == time)
        markers.append(
            EventMarker(
                time, event_indices, "; ".join(tr(events[number].summary) for number in event_indices)
            )
        )
    return markers


@dataclass(frozen=True)
class LaneEndMarker(TimelineMarker):
    """Time of a lane's last sample [s], the number of its colour, and its last words."""

    colour: int
    description: str


def lane_end_markers(frame: Frame) -> tuple[LaneEndMarker, ...]:
    """One for each lane that is shown and has ended."""
    return tuple(
        LaneEndMarker(lane.computed_to, lane.colour, lane.message)
        for lane in frame.lanes
        if lane.visible and lane.status not in ACTIVE_STATUSES
    )


@dataclass(frozen=True)
class JumpMarker:
    """Jumps of one cause from `time` to `last` [s], `count` of them; `sequence` is that of the angles."""

    time: float
    last: float
    count: int
    cause: int
    sequence: str

    @property
    def description(self) -> str:
        axes = humanize(self.sequence)
        if self.count > 1:
            suffix = "" if self.cause == FLIP else tr(" of the Euler angles {axes}", axes=axes)
            subject = (
                tr("{count} singular passages", count=self.count) if self.cause == SINGULAR else self.words
            )
            return tr(
                "{named}{of}, from t = {time:g} s to {last:g} s",
                named=subject,
                of=suffix,
                time=self.time,
                last=self.last,
            )
        sentences = {
            FLIP: tr("the scalar Euler parameter changes its sign: flip of the canonical p"),
            WRAP: tr("an Euler angle {axes} leaves its range: wrap by a whole turn", axes=axes),
            SINGULAR: tr("the Euler angles {axes} pass close by their singularity", axes=axes),
        }
        return f"t = {self.time:g} s: {sentences[self.cause]}"

    @property
    def words(self) -> str:
        return format_jump_count(self.cause, self.count)


def jump_markers(jumps: BodyJumps, pixels_per_second: float) -> list[JumpMarker]:
    """As many marks as there is room for: wraps first, so that what is rarer lies over them."""
    return [
        JumpMarker(time, last, count, cause, jumps.sequence)
        for cause, times in jumps.times.items()
        for time, last, count in cluster_times(times, MIN_MARKER_DISTANCE / pixels_per_second)
    ]


Marker = EditMarker | EventMarker | LaneEndMarker | JumpMarker
"""What it `description` where it is pointed at is a sentence."""
