"""Wrong inputs made of right ones: texts changed by tokens and lines, files by bytes and the numbers in them."""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from random import Random

MOST = 300_000
"""Bytes of an input; texts are refused from 200,000 on."""

NUMBERS = (
    *("0", "-0.0", "1", "-1", "2", "7", "1e-3", "1e-12", "1e-300", "5e-324", "1e154", "1e160", "1e300", "1.7e308", "1e999"),
    *("inf", "-inf", "nan", "2147483648", "-9223372036854775808", "18446744073709551616", "9" * 400, "0x10", "1_0", "1,5"),
)  # fmt: skip
TEXTS = (
    *('""', '"../../etc/passwd"', '"/dev/zero"', '"x.stl"', '"<img src=/dev/zero>"', '"\\u0000"', '"\\u001b[31m"', '"\\U0010ffff"'),
    *('"=HYPERLINK(1)"', "'$x^$'", '"2*sin(3*t)"', '"((((((((((((1))))))))))))"', '"t**t**t**t"', '"313"'),
    *('"hamilton"', '"📐"', "true"),
)  # fmt: skip
VALUES = (
    *("[]", "{}", "[[]]", "[[[], []]]", "[1, 2, 3]", "[1, 2]", "[1e300, 0, 0]", "[nan, 0, 0]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
    *("1979-05-27", "07:32:00", "{ a = 1 }", '["a", 1]', "false"),
)  # fmt: skip
MARKS = (
    *("$", "$$", "`", "```", "**", "#", "## ", "|", "\\", "{", "}", "[", "]", "(", ")", "^", "_", "<", ">", "&", "=", ".", "\t"),
    *("\r", "\x00", "\x1b", "\x85", "\u2028", "\ufeff", "\ufdd0", "é", "ω", "\\frac", "\\left(", "\\sqrt", "\\tfrac12", "\\"),
    *("\\begin{pmatrix}", "\\end{pmatrix}", "\\raise9999em", "\\right)", "![x](x.svg)"),
    *("![x](/dev/zero)", "![x](formula:abc)", "<script>", "```scene\n", "```check\n", "[[lanes]]\n", "- " * 40, "> " * 40),
)  # fmt: skip
WORDS = (0, 1, 2, 3, 12, 255, 65_535, 100_000_000, 2**31 - 1, 2**31, 2**32 - 1)

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_QUOTED = re.compile(r'"[^"\n]*"')
_VALUE = re.compile(r"(?<== )[^\n]+")
_WORD = re.compile(r"[A-Za-z_]\w+")


def text_from(random: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the `seeds`, all of which are UTF-8, changed in a few places; now and then it is no UTF-8 any more."""
    text = random.choice(seeds).decode()
    for _ in range(random.choice((1, 1, 1, 2, 3, 5, 9))):
        text = random.choice(_CHANGES)(random, text, random.choice(seeds).decode())[:MOST]
    data = text.encode("utf-8", "replace")
    return _bytes_changed(random, data) if random.random() < 0.03 else data[:MOST]


def binary_from(random: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the `seeds` with some of its bytes changed; what is packed in it is changed before it is packed."""
    data = random.choice(seeds)
    if data[:4] == b"glTF" and random.random() < 0.7:
        return _glb_changed(random, data)
    if data[:4] == b"PK\x03\x04" and random.random() < 0.7:
        return _zip_changed(random, data)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = _bytes_changed(random, data)
    return data[:MOST]


def _replaced(pattern: re.Pattern[str], by: Sequence[str]) -> Callable[[Random, str, str], str]:
    """Puts one of `by` in the place of something that the pattern finds."""

    def change(random: Random, text: str, other: str) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        start, end = random.choice(found).span()
        return text[:start] + random.choice(by) + text[end:]

    return change


def _word_swapped(random: Random, text: str, other: str) -> str:
    """A word of another text in the place of a word."""
    return _replaced(_WORD, _WORD.findall(other) or ["x"])(random, text, other)


def _lines_changed(random: Random, text: str, other: str) -> str:
    lines, others = text.split("\n"), other.split("\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
    kind = random.randrange(4)
    if kind == 0:
        del lines[at : at + random.choice((1, 1, 3))]
    elif kind == 1:
        lines.insert(to, lines[at])
    elif kind == 2:
        lines[to:to] = others[(begin := random.randrange(len(others))) : begin + random.choice((1, 3, 10))]
    else:
        lines[at : at + 1] = [lines[at]] * random.choice((2, 3, 50, 2000))
    return "\n".join(lines)


def _marked(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(MARKS) * random.choice((1, 1, 1, 2, 12, 60, 5000)) + text[at:]


def _cut(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.5 else text[at:]


def _nested(random: Random, text: str, other: str) -> str:
    """A value within many brackets."""
    found = list(_VALUE.finditer(text))
    if not found:
        return text
    start, end = random.choice(found).span()
    deep, (opening, closing) = random.choice((2, 12, 500, 20_000)), random.choice(("[]", "()", "{}"))
    return text[:start] + opening * deep + text[start:end] + closing * deep + text[end:]


_CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    *(_replaced(_NUMBER, NUMBERS), _replaced(_QUOTED, TEXTS), _replaced(_VALUE, (*VALUES, *NUMBERS, *TEXTS))),
    *(_word_swapped, _lines_changed, _lines_changed, _marked, _cut, _nested),
)


def _bytes_changed(random: Random, data: bytes) -> bytes:
    changed = bytearray(data or b"\0")
    at = random.randrange(len(changed))
    kind = random.randrange(6)
    if kind == 0:
        changed[at] ^= 1 << random.randrange(8)
    elif kind == 1:
        changed[at : at + 4] = struct.pack("<I", random.choice(WORDS))
    elif kind == 2:
        changed[at : at + 8] = struct.pack(
            "<d", random.choice((0.0, -1.0, 1e300, float("inf"), float("nan")))
        )
    elif kind == 3:
        del changed[at : at + random.choice((1, 4, 100, len(changed)))]
    elif kind == 4:
        changed[at:at] = changed[at : at + random.choice((1, 4, 100))] * random.choice((1, 2, 500))
    else:
        changed[at:at] = random.randbytes(random.choice((1, 4, 64)))
    return bytes(changed)


def _glb_changed(random: Random, data: bytes) -> bytes:
    """A change in the JSON of a GLB file, whose lengths are right again."""
    length = struct.unpack_from("<I", data, 12)[0]
    head, rest = data[20 : 20 + length].rstrip(), data[20 + length :]
    head = text_from(random, [head])
    head += b" " * (-len(head) % 4)
    size = 20 + len(head) + len(rest)
    return data[:8] + struct.pack("<III", size, len(head), 0x4E4F534A) + head + rest


def _zip_changed(random: Random, data: bytes) -> bytes:
    """A change in one member of an archive, whose check sums are right again."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = random.choice(names)
        for name in names:
            member = old.read(name)
            new.writestr(
                name, _bytes_changed(random, member[:200]) + member[200:] if name == chosen else member
            )
    return made.getvalue()
