"""From a value that somebody supplied to the number, text or array that a parameter declares."""

from __future__ import annotations

import difflib
import math
import numbers
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from quatviz.core.errors import Phrase, Refusal, phrase
from quatviz.core.expression import BadExpression, Expression

if TYPE_CHECKING:
    from quatviz.core.parameters import Parameter

_LONGEST_SHOWN = 120


def coerced(declaration: Parameter, value: Any) -> Any:
    """`value` as `declaration` wants it, or a `Refusal` whose key is the parameter's name."""
    if value is None and declaration.optional:
        return None
    if declaration.timed and _has_expression(value):
        value = _with_expressions(declaration, value)
        if _has_expression(value):
            return value
    if declaration.shape:
        return _array(declaration, value)
    if declaration.kind is str:
        return _text(declaration, value)
    if declaration.kind is bool:
        return _truth(declaration, value)
    return _scalar(declaration, value)


def shape_in_words(shape: tuple[int, ...], kind: type = float) -> Phrase:
    """ "a number", "3 numbers", "3 rows of 3 numbers", "a text", "true or false"."""
    if not shape:
        return _SCALARS.get(kind, phrase("a number"))
    if len(shape) == 1:
        return phrase("{count} numbers", count=shape[0])
    return phrase("{count} rows of {rest}", count=shape[0], rest=shape_in_words(shape[1:]))


_SCALARS = {str: phrase("a text"), bool: phrase("true or false"), int: phrase("a whole number")}


def shown(value: Any) -> str:
    """`value` as a refusal quotes it: one line, not too long."""
    plain = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    try:
        text = " ".join(repr(plain).split())
    except ValueError:  # an integer of more digits than Python writes
        return phrase("a number of thousands of digits")
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def has_time(value: Any) -> bool:
    """Whether a coerced value is, or holds, an expression of time."""
    return _has_expression(value)


def plain(value: Any) -> Any:
    """A coerced value as texts and numbers, in lists where it has several."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _has_expression(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_has_expression(item) for item in value)
    return isinstance(value, (str, Expression))


def _with_expressions(declaration: Parameter, value: Any) -> Any:
    """The value with its texts read: an expression, a number where time is not in it, or a tuple of both."""
    if not isinstance(value, (list, tuple)):
        if declaration.shape:
            raise _refusal(
                declaration,
                shown(value),
                phrase("give {shape}, in brackets", shape=shape_in_words(declaration.shape)),
            )
        return _read(declaration, value)
    if (len(value),) != declaration.shape:
        raise _refusal(
            declaration,
            phrase("{count} values: {value}", count=len(value), value=shown(value)),
            phrase("give {shape}", shape=shape_in_words(declaration.shape)),
        )
    numbers_alone = [item for item in value if not isinstance(item, (str, Expression))]
    if not all_numbers(numbers_alone) or any(np.ndim(number) for number in numbers_alone):
        raise _refusal(declaration, shown(value), "write numbers, or texts with an expression of t")
    if not all(abs(number) <= sys.float_info.max for number in numbers_alone):
        raise _refusal(declaration, shown(value), "replace inf and nan by finite numbers")
    read = [_read(declaration, item, place) for place, item in enumerate(value, 1)]
    return tuple(item if isinstance(item, Expression) else float(item) for item in read)


def _read(declaration: Parameter, value: Any, element: int = 0) -> Any:
    """One value: a text as what it says; a number stays one. Elements of an array are counted from 1."""
    try:
        found = Expression(value) if isinstance(value, str) else value
    except BadExpression as bad:
        place, found = declaration.name, bad.found
        if element:
            place, found = (
                phrase("{what}, element {element}", what=what, element=element) for what in (place, found)
            )
        raise Refusal(
            place, expected=bad.expected, found=found, remedy=bad.remedy, key=declaration.name
        ) from None
    return float(found.at(np.zeros(1))[0]) if isinstance(found, Expression) and found.is_constant else found


def _array(declaration: Parameter, value: Any) -> np.ndarray:
    if not all_numbers(value):
        raise _refusal(declaration, shown(value), "write numbers in brackets, without quotes")
    try:
        array = np.array(value, dtype=np.float64)
    except ValueError:
        raise _refusal(
            declaration, phrase("rows of unequal length: {rows}", rows=shown(value)), "make them equal"
        ) from None
    except OverflowError:
        raise _refusal(declaration, shown(value), "write smaller numbers") from None
    if array.shape != declaration.shape:
        raise _refusal(
            declaration,
            phrase("{shape}: {value}", shape=shape_in_words(array.shape), value=shown(value)),
            phrase("give {shape}", shape=shape_in_words(declaration.shape)),
        )
    _refuse_outside(declaration, array, value)
    array.setflags(write=False)
    return array


def _scalar(declaration: Parameter, value: Any) -> float | int:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, (list, tuple, np.ndarray)) or not all_numbers(value):
        raise _refusal(declaration, shown(value), "write one number, without quotes or brackets")
    try:
        number = float(value)
    except OverflowError:
        raise _refusal(declaration, shown(value), "write a smaller number") from None
    _refuse_outside(declaration, np.asarray(number), value)
    if declaration.kind is not int:
        return number
    if not number.is_integer():
        raise _refusal(
            declaration,
            shown(value),
            phrase("write {below} or {above}", below=math.floor(number), above=math.ceil(number)),
        )
    return int(value)


def _text(declaration: Parameter, value: Any) -> str:
    if not isinstance(value, str):
        raise _refusal(declaration, shown(value), "write a text in quotes")
    if declaration.choices is not None and value not in declaration.choices:
        remedy = suggestion(value, declaration.choices, otherwise="choose one of these")
        raise _refusal(declaration, shown(value), remedy)
    return str(value)


def _truth(declaration: Parameter, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _refusal(declaration, shown(value), "write true or false, without quotes")
    return bool(value)


def all_numbers(value: Any) -> bool:
    """Whether numbers are all there is: numpy would read the text "1" and the truth value too."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iuf"
    if isinstance(value, (list, tuple)):
        return all(all_numbers(item) for item in value)
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _refuse_outside(declaration: Parameter, array: np.ndarray, value: Any) -> None:
    """Refuse what is not finite or beyond the declared limits, in any element."""
    if not np.isfinite(array).all():
        raise _refusal(declaration, shown(value), "replace inf and nan by finite numbers")
    too_low = declaration.minimum is not None and (array < declaration.minimum).any()
    too_low = too_low or (declaration.above is not None and (array <= declaration.above).any())
    if too_low:
        raise _refusal(declaration, shown(value), "choose a larger value")
    if declaration.maximum is not None and (array > declaration.maximum).any():
        raise _refusal(declaration, shown(value), "choose a smaller value")


def suggestion(given: str, names: Iterable[str], otherwise: str) -> str:
    """A remedy for a misspelt name: the nearest of `names` if one is near, else `otherwise`."""
    near = difflib.get_close_matches(given, list(names), n=1, cutoff=0.6)
    return phrase("did you mean {name!r}?", name=near[0]) if near else otherwise


def _refusal(declaration: Parameter, found: str, remedy: str) -> Refusal:
    return Refusal(
        declaration.name,
        expected=declaration.expected,
        found=found,
        remedy=phrase(
            "{remedy} ({title}: {explanation})",
            remedy=phrase(remedy),
            title=phrase(declaration.title),
            explanation=phrase(declaration.explanation),
        ),
        key=declaration.name,
    )
