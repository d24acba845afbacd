"""How the lanes of a run are shown: their colours, which one is the body, which are ghosts. Values, no widgets."""

from dataclasses import dataclass, replace
from typing import Any

from quatviz.files.schema import Record, choice_reader, list_reader, read_count, schema_error, schema_field

MODES = {"body": "As the body", "ghost": "As a ghost", "plots": "In the plots only", "hidden": "Nowhere"}
"""How a lane can be shown, and what a menu calls it."""

COLOR_NAMES = ("Blue", "Orange", "Green", "Pink", "Yellow", "Indigo", "Red", "Grey")
"""What the colours of `Theme.lanes` are called, in every theme."""


@dataclass(frozen=True)
class LaneStyles(Record):
    """How all lanes look, in their order."""

    colours: tuple[int, ...] = schema_field(list_reader(read_count), ())
    """Each lane's number of a colour and a shape, see `display.view_state.theme`."""
    modes: tuple[str, ...] = schema_field(list_reader(choice_reader(MODES)), ())
    """`ghost` for the body too: `body` tells them apart."""
    body: int = schema_field(read_count, 0)
    """The lane whose solid, axes, arrows and trail are drawn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.colours) != len(self.modes):
            raise schema_error("modes", "as many modes as colours", list(self.modes))
        if self.body >= max(len(self.colours), 1):
            raise schema_error("body", "the number of a lane, from 0", self.body)

    @classmethod
    def default_for(cls, lanes: int) -> "LaneStyles":
        """The first lane as the body, the others as its ghosts, each in a colour of its own."""
        return cls(tuple(range(lanes)), ("ghost",) * lanes)

    def matching(self, lanes: int) -> "LaneStyles":
        """This one, or as at first where it has the looks of more lanes or fewer."""
        return self if len(self.colours) == lanes > 0 else LaneStyles.default_for(lanes)

    def mode(self, lane: int) -> str:
        """One of `MODES`."""
        return "body" if self.modes[lane] == "ghost" and lane == self.body else self.modes[lane]

    def with_mode(self, lane: int, mode: str) -> "LaneStyles":
        """With `lane` in another mode. There is one body: it moves to, or away from, the lane as need be."""
        modes = _with_item(self.modes, lane, "ghost" if mode == "body" else mode)
        candidates = [other for other, own in enumerate(modes) if other != lane and own == "ghost"]
        body = lane if mode == "body" else self.body if lane != self.body else next(iter(candidates), lane)
        return replace(self, modes=modes, body=body)

    def with_color(self, lane: int, colour: int) -> "LaneStyles":
        """With `lane` in another colour."""
        return replace(self, colours=_with_item(self.colours, lane, colour))

    def with_lane_added(self) -> "LaneStyles":
        """With one more lane at the end, in the first colour that no lane has."""
        free = next(colour for colour in range(len(self.colours) + 1) if colour not in self.colours)
        return replace(self, colours=(*self.colours, free), modes=(*self.modes, "ghost"))

    def with_lanes_swapped(self, lane: int, other: int) -> "LaneStyles":
        """With two lanes in each other's place."""
        order = list(range(len(self.colours)))
        order[lane], order[other] = other, lane
        return self._selected(order, order[self.body])

    def with_lane_removed(self, lane: int) -> "LaneStyles":
        """With `lane` taken out; if it was the body, the next ghost is."""
        new_body = self.with_mode(lane, "hidden").body
        remaining = [other for other in range(len(self.colours)) if other != lane]
        return self._selected(remaining, max(min(new_body - (new_body > lane), len(remaining) - 1), 0))

    def _selected(self, lanes: list[int], body: int) -> "LaneStyles":
        return LaneStyles(
            tuple(self.colours[lane] for lane in lanes), tuple(self.modes[lane] for lane in lanes), body
        )


def _with_item(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
