"""Layout of text by its measured width: line breaks, ellipses, fair shares of a row, and labels that do not overlap."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

TextWidth = Callable[[str], float]
"""Function that returns the width of a text in a given font, in the unit of the other lengths."""

DIGITS_TO_ZERO = str.maketrans("123456789", "0" * 9)
"""Translation table that replaces every digit by 0.

Texts that differ only in their digits become equal. In a font with digits of equal width, they have the same width.
"""


class TextMetrics(NamedTuple):
    """Measurements of one font: `advance` returns the width of a text, `line_height` is the height of a line."""

    advance: TextWidth
    line_height: float


_NUMBER = re.compile(r"[+−-]?\d(?:[\d.,]*\d)?(?:e[+−-]?\d+)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*")


def elide(text: str, max_width: float, advance: TextWidth) -> str:
    """Return a text shortened to `max_width` by replacing its middle by an ellipsis. A number is kept whole or removed.

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
    """Return the largest count up to `limit` that fits, or 0. All smaller counts must fit too.

    The count is doubled and then bisected. The number of trials and the lengths that are measured thus depend on the
    available width, not on the length of a text from a file.

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
    """Return a text shortened to one line of `max_width`, or "" if no meaningful text fits.

    A text "symbol   words = value" keeps its symbol, the last of the words and the value with its unit. The last word
    is kept because the value of a scale, such as "h radius = ...", would otherwise look like a measured value. Any
    other text is shortened in its middle: see `elide`.

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
    """Split `head`, the text "symbol words" before the equals sign of a label, into its symbol and the last
    of its words.
    """
    symbol, _, words = head.partition("   ")
    return symbol.rpartition(": ")[2], f"{words.split()[-1]} = " if words else ""


