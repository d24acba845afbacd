"""Line styles that distinguish lanes: colors, dash patterns, and markers for more lanes than colors.

Colors alone are not enough: eight colors are hard to distinguish from the last row of a lecture room, on thin
lines, and in gray prints. Where curves coincide, their colors alternate in stripes, and each stripe is drawn
solid.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle

from quatviz.display.view_state.theme import DARK, Theme
from quatviz.physics.formulations import lane_title

COLOR_COUNT = len(DARK.lanes)
"""Number of lane colors in every theme. Lanes k and k + COLOR_COUNT have the same color."""

MARKER_NAMES = ("", "circles", "squares", "triangles")
"""Names of the markers on curves. The first `COLOR_COUNT` lanes have no marker, the next `COLOR_COUNT` lanes
have circles, and so on."""

MARKER_GLYPHS = dict(zip(MARKER_NAMES, ("", "○", "□", "△"), strict=True))
"""Symbol of each marker that precedes the lane's name in text."""

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
"""Dash patterns of curves: lengths of dashes and gaps in units of the curve width. The first pattern is solid."""

MAX_PATTERN_LENGTH = max(map(sum, DASH_PATTERNS))
"""Longest period of a dash pattern, in units of the curve width. A sample line needs this length to show any pattern."""


def dash_pattern(number: int) -> tuple[float, ...]:
    """Return the dash pattern of a lane number. Lanes of the same color have different patterns."""
    return DASH_PATTERNS[(number + number // COLOR_COUNT) % len(DASH_PATTERNS)]


def dashes_between(number: int, start: float, stop: float) -> Iterator[tuple[float, float]]:
    """Yield the start and end of each dash on a sample line from `start` to `stop`, which is scaled to show any
    pattern.

    Examples
    --------
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


def lane_color(theme: Theme, number: int) -> str:
    """Return the color `#rrggbb` of the lane with this color number."""
    return theme.lanes[number % COLOR_COUNT]


def marker_of(number: int) -> str:
    """Return the name of the marker on the curves of the lane with this color number, one of `MARKER_NAMES`; "" for none."""
    return MARKER_NAMES[number // COLOR_COUNT % len(MARKER_NAMES)]


def title_with_glyph(title: str, number: int) -> str:
    """Return a lane's title, with the symbol of its marker in front if it has one."""
    glyph = MARKER_GLYPHS[marker_of(number)]
    return f"{glyph} {title}" if glyph else title


def title_and_color(theme: Theme, name: str, number: int) -> tuple[str, str]:
    """Return a lane's title with its marker symbol, and its color, for text in a 3D view."""
    return title_with_glyph(lane_title(name), number), lane_color(theme, number)


def short_titles(names: Sequence[str]) -> list[str]:
    """Return lane titles without leading words that other titles share, as far as they stay distinct.

    They are for labels beside a legend that shows the full titles.

    Examples
    --------
    >>> short_titles(["lagrange_full/torque", "lagrange_simplified/torque", "euler_angles/321", "euler_angles/313", "mine"])
    ['full: torque', 'simplified: torque', '3-2-1', '3-1-3', 'mine']

    An axis sequence can stand alone; a variant name cannot:

    >>> short_titles(["hamilton_canonical/direct", "hamilton_canonical/literal", "newton_euler"])
    ['canonical momenta: direct', 'canonical momenta: literal', 'Newton–Euler']

    Variants of one formulation are shortened alike:

    >>> short_titles(["lagrange_full/gradient", "lagrange_simplified/gradient", "lagrange_simplified/torque"])
    ['full: gradient', 'simplified: gradient', 'simplified: torque']
    """
    return list(_short_titles(tuple(map(lane_title, names))))


@lru_cache(maxsize=64)
def _short_titles(full_titles: tuple[str, ...]) -> tuple[str, ...]:
    """Cached computation of `short_titles`. Its time grows with the square of the number of lanes, and every plot needs
    it."""
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
    """Return titles for a legend with little room: shorter than those of `short_titles`, as far as they stay
    distinct.

    The title of a formulation that is named by its coordinates is reduced to the coordinates, and a title with
    one unique part is reduced to that part. Variants of one formulation are shortened alike. Names given by the
    user stay.

    Examples
    --------
    >>> brief_titles(["newton_euler", "hamilton", "lagrange_full/gradient", "euler_angles/313", "modified_rodrigues"])
    ['Newton–Euler', 'Hamilton', 'Lagrange', '3-1-3', 'modified Rodrigues']
    >>> brief_titles(["lagrange_full/torque", "lagrange_full/split", "lagrange_simplified/torque", "mine"])
    ['full: torque', 'full: split', 'simplified', 'mine']
    >>> brief_titles(["newton_euler", "reduced_euler_parameters", "Euler", "Euler, normalized"])
    ['Newton–Euler', 'reduced Euler parameters', 'Euler', 'Euler, normalized']
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
    """Split a title at spaces after a comma or colon, which stays with the word before."""
    return re.split(r"(?<=[,:]) ", title)
