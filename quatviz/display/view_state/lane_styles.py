"""How the lanes of a run are shown: their colours, which one is the body, which are ghosts. Values, no widgets."""

from dataclasses import dataclass, replace
from typing import Any

from quatviz.files.schema import Plain, count, each, one_of, refusal, said

MODES = {"body": "As the body", "ghost": "As a ghost", "plots": "In the plots only", "hidden": "Nowhere"}
"""How a lane can be shown, and what a menu calls it."""

COLOURS = ("Blue", "Orange", "Green", "Pink", "Yellow", "Indigo", "Red", "Grey")
"""What the colours of `Theme.lanes` are called, in every theme."""


@dataclass(frozen=True)
class Display(Plain):
    """How all lanes look, in their order."""

    colours: tuple[int, ...] = said(each(count), ())
    """Each lane's number of a colour and a shape, see `look.theme`."""
    modes: tuple[str, ...] = said(each(one_of(MODES)), ())
    """`ghost` for the body too: `body` tells them apart."""
    body: int = said(count, 0)
    """The lane whose solid, axes, arrows and trail are drawn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.colours) != len(self.modes):
            raise refusal("modes", "as many modes as colours", list(self.modes))
        if self.body >= max(len(self.colours), 1):
            raise refusal("body", "the number of a lane, from 0", self.body)

    @classmethod
    def of(cls, lanes: int) -> "Display":
        """The first lane as the body, the others as its ghosts, each in a colour of its own."""
        return cls(tuple(range(lanes)), ("ghost",) * lanes)

    def of_as_many(self, lanes: int) -> "Display":
        """This one, or as at first where it has the looks of more lanes or fewer."""
        return self if len(self.colours) == lanes > 0 else Display.of(lanes)

    def mode(self, lane: int) -> str:
        """One of `MODES`."""
        return "body" if self.modes[lane] == "ghost" and lane == self.body else self.modes[lane]

    def shown_as(self, lane: int, mode: str) -> "Display":
        """With `lane` in another mode. There is one body: it moves to, or away from, the lane as need be."""
        modes = _with(self.modes, lane, "ghost" if mode == "body" else mode)
        heirs = [other for other, own in enumerate(modes) if other != lane and own == "ghost"]
        body = lane if mode == "body" else self.body if lane != self.body else next(iter(heirs), lane)
        return replace(self, modes=modes, body=body)

    def coloured(self, lane: int, colour: int) -> "Display":
        """With `lane` in another colour."""
        return replace(self, colours=_with(self.colours, lane, colour))

    def added(self) -> "Display":
        """With one more lane at the end, in the first colour that no lane has."""
        free = next(colour for colour in range(len(self.colours) + 1) if colour not in self.colours)
        return replace(self, colours=(*self.colours, free), modes=(*self.modes, "ghost"))

    def swapped(self, lane: int, other: int) -> "Display":
        """With two lanes in each other's place."""
        order = list(range(len(self.colours)))
        order[lane], order[other] = other, lane
        return self._of_those(order, order[self.body])

    def without(self, lane: int) -> "Display":
        """With `lane` taken out; if it was the body, the next ghost is."""
        heir = self.shown_as(lane, "hidden").body
        left = [other for other in range(len(self.colours)) if other != lane]
        return self._of_those(left, max(min(heir - (heir > lane), len(left) - 1), 0))

    def _of_those(self, lanes: list[int], body: int) -> "Display":
        return Display(
            tuple(self.colours[lane] for lane in lanes), tuple(self.modes[lane] for lane in lanes), body
        )


def _with(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])
