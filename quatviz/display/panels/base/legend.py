"""The legend above the plots: the names of the lanes and what stripes mean, on as many lines as they need."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from quatviz.base.formatting import power_of_ten
from quatviz.base.formatting.text_layout import Type, fold
from quatviz.base.translation import tr
from quatviz.display.data.frame import LaneFrame, RunInfo
from quatviz.display.data.lane_readouts import agreement
from quatviz.display.view_state.choices import Choices
from quatviz.display.view_state.line_styles import brief_titles, short_titles
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.formulations import lane_title

_APART, _CLOSE = 2 * UNIT, 1.5 * UNIT
"""Between two names, and between two brief ones."""
_FEW = 2
"""Lines in letters as large as those of the plots' numbers."""
_WHOLE, _SHARE, _MOST = 1 / 5, 1 / 3, 1 / 2
"""Of the height of its board that it may take with whole names, with short ones, and with brief ones: lanes that nobody can
name are worth less than the height of their curves."""
_BRIEF = 2 / 3
"""Of the piece of a curve before a name, where names are brief: its dashes are as many, and told by their colours too."""

Words = list[tuple[str, int | None]]
"""Texts, each with its lane's colour where a piece of the curve stands before it."""


class Room(NamedTuple):
    """What a legend has [pixels]."""

    width: float
    board: float
    """Height of it and the plots."""
    corner: float
    """Width and height that are kept free at the right."""
    gutter: float
    """Where plots begin."""
    sample: float
    """Width of the piece of a curve."""
    normal: Type
    small: Type


