"""Reading of text tables: with pyarrow's CSV reader, or with the csv module for irregular files or without pyarrow."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NamedTuple

import numpy as np

from quatviz.base.cancellation import progress_reporter
from quatviz.base.errors import InputError, Phrase, phrase, plural_phrase
from quatviz.files.limits import free_memory
from quatviz.recordings.columns import MAX_NUMBERS, Columns, FileColumns
from quatviz.recordings.text_format import (
    HEAD_BYTES,
    TOPIC,
    WIDE_BLANKS,
    TextFormat,
    data_start,
    detect_format,
    to_utf8,
)

_BYTES_PER_NUMBER = 32
"""Approximate memory [bytes] needed for each cell: its text and its number."""
_MAX_EXACT_DIGITS = 15
"""Largest number of decimal digits that a float64 always represents exactly."""
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$"
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_MISSING = ["", "nan", "NaN", "NAN", "-nan", "NA", "N/A", "n/a", "#N/A", "null", "NULL", "None", "-"]
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d{0,8})(\.\d+)?([eE][-+]?\d+)?|-?\d{1,15}", re.ASCII)
"""Pattern of numbers that float64 represents well enough. Times in seconds since 1970 with decimals do not match, because
they need more digits."""
_MAX_PLAIN_LETTERS = 32
_SAMPLE_BYTES = 2**15
"""Number of bytes at the beginning of a text that are searched for columns of plain numbers."""
_LINE_FEED, _QUOTE, _BLANK = b'\n" '
_COMMENT_MARKS, _SLASH = tuple(b"#%"), ord("/")
"""Byte values of the characters that begin comments (# and %), and of the slash."""
_COMMENT_LINES = (b"\n#", b"\n%", b"\n//", b"\r#", b"\r%", b"\r//")
"""Beginnings of lines that are comments."""
BLOCK_BYTES = 2**23
"""Size [bytes] of the blocks of lines that are processed at a time."""
_CHECKED_CELLS = 20_000
"""Number of cells of each column that are searched for commas, because a comma may be a decimal mark."""


class TextColumns(Columns):
    """Columns of a text. Numbers are converted on access, with NaN for cells that are not numbers."""

    def __init__(self, names: Sequence[str], cells: Sequence[Any]) -> None:
        self._cells = dict(zip(names, cells, strict=True))
        self._numbers: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._numbers:
            self._numbers[name] = _to_numbers(self._cells[name])
        return self._numbers[name]

    def cells(self, name: str, count: int | None = None) -> list[str]:
        values = self._cells[name][: len(self._cells[name]) if count is None else count]
        texts = values if isinstance(values, list) else values.to_pylist()
        return ["" if text is None else str(text).strip() for text in texts]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)


def read_text_columns(file: IO[bytes], source: str) -> FileColumns:
    """Return the columns of a whole text file. The caller must have checked its size."""
    data = file.read()
    return parse_columns(data, detect_format(data[:HEAD_BYTES], source), source)


