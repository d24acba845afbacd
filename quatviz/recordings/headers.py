"""Parsing of column headers into quantity, component and unit. The known names are in the asset
`recordings/header_names.toml`."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from quatviz.base.resources import asset_path
from quatviz.base.spelled_units import SpelledUnit, parse_spelled_unit

_GREEK = {
    "ω": "omega", "Ω": "omega", "φ": "phi", "Φ": "phi", "ϕ": "phi", "θ": "theta", "Θ": "theta", "ϑ": "theta", "ψ": "psi",
    "Ψ": "psi", "α": "alpha", "β": "beta", "γ": "gamma",
}  # fmt: skip
_BRACKETS = re.compile(r"\s*(?:/\s*)?[\[({<]\s*([^\[\](){}<>]*(?:\([^()]*\)[^\[\](){}<>]*)?)\s*[\])}>]\s*$")
_ANY_BRACKETS = re.compile(r"\s*(?:/\s*)?[\[({<]\s*([^\[\](){}<>]+?)\s*[\])}>]")
_BEFORE_UNIT = re.compile(r"^(?:units?\s*[:=]|units?\s|in\s|raw,)\s*", re.IGNORECASE)
_AFTER_UNIT = re.compile(r"[\s,]+(?:since|after|from|raw)\b.*$", re.IGNORECASE)
"""Pattern of words, such as "since", that may follow a unit inside brackets."""
_ATTACHED = re.compile(r"^(.*?[^\s_:;°º-])[\s_:;-]*((?:[°º]|(?<=[\s_:;-])[^\W\d_]+(?=/))(?:/[^\W\d_]+)?)$")
"""Pattern of a column name that ends with a unit without brackets. The unit is recognized by a degree sign or a slash."""
_SLASH = re.compile(r"^(.*\S)\s*/\s*([^\W\d_°][^\s/]*|°(?:/\w+)?)$")
_AFTER_COMMA = re.compile(r"^(.*\w)\s*,\s*([^\s,].*)$")
_IN_WORDS = re.compile(r"^(.*\w)[\s_]+in[\s_]+(.*\S)$", re.IGNORECASE)
_CLOSED = re.compile(r"^[^\[({<]*[\])}>]")
"""Pattern of a text with an unmatched closing bracket. If the text after a colon matches, the colon is inside brackets
and does not end a prefix."""
_INDEX = re.compile(r"\d{1,2}|[wxyzsijkabc]|[xyz]{2}|scalar|cos|real", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])")
_UNITS_OF_TIMES = (
    "s",
    "sec",
    "secs",
    "seconds",
    "min",
    "minutes",
    "hours",
    "ns",
    "us",
    "usec",
    "ms",
    "msec",
    "nsec",
    "nsecs",
)
"""Units that are recognized as suffixes only in names of times. In "q_s", for example, the s means the scalar part."""
_ONLY_AT_END = {
    *(*_UNITS_OF_TIMES, "nanos", "nanosec", "nanosecs", "nanosecond", "nanoseconds", "micros", "microsecond", "microseconds"),
    *("usecs", "millis", "milliseconds", "millisecond", "msecs", "g", "hz", "rps", "turns", "m s2", "ms2", "m s 2", "mps2"),
}  # fmt: skip
"""Units that are recognized as suffixes only at the end of a name. Elsewhere, "hz" may be part of a sampling rate, and "min"
may mean a minimum."""
_MENTIONED = {
    "time": re.compile(r"\btime|\bzeit|\bunits?\b", re.IGNORECASE),
    "angle": re.compile(r"angle|winkel|euler|roll|pitch|yaw|attitude|orientation|\bunits?\b", re.IGNORECASE),
    "rate": re.compile(r"gyr|rate|omega|ω|angular|velocit|geschwindigkeit|\bunits?\b", re.IGNORECASE),
}
"""Patterns of words that mention a quantity, by dimension. A line of text with such a word may also state the unit of this
quantity."""
_UNIT_IN_TEXT = {
    "time": re.compile(r"(?<![\w/])(?:[mµun]s(?:ec)?|(?:milli|micro|nano)?seconds|minutes|hours)(?![\w/])"),
    "angle": re.compile(
        r"(?<![\w/])(?:m?rad|radians|deg|degrees|°|arc(?:sec|min))(?!\w| ?/| per| s)", re.IGNORECASE
    ),
    "rate": re.compile(
        r"(?<![\w/])(?:(?:m?rad|radians?|deg|degrees?|°|rev)(?: ?/ ?| per | )(?:s|sec|seconds?|h|hour|min|minute)|m?dps|k?rpm)"
        r"(?:\^?-1)?(?![\w/])",
        re.IGNORECASE,
    ),
}
"""Patterns of units that are searched for in sentences, by dimension. They contain only units that are
unlikely to be other words."""
_PREFIXED_AXIS = ("x", "y", "z")


class ColumnHeader(NamedTuple):
    """Header of a column, divided into quantity, component and unit."""

    full: str
    """Header as written in the file."""
    words: str
    """Name of the column without unit and prefix, as lower-case words separated by blanks."""
    stem: str
    """Name of the vector or group: `words` without the component."""
    component: str
    """Component that the header names: "x", "y", "z", "w", an index, or ""."""
    unit_text: str
    """Unit as written, or ""."""
    unit: SpelledUnit | None
    """Parsed unit if it is a known unit of time, angle or angular rate, otherwise None."""
    prefix: str
    """Text before a colon in the header: the lane of a run, or the name of a data set."""

    @property
    def quantity(self) -> str:
        """Quantity that the name indicates, or ""."""
        indicated = quantity_of(self.words)
        if indicated == "time" and " " not in self.words:
            return indicated  # "temps" is not the component s of "temp"
        if self.words == "phi":
            return "angles"  # a rotation vector has components
        return quantity_of(self.stem) or indicated


@lru_cache(maxsize=4096)
def parse_header(full: str) -> ColumnHeader:
    """Return the parts of a column header.

    >>> [parse_header(name)[2:5] for name in ("Gyroscope x (rad/s)", "q[0]", "gx_dps", "ω_x / (rad/s)", "b_w_RS_S_x [rad s^-1]")]
    [('gyroscope', 'x', 'rad/s'), ('q', '0', ''), ('g', 'x', 'deg/s'), ('omega', 'x', 'rad/s'), ('b w rs s', 'x', 'rad s^-1')]
    >>> parse_header("X Gyro(rad/s)")[2:4], parse_header("Mat[1][2]")[2:4], parse_header("motionRotationRateZ(rad/s)")[2:4]
    (('gyro', 'x'), ('mat', '12'), ('motion rotation rate', 'z'))
    """
    text = unicodedata.normalize("NFC", full).strip().lstrip("#%").strip()
    prefix, colon, bare = text.rpartition(":")
    if not colon or not bare.strip() or _CLOSED.search(bare):
        prefix, bare = "", text
    bare, unit_text = _split_unit(bare.strip())
    words = _words(bare)
    words, unit_text = _unit_of_last_words(words, unit_text)
    stem, component = _split_component(words)
    unit = parse_spelled_unit(unit_text) if unit_text else None
    return ColumnHeader(full, words, stem, component, unit_text, unit, prefix.strip())


def _split_unit(text: str) -> tuple[str, str]:
    """Split a header into name and unit. The unit is in brackets, or at the end after a slash, a comma, a blank or
    "in"."""
    for group in reversed(list(_ANY_BRACKETS.finditer(text))):
        inside = _AFTER_UNIT.sub("", _BEFORE_UNIT.sub("", group[1]))
        if parse_spelled_unit(inside) is not None:
            return f"{text[: group.start()]} {text[group.end() :]}".strip(" /"), inside
    match = _BRACKETS.search(text)
    if match is not None and match.start() > 0:
        inside = match[1].strip()
        is_component = _INDEX.fullmatch(inside.replace(",", "").replace(" ", "")) is not None
        if is_component and parse_spelled_unit(inside) is None:
            return text, ""
        return text[: match.start()].rstrip(" /"), inside
    for pattern in (_AFTER_COMMA, _IN_WORDS, _ATTACHED, _SLASH):
        match = pattern.match(text)
        if match is not None and parse_spelled_unit(match[2].strip("[]() ")) is not None:
            return match[1], match[2].strip("[]() ")
    return text, ""


def _words(text: str) -> str:
    """Return a name as lower-case words that are separated by single blanks."""
    plain = "".join(f" {_GREEK[character]} " if character in _GREEK else character for character in text)
    plain = re.sub(r"omega\s+dot", "omega_dot", _CAMEL.sub(" ", plain))
    words = " ".join(re.sub(r"[^\w°]|_", " ", plain).lower().split())
    return re.sub(r"\b(degs?|m?dps|rads?|rpm)([xyz])\b", r"\1 \2", words)


def _unit_of_last_words(words: str, unit_text: str) -> tuple[str, str]:
    """Return the words of a name without a unit at their end, such as "dps" or "rad s", and that unit."""
    if unit_text:
        return words, unit_text
    pieces = words.split()
    for suffix, unit in _suffixes().items():
        tail, remaining = suffix.split(), " ".join(pieces[: -len(suffix.split())])
        if not remaining or pieces[-len(tail) :] != tail:
            continue
        if suffix in _UNITS_OF_TIMES and quantity_of(remaining) not in ("time", "counter"):
            continue
        if suffix == "g" and quantity_of(_split_component(remaining)[0]) not in (
            "gravity",
            "linear_acceleration",
        ):
            continue
        return remaining, unit
    for suffix, unit in _suffixes().items():  # the unit may precede the component, as in "gyro_deg_s_x"
        if suffix not in _ONLY_AT_END and f" {suffix} " in f" {words} ":
            return " ".join(f" {words} ".replace(f" {suffix} ", " ", 1).split()), unit
    if quantity_of(words) == "time":  # the name may contain the unit, as in "seconds_elapsed"
        return words, next(
            (unit for word in pieces if word in _suffixes() and (unit := _suffixes()[word])), ""
        )
    return words, ""


def _split_component(words: str) -> tuple[str, str]:
    """Split the words of a name into the name of the vector (stem) and the component."""
    pieces = words.split()
    if not pieces:
        return "", ""
    last = pieces[-1]
    if len(pieces) > 2 and all(re.fullmatch(r"[0-3xyz]", piece) for piece in pieces[-2:]):
        return " ".join(pieces[:-2]), "".join(pieces[-2:])
    if _INDEX.fullmatch(last):
        return " ".join(pieces[:-1]), last
    if pieces[0] in _PREFIXED_AXIS:
        remaining = pieces[2:] if pieces[1] in ("axis", "component") else pieces[1:]
        return " ".join(remaining), pieces[0]
    inner = [number for number, piece in enumerate(pieces) if piece in _PREFIXED_AXIS]
    if len(inner) == 1:
        return " ".join(piece for number, piece in enumerate(pieces) if number != inner[0]), pieces[inner[0]]
    match = re.fullmatch(r"(.*?)([xyz]{2}|[0-9]{1,2}|[wxyzsijkabc]|scalar)", last) or re.fullmatch(
        r"(q(?:uat)?)(r)", last
    )
    if match is not None:
        return " ".join([*pieces[:-1], match[1]]).strip(), match[2]
    return words, ""


def quantity_of(words: str) -> str:
    """Return the quantity that a name indicates, or "".

    >>> quantity_of("b w rs s"), quantity_of("gyr"), quantity_of("rotation vector"), quantity_of("packet counter")
    ('ignored', 'rate', 'rotation_vector', 'counter')
    """
    return next((name for name, pattern in _quantities() if pattern.search(words)), "")


def stated_units(lines: Iterable[str], dimension: str) -> list[str]:
    """Return the units of a `dimension` that occur in the `lines`, without duplicates. Only lines that also mention a
    quantity of this dimension are searched.

    >>> stated_units(["# Gyroscope: deg/s, accelerometer: m/s^2", "# angles in degrees", "# sampled at 100 Hz"], "rate")
    ['deg/s']
    """
    units: dict[float, str] = {}
    for line in lines:
        if _MENTIONED[dimension].search(line):
            for match in _UNIT_IN_TEXT[dimension].finditer(line):
                unit = parse_spelled_unit(match[0])
                if unit is not None and unit.dimension == dimension:
                    units.setdefault(unit.factor, match[0])
    return list(units.values())


@cache
def _table() -> dict[str, dict[str, str | list[str]]]:
    text = asset_path("recordings/header_names.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _quantities() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile("|".join(patterns))) for name, patterns in _table()["quantities"].items())


@cache
def _suffixes() -> dict[str, str]:
    table = {str(key): str(unit) for key, unit in _table()["unit_suffixes"].items()}
    return dict(sorted(table.items(), key=lambda item: -len(item[0].split())))
