"""The header of a plot: its symbol, the values at the cursor and the unit, with as many decimals as fit."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from quatviz.base.formatting import MISSING_VALUE
from quatviz.base.formatting.text_layout import DIGITS_TO_ZERO
from quatviz.display.data.lane_readouts import group_equal_texts
from quatviz.display.data.scales import Scale
from quatviz.display.panels.base.canvas import component_color
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.physics.formulations import lane_title

_MAX_DROPPED_DECIMALS = 3
"""Largest number of decimals that may be dropped. The values are then still more precise than the numbers at the axis."""


class HeaderPart(NamedTuple):
    """A part of a header: a word, or the value of the trace `trace_index`."""

    text: str
    color: str
    gap: float
    """Gap after the part [pixels]."""
    text_style: Literal["symbol", "normal", "small"]
    trace_index: int | None = None
    stripes: tuple[str, ...] = ()
    """Colors of the lanes that share this value, drawn as stripes below it. It is empty if only one lane has this
    value, or if all lanes agree."""


class HeaderLayout(NamedTuple):
    """Layout of a header: the parts that fit, and their positions."""

    texts: list[str]
    """Texts of all values of the header, by trace."""
    parts: list[tuple[HeaderPart, float, int]]
    """Each part that fits, with its x position [pixels] and its row."""
    ellipsis_x: float | None
    """x position [pixels] of the ellipsis that replaces the parts that do not fit; None if all parts fit."""


class Header:
    """Symbol, values and unit above a plot.

    With a `symbol`, the traces are lanes of one component. Lanes with equal digits share a number, with
    stripes of their colors below unless all are equal. A dash marks a lane without a value. Without a symbol,
    the traces are components, each with its own colored symbol.

    If not all parts fit, the layout changes in this order: fewer decimals as long as the numbers remain useful, a
    smaller font, a start left of the plot, still fewer decimals, and a second row.
    """

    def __init__(self, symbol: str, unit: str, ring: int | None = None) -> None:
        self.symbol = symbol
        self.ring_index = ring
        """Index of the gimbal ring that gives the header's symbol its color; None if there is none."""
        self.unit = unit
        self.time = 0.0
        """Time at which the header shows the values [s]."""
        self._widths: list[float] = []
        self._dropped_decimals = 0
        """Number of decimals that are dropped from the values so that the header fits."""
        self.is_small = self.starts_left = False
        """Two flags: True if the values use the small font; True if the header starts to the left of the
        plot."""
        self.row_count = 1
        self._fitted_room: object = None
        """Axis range, plot width and style for which the present layout was made, as a key; None before the first
        layout."""

    def reset_for(self, room: object) -> None:
        """Reset the layout if `room` has changed. `room` is a key made of the axis range, the plot width and the style.
        After such a change, the numbers may need less width."""
        if self._fitted_room != room:
            self._fitted_room, self._widths, self._dropped_decimals = room, [], 0
            self.is_small, self.starts_left, self.row_count = False, False, 1

    def texts(self, traces: Sequence[Trace], scale: Scale, dropped_decimals: int | None = None) -> list[str]:
        """Return the text of each trace's value. `dropped_decimals` defaults to the present number."""
        value_traces = [trace for trace in traces if not trace.is_theory]
        dropped_decimals = self._dropped_decimals if dropped_decimals is None else dropped_decimals
        dropped_decimals += 2 * any(
            trace.is_part for trace in value_traces
        )  # a sum and all its terms share one line
        short, time = len(value_traces) > 2, self.time
        return [scale.format_value(trace.value_at(time), short, dropped_decimals) for trace in value_traces]

    def tooltip(self, traces: Sequence[Trace], scale: Scale) -> str:
        """Return a tooltip with the name and value of each trace on its own line."""
        value_traces = [trace for trace in traces if not trace.is_theory]
        return "\n".join(
            f"{lane_title(trace.lane) if self.symbol else trace.label}: {text} {self.unit}".rstrip()
            for trace, text in zip(value_traces, self.texts(traces, scale, 0), strict=True)
        )

    def arrange(
        self, traces: Sequence[Trace], scale: Scale, theme: Theme, left_edges: tuple[float, float], right: float,
        width: Callable[[HeaderPart], float],
    ) -> HeaderLayout:  # fmt: skip
        """Lay out all parts between one of the `left_edges` and `right`.

        Parts are shortened as far as needed; the result is kept until `reset_for` is called with another room.

        Parameters
        ----------
        traces
            Traces of the plot.
        scale
            Formats the values.
        theme
            Colors.
        left_edges
            Left end of the room beside the plot, and left edge of the plot [pixels].
        right
            Right end of the room [pixels].
        width
            Returns the width of a part [pixels].
        """
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
                and (self.starts_left or scale.resolves_range(self._dropped_decimals + 1))
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
        """Return the x position and row of each part that fits, and then the end of the last part. The width reserved
        for a part never decreases."""
        if len(parts) != len(self._widths):
            self._widths = [0.0] * len(parts)
        x, row, positions = left_edge, 0, [(left_edge, 0)]
        for index, part in enumerate(parts):
            part_width = self._widths[index] = max(width(part), self._widths[index])
            if x + part_width > right_edge and row + 1 < self.row_count:
                x, row = left_edge, row + 1
                positions[-1] = x, row
            # room for the ellipsis
            if x + part_width > right_edge - (
                2 * GRID_UNIT if index + 1 < len(parts) and row + 1 == self.row_count else 0
            ):
                break
            x += part_width + part.gap
            positions.append((x, row))
        return positions

    def digit_pattern(self, texts: Sequence[str]) -> object:
        """Return a key that changes only if the layout must change: the visible texts with each digit
        replaced by zero. While it stays the same, all characters keep their positions."""
        shared = self._lane_groups(texts)
        return shared, [
            text.translate(DIGITS_TO_ZERO) for text, lanes in zip(texts, shared, strict=True) if lanes
        ]

    def _lane_groups(self, texts: Sequence[str]) -> list[tuple[int, ...]]:
        return group_equal_texts(texts) if self.symbol else [(number,) for number in range(len(texts))]

    def parts(self, theme: Theme, traces: Sequence[Trace], texts: Sequence[str]) -> Iterator[HeaderPart]:
        """Yield all parts of the header from left to right. `arrange` later leaves out those that do not fit."""
        traces = [trace for trace in traces if not trace.is_theory]
        size: Literal["normal", "small"] = "small" if self.is_small else "normal"
        gap = GRID_UNIT / 2 if self.starts_left else GRID_UNIT
        if self.symbol:
            color = theme.text if self.ring_index is None else component_color(theme, self.ring_index, 3)
            yield HeaderPart(self.symbol, color, gap, "symbol")
            all_agree = len(set(texts) - {MISSING_VALUE}) == 1
            for number, lanes in enumerate(self._lane_groups(texts)):
                if lanes and all_agree and texts[number] != MISSING_VALUE:
                    yield HeaderPart(texts[number], theme.text, gap, size, number)
                elif lanes:
                    stripes = (
                        tuple(traces[trace_index].color for trace_index in lanes) if len(lanes) > 1 else ()
                    )
                    yield HeaderPart(texts[number], traces[number].color, gap, size, number, stripes)
        else:
            for number, (trace, text) in enumerate(zip(traces, texts, strict=True)):
                yield HeaderPart(trace.label, trace.color, GRID_UNIT / 2, "symbol")
                yield HeaderPart(text, theme.text, gap, size, number)
        if self.unit and texts:
            yield HeaderPart(self.unit, theme.muted, GRID_UNIT, "small")
