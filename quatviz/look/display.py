"""How the lanes of a run are shown: their colours, which one is the body, which are ghosts. Values, no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from quatviz.base.parameters import joined, refuse_unknown
from quatviz.look.plain import count, each, one_of, refusal

MODES = {
    "body": "As the body",
    "ghost": "As a ghost",
    "plots": "In the plots only",
    "hidden": "Nowhere",
}
"""How a lane can be shown, and what a menu calls it."""

COLOURS = ("Blue", "Orange", "Green", "Pink", "Yellow", "Indigo", "Coral", "Grey")
"""What the colours of `Theme.lanes` are called, in every theme."""


@dataclass(frozen=True)
class LaneLook:
    """`colour` is the number of a colour and a shape, see `look.theme`; `mode` is `ghost` for the body too:
    `Display.body` tells them apart."""

    colour: int
    mode: str = "ghost"


@dataclass(frozen=True)
class Display:
    """The looks of all lanes in their order. `body` is the lane whose solid, axes, arrows and trail are drawn."""

    looks: tuple[LaneLook, ...]
    body: int = 0

    @classmethod
    def of(cls, lanes: int) -> Display:
        """The first lane as the body, the others as its ghosts, each in a colour of its own."""
        return cls(tuple(LaneLook(index) for index in range(lanes)))

    def of_as_many(self, lanes: int) -> Display:
        """This one, or as at first where it has the looks of more lanes or fewer."""
        return self if self.looks and len(self.looks) == lanes else Display.of(lanes)

    @property
    def colours(self) -> tuple[int, ...]:
        """Each lane's number of a colour and a shape."""
        return tuple(look.colour for look in self.looks)

    def mode(self, lane: int) -> str:
        """One of `MODES`."""
        own = self.looks[lane].mode
        return "body" if own == "ghost" and lane == self.body else own

    def shown_as(self, lane: int, mode: str) -> Display:
        """With `lane` in another mode. There is one body: it moves to, or away from, the lane as need be."""
        looks = self._with(lane, replace(self.looks[lane], mode="ghost" if mode == "body" else mode))
        if mode == "body":
            return Display(looks, lane)
        if lane != self.body:
            return Display(looks, self.body)
        heirs = [other for other, look in enumerate(looks) if other != lane and look.mode == "ghost"]
        return Display(looks, heirs[0] if heirs else lane)

    def coloured(self, lane: int, colour: int) -> Display:
        """With `lane` in another colour."""
        return Display(self._with(lane, replace(self.looks[lane], colour=colour)), self.body)

    def added(self) -> Display:
        """With one more lane at the end, in the first colour that no lane has."""
        taken = {look.colour for look in self.looks}
        free = next(colour for colour in range(len(taken) + 1) if colour not in taken)
        return Display((*self.looks, LaneLook(free)), self.body)

    def swapped(self, lane: int, other: int) -> Display:
        """With two lanes in each other's place."""
        places = {lane: other, other: lane}
        looks = tuple(self.looks[places.get(index, index)] for index in range(len(self.looks)))
        return Display(looks, places.get(self.body, self.body))

    def without(self, lane: int) -> Display:
        """With `lane` taken out; if it was the body, the next ghost is."""
        heir = self.shown_as(lane, "hidden").body
        looks = self.looks[:lane] + self.looks[lane + 1 :]
        return Display(looks, min(heir - (heir > lane), len(looks) - 1))

    def _with(self, lane: int, look: LaneLook) -> tuple[LaneLook, ...]:
        return (*self.looks[:lane], look, *self.looks[lane + 1 :])

    def to_table(self) -> dict[str, Any]:
        """Colours and modes in their order, and the number of the body."""
        looks = self.looks
        return {
            "colours": [look.colour for look in looks],
            "modes": [look.mode for look in looks],
            "body": self.body,
        }

    @classmethod
    def from_table(cls, key: str, table: Any) -> Display:
        """What `to_table` said, or one that is there; refused with the key at fault."""
        if isinstance(table, cls):
            return table
        if not isinstance(table, Mapping):
            raise refusal(key, "a table", table)
        refuse_unknown(table, _READERS, key)
        values = {name: read(joined(key, name), table.get(name, ())) for name, read in _READERS.items()}
        colours, modes, body = values["colours"], values["modes"], values["body"]
        if len(colours) != len(modes):
            raise refusal(f"{key}.modes", "as many modes as colours", list(modes))
        if body >= max(len(colours), 1):
            raise refusal(f"{key}.body", "the number of a lane, from 0", body)
        looks = tuple(LaneLook(colour, mode) for colour, mode in zip(colours, modes, strict=True))
        return cls(looks, body)


def _body(key: str, value: Any) -> int:
    return 0 if value == () else count(key, value)


_READERS = {"colours": each(count), "modes": each(one_of(MODES)), "body": _body}
