"""What each of a window's 3D views shows: which lanes, and from which frame. Values, no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from quatviz.ui.frame import Frame

NUMBERS = (1, 2, 4)
"""How many views there can be."""
ALL = ""
"""In place of a lane's name: all lanes over each other."""

_FRAMES = {"body": True, "space": False}


@dataclass
class Plan:
    """What a person has chosen. Place 0 is the first view; a single view always shows all lanes."""

    number: int = 1
    each: bool = True
    """One lane for each view, rather than all of them over each other in every view."""
    linked: bool = True
    """The cameras do the same."""
    from_body: list[bool | None] = field(default_factory=lambda: [None] * NUMBERS[-1])
    """Whether a person wants to see it from the body; None where they have not said."""
    chosen: list[str | None] = field(default_factory=lambda: [None] * NUMBERS[-1])
    """The lane that a person wants in this view, or `ALL`."""

    def shown(self, frame: Frame) -> list[str]:
        """The lane of each view, or `ALL`: what was chosen first, then the lanes in their order. Where there are more
        views than lanes the others show all."""
        if not (self.each and self.number > 1):
            return [ALL] * self.number
        lanes = drawn(frame)
        wanted = [name if name in (*lanes, ALL) else None for name in self.chosen[: self.number]]
        left = iter([name for name in lanes if name not in wanted])
        return [next(left, ALL) if name is None else name for name in wanted]

    def seen_from_body(self, frame: Frame) -> list[bool]:
        """Whether each view is seen from the body. Unless a person has said, views that would show the same are seen
        from space and from the body by turns; lanes beside each other from space, to compare them."""
        ranks = self._ranks(frame)
        return [
            rank % 2 == 1 if wish is None else wish for rank, wish in zip(ranks, self.from_body, strict=False)
        ]

    def repeated(self, frame: Frame) -> list[bool]:
        """Whether each view would show what two before it do, from space and from the body."""
        return [rank > 1 for rank in self._ranks(frame)]

    def _ranks(self, frame: Frame) -> list[int]:
        """How many views before each one show the same, namely all lanes."""
        alike = [name == ALL or len(drawn(frame)) < 2 for name in self.shown(frame)]
        return [sum(alike[:place]) if same else 0 for place, same in enumerate(alike)]

    def counts(self, frame: Frame) -> tuple[int, int]:
        """How many lanes are seen, of how many."""
        shown, lanes = self.shown(frame), drawn(frame)
        return len(lanes) if ALL in shown else len(shown), len(lanes)

    def to_texts(self) -> dict[str, str]:
        """What is remembered from start to start; names of lanes belong to a run."""
        frames = ["-" if wish is None else "body" if wish else "space" for wish in self.from_body]
        return {
            "number": str(self.number),
            "each": "one each" if self.each else "all",
            "linked": "linked" if self.linked else "free",
            "frames": " ".join(frames),
        }

    @classmethod
    def from_texts(cls, texts: Mapping[str, object]) -> Plan:
        """What was remembered; what cannot be read is as at a first start."""
        plan = cls()
        number = str(texts.get("number"))
        plan.number = int(number) if number in map(str, NUMBERS) else plan.number
        plan.each = texts.get("each") != "all"
        plan.linked = texts.get("linked") != "free"
        frames = str(texts.get("frames", "")).split()
        if len(frames) == len(plan.from_body):
            plan.from_body = [_FRAMES.get(text) for text in frames]
        return plan


def drawn(frame: Frame) -> list[str]:
    """Names of the lanes that are to be seen in 3D, the one that is drawn as the body first."""
    lanes = [lane for lane in frame.lanes if lane.visible and lane.drawn]
    return [lane.name for lane in sorted(lanes, key=lambda lane: not lane.solid)]


def of_lane(frame: Frame, name: str) -> Frame:
    """The frame with this lane as the body and no ghosts; as it is for `ALL`."""
    if name == ALL:
        return frame
    lanes = tuple(
        replace(lane, solid=lane.name == name, drawn=lane.drawn and lane.name == name) for lane in frame.lanes
    )
    return replace(frame, lanes=lanes)
