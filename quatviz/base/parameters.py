"""Parameters declared once: the same declaration validates a value now and builds its widget later.

A class that takes parameters is a frozen dataclass whose fields are made by `parameter(...)` and whose
`__post_init__` calls `validate(self)`:

    @dataclass(frozen=True, eq=False)
    class Gravity(ArrayEquality):
        weight: float = parameter(unit="N", minimum=0, explanation="weight of the body")
        center: Numbers = parameter(unit="m", shape=(3,), explanation="center of mass, from the pivot")

        def __post_init__(self) -> None:
            validate(self)

The annotation of a scalar says what it is (`float`, `int`, `bool`, `str`, or one of these `| None`); it
must be readable at run time. A field with a shape is a float64 array whatever its annotation is;
the annotation `Numbers` documents this.
"""

import dataclasses
import inspect
import math
import numbers
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias, TypeVar

import numpy as np

from quatviz.base.errors import InputError, Phrase, join_phrases, phrase, suggest_name
from quatviz.base.expression import Expression, ExpressionError
from quatviz.base.formatting import (
    CONTROL_CHARACTERS,
    capitalize_first,
    format_number,
    quote_excerpt,
    split_key,
)
from quatviz.base.help_topics import DEFAULT_TOPIC

Numbers: TypeAlias = Any
"""Array-like input. After `validate` it is a read-only float64 array of the declared shape; in a `timed` field that
contains an expression of time it is a tuple of numbers and `Expression`s."""
Timed: TypeAlias = Any
"""A number or the text of an expression of time. After `validate` it is a float or an `Expression`."""

MAX_MAGNITUDE, MIN_MAGNITUDE = 1e60, 1e-60
"""Largest accepted magnitude of a number, and smallest accepted value of a positive length, mass or time.

Beyond these limits squares and cubes overflow or underflow, which every equation would have to handle. For
comparison, the observable universe has a mass of 1e53 kg.
"""

Declared = TypeVar("Declared")
_METADATA = "quatviz.parameter"


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """Meaning and accepted values of one parameter.

    `unit` is SI text such as "kg m^2", or empty for a dimensionless parameter. `shape` is the shape of the array,
    or empty for a scalar, and `value_type` the type of each element. `minimum` and `maximum` are inclusive limits
    and `above` is an exclusive lower limit; they apply to each element of an array. `optional` allows None, which
    means "not given". `symbols` names the elements of a vector, or the diagonal of a matrix, separated by blanks.
    `span` is the range of the slider, for parameters whose accepted range is too large for one.
    """

    explanation: str
    unit: str = ""
    shape: tuple[int, ...] = ()
    default: Any
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] | None = None
    symbols: str = ""
    span: tuple[float, float] | None = None
    title: str = ""
    name: str = ""
    value_type: type = float
    optional: bool = False
    max_length: int | None = None
    """Largest number of characters of a text. A text shown in one line is measured while it is painted, so it must
    be limited."""
    multiline: bool = False
    """True if a text may have several lines."""
    timed: bool = False
    """True if a number may also be given as the text of an expression of time. Limits apply to numbers only."""

    @property
    def is_required(self) -> bool:
        """True if the value must be given."""
        return self.default is MISSING

    @property
    def element_names(self) -> list[str]:
        """Names of the elements of an array. Those of a matrix are listed row by row."""
        names = self.symbols.split() or [
            str(number + 1) for number in range(self.shape[0] if self.shape else 0)
        ]
        if len(self.shape) < 2:
            return names
        indices = range(self.shape[0])
        return [names[i] if i == j else f"{names[i]}{names[j][-1]}" for i in indices for j in indices]

    @property
    def description(self) -> str:
        """Explanation of the parameter with its default value, as a sentence."""
        text = capitalize_first(self.explanation).removesuffix(".")
        if self.default is MISSING:
            return f"{text}."
        return (
            f"{text}; may be left out."
            if self.default is None
            else f"{text}; {to_plain(self.default)!r} if left out."
        )

    @property
    def expected(self) -> str:
        """Description of the accepted values: "3 numbers [m]", "a number [N], at least 0"."""
        if self.choices is not None:
            return phrase("one of {names}", names=", ".join(repr(choice) for choice in self.choices))
        shape_text = describe_shape(self.shape, self.value_type)
        parts = [phrase("{shape} [{unit}]", shape=shape_text, unit=self.unit) if self.unit else shape_text]
        if self.minimum is not None:
            parts.append(phrase("at least {limit:g}", limit=self.minimum))
        if self.above is not None:
            parts.append(phrase("above {limit:g}", limit=self.above))
        if self.maximum is not None:
            parts.append(phrase("at most {limit:g}", limit=self.maximum))
        if self.max_length is not None:
            parts.append(phrase("at most {limit} characters", limit=self.max_length))
        if self.timed:
            parts.append(phrase("or an expression of t in quotes"))
        return join_phrases(parts)


