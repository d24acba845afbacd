"""Units that a person types behind a number: "15000 kg cm^2" where kg m^2 is meant, "30 deg" where rad is.

A unit is a product of symbols with prefixes and whole powers. An angle is a dimension of its own here: a number of degrees is no
plain number.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from quatviz.base.errors import InputError, listed, phrase
from quatviz.base.expression import constant, explicit, fault_in
from quatviz.base.formatting import number, number_text, unit_text
from quatviz.base.translation import told, tr


@dataclass(frozen=True)
class Unit:
    """`size` times pi to the power `turns`, in units of kg, m, s and rad, whose powers are its `dimension`: 15000 kg cm^2 are 1.5
    kg m^2 to the last digit so."""

    size: Fraction
    dimension: tuple[int, ...] = (0, 0, 0, 0)
    turns: int = 0

    def times(self, other: "Unit", power: int) -> "Unit":
        """With another one, raised to a power, as a factor."""
        dimension = (mine + power * its for mine, its in zip(self.dimension, other.dimension, strict=True))
        return Unit(self.size * other.size**power, tuple(dimension), self.turns + power * other.turns)


_KILOGRAM, _METRE, _SECOND, _RADIAN = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_DEGREE = Unit(Fraction(1, 180), _RADIAN, 1)
_PREFIXED = {
    "g": Unit(Fraction(1, 1000), _KILOGRAM),
    "m": Unit(Fraction(1), _METRE),
    "s": Unit(Fraction(1), _SECOND),
    "rad": Unit(Fraction(1), _RADIAN),
    "N": Unit(Fraction(1), (1, 1, -2, 0)),
    "Nm": Unit(Fraction(1), (1, 2, -2, 0)),
    "J": Unit(Fraction(1), (1, 2, -2, 0)),
}
_PREFIXES = {
    "": 0, "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "d": -1, "k": 3, "M": 6, "G": 9
}  # fmt: skip
SYMBOLS = {
    **{
        prefix + symbol: Unit(unit.size * Fraction(10) ** power, unit.dimension)
        for symbol, unit in _PREFIXED.items()
        for prefix, power in _PREFIXES.items()
    },
    "1": Unit(Fraction(1)),
    **dict.fromkeys(("deg", "degree", "degrees", "°"), _DEGREE),
    "rev": Unit(Fraction(2), _RADIAN, 1),
    "rpm": Unit(Fraction(1, 30), (0, 0, -1, 1), 1),
    "sec": Unit(Fraction(1), _SECOND),
    "min": Unit(Fraction(60), _SECOND),
    "h": Unit(Fraction(3600), _SECOND),
}
"""What each symbol stands for. A tonne has none: `t` is the time."""
_TERM = re.compile(r"\s*([/*·]?)\s*([A-Za-zµμ]+|°|1(?![\d.]))(?:(?:\^|\*\*)?(-?\d)|(⁻?[¹²³]))?")
_BEHIND, _LETTERS = (
    re.compile(r"\s*[-+−]?[\d.,]+(?:[eE][-+]?\d+)?\s*([A-Za-zµμ°].*)"),
    re.compile(r"[A-Za-zµμ]+"),
)
_RAISED = str.maketrans("⁻¹²³", "-123")
_PI = re.compile(r"\bpi\b")


@lru_cache(maxsize=256)
def unit_of(text: str) -> Unit | None:
    """The unit that a text writes; None where it writes none.

    >>> unit_of("kg cm²").size, unit_of("N m s") == unit_of("kg m^2/s"), unit_of("sin")
    (Fraction(1, 10000), True, None)
    """
    found, at = Unit(Fraction(1)), 0
    while term := _TERM.match(text, at):
        over, symbol, power, raised = term.groups()
        if symbol not in SYMBOLS:
            return None
        each = int(power or (raised or "1").translate(_RAISED))
        found, at = found.times(SYMBOLS[symbol], -each if over == "/" else each), term.end()
    return found if text[at:].strip() == "" and any(map(str.isalpha, text.replace("°", "d"))) else None


def in_unit(text: str, unit: str) -> str | None:
    """The number, or the expression, that a person types, as a text without a unit: that of a number of `unit`. As it is where no
    unit is typed; None where that is one of another dimension, and where pi alone is typed for degrees, for it is meant in rad.

    >>> [in_unit(text, "kg m^2") for text in ("2", "15000 kg cm^2", "3 s")]
    ['2', '1.5', None]
    >>> [in_unit(text, "deg") for text in ("30°", "pi/4 rad", "pi/4")]
    ['30', '45', None]
    """
    wanted = unit_of(unit)
    for at in range(1, len(text)):
        head, typed = text[:at].strip(), unit_of(text[at:])
        if typed is None or text[at].isdigit() or fault_in(explicit(head)) is not None:
            continue  # 51/s is no 5 of 1/s
        if wanted is None or typed.dimension != wanted.dimension:
            return None
        return _times(head, wanted, typed)
    return None if wanted is not None and wanted.turns and _PI.search(explicit(text)) else text


def _times(text: str, wanted: Unit, typed: Unit) -> str:
    """A number of one unit as one of another."""
    ratio, turns = typed.size / wanted.size, typed.turns - wanted.turns
    if ratio == 1 and not turns:
        return text
    value = constant(text)
    if value is None:
        return f"{float(ratio) * math.pi**turns!r}*({explicit(text)})"
    try:
        found = float(Fraction(repr(value)) * ratio) * math.pi**turns
    except OverflowError:
        return "1e999"  # which is refused as too large
    return number_text(found if turns >= 0 else float(f"{found:.15g}"))  # pi/4 rad are 45 deg


def typed_number(text: str, unit: str) -> float | None:
    """The number that a person types, or that of an expression, of `unit` and with that or one of its kind behind it; None for
    anything else."""
    return constant(in_unit(text.strip(), unit) or "")


def number_in(
    text: str,
    place: str,
    topic: str,
    *,
    unit: str = "",
    above: float = -math.inf,
    expected: str = "a number",
    example: str = "0.1",
) -> float:
    """A `typed_number`, finite and `above` a limit; an `InputError` of its `place`, with what was `expected`, for anything else."""
    value = typed_number(text, unit)
    if value is None or not above < value < math.inf:
        raise InputError(
            place, expected=expected, found=repr(text.strip()),
            remedy=phrase("write for example {example}", example=example), topic=topic,
        )  # fmt: skip
    return value


def numbers_in(text: str) -> list[str]:
    """Each of the numbers that a text writes beside each other, as a table or a program writes a vector or a matrix; none where it
    is anything else.

    >>> numbers_in("1,5\\t2 3"), numbers_in("array([[1., 0],\\n [0, 2e3]])"), numbers_in("1;2"), numbers_in("2 t")
    (['1,5', '2', '3'], ['1.', '0', '0', '2e3'], ['1', '2'], [])
    >>> numbers_in("[[4,0,0],[0,3,0]]"), numbers_in("4,0,0\\n0,3,0"), numbers_in("1,000,000")
    (['4', '0', '0', '0', '3', '0'], ['4', '0', '0', '0', '3', '0'], [])
    """
    parts = re.sub(r"[\w.]*array\b|[][(){};]|,(?=[\s[])", " ", text).split()
    found = [one for part in parts for one in _beside(part)]
    return found if all(number(one) is not None for one in found) else []


def _beside(part: str) -> list[str]:
    """The numbers between commas, of which there are two or more: one is a decimal comma, or may be, and none stands between
    thousands."""
    found = part.split(",")
    one = number(part) is not None or len(found) == 2 or any(re.match(r"0\d", other) for other in found)
    return [part] if one else found


def _no_unit(text: str) -> str:
    """The first letters behind a number that are no unit; none where all are.

    >>> [_no_unit(text) for text in ("0,35 t m^2", "3 kg", "1.5 ft", "pi/4", "2 t")]
    ['t', '', 'ft', '', 't']
    """
    behind = _BEHIND.match(text)
    symbols = _LETTERS.findall(behind[1]) if behind else ()
    return next((symbol for symbol in symbols if symbol not in SYMBOLS), "")


def no_number(texts: Iterable[str], unit: str, counts: Iterable[int] = ()) -> str:
    """Why these are refused where a number of this unit is expected, as lines for people; or so many at once as one of the
    `counts`, for all fields beside each other."""
    typed = list(texts)
    many = next((count for count in map(len, map(numbers_in, typed)) if count > 1), 0)
    quoted = ", ".join(f"“{text}”" if text.strip() else tr("nothing") for text in typed)
    wanted = tr("a number in {unit}", unit=unit_text(unit)) if unit else tr("a number")
    foreign = next((text.strip() for text in typed if in_unit(text, unit) is None), None)
    angle = constant(foreign) if foreign is not None else None
    strange = next(filter(None, map(_no_unit, typed)), "") if unit else ""
    if many:
        remedy = tr("write one number, for these are {many}", many=many)
        if fit := listed(map(str, counts), "or"):
            remedy = tr(
                "write one number, or {fit} for all fields: these are {many}", fit=told(fit), many=many
            )
    elif foreign is None and strange == "t":
        remedy = tr("“t” is no unit here, for it is the time: a tonne is 1 Mg")
    elif foreign is None and strange:
        remedy = tr("“{symbol}” is no unit here: write it in kg, m, s, rad, deg, N or J", symbol=strange)
    elif foreign is None:
        remedy = tr("write it like 0.25, 0,25 or -1e-3, with no mark between thousands")
    elif angle is not None:
        said = f"{angle:.3g} {unit}"
        remedy = tr("write {radians} rad, or {degrees} if you mean that", radians=foreign, degrees=said)
    else:
        remedy = tr("write it in that unit, or in one of the same kind") if unit else tr("leave out the unit")
    return tr(
        "Expected {wanted}.\nFound {quoted}.\nTry: {remedy}.", wanted=wanted, quoted=quoted, remedy=remedy
    )