def parse_columns(data: bytes, text_format: TextFormat, source: str) -> FileColumns:
    """Return the columns of a text in a known format."""
    data = to_utf8(data, text_format.coding)
    names = text_format.names
    lines = data.count(b"\n") + 1
    if b"\r" in data:
        lines += data.count(b"\r") - data.count(b"\r\n")
    max_numbers = min(MAX_NUMBERS, free_memory() // _BYTES_PER_NUMBER)
    if lines * len(names) > max_numbers:
        raise InputError(
            source, expected=phrase("at most {most:g} numbers", most=max_numbers),
            found=phrase("{rows} lines of {columns}", rows=lines, columns=len(names)),
            remedy="cut the file to the range that you need", topic=TOPIC,
        )  # fmt: skip
    body: bytes | memoryview = memoryview(data)[data_start(data, text_format.lines) :]
    remarks: list[Phrase] = []
    if any(mark in data for mark in _COMMENT_LINES):
        body, count = _without_comments(bytes(body))
        if count:
            text = (
                "{count} line of comment between the rows was left out",
                "{count} lines of comment between the rows were left out",
            )
            remarks.append(plural_phrase(count, *text))
    if b'"' in data:
        body = _without_lone_quotes(bytes(body))
    separator = text_format.separator
    if separator == WIDE_BLANKS:
        body, separator = re.sub(rb"[ \t]{2,}(?=[^ \t\r\n])", b"\t", _strip_lines(bytes(body))), "\t"
    elif separator == " ":
        body = _collapse_blanks(bytes(body))
    try:
        cells, torn_count = _read_with_pyarrow(body, separator, len(names))
    except (ImportError, ValueError):  # pyarrow's errors about a text are ValueErrors
        cells, torn_count = _read_with_csv(body, separator, len(names))
    if torn_count:
        remarks.append(
            plural_phrase(
                torn_count,
                "{count} line with another number of cells was left out",
                "{count} lines with another number of cells were left out",
            )
        )
    columns = TextColumns(names, cells)
    if b"," in data and (text_format.separator != "," or b'"' in data):
        remarks += _comma_remarks(columns)
    return FileColumns(columns, remarks=tuple(remarks), title="text table", preamble=text_format.preamble)


class _LineBlock(NamedTuple):
    """Several whole lines of a text.

    `data` (n,) are their bytes, `starts` (m,) the index of the first byte of each line, and `lengths` (m,) the number of
    bytes of each line.
    """

    data: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    def count_true(self, is_counted: np.ndarray) -> np.ndarray:
        """Return the number of True values of a byte mask (n,) in each line (m,)."""
        return np.add.reduceat(is_counted, self.starts, dtype=np.int64)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Return an array (n,) that repeats one value per line (m,) for each byte of the line."""
        return np.repeat(values, self.lengths)


def _line_blocks(data: bytes) -> Iterator[_LineBlock]:
    """Yield a text in blocks of whole lines, which end with a line feed. Blocks are processed by array operations
    instead of a loop over lines."""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    start = 0
    while start < len(data):
        stop = data.find(b"\n", min(start + BLOCK_BYTES, len(data) - 1)) + 1 or len(data)
        block = np.frombuffer(data[start:stop].removesuffix(b"\n") + b"\n", np.uint8)
        ends = np.flatnonzero(block == _LINE_FEED) + 1
        starts = np.concatenate(([0], ends[:-1]))
        yield _LineBlock(block, starts, ends - starts)
        start = stop


def _without_comments(data: bytes) -> tuple[bytes, int]:
    """Return the text without comment lines, and the number of comment lines."""
    parts, count = [], 0
    for block in _line_blocks(data):
        first = block.data[block.starts]
        second = block.data[np.minimum(block.starts + 1, len(block.data) - 1)]
        is_comment = np.isin(first, _COMMENT_MARKS) | ((first == _SLASH) & (second == _SLASH))
        count += int(is_comment.sum())
        parts.append((block.data[block.spread(~is_comment)] if is_comment.any() else block.data).tobytes())
    return b"".join(parts), count


def _without_lone_quotes(data: bytes) -> bytes:
    """Return the text without quotes that are not closed in the same line. Each such quote would merge the following
    lines into one cell."""
    parts = []
    for block in _line_blocks(data):
        is_quote = block.data == _QUOTE
        is_odd = block.count_true(is_quote) % 2 == 1
        parts.append(
            (block.data[~(is_quote & block.spread(is_odd))] if is_odd.any() else block.data).tobytes()
        )
    return b"".join(parts)


def _strip_lines(data: bytes) -> bytes:
    return re.sub(rb"(?m)^[ \t]+|[ \t]+$", b"", data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


def _collapse_blanks(data: bytes) -> bytes:
    """Return the text with single blanks between cells and none at the ends of lines."""
    data = data.replace(b"\t", b" ").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _read_with_pyarrow(body: bytes | memoryview, separator: str, width: int) -> tuple[list[Any], int]:
    """Return the cells of each column, and the number of lines with a wrong number of cells."""
    import pyarrow as pa

    if not bytes(body[:1]).strip() and not bytes(body).strip():
        return [[] for _ in range(width)], 0
    is_number = _plain_number_columns(body, separator, width)
    torn_count = 0
    for is_last_try in (False, False, True):
        try:
            return _arrow_columns(body, separator, is_number), torn_count
        except pa.ArrowInvalid as error:
            if is_last_try:
                raise
            if "Expected" in str(error):
                # Lines are checked here because pyarrow would call a handler from its own threads.
                body, torn_count = _without_torn_lines(bytes(body), separator, width)
            else:  # a later cell is not a number
                is_number = [False] * width
    raise AssertionError


class _ReportingFile:
    """A file in memory that reports the fraction of its bytes that pyarrow has read, from a thread of pyarrow."""

    closed = False

    def __init__(self, body: bytes | memoryview, report: Callable[[float], object]) -> None:
        self._body, self._report, self._position = memoryview(body), report, 0

    def read(self, size: int) -> memoryview:
        """Return the next `size` bytes."""
        start, self._position = self._position, min(self._position + size, len(self._body))
        self._report(self._position / max(len(self._body), 1))
        return self._body[start : self._position]

    def seek(self, offset: int, whence: int = 0) -> None:
        """Move to a position, as pyarrow does to determine the size."""
        self._position = offset + (0, self._position, len(self._body))[whence]

    def tell(self) -> int:
        """Return the position."""
        return self._position

    def close(self) -> None:
        """Close the file, as pyarrow requires."""
        self.closed = True


def _arrow_columns(body: bytes | memoryview, separator: str, is_number: Sequence[bool]) -> list[Any]:
    """Return the columns of a text with the same number of cells in all lines. `is_number` has True for each
    column of numbers, and False for each column of texts."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    types = {str(key): pa.float64() if plain else pa.string() for key, plain in enumerate(is_number)}
    table = arrow_csv.read_csv(
        pa.PythonFile(_ReportingFile(body, progress_reporter()), "r"),
        arrow_csv.ReadOptions(column_names=list(types), block_size=2**22),
        arrow_csv.ParseOptions(delimiter=separator),
        arrow_csv.ConvertOptions(
            column_types=types,
            null_values=_MISSING,
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    )
    return list(table.columns)


def _without_torn_lines(data: bytes, separator: str, width: int) -> tuple[bytes, int]:
    """Return the lines that have `width` cells, and the number of non-blank lines that have another number of cells."""
    parts, torn_count = [], 0
    mark = separator.encode()
    for block in _line_blocks(data):
        cell_counts = block.count_true(block.data == mark[0]) + 1
        for row in np.flatnonzero(block.count_true(block.data == _QUOTE)):
            line = (
                block.data[block.starts[row] : block.starts[row] + block.lengths[row]].tobytes().rstrip(b"\n")
            )
            cell_counts[row] = _cell_count(line, mark)
        is_filled = block.count_true(block.data > _BLANK) > 0
        is_entire = is_filled & (cell_counts == width)
        torn_count += int((is_filled & ~is_entire).sum())
        parts.append(block.data[block.spread(is_entire)].tobytes())
    return b"".join(parts), torn_count


def _cell_count(line: bytes, separator: bytes) -> int:
    if b'"' in line:
        return len(next(csv.reader([line.decode("utf-8", "replace")], delimiter=separator.decode())))
    return line.count(separator) + 1


def _plain_number_columns(body: bytes | memoryview, separator: str, width: int) -> list[bool]:
    """Return, for each column, True if its first rows contain plain numbers."""
    lines = bytes(body[:_SAMPLE_BYTES]).decode("utf-8", "replace").splitlines()[:-1]
    rows = [row for row in csv.reader(lines, delimiter=separator) if len(row) == width]
    columns = zip(*rows, strict=True) if rows else [("x",)] * width
    return [
        all(
            (_PLAIN_NUMBER.fullmatch(cell) and len(cell) <= _MAX_PLAIN_LETTERS) or not cell for cell in column
        )
        for column in columns
    ]


def _read_with_csv(body: bytes | memoryview, separator: str, width: int) -> tuple[list[Any], int]:
    """Return the cells of each column, and the number of lines with a wrong number of cells, like `_read_with_pyarrow`.

    The csv module of the standard library is slower than pyarrow, and accepts any text.
    """
    text = io.StringIO(bytes(body).decode("utf-8", "replace").replace("\0", ""), newline=None)
    rows, torn_count = [], 0
    for row in csv.reader(text, delimiter=separator, skipinitialspace=True):
        if len(row) == width:
            rows.append(row)
        else:
            torn_count += any(cell.strip() for cell in row)
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)], torn_count


