"""Finding the parts of the program: one module per part, from a folder or from an outside package.

A family of parts (formulations, integrators, loads, panels, scene items) is a folder. Each module in
it, apart from `base`, defines exactly one concrete subclass of the family's base class, whose `name`
equals the module's name. Outside packages add parts through entry points of the group
`quatviz.<family>`; the value names a module that keeps the same rule, apart from its name being free.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Generic, TypeVar, cast

from quatviz.core.errors import Refusal, phrase

log = logging.getLogger(__name__)

Part = TypeVar("Part")


class Registry(Mapping[str, type[Part]], Generic[Part]):
    """The classes of one family by name, read from disk when first asked for.

    `package` is the folder's dotted name, `base` the class that each part extends. A plug-in that
    cannot be imported is logged and left out: one bad package must not keep the program from starting.
    """

    def __init__(self, package: str, base: type) -> None:
        self._package = package
        self._base = base
        self._parts: dict[str, type[Part]] | None = None

    @property
    def family(self) -> str:
        """The family's name as people read it: the folder's own name."""
        return self._package.rsplit(".", 1)[-1]

    def parts(self) -> dict[str, type[Part]]:
        """Every part by name, in the order of their names, own parts before plug-ins."""
        if self._parts is None:
            self._parts = dict(self._own())
            self._parts.update(self._plugins())
        return self._parts

    def find(self, name: str, key: str = "") -> type[Part]:
        """The part called `name`; a `Refusal` that lists the others where there is none."""
        if name not in self:
            raise Refusal(
                key or f"{self.family}",
                expected=phrase(
                    "one of the {family}: {names}",
                    family=phrase(self.family.replace("_", " ")),
                    names=", ".join(self),
                ),
                found=repr(name),
                remedy="correct the spelling, or install the package that adds it",
                key=key,
                topic="errors#names",
            )
        return self[name]

    def __getitem__(self, name: str) -> type[Part]:
        return self.parts()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts())

    def __len__(self) -> int:
        return len(self.parts())

    def _own(self) -> Iterator[tuple[str, type[Part]]]:
        folder = importlib.import_module(self._package)
        for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
            if info.name == "base" or info.name.startswith("_"):
                continue
            part = self._part_of(importlib.import_module(f"{self._package}.{info.name}"))
            if _name(part) != info.name:
                raise TypeError(f"{part.__module__}: `name` is {_name(part)!r}, the module {info.name!r}")
            yield info.name, part

    def _plugins(self) -> Iterator[tuple[str, type[Part]]]:
        for point in plugin_points(self.family):
            try:
                part = self._part_of(importlib.import_module(point.module))
            except Exception:
                log.exception("the plug-in %s = %s was left out", point.name, point.value)
                continue
            yield _name(part), part

    def _part_of(self, module: ModuleType) -> type[Part]:
        found = [
            value
            for value in vars(module).values()
            if inspect.isclass(value)
            and issubclass(value, self._base)
            and value.__module__ == module.__name__
            and not inspect.isabstract(value)
            and not value.__name__.startswith("_")
        ]
        if len(found) != 1:
            raise TypeError(f"{module.__name__} defines {len(found)} parts of {self._package}, not one")
        return cast("type[Part]", found[0])


def plugin_points(family: str) -> tuple[EntryPoint, ...]:
    """The entry points by which installed packages extend `family`, in a stable order."""
    return _points(family, tuple(sys.path))


@cache
def _points(family: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Remembered for one `path` of packages: to read what is installed costs 10 ms, and a lesson asks for each scene."""
    return tuple(sorted(entry_points(group=f"quatviz.{family}"), key=lambda point: (point.name, point.value)))


def _name(part: type) -> str:
    return str(part.name)  # type: ignore[attr-defined]
