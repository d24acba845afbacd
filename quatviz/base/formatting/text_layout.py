"""Words in the room that there is, by how wide they are: lines, ellipses, fair parts of a row, labels that stand off each other."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

TextWidth = Callable[[str], float]
"""How wide a text is."""

DIGITS_TO_ZERO = str.maketrans("123456789", "0" * 9)
"""Makes of numbers what they have in common that are equally wide in letters whose digits are."""


class TextMetrics(NamedTuple):
    """Letters of one size: how wide a text is in them, and how high a line."""

    advance: TextWidth
    line_height: float


_NUMBER = re.compile(r"[+−-]?\d(?:[\d.,]*\d)?(?:e[+−-]?\d+)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")


def elide(text: str, max_width: float, advance: TextWidth) -> str:
    """A text with its middle left out, as far as that is needed to be no wider than `max_width` by `advance`. A number is there
    with all its digits, or not at all.

    >>> elide("ended at t = 12.345 s", 16.0, len), elide("Lagrange in Euler angles", 11.0, len)
    ('ended at…s', 'Lagra…ngles')
    """
    if advance(text) <= max_width:
        return text
    numbers = [match.span() for match in _NUMBER.finditer(text)]

    def keep(count: int) -> str:
        first, last = (count + 1) // 2, len(text) - count // 2
        first = min([first, *(begin for begin, end in numbers if begin < first < end)])
        last = max([last, *(end for begin, end in numbers if begin < last < end)])
        return f"{text[:first].rstrip()}…{text[last:].lstrip()}"

    return keep(largest_fitting(len(text) - 1, lambda count: advance(keep(count)) <= max_width))


def largest_fitting(limit: int, fits: Callable[[int], bool]) -> int:
    """Return the largest count up to `limit` that fits, where all smaller ones fit too; 0 if none does.

    The counts that are tried are doubled and then bisected, so that their number, and the length of what is measured,
    depend on the room and not on the length of a text from a file.

    >>> tried = []
    >>> largest_fitting(30_000, lambda count: tried.append(count) or count <= 5), tried
    (5, [1, 2, 4, 8, 6, 5])
    """
    low, high = 0, 1
    while high <= limit and fits(high):
        low, high = high, 2 * high
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def shorten(text: str, max_width: float, advance: TextWidth) -> str:
    """A line in its room. One that says what is how large loses all words but the last between its symbol and the number, without
    which a scale would read as what is measured, then the gap before them, and is left out where that has no room: a number
    without its unit says nothing. Another loses its middle.

    >>> [shorten("h   body radius = 0.002862 kg m²/s", room, len) for room in (30.0, 28.0, 22.0)]
    ['h   radius = 0.002862 kg m²/s', 'h radius = 0.002862 kg m²/s', '']
    >>> shorten("gimbals 3-2-1: det S = 0.84", 15.0, len)
    'det S   0.84'
    """
    head, separator, value = text.rpartition(" = ")
    if advance(text) <= max_width or not separator:
        return elide(text, max_width, advance)
    symbol, last = _split_label(head)
    candidates = (f"{symbol}{gap}{last}{value}" for gap in ("   ", " "))
    return next((candidate for candidate in candidates if advance(candidate) <= max_width), "")


def _split_label(head: str) -> tuple[str, str]:
    """What stands before a number, its symbol and the last of its words with the sign behind it."""
    symbol, _, words = head.partition("   ")
    return symbol.rpartition(": ")[2], f"{words.split()[-1]} = " if words else ""


def wrap_measurement(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """The lines of a text that says what is how large: one as `shorten` has it, or its number with the unit below the rest; none
    where that has no room.

    >>> [wrap_measurement("h   body radius = 2.857 kg m²/s", room, len) for room in (24.0, 14.0, 12.0)]
    [['h radius = 2.857 kg m²/s'], ['h   radius =', '2.857 kg m²/s'], []]
    """
    line = shorten(text, max_width, advance)
    head, _, value = text.rpartition(" = ")
    parts = "   ".join(_split_label(head)).rstrip(), value
    return [line] if line else [*parts] if max(map(advance, parts)) <= max_width else []


def shorten_alike(texts: Sequence[str], max_width: float, advance: TextWidth) -> list[str]:
    """Texts that say by the same words what is how large: all of them with the last of these alone where one has no room for more,
    or the same scale would have two names.

    >>> shorten_alike(["ω   body radius = 1 rad/s", "h   body radius = 0.002862 kg m²/s", "seen from the body"], 30.0, len)
    ['ω   radius = 1 rad/s', 'h   radius = 0.002862 kg m²/s', 'seen from the body']
    """
    parts = [text.rpartition(" = ") for text in texts]
    labels = [head.partition("   ")[2] for head, _, _ in parts]
    long_labels = {
        label for label, text in zip(labels, texts, strict=True) if label and advance(text) > max_width
    }
    return [
        "   ".join(_split_label(head)) + value if label in long_labels else text
        for text, label, (head, _, value) in zip(texts, labels, parts, strict=True)
    ]


def unwrap(lines: list[str]) -> str:
    """The text of lines that `wrap` has made.

    >>> unwrap(wrap("Newton–Euler, rotation vector", 8.0, len))
    'Newton–Euler, rotation vector'
    """
    return _BROKEN_JOINT.sub("", " ".join(lines))


def truncate(text: str, max_width: float, advance: TextWidth) -> str:
    """A text without its end, as far as that is needed to be no wider than `max_width` by `advance`."""
    if advance(text) <= max_width:
        return text
    kept_count = largest_fitting(len(text), lambda count: advance(text[:count] + "…") <= max_width)
    return f"{text[:kept_count].rstrip(' ,:')}…"


def first_lines(text: str, max_width: float, count: int, advance: TextWidth) -> list[str]:
    """The first `count` lines of a text at `max_width` by `advance`, the last without words at its end where there is more.

    >>> first_lines("attitude twice: where the half-angle comes from", 16.0, 2, len)
    ['attitude twice:', 'where the…']
    """
    lines = list(islice(_wrap_lines(text, max_width, advance), count + 1))
    if len(lines) <= count:
        return [*lines[:-1], *(truncate(line, max_width, advance) for line in lines[-1:])]
    words = lines[count - 1].split()
    while len(words) > 1 and advance(" ".join(words).rstrip(",:;.") + "…") > max_width:
        words.pop()
    return [*lines[: count - 1], truncate(" ".join(words).rstrip(",:;.") + "…", max_width, advance)]


_DASH_JOINT = re.compile(r"(?<=[^\W\d]–)(?=[^\W\d])")
"""Behind a dash that joins two names."""
_BROKEN_JOINT = re.compile(r"(?<=[^\W\d]–) (?=[^\W\d])")
"""The same where two lines were joined."""


def wrap(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """The lines of a text that is no wider than `max_width` by `advance`; a word that is wider stands alone. Two names that a dash
    joins are two words.

    >>> wrap("Newton–Euler, rotation vector", 15.0, len), wrap("Newton–Euler", 8.0, len)
    (['Newton–Euler,', 'rotation vector'], ['Newton–', 'Euler'])
    """
    return list(_wrap_lines(text, max_width, advance))


def _wrap_lines(text: str, max_width: float, advance: TextWidth) -> Iterator[str]:
    """Yield the lines of `wrap`, each when it is complete."""
    line = ""
    for is_continued, word in (
        (n > 0, part) for chunk in text.split() for n, part in enumerate(_DASH_JOINT.split(chunk))
    ):
        longer = line + ("" if is_continued else " ") + word if line else word
        if not line or advance(longer) <= max_width:
            line = longer
        else:
            yield line
            line = word
    if line:
        yield line


def fold_to_lines(text: str, max_width: float, count: int, advance: TextWidth) -> list[str]:
    """A text in so many lines at most, no wider than `max_width` by `advance`, without words from its middle where these are
    too few: half a word says nothing. A word that is wider loses its own middle.

    >>> fold_to_lines("Euler: stands where it ended", 14.0, 2, len), fold_to_lines("Euler: stands where it ended", 14.0, 1, len)
    (['Euler: stands', 'where it ended'], ['Euler: … ended'])
    """
    words = text.split()

    def lines_of(kept_count: int) -> list[str]:
        ends = [*words[: (kept_count + 1) // 2], "…", *words[len(words) - kept_count // 2 :]]
        kept_text = " ".join(ends if kept_count < len(words) else words)
        return list(islice(_wrap_lines(kept_text, max_width, advance), count + 1))

    def fits(kept_count: int) -> bool:
        lines = lines_of(kept_count)
        return len(lines) <= count and max(map(advance, lines)) <= max_width

    # The whole text has no ellipsis, and so may fit where all words but one do not.
    kept_count = len(words) if words and fits(len(words)) else largest_fitting(len(words) - 1, fits)
    return lines_of(kept_count) if kept_count else [elide(text, max_width, advance)]


def wrap_evenly(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """The lines of a text no wider than `max_width` by `advance`, and as equally wide as so many can be.

    >>> wrap_evenly("RATTLE (index 3)", 15.0, len)
    ['RATTLE', '(index 3)']
    """
    layouts = [wrap(text, tenth / 10 * max_width, advance) for tenth in range(10, 4, -1)]
    return [layout for layout in layouts if len(layout) == len(layouts[0])][-1]


def drop_parts_to_fit(note: str, max_width: float, advance: TextWidth) -> str:
    """As many of a note's parts, which commas divide, as there is room for: half a unit says nothing."""
    while note and advance(note) > max_width:
        note = note.rpartition(",")[0]
    return note


