"""Detection of the format of a text of columns from its first lines: encoding, separator and header."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import CONTROL_CHARACTERS
from quatviz.base.spelled_units import parse_spelled_unit

HEAD_BYTES = 2**18
"""Number of bytes at the beginning of a file from which the format is detected."""
_CHECKED_LINES = 200
"""Number of lines at the beginning of a file from which the format is detected."""
_HEADER_LINES = 8
"""Number of lines after the first line with numbers that may still belong to the header."""
_MAX_COLUMNS = 1000
_MAX_NAME_LENGTH = 200
TOPIC = "recordings#tables-of-text"

WIDE_BLANKS = "  "
"""Separator of two or more blanks, for texts whose dates contain single blanks."""
_SEPARATORS = (";", "\t", ",", "|", " ", WIDE_BLANKS)
_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eEdD][-+]?\d+)?")
_EMPTY = (
    "",
    "nan",
    "NaN",
    "NAN",
    "-nan",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "null",
    "NULL",
    "None",
    "-",
    "inf",
    "-inf",
    "Infinity",
)
_STAMP = re.compile(
    r"\d{1,4}[-/._]\d{1,2}[-/._]\d{1,4}[T _]\d|\d{4}-\d{3}T\d|\d{1,2}[ -][A-Za-z]{3}[ -]\d{4} \d|\d{1,4}:\d\d"
)
"""Pattern for the beginning of dates and times of day."""
_COMMENT = ("#", "%", "//")
_LINE_END, _LINE_END_BYTES = re.compile(r"\r\n|\n|\r"), re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
"""Byte order marks and their encodings. The marks of UTF-32 come first because they begin like those of UTF-16."""
_PLAIN_SIGNS = {0x2212: "-", 0xA0: " ", 0x202F: " ", 0xFEFF: ""}
"""ASCII replacements of similar characters and of the byte order mark, by code point."""


class TextFormat(NamedTuple):
    """Format of a text of columns. `coding` is the encoding, and `separator` separates cells (a blank means any
    number of blanks). `lines` is the number of lines before the numbers, and `preamble` their text. `names` are the
    names of the columns including units. The decimal mark of each number may be a point or a comma."""

    coding: str
    separator: str
    lines: int
    names: tuple[str, ...]
    preamble: tuple[str, ...] = ()


def detect_format(head: bytes, source: str) -> TextFormat:
    """Return the format of a text that begins with `head`. Raise an `InputError` if it has no columns of numbers.

    >>> shape = detect_format("t;ω_x [°/s]\\n0,1;2,5\\n0,2;2,6\\n".encode("utf-8-sig"), "a.csv")
    >>> shape.separator, shape.lines, shape.names
    (';', 1, ('t', 'ω_x [°/s]'))
    """
    coding = _detect_encoding(head)
    lines = _LINE_END.split(head.decode(coding, "replace").translate(_PLAIN_SIGNS))
    if len(head) >= HEAD_BYTES and len(lines) > 1:
        lines.pop()  # the last line may be incomplete
    numbered_lines = [
        (number, line) for number, line in enumerate(lines[: 10 * _CHECKED_LINES]) if line.strip()
    ]
    data_lines = [
        (number, line) for number, line in numbered_lines if not line.lstrip().startswith(_COMMENT)
    ][:_CHECKED_LINES]
    best, best_match = (0.0, 0.0), None
    for separator in _SEPARATORS:
        rows = [(number, split_cells(line, separator)) for number, line in data_lines]
        numeric = [(number, row) for number, row in rows if _is_data(row)]
        filled = [cell for _, row in numeric for cell in row if cell not in _EMPTY]
        number_count = sum(bool(_NUMBER.fullmatch(cell) or _STAMP.match(cell)) for cell in filled)
        if not numeric:
            continue
        width, row_count = Counter(len(row) for _, row in numeric).most_common(1)[0]
        score = (row_count / len(data_lines) * number_count / len(filled), float(width))
        if width > 1 and score > best:
            best, best_match = score, (separator, [(n, row) for n, row in numeric if len(row) == width])
    if best_match is None:
        raise InputError(
            source, expected="columns of numbers, separated by commas, semicolons, tabs or blanks",
            found=repr(data_lines[0][1][:60]) if data_lines else "no line", remedy="check that the file is a table", topic=TOPIC,
        )  # fmt: skip
    separator, data = best_match
    width = len(data[0][1])
    first = _first_row(data_lines, separator, [number for number, _ in data])
    if width > _MAX_COLUMNS:
        raise InputError(
            source, expected=phrase("at most {most} columns", most=_MAX_COLUMNS), found=f"{width}",
            remedy="remove columns that are not needed", topic=TOPIC,
        )  # fmt: skip
    names = _column_names(lines[:first], separator, width)
    return TextFormat(coding, separator, first, names, tuple(lines[:first]))


def _detect_encoding(head: bytes) -> str:
    """Detect the encoding by its byte order mark, by the zero bytes of 16-bit characters, or by validity as UTF-8."""
    for mark, coding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return coding
    for first, coding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[first::2].count(0) > 0.9 * len(head[first::2]) and not head[1 - first :: 2].count(0):
            return coding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def to_utf8(data: bytes, coding: str) -> bytes:
    """Return a text in UTF-8, with Unicode minus signs and special blanks replaced by ASCII characters."""
    if data.isascii():
        return data
    text = data.decode(coding, "replace").removeprefix("\ufeff")
    for code, sign in _PLAIN_SIGNS.items():
        text = text.replace(chr(code), sign)
    return text.encode()


def data_start(data: bytes, lines: int) -> int:
    """Return the position of the first byte after the first `lines` lines."""
    ends = _LINE_END_BYTES.finditer(data)
    return max((end.end() for end, _ in zip(ends, range(lines), strict=False)), default=0)


def split_cells(line: str, separator: str) -> list[str]:
    """Return the cells of a line without surrounding quotes and blanks."""
    if separator == " ":
        return line.split()
    if separator == WIDE_BLANKS:
        return re.split(r"[ \t]{2,}|\t", line.strip())
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except (csv.Error, StopIteration):
        return []


def _first_row(lines: Sequence[tuple[int, str]], separator: str, numeric: Sequence[int]) -> int:
    """Return the number of the first line with numbers that is not part of the header.

    A header may contain numbers, such as the numbers of the sensors. A line with numbers belongs to the header if a
    later line has names instead of numbers in the same number of cells.
    """
    cells = {
        number: split_cells(line, separator) for number, line in lines if number < numeric[0] + _HEADER_LINES
    }
    width = len(cells[numeric[0]])
    names = [
        number
        for number, row in cells.items()
        if number > numeric[0] and len(row) == width and _are_names(row)
    ]
    return next((number for number in numeric if number > max(names, default=-1)), numeric[0])


def _are_names(row: Sequence[str]) -> bool:
    """Return True if more than half of the cells of a row begin with a letter and are not missing values."""
    return 2 * sum(cell[:1].isalpha() and cell not in _EMPTY for cell in row) > len(row)


def _is_data(row: Sequence[str]) -> bool:
    """Return True if more than half of the non-empty cells of a row are numbers or times."""
    filled = [cell for cell in row if cell not in _EMPTY]
    good = [cell for cell in filled if _NUMBER.fullmatch(cell) or _STAMP.match(cell)]
    return bool(good) and 2 * len(good) > len(filled)


def _column_names(header_lines: Sequence[str], separator: str, width: int) -> tuple[str, ...]:
    """Return the names of the columns. They are in the last header line with as many cells as the data rows (`width`).

    If this line contains only units, the names are in the line above it, and the units are appended to them. Header
    lines may be comments.
    """
    rows = []
    for line in header_lines:
        text = line.strip()
        while text.startswith(_COMMENT):
            text = text.lstrip("#%/ \t")
        row = split_cells(text, separator)
        while row and not row[-1] and len(row) > width:
            row.pop()
        if len(row) == width or (len(row) == width - 1 and row):
            rows.append(row)
    names = list(rows[-1]) if rows else []
    if len(rows) > 1 and rows[-1] and all(map(_is_unit, rows[-1])):
        names = [
            f"{name} [{unit.strip('[]()')}]" if unit else name
            for name, unit in zip(rows[-2], rows[-1], strict=False)
        ]
    names += [""] * (width - len(names))
    counts: dict[str, int] = {}
    unique = []
    for number, name in enumerate(names, 1):
        # An apostrophe was inserted so that spreadsheets do not evaluate a name as a formula.
        name = (
            CONTROL_CHARACTERS.sub("", name.removeprefix("'"))[:_MAX_NAME_LENGTH].strip()
            or f"column {number}"
        )
        counts[name] = counts.get(name, 0) + 1
        unique.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return tuple(unique)


def _is_unit(cell: str) -> bool:
    return (
        re.fullmatch(
            r"\[.*\]|\(.*\)|-?|1|no[ _]units|[mgGTV]|[cmk]m|m/\(?s\^?2\)?|m/s²|[mµu]T|(local|loc)_flux|m?V|k?Pa|hPa|°C|%",
            cell,
        )
        is not None
        or parse_spelled_unit(cell) is not None
    )
