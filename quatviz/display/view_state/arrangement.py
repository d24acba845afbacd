"""Positions of panels, and widths of the parts of the window during a lesson."""

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
"""Fractions of the window width for the text of a lesson, the 3D view and the plots in a wide window. With them, two
plots side by side have room for their titles."""
_NARROW_WIDTH, _NARROW_SHARES = 1500, ((0.34, 0.36, 0.30), (0.43, 0.26, 0.31))
"""Window width [pixels] below which a window is narrow, and fractions for narrow windows (text of a lesson, 3D view,
plots). The first choice gives more width to the 3D view, the second to the text, for pages with much text."""


_read_box = fixed_list_reader(read_pixels, (0, 4), "left, top, width and height of a window, or nothing")


@dataclass(frozen=True)
class PanelLayout(Record):
    """Positions of panels by name. Panels that are not named have their default positions."""

    blocks: tuple[tuple[str, ...], ...] = schema_field(list_reader(list_reader(read_string)), ())
    """Groups of panels in the order of their positions. The panels of a group share a position. Panels are listed even if
    this run does not show them. An unknown panel is placed after the panels that precede it in the default order."""
    fronts: tuple[str, ...] = schema_field(list_reader(read_string), ())
    """Names of the panels that are in front of the panels with which they share a position."""
    floating: Mapping[str, WindowBox | tuple[()]] = schema_field(mapping_reader(_read_box), {})
    """Geometry of each panel that has a window of its own, by panel name; () if the window has no geometry
    yet."""

    def without_boxes(self) -> "PanelLayout":
        """Return the layout without the geometry of windows."""
        return replace(self, floating=dict.fromkeys(self.floating, ()))


def lesson_width_shares(width: int, min_text_share: float, fits: Callable[[int], bool]) -> WidthShares:
    """Return the fractions of the window width for a lesson.

    Parameters
    ----------
    width
        Width of the window [pixels].
    min_text_share
        Smallest fraction for the text.
    fits
        Returns True if the text fits into a column of this width [pixels].

    Returns
    -------
    WidthShares
        The first fractions whose text column fits, otherwise the last ones.

    Examples
    --------
    >>> lesson_width_shares(1920, 0.0, lambda width: False), lesson_width_shares(1366, 0.4, lambda width: True)
    ((0.34, 0.28, 0.38), (0.43, 0.26, 0.31))
    """
    candidates = _NARROW_SHARES if width < _NARROW_WIDTH else _WIDE_SHARES
    allowed = tuple(share for share in candidates if share[0] >= min_text_share) or candidates
    return next((share for share in allowed if fits(round(share[0] * width))), allowed[-1])
