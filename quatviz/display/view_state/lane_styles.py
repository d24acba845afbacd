"""Styles of the lanes of a run: their colors, the one drawn as the body, and the ghosts."""

from dataclasses import dataclass, replace
from typing import Any

from quatviz.files.schema import Record, choice_reader, list_reader, read_count, schema_error, schema_field

MODES = {"body": "Show as body", "ghost": "Show as ghost", "plots": "Plots only", "hidden": "Hidden"}
"""Display modes of a lane, with the text of each in menus."""

COLOR_NAMES = ("Blue", "Orange", "Green", "Magenta", "Yellow", "Indigo", "Red", "Gray")
"""Names of the colors of `Theme.lanes`, in every theme."""


@dataclass(frozen=True)
class LaneStyles(Record):
    """Styles of all lanes, in order of the lanes."""

    colours: tuple[int, ...] = schema_field(list_reader(read_count), ())
    """Color and marker number of each lane, see `display.view_state.line_styles`."""
    modes: tuple[str, ...] = schema_field(list_reader(choice_reader(MODES)), ())
    """Display mode of each lane. The lane drawn as the body (index `body`) is stored with the mode `ghost`."""
    body: int = schema_field(read_count, 0)
    """Index of the lane that is drawn as the body, with its axes, arrows and trail."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.colours) != len(self.modes):
            raise schema_error("modes", "as many modes as colors", list(self.modes))
        if self.body >= max(len(self.colours), 1):
            raise schema_error("body", "the number of a lane, from 0", self.body)

    @classmethod
    def default_for(cls, lanes: int) -> "LaneStyles":
        """Return default styles: the first lane as the body, the others as ghosts, in different colors."""
        return cls(tuple(range(lanes)), ("ghost",) * lanes)

    def matching(self, lanes: int) -> "LaneStyles":
        """Return these styles if they are for this number of lanes, otherwise the default styles."""
        return self if len(self.colours) == lanes > 0 else LaneStyles.default_for(lanes)

    def mode(self, lane: int) -> str:
        """Return the mode of a lane, one of `MODES`."""
        return "body" if self.modes[lane] == "ghost" and lane == self.body else self.modes[lane]

    def with_mode(self, lane: int, mode: str) -> "LaneStyles":
        """Return the styles with a lane in another mode.

        There is always one body. If this lane becomes the body, the previous body becomes a ghost. If it stops being
        the body, the first ghost becomes the body.
        """
        modes = _with_item(self.modes, lane, "ghost" if mode == "body" else mode)
        candidates = [other for other, own in enumerate(modes) if other != lane and own == "ghost"]
        body = lane if mode == "body" else self.body if lane != self.body else next(iter(candidates), lane)
        return replace(self, modes=modes, body=body)

    def with_color(self, lane: int, color: int) -> "LaneStyles":
        """Return the styles with a lane in another color."""
        return replace(self, colours=_with_item(self.colours, lane, color))

    def with_lane_added(self) -> "LaneStyles":
        """Return the styles with one more lane at the end, in the first unused color."""
        free = next(color for color in range(len(self.colours) + 1) if color not in self.colours)
        return replace(self, colours=(*self.colours, free), modes=(*self.modes, "ghost"))

    def with_lanes_swapped(self, lane: int, other: int) -> "LaneStyles":
        """Return the styles with two lanes swapped."""
        order = list(range(len(self.colours)))
        order[lane], order[other] = other, lane
        return self._selected(order, order[self.body])

    def with_lane_removed(self, lane: int) -> "LaneStyles":
        """Return the styles without a lane. If it was the body, the next ghost becomes the body."""
        new_body = self.with_mode(lane, "hidden").body
        remaining = [other for other in range(len(self.colours)) if other != lane]
        return self._selected(remaining, max(min(new_body - (new_body > lane), len(remaining) - 1), 0))

    def _selected(self, lanes: list[int], body: int) -> "LaneStyles":
        return LaneStyles(
            tuple(self.colours[lane] for lane in lanes), tuple(self.modes[lane] for lane in lanes), body
        )


def _with_item(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
