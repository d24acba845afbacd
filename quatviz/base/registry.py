"""Finding the parts of the program: one module per part, from a folder or from an outside package.

A family of parts (formulations, integrators, loads, panels, scene items) is a folder. Each module in
it, or each folder that is a package, apart from `base`, defines exactly one concrete subclass of the family's
base class, whose `name` equals the module's name. Where a part is a few lines, the family is one module, which defines
all of them in their order. Where a part is a value, as a quantity is, it is an instance instead. Outside packages add parts through
entry points of the group `quatviz.<family>`; the value names a module that keeps the same rule, apart from its name being free.

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
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Generic, NamedTuple, TypeVar, cast

from quatviz.base import resources
from quatviz.base.errors import FAULTS, InputError, phrase
from quatviz.base.formatting import COMMANDING

log = logging.getLogger(__name__)

Part = TypeVar("Part")
Read = TypeVar("Read")


class Package(NamedTuple):
    """An installed package that adds to quatviz."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


class Registry(Mapping[str, Part], Generic[Part]):
    """The parts of one family by name, classes but where a part is a value, read from disk when first asked for.

    `package` is the folder's dotted name, `base` the class that each part extends; `own` are the parts where they are values, of
    a family called `family`. A plug-in that cannot be used is left out: see `taken`.

    Of a family whose parts each have files of their own, `claims` is the attribute that says the endings of their names, in lower
    case and each with its dot: no two parts have one, and what comes first, quatviz's own before all others, has it.
    """

    def __init__(
        self,
        package: str,
        base: type,
        own: Iterable[Any] | None = None,
        family: str = "",
        claims: str = "",
    ) -> None:
        self._package = package
        self._base = base
        self._values = own
        self._family = family
        self._claims = claims
        self._parts: dict[str, Part] | None = None
        self._packages: dict[str, Package] = {}
        self._recipes: dict[str, Callable[[], Part]] = {}

    @property
    def family(self) -> str:
        """The family's name as people read it: the folder's own name."""
        return self._family or self._package.rsplit(".", 1)[-1]

    def package(self, name: str) -> Package | None:
        """The installed package that adds the part called `name`; None for quatviz's own, and where there is none."""
        self.parts()
        return self._packages.get(name)

    def parts(self) -> dict[str, Part]:
        """Every part by name, in the order of their names, own parts before plug-ins."""
        if self._parts is None:
            self._parts = dict(self._own())
            for point, part in taken(self.family, self._of_plugin):
                self._parts[_name(part)] = part
                self._packages[_name(part)] = package_of(point)
        return self._parts

    @property
    def claimed(self) -> dict[str, Part]:
        """The part that has the files of each ending."""
        return {ending: part for part in self.parts().values() for ending in self._endings(part)}

    @property
    def recipes(self) -> Mapping[str, Callable[[], Part]]:
        """What makes each of the parts that were added, by name: for other processes, which do not know them."""
        return MappingProxyType(self._recipes)

    def add(self, recipe: Callable[[], Part]) -> Part:
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

    def drop(self, name: str) -> None:
        """Take away the part called `name` that was added."""
        del self._recipes[name], self.parts()[name]

    def find(self, name: str, key: str = "") -> Part:
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

    def __getitem__(self, name: str) -> Part:
        return self.parts()[current_name(self.family, name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts())

    def __len__(self) -> int:
        return len(self.parts())

    def _own(self) -> Iterator[tuple[str, Part]]:
        if self._values is not None:
            yield from ((_name(part), part) for part in self._values)
            return
        folder = importlib.import_module(self._package)
        if not hasattr(folder, "__path__"):
            yield from ((_name(part), part) for part in self._parts_of(folder))
            return
        modules = {
            info.name: f"{self._package}.{info.name}"
            for info in pkgutil.iter_modules(folder.__path__)
            if info.name != "base" and not info.name.startswith("_")
        }
        for name, module in sorted({**modules, **MODULES_ELSEWHERE.get(self.family, {})}.items()):
            part = self._part_of(importlib.import_module(module))
            if _name(part) != name:
                raise TypeError(f"{part.__module__}: `name` is {_name(part)!r}, the module {name!r}")
            yield name, part

    def _of_plugin(self, point: EntryPoint) -> Part:
        """Its part; NameError where another has its name, or files of the same ending: a plug-in takes the place of none."""
        part = self._part_of(importlib.import_module(point.module))
        refuse_taken(_name(part), self._parts or (), self.family)
        for words in (_name(part), getattr(part, "title", "")):
            if COMMANDING.search(words):
                raise ValueError(f"{words!r} would command a terminal")
        endings = self._endings(part)
        if not (
            isinstance(endings, tuple) and all(re.fullmatch(r"(\.[^./\sA-Z]+)+", each) for each in endings)
        ):
            raise ValueError(f"{self._claims} are endings, each with its dot, not {endings!r}")
        for ending in endings:
            refuse_taken(ending, self.claimed, self.family)
        return part

    def _endings(self, part: Part) -> tuple[str, ...]:
        """Those that a part claims."""
        if not self._claims:
            return ()
        endings: tuple[str, ...] = getattr(part, self._claims)
        return endings

    def _part_of(self, module: ModuleType) -> Part:
        found = self._parts_of(module)
        if len(found) != 1:
            raise TypeError(f"{module.__name__} defines {len(found)} parts of {self._package}, not one")
        return found[0]

    def _parts_of(self, module: ModuleType) -> list[Part]:
        """The parts that a module defines, in their order."""
        found = [
            value
            for value in vars(module).values()
            if (self._values is not None and isinstance(value, self._base))
            or (
                inspect.isclass(value)
                and issubclass(value, self._base)
                and value.__module__ == module.__name__
                and not inspect.isabstract(value)
                and not value.__name__.startswith("_")
                and value is not self._base
            )
        ]
        return cast("list[Part]", found)


class Family(ModuleType):
    """A package of parts that is called for what there is: `quatviz.loads()` gives what the function `listed` in it does. Pickles
    hold it by its name."""

    def __call__(self) -> dict[str, str]:
        """What a person reads of each part, by its name."""
        return dict(vars(self)["listed"]())

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return importlib.import_module, (self.__name__,)


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
            names = {name for _, name, _ in own}
            more = [command for _, command in taken(self.family, partial(self._of_plugin, names))]
            self._found = {name: command for _, name, command in sorted([*own, *more])}
        return self._found

    @property
    def family(self) -> str:
        return self._package.rsplit(".", 1)[-1]

    def _own(self) -> Iterator[tuple[int, str, Command]]:
        spec = importlib.util.find_spec(self._package)
        folders = spec.submodule_search_locations if spec else None
        for folder in map(Path, folders or ()):
            for path in folder.glob("[!_]*.py"):
                yield _command(path.stem, f"{self._package}.{path.stem}", path)

    def _of_plugin(self, names: set[str], point: EntryPoint) -> tuple[int, str, Command]:
        refuse_taken(point.name, names, self.family)
        names.add(point.name)
        spec = importlib.util.find_spec(point.module)
        if spec is None or not spec.origin:
            raise ImportError(f"there is no module {point.module}")
        return _command(point.name, point.module, Path(spec.origin))


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
    "formulations": ("physics/formulations", "a way of writing the equations of motion"),
    "integrators": ("physics/integrators", "a method of stepping in time"),
    "loads": ("physics/loads", "what acts on a body"),
    "events": ("physics/events", "what happens to a motion at one instant"),
    "quantities": (
        "physics/observables/quantities.py",
        "what follows from a motion, for tables, figures and scripts",
    ),
    "shapes": ("physics/shapes.py", "what a body looks like"),
    "exact": ("physics/exact", "a motion known in closed form"),
    "panels": ("display/panels", "a panel of the plot board"),
    "items": ("display/scene/items", "a thing in the 3D view"),
    "measures": ("analysis/studies/measures.py", "an error that a study measures"),
    "sweep_measures": ("analysis/sweeps/measures", "what a sweep measures of each run"),
    "boundaries": (
        "analysis/sweeps/boundaries",
        "where theory knows that the motions of a map become others",
    ),
    "formats": ("export/formats", "a file format of tables"),
    "outputs": ("commands/outputs", "what `quatviz render` writes"),
    "documents": ("export/documents.py", "a figure or table of the documents"),
    "mistakes": ("verification/judging/mistakes.py", "a known mistake in equations of motion"),
    "readers": ("recordings/readers", "a kind of file that recordings are read from"),
    "parts": ("verification/parts", "a part of `quatviz verify`"),
    "commands": ("commands", "a command"),
}
"""Each group of entry points, `quatviz.` left out: where its own parts stand, and what one of them is."""

