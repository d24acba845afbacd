"""Words in the room that there is, by how wide they are: lines, ellipses, fair parts of a row, labels that stand off each other."""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

Advance = Callable[[str], float]
"""How wide a text is."""

ANY_DIGIT = str.maketrans("123456789", "0" * 9)
"""Makes of numbers what they have in common that are equally wide in letters whose digits are."""


class Type(NamedTuple):
    """Letters of one size: how wide a text is in them, and how high a line."""

    advance: Advance
    line: float


_NUMBER = re.compile(r"[+−-]?\d(?:[\d.,]*\d)?(?:e[+−-]?\d+)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")


def elide(text: str, room: float, advance: Advance) -> str:
    """A text with its middle left out, as far as that is needed to be no wider than `room` by `advance`. A number is there with
    all its digits, or not at all.

    >>> elide("ended at t = 12.345 s", 16.0, len), elide("Lagrange in Euler angles", 11.0, len)
    ('ended at…s', 'Lagra…ngles')
    """
    if advance(text) <= room:
        return text
    numbers = [one.span() for one in _NUMBER.finditer(text)]
    for kept in range(len(text) - 1, 0, -1):
        first, last = (kept + 1) // 2, len(text) - kept // 2
        first = min([first, *(begin for begin, end in numbers if begin < first < end)])
        last = max([last, *(end for begin, end in numbers if begin < last < end)])
        short = f"{text[:first].rstrip()}…{text[last:].lstrip()}"
        if advance(short) <= room:
            return short
    return "…"


def shorten(text: str, room: float, advance: Advance) -> str:
    """A line in its room. One that says what is how large loses all words but the last between its symbol and the number, without
    which a scale would read as what is measured, then the gap before them, and is left out where that has no room: a number
    without its unit says nothing. Another loses its middle.

    >>> [shorten("h   body radius = 0.002862 kg m²/s", room, len) for room in (30.0, 28.0, 22.0)]
    ['h   radius = 0.002862 kg m²/s', 'h radius = 0.002862 kg m²/s', '']
    >>> shorten("gimbals 3-2-1: det S = 0.84", 15.0, len)
    'det S   0.84'
    """
    head, measured, value = text.rpartition(" = ")
    if advance(text) <= room or not measured:
        return elide(text, room, advance)
    symbol, last = _measured(head)
    ways = (f"{symbol}{gap}{last}{value}" for gap in ("   ", " "))
    return next((way for way in ways if advance(way) <= room), "")


def _measured(head: str) -> tuple[str, str]:
    """What stands before a number, its symbol and the last of its words with the sign behind it."""
    symbol, _, words = head.partition("   ")
    return symbol.rpartition(": ")[2], f"{words.split()[-1]} = " if words else ""


def measured(text: str, room: float, advance: Advance) -> list[str]:
    """The lines of a text that says what is how large: one as `shorten` has it, or its number with the unit below the rest; none
    where that has no room.

    >>> [measured("h   body radius = 2.857 kg m²/s", room, len) for room in (24.0, 14.0, 12.0)]
    [['h radius = 2.857 kg m²/s'], ['h   radius =', '2.857 kg m²/s'], []]
    """
    line = shorten(text, room, advance)
    head, _, value = text.rpartition(" = ")
    parts = "   ".join(_measured(head)).rstrip(), value
    return [line] if line else [*parts] if max(map(advance, parts)) <= room else []


def alike(texts: Sequence[str], room: float, advance: Advance) -> list[str]:
    """Texts that say by the same words what is how large: all of them with the last of these alone where one has no room for more,
    or the same scale would have two names.

    >>> alike(["ω   body radius = 1 rad/s", "h   body radius = 0.002862 kg m²/s", "seen from the body"], 30.0, len)
    ['ω   radius = 1 rad/s', 'h   radius = 0.002862 kg m²/s', 'seen from the body']
    """
    parts = [text.rpartition(" = ") for text in texts]
    words = [head.partition("   ")[2] for head, _, _ in parts]
    long = {said for said, text in zip(words, texts, strict=True) if said and advance(text) > room}
    return [
        "   ".join(_measured(head)) + value if said in long else text
        for text, said, (head, _, value) in zip(texts, words, parts, strict=True)
    ]


def unwrapped(lines: list[str]) -> str:
    """The text of lines that `wrap` has made.

    >>> unwrapped(wrap("Newton–Euler, rotation vector", 8.0, len))
    'Newton–Euler, rotation vector'
    """
    return _OPENED.sub("", " ".join(lines))


def cut(text: str, room: float, advance: Advance) -> str:
    """A text without its end, as far as that is needed to be no wider than `room` by `advance`."""
    kept = next((kept for kept in range(len(text), 0, -1) if advance(text[:kept] + "…") <= room), 0)
    return text if advance(text) <= room else f"{text[:kept].rstrip(' ,:')}…"


