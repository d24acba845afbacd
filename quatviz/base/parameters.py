"""Parameters declared once: the same declaration validates a value now and builds its widget later.

A class that takes parameters is a frozen dataclass whose fields are made by `parameter(...)` and whose
`__post_init__` calls `check(self)`:

    @dataclass(frozen=True, eq=False)
    class Gravity(ArrayEquality):
        weight: float = parameter(unit="N", minimum=0, explanation="weight of the body")
        centre: Numbers = parameter(unit="m", shape=(3,), explanation="centre of mass, from the pivot")

        def __post_init__(self) -> None:
            check(self)

The annotation of a scalar says what it is (`float`, `int`, `bool`, `str`, or one of these `| None`); it
must be readable at run time. A field with a shape is a float64 array whatever its annotation;
`Numbers` says so to a reader.
"""

import dataclasses
import difflib
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

from quatviz.base.errors import InputError, Phrase, listed, phrase
from quatviz.base.expression import BadExpression, Expression
from quatviz.base.formatting import COMMANDING, begun, number_text
from quatviz.base.help_topics import ANY

Numbers: TypeAlias = Any
"""Anything array-like on the way in; after `check`, a read-only float64 array of the declared shape, or, in a `timed` field
that holds an expression of time, a tuple of numbers and `Expression`s."""
Timed: TypeAlias = Any
"""A number, or an expression of time as a text; after `check`, a float or an `Expression`."""

LARGEST, SMALLEST = 1e60, 1e-60
"""What a number may be at most, and a length, a mass or a time that is above zero at least: the observable universe weighs
1e53 kg. Beyond them squares and cubes are no numbers any more, and every equation would have to say so by itself."""

Declared = TypeVar("Declared")
_METADATA = "quatviz.parameter"


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What one value means and which values are acceptable.

    `unit` is SI text such as "kg m^2" (empty: dimensionless), `shape` the array's shape (empty: a
    scalar), `kind` the type of each element. `minimum` and `maximum` may be reached, `above` may not;
    for an array they hold for each element. `optional` means that None ("not given") is acceptable.
    `symbols` names the elements of a vector, or the diagonal of a matrix, with blanks between them.
    `span` is what a slider runs over where not all that is acceptable is of use.
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
    kind: type = float
    optional: bool = False
    timed: bool = False
    """Whether a number may be an expression of time, as a text: limits hold for numbers, which have one value."""

    @property
    def required(self) -> bool:
        """Whether the value has to be given."""
        return self.default is MISSING

    @property
    def elements(self) -> list[str]:
        """What its elements are called, those of a matrix row by row."""
        names = self.symbols.split() or [
            str(number + 1) for number in range(self.shape[0] if self.shape else 0)
        ]
        if len(self.shape) < 2:
            return names
        places = range(self.shape[0])
        return [names[i] if i == j else f"{names[i]}{names[j][-1]}" for i in places for j in places]

    @property
    def meaning(self) -> str:
        """What it is, and what holds where it is not given."""
        said = begun(self.explanation).removesuffix(".")
        if self.default is MISSING:
            return f"{said}."
        return (
            f"{said}; may be left out."
            if self.default is None
            else f"{said}; {plain(self.default)!r} if left out."
        )

    @property
    def expected(self) -> str:
        """What is acceptable, in words: "3 numbers [m]", "a number [N], at least 0"."""
        if self.choices is not None:
            return phrase("one of {names}", names=", ".join(repr(choice) for choice in self.choices))
        what = shape_in_words(self.shape, self.kind)
        parts = [phrase("{what} [{unit}]", what=what, unit=self.unit) if self.unit else what]
        if self.minimum is not None:
            parts.append(phrase("at least {limit:g}", limit=self.minimum))
        if self.above is not None:
            parts.append(phrase("above {limit:g}", limit=self.above))
        if self.maximum is not None:
            parts.append(phrase("at most {limit:g}", limit=self.maximum))
        if self.timed:
            parts.append(phrase("or an expression of t in quotes"))
        return listed(parts)