MODULES_ELSEWHERE: dict[str, dict[str, str]] = {"formulations": {"recording": "quatviz.recordings.recording"}}
"""Modules of a family outside its folder, by the name of the part that each defines.

The lane that shows a recording needs the readers of recordings, which stand above the equations of motion."""

FORMER_NAMES: dict[str, dict[str, str]] = {"integrators": {"frozen_rate": "lie_euler"}}
"""Names that parts had in an earlier release, with the name that each has now. Presets and scripts may still use them."""


def current_name(family: str, name: str) -> str:
    """Return the present name of a part that may be given by its former name.

    >>> current_name("integrators", "frozen_rate")
    'lie_euler'
    """
    return FORMER_NAMES.get(family, {}).get(name, name)


def registry_of(group: str) -> Registry[Any]:
    """The registry of a family, which is imported; not that of the commands, which are modules."""
    module = importlib.import_module(f"quatviz.{FAMILIES[group][0].removesuffix('.py').replace('/', '.')}")
    return next(value for value in vars(module).values() if isinstance(value, Registry))


def names_of(group: str) -> list[str]:
    """The kinds of a family, without importing them: modules are called as they are, and so are entry points."""
    own = _own_names(group)
    return [*own, *(point.name for point in plugin_points(group) if point.name not in own)]