class Legend:
    """What colours and dashes mean now: a piece of the curve of each lane that is shown, and its name. Where the lines are more
    than a few, letters are small; where they still are too many names are short, then brief; where plots would lose too much,
    pieces stand alone, and the tip has their names."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self._entries: list[tuple[str, int]] = []
        self._shown: tuple[str, ...] = ()
        self._multipliers: frozenset[str] = frozenset()
        """The lanes that have one."""
        self._agreed: tuple[int, int] | None = None
        self.lines: list[Words] = []
        self.begin = 0.0
        """Where lines begin: with the plots, or before them rather than being cut."""
        self.left_out: list[str] = []
        """Names of which something is left out."""
        self._plain()

    def _plain(self) -> None:
        self.dense = self.short = self.brief = False
        """Whether letters are small, names short, and these brief, close together and after short pieces."""
        self.folded = False
        """Whether names are left to the tip."""
        self.terse = self.mute = False
        """Whether it says in fewer words by how much they agree: cut short, these would lose the number; or nothing of it."""

    def start(self, info: RunInfo) -> bool:
        """A run begins; whether it has other lanes."""
        before = self._entries, self._multipliers
        self._entries = list(zip(info.lanes, info.colours, strict=True))
        self._multipliers = frozenset(info.multipliers)
        if before == (self._entries, self._multipliers):
            return False
        self._shown = info.lanes
        return True

    def show(self, lanes: tuple[LaneFrame, ...], reads: bool) -> bool:
        """Name those that are shown, and say by how much they agree where the frame `reads` numbers; whether that is new."""
        before = self._shown, self._agreed
        self._shown = tuple(lane.name for lane in lanes if lane.visible)
        self._agreed = agreement(lanes) if reads else self._agreed
        return before != (self._shown, self._agreed)

    def type(self, room: Room) -> Type:
        """Of its letters."""
        return room.small if self.dense else room.normal

    def line(self, room: Room) -> float:
        """Height of a line."""
        between = 0 if self.brief else UNIT // 2 if self.dense else UNIT
        return round(self.type(room).line) + between

    def sample(self, room: Room) -> float:
        """Width of the piece of a curve before a name."""
        return round(_BRIEF * room.sample) if self.brief else room.sample

    def wide(self, text: str, colour: int | None, room: Room) -> float:
        """What a word takes, with what stands between it and the next one."""
        return self.type(room).advance(text) + self.before(colour, room) + (self._apart if text else 0)

    @property
    def _apart(self) -> float:
        return _CLOSE if self.brief else _APART

    def before(self, colour: int | None, room: Room) -> float:
        """What the piece of a curve before a name takes, with the gap behind it."""
        return self.sample(room) + (UNIT / 2 if self.brief else UNIT) if colour is not None else 0.0

    def fit(self, room: Room) -> None:
        """Find its lines in this room."""
        self._plain()
        self._fill(room)
        if self.lines and self.lines[-1][-1] != self._words()[-1]:
            self.terse = True
            self._fill(room)
        if len(self.lines) > _FEW:
            self.dense = True
            cut = self._fill(room)
            self.short = cut or self._takes(_WHOLE, room)
            cut = self._fill(room)
            self.brief = cut or self._takes(_SHARE, room)
            self._fill(room)
            self.mute = self.brief and self._takes(_MOST, room)
            self._fill(room)
            self.folded = self.mute and self._takes(_MOST, room)
            self.mute = self.mute and not self.folded
            self._fill(room)
            self.left_out = [lane_title(name) for name, _ in self._entries if name in self._shown]

    def _takes(self, share: float, room: Room) -> bool:
        """Whether it is higher than this share of its board."""
        return self.line(room) * len(self.lines) > share * room.board

    def _fill(self, room: Room) -> bool:
        """Put the words on lines; whether a name had to be cut."""
        words, used = self._words(), math.inf
        widest = max((self.wide(*word, room) - self._apart for word in words), default=0.0)
        free = room.width - room.corner
        self.begin = float(UNIT) if self.dense else max(float(UNIT), min(room.gutter, free - widest))
        self.lines, self.left_out = [], []
        for whole, colour in words:
            left = math.ceil(free - self.begin - self.before(colour, room))
            text = fold(whole, left, 1, self.type(room).advance)[0] if whole else ""
            self.left_out += [whole] if text != whole else []
            needed = self.wide(text, colour, room)
            if used + needed - UNIT > free - self.begin:
                below = len(self.lines) * self.line(room) >= room.corner
                free = room.width - (UNIT if below else room.corner)
                self.lines.append([])
                used = 0.0
            self.lines[-1].append((text, colour))
            used += needed
        return any(whole in self.left_out for whole, colour in words if colour is not None)

    def _words(self) -> Words:
        lanes = {name: colour for name, colour in self._entries if name in self._shown}
        entries: Words = list(zip(self._titles(list(lanes)), lanes.values(), strict=True))
        if len(entries) == 1:
            return [(entries[0][0], None), (tr("colour tells the component"), None)]
        if self.folded:
            entries = [("", colour) for _, colour in entries]
            entries.append((tr("{count} lanes", count=len(lanes)), None))
        said: Words = [] if self.mute else [(self._told(lanes), None)]
        return [*entries, *said] if entries or self.choices.difference else []

    def _titles(self, lanes: Sequence[str]) -> list[str]:
        if self.brief:
            return brief_titles(lanes)
        return short_titles(lanes) if self.short else list(map(lane_title, lanes))

    def _told(self, lanes: dict[str, int]) -> str:
        """What stripes mean, or what curves are differences to."""
        if self.choices.difference:
            reference = lane_title(self.choices.reference)
            if self._multipliers.intersection(lanes):  # lanes do not share one
                return tr(
                    "each minus {reference}, λ minus theory; magnitudes on log axes", reference=reference
                )
            return tr("each minus {reference}, magnitudes on log axes", reference=reference)
        if self._agreed is None:
            return tr("striped where they agree")
        count, angle = self._agreed[0], power_of_ten(self._agreed[1])
        if self.terse:
            return tr("{count} agree to {angle} rad", count=count, angle=angle)
        return tr("striped: {count} lanes agree to {angle} rad at the cursor", count=count, angle=angle)