class Declaring:
    """A class whose fields are parameters, and whose docstring tells what they may be, so that `help` shows units, limits and
    defaults, which are written where they are declared alone."""

    def __init_subclass__(cls, **given: Any) -> None:
        """Before `dataclass` is at work: fields of the class itself are what `parameter` has made."""
        super().__init_subclass__(**given)
        own = {name: made for name, made in vars(cls).items() if isinstance(made, dataclasses.Field)}
        known = {**getattr(cls, "__dataclass_fields__", {}), **own}
        rows = [
            f"{each.name} : {each.expected}\n    {each.meaning}" for each in _parameters(cls, known).values()
        ]
        said = vars(cls).get("__doc__")
        if said and rows:
            before, mark, example = inspect.cleandoc(said).partition("\n\n>>> ")
            cls.__doc__ = "\n\n".join((before, "Parameters", "\n".join(rows))) + mark + example


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
    timed: bool = False,
) -> Any:
    """A dataclass field that carries a `Parameter`. See there for the meaning of each argument."""
    metadata = {_METADATA: Parameter(**locals())}
    return dataclasses.field(default=default, metadata=metadata)


def declared(cls: type) -> Mapping[str, Parameter]:
    """The parameters of `cls` by field name, in the order of the fields, each with name and kind."""
    return _declared(cls)


@cache
def _declared(cls: type) -> Mapping[str, Parameter]:
    return types.MappingProxyType(_parameters(cls, {field.name: field for field in dataclasses.fields(cls)}))


def _parameters(cls: type, fields: Mapping[str, Any]) -> dict[str, Parameter]:
    """What was declared in these fields of a class."""
    found = {}
    for name, field in fields.items():
        if (bare := field.metadata.get(_METADATA)) is not None:
            kind, optional = (float, False) if bare.shape or bare.timed else _kind(_hint(cls, name))
            found[name] = dataclasses.replace(
                bare,
                name=name,
                title=bare.title or name.replace("_", " "),
                kind=kind,
                optional=optional or bare.default is None,
            )
    return found


def _hint(cls: type, name: str) -> Any:
    """The annotation of a field, alone: others may name what is not there yet."""
    for owner in cls.__mro__:
        if name in (own := inspect.get_annotations(owner)):
            alone = types.SimpleNamespace(__annotations__={name: own[name]})
            return typing.get_type_hints(alone, vars(sys.modules[owner.__module__]))[name]
    raise TypeError(f"{cls.__name__}.{name} has no annotation")


def check(instance: object) -> None:
    """Coerce and test every declared parameter of a frozen dataclass, in its `__post_init__`.

    Numbers become `int`, `float` or read-only float64 arrays (copies: the caller's array stays
    writable). An `InputError` has the field's name as its key.
    """
    for name, declaration in declared(type(instance)).items():
        try:
            value = coerced(declaration, getattr(instance, name))
        except InputError as refusal:
            raise refusal.at(f"{type(instance).__name__}.{name}", name) from None
        object.__setattr__(instance, name, value)


def from_table(cls: type[Declared], table: Mapping[str, Any], key: str) -> Declared:
    """An instance of the dataclass `cls` from a table as TOML gives it; `key` is the table's path.

    Every field of `cls` is a key. Refused, with the dotted path as key: an unknown key (the nearest
    spelling is suggested), a missing one, and whatever the class itself refuses.
    """
    if not isinstance(table, Mapping):
        raise InputError(
            expected=phrase("a table, with keys {names}", names=", ".join(_keys(cls))),
            found=shown(table),
            remedy="give a table: a heading in square brackets with the keys below it",
            key=key,
            topic=ANY,
        )
    refuse_unknown(table, _keys(cls), key)
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if field.init and field.default is field.default_factory is MISSING and field.name not in table:
            raise _missing(cls, field.name, key)
    try:
        return cls(**table)
    except InputError as refusal:
        path = joined(key, refusal.key)
        raise refusal.at(path, path) from None


def to_table(instance: object) -> dict[str, Any]:
    """The declared parameters as plain values: the inverse of `from_table`. None is left out."""
    values = {name: getattr(instance, name) for name in declared(type(instance))}
    return {name: plain(value) for name, value in values.items() if value is not None}