def _to_numbers(cells: Any) -> np.ndarray:
    """Return the numbers (n,) of a column, with NaN for other cells. Integers with many digits are returned as
    int64."""
    if isinstance(cells, list):
        return np.array([_parse_number(cell) for cell in cells], dtype=np.float64)
    import pyarrow as pa
    from pyarrow import compute

    if cells.type == pa.float64():
        values = cells.to_numpy()
        return np.where(np.isfinite(values), values, np.nan)

    if not cells.null_count and len(cells) and len(cells[0].as_py().strip()) > _MAX_EXACT_DIGITS:
        try:
            return compute.cast(cells, pa.int64()).to_numpy()
        except pa.ArrowInvalid:
            pass
    try:
        numbers = compute.cast(cells, pa.float64())
    except pa.ArrowInvalid:
        text = compute.utf8_lower(compute.utf8_trim_whitespace(cells))
        has_thousands = compute.match_substring_regex(text, r"^[+-]?[1-9]\d{0,2}(,\d{3})+\.\d*$")
        text = compute.if_else(
            has_thousands, compute.replace_substring(text, ",", ""), compute.replace_substring(text, ",", ".")
        )
        text = compute.replace_substring_regex(text, r"^([+-]?[\d.]+)d([+-]?\d+)$", r"\1e\2")
        is_number = compute.match_substring_regex(text, _NUMBER)
        text = compute.if_else(is_number, compute.utf8_ltrim(text, "+"), None)
        numbers = compute.cast(text, pa.float64())
    values = numbers.to_numpy()
    return np.where(np.isfinite(values), values, np.nan)


def _parse_number(cell: str) -> float:
    """Return the number in a cell, or NaN."""
    text = cell.strip().lower()
    if "." in text and _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    text = re.sub(r"^([+-]?[\d.]+)d([+-]?\d+)$", r"\1e\2", text.replace(",", "."))
    return float(text) if re.fullmatch(_NUMBER, text, re.ASCII) else np.nan


def _comma_remarks(columns: TextColumns) -> list[Phrase]:
    """Return a remark if commas in numbers may be decimal marks or thousands separators, otherwise no remarks."""
    for name in columns:
        with_comma = [cell for cell in columns.cells(name, _CHECKED_CELLS) if "," in cell]
        ambiguous = [cell for cell in with_comma if _THOUSANDS.fullmatch(cell) and "." not in cell]
        if ambiguous and len(ambiguous) == len(with_comma):
            return [
                phrase(
                    "numbers such as {number} in the column {name} are read with a decimal comma, not as thousands",
                    number=ambiguous[0], name=name,
                )
            ]  # fmt: skip
    return []
