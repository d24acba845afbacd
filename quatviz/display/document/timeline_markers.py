"""Timeline markers: edits, events, ends of lanes, jumps of coordinates, and clusters of jumps."""

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
"""Distance [pixels] below which jump markers are merged. Markers that are closer together are unreadable, and frequent
ones hide rare ones."""

TimeToPixel = Callable[[float], float]
"""Function from a time [s] to an x position on the timeline [pixels]."""


@dataclass(frozen=True)
class TimelineMarker:
    """A marker at `time` [s] to which the cursor can jump."""

    time: float

    @property
    def last(self) -> float:
        """End of the marker [s]: `time` itself, except for a cluster."""
        return self.time


def markers_near(markers: "Iterable[Marker]", x: float, x_of: TimeToPixel) -> "list[Marker]":
    """Return the markers near an x position [pixels], nearest first."""

    def distance(mark: "Marker") -> float:
        return max(x_of(mark.time) - x, x - x_of(mark.last), 0.0)

    return sorted((mark for mark in markers if distance(mark) <= GRAB_DISTANCE), key=distance)


@dataclass(frozen=True)
class EditMarker(TimelineMarker):
    """Marker of the edits that were made with the cursor at one time, with their names. These edits apply
    from t = 0. An edit that applies from the cursor on is an event and has an `EventMarker`."""

    words: tuple[str, ...]

    @property
    def description(self) -> str:
        return tr(
            "Edited from t = 0, with the cursor at t = {time:g} s: {words}",
            time=self.time,
            words="; ".join(self.words),
        )


@dataclass(frozen=True)
class EventMarker(TimelineMarker):
    """Marker of all events at one time, with their indices in the preset and their summaries."""

    event_indices: tuple[int, ...]
    words: str

    @property
    def description(self) -> str:
        return f"t = {self.time:g} s: {self.words}"


def event_markers(events: Sequence[Event]) -> list[EventMarker]:
    """Return a marker for each time at which events happen, in order of time."""
    indices: dict[float, list[int]] = {}
    for number, event in enumerate(events):
        indices.setdefault(event.at, []).append(number)
    return [
        EventMarker(time, tuple(numbers), "; ".join(tr(events[number].summary) for number in numbers))
        for time, numbers in sorted(indices.items())
    ]


@dataclass(frozen=True)
class LaneEndMarker(TimelineMarker):
    """Marker of the last sample of a lane that has ended: its time [s], the color index of the lane, and its
    status message."""

    color: int
    description: str


def lane_end_markers(frame: Frame) -> tuple[LaneEndMarker, ...]:
    """Return a marker for each visible lane that has ended."""
    return tuple(
        LaneEndMarker(lane.computed_to, lane.color, lane.message)
        for lane in frame.lanes
        if lane.visible and lane.status not in ACTIVE_STATUSES
    )


@dataclass(frozen=True)
class JumpMarker:
    """Marker of jumps of one cause from `time` to `last` [s], with their count and the axis sequence of the
    angles."""

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
                tr("{count} passages near the singularity", count=self.count)
                if self.cause == SINGULAR
                else self.words
            )
            return tr(
                "{subject}{angles}, from t = {time:g} s to {last:g} s",
                subject=subject,
                angles=suffix,
                time=self.time,
                last=self.last,
            )
        sentences = {
            FLIP: tr("the scalar Euler parameter changes its sign, and the canonical p flips"),
            WRAP: tr("one of the Euler angles {axes} leaves its range and jumps by a full turn", axes=axes),
            SINGULAR: tr("the Euler angles {axes} pass close to their singularity", axes=axes),
        }
        return f"t = {self.time:g} s: {sentences[self.cause]}"

    @property
    def words(self) -> str:
        return format_jump_count(self.cause, self.count)


def jump_markers(jumps: BodyJumps, pixels_per_second: float) -> list[JumpMarker]:
    """Return the jump markers. Markers that would be too close at this scale are merged. Wraps come first in the list,
    so that markers of rarer causes are drawn over them."""
    return [
        JumpMarker(time, last, count, cause, jumps.sequence)
        for cause, times in jumps.times.items()
        for time, last, count in cluster_times(times, MIN_MARKER_DISTANCE / pixels_per_second)
    ]


Marker = EditMarker | EventMarker | LaneEndMarker | JumpMarker
"""Any marker of the timeline. Every marker has a `description`, which is its tooltip."""
