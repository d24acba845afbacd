"""Parsing of a time typed by the user."""

import re

from quatviz.base.errors import InputError, phrase
from quatviz.base.expression import parse_constant
from quatviz.base.formatting import quote_excerpt
from quatviz.base.units import parse_number_in_unit

_DECORATION = re.compile(r"^\s*t\s*=|⁻")
"""Pattern of characters that are displayed with a time, such as "t =". The user may leave them in the text."""


def parse_time(text: str, end: float) -> float:
    """Return a time of the run [s] from a number or an expression.

    Parameters
    ----------
    text
        Typed text, with optional "t =" and unit.
    end
        End of the run [s].

    Raises
    ------
    InputError
        If the text is not a time from 0 to `end`.

    Examples
    --------
    >>> [parse_time(text, 90.0) for text in ("t = 2,5⁻ s", "3/4", "1 min")]
    [2.5, 0.75, 60.0]
    """
    number_text = _DECORATION.sub("", text).strip()
    time = parse_number_in_unit(number_text, "s")
    if time is None or not 0.0 <= time <= end:
        remedy = phrase("write a time from 0 to {end:g} s", end=end)
        if time is None and parse_constant(number_text.replace(",", ".")) is not None:
            remedy = phrase("a comma could separate thousands: write a decimal point")
        raise InputError(
            "The time",
            expected=phrase("a time of the run, from 0 to {end:g} s", end=end),
            found=phrase("“{text}” is not a time of this run", text=quote_excerpt(text.strip())),
            remedy=remedy,
            topic="time#step",
        )
    return time
