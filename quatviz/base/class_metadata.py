"""What every kind of thing has in common: it is named in a table, it says of itself what people read, it may be a folder."""

import importlib
import importlib.util
import inspect
import re
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from quatviz.base.errors import InputError, describe_exception, phrase, third_party_modules
from quatviz.base.parameters import from_table, quote_value
from quatviz.base.registry import Registry


def from_tagged_table(registry: Registry[Any], table: Any, key: str) -> Any:
    """What a table describes whose `kind` names a class of `registry`; `key` is the table's path."""
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if not isinstance(kind, str):
        raise InputError(
            expected=phrase("a table with the key kind, one of {names}", names=", ".join(registry)),
            found="no such key"
            if isinstance(table, Mapping) and kind is None
            else quote_value(kind or table),
            remedy='add kind = "...", with quotes',
            key=f"{key}.kind",
        )
    cls = registry.find(kind, key=f"{key}.kind")
    try:
        return from_table(cls, {name: value for name, value in table.items() if name != "kind"}, key)
    except InputError:
        raise
    except Exception as error:
        if not (outside_modules := third_party_modules([cls])):
            raise
        raise InputError(
            expected=phrase("what {name} can be made of", name=kind), found=describe_exception(error, outside_modules),
            remedy="leave it out, or mend the package", key=key, topic="extending#every-kind",
        ) from error  # fmt: skip


class Performance(NamedTuple):
    """What a kind costs and how exact it is: a row of its page's table in the help, which says how it was measured.

    `torque_free_cost` and `gravity_cost` are the processor time of a step [ns], `errors` angles [rad] as they are shown, for
    the point force, the torque-free body and the heavy top. None: not measured; a text in place of a number is shown as it
    stands. `variant` is said behind the kind's name; `relative_to` has the two times that the ratios compare with, where they
    are not those that the page takes.
    """

    torque_free_cost: float | str | None = None
    gravity_cost: float | str | None = None
    errors: tuple[str, str, str] = ("", "", "")
    variant: str = ""
    relative_to: tuple[float, float] | None = None


def first_sentence(cls: type) -> str:
    """The first sentence of a kind's docstring; empty where it has none."""
    summary = " ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`(|])", summary)[0]


def help_text(cls: type) -> str:
    """What the help says of a kind, Markdown without its heading: its attribute `help`, or the file `help.md` in its folder;
    empty where it has neither."""
    text = getattr(cls, "help", "")
    if text:
        return inspect.cleandoc(text)
    path = plugin_folder(cls)
    if path is None or not (path / "help.md").is_file():
        return ""
    return (path / "help.md").read_text("utf-8").strip("\n")


def companion_module(cls: type, name: str) -> ModuleType | None:
    """The module `name` in the folder of a kind; None where it has no folder, or no such module in it."""
    if plugin_folder(cls) is None or importlib.util.find_spec(f"{cls.__module__}.{name}") is None:
        return None
    return importlib.import_module(f"{cls.__module__}.{name}")


def plugin_folder(cls: type) -> Path | None:
    """The folder of a kind that is one: defined in the `__init__` of a package."""
    module = sys.modules[cls.__module__]
    return Path(str(module.__file__)).parent if hasattr(module, "__path__") else None


def __getattr__(name: str) -> Any:
    """Let packages that still import `Mutation` load: what they write with it is ignored."""
    if name != "Mutation":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "mutations are not read any more: leave them out, and the import of Mutation",
        DeprecationWarning,
        stacklevel=2,
    )
    return _ignore


def _ignore(*arguments: object, **named: object) -> None:
    """Take what a mutation was made from."""