def wrap_measurement(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """Return a text "symbol   words = value" as lines no wider than `max_width`.

    If one shortened line does not fit, there are two lines, the second with the value. If two lines do not fit
    either, the result is [].

    >>> [wrap_measurement("h   body radius = 2.857 kg m²/s", room, len) for room in (24.0, 14.0, 12.0)]
    [['h radius = 2.857 kg m²/s'], ['h   radius =', '2.857 kg m²/s'], []]
    """
    line = shorten(text, max_width, advance)
    head, _, value = text.rpartition(" = ")
    parts = "   ".join(_split_label(head)).rstrip(), value
    return [line] if line else [*parts] if max(map(advance, parts)) <= max_width else []


def shorten_alike(texts: Sequence[str], max_width: float, advance: TextWidth) -> list[str]:
    """Return texts "symbol   words = value" in which equal words are shortened equally, so that one scale does not
    get two names.

    Words are reduced to the last one wherever at least one text with the same words is wider than `max_width`.

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
    """Return the text of lines made by `wrap`.

    >>> unwrap(wrap("Newton–Euler, rotation vector", 8.0, len))
    'Newton–Euler, rotation vector'
    """
    return _BROKEN_JOINT.sub("", " ".join(lines))


def truncate(text: str, max_width: float, advance: TextWidth) -> str:
    """Return a text shortened to `max_width` by replacing its end by an ellipsis."""
    if advance(text) <= max_width:
        return text
    kept_count = largest_fitting(len(text), lambda count: advance(text[:count] + "…") <= max_width)
    return f"{text[:kept_count].rstrip(' ,:')}…"


def first_lines(text: str, max_width: float, count: int, advance: TextWidth) -> list[str]:
    """Return the first `count` lines of a text wrapped at `max_width`. The last line ends with an ellipsis
    if text follows.

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
"""Pattern of the position after an en dash between two names. A line may break there."""
_BROKEN_JOINT = re.compile(r"(?<=[^\W\d]–) (?=[^\W\d])")
"""Pattern of the space that follows an en dash if lines broken at the dash were joined. `unwrap` removes this space."""


def wrap(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """Return the lines of a text wrapped at `max_width`. A word wider than `max_width` gets a line of its own, and a
    line may break after an en dash that joins two names.

    >>> wrap("Newton–Euler, rotation vector", 15.0, len), wrap("Newton–Euler", 8.0, len)
    (['Newton–Euler,', 'rotation vector'], ['Newton–', 'Euler'])
    """
    return list(_wrap_lines(text, max_width, advance))


def _wrap_lines(text: str, max_width: float, advance: TextWidth) -> Iterator[str]:
    """Yield the lines of `wrap` one at a time. Each word is measured alone, since the time to measure a text is proportional to
    its length."""
    line, width = "", 0.0
    for chunk in text.split():
        for n, part in enumerate(_DASH_JOINT.split(chunk) if "–" in chunk else (chunk,)):
            longer = line + ("" if n else " ") + part
            if line:
                longer_width = (
                    advance(longer) if n else (width or advance(line)) + advance(" ") + advance(part)
                )
                if longer_width <= max_width:
                    line, width = longer, longer_width
                    continue
                yield line
            line, width = part, 0.0  # measured if another word follows
    if line:
        yield line


def fold_to_lines(text: str, max_width: float, count: int, advance: TextWidth) -> list[str]:
    """Return a text in at most `count` lines, with whole words in its middle replaced by an ellipsis if needed. A
    word wider than `max_width` loses its own middle.

    >>> fold_to_lines("Euler: stands where it ended", 14.0, 2, len), fold_to_lines("Euler: stands where it ended", 14.0, 1, len)
    (['Euler: stands', 'where it ended'], ['Euler: … ended'])
    """
    words = text.split()

    def kept_text(kept_count: int) -> str:
        ends = [*words[: (kept_count + 1) // 2], "…", *words[len(words) - kept_count // 2 :]]
        return " ".join(ends if kept_count < len(words) else words)

    def lines_of(kept_count: int) -> list[str]:
        return list(islice(_wrap_lines(kept_text(kept_count), max_width, advance), count + 1))

    def fits(kept_count: int) -> bool:
        if count == 1:  # measured at once, because wrapping measures every word
            return advance(kept_text(kept_count)) <= max_width
        lines = lines_of(kept_count)
        return len(lines) <= count and max(map(advance, lines)) <= max_width

    # The whole text needs no ellipsis and may therefore fit even if all words but one do not.
    kept_count = len(words) if words and fits(len(words)) else largest_fitting(len(words) - 1, fits)
    if not kept_count:
        return [elide(text, max_width, advance)]
    return [kept_text(kept_count)] if count == 1 else lines_of(kept_count)


def wrap_evenly(text: str, max_width: float, advance: TextWidth) -> list[str]:
    """Return a text wrapped at `max_width` into as few lines as possible, with lines of similar width.

    >>> wrap_evenly("RATTLE (index 3)", 15.0, len)
    ['RATTLE', '(index 3)']
    """
    layouts = [wrap(text, tenth / 10 * max_width, advance) for tenth in range(10, 4, -1)]
    return [layout for layout in layouts if len(layout) == len(layouts[0])][-1]


def drop_parts_to_fit(note: str, max_width: float, advance: TextWidth) -> str:
    """Return a note shortened to `max_width` by removing whole comma-separated parts from its end, so that no unit is
    cut in half."""
    while note and advance(note) > max_width:
        note = note.rpartition(",")[0]
    return note


def max_min_fair(requested: Sequence[float], room: float) -> list[float]:
    """Return the sizes of entries in a row of total size `room` by max-min fairness. An entry gets the
    requested size, or an equal share of the room that smaller requests leave.

    >>> max_min_fair([1.0, 9.0, 5.0], 7.0)
    [1.0, 3.0, 3.0]
    """
    remaining, granted = max(room, 0.0), [0.0] * len(requested)
    for count, index in enumerate(sorted(range(len(requested)), key=lambda index: requested[index])):
        granted[index] = min(requested[index], remaining / (len(requested) - count))
        remaining -= granted[index]
    return granted


def pack_rows(widths: Sequence[float], gap: float, row_width: float) -> list[list[int]]:
    """Return the indices of items in rows of at most `row_width`, with `gap` between items and at least one item per row.

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
    """Return the centers of labels so that none overlap, in the given order from `top` to `bottom`.

    The sum of squared distances from the requested `positions` is minimal (isotonic regression by pooling adjacent
    violators). If the positions change, no label moves further than the largest change of a position.

    >>> spread_labels([10.0, 12.0, 50.0], [10.0, 10.0, 10.0], 0.0, 60.0)
    [6.0, 16.0, 50.0]
    """
    blocks: list[tuple[float, int]] = []
    offsets = list(accumulate(heights, initial=0.0))
    for position, height, offset in zip(positions, heights, offsets, strict=False):
        # Top of the first label if all labels down to this one touched each other.
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