def begun(text: str, room: float, count: int, advance: Advance) -> list[str]:
    """The first `count` lines of a text at `room` by `advance`, the last without words at its end where there is more.

    >>> begun("attitude twice: where the half-angle comes from", 16.0, 2, len)
    ['attitude twice:', 'where the…']
    """
    lines = wrap(text, room, advance)
    if len(lines) <= count:
        return [*lines[:-1], *(cut(line, room, advance) for line in lines[-1:])]
    words = lines[count - 1].split()
    while len(words) > 1 and advance(" ".join(words).rstrip(",:;.") + "…") > room:
        words.pop()
    return [*lines[: count - 1], cut(" ".join(words).rstrip(",:;.") + "…", room, advance)]


_JOINT = re.compile(r"(?<=[^\W\d]–)(?=[^\W\d])")
"""Behind a dash that joins two names."""
_OPENED = re.compile(r"(?<=[^\W\d]–) (?=[^\W\d])")
"""The same where two lines were joined."""


def wrap(text: str, room: float, advance: Advance) -> list[str]:
    """The lines of a text that is no wider than `room` by `advance`; a word that is wider stands alone. Two names that a dash
    joins are two words.

    >>> wrap("Newton–Euler, rotation vector", 15.0, len), wrap("Newton–Euler", 8.0, len)
    (['Newton–Euler,', 'rotation vector'], ['Newton–', 'Euler'])
    """
    lines: list[str] = []
    for joined, word in ((n > 0, part) for one in text.split() for n, part in enumerate(_JOINT.split(one))):
        longer = lines[-1] + ("" if joined else " ") + word if lines else word
        if lines and advance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fold(text: str, room: float, count: int, advance: Advance) -> list[str]:
    """A text in so many lines at most, no wider than `room` by `advance`, without words from its middle where these are too few:
    half a word says nothing. A word that is wider loses its own middle.

    >>> fold("Euler: stands where it ended", 14.0, 2, len), fold("Euler: stands where it ended", 14.0, 1, len)
    (['Euler: stands', 'where it ended'], ['Euler: … ended'])
    """
    words = text.split()
    for kept in range(len(words), 0, -1):
        ends = [*words[: (kept + 1) // 2], "…", *words[len(words) - kept // 2 :]]
        lines = wrap(" ".join(ends if kept < len(words) else words), room, advance)
        if len(lines) <= count and max(map(advance, lines)) <= room:
            return lines
    return [elide(text, room, advance)]


def even(text: str, room: float, advance: Advance) -> list[str]:
    """The lines of a text no wider than `room` by `advance`, and as equally wide as so many can be.

    >>> even("RATTLE (index 3)", 15.0, len)
    ['RATTLE', '(index 3)']
    """
    ways = [wrap(text, part / 10 * room, advance) for part in range(10, 4, -1)]
    return [way for way in ways if len(way) == len(ways[0])][-1]


def fitted(note: str, room: float, advance: Advance) -> str:
    """As many of a note's parts, which commas divide, as there is room for: half a unit says nothing."""
    while note and advance(note) > room:
        note = note.rpartition(",")[0]
    return note


def max_min_fair(wanted: Sequence[float], room: float) -> list[float]:
    """As much of `room` for each as it wants, and where that is too much, equal parts of it for the widest.

    >>> max_min_fair([1.0, 9.0, 5.0], 7.0)
    [1.0, 3.0, 3.0]
    """
    left, given = max(room, 0.0), [0.0] * len(wanted)
    for count, number in enumerate(sorted(range(len(wanted)), key=lambda number: wanted[number])):
        given[number] = min(wanted[number], left / (len(wanted) - count))
        left -= given[number]
    return given


def in_rows(wides: Sequence[float], between: float, room: float) -> list[list[int]]:
    """The numbers of things so wide in rows of as many as have `room` with that much `between` them, one at least.

    >>> in_rows([4.0, 4.0, 9.0, 30.0, 2.0], 1.0, 10.0)
    [[0, 1], [2], [3], [4]]
    """
    rows: list[list[int]] = []
    left = 0.0
    for number, wide in enumerate(wides):
        if not rows or wide > left:
            rows.append([])
            left = room
        rows[-1].append(number)
        left -= wide + between
    return rows


def spread(places: Sequence[float], highs: Sequence[float], top: float, bottom: float) -> list[float]:
    """Middles of labels so high, in this order from the top down between `top` and `bottom`, none over another: those with the
    least sum of squares of their distances from their `places`, so that they move no more than these do.

    >>> spread([10.0, 12.0, 50.0], [10.0, 10.0, 10.0], 0.0, 60.0)
    [6.0, 16.0, 50.0]
    """
    blocks: list[tuple[float, int]] = []
    before = list(accumulate(highs, initial=0.0))
    for place, high, above in zip(places, highs, before, strict=False):
        # Where the first would begin, were all down to this one close together.
        mean, count = place - high / 2 - above, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        blocks.append((mean, count))
    free = max(bottom - before[-1], top)
    begins = [min(max(mean, top), free) for mean, count in blocks for _ in range(count)]
    return [begin + above + high / 2 for begin, above, high in zip(begins, before, highs, strict=False)]
