"""Values that are tables of plain values too: every field says how it is read, refused and written."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, fields
from typing import Any, Self

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import joined, refuse_unknown, shown

Read = Callable[[str, Any], Any]
"""Makes the value of a field of what a table or a script says; an `InputError` names the key that it is given."""

MANY = 1000
"""More lanes, panels or items than any window has."""
LONG = 4000
"""Characters of the longest text."""
_LARGE = 1e9
_READ, _OF = "quatviz.read", "quatviz.of"


def said(read: Read, default: Any, of: str = "") -> Any:
    """A field of a `Plain` class, read by `read`; `of` says to what it belongs, for `Plain.taking`."""
    metadata = {_READ: read, _OF: of}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


class Plain:
    """A frozen dataclass, all fields of which are made by `said`. What a field cannot be is refused when it is made."""

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]
            value = each.metadata[_READ](each.name, getattr(self, each.name))
            object.__setattr__(self, each.name, value)

    @classmethod
    def names(cls, of: Collection[str] | None = None) -> tuple[str, ...]:
        """The fields, or those that belong to one of these, or to nothing in particular."""
        return tuple(
            each.name
            for each in fields(cls)  # type: ignore[arg-type]
            if of is None or not each.metadata[_OF] or each.metadata[_OF] in of
        )

    def to_table(self, of: Collection[str] | None = None) -> dict[str, Any]:
        """Plain values by name, without those that are as at first, of the fields that belong to one of these."""
        plain = type(self)()
        return {
            name: written
            for name in self.names(of)
            if getattr(self, name) != getattr(plain, name)
            and (written := _written(getattr(self, name), of)) != {}
        }

    @classmethod
    def from_table(cls, table: Any, key: str = "") -> Self:
        """What a table says that stands under `key`; refused with the key at fault."""
        if not isinstance(table, Mapping):
            raise refusal(key, "a table", table)
        refuse_unknown(table, cls.names(), key)
        readers = {each.name: each.metadata[_READ] for each in fields(cls)}  # type: ignore[arg-type]
        values = {name: readers[name](joined(key, name), value) for name, value in table.items()}
        try:
            return cls(**values)
        except InputError as refused:  # of values that do not go together
            raise refused.at(joined(key, refused.key), joined(key, refused.key)) from None

    @classmethod
    def from_damaged(cls, table: Mapping[str, Any], key: str = "") -> tuple[Self, list[str]]:
        """What can be read of a table, and the keys of what cannot; names that are not known are left out."""
        left: Mapping[str, Any] = {name: value for name, value in table.items() if name in cls.names()}
        bad: list[str] = []
        while True:
            try:
                return cls.from_table(left, key), bad
            except InputError as refused:
                bad.append(refused.key)
                left = _without(left, refused.key.removeprefix(f"{key}."))

    def taking(self, other: Self, of: Collection[str]) -> Self:
        """With what belongs to one of these as `other` has it."""
        mine = {name: getattr(self, name) for name in self.names()}
        return type(self)(**{**mine, **{name: getattr(other, name) for name in self.names(of)}})


def _without(table: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A table without what stands at a dotted path, as deep as tables go."""
    left = dict(table)
    name = next(name for name in left if path == name or path.startswith((f"{name}.", f"{name}[")))
    inner = path.removeprefix(name).removeprefix(".")
    if isinstance(left[name], Mapping) and inner and any(inner.startswith(one) for one in left[name]):
        left[name] = _without(left[name], inner)
    else:
        del left[name]
    return left


def refusal(key: str, expected: str, value: Any) -> InputError:
    """The refusal of a value under a key."""
    return InputError(expected=expected, found=shown(value), remedy="correct it, or remove the key", key=key)


def _written(value: Any, of: Collection[str] | None) -> Any:
    if isinstance(value, Plain):
        return value.to_table(of)
    if isinstance(value, Mapping):
        return {str(name): _written(item, of) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_written(item, of) for item in value]
    return value


def number(key: str, value: Any) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not abs(value) <= _LARGE:
        raise refusal(key, phrase("a number up to {most:g}", most=_LARGE), value)
    return float(value)


def count(key: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value < MANY:
        raise refusal(key, phrase("a whole number from 0 to {most}", most=MANY - 1), value)
    return value


def pixels(key: str, value: Any) -> int:
    if type(value) is not int or abs(value) > 10**6:
        raise refusal(key, phrase("a whole number up to {most:g}", most=1e6), value)
    return value


def truth(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise refusal(key, "true or false", value)
    return value


def text(key: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONG:
        raise refusal(key, phrase("a text of at most {most} characters", most=LONG), value)
    return value


def one_of(options: Collection[Any]) -> Read:
    """Reads one of these."""

    def read(key: str, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in options:
            raise refusal(key, phrase("one of {modes}", modes=", ".join(map(str, options))), value)
        return value

    return read


def each(read: Read) -> Read:
    """Reads a list."""

    def reader(key: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MANY:
            raise refusal(key, "a list", value)
        return tuple(read(f"{key}[{place}]", item) for place, item in enumerate(value))

    return reader


def some(read: Read, counts: Collection[int], expected: str) -> Read:
    """Reads a list of so many."""

    def reader(key: str, value: Any) -> tuple[Any, ...]:
        values: tuple[Any, ...] = each(read)(key, value)
        if len(values) not in counts:
            raise refusal(key, expected, value)
        return values

    return reader


def named(read: Read) -> Read:
    """Reads a table of names."""

    def reader(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or len(value) > MANY:
            raise refusal(key, "a table", value)
        return {text(key, name): read(joined(key, name), item) for name, item in value.items()}

    return reader


def numbered(read: Read, most: int) -> Read:
    """Reads what some of the places from 1 to `most` have, as a table by their numbers."""

    def reader(key: str, value: Any) -> dict[int, Any]:
        if not isinstance(value, Mapping):
            raise refusal(key, "a table", value)
        found = {}
        for place, item in value.items():
            if str(place) not in map(str, range(1, most + 1)):
                raise refusal(key, phrase("keys from 1 to {most}", most=most), place)
            found[int(place)] = read(joined(key, str(place)), item)
        return found

    return reader


def nested(kind: type[Plain]) -> Read:
    """Reads a value of this class, or the table that says it."""
    return lambda key, value: value if isinstance(value, kind) else kind.from_table(value, key)
