"""What stands above a plot: its symbol, the values at the cursor, the unit, with as many decimals as there is room for."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from quatviz.base.formatting import MISSING_VALUE
from quatviz.base.formatting.text_layout import DIGITS_TO_ZERO
from quatviz.display.data.lane_readouts import group_equal_texts
from quatviz.display.data.scales import Scale
from quatviz.display.panels.base.canvas import component_colour
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.physics.formulations import lane_title

_MAX_DROPPED_DECIMALS = 3
"""Decimals that values are left without at most: those that tell more than the numbers of the axis."""


class HeaderPart(NamedTuple):
    """What stands in a header: a word, or the value of a trace, by its `trace_index`."""

    text: str
    colour: str
    gap: float
    """Pixels behind it."""
    text_style: Literal["symbol", "normal", "small"]
    trace_index: int | None = None
    stripes: tuple[str, ...] = ()
    """Colours of all lanes whose value it is, where these are several and others have another."""


class HeaderLayout(NamedTuple):
    """What a header has room for."""

    texts: list[str]
    """What the values are written as."""
    parts: list[tuple[HeaderPart, float, int]]
    """Each with where it begins, and the number of its row."""
    ellipsis_x: float | None
    """Where dots stand for what has no room."""


class Header:
    """Symbol, value and unit. With a `symbol` the traces are lanes of one component, and lanes whose digits agree share one
    number, above stripes of their colours unless all do; a dash stands for each that has none. Without one the traces are
    components, each with its own symbol in its colour. Where there is no room for all, they have fewer decimals, then small
    letters, then begin left of the plot, and then stand on two rows."""

    def __init__(self, symbol: str, unit: str, ring: int | None = None) -> None:
        self.symbol = symbol
        self.ring_index = ring
        """The ring whose colour the symbol has, if it has one."""
        self.unit = unit
        self.time = 0.0
        """The time whose values stand there [s]."""
        self._widths: list[float] = []
        self._dropped_decimals = 0
        """Decimals that are left out."""
        self.is_small = self.starts_left = False
        """Whether values are small, and whether all begins left of the plot."""
        self.row_count = 1
        self._fitted_room: object = None
        """To what room and range that was fitted."""

    def reset_for(self, room: object) -> None:
        """Numbers may need less room now than they have needed, where this is another one."""
        if self._fitted_room != room:
            self._fitted_room, self._widths, self._dropped_decimals = room, [], 0
            self.is_small, self.starts_left, self.row_count = False, False, 1

    def texts(self, traces: Sequence[Trace], scale: Scale, dropped_decimals: int | None = None) -> list[str]:
        """The value of each trace as it is written, with so many `dropped_decimals` decimals than there might be, or as few as
        they have now."""
        value_traces = [trace for trace in traces if not trace.is_theory]
        dropped_decimals = self._dropped_decimals if dropped_decimals is None else dropped_decimals
        dropped_decimals += 2 * any(
            trace.is_part for trace in value_traces
        )  # a sum and all its parts stand in one line
        short, time = len(value_traces) > 2, self.time
        return [scale.format_value(trace.value_at(time), short, dropped_decimals) for trace in value_traces]

    def tooltip(self, traces: Sequence[Trace], scale: Scale) -> str:
        """The value of each trace on a line of its own, with its name."""
        value_traces = [trace for trace in traces if not trace.is_theory]
        return "\n".join(
            f"{lane_title(trace.lane) if self.symbol else trace.label}: {text} {self.unit}".rstrip()
            for trace, text in zip(value_traces, self.texts(traces, scale, 0), strict=True)
        )

    def arrange(
        self, traces: Sequence[Trace], scale: Scale, theme: Theme, left_edges: tuple[float, float], right: float,
        width: Callable[[HeaderPart], float],
    ) -> HeaderLayout:  # fmt: skip
        """Find places for all that is there, from the second of the `left_edges` to `right`, with fewer decimals where that
        needs them, or smaller or from the first, or on two rows; once it is so it stays so until it is fitted to another room."""
        while True:
            texts = self.texts(traces, scale)
            parts = list(self.parts(theme, traces, texts))
            positions = self._positions(parts, left_edges[0 if self.starts_left else 1], right, width)
            if len(positions) > len(parts):
                return HeaderLayout(
                    texts, [(part, *position) for part, position in zip(parts, positions, strict=False)], None
                )
            if (
                self._dropped_decimals < _MAX_DROPPED_DECIMALS
                and self.texts(traces, scale, self._dropped_decimals + 1) != texts
            ):
                self._dropped_decimals += 1
            elif self.row_count > 1:
                ellipsis_x = min(positions.pop()[0], right - GRID_UNIT)
                return HeaderLayout(
                    texts,
                    [(part, *position) for part, position in zip(parts, positions, strict=False)],
                    ellipsis_x,
                )
            else:
                self.is_small, self.starts_left, self.row_count = True, self.is_small, 1 + self.starts_left
            self._widths = []

    def _positions(
        self,
        parts: Sequence[HeaderPart],
        left_edge: float,
        right_edge: float,
        width: Callable[[HeaderPart], float],
    ) -> list[tuple[float, int]]:
        """Where the parts begin for which there is room, each in its row, and where those end; a number keeps the room that it has
        needed."""
        if len(parts) != len(self._widths):
            self._widths = [0.0] * len(parts)
        x, row, positions = left_edge, 0, [(left_edge, 0)]
        for index, part in enumerate(parts):
            part_width = self._widths[index] = max(width(part), self._widths[index])
            if x + part_width > right_edge and row + 1 < self.row_count:
                x, row = left_edge, row + 1
                positions[-1] = x, row
            # room for the dots that would stand for what follows
            if x + part_width > right_edge - (
                2 * GRID_UNIT if index + 1 < len(parts) and row + 1 == self.row_count else 0
            ):
                break
            x += part_width + part.gap
            positions.append((x, row))
        return positions

    def digit_pattern(self, texts: Sequence[str]) -> object:
        """What stands there of these values, with a zero for each digit: where that stays, all letters keep their places."""
        shared = self._lane_groups(texts)
        return shared, [
            text.translate(DIGITS_TO_ZERO) for text, lanes in zip(texts, shared, strict=True) if lanes
        ]

    def _lane_groups(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        return group_equal_texts(texts) if self.symbol else [(number,) for number in range(len(texts))]

    def parts(self, theme: Theme, traces: Sequence[Trace], texts: Sequence[str]) -> Iterator[HeaderPart]:
        """What stands there."""
        traces = [trace for trace in traces if not trace.is_theory]
        size: Literal["normal", "small"] = "small" if self.is_small else "normal"
        gap = GRID_UNIT / 2 if self.starts_left else GRID_UNIT
        if self.symbol:
            colour = theme.text if self.ring_index is None else component_colour(theme, self.ring_index, 3)
            yield HeaderPart(self.symbol, colour, gap, "symbol")
            all_agree = len(set(texts) - {MISSING_VALUE}) == 1
            for number, lanes in enumerate(self._lane_groups(texts)):
                if lanes and all_agree and texts[number] != MISSING_VALUE:
                    yield HeaderPart(texts[number], theme.text, gap, size, number)
                elif lanes:
                    stripes = (
                        tuple(traces[trace_index].colour for trace_index in lanes) if len(lanes) > 1 else ()
                    )
                    yield HeaderPart(texts[number], traces[number].colour, gap, size, number, stripes)
        else:
            for number, (trace, text) in enumerate(zip(traces, texts, strict=True)):
                yield HeaderPart(trace.label, trace.colour, GRID_UNIT / 2, "symbol")
                yield HeaderPart(text, theme.text, gap, size, number)
        if self.unit and texts:
            yield HeaderPart(self.unit, theme.muted, GRID_UNIT, "small")
