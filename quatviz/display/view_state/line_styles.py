"""How lanes are told apart: by colour and by dashes, and where a theme has no more colours by shapes along the curve as well.

Colour alone does not do it: eight of them are hard to tell from the last row, on thin lines, and gone on grey paper. Where
curves agree, and take turns in stripes, each stripe is whole.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle

from quatviz.display.view_state.theme import DARK, Theme
from quatviz.physics.formulations import lane_title

COUNT = len(DARK.lanes)
"""Colours of every theme. Lane k and lane k + COUNT have the same one."""

SHAPES = ("", "circles", "squares", "triangles")
"""What the first `COUNT` lanes have on their curves, the next ones, and so on."""

GLYPHS = dict(zip(SHAPES, ("", "○", "□", "△"), strict=True))
"""What stands for a shape where a lane's name is written."""

PATTERNS: tuple[tuple[float, ...], ...] = (
    (),
    (11.0, 3.0),
    (1.5, 2.5),
    (7.0, 2.5, 1.5, 2.5),
    (4.0, 3.0),
    (7.0, 2.0, 1.5, 2.0, 1.5, 2.0),
    (4.0, 2.0, 4.0, 4.0),
    (1.5, 2.0, 1.5, 4.0),
)
"""What a lane's curve is drawn in: lengths of dash and gap in turn, by the width of the curve; the first is whole."""

LONGEST = max(map(sum, PATTERNS))
"""Of their periods, by the width of the curve: what is so long shows any of them."""


def pattern_of(number: int) -> tuple[float, ...]:
    """The pattern of a lane's number. Lanes of one colour have others."""
    return PATTERNS[(number + number // COUNT) % len(PATTERNS)]


def sample_of(number: int, left: float, right: float) -> Iterator[tuple[float, float]]:
    """From where to where its dashes go in a piece of the curve of a lane's number, so much of it as shows any pattern.

    >>> list(sample_of(0, 0.0, 16.0)), list(sample_of(1, 0.0, 16.0))
    ([(0.0, 16.0)], [(0.0, 11.0), (14.0, 16.0)])
    """
    at, unit = left, (right - left) / LONGEST
    for length, on in zip(cycle(pattern_of(number) or (LONGEST,)), cycle((True, False)), strict=False):
        if at >= right:
            break
        end = min(at + length * unit, right)
        if on:
            yield at, end
        at = end


def lane_colour(theme: Theme, number: int) -> str:
    """The colour `#rrggbb` of a lane's number."""
    return theme.lanes[number % COUNT]


def shape_of(number: int) -> str:
    """What stands along the curves of a lane's number."""
    return SHAPES[number // COUNT % len(SHAPES)]


def lane_text(title: str, number: int) -> str:
    """A lane's title, behind the shape of its curves if it has one: colour alone would not tell it."""
    glyph = GLYPHS[shape_of(number)]
    return f"{glyph} {title}" if glyph else title


def lane_line(theme: Theme, name: str, number: int) -> tuple[str, str]:
    """A lane's title and its colour, for words in the 3D view."""
    return lane_text(lane_title(name), number), lane_colour(theme, number)


def short_titles(names: Sequence[str]) -> list[str]:
    """Titles of lanes without the words that they begin with as another does, as far as no two are then alike: for places beside
    a key that has them whole.

    >>> short_titles(["lagrange_full/torque", "lagrange_simplified/torque", "euler_angles/321", "euler_angles/313", "mine"])
    ['full: torque', 'simplified: torque', '3-2-1', '3-1-3', 'mine']

    A sequence of axes tells what it is, a word does not:

    >>> short_titles(["hamilton_canonical/direct", "hamilton_canonical/literal", "newton_euler"])
    ['canonical momenta: direct', 'canonical momenta: literal', 'Newton–Euler']

    Variants of one form are cut alike, so that none is called by less than the others:

    >>> short_titles(["lagrange_full/gradient", "lagrange_simplified/gradient", "lagrange_simplified/torque"])
    ['full: gradient', 'simplified: gradient', 'simplified: torque']
    """
    titles = [_parts(lane_title(name)) for name in names]
    cuts = []
    for number, words in enumerate(titles):
        others, cut = titles[:number] + titles[number + 1 :], 0
        while (
            cut + 1 < len(words)
            and not (words[cut].endswith(":") and words[cut + 1][0].isalpha())
            and any(other[: cut + 1] == words[: cut + 1] for other in others)
            and not any(other[cut + 1 - len(words) :] == words[cut + 1 :] for other in others)
        ):
            cut += 1
        cuts.append(cut)
    alike = [
        min(cut for cut, other in zip(cuts, titles, strict=True) if other[:-1] == words[:-1])
        for words in titles
    ]
    return [" ".join(words[cut:]) for words, cut in zip(titles, alike, strict=True)]


def brief_titles(names: Sequence[str]) -> list[str]:
    """As `short_titles`, each form by its coordinates if it is named by these, and by the one part that is no other's, if there is
    one: for a key that has no room for more. Variants of one form are again cut alike; names that a person gave are not.

    >>> brief_titles(["newton_euler", "hamilton", "lagrange_full/gradient", "euler_angles/313", "modified_rodrigues"])
    ['Newton–Euler', 'Hamilton', 'Lagrange', '3-1-3', 'modified Rodrigues']
    >>> brief_titles(["lagrange_full/torque", "lagrange_full/split", "lagrange_simplified/torque", "mine"])
    ['full: torque', 'full: split', 'simplified', 'mine']
    >>> brief_titles(["newton_euler", "reduced_euler_parameters", "Euler", "Euler, normalised"])
    ['Newton–Euler', 'reduced Euler parameters', 'Euler', 'Euler, normalised']
    """
    titles = short_titles(names)
    parts = [re.split("[,:] ", title.split(" in ")[-1]) for title in titles]
    count = Counter(part for words in parts for part in words)

    def brief(name: str, title: str, words: list[str]) -> str:
        if lane_title(name) == name:
            return title
        if len(words) == 1 or (count[words[0]] == 1 and not words[-1][0].isdigit()):
            return words[0]
        variants = [one for one in parts if len(one) > 1 and one[0] == words[0]]
        return words[-1] if all(count[one[-1]] == 1 for one in variants) else title

    return list(map(brief, names, titles, parts))


def _parts(title: str) -> list[str]:
    """Each with the sign that ends it."""
    return re.split(r"(?<=[,:]) ", title)