def refuse_unknown(table: Mapping[str, Any], known: Iterable[str], key: str) -> None:
    """Refuse the first key of `table` that is not `known`, suggesting the nearest spelling."""
    names = list(known)
    for name in table:
        if name not in names:
            path = joined(key, name)
            raise InputError(
                expected=phrase("only the keys {names}", names=", ".join(names)),
                found=phrase("the unknown key {name!r}", name=name),
                remedy=suggestion(name, names, otherwise="remove the key, or correct its spelling"),
                key=path,
                topic=ANY,
            )


def joined(key: str, name: str) -> str:
    """The dotted path of `name` within the table `key`; an index such as `[0]` takes no dot."""
    if not key or not name:
        return key or name
    return f"{key}{name}" if name.startswith("[") else f"{key}.{name}"


def _keys(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls) if field.init]


def _missing(cls: type, name: str, key: str) -> InputError:
    declaration = declared(cls).get(name)
    expected, remedy = phrase("the key {name!r}", name=name), phrase("add {name} = ...", name=name)
    if declaration is not None:
        meaning = phrase(declaration.explanation)
        expected = phrase("the key {name!r}: {expected}", name=name, expected=declaration.expected)
        remedy = phrase("add {name} = ... ({meaning})", name=name, meaning=meaning)
    return InputError(expected=expected, found="no such key", remedy=remedy, key=joined(key, name))


def _kind(hint: Any) -> tuple[type, bool]:
    """The scalar type behind an annotation, and whether it allows None."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kinds = [option for option in options if option is not type(None)]
    if len(kinds) != 1 or kinds[0] not in (bool, int, float, str):
        raise TypeError(f"a scalar parameter is bool, int, float or str (or one of them | None), not {hint}")
    return kinds[0], len(kinds) < len(options)


_LONGEST_SHOWN = 120


def coerced(declaration: Parameter, value: Any) -> Any:
    """`value` as `declaration` wants it, or an `InputError` whose key is the parameter's name."""
    if value is None and declaration.optional:
        return None
    if declaration.timed and has_expression(value):
        value = _with_expressions(declaration, value)
        if has_expression(value):
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


def plain(value: Any) -> Any:
    """A coerced value as texts and numbers, in lists where it has several."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def has_expression(value: Any) -> bool:
    """Whether a value is, or holds, an expression of time, or a text that may be one."""
    if isinstance(value, (list, tuple)):
        return any(has_expression(item) for item in value)
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
    if not all_numbers(numbers_alone) or any(map(is_list, numbers_alone)):
        raise _refusal(declaration, shown(value), "write numbers, or texts with an expression of t")
    if not all(abs(number) <= LARGEST for number in numbers_alone):
        raise _refusal(declaration, shown(value), phrase("stay within {largest:g}", largest=LARGEST))
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
        raise InputError(
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
        # One of single precision is the shortest decimal that stands for it: a step of 0.01 divides 0.01 then.
        number = float(str(value)) if isinstance(value, np.float32 | np.float16) else float(value)
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
    if COMMANDING.search(value):
        raise _refusal(declaration, ascii(value[:40]), "leave out characters that control a terminal")
    if declaration.choices is not None and value not in declaration.choices:
        remedy = suggestion(value, declaration.choices, otherwise="choose one of these")
        raise _refusal(declaration, shown(value), remedy)
    return str(value)


def _truth(declaration: Parameter, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _refusal(declaration, shown(value), "write true or false, without quotes")
    return bool(value)


def all_numbers(value: Any) -> bool:
    """Whether numbers are all there is: numpy would read the text "1", the truth value, and 5 ms as 5 too."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "iuf"
    if isinstance(value, (list, tuple)):
        return all(all_numbers(item) for item in value)
    return isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool)


def is_list(value: Any) -> bool:
    """Whether a value has parts; so have rows of unequal length, of which numpy makes nothing."""
    return isinstance(value, (list, tuple)) or np.ndim(value) > 0