class Parameterized:
    """Base class of dataclasses with parameters.

    It adds units, limits and defaults of the parameters to the docstring of a subclass, so that `help` shows
    them although they are declared only once.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Add the parameters to the docstring of the subclass.

        Python calls this before the decorator `dataclass` runs, so that new fields are still the objects that
        `parameter` returned.
        """
        super().__init_subclass__(**kwargs)
        own = {name: field for name, field in vars(cls).items() if isinstance(field, dataclasses.Field)}
        fields_by_name = {**getattr(cls, "__dataclass_fields__", {}), **own}
        rows = [
            f"{entry.name} : {entry.expected}\n    {entry.description}"
            for entry in _collect_parameters(cls, fields_by_name).values()
        ]
        docstring = vars(cls).get("__doc__")
        if docstring and rows:
            description, separator, example = inspect.cleandoc(docstring).partition("\n\n>>> ")
            cls.__doc__ = "\n\n".join((description, "Parameters", "\n".join(rows))) + separator + example


def parameter(
    *,
    unit: str = "",
    shape: tuple[int, ...] = (),
    explanation: str,
    default: Any = MISSING,
    minimum: float | None = None,
    above: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] | None = None,
    symbols: str = "",
    span: tuple[float, float] | None = None,
    title: str = "",
    max_length: int | None = None,
    multiline: bool = False,
    timed: bool = False,
) -> Any:
    """Return a dataclass field that carries a `Parameter`; see `Parameter` for the arguments."""
    metadata = {_METADATA: Parameter(**locals())}
    return dataclasses.field(default=default, metadata=metadata)


def parameters_of(cls: type) -> Mapping[str, Parameter]:
    """Return the parameters of a class by field name, in the order of the fields."""
    return _cached_parameters(cls)


@cache
def _cached_parameters(cls: type) -> Mapping[str, Parameter]:
    return types.MappingProxyType(
        _collect_parameters(cls, {field.name: field for field in dataclasses.fields(cls)})
    )


def _collect_parameters(cls: type, fields: Mapping[str, Any]) -> dict[str, Parameter]:
    """Return the parameters that `fields`, the fields of a class, declare, with name, title and type filled in."""
    collected = {}
    for name, field in fields.items():
        if (template := field.metadata.get(_METADATA)) is not None:
            value_type, optional = (
                (float, False)
                if template.shape or template.timed
                else _scalar_type(_annotation_of(cls, name))
            )
            collected[name] = dataclasses.replace(
                template,
                name=name,
                title=template.title or split_key(name),
                value_type=value_type,
                optional=optional or template.default is None,
            )
    return collected


def _annotation_of(cls: type, name: str) -> Any:
    """Return the evaluated type annotation of one field. Other annotations of the class are not evaluated, because they
    may name types that are not defined yet."""
    for owner in cls.__mro__:
        if name in (own := inspect.get_annotations(owner)):
            holder = types.SimpleNamespace(__annotations__={name: own[name]})
            return typing.get_type_hints(holder, vars(sys.modules[owner.__module__]))[name]
    raise TypeError(f"{cls.__name__}.{name} has no annotation")


