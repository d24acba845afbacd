"""What every kind of thing has in common: it is named in a table, it says of itself what people read, it may be a folder."""

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from quatviz.base.errors import InputError, modules_outside, phrase, told_of
from quatviz.base.parameters import from_table, shown
from quatviz.base.registry import Registry


def from_tagged_table(registry: Registry[Any], table: Any, key: str) -> Any:
    """What a table describes whose `kind` names a class of `registry`; `key` is the table's path."""
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if not isinstance(kind, str):
        raise InputError(
            expected=phrase("a table with the key kind, one of {names}", names=", ".join(registry)),
            found="no such key" if isinstance(table, Mapping) and kind is None else shown(kind or table),
            remedy='add kind = "...", with quotes',
            key=f"{key}.kind",
        )
    cls = registry.find(kind, key=f"{key}.kind")
    try:
        return from_table(cls, {name: value for name, value in table.items() if name != "kind"}, key)
    except InputError:
        raise
    except Exception as fault:
        if not (outside := modules_outside([cls])):
            raise
        raise InputError(
            expected=phrase("what {name} can be made of", name=kind), found=told_of(fault, outside),
            remedy="leave it out, or mend the package", key=key, topic="extending#every-kind",
        ) from fault  # fmt: skip


class Measured(NamedTuple):
    """What a kind costs and how exact it is: a row of its page's table in the help, which says how it was measured.

    `free` and `gravity` are the processor time of a step [ns], `errors` angles [rad] as they are shown, for the point force, the
    torque-free body and the heavy top. None: not measured; a text in place of a number is shown as it stands. `form` is
    said behind the kind's name; `relative_to` has the two times that the ratios compare with, where they are not those that
    the page takes.
    """

    free: float | str | None = None
    gravity: float | str | None = None
    errors: tuple[str, str, str] = ("", "", "")
    form: str = ""
    relative_to: tuple[float, float] | None = None


def sentence_of(kind: type) -> str:
    """The first sentence of a kind's docstring; empty where it has none."""
    said = " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`(|])", said)[0]


def help_of(kind: type) -> str:
    """What the help says of a kind, Markdown without its heading: its attribute `help`, or the file `help.md` in its folder;
    empty where it has neither."""
    said = getattr(kind, "help", "")
    if said:
        return inspect.cleandoc(said)
    path = folder_of(kind)
    if path is None or not (path / "help.md").is_file():
        return ""
    return (path / "help.md").read_text("utf-8").strip("\n")


def module_beside(kind: type, name: str) -> ModuleType | None:
    """The module `name` in the folder of a kind; None where it has no folder, or no such module in it."""
    if folder_of(kind) is None or importlib.util.find_spec(f"{kind.__module__}.{name}") is None:
        return None
    return importlib.import_module(f"{kind.__module__}.{name}")


def folder_of(kind: type) -> Path | None:
    """The folder of a kind that is one: defined in the `__init__` of a package."""
    module = sys.modules[kind.__module__]
    return Path(str(module.__file__)).parent if hasattr(module, "__path__") else None


class Mutation(NamedTuple):
    """A wrong sign or factor that `quatviz verify` must see: `old` becomes `new`, once, in the kind's own file or in `file` below
    `quatviz/`.

    It is looked for where it shows soonest: in a function of `quatviz/verification/parts`, `part.function`, or, without
    `seen_by`, in the derivatives of a formulation: the kind's own, or `through`, which another kind names.
    """

    old: str
    new: str
    file: str = ""
    seen_by: str = ""
    through: str = ""
