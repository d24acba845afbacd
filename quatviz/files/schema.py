"""Records: frozen dataclasses that can be written as tables. Each field declares how its value is read and checked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, fields
from typing import Any, Self

from quatviz.base.errors import InputError, phrase
from quatviz.base.parameters import join_key, quote_value, refuse_unknown_keys

FieldReader = Callable[[str, Any], Any]
"""Function (key, value) that returns the checked value of a field. It raises an `InputError` with the key if the
value is not valid."""

MAX_COUNT = 1000
"""Largest number of entries of a list or table. No window has as many lanes, panels or items."""
MAX_TEXT_LENGTH = 4000
"""Largest number of characters of a text."""
_MAX_NUMBER = 1e9
_READER_KEY, _SCOPE_KEY = "quatviz.read", "quatviz.of"


def schema_field(reader: FieldReader, default: Any, scope: str = "", **metadata: Any) -> Any:
    """Declare a field of a `Record` class.

    Parameters
    ----------
    reader
        Function that reads and checks a value.
    default
        Value in a new record.
    scope
        Scope of the field (`RUN`, `SCREEN`, `USER`, `TRANSIENT`) for `Record.merged_with`. A field with "" belongs
        to every scope.
    **metadata
        Additional properties of the field, for code that uses the record class.
    """
    metadata = {_READER_KEY: reader, _SCOPE_KEY: scope, **metadata}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


class Record:
    """Base class of frozen dataclasses whose fields are all declared by `schema_field`. Invalid values are rejected
    on creation."""

    def __post_init__(self) -> None:
        for field_ in fields(self):  # type: ignore[arg-type]
            value = field_.metadata[_READER_KEY](field_.name, getattr(self, field_.name))
            object.__setattr__(self, field_.name, value)

    @classmethod
    def field_names(cls, scopes: Collection[str] | None = None) -> tuple[str, ...]:
        """Return the names of all fields. If `scopes` are given, fields with another scope are left out."""
        return tuple(
            field_.name
            for field_ in fields(cls)  # type: ignore[arg-type]
            if scopes is None or not field_.metadata[_SCOPE_KEY] or field_.metadata[_SCOPE_KEY] in scopes
        )

    def to_table(self, scopes: Collection[str] | None = None) -> dict[str, Any]:
        """Return the fields in `scopes` whose values differ from the defaults, as plain values by name."""
        defaults = type(self)()
        return {
            name: plain_value
            for name in self.field_names(scopes)
            if getattr(self, name) != getattr(defaults, name)
            and (plain_value := _to_plain(getattr(self, name), scopes)) != {}
        }

    @classmethod
    def from_table(cls, table: Any, key: str = "") -> Self:
        """Create a record from a table. `key` is the dotted key of the table. If an entry is rejected, the `InputError`
        has the key of this entry."""
        if not isinstance(table, Mapping):
            raise schema_error(key, "a table", table)
        refuse_unknown_keys(table, cls.field_names(), key)
        readers = {field_.name: field_.metadata[_READER_KEY] for field_ in fields(cls)}  # type: ignore[arg-type]
        values = {name: readers[name](join_key(key, name), value) for name, value in table.items()}
        try:
            return cls(**values)
        except InputError as error:  # values that are inconsistent with each other
            raise error.with_place(join_key(key, error.key), join_key(key, error.key)) from None

    @classmethod
    def from_damaged_table(cls, table: Mapping[str, Any], key: str = "") -> tuple[Self, list[str]]:
        """Create a record from the valid entries of a table. Return the record and the rejected keys. Unknown names
        are ignored."""
        remaining: Mapping[str, Any] = {
            name: value for name, value in table.items() if name in cls.field_names()
        }
        bad_keys: list[str] = []
        while True:
            try:
                return cls.from_table(remaining, key), bad_keys
            except InputError as error:
                bad_keys.append(error.key)
                remaining = _without_path(remaining, error.key.removeprefix(f"{key}."))

    def merged_with(self, other: Self, scopes: Collection[str]) -> Self:
        """Return a copy with the fields in `scopes` taken from `other`."""
        values = {name: getattr(self, name) for name in self.field_names()}
        return type(self)(**{**values, **{name: getattr(other, name) for name in self.field_names(scopes)}})


def _without_path(table: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return a copy of a table without the entry at a dotted path."""
    remaining = dict(table)
    name = next(name for name in remaining if path == name or path.startswith((f"{name}.", f"{name}[")))
    inner = path.removeprefix(name).removeprefix(".")
    if (
        isinstance(remaining[name], Mapping)
        and inner
        and any(inner.startswith(child_name) for child_name in remaining[name])
    ):
        remaining[name] = _without_path(remaining[name], inner)
    else:
        del remaining[name]
    return remaining