def validate(instance: object) -> None:
    """Coerce and check every parameter of a frozen dataclass; call it in `__post_init__`.

    Numbers become `int`, `float` or read-only float64 arrays. Arrays are copied, so the caller's array stays writable.

    Raises
    ------
    InputError
        If a value is not accepted, with the name of the field as key.
    """
    for name, declaration in parameters_of(type(instance)).items():
        try:
            value = coerce(declaration, getattr(instance, name))
        except InputError as refusal:
            raise refusal.with_place(f"{type(instance).__name__}.{name}", name) from None
        object.__setattr__(instance, name, value)


def from_table(cls: type[Declared], table: Mapping[str, Any], key: str) -> Declared:
    """Create an instance of a dataclass from a table as read from TOML.

    Parameters
    ----------
    cls
        Dataclass whose fields are the keys of the table.
    table
        Values by field name.
    key
        Dotted key of the table, for error messages.

    Raises
    ------
    InputError
        For an unknown key (with the nearest spelling as suggestion), a missing key, and any value that the
        class rejects.
    """
    if not isinstance(table, Mapping):
        raise InputError(
            expected=phrase("a table, with keys {names}", names=", ".join(_field_names(cls))),
            found=quote_value(table),
            remedy="in a file, write a heading in square brackets with the keys below it; in Python, pass a dict",
            key=key,
            topic=DEFAULT_TOPIC,
        )
    refuse_unknown_keys(table, _field_names(cls), key)
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.init and field.default is field.default_factory is MISSING and field.name not in table:
            raise _missing_key_error(cls, field.name, key)
    try:
        return cls(**table)
    except InputError as refusal:
        path = join_key(key, refusal.key)
        raise refusal.with_place(path, path) from None


def to_table(instance: object) -> dict[str, Any]:
    """Return the parameters of an instance as plain values by name: the inverse of `from_table`. Parameters
    that are None are left out."""
    values = {name: getattr(instance, name) for name in parameters_of(type(instance))}
    return {name: to_plain(value) for name, value in values.items() if value is not None}


def refuse_unknown_keys(table: Mapping[str, Any], known: Iterable[str], key: str) -> None:
    """Raise an `InputError` for the first key of `table` that is not in `known`, with the nearest spelling as suggestion."""
    names = list(known)
    for name in table:
        if name not in names:
            path = join_key(key, name)
            raise InputError(
                expected=phrase("only the keys {names}", names=", ".join(names)),
                found=phrase("the unknown key {name!r}", name=name),
                remedy=suggest_name(name, names, otherwise="remove the key, or correct its spelling"),
                key=path,
                topic=DEFAULT_TOPIC,
            )


def join_key(key: str, name: str) -> str:
    """Return the dotted key of `name` in the table `key`; an index such as `[0]` is appended without a dot."""
    if not key or not name:
        return key or name
    return f"{key}{name}" if name.startswith("[") else f"{key}.{name}"


def _field_names(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls) if field.init]


def _missing_key_error(cls: type, name: str, key: str) -> InputError:
    declaration = parameters_of(cls).get(name)
    expected, remedy = phrase("the key {name!r}", name=name), phrase("add {name} = ...", name=name)
    if declaration is not None:
        meaning = phrase(declaration.explanation)
        expected = phrase("the key {name!r}: {expected}", name=name, expected=declaration.expected)
        remedy = phrase("add {name} = ... ({meaning})", name=name, meaning=meaning)
    return InputError(expected=expected, found="no such key", remedy=remedy, key=join_key(key, name))


