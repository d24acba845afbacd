"""How lanes are told apart: by colour and by dashes, and where a theme has no more colours by shapes along the curve as well.

Colour alone does not do it: eight of them are hard to tell from the last row, on thin lines, and gone on grey paper. Where
curves agree, and take turns in stripes, each stripe is whole.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle

from quatviz.display.view_state.theme import DARK, Theme
from quatviz.physics.formulations import lane_title

COLOR_COUNT = len(DARK.lanes)
"""Colours of every theme. Lane k and lane k + COUNT have the same one."""

MARKER_NAMES = ("", "circles", "squares", "triangles")
"""What the first `COLOR_COUNT` lanes have on their curves, the next ones, and so on."""

MARKER_GLYPHS = dict(zip(MARKER_NAMES, ("", "○", "□", "△"), strict=True))
"""What stands for a shape where a lane's name is written."""

DASH_PATTERNS: tuple[tuple[float, ...], ...] = (
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

MAX_PATTERN_LENGTH = max(map(sum, DASH_PATTERNS))
"""Of their periods, by the width of the curve: what is so long shows any of them."""


def dash_pattern(number: int) -> tuple[float, ...]:
    """The pattern of a lane's number. Lanes of one colour have others."""
    return DASH_PATTERNS[(number + number // COLOR_COUNT) % len(DASH_PATTERNS)]


def dashes_between(number: int, start: float, stop: float) -> Iterator[tuple[float, float]]:
    """From where to where its dashes go in a piece of the curve of a lane's number, so much of it as shows any pattern.

    >>> list(dashes_between(0, 0.0, 16.0)), list(dashes_between(1, 0.0, 16.0))
    ([(0.0, 16.0)], [(0.0, 11.0), (14.0, 16.0)])
    """
    position, unit = start, (stop - start) / MAX_PATTERN_LENGTH
    for length, on in zip(
        cycle(dash_pattern(number) or (MAX_PATTERN_LENGTH,)), cycle((True, False)), strict=False
    ):
        if position >= stop:
            break
        end = min(position + length * unit, stop)
        if on:
            yield position, end
        position = end


def lane_colour(theme: Theme, number: int) -> str:
    """The colour `#rrggbb` of a lane's number."""
    return theme.lanes[number % COLOR_COUNT]


def marker_of(number: int) -> str:
    """What stands along the curves of a lane's number."""
    return MARKER_NAMES[number // COLOR_COUNT % len(MARKER_NAMES)]


def title_with_glyph(title: str, number: int) -> str:
    """A lane's title, behind the shape of its curves if it has one: colour alone would not tell it."""
    glyph = MARKER_GLYPHS[marker_of(number)]
    return f"{glyph} {title}" if glyph else title


def title_and_color(theme: Theme, name: str, number: int) -> tuple[str, str]:
    """A lane's title and its colour, for words in the 3D view."""
    return title_with_glyph(lane_title(name), number), lane_colour(theme, number)


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
    return list(_short_titles(tuple(map(lane_title, names))))


@lru_cache(maxsize=64)
def _short_titles(full_titles: tuple[str, ...]) -> tuple[str, ...]:
    """Compute `short_titles`: the time is quadratic in the number of lanes, and each plot asks for the same ones."""
    titles = list(map(_split_title, full_titles))
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
    common_cuts = [
        min(cut for cut, other in zip(cuts, titles, strict=True) if other[:-1] == words[:-1])
        for words in titles
    ]
    return tuple(" ".join(words[cut:]) for words, cut in zip(titles, common_cuts, strict=True))


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
    return list(_brief_titles(tuple(names), tuple(short_titles(names))))


@lru_cache(maxsize=64)
def _brief_titles(names: tuple[str, ...], titles: tuple[str, ...]) -> tuple[str, ...]:
    parts = [re.split("[,:] ", title.split(" in ")[-1]) for title in titles]
    part_counts = Counter(part for words in parts for part in words)

    def brief(name: str, title: str, words: list[str]) -> str:
        if lane_title(name) == name:
            return title
        if len(words) == 1 or (part_counts[words[0]] == 1 and not words[-1][0].isdigit()):
            return words[0]
        variants = [
            words_of_other
            for words_of_other in parts
            if len(words_of_other) > 1 and words_of_other[0] == words[0]
        ]
        return (
            words[-1] if all(part_counts[words_of_other[-1]] == 1 for words_of_other in variants) else title
        )

    return tuple(map(brief, names, titles, parts))


def _split_title(title: str) -> list[str]:
    """Each with the sign that ends it."""
    return re.split(r"(?<=[,:]) ", title)
