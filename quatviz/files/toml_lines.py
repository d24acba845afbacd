"""Line numbers of keys and errors in TOML text. tomllib states lines only in the messages of syntax errors, and not in
all of them."""

import bisect
import re

from quatviz.base.parameters import join_key

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PARSE_ERROR = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)
_BARE_VALUE = re.compile(r"[^,\]}\n#]*")


def parse_toml_error(error: ValueError, text: str) -> tuple[str, int | None]:
    """Return the message of a tomllib error, and its line or None.

    For example, an integer with thousands of digits raises a plain ValueError, which has no line.
    """
    match = _PARSE_ERROR.fullmatch(str(error))
    if match is None:
        return str(error), None
    return match[1], int(match[2]) if match[2] else text.count("\n") + 1


class KeyLines:
    """Line numbers of every key, table and array element in a text that tomllib accepts.

    Paths have the form of keys in errors: `body.inertia`, `loads[0].weight`, `initial.angles.degrees`,
    `body.inertia[1]`. For a path that does not exist, the line is that of its nearest existing parent, such as the
    table of a missing key, or the first line if there is none.

    >>> lines = KeyLines("[body]\\ninertia = [1,\\n    2, 3]")
    >>> lines.line("body.inertia"), lines.line("body.inertia[1]"), lines.line("body.shape")
    (2, 3, 1)
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self.lines: dict[str, int] = {}
        """Line number of every existing path, counted from 1."""
        self._tables: dict[str, int] = {}
        self._read_document()

    def line(self, path: str) -> int:
        """Return the line number of `path`, counted from 1."""
        while path and path not in self.lines:
            path = _parent(path)
        return self.lines.get(path, 1)

    def _read_document(self) -> None:
        table = ""
        self._skip(_BLANK)
        while self._position < len(self._text):
            if self._text[self._position] == "[":
                table = self._read_heading()
            else:
                self._read_pair(table)
            self._skip(_BLANK)

    def _read_heading(self) -> str:
        """Read a heading `[a.b]` or `[[a.b]]` and return the path of its table."""
        line = self._current_line()
        of_array = self._text.startswith("[[", self._position)
        self._position += 2 if of_array else 1
        *parents, last = self._read_key()
        path = ""
        for parent in parents:
            path = self._latest_table(join_key(path, parent))
        path = join_key(path, last)
        self.lines.setdefault(path, line)
        if of_array:
            self._tables[path] = self._tables.get(path, 0) + 1
        path = self._latest_table(path)
        self.lines.setdefault(path, line)
        self._position += 2 if of_array else 1
        return path

    def _latest_table(self, path: str) -> str:
        """Return the path of the last element read so far if `path` is an array of tables. Return `path` itself otherwise."""
        return f"{path}[{self._tables[path] - 1}]" if path in self._tables else path

    def _read_pair(self, table: str) -> None:
        line = self._current_line()
        path = table
        for name in self._read_key():
            path = join_key(path, name)
            self.lines.setdefault(path, line)
        self._position += 1  # the equals sign
        self._skip(_SPACE)
        self._read_value(path)

    def _read_key(self) -> list[str]:
        """Read a dotted key and the blanks around it. Return its parts without quotes."""
        parts = []
        while True:
            self._skip(_SPACE)
            quoted = self._skip(_STRING)
            parts.append(quoted[1:-1] if quoted else self._skip(_BARE_KEY))
            self._skip(_SPACE)
            if not self._text.startswith(".", self._position):
                return parts
            self._position += 1

    def _read_value(self, path: str) -> None:
        opening = self._text[self._position : self._position + 1]
        if opening == "[":
            self._read_array(path)
        elif opening == "{":
            self._read_inline_table(path)
        elif not self._skip(_STRING):
            self._skip(_BARE_VALUE)

    def _read_array(self, path: str) -> None:
        self._position += 1
        self._skip(_BLANK)
        index = 0
        while self._is_before("]"):
            element = f"{path}[{index}]"
            self.lines.setdefault(element, self._current_line())
            self._read_value(element)
            self._skip_comma()
            index += 1
        self._position += 1

    def _read_inline_table(self, path: str) -> None:
        self._position += 1
        self._skip(_BLANK)
        while self._is_before("}"):
            self._read_pair(path)
            self._skip_comma()
        self._position += 1

    def _is_before(self, closing: str) -> bool:
        return self._position < len(self._text) and self._text[self._position] != closing

    def _skip_comma(self) -> None:
        self._skip(_BLANK)
        if self._text.startswith(",", self._position):
            self._position += 1
        self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._position)
        if match is None:
            return ""
        self._position = match.end()
        return match.group()

    def _current_line(self) -> int:
        return bisect.bisect_left(self._line_ends, self._position) + 1


def _parent(path: str) -> str:
    """Return the parent of a path. The parent of `a.b[1]` is `a.b`, that of `a.b` is `a`, and that of `a` is ""."""
    return path[: max(path.rfind("."), path.rfind("["), 0)]