def schema_error(key: str, expected: str, value: Any) -> InputError:
    """Return the error that is raised for an invalid value of a key."""
    return InputError(
        expected=expected, found=quote_value(value), remedy="correct it, or remove the key", key=key
    )


def _to_plain(value: Any, scopes: Collection[str] | None) -> Any:
    if isinstance(value, Record):
        return value.to_table(scopes)
    if isinstance(value, Mapping):
        return {str(name): _to_plain(item, scopes) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_to_plain(item, scopes) for item in value]
    return value


def read_number(key: str, value: Any) -> float:
    """Return a number as float. Raise an `InputError` if it is no number, or larger than `_MAX_NUMBER`."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not abs(value) <= _MAX_NUMBER:
        raise schema_error(key, phrase("a number up to {most:g}", most=_MAX_NUMBER), value)
    return float(value)


def read_count(key: str, value: Any) -> int:
    """Return an integer. Raise an `InputError` if the value is no integer from 0 to `MAX_COUNT` - 1."""
    if type(value) is not int or not 0 <= value < MAX_COUNT:
        raise schema_error(key, phrase("a whole number from 0 to {most}", most=MAX_COUNT - 1), value)
    return value


def read_pixels(key: str, value: Any) -> int:
    """Return a number of pixels, which may be negative. Raise an `InputError` if it is no integer or beyond 10^6."""
    if type(value) is not int or abs(value) > 10**6:
        raise schema_error(key, phrase("a whole number up to {most:g}", most=1e6), value)
    return value


def read_bool(key: str, value: Any) -> bool:
    """Return a boolean. Raise an `InputError` for any other value."""
    if not isinstance(value, bool):
        raise schema_error(key, "true or false", value)
    return value


def read_string(key: str, value: Any) -> str:
    """Read a text with at most `MAX_TEXT_LENGTH` characters."""
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH:
        raise schema_error(key, phrase("a text of at most {most} characters", most=MAX_TEXT_LENGTH), value)
    return value


def choice_reader(options: Collection[Any]) -> FieldReader:
    """Return a reader that accepts only the texts and integers in `options`."""

    def read(key: str, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in options:
            raise schema_error(key, phrase("one of {modes}", modes=", ".join(map(str, options))), value)
        return value

    return read


def list_reader(read_item: FieldReader) -> FieldReader:
    """Return a reader of lists whose items `read_item` reads."""

    def reader(key: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MAX_COUNT:
            raise schema_error(key, "a list", value)
        return tuple(read_item(f"{key}[{index}]", item) for index, item in enumerate(value))

    return reader


def fixed_list_reader(read_item: FieldReader, counts: Collection[int], expected: str) -> FieldReader:
    """Return a reader of lists whose number of items is one of `counts`. `expected` describes such a list in errors."""

    def reader(key: str, value: Any) -> tuple[Any, ...]:
        values: tuple[Any, ...] = list_reader(read_item)(key, value)
        if len(values) not in counts:
            raise schema_error(key, expected, value)
        return values

    return reader


def mapping_reader(read_item: FieldReader) -> FieldReader:
    """Return a reader of tables with any keys, whose values `read_item` reads."""

    def reader(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or len(value) > MAX_COUNT:
            raise schema_error(key, "a table", value)
        return {read_string(key, name): read_item(join_key(key, name), item) for name, item in value.items()}

    return reader


def numbered_reader(read_item: FieldReader, last_number: int) -> FieldReader:
    """Return a reader of tables whose keys are numbers from 1 to `last_number` and whose values `read_item`
    reads."""

    def reader(key: str, value: Any) -> dict[int, Any]:
        if not isinstance(value, Mapping):
            raise schema_error(key, "a table", value)
        items = {}
        for number_key, item in value.items():
            if str(number_key) not in map(str, range(1, last_number + 1)):
                raise schema_error(key, phrase("keys from 1 to {most}", most=last_number), number_key)
            items[int(number_key)] = read_item(join_key(key, str(number_key)), item)
        return items

    return reader


def record_reader(record_class: type[Record]) -> FieldReader:
    """Return a field reader that accepts an instance of `record_class`, or a table that it converts to one."""
    return lambda key, value: (
        value if isinstance(value, record_class) else record_class.from_table(value, key)
    )


USER, RUN, SCREEN, TRANSIENT = "person", "run", "room", "moment"
"""Scopes of a setting. `USER`: it applies to every run of the user. `RUN`: it refers to lanes and times of one run.
`SCREEN`: it depends on the screen and the room of a presentation. `TRANSIENT`: it is never saved."""