def max_min_fair(requested: Sequence[float], room: float) -> list[float]:
    """As much of `room` for each as it wants, and where that is too much, equal parts of it for the widest.

    >>> max_min_fair([1.0, 9.0, 5.0], 7.0)
    [1.0, 3.0, 3.0]
    """
    remaining, granted = max(room, 0.0), [0.0] * len(requested)
    for count, index in enumerate(sorted(range(len(requested)), key=lambda index: requested[index])):
        granted[index] = min(requested[index], remaining / (len(requested) - count))
        remaining -= granted[index]
    return granted


def pack_rows(widths: Sequence[float], gap: float, row_width: float) -> list[list[int]]:
    """The numbers of things so wide in rows of as many as have `row_width` with that much `gap` them, one at least.

    >>> pack_rows([4.0, 4.0, 9.0, 30.0, 2.0], 1.0, 10.0)
    [[0, 1], [2], [3], [4]]
    """
    rows: list[list[int]] = []
    remaining = 0.0
    for index, width in enumerate(widths):
        if not rows or width > remaining:
            rows.append([])
            remaining = row_width
        rows[-1].append(index)
        remaining -= width + gap
    return rows


def spread_labels(
    positions: Sequence[float], heights: Sequence[float], top: float, bottom: float
) -> list[float]:
    """Middles of labels so high, in this order from the top down between `top` and `bottom`, none over another: those with the
    least sum of squares of their distances from their `positions`, so that they move no more than these do.

    >>> spread_labels([10.0, 12.0, 50.0], [10.0, 10.0, 10.0], 0.0, 60.0)
    [6.0, 16.0, 50.0]
    """
    blocks: list[tuple[float, int]] = []
    offsets = list(accumulate(heights, initial=0.0))
    for position, height, offset in zip(positions, heights, offsets, strict=False):
        # Where the first would begin, were all down to this one close together.
        mean, count = position - height / 2 - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        blocks.append((mean, count))
    last_start = max(bottom - offsets[-1], top)
    starts = [min(max(mean, top), last_start) for mean, count in blocks for _ in range(count)]
    return [
        start + offset + height / 2 for start, offset, height in zip(starts, offsets, heights, strict=False)
    ]