def _scalar_type(hint: Any) -> tuple[type, bool]:
    """Return the scalar type of an annotation, and True if the annotation allows None."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    scalar_types = [option for option in options if option is not type(None)]
    if len(scalar_types) != 1 or scalar_types[0] not in (bool, int, float, str):
        raise TypeError(f"a scalar parameter is bool, int, float or str (or one of them | None), not {hint}")
    return scalar_types[0], len(scalar_types) < len(options)


def coerce(declaration: Parameter, value: Any) -> Any:
    """Return `value` converted to the type and shape of `declaration`.

    Raises
    ------
    InputError
        If the value is not accepted, with the name of the parameter as key.
    """
    if value is None and declaration.optional:
        return None
    if declaration.timed and has_expression(value):
        value = _coerce_expressions(declaration, value)
        if has_expression(value):
            return value
    if declaration.shape:
        return _coerce_array(declaration, value)
    if declaration.value_type is str:
        return _coerce_text(declaration, value)
    if declaration.value_type is bool:
        return _coerce_bool(declaration, value)
    return _coerce_number(declaration, value)


def describe_shape(shape: tuple[int, ...], value_type: type = float) -> Phrase:
    """Return a description such as "a number", "3 numbers", "3 rows of 3 numbers", "a text" or "true or false"."""
    if not shape:
        return _SCALAR_NAMES.get(value_type, phrase("a number"))
    if len(shape) == 1:
        return phrase("{count} numbers", count=shape[0])
    return phrase("{count} rows of {row}", count=shape[0], row=describe_shape(shape[1:]))


_SCALAR_NAMES = {str: phrase("a text"), bool: phrase("true or false"), int: phrase("a whole number")}


def quote_value(value: Any) -> str:
    """Return `value` as quoted in an error: in one line and of limited length."""
    plain_value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    try:
        text = " ".join(repr(plain_value).split())
    except ValueError:  # an integer of more digits than Python writes
        return phrase("a number with thousands of digits")
    return quote_excerpt(text)


def to_plain(value: Any) -> Any:
    """Return a coerced value as texts and numbers, with lists in place of arrays and tuples."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def has_expression(value: Any) -> bool:
    """Return True if a value is an `Expression`, a text, which may be an expression, or a list that contains one of them."""
    if isinstance(value, (list, tuple)):
        return any(has_expression(item) for item in value)
    return isinstance(value, (str, Expression))


def _coerce_expressions(declaration: Parameter, value: Any) -> Any:
    """Return a value with its texts parsed: an expression, a number for an expression without t, or a tuple
    of both.
    """
    if not isinstance(value, (list, tuple)):
        if declaration.shape:
            raise _parameter_error(
                declaration,
                quote_value(value),
                phrase("give {shape}, in brackets", shape=describe_shape(declaration.shape)),
            )
        return _parse_element(declaration, value)
    if (len(value),) != declaration.shape:
        raise _parameter_error(
            declaration,
            phrase("{count} values: {value}", count=len(value), value=quote_value(value)),
            phrase("give {shape}", shape=describe_shape(declaration.shape)),
        )
    numbers_alone = [item for item in value if not isinstance(item, (str, Expression))]
    if not is_numeric(numbers_alone) or any(map(is_list, numbers_alone)):
        raise _parameter_error(
            declaration, quote_value(value), "write numbers, or texts with an expression of t"
        )
    if not all(abs(number) <= MAX_MAGNITUDE for number in numbers_alone):
        raise _parameter_error(
            declaration,
            quote_value(value),
            phrase("keep the magnitude of each number at or below {largest:g}", largest=MAX_MAGNITUDE),
        )
    parsed = [_parse_element(declaration, item, element) for element, item in enumerate(value, 1)]
    return tuple(item if isinstance(item, Expression) else float(item) for item in parsed)


def _parse_element(declaration: Parameter, value: Any, element: int = 0) -> Any:
    """Return one value of a parameter, parsed if it is a text.

    For error messages, `element` is its position in an array, counted from 1, or 0 for a scalar.
    """
    try:
        parsed = Expression(value) if isinstance(value, str) else value
    except ExpressionError as error:
        place, found = declaration.name, error.found
        if element:
            place, found = (
                phrase("{text}, element {element}", text=text, element=element) for text in (place, found)
            )
        raise InputError(
            place, expected=error.expected, found=found, remedy=error.remedy, key=declaration.name
        ) from None
    return (
        float(parsed.evaluate(np.zeros(1))[0])
        if isinstance(parsed, Expression) and parsed.is_constant
        else parsed
    )


