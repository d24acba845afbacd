"""The legend above the plots: lane names with curve samples, and an explanation of striped curves."""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from quatviz.base.formatting.text_layout import TextMetrics, fold_to_lines
from quatviz.base.translation import tr
from quatviz.display.data.frame import LaneFrame, RunInfo
from quatviz.display.data.lane_readouts import LaneAgreement, agreement
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.line_styles import brief_titles, short_titles
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title

_NAME_GAP, _BRIEF_NAME_GAP = 2 * GRID_UNIT, 1.5 * GRID_UNIT
"""Width of the gap after a full name, and after a brief name [pixels]."""
_MAX_LARGE_LINES = 2
"""Largest number of legend lines in the normal font. A longer legend uses the small font."""
_FULL_NAMES_SHARE, _SHORT_NAMES_SHARE, _BRIEF_NAMES_SHARE = 1 / 5, 1 / 3, 1 / 2
"""Largest fractions of the board's height that the legend may take with full, short and brief names."""
_AGREEMENT_SHARE = 1 / 10
"""Largest fraction of the board's height for a legend in which the text about agreement has a line of its own. In a lower
board, the plots need this line; the lane list shows the same numbers."""
_BRIEF_SAMPLE_FACTOR = 2 / 3
"""Length of the curve samples in front of brief names, relative to the normal length."""

_WIDEST_ANGLES = (("10⁻¹⁵", True), ("0.001", False))
"""Widest texts for the angle between lanes, each with True if the lanes agree within this angle. They determine the
width that is reserved (`display.data.lane_readouts.LaneAgreement`)."""

LegendEntries = list[tuple[str, int | None]]
"""Entries of a legend: the text, and the color number of the curve sample in front of it, or None."""


class LegendSpace(NamedTuple):
    """Space available for a legend, and the sizes of its parts [pixels]."""

    width: float
    board_height: float
    """Height of the legend and the plots together."""
    corner_size: float
    """Width and height reserved for each button at the right."""
    gutter: float
    """x position of the left edge of the plots [pixels]."""
    sample_width: float
    """Width of a curve sample."""
    normal: TextMetrics
    small: TextMetrics
    button_count: int = 1
    """Number of buttons side by side at the right end of the first line."""

    @property
    def corner_width(self) -> float:
        """Width reserved for the buttons [pixels]."""
        return self.button_count * self.corner_size


_MAX_FOLDED_NAMES = 2000
"""Largest number of shortened names that are cached: enough for all lanes in ten variants."""


