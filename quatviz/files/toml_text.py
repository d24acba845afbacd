"""Formatting of values as TOML text, since the standard library can only read TOML."""

import json
import math
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

_ESCAPED = {code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F) if chr(code) not in "\n\t"}
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_EXACT_INTEGERS = 2.0**53
_WIDTH = 90
_LINE_PIECE = re.compile(rf".{{1,{_WIDTH}}}$|.{{1,{_WIDTH}}} (?=\S)|.+")


def toml_value(value: Any) -> str:
    """Format a value as TOML: text, boolean, number, date or time, list, or mapping as inline table.

    >>> print(toml_value([1.0, 2.5e-9, True, "a b"]))
    [1, 2.5e-09, true, "a b"]
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if value and all(isinstance(row, (list, tuple)) for row in value):
        return "[\n" + "".join(f"    {toml_value(row)},\n" for row in value) + "]"
    return "[" + ", ".join(toml_value(item) for item in value) + "]"


def toml_pairs(table: Mapping[str, Any]) -> str:
    """Format a table as lines `key = value`.

    >>> print(toml_pairs({"weight": 20.0, "centre": [0.0, 0.0, 1.0]}), end="")
    weight = 20
    centre = [0, 0, 1]
    """
    return "".join(f"{_key(key)} = {toml_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007F")


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same number. For example, 400.0 becomes 400."""
    minus_zero = value == 0.0 and math.copysign(1.0, value) < 0.0
    if isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT_INTEGERS and not minus_zero):
        return str(int(value))
    return repr(value)


def _text(value: str) -> str:
    if "\n" not in value and len(value) <= _WIDTH:
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').translate(_ESCAPED)
    return '"""\n' + "\n".join(_wrap_line(line) for line in escaped.split("\n")) + '"""'


def _wrap_line(line: str) -> str:
    """Break an escaped line after spaces. TOML joins lines that end with a backslash, and ignores leading spaces of
    the next line."""
    return "\\\n".join(_LINE_PIECE.findall(line))