def _coerce_array(declaration: Parameter, value: Any) -> np.ndarray:
    if not is_numeric(value):
        raise _parameter_error(declaration, quote_value(value), "write numbers in brackets, without quotes")
    try:
        array = np.array(value, dtype=np.float64)
    except ValueError:
        raise _parameter_error(
            declaration,
            phrase("rows of unequal length: {rows}", rows=quote_value(value)),
            "give all rows the same length",
        ) from None
    except OverflowError:
        raise _parameter_error(declaration, quote_value(value), "write smaller numbers") from None
    if array.shape != declaration.shape:
        raise _parameter_error(
            declaration,
            phrase("{shape}: {value}", shape=describe_shape(array.shape), value=quote_value(value)),
            phrase("give {shape}", shape=describe_shape(declaration.shape)),
        )
    _refuse_out_of_range(declaration, array, value)
    array.setflags(write=False)
    return array


def _coerce_number(declaration: Parameter, value: Any) -> float | int:
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value[()]
    if isinstance(value, (list, tuple, np.ndarray)) or not is_numeric(value):
        raise _parameter_error(
            declaration, quote_value(value), "write one number, without quotes or brackets"
        )
    try:
        # Convert single precision through its shortest decimal, so that float32(0.01) becomes 0.01.
        number = float(str(value)) if isinstance(value, np.float32 | np.float16) else float(value)
    except OverflowError:
        raise _parameter_error(declaration, quote_value(value), "write a smaller number") from None
    _refuse_out_of_range(declaration, np.asarray(number), value)
    if declaration.value_type is not int:
        return number
    if not number.is_integer():
        raise _parameter_error(
            declaration,
            quote_value(value),
            phrase("write {below} or {above}", below=math.floor(number), above=math.ceil(number)),
        )
    return int(value)


def _coerce_text(declaration: Parameter, value: Any) -> str:
    if not isinstance(value, str):
        raise _parameter_error(declaration, quote_value(value), "write a text in quotes")
    if CONTROL_CHARACTERS.search(value):
        raise _parameter_error(declaration, ascii(value[:40]), "leave out characters that control a terminal")
    if declaration.max_length is not None and len(value) > declaration.max_length:
        raise _parameter_error(
            declaration, phrase("{count} characters", count=len(value)), "write a shorter text"
        )
    if declaration.choices is not None and value not in declaration.choices:
        remedy = suggest_name(value, declaration.choices, otherwise="choose one of these")
        raise _parameter_error(declaration, quote_value(value), remedy)
    return str(value)


def _coerce_bool(declaration: Parameter, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _parameter_error(declaration, quote_value(value), "write true or false, without quotes")
    return bool(value)


def is_numeric(value: Any) -> bool:
    """Return True if a value contains only numbers.

    NumPy alone is no sufficient test, because it also converts the text "1", True and a duration of 5 ms to numbers.
    """
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "iuf"
    if isinstance(value, (list, tuple)):
        return all(is_numeric(item) for item in value)
    return isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool)


def is_list(value: Any) -> bool:
    """Return True if a value is a list, a tuple or an array.

    Rows of unequal length count too, although NumPy cannot convert them.
    """
    return isinstance(value, (list, tuple)) or np.ndim(value) > 0


def _refuse_out_of_range(declaration: Parameter, array: np.ndarray, value: Any) -> None:
    """Raise an `InputError` if any element is not finite or outside the declared limits."""
    if not np.isfinite(array).all():
        raise _parameter_error(declaration, quote_value(value), "replace inf and nan by finite numbers")
    if (np.abs(array) > MAX_MAGNITUDE).any():
        raise _parameter_error(
            declaration,
            quote_value(value),
            phrase("keep the magnitude of each number at or below {largest:g}", largest=MAX_MAGNITUDE),
        )
    if declaration.above == 0 and ((array > 0) & (array < MIN_MAGNITUDE)).any():
        raise _parameter_error(
            declaration, quote_value(value), phrase("choose {smallest:g} or more", smallest=MIN_MAGNITUDE)
        )
    too_low = declaration.minimum is not None and (array < declaration.minimum).any()
    too_low = too_low or (declaration.above is not None and (array <= declaration.above).any())
    if too_low:
        raise _parameter_error(declaration, quote_value(value), "choose a larger value")
    if declaration.maximum is not None and (array > declaration.maximum).any():
        raise _parameter_error(declaration, quote_value(value), "choose a smaller value")


