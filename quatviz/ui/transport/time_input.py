"""A time of the run that a person types."""

import re

from quatviz.base.errors import InputError, phrase
from quatviz.base.expression import parse_constant
from quatviz.base.units import parse_number_in_unit

_DECORATION = re.compile(r"^\s*t\s*=|⁻")
"""What stands around the number where the time is shown, and may stay there."""


def parse_time(text: str, end: float) -> float:
    """A time [s] of a run that ends at `end`, from a number or an expression. `InputError` for anything else.

    >>> [parse_time(text, 90.0) for text in ("t = 2,5⁻ s", "3/4", "1 min")]
    [2.5, 0.75, 60.0]
    """
    number_text = _DECORATION.sub("", text).strip()
    time = parse_number_in_unit(number_text, "s")
    if time is None or not 0.0 <= time <= end:
        remedy = phrase("write a time from 0 to {end:g} s", end=end)
        if time is None and parse_constant(number_text.replace(",", ".")) is not None:
            remedy = phrase("its comma may stand between thousands: write a point")
        raise InputError(
            "The time",
            expected=phrase("a time of the run, from 0 to {end:g} s", end=end),
            found=phrase("“{text}” is no time of this run", text=text.strip()),
            remedy=remedy,
            topic="time#step",
        )
    return time
