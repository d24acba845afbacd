"""Columns of a text whose separator, decimal mark and header nobody has said."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.words import COMMANDING
from quatviz.recordings.columns import MOST_NUMBERS, Found

HEAD = 2**18
"""Bytes by which a text is judged."""
_LOOKED_AT = 200
"""Lines of it."""
_MOST_COLUMNS = 1000
_LONGEST_NAME = 200
TOPIC = "recordings#tables-of-text"

_SEPARATORS = (";", "\t", ",", "|", " ")
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
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_COMMENT = ("#", "%", "//")


class Shape(NamedTuple):
    """How a text is written: its coding, the separator (a blank stands for any number of them), whether a comma is the decimal
    mark, how many lines stand before the numbers, and what the columns are called, units included."""

    coding: str
    separator: str
    comma: bool
    lines: int
    names: tuple[str, ...]


def shape_of(head: bytes, place: str) -> Shape:
    """How a text that begins with `head` is written. `InputError` where there are no numbers in columns.

    >>> shape = shape_of("t;ω_x [°/s]\\n0,1;2,5\\n0,2;2,6\\n".encode("utf-8-sig"), "a.csv")
    >>> shape.separator, shape.comma, shape.lines, shape.names
    (';', True, 1, ('t', 'ω_x [°/s]'))
    """
    coding, text = _decoded(head)
    lines = re.split(r"\r\n|\n|\r", text)
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()  # it may be cut
    looked = [(number, line) for number, line in enumerate(lines[: 10 * _LOOKED_AT]) if line.strip()]
    plain = [(number, line) for number, line in looked if not line.lstrip().startswith(_COMMENT)][:_LOOKED_AT]
    best, found = (0.0, 0.0), None
    for separator in _SEPARATORS:
        rows = [(number, cells(line, separator)) for number, line in plain]
        numeric = [(number, row) for number, row in rows if _is_data(row)]
        filled = [cell for _, row in numeric for cell in row if cell not in _EMPTY]
        good = sum(bool(_NUMBER.fullmatch(cell) or _STAMP.match(cell)) for cell in filled)
        if not numeric:
            continue
        width, times = Counter(len(row) for _, row in numeric).most_common(1)[0]
        score = (times / len(plain) * good / len(filled), float(width))
        if width > 1 and score > best:
            best, found = score, (separator, [(n, row) for n, row in numeric if len(row) == width])
    if found is None:
        raise InputError(
            place, expected="columns of numbers, separated by commas, semicolons, tabs or blanks",
            found=_quoted(plain[0][1]) if plain else "no line", remedy="check that it is a table at all", topic=TOPIC,
        )  # fmt: skip
    separator, data = found
    first, width = data[0][0], len(data[0][1])
    if width > _MOST_COLUMNS:
        raise InputError(
            place, expected=phrase("at most {most} columns", most=_MOST_COLUMNS), found=f"{width}",
            remedy="leave out those that do not count", topic=TOPIC,
        )  # fmt: skip
    marks = Counter(mark for _, row in data for cell in row for mark in re.findall(r"[.,]", cell))
    return Shape(coding, separator, marks[","] > marks["."], first, _names(lines[:first], separator, width))


def _decoded(head: bytes) -> tuple[str, str]:
    for mark, coding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if head.startswith(mark):
            return coding, head.decode(coding, "replace")
    try:
        return "utf-8", codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252", head.decode("cp1252", "replace")


def cells(line: str, separator: str) -> list[str]:
    """The cells of a line, without quotes and blanks around."""
    if separator == " ":
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except (csv.Error, StopIteration):
        return []


def _is_data(row: Sequence[str]) -> bool:
    """Whether most cells of a row that are not empty are numbers, or all but a time."""
    filled = [cell for cell in row if cell not in _EMPTY]
    good = [cell for cell in filled if _NUMBER.fullmatch(cell) or _STAMP.match(cell)]
    return bool(good) and 2 * len(good) > len(filled)


def _names(before: Sequence[str], separator: str, width: int) -> tuple[str, ...]:
    """Names of columns by the lines before the numbers: the last one with as many cells, and that of their units below it; a
    comment may be the header."""
    rows = []
    for line in before:
        bare = line.strip()
        while bare.startswith(_COMMENT):
            bare = bare.lstrip("#%/ \t")
        found = cells(bare, separator)
        while found and not found[-1] and len(found) > width:
            found.pop()
        if len(found) == width or (len(found) == width - 1 and found):
            rows.append(found)
    names = list(rows[-1]) if rows else []
    if len(rows) > 1 and rows[-1] and all(map(_is_unit, rows[-1])):
        names = [
            f"{name} [{unit.strip('[]()')}]" if unit else name
            for name, unit in zip(rows[-2], rows[-1], strict=False)
        ]
    names += [""] * (width - len(names))
    taken: dict[str, int] = {}
    unique = []
    for number, name in enumerate(names, 1):
        # An apostrophe keeps a spreadsheet from taking a name for a formula.
        name = COMMANDING.sub("", name.removeprefix("'"))[:_LONGEST_NAME].strip() or f"column {number}"
        taken[name] = taken.get(name, 0) + 1
        unique.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return tuple(unique)


def _is_unit(cell: str) -> bool:
    return (
        re.fullmatch(r"\[.*\]|\(.*\)|-?|(s|ms|us|µs|ns|rad|deg|°|1|rad/s|deg/s|°/s|m/s\^?2|m/s²)", cell)
        is not None
    )


class TextColumns(Mapping[str, np.ndarray]):
    """The columns of a table of Arrow, numbers when they are asked for: those that nobody asks for cost nothing."""

    def __init__(self, table: Any, comma: bool) -> None:
        self._table, self._comma = table, comma
        self._known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._known:
            self._known[name] = _numbers(self._table.column(name), self._comma)
        return self._known[name]

    def nanoseconds(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Nanoseconds (n,) since 1970 of a column of dates with times of day, and which rows (n,) hold one."""
        import pyarrow as pa
        from pyarrow import compute

        column = self._table.column(name)
        text = (
            compute.utf8_trim_whitespace(column)
            if pa.types.is_string(column.type)
            else column.cast(pa.string())
        )
        return _nanoseconds(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.column_names)

    def __len__(self) -> int:
        return len(self._table.column_names)