def is_zero_vector(vector: Any) -> bool:
    """Return True if a vector is too short to have a direction, because the squares of its components underflow.

    >>> is_zero_vector([0.0, 5e-324]), is_zero_vector([0.0, 1e-60])
    (True, False)
    """
    return bool(np.abs(np.asarray(vector)).max() < MIN_MAGNITUDE)


def _parameter_error(declaration: Parameter, found: str, remedy: str) -> InputError:
    return InputError(
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


def slider_range(parameter: Parameter, size: float, previous: float = 0.0) -> tuple[float, float]:
    """Return the lower and upper end of the slider for a parameter.

    Parameters
    ----------
    parameter
        Parameter. Its declared `span`, or its two limits, are the ends of the slider if given.
    size
        Magnitude of the current value. Without `span` and limits, the slider ends at 1, 2 or 5 times a power of ten
        above `size`.
    previous
        Previous upper end, which is kept while `size` is between a twentieth of this end and the end itself.

    Examples
    --------
    >>> from quatviz.physics.mechanics.body import Body
    >>> slider_range(parameters_of(Body)["mass"], 3.0), slider_range(parameters_of(Body)["centre_of_mass"], 0.0)
    ((0.0, 5.0), (-1.0, 1.0))
    """
    if parameter.span is not None:
        return parameter.span
    if parameter.minimum is not None and parameter.maximum is not None:
        return parameter.minimum, parameter.maximum
    limit = previous
    if not previous / 20.0 <= size <= previous or not previous:
        decade = 10.0 ** math.floor(math.log10(1.2 * size)) if size >= MIN_MAGNITUDE else 1.0
        limit = next(factor * decade for factor in (1.0, 2.0, 5.0, 10.0) if factor * decade >= 1.2 * size)
    least = parameter.minimum if parameter.minimum is not None else parameter.above
    return (0.0 if least is not None and least >= 0.0 else -limit), limit


def round_dragged(parameter: Parameter, value: float, step: float) -> tuple[float, float]:
    """Return a dragged value twice, limited to the range of its parameter: exact, and rounded to the decimals
    of `step`.

    >>> from quatviz.physics.mechanics.body import Body
    >>> round_dragged(parameters_of(Body)["mass"], 1.23456, 0.02), round_dragged(parameters_of(Body)["mass"], -1.0, 0.02)
    ((1.23456, 1.23), (0.01, 0.01))
    """
    exponent = math.floor(math.log10(step))
    exponent = max(exponent, 0) if parameter.value_type is int else exponent
    lower_limit = parameter.minimum if parameter.above is None else parameter.above + 10.0**exponent
    value = max(value, -math.inf if lower_limit is None else lower_limit)
    value = min(value, math.inf if parameter.maximum is None else parameter.maximum)
    return value, round(round(value / 10.0**exponent) * 10.0**exponent, max(-exponent, 0)) + 0.0


def format_value(value: Any) -> str:
    """Return a value as shown in an input field, or "" for None."""
    if value is None:
        return ""
    return value if isinstance(value, str) else format_number(value)


def format_list(value: Any) -> str:
    """Return the text of a value for a table cell, in one line. A diagonal matrix is given by its diagonal.

    >>> format_list([[1.0, 0.0], [0.0, 2.0]]), format_list("mass"), format_list(None)
    ('1, 2', 'mass', '')
    """
    if not isinstance(value, list):
        return format_value(value)
    if value and isinstance(value[0], list):
        matrix = np.asarray(value)
        value = matrix.diagonal() if np.array_equal(matrix, np.diag(matrix.diagonal())) else matrix.ravel()
    return ", ".join(map(format_value, value))
