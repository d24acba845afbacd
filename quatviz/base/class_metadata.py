"""Functions for all registered classes (loads, integrators, panels, ...): creation from a TOML table,
summary, help text and folder."""

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
    """Create an object from a table whose key `kind` names a class of a registry.

    Parameters
    ----------
    registry
        Registry of the classes.
    table
        Table as read from TOML.
    key
        Dotted key of the table, for error messages.

    Raises
    ------
    InputError
        If the table has no valid `kind`, or if the class rejects its values.
    """
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
            expected=phrase("values that {name} accepts", name=kind), found=describe_exception(error, outside_modules),
            remedy="remove it, or correct the package", key=key, topic="extending#all-kinds",
        ) from error  # fmt: skip


class Performance(NamedTuple):
    """Computing cost and accuracy of one formulation or integrator, shown as one row of a table in the help.

    `torque_free_cost` and `gravity_cost` are the processor time per step [ns] without load and under gravity.
    `errors` are three angles [rad], formatted for display: the attitude errors for the presets with a point force,
    a torque-free body and a heavy top. None means not measured; a text instead of a number is shown unchanged.
    `variant` is appended to the name of the formulation or integrator. `relative_to` contains the two times [ns] by
    which the costs are divided for display, if they differ from those of the help page.
    """

    torque_free_cost: float | str | None = None
    gravity_cost: float | str | None = None
    errors: tuple[str, str, str] = ("", "", "")
    variant: str = ""
    relative_to: tuple[float, float] | None = None


def first_sentence(cls: type) -> str:
    """Return the first sentence of the docstring of a class, or "" if it has none."""
    summary = " ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`(|])", summary)[0]


def help_text(cls: type) -> str:
    """Return the help text of a class as Markdown without a heading, or "" if it has none.

    The text is the attribute `help` or the file `help.md` in the folder of the class.
    """
    text = getattr(cls, "help", "")
    if text:
        return inspect.cleandoc(text)
    path = plugin_folder(cls)
    if path is None or not (path / "help.md").is_file():
        return ""
    return (path / "help.md").read_text("utf-8").strip("\n")


def companion_module(cls: type, name: str) -> ModuleType | None:
    """Return the module `name` in the folder of a class, or None if the folder or the module does not exist."""
    if plugin_folder(cls) is None or importlib.util.find_spec(f"{cls.__module__}.{name}") is None:
        return None
    return importlib.import_module(f"{cls.__module__}.{name}")


def plugin_folder(cls: type) -> Path | None:
    """Return the folder of a class that is defined in the `__init__.py` of a package, or None for a class
    that is defined in a single-file module.
    """
    module = sys.modules[cls.__module__]
    return Path(str(module.__file__)).parent if hasattr(module, "__path__") else None


def __getattr__(name: str) -> Any:
    """Return a stand-in for the removed class `Mutation`, so that plug-in packages that import the name still
    load."""
    if name != "Mutation":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "mutations are no longer used: remove them and the import of Mutation",
        DeprecationWarning,
        stacklevel=2,
    )
    return _ignore


def _ignore(*arguments: object, **named: object) -> None:
    """Do nothing with any arguments: stand-in for the removed class `Mutation`."""
