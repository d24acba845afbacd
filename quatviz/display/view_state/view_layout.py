"""What each of a window's 3D views shows: which lanes, and from which frame. Values, no widgets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quatviz.display.view_state.scope import RUN
from quatviz.files.schema import Plain, numbered, one_of, said, text, truth

NUMBERS = (1, 2, 4)
"""How many views there can be."""
ALL = ""
"""In place of a lane's name: all lanes over each other."""


@dataclass(frozen=True)
class Plan(Plain):
    """What a person has chosen. Views have numbers from 1; a single view always shows all lanes. `lanes` are the names of
    those that are seen in 3D, the one that is drawn as the body first (`feed.frame.drawn`)."""

    number: int = said(one_of(NUMBERS), 1)
    each: bool = said(truth, True)
    """One lane for each view, rather than all of them over each other in every view."""
    linked: bool = said(truth, True)
    """The cameras do the same."""
    from_body: Mapping[int, bool] = said(numbered(truth, NUMBERS[-1]), {})
    """Whether a person wants to see it from the body, by the number of the view, where they have said."""
    lanes: Mapping[int, str] = said(numbered(text, NUMBERS[-1]), {}, RUN)
    """The lane that a person wants, or `ALL`, by the number of the view, where they have said."""

    def shown(self, lanes: Sequence[str]) -> list[str]:
        """The lane of each view, or `ALL`: what was chosen first, then the lanes in their order. Where there are more
        views than lanes the others show all."""
        if not (self.each and self.number > 1):
            return [ALL] * self.number
        given = [self.lanes.get(number) for number in range(1, self.number + 1)]
        wanted = [name if name in (*lanes, ALL) else None for name in given]
        left = iter([name for name in lanes if name not in wanted])
        return [next(left, ALL) if name is None else name for name in wanted]

    def seen_from_body(self, lanes: Sequence[str]) -> list[bool]:
        """Whether each view is seen from the body. Unless a person has said, views that would show the same are seen
        from space and from the body by turns; lanes beside each other from space, to compare them."""
        return [
            self.from_body.get(number, rank % 2 == 1) for number, rank in enumerate(self._ranks(lanes), 1)
        ]

    def repeated(self, lanes: Sequence[str]) -> list[bool]:
        """Whether each view would show what two before it do, from space and from the body."""
        return [rank > 1 for rank in self._ranks(lanes)]

    def _ranks(self, lanes: Sequence[str]) -> list[int]:
        """How many views before each one show the same, namely all lanes."""
        alike = [name == ALL or len(lanes) < 2 for name in self.shown(lanes)]
        return [sum(alike[:place]) if same else 0 for place, same in enumerate(alike)]

    def counts(self, lanes: Sequence[str]) -> tuple[int, int]:
        """How many lanes are seen, of how many."""
        shown = self.shown(lanes)
        return len(lanes) if ALL in shown else len(shown), len(lanes)

    def seen_from(self, number: int, body: bool) -> "Plan":
        """With the camera of one view turning with the body, or standing in space."""
        return replace(self, from_body={**self.from_body, number: body})

    def with_lane(self, number: int, name: str | None) -> "Plan":
        """With this lane in one view, or `ALL`, or None for the next in order; another that had it takes what is left."""
        others = {
            view: lane for view, lane in self.lanes.items() if view != number and (not name or lane != name)
        }
        return replace(self, lanes=others if name is None else {**others, number: name})
