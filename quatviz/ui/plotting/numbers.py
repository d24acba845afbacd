"""Numbers as people read them: a true minus, powers as superscripts, as many digits as the scale resolves."""

from __future__ import annotations

import math

from quatviz.core.typography import power_of_ten

MINUS = "\u2212"
MISSING = "–"


def fixed(value: float, decimals: int, signed: bool = False) -> str:
    """`value` with a fixed number of decimals, so that its digits keep their places while it changes."""
    if not math.isfinite(value):
        return MISSING
    if round(value, decimals) == 0:
        value = 0.0  # no negative zero
    text = f"{abs(value):.{decimals}f}"
    if value < 0:
        return MINUS + text
    return "+" + text if signed else text


def scientific(value: float, decimals: int = 1) -> str:
    """`value` as 1.2×10⁻⁷; an exact zero is 0."""
    if not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    mantissa, exponent = f"{abs(value):.{decimals}e}".split("e")
    return f"{MINUS if value < 0 else ''}{mantissa}×{power_of_ten(int(exponent))}"


def decimals_for(step: float) -> int:
    """Decimals that tell two ticks `step` apart."""
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0


def nice_step(span: float, intervals: int) -> float:
    """The least of 1, 2, 5 times a power of ten that cuts `span` into at most `intervals`."""
    raw = span / max(intervals, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= raw * (1 - 1e-9):
            return factor * power
    return 10.0 * power


def tick_step(low: float, high: float, least: int) -> float:
    """The greatest of 1, 2, 5 times a power of ten with at least `least` multiples in [low, high]."""
    step = nice_step(high - low, 1)
    while len(ticks(low, high, step)) < least:
        step = nice_step(step * 0.39, 1)  # the next of 1, 2, 5 below
    return step


def ticks(low: float, high: float, step: float) -> list[float]:
    """Multiples of `step` within [low, high]."""
    first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
    return [index * step for index in range(first, last + 1)]
