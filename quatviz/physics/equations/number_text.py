"""What a card says of a moment: numbers of one size beside each other, and what lambda is made of."""

import math
from collections.abc import Sequence

from quatviz.base.formatting import MINUS, MISSING, fixed, scientific
from quatviz.base.translation import tr
from quatviz.physics.equations.evaluation_point import Point


def exponent_of(greatest: float) -> int:
    """The power of ten that is taken out of all numbers: 0 where they can be read as they are."""
    if greatest == 0.0 or 1e-2 <= greatest < 1e4:
        return 0
    return 3 * math.floor(math.log10(greatest) / 3.0)


def component_text(value: float, greatest: float) -> str:
    """A component among others, of which the largest is so great: digits keep their places."""
    if not math.isfinite(value):
        return MISSING
    return fixed(value, min(max(4 - math.floor(math.log10(max(greatest, 1e-9))), 0), 4))


def lambda_text(at: Point, terms: Sequence[str] | None) -> str:
    """The multiplier, and what it is in theory: the sum of these terms, where they are known."""
    found = f"λ = {_number(at.lam)} J"
    if terms is None:
        return found
    parts = at.theory(terms)
    if not parts:
        return tr("{found}; in theory 0", found=found)
    names = " + ".join(name.removeprefix("+") for name in parts).replace("+ −", "− ")
    numbers = " + ".join(_number(value) for value in parts.values()).replace(f"+ {MINUS}", f"{MINUS} ")
    return tr(
        "{found}; in theory {names} = {numbers} = {values} J",
        found=found,
        names=names,
        numbers=numbers,
        values=_number(sum(parts.values())),
    )


def _number(value: float) -> str:
    if value == 0.0 or not math.isfinite(value) or 1e-3 <= abs(value) < 1e5:
        return fixed(value, 4 if abs(value) < 1e3 else 2)
    return scientific(value, 3)
