"""Characters of numbers and symbols that people read, the same in windows, figures, pages and lessons."""

from __future__ import annotations

NO_BREAK = "\u00a0"
"""A space at which no line ends: a number and its unit stay together."""
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"


def superscript(number: int) -> str:
    """⁻¹² of -12."""
    return str(number).translate(_SUPERSCRIPT)


def power_of_ten(exponent: int) -> str:
    """10⁻⁷ of -7."""
    return f"10{superscript(exponent)}"


def numbered(symbol: str, count: int) -> list[str]:
    """A symbol for each of `count` things: f where there is one, else f₁ to f₉, and f again for those beyond."""
    if count == 1:
        return [symbol]
    return [symbol + _SUBSCRIPTS[place : place + 1] for place in range(count)]