def text_columns(file: IO[bytes], place: str) -> Found:
    """The columns of a text, all of which is read: whoever opens it has seen to its size."""
    head = file.read(HEAD)
    return columns_of(head + file.read(), shape_of(head, place), place)


def columns_of(data: bytes, shape: Shape, place: str) -> Found:
    """The columns of a text that is written so."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    rows = data.count(b"\n")
    if rows * len(shape.names) > MOST_NUMBERS:
        raise InputError(
            place, expected=phrase("at most {most:g} numbers", most=MOST_NUMBERS),
            found=phrase("{rows} lines of {columns}", rows=rows, columns=len(shape.names)),
            remedy="cut out the stretch that counts", topic=TOPIC,
        )  # fmt: skip
    if shape.separator == " ":
        data = _single_tabs(data, shape.coding)
    torn = _Torn()
    options: dict[str, Any] = {
        "read_options": arrow.ReadOptions(
            column_names=list(shape.names),
            skip_rows=shape.lines,
            encoding="utf-8" if shape.separator == " " else shape.coding.removesuffix("-sig"),
            block_size=2**22,
        ),
        "parse_options": arrow.ParseOptions(
            delimiter="\t" if shape.separator == " " else shape.separator, invalid_row_handler=torn
        ),
    }

    def read(kind: Any) -> Any:
        torn.count = 0
        convert = arrow.ConvertOptions(
            column_types=dict.fromkeys(shape.names, kind), null_values=list(_EMPTY), strings_can_be_null=True,
            decimal_point="," if shape.comma else ".",
        )  # fmt: skip
        return arrow.read_csv(pa.BufferReader(data), convert_options=convert, **options)

    try:
        table = read(pa.float64())
    except pa.ArrowInvalid:
        table = read(pa.string())
    said = phrase("{count} lines with another number of cells were left out", count=torn.count)
    return Found(
        TextColumns(table, shape.comma), remarks=(said,) if torn.count else (), title="table of text"
    )


class _Torn:
    """Counts rows with another number of cells."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, row: Any) -> str:
        self.count += 1
        return "skip"


def _single_tabs(data: bytes, coding: str) -> bytes:
    """UTF-8 with one tab wherever there were blanks."""
    if coding != "utf-8":
        data = data.decode(coding, "replace").encode()
    # One replacement a pass: a pattern for runs in the middle of lines takes three times as long.
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ").replace(b" ", b"\t")


def _numbers(column: Any, comma: bool) -> np.ndarray:
    """Floats (n,) of a column; NaN where a cell is no number. Times of the clock are seconds."""
    import pyarrow as pa
    from pyarrow import compute

    if not pa.types.is_string(column.type):
        return column.to_numpy()
    text = compute.utf8_trim_whitespace(column)
    pointed = compute.replace_substring(text, ",", ".")
    good = compute.match_substring_regex(pointed, r"^[-+]?(\d+(\.\d*)?|\.\d+)([eEdD][-+]?\d+)?$")
    if compute.any(good).as_py() is not True:
        return _stamps(text)
    kept = compute.if_else(good, pointed, None)
    kept = compute.replace_substring_regex(kept, "[dD]", "e")
    kept = compute.replace_substring_regex(kept, r"^\+", "")
    return compute.cast(kept, pa.float64()).to_numpy()


def _stamps(text: Any) -> np.ndarray:
    """Seconds (n,) since midnight of the first day of dates with times of day; NaN where they are none. Seconds since 1970 would
    have more digits than a float."""
    found, good = _nanoseconds(text)
    if not good.any():
        return np.full(len(found), np.nan)
    first = int(found[good][0])
    return np.where(good, (found - (first - first % DAY)) * 1e-9, np.nan)


DAY = 86_400 * 10**9
"""[ns]"""


def _nanoseconds(text: Any) -> tuple[np.ndarray, np.ndarray]:
    """Nanoseconds (n,) since 1970 of dates with times of day, as ISO 8601 writes them, and which rows (n,) hold one."""
    import pyarrow as pa
    from pyarrow import compute

    good = compute.match_substring_regex(
        text, r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[-+]\d\d:?\d\d)?$"
    )
    kept = compute.replace_substring(compute.if_else(good, text, None), ",", ".")
    for kind in (pa.timestamp("ns"), pa.timestamp("ns", tz="UTC")):
        try:
            found = compute.cast(compute.cast(kept, kind), pa.int64())
        except pa.ArrowInvalid:
            continue
        return compute.fill_null(found, 0).to_numpy(), compute.is_valid(found).to_numpy(zero_copy_only=False)
    return np.zeros(len(text), dtype=np.int64), np.zeros(len(text), dtype=bool)


def _quoted(line: str) -> str:
    return repr(line[:60])
