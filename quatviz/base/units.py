"""Units that a user types after a number: "15000 kg cm^2" for a value in kg m^2, "30 deg" for a value in rad.

A unit is a product of symbols with prefixes and integer powers. Angle is a dimension of its own: a number of
degrees is not a plain number.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from quatviz.base.errors import InputError, join_phrases, phrase
from quatviz.base.expression import (
    MAX_EXPRESSION_LENGTH,
    expression_error,
    insert_product_signs,
    parse_constant,
)
from quatviz.base.formatting import format_number, format_unit, parse_number, quote_excerpt
from quatviz.base.translation import tr


@dataclass(frozen=True)
class Unit:
    """A unit whose size is `size` * pi**`pi_power` in SI units.

    `dimension` contains its exponents of kg, m, s and rad. `size` is a fraction, so that conversions are exact:
    15000 kg cm^2 becomes exactly 1.5 kg m^2.
    """

    size: Fraction
    dimension: tuple[int, ...] = (0, 0, 0, 0)
    pi_power: int = 0

    def multiply(self, other: "Unit", power: int) -> "Unit":
        """Return the product of this unit and another unit raised to `power`."""
        dimension = (
            own_power + power * other_power
            for own_power, other_power in zip(self.dimension, other.dimension, strict=True)
        )
        return Unit(self.size * other.size**power, tuple(dimension), self.pi_power + power * other.pi_power)


_KILOGRAM, _METRE, _SECOND, _RADIAN = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_DEGREE = Unit(Fraction(1, 180), _RADIAN, 1)
_PREFIXABLE_UNITS = {
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
UNIT_SYMBOLS = {
    **{
        prefix + symbol: Unit(unit.size * Fraction(10) ** power, unit.dimension)
        for symbol, unit in _PREFIXABLE_UNITS.items()
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
"""Units by symbol, including prefixes. The tonne is missing because `t` is the time."""
_TERM = re.compile(r"\s*([/*·]?)\s*([A-Za-zµμ]+|°|1(?![\d.]))(?:(?:\^|\*\*)?(-?\d)|(⁻?[¹²³]))?")
_NUMBER_WITH_UNIT, _LETTERS = (
    re.compile(r"\s*[-+−]?[\d.,]+(?:[eE][-+]?\d+)?\s*([A-Za-zµμ°].*)"),
    re.compile(r"[A-Za-zµμ]+"),
)
_SUPERSCRIPT_DIGITS = str.maketrans("⁻¹²³", "-123")
_PI = re.compile(r"\bpi\b")


@lru_cache(maxsize=256)
def parse_unit(text: str) -> Unit | None:
    """Return the unit that a text describes, or None.

    >>> parse_unit("kg cm²").size, parse_unit("N m s") == parse_unit("kg m^2/s"), parse_unit("sin")
    (Fraction(1, 10000), True, None)
    """
    unit, position = Unit(Fraction(1)), 0
    while term := _TERM.match(text, position):
        operator, symbol, power, superscript = term.groups()
        if symbol not in UNIT_SYMBOLS:
            return None
        exponent = int(power or (superscript or "1").translate(_SUPERSCRIPT_DIGITS))
        unit, position = (
            unit.multiply(UNIT_SYMBOLS[symbol], -exponent if operator == "/" else exponent),
            term.end(),
        )
    return unit if text[position:].strip() == "" and any(map(str.isalpha, text.replace("°", "d"))) else None


def convert_to_unit(text: str, unit: str) -> str | None:
    """Convert a typed number or expression, with or without a unit, to a text without a unit.

    Parameters
    ----------
    text
        Number or expression of time, optionally followed by a unit.
    unit
        Unit of the result. A text without a unit is returned unchanged.

    Returns
    -------
    str or None
        Number or expression in `unit`. None if the typed unit has another dimension, or if pi is typed without
        a unit where degrees are expected, since the user then means radians.

    Examples
    --------
    >>> [convert_to_unit(text, "kg m^2") for text in ("2", "15000 kg cm^2", "3 s")]
    ['2', '1.5', None]
    >>> [convert_to_unit(text, "deg") for text in ("30°", "pi/4 rad", "pi/4")]
    ['30', '45', None]
    """
    if len(text) > MAX_EXPRESSION_LENGTH:
        return text  # it is refused, and the search would take very long
    target = parse_unit(unit)
    for position in range(1, len(text)):
        head, typed = text[:position].strip(), parse_unit(text[position:])
        if (
            typed is None
            or text[position].isdigit()
            or expression_error(insert_product_signs(head)) is not None
        ):
            continue  # 51/s must not be split into 5 and 1/s
        if target is None or typed.dimension != target.dimension:
            return None
        return _convert_number(head, target, typed)
    return None if target is not None and target.pi_power and _PI.search(insert_product_signs(text)) else text


def _convert_number(text: str, target: Unit, typed: Unit) -> str:
    """Convert a number or expression from the unit `typed` to the unit `target`."""
    ratio, pi_power = typed.size / target.size, typed.pi_power - target.pi_power
    if ratio == 1 and not pi_power:
        return text
    value = parse_constant(text)
    if value is None:
        return f"{float(ratio) * math.pi**pi_power!r}*({insert_product_signs(text)})"
    try:
        converted = float(Fraction(repr(value)) * ratio) * math.pi**pi_power
    except OverflowError:
        return "1e999"  # rejected later as too large
    return format_number(converted if pi_power >= 0 else float(f"{converted:.15g}"))  # pi/4 rad are 45 deg


def parse_number_in_unit(text: str, unit: str) -> float | None:
    """Return the number that a text describes, in `unit`, or None.

    The text may be a number or a constant expression, with a unit of the same dimension or without one.
    """
    return parse_constant(convert_to_unit(text.strip(), unit) or "")


def require_number(
    text: str,
    place: str,
    topic: str,
    *,
    unit: str = "",
    above: float = -math.inf,
    expected: str = "a number",
    example: str = "0.1",
) -> float:
    """Return the number that a user typed, in `unit`.

    Parameters
    ----------
    text
        Text as accepted by `parse_number_in_unit`.
    place, topic
        Place and help topic of the error.
    unit
        Unit of the result.
    above
        Exclusive lower limit.
    expected, example
        Description and example of the expected input, for the error.

    Raises
    ------
    InputError
        If the text is not a finite number above the limit.
    """
    value = parse_number_in_unit(text, unit)
    if value is None or not above < value < math.inf:
        raise InputError(
            place, expected=expected, found=quote_excerpt(repr(text.strip())),
            remedy=phrase("write for example {example}", example=example), topic=topic,
        )  # fmt: skip
    return value


def split_numbers(text: str) -> list[str]:
    r"""Return the numbers that are listed in a text, such as a vector or matrix written by a table or program. Return
    [] for any other text.

    >>> split_numbers("1,5\t2   3"), split_numbers("array([[1., 0],\n [0, 2e3]])"), split_numbers("1;2"), split_numbers("2 t")
    (['1,5', '2', '3'], ['1.', '0', '0', '2e3'], ['1', '2'], [])
    >>> split_numbers("[[4,0,0],[0,3,0]]"), split_numbers("4,0,0\n0,3,0"), split_numbers("1,000,000")
    (['4', '0', '0', '0', '3', '0'], ['4', '0', '0', '0', '3', '0'], [])
    """
    parts = re.sub(r"(?<![\w.])[\w.]*array\b|[][(){};]|,(?=[\s[])", " ", text).split()
    items = [item for part in parts for item in _split_commas(part)]
    return items if all(parse_number(item) is not None for item in items) else []


def _split_commas(part: str) -> list[str]:
    """Return a text split at its commas if it has at least two and they do not separate thousands.

    A text with a single comma is not split, since this may be a decimal comma.
    """
    items = part.split(",")
    is_single_number = (
        parse_number(part) is not None or len(items) == 2 or any(re.match(r"0\d", other) for other in items)
    )
    return [part] if is_single_number else items


def _unknown_unit(text: str) -> str:
    """Return the first unknown unit symbol (not in `UNIT_SYMBOLS`) after a number, or "" if there is none.

    >>> [_unknown_unit(text) for text in ("0,35 t m^2", "3 kg", "1.5 ft", "pi/4", "2 t")]
    ['t', '', 'ft', '', 't']
    """
    match = _NUMBER_WITH_UNIT.match(text)
    symbols = _LETTERS.findall(match[1]) if match else ()
    return next((symbol for symbol in symbols if symbol not in UNIT_SYMBOLS), "")


def number_error_text(texts: Iterable[str], unit: str, counts: Iterable[int] = ()) -> str:
    """Return lines that explain why typed texts are not numbers in `unit`.

    Parameters
    ----------
    texts
        Typed texts.
    unit
        Expected unit, or "".
    counts
        Accepted lengths of a list of numbers in one text, such as 3 or 9. A pasted list of such a length fills this
        field and its neighbors.
    """
    typed_texts = list(texts)
    number_count = next((count for count in map(len, map(split_numbers, typed_texts)) if count > 1), 0)
    quoted = ", ".join(
        f"“{quote_excerpt(text)}”" if text.strip() else tr("an empty field") for text in typed_texts
    )
    expected_text = tr("a number in {unit}", unit=format_unit(unit)) if unit else tr("a number")
    incompatible_text = next(
        (text.strip() for text in typed_texts if convert_to_unit(text, unit) is None), None
    )
    angle = parse_constant(incompatible_text) if incompatible_text is not None else None
    unknown_symbol = next(filter(None, map(_unknown_unit, typed_texts)), "") if unit else ""
    if number_count:
        remedy = tr("enter one number; you entered {many}", many=number_count)
        if allowed_counts := join_phrases(map(str, counts), "or"):
            remedy = tr(
                "enter one number, or {fit} numbers for all fields; you entered {many}",
                fit=tr(allowed_counts),
                many=number_count,
            )
    elif incompatible_text is None and unknown_symbol == "t":
        remedy = tr("“t” is the time, not a unit: write a tonne as 1 Mg")
    elif incompatible_text is None and unknown_symbol:
        remedy = tr(
            "“{symbol}” is not a known unit: use kg, m, s, rad, deg, N or J",
            symbol=quote_excerpt(unknown_symbol),
        )
    elif incompatible_text is None:
        remedy = tr("write the number like 0.25, 0,25 or -1e-3, without thousands separators")
    elif angle is not None:
        degrees_text = f"{angle:.3g} {unit}"
        remedy = tr(
            "write {radians} rad, or {degrees} if you mean degrees",
            radians=incompatible_text,
            degrees=degrees_text,
        )
    else:
        remedy = tr("use this unit, or another one for the same quantity") if unit else tr("remove the unit")
    return tr(
        "Expected {wanted}.\nFound {quoted}.\nTry: {remedy}.",
        wanted=expected_text,
        quoted=quoted,
        remedy=remedy,
    )
