"""How lanes are told apart: by colour, and where a theme has no more colours by shapes along the curve as well.

Dashes would do it too, but they leave gaps where curves part, and Qt draws them slowly.
"""

from quatviz.formulations import lane_title
from quatviz.look.theme import DARK, Theme

COUNT = len(DARK.lanes)
"""Colours of every theme. Lane k and lane k + COUNT have the same one."""

SHAPES = ("", "circles", "squares", "triangles")
"""What the first `COUNT` lanes have on their curves, the next ones, and so on."""

GLYPHS = dict(zip(SHAPES, ("", "○", "□", "△"), strict=True))
"""What stands for a shape where a lane's name is written."""


def lane_colour(theme: Theme, number: int) -> str:
    """The colour `#rrggbb` of a lane's number."""
    return theme.lanes[number % COUNT]


def shape_of(number: int) -> str:
    """What stands along the curves of a lane's number."""
    return SHAPES[number // COUNT % len(SHAPES)]


def lane_text(name: str, number: int) -> str:
    """A lane's title, behind the shape of its curves if it has one: colour alone would not tell it."""
    glyph, title = GLYPHS[shape_of(number)], lane_title(name)
    return f"{glyph} {title}" if glyph else title


def lane_line(theme: Theme, name: str, number: int) -> tuple[str, str]:
    """A lane's title and its colour, for words in the 3D view."""
    return lane_text(name, number), lane_colour(theme, number)
