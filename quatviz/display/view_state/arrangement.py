"""Positions of panels as plain values: their order, which share a position, which have a window of their own; and the widths of
the parts of the window while a lesson is presented."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from quatviz.files.schema import (
    Record,
    fixed_list_reader,
    list_reader,
    mapping_reader,
    read_pixels,
    read_string,
    schema_field,
)

WindowBox = tuple[int, int, int, int]
"""Left, top, width and height of a window [pixels]."""
WidthShares = tuple[float, float, float]
_WIDE_SHARES: tuple[WidthShares, ...] = ((0.34, 0.28, 0.38),)
"""Of the window's width that a lesson's words, the 3D view and the plots have: two plots beside each other keep their titles."""
_NARROW_WIDTH, _NARROW_SHARES = 1500, ((0.34, 0.36, 0.30), (0.43, 0.26, 0.31))
"""Width of a window [pixels] in which words, whose type is not written smaller than that of the plots, need a larger share where
there are many; of a page of few the view has as much."""


_read_box = fixed_list_reader(read_pixels, (0, 4), "left, top, width and height of a window, or nothing")


@dataclass(frozen=True)
class PanelLayout(Record):
    """Where panels stand, by name; as at a first start where it says nothing."""

    blocks: tuple[tuple[str, ...], ...] = schema_field(list_reader(list_reader(read_string)), ())
    """The places in their order, each with the panels that share it, whether they are seen in this run or not. Panels of
    which it does not know stand behind those that are before them at a first start."""
    fronts: tuple[str, ...] = schema_field(list_reader(read_string), ())
    """Those that are shown of the panels that share a place."""
    floating: Mapping[str, WindowBox | tuple[()]] = schema_field(mapping_reader(_read_box), {})
    """Panels with a window of their own, and where that was last."""

    def without_boxes(self) -> "PanelLayout":
        """Return the layout without the positions of windows."""
        return replace(self, floating=dict.fromkeys(self.floating, ()))


def lesson_width_shares(width: int, min_text_share: float, fits: Callable[[int], bool]) -> WidthShares:
    """Those of a lesson in a window so wide [pixels], where words have at least that share: the first whose column of words, so
    many pixels wide, `fits` them, or the last.

    >>> lesson_width_shares(1920, 0.0, lambda width: False), lesson_width_shares(1366, 0.4, lambda width: True)
    ((0.34, 0.28, 0.38), (0.43, 0.26, 0.31))
    """
    candidates = _NARROW_SHARES if width < _NARROW_WIDTH else _WIDE_SHARES
    allowed = tuple(share for share in candidates if share[0] >= min_text_share) or candidates
    return next((share for share in allowed if fits(round(share[0] * width))), allowed[-1])
