"""Units of time, angle and angular rate as other programs write them in column headers.

`parse_spelled_unit` either understands a spelling exactly or returns None, so that no unit is mistaken for a
similar one. `base.units` handles units that a user types after a number.
"""

import math
import re
from functools import lru_cache
from typing import NamedTuple


class SpelledUnit(NamedTuple):
    """A unit made of times and angles: its factor to SI units (s, rad, rad/s) and its exponents of angle and
    time."""

    factor: float
    angle: int
    time: int

    @property
    def dimension(self) -> str:
        """ "time", "angle" or "rate", or "other" for any other combination of powers."""
        return _DIMENSIONS.get((self.angle, self.time), "other")


_DIMENSIONS = {(0, 1): "time", (1, 0): "angle", (1, -1): "rate"}
SI_UNITS = {"time": "s", "angle": "rad", "rate": "rad/s"}
"""SI units in which quatviz computes, by dimension."""

_TURN = 2.0 * math.pi
_PREFIXES = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3,
    "M": 1e6, "G": 1e9,
    "femto": 1e-15, "pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "centi": 1e-2, "deci": 1e-1, "kilo": 1e3,
    "mega": 1e6, "giga": 1e9,
}  # fmt: skip
_LARGE_PREFIXES = {"M", "G", "mega", "giga"}
"""Prefixes that are rejected for times and angles: "Ms" is far more often a misspelled millisecond than a megasecond, and
"Grad" is the German degree."""
_PREFIXABLE = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), SpelledUnit(1.0, 0, 1)),
    **dict.fromkeys(("rad", "rads", "radian", "radians"), SpelledUnit(1.0, 1, 0)),
    **dict.fromkeys(("deg", "degs", "degree", "degrees"), SpelledUnit(math.pi / 180.0, 1, 0)),
    **dict.fromkeys(("arcsec", "arcsecs", "arcsecond", "arcseconds", "as"), SpelledUnit(math.pi / 648_000.0, 1, 0)),
    **dict.fromkeys(("rev", "revs", "revolution", "revolutions", "turn", "turns"), SpelledUnit(_TURN, 1, 0)),
    **dict.fromkeys(("Hz", "hertz"), SpelledUnit(_TURN, 1, -1)),
    "rpm": SpelledUnit(_TURN / 60.0, 1, -1),
    "dps": SpelledUnit(math.pi / 180.0, 1, -1),
}  # fmt: skip
"""Units that may have a prefix. The frequency Hz counts as revolutions per second."""
_UNPREFIXABLE = {
    "millis": SpelledUnit(1e-3, 0, 1),
    **dict.fromkeys(("micros", "usecs"), SpelledUnit(1e-6, 0, 1)),
    "nanos": SpelledUnit(1e-9, 0, 1),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), SpelledUnit(60.0, 0, 1)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), SpelledUnit(3600.0, 0, 1)),
    **dict.fromkeys(("d", "day", "days"), SpelledUnit(86_400.0, 0, 1)),
    **dict.fromkeys(("week", "weeks"), SpelledUnit(604_800.0, 0, 1)),
    **dict.fromkeys(("°", "º"), SpelledUnit(math.pi / 180.0, 1, 0)),
    **dict.fromkeys(("arcmin", "arcmins", "arcminute", "arcminutes", "′"), SpelledUnit(math.pi / 10_800.0, 1, 0)),
    "″": SpelledUnit(math.pi / 648_000.0, 1, 0),
    # "grad" is a gradian in English and a degree in German, so that it is refused.
    **dict.fromkeys(("gradian", "gradians", "gon", "gons", "grade"), SpelledUnit(math.pi / 200.0, 1, 0)),
    **dict.fromkeys(("cycle", "cycles", "cyc", "circle"), SpelledUnit(_TURN, 1, 0)),
    **dict.fromkeys(("rps", "cps"), SpelledUnit(_TURN, 1, -1)),
    "dph": SpelledUnit(math.pi / 648_000.0, 1, -1),
}  # fmt: skip
_ALONE_ONLY = {"as"}
"""Spellings that are rejected if they stand alone, without a prefix: "as" could be an attosecond, but "mas"
is a milliarcsecond."""
_NUMBER = re.compile(r"\s*(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\s*[*×·]?\s*(?=[^\W\d_]|[°º′″])")
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³", "-+0123")
_TERM = re.compile(r"([^\W\d_]+|[°º′″]|1)(?:(?:\^|\*\*)?\(?([-+]?\d)\)?)?")
_MAX_LENGTH = 60


