"""What happens at a time of a run, in words: edits, events, ends of lanes, jumps of coordinates, and crowds of these."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from quatviz.base.formatting import in_words
from quatviz.base.translation import told, tr
from quatviz.display.data.frame import ALIVE, Frame
from quatviz.display.data.jump_index import Jumps
from quatviz.display.data.time_drag import REACH
from quatviz.physics.events.base import Event
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP, count_text, crowds

APART = 4 * REACH
"""Pixels below which marks of one kind are one: of a row of nearer ones nobody reads when, and what does not repeat drowns."""

ToPixel = Callable[[float], float]
"""Where a time [s] is on a timeline."""


@dataclass(frozen=True)
class Moment:
    """A jump target at `time` [s]."""

    time: float

    @property
    def last(self) -> float:
        """Where it ends [s]: `time` itself, but for a crowd."""
        return self.time


def marks_at(found: "Iterable[Mark]", x: float, x_of: ToPixel) -> "list[Mark]":
    """The marks that are near to a pixel, the nearest one first."""

    def distance(mark: "Mark") -> float:
        return max(x_of(mark.time) - x, x - x_of(mark.last), 0.0)

    return sorted((mark for mark in found if distance(mark) <= REACH), key=distance)


@dataclass(frozen=True)
class Edit(Moment):
    """The edits that were made with the cursor at one time [s], in words."""

    words: tuple[str, ...]

    @property
    def said(self) -> str:
        return tr("Edited at t = {time:g} s: {words}", time=self.time, words="; ".join(self.words))


@dataclass(frozen=True)
class Flag(Moment):
    """What happens at one time: places of the events in the preset, and words for all of them."""

    numbers: tuple[int, ...]
    words: str

    @property
    def said(self) -> str:
        return f"t = {self.time:g} s: {self.words}"


def flags(events: Sequence[Event]) -> list[Flag]:
    """One flag for all events at a time, from the first to the last."""
    found = []
    for time in sorted({event.at for event in events}):
        numbers = tuple(number for number, event in enumerate(events) if event.at == time)
        found.append(Flag(time, numbers, "; ".join(told(events[number].words) for number in numbers)))
    return found


@dataclass(frozen=True)
class End(Moment):
    """Time of a lane's last sample [s], the number of its colour, and its last words."""

    colour: int
    said: str


def ends(frame: Frame) -> tuple[End, ...]:
    """One for each lane that is shown and has ended."""
    return tuple(
        End(lane.computed_to, lane.colour, lane.message)
        for lane in frame.lanes
        if lane.visible and lane.status not in ALIVE
    )


@dataclass(frozen=True)
class Passage:
    """Jumps of one cause from `time` to `last` [s], `count` of them; `sequence` is that of the angles."""

    time: float
    last: float
    count: int
    cause: int
    sequence: str

    @property
    def said(self) -> str:
        axes = in_words(self.sequence)
        if self.count > 1:
            of = "" if self.cause == FLIP else tr(" of the Euler angles {axes}", axes=axes)
            named = (
                tr("{count} singular passages", count=self.count) if self.cause == SINGULAR else self.words
            )
            return tr(
                "{named}{of}, from t = {time:g} s to {last:g} s",
                named=named,
                of=of,
                time=self.time,
                last=self.last,
            )
        told = {
            FLIP: tr("the scalar Euler parameter changes its sign: flip of the canonical p"),
            WRAP: tr("an Euler angle {axes} leaves its range: wrap by a whole turn", axes=axes),
            SINGULAR: tr("the Euler angles {axes} pass close by their singularity", axes=axes),
        }
        return f"t = {self.time:g} s: {told[self.cause]}"

    @property
    def words(self) -> str:
        return count_text(self.cause, self.count)


def passages(jumps: Jumps, pixels_per_second: float) -> list[Passage]:
    """As many marks as there is room for: wraps first, so that what is rarer lies over them."""
    return [
        Passage(time, last, count, cause, jumps.sequence)
        for cause, times in jumps.times.items()
        for time, last, count in crowds(times, APART / pixels_per_second)
    ]


Mark = Edit | Flag | End | Passage
"""What it `said` where it is pointed at is a sentence."""
