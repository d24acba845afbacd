"""Finding the parts of the program: one module per part, from a folder or from an outside package.

A family of parts (formulations, integrators, loads, panels, scene items) is a folder. Each module in
it, or each folder that is a package, apart from `base`, defines exactly one concrete subclass of the family's
base class, whose `name` equals the module's name. Where a part is a few lines, the family is one module, which defines
all of them in their order. Outside packages add parts through entry points of the group
`quatviz.<family>`; the value names a module that keeps the same rule, apart from its name being free.

Commands are modules rather than classes, and told by their docstrings: see `Commands`.
"""

import ast
import importlib
import importlib.util
import inspect
import io
import logging
import pkgutil
import re
import sys
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Generic, NamedTuple, TypeVar, cast

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase

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
        self._recipes: dict[str, Callable[[], type[Part]]] = {}

    @property
    def family(self) -> str:
        """The family's name as people read it: the folder's own name."""
        return self._package.rsplit(".", 1)[-1]

    def parts(self) -> dict[str, type[Part]]:
        """Every part by name, in the order of their names, own parts before plug-ins."""
        if self._parts is None:
            self._parts = dict(self._own())
            for name, part in self._plugins(self._parts):
                self._parts[name] = part
        return self._parts

    @property
    def recipes(self) -> Mapping[str, Callable[[], type[Part]]]:
        """What makes each of the parts that were added, by name: for other processes, which do not know them."""
        return MappingProxyType(self._recipes)

    def add(self, recipe: Callable[[], type[Part]]) -> type[Part]:
        """Add what `recipe` makes, in this process alone. It takes the place of what was added under its name before, as a cell
        of a notebook that is run again does; an `InputError` where a part of the program or of a plug-in has that name."""
        part = recipe()
        name = _name(part)
        if name in self and name not in self._recipes:
            raise InputError(
                name, expected=phrase("a name that none of the {family} has", family=phrase(self.family.replace("_", " "))),
                found=repr(name), remedy="choose another name", key="name", topic="own#a-function",
            )  # fmt: skip
        self.parts()[name] = part
        self._recipes[name] = recipe
        return part

    def find(self, name: str, key: str = "") -> type[Part]:
        """The part called `name`; an `InputError` that lists the others where there is none."""
        if name not in self:
            raise InputError(
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
        if not hasattr(folder, "__path__"):
            yield from ((_name(part), part) for part in self._parts_of(folder))
            return
        for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
            if info.name == "base" or info.name.startswith("_"):
                continue
            part = self._part_of(importlib.import_module(f"{self._package}.{info.name}"))
            if _name(part) != info.name:
                raise TypeError(f"{part.__module__}: `name` is {_name(part)!r}, the module {info.name!r}")
            yield info.name, part

    def _plugins(self, taken: Mapping[str, type[Part]]) -> Iterator[tuple[str, type[Part]]]:
        """Those whose names are not `taken` yet."""
        for point in plugin_points(self.family):
            try:
                part = self._part_of(importlib.import_module(point.module))
                name = _name(part)
                if name in taken:
                    raise TypeError(f"the {self.family} have {name!r} already; give it another name")
            except (Exception, SystemExit):
                log.exception("the plug-in %s = %s was left out", point.name, point.value)
                continue
            yield name, part

    def _part_of(self, module: ModuleType) -> type[Part]:
        found = self._parts_of(module)
        if len(found) != 1:
            raise TypeError(f"{module.__name__} defines {len(found)} parts of {self._package}, not one")
        return found[0]

    def _parts_of(self, module: ModuleType) -> list[type[Part]]:
        """The parts that a module defines, in their order."""
        found = [
            value
            for value in vars(module).values()
            if inspect.isclass(value)
            and issubclass(value, self._base)
            and value.__module__ == module.__name__
            and not inspect.isabstract(value)
            and not value.__name__.startswith("_")
            and value is not self._base
        ]
        return cast("list[type[Part]]", found)


class Command(NamedTuple):
    """One command: its module, what it is for, and examples of its use with what they do."""

    module: str
    purpose: str
    usage: tuple[str, ...]


class Commands(Mapping[str, Command]):
    """The commands by name, each a module of `package` with a function `main(words) -> status`, or behind an entry point of the
    group `quatviz.commands`. Nothing is imported: what a command is for stands in its module's docstring.

        \"""`quatviz NAME`: what it is for.

        quatviz NAME EXAMPLE        what this does
        \"""

    They stand in the order of their `PLACE`, a number, and those without one behind them. Benches are found in the same way:
    theirs is the function `measure() -> findings`.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._found: dict[str, Command] | None = None

    def __getitem__(self, name: str) -> Command:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Command]:
        if self._found is None:
            own = list(self._own())
            found = sorted([*own, *self._plugins({name for _, name, _ in own})])
            self._found = {name: command for _, name, command in found}
        return self._found

    def _own(self) -> Iterator[tuple[int, str, Command]]:
        spec = importlib.util.find_spec(self._package)
        folders = spec.submodule_search_locations if spec else None
        for folder in map(Path, folders or ()):
            for path in folder.glob("[!_]*.py"):
                yield _command(path.stem, f"{self._package}.{path.stem}", path)

    def _plugins(self, taken: Collection[str]) -> Iterator[tuple[int, str, Command]]:
        for point in plugin_points(self._package.rsplit(".", 1)[-1]):
            try:
                if point.name in taken:
                    raise TypeError(f"there is a command {point.name!r} already; give it another name")
                spec = importlib.util.find_spec(point.module)
                if spec is None or not spec.origin:
                    raise ImportError(f"there is no module {point.module}")
                command = _command(point.name, point.module, Path(spec.origin))
            except (Exception, SystemExit):
                log.exception("the plug-in %s = %s was left out", point.name, point.value)
                continue
            yield command


def _command(name: str, module: str, path: Path) -> tuple[int, str, Command]:
    """Where a command stands, its name, and what its file says."""
    text = path.read_text("utf-8")
    first, *more = _docstring(text).splitlines() or [""]
    places = re.findall(r"^PLACE = (\d+)$", text, re.MULTILINE)
    purpose = first.partition(": ")[2].removesuffix(".")
    usage = tuple(line.strip() for line in more if line.strip().startswith("quatviz "))
    return int([*places, 1000][0]), name, Command(module, purpose, usage)


def _docstring(text: str) -> str:
    """That of a module's text, which is the first thing in it: to parse all of each command took 20 ms of every start."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            return inspect.cleandoc(ast.literal_eval(token.string))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            break
    return ""


FAMILIES = {
    "formulations": ("formulations", "a way of writing the equations of motion"),
    "integrators": ("integrators", "a method of stepping in time"),
    "loads": ("loads", "what acts on a body"),
    "events": ("events", "what happens to a motion at one instant"),
    "shapes": ("shapes.py", "what a body looks like"),
    "exact": ("exact", "a motion known in closed form"),
    "panels": ("panels", "a panel of the plot board"),
    "items": ("scene/items", "a thing in the 3D view"),
    "measures": ("studies/measures.py", "an error that a study measures"),
    "formats": ("export/formats", "a file format of tables"),
    "outputs": ("commands/outputs", "what `quatviz render` writes"),
    "documents": ("export/documents.py", "a figure or table of the documents"),
    "mistakes": ("judging/mistakes.py", "a known mistake in equations of motion"),
    "parts": ("verify/parts", "a part of `quatviz verify`"),
    "commands": ("commands", "a command"),
}
"""Each group of entry points, `quatviz.` left out: where its own parts stand, and what one of them is."""


def registry_of(group: str) -> Registry[Any]:
    """The registry of a family, which is imported; not that of the commands, which are modules."""
    module = importlib.import_module(f"quatviz.{FAMILIES[group][0].removesuffix('.py').replace('/', '.')}")
    return next(value for value in vars(module).values() if isinstance(value, Registry))


def names_of(group: str) -> list[str]:
    """The kinds of a family, without importing them: modules are called as they are, and so are entry points."""
    place = resources.PACKAGE / FAMILIES[group][0]
    if place.suffix:
        own = list(_named_in(place))
    else:
        folders = place.glob("[!_]*/__init__.py") if group != "commands" else ()
        found = {path.stem for path in place.glob("[!_]*.py")} | {path.parent.name for path in folders}
        own = sorted(found - {"base"})
    return [*own, *(point.name for point in plugin_points(group))]


def _named_in(path: Path) -> Iterator[str]:
    """The names of the classes in a file that have one."""
    for node in ast.parse(path.read_text("utf-8")).body:
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "name":
                yield ast.literal_eval(line.value)


def plugin_points(family: str) -> tuple[EntryPoint, ...]:
    """The entry points by which installed packages extend `family`, in a stable order."""
    points = _points(tuple(sys.path)).select(group=f"quatviz.{family}")
    return tuple(sorted(points, key=lambda point: (point.name, point.value)))


@cache
def _points(path: tuple[str, ...]) -> Any:
    """Those of every group, remembered for one `path` of packages: to read what is installed costs 10 ms, and a lesson asks
    for each scene."""
    return entry_points()


def _name(part: type) -> str:
    return str(part.name)  # type: ignore[attr-defined]
