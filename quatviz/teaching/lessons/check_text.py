"""Texts about checks. They show the value of a check and its unit in a lesson."""

import re
from collections.abc import Mapping

from quatviz.base.formatting import NO_BREAK_SPACE, format_power_of_ten, use_minus_sign
from quatviz.base.markdown import split_formulae
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.teaching.lessons.model import LessonCheck

PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
"""Pattern of the name of a check in braces. It is not applied inside formulas, where braces belong to LaTeX."""
_ORIENTATION_ERROR = "orientation_error"

COLUMNS: dict[str, tuple[Quantity, int]] = {
    column: (quantity, row) for quantity in QUANTITIES.values() for row, column in enumerate(quantity.columns)
}
"""Quantity and index of its component for each column of a table, by name of the column, such as h_2."""
VECTOR_NORMS: dict[str, Quantity] = {
    f"|{name}|": vector for name, vector in QUANTITIES.items() if len(vector.symbols) > 1
}
"""Vector quantities, by the name of their magnitude such as |h|."""


def unit_of(check: LessonCheck) -> str:
    """Return the unit of the value that a check measures, or ""."""
    if check.over or check.status is not None:
        return ""
    if check.measure in ("crossing", "period", "end"):
        return "s"
    unit = (
        "rad"
        if check.quantity == _ORIENTATION_ERROR
        else (VECTOR_NORMS.get(check.quantity) or COLUMNS[check.quantity][0]).unit
    )
    if check.measure != "slope":
        return unit
    return {"": "1/s", "s": ""}.get(unit, f"{unit}/s")


def is_quantity(name: str) -> bool:
    """Return True if `name` is a quantity that a check can measure."""
    return name in COLUMNS or name in VECTOR_NORMS or name == _ORIENTATION_ERROR


def format_number(value: float) -> str:
    """Format a number for a text, such as 9.20942 or 1.6·10⁻⁵."""
    digits = f"{value:.12g}"
    mantissa, exponent_mark, exponent = digits.partition("e")
    if not exponent_mark:
        return use_minus_sign(digits)
    power_text = format_power_of_ten(int(exponent))
    return power_text if mantissa == "1" else f"{use_minus_sign(mantissa)}·{power_text}"


def format_check_value(check: LessonCheck) -> str:
    """Return the text that replaces the name of a check in a lesson: the value that the lesson states, with its unit, or a
    status."""
    if check.stated_value is None:
        return (check.status or "").replace("_", " ")
    unit = unit_of(check)
    text = format_number(check.stated_value)
    return f"{text}°" if unit == "deg" else f"{text} {unit}".replace(" ", NO_BREAK_SPACE) if unit else text


def fill_placeholders(words: str, checks: Mapping[str, LessonCheck]) -> str:
    """Replace names of checks in braces by the values that the checks state. Formulas are left unchanged.

    Raises
    ------
    KeyError
        If there is no check for a name in braces.
    """

    def fill(text: str) -> str:
        return PLACEHOLDER.sub(lambda match: format_check_value(checks[match[1]]), text)

    return "".join(piece if is_formula else fill(piece) for piece, is_formula in split_formulae(words))


def placeholder_names(words: str) -> list[str]:
    """Return the names of checks that a text contains in braces. Formulas are not searched."""
    return [
        name
        for piece, is_formula in split_formulae(words)
        if not is_formula
        for name in PLACEHOLDER.findall(piece)
    ]
