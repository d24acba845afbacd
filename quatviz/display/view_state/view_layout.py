"""What each of a window's 3D views shows: which lanes, and from which frame. Values, no widgets."""

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
"""How many views there can be."""
ALL_LANES = ""
"""In place of a lane's name: all lanes over each other."""


@dataclass(frozen=True)
class ViewLayout(Record):
    """What a person has chosen. Views have numbers from 1; a single view always shows all lanes. `lanes` are the names of
    those that are seen in 3D, the one that is drawn as the body first (`display.data.frame.drawn_lane_names`)."""

    number: int = schema_field(choice_reader(VIEW_COUNTS), 1)
    each: bool = schema_field(read_bool, True)
    """One lane for each view, rather than all of them over each other in every view."""
    linked: bool = schema_field(read_bool, True)
    """The cameras do the same."""
    from_body: Mapping[int, bool] = schema_field(numbered_reader(read_bool, VIEW_COUNTS[-1]), {})
    """Whether a person wants to see it from the body, by the number of the view, where they have said."""
    lanes: Mapping[int, str] = schema_field(numbered_reader(read_string, VIEW_COUNTS[-1]), {}, RUN)
    """The lane that a person wants, or `ALL_LANES`, by the number of the view, where they have said."""

    def lane_of_each_view(self, lanes: Sequence[str]) -> list[str]:
        """The lane of each view, or `ALL_LANES`: what was chosen first, then the lanes in their order. Where there are more
        views than lanes the others show all."""
        if not (self.each and self.number > 1):
            return [ALL_LANES] * self.number
        chosen = [self.lanes.get(number) for number in range(1, self.number + 1)]
        valid_choices = [name if name in (*lanes, ALL_LANES) else None for name in chosen]
        remaining = iter([name for name in lanes if name not in valid_choices])
        return [next(remaining, ALL_LANES) if name is None else name for name in valid_choices]

    def seen_from_body(self, lanes: Sequence[str]) -> list[bool]:
        """Whether each view is seen from the body. Unless a person has said, views that would show the same are seen
        from space and from the body by turns; lanes beside each other from space, to compare them."""
        return [
            self.from_body.get(number, rank % 2 == 1) for number, rank in enumerate(self._ranks(lanes), 1)
        ]

    def is_redundant(self, lanes: Sequence[str]) -> list[bool]:
        """Whether each view would show what two before it do, from space and from the body."""
        return [rank > 1 for rank in self._ranks(lanes)]

    def _ranks(self, lanes: Sequence[str]) -> list[int]:
        """How many views before each one show the same, namely all lanes."""
        shows_all = [name == ALL_LANES or len(lanes) < 2 for name in self.lane_of_each_view(lanes)]
        return [
            sum(shows_all[:index]) if shows_all_lanes else 0
            for index, shows_all_lanes in enumerate(shows_all)
        ]

    def visible_lane_count(self, lanes: Sequence[str]) -> tuple[int, int]:
        """How many lanes are seen, of how many."""
        shown = self.lane_of_each_view(lanes)
        return len(lanes) if ALL_LANES in shown else len(shown), len(lanes)

    def with_camera_frame(self, number: int, from_body: bool) -> "ViewLayout":
        """With the camera of one view turning with the body, or standing in space."""
        return replace(self, from_body={**self.from_body, number: from_body})

    def with_lane(self, number: int, name: str | None) -> "ViewLayout":
        """With this lane in one view, or `ALL_LANES`, or None for the next in order; another that had it takes what is left."""
        others = {
            view: lane for view, lane in self.lanes.items() if view != number and (not name or lane != name)
        }
        return replace(self, lanes=others if name is None else {**others, number: name})
