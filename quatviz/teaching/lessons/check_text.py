"""Numbers as words state them: the value of a check, with its unit."""

import re
from collections.abc import Mapping

from quatviz.base.formatting import NO_BREAK, power_of_ten, true_minus
from quatviz.base.markdown import pieces
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.teaching.lessons.model import Check

NAME = re.compile(r"\{([A-Za-z_]\w*)\}")
"""A check's name in words. In formulae braces are LaTeX's own."""
_ANGLE = "orientation_error"

COLUMNS: dict[str, tuple[Quantity, int]] = {
    column: (quantity, row) for quantity in QUANTITIES.values() for row, column in enumerate(quantity.columns)
}
"""Which component of which quantity a column of a table is."""
SIZES: dict[str, Quantity] = {f"|{name}|": one for name, one in QUANTITIES.items() if len(one.symbols) > 1}
"""Lengths of vectors."""


def unit_of(check: Check) -> str:
    """The unit of what is measured."""
    if check.over or check.status is not None:
        return ""
    if check.measure in ("crossing", "period", "end"):
        return "s"
    own = (
        "rad" if check.quantity == _ANGLE else (SIZES.get(check.quantity) or COLUMNS[check.quantity][0]).unit
    )
    if check.measure != "slope":
        return own
    return {"": "1/s", "s": ""}.get(own, f"{own}/s")


def is_quantity(name: str) -> bool:
    """Whether there is a curve of this name."""
    return name in COLUMNS or name in SIZES or name == _ANGLE


def number(value: float) -> str:
    """A number as a person writes it: 9.20942, 1.6·10⁻⁵."""
    digits = f"{value:.12g}"
    head, mark, power = digits.partition("e")
    if not mark:
        return true_minus(digits)
    ten = power_of_ten(int(power))
    return ten if head == "1" else f"{true_minus(head)}·{ten}"


def stated(check: Check) -> str:
    """What stands in the words in place of a check's name."""
    if check.number is None:
        return (check.status or "").replace("_", " ")
    unit = unit_of(check)
    said = number(check.number)
    return f"{said}°" if unit == "deg" else f"{said} {unit}".replace(" ", NO_BREAK) if unit else said


def filled(words: str, checks: Mapping[str, Check]) -> str:
    """The words with the numbers in place of names, outside of formulae. KeyError for a name that no check has."""

    def fill(said: str) -> str:
        return NAME.sub(lambda found: stated(checks[found[1]]), said)

    return "".join(said if is_formula else fill(said) for said, is_formula in pieces(words))


def names_in(words: str) -> list[str]:
    """The names of checks in words, outside of formulae."""
    return [name for said, is_formula in pieces(words) if not is_formula for name in NAME.findall(said)]
