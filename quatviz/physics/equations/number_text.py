"""Numbers on an equation card: components with a common exponent, and lambda with its theoretical value."""

import math
from collections.abc import Sequence

from quatviz.base.formatting import MINUS_SIGN, MISSING_VALUE, format_fixed, format_scientific
from quatviz.base.translation import tr
from quatviz.physics.equations.evaluation_point import EvaluationPoint


def common_exponent(largest: float) -> int:
    """Return the exponent of the power of ten that is factored out of components of at most `largest`.

    It is a multiple of 3, and 0 if the components are readable without a power of ten.
    """
    if largest == 0.0 or 1e-2 <= largest < 1e4:
        return 0
    return 3 * math.floor(math.log10(largest) / 3.0)


def format_component(value: float, largest: float) -> str:
    """Return a component as text. The number of decimals suits a vector whose largest component is `largest`."""
    if not math.isfinite(value):
        return MISSING_VALUE
    return format_fixed(value, min(max(4 - math.floor(math.log10(max(largest, 1e-9))), 0), 4))


def format_lambda(at: EvaluationPoint, terms: Sequence[str] | None) -> str:
    """Return the multiplier as text, followed by its theoretical value, which is the sum of `terms`.

    If `terms` is None, the theoretical value is omitted.
    """
    measured_text = f"λ = {_format_number(at.lam)} J"
    if terms is None:
        return measured_text
    terms_in_theory = at.theoretical_terms(terms)
    if not terms_in_theory:
        return tr("{measured}; theory: 0", measured=measured_text)
    names = " + ".join(name.removeprefix("+") for name in terms_in_theory).replace("+ −", "− ")
    if len(terms_in_theory) == 1:
        (value,) = terms_in_theory.values()
        return tr(
            "{measured}; theory: {names} = {value} J",
            measured=measured_text,
            names=names,
            value=_format_number(value),
        )
    numbers = " + ".join(_format_number(value) for value in terms_in_theory.values()).replace(
        f"+ {MINUS_SIGN}", f"{MINUS_SIGN} "
    )
    return tr(
        "{measured}; theory: {names} = {numbers} = {values} J",
        measured=measured_text,
        names=names,
        numbers=numbers,
        values=_format_number(sum(terms_in_theory.values())),
    )


def _format_number(value: float) -> str:
    if value == 0.0 or not math.isfinite(value) or 1e-3 <= abs(value) < 1e5:
        return format_fixed(value, 4 if abs(value) < 1e3 else 2)
    return format_scientific(value, 3)
