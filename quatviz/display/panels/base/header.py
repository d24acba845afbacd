"""What stands above a plot: its symbol, the values at the cursor, the unit, with as many decimals as there is room for."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from quatviz.base.formatting import MISSING
from quatviz.base.formatting.text_layout import ANY_DIGIT
from quatviz.display.data.lane_readouts import sharing
from quatviz.display.data.scales import Scale
from quatviz.display.panels.base.canvas import component_colour
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.physics.formulations import lane_title

_FEWER = 3
"""Decimals that values are left without at most: those that tell more than the numbers of the axis."""


class Part(NamedTuple):
    """What stands in a header: a word, or the value of a trace, by its `number`."""

    text: str
    colour: str
    gap: float
    """Pixels behind it."""
    kind: Literal["symbol", "normal", "small"]
    number: int | None = None
    stripes: tuple[str, ...] = ()
    """Colours of all lanes whose value it is, where these are several and others have another."""


class Laid(NamedTuple):
    """What a header has room for."""

    texts: list[str]
    """What the values are written as."""
    parts: list[tuple[Part, float, int]]
    """Each with where it begins, and the number of its row."""
    rest: float | None
    """Where dots stand for what has no room."""


class Header:
    """Symbol, value and unit. With a `symbol` the traces are lanes of one component, and lanes whose digits agree share one
    number, above stripes of their colours unless all do; a dash stands for each that has none. Without one the traces are
    components, each with its own symbol in its colour. Where there is no room for all, they have fewer decimals, then small
    letters, then begin left of the plot, and then stand on two rows."""

    def __init__(self, symbol: str, unit: str, ring: int | None = None) -> None:
        self.symbol = symbol
        self.ring = ring
        """The ring whose colour the symbol has, if it has one."""
        self.unit = unit
        self.time = 0.0
        """The time whose values stand there [s]."""
        self._widths: list[float] = []
        self._fewer = 0
        """Decimals that are left out."""
        self.small = self.early = False
        """Whether values are small, and whether all begins left of the plot."""
        self.rows = 1
        self._fitted: object = None
        """To what room and range that was fitted."""

    def fit(self, room: object) -> None:
        """Numbers may need less room now than they have needed, where this is another one."""
        if self._fitted != room:
            self._fitted, self._widths, self._fewer = room, [], 0
            self.small, self.early, self.rows = False, False, 1

    def texts(self, traces: Sequence[Trace], scale: Scale, fewer: int | None = None) -> list[str]:
        """The value of each trace as it is written, with so many `fewer` decimals than there might be, or as few as they have
        now."""
        told = [trace for trace in traces if not trace.theory]
        fewer = self._fewer if fewer is None else fewer
        fewer += 2 * any(trace.part for trace in told)  # a sum and all its parts stand in one line
        short, time = len(told) > 2, self.time
        return [scale.read(trace.at(time), short, fewer) for trace in told]

    def told(self, traces: Sequence[Trace], scale: Scale) -> str:
        """The value of each trace on a line of its own, with its name."""
        named = [trace for trace in traces if not trace.theory]
        return "\n".join(
            f"{lane_title(trace.lane) if self.symbol else trace.label}: {text} {self.unit}".rstrip()
            for trace, text in zip(named, self.texts(traces, scale, 0), strict=True)
        )

    def lay(
        self, traces: Sequence[Trace], scale: Scale, theme: Theme, lefts: tuple[float, float], right: float,
        width: Callable[[Part], float],
    ) -> Laid:  # fmt: skip
        """Find places for all that is there, from the second of the `lefts` to `right`, with fewer decimals where that needs them,
        or smaller or from the first, or on two rows; once it is so it stays so until it is fitted to another room."""
        while True:
            texts = self.texts(traces, scale)
            parts = list(self.parts(theme, traces, texts))
            places = self._places(parts, lefts[0 if self.early else 1], right, width)
            if len(places) > len(parts):
                return Laid(texts, [(part, *place) for part, place in zip(parts, places, strict=False)], None)
            if self._fewer < _FEWER and self.texts(traces, scale, self._fewer + 1) != texts:
                self._fewer += 1
            elif self.rows > 1:
                rest = min(places.pop()[0], right - UNIT)
                return Laid(texts, [(part, *place) for part, place in zip(parts, places, strict=False)], rest)
            else:
                self.small, self.early, self.rows = True, self.small, 1 + self.early
            self._widths = []

    def _places(
        self, parts: Sequence[Part], left: float, right: float, width: Callable[[Part], float]
    ) -> list[tuple[float, int]]:
        """Where the parts begin for which there is room, each in its row, and where those end; a number keeps the room that it has
        needed."""
        if len(parts) != len(self._widths):
            self._widths = [0.0] * len(parts)
        x, row, places = left, 0, [(left, 0)]
        for place, part in enumerate(parts):
            wide = self._widths[place] = max(width(part), self._widths[place])
            if x + wide > right and row + 1 < self.rows:
                x, row = left, row + 1
                places[-1] = x, row
            # room for the dots that would stand for what follows
            if x + wide > right - (2 * UNIT if place + 1 < len(parts) and row + 1 == self.rows else 0):
                break
            x += wide + part.gap
            places.append((x, row))
        return places

    def form_of(self, texts: Sequence[str]) -> object:
        """What stands there of these values, with a zero for each digit: where that stays, all letters keep their places."""
        shared = self._sharing(texts)
        return shared, [text.translate(ANY_DIGIT) for text, own in zip(texts, shared, strict=True) if own]

    def _sharing(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        return sharing(texts) if self.symbol else [(number,) for number in range(len(texts))]

    def parts(self, theme: Theme, traces: Sequence[Trace], texts: Sequence[str]) -> Iterator[Part]:
        """What stands there."""
        traces = [trace for trace in traces if not trace.theory]
        size: Literal["normal", "small"] = "small" if self.small else "normal"
        gap = UNIT / 2 if self.early else UNIT
        if self.symbol:
            colour = theme.text if self.ring is None else component_colour(theme, self.ring, 3)
            yield Part(self.symbol, colour, gap, "symbol")
            agreed = len(set(texts) - {MISSING}) == 1
            for number, own in enumerate(self._sharing(texts)):
                if own and agreed and texts[number] != MISSING:
                    yield Part(texts[number], theme.text, gap, size, number)
                elif own:
                    stripes = tuple(traces[one].colour for one in own) if len(own) > 1 else ()
                    yield Part(texts[number], traces[number].colour, gap, size, number, stripes)
        else:
            for number, (trace, text) in enumerate(zip(traces, texts, strict=True)):
                yield Part(trace.label, trace.colour, UNIT / 2, "symbol")
                yield Part(text, theme.text, gap, size, number)
        if self.unit and texts:
            yield Part(self.unit, theme.muted, UNIT, "small")