def _refuse_outside(declaration: Parameter, array: np.ndarray, value: Any) -> None:
    """Refuse what is not finite or beyond the declared limits, in any element."""
    if not np.isfinite(array).all():
        raise _refusal(declaration, shown(value), "replace inf and nan by finite numbers")
    if (np.abs(array) > LARGEST).any():
        raise _refusal(declaration, shown(value), phrase("stay within {largest:g}", largest=LARGEST))
    if declaration.above == 0 and ((array > 0) & (array < SMALLEST)).any():
        raise _refusal(declaration, shown(value), phrase("choose {smallest:g} or more", smallest=SMALLEST))
    too_low = declaration.minimum is not None and (array < declaration.minimum).any()
    too_low = too_low or (declaration.above is not None and (array <= declaration.above).any())
    if too_low:
        raise _refusal(declaration, shown(value), "choose a larger value")
    if declaration.maximum is not None and (array > declaration.maximum).any():
        raise _refusal(declaration, shown(value), "choose a smaller value")


def is_nothing(vector: Any) -> bool:
    """Whether a vector is too short to have a direction: the squares of such numbers are 0.

    >>> is_nothing([0.0, 5e-324]), is_nothing([0.0, 1e-60])
    (True, False)
    """
    return bool(np.abs(np.asarray(vector)).max() < SMALLEST)


def suggestion(given: str, names: Iterable[str], otherwise: str) -> str:
    """A remedy for a misspelt name: the nearest of `names` if one is near, else `otherwise`."""
    near = difflib.get_close_matches(given, list(names), n=1, cutoff=0.6)
    return phrase("did you mean {name!r}?", name=near[0]) if near else otherwise


def _refusal(declaration: Parameter, found: str, remedy: str) -> InputError:
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


def span_about(parameter: Parameter, size: float, known: float = 0.0) -> tuple[float, float]:
    """From where to where a slider runs for numbers as large as `size`: as declared, or about what there is, rounded up to 1, 2
    or 5 times a power of ten. What is `known` from before stays as long as it fits.

    >>> from quatviz.physics.mechanics.body import Body
    >>> span_about(declared(Body)["mass"], 3.0), span_about(declared(Body)["centre_of_mass"], 0.0)
    ((0.0, 5.0), (-1.0, 1.0))
    """
    if parameter.span is not None:
        return parameter.span
    if parameter.minimum is not None and parameter.maximum is not None:
        return parameter.minimum, parameter.maximum
    reach = known
    if not known / 20.0 <= size <= known or not known:
        ten = 10.0 ** math.floor(math.log10(1.2 * size)) if size >= SMALLEST else 1.0
        reach = next(times * ten for times in (1.0, 2.0, 5.0, 10.0) if times * ten >= 1.2 * size)
    least = parameter.minimum if parameter.minimum is not None else parameter.above
    return (0.0 if least is not None and least >= 0.0 else -reach), reach


def dragged_to(parameter: Parameter, value: float, step: float) -> tuple[float, float]:
    """A number that a hand has dragged, as far as it may be, and that with no more digits than a step needs.

    >>> from quatviz.physics.mechanics.body import Body
    >>> dragged_to(declared(Body)["mass"], 1.23456, 0.02), dragged_to(declared(Body)["mass"], -1.0, 0.02)
    ((1.23456, 1.23), (0.01, 0.01))
    """
    place = math.floor(math.log10(step))
    place = max(place, 0) if parameter.kind is int else place
    least = parameter.minimum if parameter.above is None else parameter.above + 10.0**place
    value = max(value, -math.inf if least is None else least)
    value = min(value, math.inf if parameter.maximum is None else parameter.maximum)
    return value, round(round(value / 10.0**place) * 10.0**place, max(-place, 0)) + 0.0


def value_text(value: Any) -> str:
    """A value as a field shows it; nothing where there is none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else number_text(value)


def listed_text(value: Any) -> str:
    """What a table has, in a line: of a diagonal matrix its diagonal.

    >>> listed_text([[1.0, 0.0], [0.0, 2.0]]), listed_text("mass"), listed_text(None)
    ('1, 2', 'mass', '')
    """
    if not isinstance(value, list):
        return value_text(value)
    if value and isinstance(value[0], list):
        matrix = np.asarray(value)
        value = matrix.diagonal() if np.array_equal(matrix, np.diag(matrix.diagonal())) else matrix.ravel()
    return ", ".join(map(value_text, value))