@lru_cache(maxsize=1024)
def parse_spelled_unit(text: str) -> SpelledUnit | None:
    """Return the unit that a column header names, or None if it is not understood exactly.

    Parameters
    ----------
    text
        Unit without the brackets around it. It may begin with a number.

    Returns
    -------
    SpelledUnit or None
        Factor to s, rad and rad/s, with the powers of angle and time.

    Examples
    --------
    >>> parse_spelled_unit("deg/h").dimension, round(parse_spelled_unit("rpm").factor, 6), parse_spelled_unit("10 ms").factor
    ('rate', 0.10472, 0.01)
    >>> parse_spelled_unit("degrees per second") == parse_spelled_unit("deg s^-1"), parse_spelled_unit("LSB")
    (True, None)
    """
    if len(text) > _MAX_LENGTH:
        return None
    scale, remaining = 1.0, text.strip().translate(_SUPERSCRIPTS)
    number = _NUMBER.match(remaining)
    if number is not None:
        scale, remaining = float(number[1]), remaining[number.end() :]
    if not 0.0 < scale < math.inf:
        return None
    remaining = re.sub(r"(?:^|[\s_])per[\s_]", "/", remaining)
    remaining = re.sub(r"(?<=[^\W_])_(?=[^\W_])", " ", remaining)
    pieces = [piece.strip() for piece in remaining.split("/")]
    if len(pieces) > 2:
        return None
    unit = SpelledUnit(scale, 0, 0)
    for sign, piece in zip((1, -1), pieces, strict=False):
        parsed = _parse_product(piece)
        if parsed is None:
            return None
        unit = _multiply(unit, parsed, sign)
    if (unit.angle, unit.time) == (0, -1):  # 1/s is read as rad/s, since a radian has no dimension
        unit = unit._replace(angle=1)
    return (
        unit
        if math.isfinite(unit.factor) and unit.factor > 0.0 and (unit.angle, unit.time) != (0, 0)
        else None
    )


def unit_factor(text: str, dimension: str) -> float | None:
    """Return the factor of a spelled unit to s, rad or rad/s, or None if it has another dimension than `dimension`."""
    unit = parse_spelled_unit(text)
    return unit.factor if unit is not None and unit.dimension == dimension else None


def _parse_product(text: str) -> SpelledUnit | None:
    """Return the product of units with powers, separated by blanks, dots or stars, or None."""
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    unit, position = SpelledUnit(1.0, 0, 0), 0
    while position < len(text):
        term = _TERM.match(text, position)
        base = None if term is None else _find_unit(term[1])
        if term is None or base is None:
            return None
        unit, position = _multiply(unit, base, int(term[2] or 1)), term.end()
        position += len(text[position:]) - len(text[position:].lstrip(" *·⋅."))
    return unit if text else None


def _multiply(unit: SpelledUnit, other: SpelledUnit, power: int) -> SpelledUnit:
    try:
        factor = unit.factor * other.factor**power
    except OverflowError:
        factor = math.inf
    return SpelledUnit(factor, unit.angle + power * other.angle, unit.time + power * other.time)


def _find_unit(word: str) -> SpelledUnit | None:
    """Return the unit of a single word, or None. Case matters in prefixes and in units of one or two letters."""
    if word == "1":
        return SpelledUnit(1.0, 0, 0)
    for spelling in (word, word.lower()):
        if spelling == word or len(word) > 2:
            unit = _UNPREFIXABLE.get(spelling) or _PREFIXABLE.get(spelling)
            if unit is not None and spelling not in _ALONE_ONLY:
                return unit
    for prefix, factor in _PREFIXES.items():
        stem = word[len(prefix) :]
        is_prefixed = word.startswith(prefix) or (len(prefix) > 1 and word.lower().startswith(prefix))
        # In a word of capitals, M could mean milli or mega.
        base = _PREFIXABLE.get(stem) or (
            _PREFIXABLE.get(stem.lower()) if len(stem) > 2 and not word.isupper() else None
        )
        if is_prefixed and base is not None and not (base.time != -1 and prefix in _LARGE_PREFIXES):
            return base._replace(factor=factor * base.factor)
    return None
