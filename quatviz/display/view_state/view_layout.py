"""Layout of the 3D views: which lanes each view shows, and from which frame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quatviz.files.schema import (
    RUN,
    Record,
    choice_reader,
    numbered_reader,
    read_bool,
    read_string,
    schema_field,
)

VIEW_COUNTS = (1, 2, 4)
"""Numbers of 3D views that the user can choose."""
ALL_LANES = ""
"""Value used instead of a lane name for a view that shows all lanes."""


@dataclass(frozen=True)
class ViewLayout(Record):
    """Layout of the 3D views as chosen by the user. Views are numbered from 1. A single view always shows all lanes.

    The argument `lanes` of the methods lists the names of the lanes drawn in 3D, the body first
    (`display.data.frame.drawn_lane_names`).
    """

    number: int = schema_field(choice_reader(VIEW_COUNTS), 1)
    each: bool = schema_field(read_bool, True)
    """True if each view shows one lane; False if every view shows all lanes."""
    linked: bool = schema_field(read_bool, True)
    """True if all cameras move together."""
    from_body: Mapping[int, bool] = schema_field(numbered_reader(read_bool, VIEW_COUNTS[-1]), {})
    """True for a view that moves with the body, by view number. It contains only views that the
    user has set."""
    lanes: Mapping[int, str] = schema_field(numbered_reader(read_string, VIEW_COUNTS[-1]), {}, RUN)
    """Lane name or `ALL_LANES` by view number. It contains only views that the user has set."""

    def lane_of_each_view(self, lanes: Sequence[str]) -> list[str]:
        """Return the lane of each view, or `ALL_LANES`.

        Views without a chosen lane show the remaining lanes in order; views without a remaining lane show all lanes.
        """
        if not (self.each and self.number > 1):
            return [ALL_LANES] * self.number
        chosen = [self.lanes.get(number) for number in range(1, self.number + 1)]
        valid_choices = [name if name in (*lanes, ALL_LANES) else None for name in chosen]
        remaining = iter([name for name in lanes if name not in valid_choices])
        return [next(remaining, ALL_LANES) if name is None else name for name in valid_choices]

    def seen_from_body(self, lanes: Sequence[str]) -> list[bool]:
        """Return a list with True for each view whose camera moves with the body.

        By default, views of all lanes alternate between space and body; views of single lanes are seen from space, so
        that they can be compared.
        """
        return [
            self.from_body.get(number, rank % 2 == 1) for number, rank in enumerate(self._ranks(lanes), 1)
        ]

    def is_redundant(self, lanes: Sequence[str]) -> list[bool]:
        """Return a list with True for each view that only repeats earlier views. A view of all lanes does so if two
        earlier views already show all lanes, from space and from the body."""
        return [rank > 1 for rank in self._ranks(lanes)]

    def _ranks(self, lanes: Sequence[str]) -> list[int]:
        """Return a list that contains, for each view of all lanes, the number of earlier views of all lanes. Other
        views have 0."""
        shows_all = [name == ALL_LANES or len(lanes) < 2 for name in self.lane_of_each_view(lanes)]
        return [
            sum(shows_all[:index]) if shows_all_lanes else 0
            for index, shows_all_lanes in enumerate(shows_all)
        ]

    def visible_lane_count(self, lanes: Sequence[str]) -> tuple[int, int]:
        """Return the number of visible lanes, and the number of all lanes."""
        shown = self.lane_of_each_view(lanes)
        return len(lanes) if ALL_LANES in shown else len(shown), len(lanes)

    def with_camera_frame(self, number: int, from_body: bool) -> "ViewLayout":
        """Return the layout with one view's camera moving with the body (True) or fixed in space (False)."""
        return replace(self, from_body={**self.from_body, number: from_body})

    def with_lane(self, number: int, name: str | None) -> "ViewLayout":
        """Return the layout with a lane, or `ALL_LANES`, in one view; None for the next lane in order.

        If another view showed this lane, that view gets one of the remaining lanes.
        """
        others = {
            view: lane for view, lane in self.lanes.items() if view != number and (not name or lane != name)
        }
        return replace(self, lanes=others if name is None else {**others, number: name})