class Legend:
    """Legend of the visible lanes: a curve sample and a name for each.

    With many lines it uses the small font, then short names, then brief names. If it still takes too much height,
    only the samples remain and the tooltip lists the names.
    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self._entries: list[tuple[str, int]] = []
        self._visible_lanes: tuple[str, ...] = ()
        self._multipliers: frozenset[str] = frozenset()
        """Names of the lanes whose formulation has a Lagrange multiplier."""
        self._agreement: LaneAgreement | None = None
        self.lines: list[LegendEntries] = []
        self.start_x = 0.0
        """Left end of the lines: that of the plots, or further left if lines would otherwise be cut."""
        self.truncated_names: list[str] = []
        """Titles of the lanes whose names are truncated."""
        self._folded_names: dict[tuple[TextMetrics, str, int], str] = {}
        self._arranged: Hashable = None
        """Key of everything that the layout depends on, at the last call of `arrange`."""
        self._reset_style()

    def _reset_style(self) -> None:
        self.uses_small_type = self.uses_short_names = self.uses_brief_names = False
        """Three flags: True if the legend uses the small font; short names; brief names with small gaps and
        samples."""
        self.hides_names = False
        """True if the legend shows only curve samples, so that the names are only in the tooltip."""
        self.uses_short_agreement = self.hides_agreement = False
        """Two flags: True if the text about agreement is shortened so that its number is not cut; True if it
        is left out."""

    def start(self, info: RunInfo) -> bool:
        """Start with a new run; return True if it has other lanes."""
        before = self._entries, self._multipliers
        self._entries = list(zip(info.lanes, info.colors, strict=True))
        self._multipliers = frozenset(info.multipliers)
        if before == (self._entries, self._multipliers):
            return False
        self._visible_lanes = info.lanes
        return True

    def set_frame(self, lanes: tuple[LaneFrame, ...], updates_readouts: bool) -> bool:
        """Update the visible lanes and, if `updates_readouts` is True, the text on how closely the lanes
        agree. Return True if something changed."""
        before = self._visible_lanes, self._agreement
        self._visible_lanes = tuple(lane.name for lane in lanes if lane.visible)
        self._agreement = agreement(lanes) if updates_readouts else self._agreement
        return before != (self._visible_lanes, self._agreement)

    def font(self, space: LegendSpace) -> TextMetrics:
        """Return the metrics of the font that the legend uses at present."""
        return space.small if self.uses_small_type else space.normal

    def line_height(self, space: LegendSpace) -> float:
        """Return the height of a line [pixels]."""
        between = 0 if self.uses_brief_names else GRID_UNIT // 2 if self.uses_small_type else GRID_UNIT
        return round(self.font(space).line_height) + between

    def sample_width(self, space: LegendSpace) -> float:
        """Return the width of a curve sample [pixels]."""
        return (
            round(_BRIEF_SAMPLE_FACTOR * space.sample_width) if self.uses_brief_names else space.sample_width
        )

    def entry_width(self, text: str, color: int | None, space: LegendSpace) -> float:
        """Return the width of an entry, including the gap after it [pixels]."""
        return self.font(space).advance(text) + self.sample_advance(color, space) + (self._gap if text else 0)

    @property
    def _gap(self) -> float:
        return _BRIEF_NAME_GAP if self.uses_brief_names else _NAME_GAP

    def sample_advance(self, color: int | None, space: LegendSpace) -> float:
        """Return the width of a curve sample, including the gap after it [pixels]; 0 without a sample."""
        return (
            self.sample_width(space) + (GRID_UNIT / 2 if self.uses_brief_names else GRID_UNIT)
            if color is not None
            else 0.0
        )

    def arrange(self, space: LegendSpace) -> None:
        """Choose the font and the form of names that fit, and distribute the entries over lines. Nothing is done if nothing has
        changed, because a legend of 200 lanes takes a tenth of a second."""
        lanes = (tuple(self._entries), self._visible_lanes, self._multipliers)
        content = (space, *lanes, self._agreement, self.choices.difference, self.choices.reference)
        if content == self._arranged:
            return
        self._arranged = content
        self._reset_style()
        self._fill_lines(space)
        self._shorten_agreement(space)
        has_agreement_line = len(self.lines) == _MAX_LARGE_LINES and len(self.lines[-1]) == 1
        if has_agreement_line and self._exceeds_share(_AGREEMENT_SHARE, space):
            self.hides_agreement = not self.choices.difference
            self._fill_lines(space)
        if len(self.lines) > _MAX_LARGE_LINES:
            self.uses_small_type = True
            is_cut = self._fill_lines(space)
            self.uses_short_names = is_cut or self._exceeds_share(_FULL_NAMES_SHARE, space)
            is_cut = self._fill_lines(space)
            self.uses_brief_names = is_cut or self._exceeds_share(_SHORT_NAMES_SHARE, space)
            self._fill_lines(space)
            self.hides_agreement = self.uses_brief_names and self._exceeds_share(_BRIEF_NAMES_SHARE, space)
            self._fill_lines(space)
            self.hides_names = self.hides_agreement and self._exceeds_share(_BRIEF_NAMES_SHARE, space)
            self.hides_agreement = self.hides_agreement and not self.hides_names
            self._fill_lines(space)
            self._shorten_agreement(space)
            self.truncated_names = [
                lane_title(name) for name, _ in self._entries if name in self._visible_lanes
            ]

    def _shorten_agreement(self, space: LegendSpace) -> None:
        """Use the short text about agreement if the long one is cut, since its number must be readable, or needs a line more."""
        if self.uses_short_agreement:
            return
        line_count = len(self.lines)
        is_cut = bool(self.lines) and self.lines[-1][-1] != self._make_entries()[-1]
        self.uses_short_agreement = True
        self._fill_lines(space)
        if not is_cut and len(self.lines) == line_count:
            self.uses_short_agreement = False
            self._fill_lines(space)

    def _exceeds_share(self, share: float, space: LegendSpace) -> bool:
        """Return True if the legend is higher than this fraction of the board."""
        return self.line_height(space) * len(self.lines) > share * space.board_height

    def _fill_lines(self, space: LegendSpace) -> bool:
        """Distribute the entries over lines; return True if a name had to be shortened."""
        entries, used = self._make_entries(), math.inf
        widths = [self.entry_width(*entry, space) for entry in entries]
        if entries and not self.hides_agreement:
            widths[-1] = max(widths[-1], self._reserved_width(space))
        widest = max(widths, default=0.0) - self._gap
        free_width = space.width - space.corner_width
        self.start_x = (
            float(GRID_UNIT)
            if self.uses_small_type
            else max(float(GRID_UNIT), min(space.gutter, free_width - widest))
        )
        self.lines, self.truncated_names = [], []
        for (name, color), width in zip(entries, widths, strict=True):
            if used + width - GRID_UNIT > free_width - self.start_x:
                is_below_corner = len(self.lines) * self.line_height(space) >= space.corner_size
                free_width = space.width - (GRID_UNIT if is_below_corner else space.corner_width)
                self.lines.append([])
                used = 0.0
            available = math.ceil(free_width - self.start_x - self.sample_advance(color, space))
            text = self._fold(name, available, space) if name else ""
            self.truncated_names += [name] if text != name else []
            self.lines[-1].append((text, color))
            used += self.entry_width(text, color, space)
        return any(name in self.truncated_names for name, color in entries if color is not None)

    def _reserved_width(self, space: LegendSpace) -> float:
        """Return the width reserved for the text about agreement, which is the width with the widest number. If the
        width followed the present number, the legend could gain or lose a line during playback, and all plots would be
        redrawn in another size."""
        lane_count = len(self._visible_lanes)
        if lane_count < 2 or self.choices.difference:
            return 0.0
        return max(
            self.entry_width(self._format_agreement(LaneAgreement(lane_count, *widest)), None, space)
            for widest in _WIDEST_ANGLES
        )

    def _fold(self, name: str, available: int, space: LegendSpace) -> str:
        """Return a name shortened to the width `available` [pixels]. Results are cached, since a layout tries
        many variants of the legend."""
        if self.font(space).advance(name) <= available:
            return name
        key = (self.font(space), name, available)
        if key not in self._folded_names:
            if len(self._folded_names) >= _MAX_FOLDED_NAMES:
                self._folded_names.clear()
            self._folded_names[key] = fold_to_lines(name, available, 1, self.font(space).advance)[0]
        return self._folded_names[key]

    def _make_entries(self) -> LegendEntries:
        lanes = {name: color for name, color in self._entries if name in self._visible_lanes}
        entries: LegendEntries = list(zip(self._titles(list(lanes)), lanes.values(), strict=True))
        if len(entries) == 1:
            return [(entries[0][0], None), (tr("colors: components"), None)]
        if self.hides_names:
            entries = [("", color) for _, color in entries]
            entries.append((tr("{count} lanes", count=len(lanes)), None))
        agreement_entry: LegendEntries = [] if self.hides_agreement else [(self._agreement_text(lanes), None)]
        return [*entries, *agreement_entry] if entries or self.choices.difference else []

    def _titles(self, lanes: Sequence[str]) -> list[str]:
        if self.uses_brief_names:
            return brief_titles(lanes)
        return short_titles(lanes) if self.uses_short_names else list(map(lane_title, lanes))

    def _agreement_text(self, lanes: dict[str, int]) -> str:
        """Return the text on how closely the lanes agree, which explains striped curves. If differences are
        shown, return instead a text that names the subtracted reference lane."""
        if self.choices.difference:
            reference = lane_title(self.choices.reference)
            if self._multipliers.intersection(lanes):  # Each lane has its own λ.
                return tr(
                    "each lane minus {reference}, λ minus theory; magnitudes on log axes", reference=reference
                )
            return tr("each lane minus {reference}; magnitudes on log axes", reference=reference)
        return (
            tr("striped: lanes agree") if self._agreement is None else self._format_agreement(self._agreement)
        )

    def _format_agreement(self, lane_agreement: LaneAgreement) -> str:
        count, angle, agrees = lane_agreement
        if not agrees and self.uses_short_agreement:
            return tr("{count} lanes up to {angle} rad apart", count=count, angle=angle)
        if not agrees:
            return tr("{count} lanes differ by up to {angle} rad at the cursor", count=count, angle=angle)
        if self.uses_short_agreement:
            return tr("{count} lanes agree to {angle} rad", count=count, angle=angle)
        return tr("striped: {count} lanes agree to {angle} rad at the cursor", count=count, angle=angle)