@cache
def _own_names(group: str) -> tuple[str, ...]:
    """Those that quatviz brings; a lesson asks for each scene."""
    place = resources.PACKAGE / FAMILIES[group][0]
    if place.suffix:
        return tuple(_named_in(place))
    folders = place.glob("[!_]*/__init__.py") if group != "commands" else ()
    found = {path.stem for path in place.glob("[!_]*.py")} | {path.parent.name for path in folders}
    return tuple(sorted({*found, *MODULES_ELSEWHERE.get(group, {})} - {"base"}))


def _named_in(path: Path) -> Iterator[str]:
    """The names of the classes in a file that have one, and of quantities, but for those that a loop makes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "name":
                yield ast.literal_eval(line.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Quantity":
            yield from (str(each.value) for each in node.args[:1] if isinstance(each, ast.Constant))


def plugin_points(family: str) -> tuple[EntryPoint, ...]:
    """The entry points by which installed packages extend `family`, in a stable order."""
    return _points(tuple(sys.path)).get(f"quatviz.{family}", ())


def taken(family: str, read: Callable[[EntryPoint], Read]) -> Iterator[tuple[EntryPoint, Read]]:
    """What `read` makes of each entry point of a family. One that it cannot is left out, and told in a sentence, which `left_out`
    keeps: one bad package must not keep the program from starting."""
    for point in plugin_points(family):
        try:
            found = read(point)
        except FAULTS as fault:
            leave_out(point, _said(fault))
        else:
            yield point, found


def leave_out(point: EntryPoint, reason: str) -> None:
    """Tell that a plug-in, or a part of it, is left out, and why."""
    sentence = f"the plug-in {point.name} = {point.value} of {package_of(point)} was left out: {reason}"
    _left_out[point] = sentence
    log.warning(sentence)


_left_out: dict[EntryPoint, str] = {}
"""What `left_out` tells."""


def left_out(point: EntryPoint) -> str:
    """Why a plug-in was left out, in a sentence; empty where it was not, or was not asked for yet."""
    return _left_out.get(point, "")


def refuse_taken(name: str, names: Collection[str], family: str) -> None:
    """NameError where the name is among these already."""
    if name in names:
        raise NameError(f"the {family} have {name!r} already; give it another name")


def _said(fault: BaseException) -> str:
    """What went wrong, and where in the plug-in."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    if last.filename == __file__ or isinstance(fault, ImportError):
        return f"{fault}"
    return f"{type(fault).__name__}: {fault} ({last.filename}, line {last.lineno})"


def package_of(point: EntryPoint) -> Package:
    """The installed package that an entry point stands in."""
    if point.dist is None:
        return Package(point.module, "")
    return Package(point.dist.name, point.dist.version)


def is_outside(kind: Any) -> bool:
    """Whether a class or a function is of a package that adds to quatviz, or of a script."""
    return not kind.__module__.startswith("quatviz.")


@cache
def _points(path: tuple[str, ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """Those of every group, remembered for one `path` of packages: to read what is installed costs 10 ms, to look through it 1,
    and a lesson asks for each scene."""
    found = entry_points()
    groups = (group for group in found.groups if group.startswith("quatviz."))
    return {
        group: tuple(sorted(found.select(group=group), key=lambda point: (point.name, point.value)))
        for group in groups
    }


def _name(part: Any) -> str:
    return str(part.name)
