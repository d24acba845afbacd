"""Finding the parts of the program: one module per part, from a folder or from an outside package.

A family of parts (formulations, integrators, loads, panels, scene items) is a folder. Each module in
it, or each folder that is a package, apart from `base`, defines exactly one concrete subclass of the family's
base class, whose `name` equals the module's name. Where a part is a few lines, the family is one module, which defines
all of them in their order. Where a part is a value, as a quantity is, it is an instance instead. Outside packages add parts through
entry points of the group `quatviz.<family>`; the value names a module that keeps the same rule, apart from its name being free.

Commands are modules rather than classes, and told by their docstrings: see `CommandRegistry`.
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
from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, exception_summary, phrase
from quatviz.base.formatting import CONTROL_CHARACTERS

log = logging.getLogger(__name__)

EntryT = TypeVar("EntryT")
Read = TypeVar("Read")


class PluginPackage(NamedTuple):
    """An installed package that adds to quatviz."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


class Registry(Mapping[str, EntryT], Generic[EntryT]):
    """The parts of one family by name, classes but where a part is a value, read from disk when first asked for.

    `package` is the folder's dotted name, `base` the class that each part extends; `values` are the parts where
    they are values, of a family called `family`. A plug-in that cannot be used is left out: see `load_plugins`.

    Of a family whose parts each have files of their own, `ending_attribute` is the attribute that gives the endings of their
    names, in lower case and each with its dot: no two parts have one, and what comes first, quatviz's own before all others,
    has it.
    """

    def __init__(
        self,
        package: str,
        base: type,
        values: Iterable[Any] | None = None,
        family: str = "",
        ending_attribute: str = "",
    ) -> None:
        self._package = package
        self._base = base
        self._values = values
        self._family = family
        self._ending_attribute = ending_attribute
        self._entries: dict[str, EntryT] | None = None
        self._packages: dict[str, PluginPackage] = {}
        self._factories: dict[str, Callable[[], EntryT]] = {}

    @property
    def family(self) -> str:
        """The family's name as people read it: the folder's own name."""
        return self._family or self._package.rsplit(".", 1)[-1]

    def plugin_package(self, name: str) -> PluginPackage | None:
        """The installed package that adds the part called `name`; None for quatviz's own, and where there is none."""
        self.entries()
        return self._packages.get(name)

    def entries(self) -> dict[str, EntryT]:
        """Every part by name, in the order of their names, own parts before plug-ins."""
        if self._entries is None:
            self._entries = dict(self._builtin_entries())
            for point, entry in load_plugins(self.family, self._load_plugin):
                self._entries[_entry_name(entry)] = entry
                self._packages[_entry_name(entry)] = package_of_entry_point(point)
        return self._entries

    @property
    def entries_by_ending(self) -> dict[str, EntryT]:
        """The part that has the files of each ending."""
        return {ending: entry for entry in self.entries().values() for ending in self._endings(entry)}

    @property
    def factories(self) -> Mapping[str, Callable[[], EntryT]]:
        """What makes each of the parts that were added, by name: for other processes, which do not know them."""
        return MappingProxyType(self._factories)

    def add(self, factory: Callable[[], EntryT]) -> EntryT:
        """Add what `factory` makes, in this process alone. It takes the place of what was added under its name before, as a cell
        of a notebook that is run again does; an `InputError` where a part of the program or of a plug-in has that name."""
        entry = factory()
        name = _entry_name(entry)
        if name in self and name not in self._factories:
            raise InputError(
                name, expected=phrase("a name that none of the {family} has", family=phrase(self.family.replace("_", " "))),
                found=repr(name), remedy="choose another name", key="name", topic="own#a-function",
            )  # fmt: skip
        self.entries()[name] = entry
        self._factories[name] = factory
        return entry

    def remove(self, name: str) -> None:
        """Take away the part called `name` that was added."""
        del self._factories[name], self.entries()[name]

    def find(self, name: str, key: str = "") -> EntryT:
        """The part called `name`; an `InputError` that lists the others where there is none."""
        try:
            return self[name]
        except KeyError:
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
            ) from None

    def __getitem__(self, name: str) -> EntryT:
        if self._entries is not None and name in self._entries:
            return self._entries[name]
        return self.entries()[current_name(self.family, name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries())

    def __len__(self) -> int:
        return len(self.entries())

    def _builtin_entries(self) -> Iterator[tuple[str, EntryT]]:
        if self._values is not None:
            yield from ((_entry_name(entry), entry) for entry in self._values)
            return
        folder = importlib.import_module(self._package)
        if not hasattr(folder, "__path__"):
            yield from ((_entry_name(entry), entry) for entry in self._entries_in(folder))
            return
        modules = {
            info.name: f"{self._package}.{info.name}"
            for info in pkgutil.iter_modules(folder.__path__)
            if info.name != "base" and not info.name.startswith("_")
        }
        for name, module in sorted({**modules, **MODULES_ELSEWHERE.get(self.family, {})}.items()):
            entry = self._single_entry(importlib.import_module(module))
            if _entry_name(entry) != name:
                raise TypeError(f"{entry.__module__}: `name` is {_entry_name(entry)!r}, the module {name!r}")
            yield name, entry

    def _load_plugin(self, point: EntryPoint) -> EntryT:
        """Its part; NameError where another has its name, or files of the same ending: a plug-in takes the place of none."""
        entry = self._single_entry(importlib.import_module(point.module))
        refuse_duplicate_name(_entry_name(entry), self._entries or (), self.family)
        for text in (_entry_name(entry), getattr(entry, "title", "")):
            if CONTROL_CHARACTERS.search(text):
                raise ValueError(f"{text!r} would command a terminal")
        endings = self._endings(entry)
        if not (
            isinstance(endings, tuple)
            and all(re.fullmatch(r"(\.[^./\sA-Z]+)+", suffix) for suffix in endings)
        ):
            raise ValueError(f"{self._ending_attribute} are endings, each with its dot, not {endings!r}")
        for ending in endings:
            refuse_duplicate_name(ending, self.entries_by_ending, self.family)
        return entry

    def _endings(self, entry: EntryT) -> tuple[str, ...]:
        """Those that a part claims."""
        if not self._ending_attribute:
            return ()
        endings: tuple[str, ...] = getattr(entry, self._ending_attribute)
        return endings

    def _single_entry(self, module: ModuleType) -> EntryT:
        candidates = self._entries_in(module)
        if len(candidates) != 1:
            raise TypeError(f"{module.__name__} defines {len(candidates)} parts of {self._package}, not one")
        return candidates[0]

    def _entries_in(self, module: ModuleType) -> list[EntryT]:
        """The parts that a module defines, in their order."""
        candidates = [
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
        return cast("list[EntryT]", candidates)


class CallableModule(ModuleType):
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


class CommandRegistry(Mapping[str, Command]):
    """The commands by name, each a module of `package` with a function `main(words) -> status`, or behind an entry point
    of the group `quatviz.commands`. Nothing is imported: what a command is for stands in its module's docstring.

        \"""`quatviz NAME`: what it is for.

        quatviz NAME EXAMPLE        what this does
        \"""

    They stand in the order of their `PLACE`, a number, and those without one behind them. Benches are found in the same way:
    theirs is the function `measure() -> findings`.
    """

    def __init__(self, package: str, family: str = "") -> None:
        self._package, self._family = package, family
        self._commands: dict[str, Command] | None = None

    def __getitem__(self, name: str) -> Command:
        return self._load_all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._load_all())

    def __len__(self) -> int:
        return len(self._load_all())

    def _load_all(self) -> dict[str, Command]:
        if self._commands is None:
            builtin = list(self._builtin_commands())
            names = {name for _, name, _ in builtin}
            plugins = [command for _, command in load_plugins(self.family, partial(self._load_plugin, names))]
            self._commands = {name: command for _, name, command in sorted([*builtin, *plugins])}
        return self._commands

    @property
    def family(self) -> str:
        """The name of the group of entry points, without `quatviz.`."""
        return self._family or self._package.rsplit(".", 1)[-1]

    def _builtin_commands(self) -> Iterator[tuple[int, str, Command]]:
        spec = importlib.util.find_spec(self._package)
        folders = spec.submodule_search_locations if spec else None
        for folder in map(Path, folders or ()):
            for path in folder.glob("[!_]*.py"):
                yield _parse_command(path.stem, f"{self._package}.{path.stem}", path)

    def _load_plugin(self, names: set[str], point: EntryPoint) -> tuple[int, str, Command]:
        refuse_duplicate_name(point.name, names, self.family)
        names.add(point.name)
        spec = importlib.util.find_spec(point.module)
        if spec is None or not spec.origin:
            raise ImportError(f"there is no module {point.module}")
        return _parse_command(point.name, point.module, Path(spec.origin))


def _parse_command(name: str, module: str, path: Path) -> tuple[int, str, Command]:
    """Where a command stands, its name, and what its file says."""
    text = path.read_text("utf-8")
    first, *following_lines = _module_docstring(text).splitlines() or [""]
    positions = re.findall(r"^PLACE = (\d+)$", text, re.MULTILINE)
    purpose = first.partition(": ")[2].removesuffix(".")
    usage = tuple(line.strip() for line in following_lines if line.strip().startswith("quatviz "))
    return int([*positions, 1000][0]), name, Command(module, purpose, usage)


def _module_docstring(text: str) -> str:
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
    "sweep_measures": ("analysis/sweeps/measures", "what a parameter map measures of each run"),
    "boundaries": (
        "analysis/sweeps/boundaries",
        "a boundary between motions of different kinds that theory knows, drawn over a map",
    ),
    "formats": ("export/formats", "a file format of tables"),
    "outputs": ("commands/outputs", "what `quatviz render` writes"),
    "documents": ("export/documents.py", "a figure or table of the documents"),
    "mistakes": ("verification/judging/mistakes.py", "a known mistake in equations of motion"),
    "readers": ("recordings/readers", "a kind of file that recordings are read from"),
    "parts": ("verification/parts", "a part of `quatviz verify`"),
    "tools": ("ui/tools", "a window or dialog that the main window opens"),
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


def load_registry(group: str) -> Registry[Any]:
    """The registry of a family, which is imported; not that of the commands, which are modules."""
    module = importlib.import_module(f"quatviz.{FAMILIES[group][0].removesuffix('.py').replace('/', '.')}")
    return next(value for value in vars(module).values() if isinstance(value, Registry))


def entry_names(group: str) -> list[str]:
    """The kinds of a family, without importing them: modules are called as they are, and so are entry points."""
    builtin_names = _builtin_names(group)
    return [
        *builtin_names,
        *(point.name for point in plugin_entry_points(group) if point.name not in builtin_names),
    ]


@cache
def _builtin_names(group: str) -> tuple[str, ...]:
    """Those that quatviz brings; a lesson asks for each scene."""
    location = resources.PACKAGE / FAMILIES[group][0]
    if location.suffix:
        return tuple(_names_defined_in(location))
    folders = location.glob("[!_]*/__init__.py") if group != "commands" else ()
    names = {path.stem for path in location.glob("[!_]*.py")} | {path.parent.name for path in folders}
    return tuple(sorted({*names, *MODULES_ELSEWHERE.get(group, {})} - {"base"}))


def _names_defined_in(path: Path) -> Iterator[str]:
    """The names of the classes in a file that have one, and of quantities, but for those that a loop makes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "name":
                yield ast.literal_eval(statement.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Quantity":
            yield from (
                str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant)
            )


def plugin_entry_points(family: str) -> tuple[EntryPoint, ...]:
    """The entry points by which installed packages extend `family`, in a stable order."""
    return _entry_points_by_group(tuple(sys.path)).get(f"quatviz.{family}", ())


def load_plugins(family: str, read: Callable[[EntryPoint], Read]) -> Iterator[tuple[EntryPoint, Read]]:
    """What `read` makes of each entry point of a family. One that it cannot is left out, and told in a sentence, which
    `skip_reason` keeps: one bad package must not keep the program from starting."""
    for point in plugin_entry_points(family):
        try:
            loaded = read(point)
        except PLUGIN_EXCEPTIONS as error:
            skip_plugin(point, _describe_load_error(error))
        else:
            yield point, loaded


def skip_plugin(point: EntryPoint, reason: str) -> None:
    """Tell that a plug-in, or a part of it, is left out, and why."""
    sentence = (
        f"the plug-in {point.name} = {point.value} of {package_of_entry_point(point)} was left out: {reason}"
    )
    _skipped_plugins[point] = sentence
    log.warning(sentence)


_skipped_plugins: dict[EntryPoint, str] = {}
"""What `skip_reason` tells."""


def skip_reason(point: EntryPoint) -> str:
    """Why a plug-in was left out, in a sentence; empty where it was not, or was not asked for yet."""
    return _skipped_plugins.get(point, "")


def refuse_duplicate_name(name: str, names: Collection[str], family: str) -> None:
    """NameError where the name is among these already."""
    if name in names:
        raise NameError(f"the {family} have {name!r} already; give it another name")


def _describe_load_error(error: BaseException) -> str:
    """What went wrong, and where in the plug-in."""
    last_frame = traceback.extract_tb(error.__traceback__)[-1]
    if last_frame.filename == __file__ or isinstance(error, ImportError):
        return f"{error}"
    return f"{exception_summary(error)} ({last_frame.filename}, line {last_frame.lineno})"


def package_of_entry_point(point: EntryPoint) -> PluginPackage:
    """The installed package that an entry point stands in."""
    if point.dist is None:
        return PluginPackage(point.module, "")
    return PluginPackage(point.dist.name, point.dist.version)


def is_third_party(definition: Any) -> bool:
    """Whether a class or a function is of a package that adds to quatviz, or of a script."""
    return not definition.__module__.startswith("quatviz.")


@cache
def _entry_points_by_group(path: tuple[str, ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """Those of every group, remembered for one `path` of packages: to read what is installed costs 10 ms, to look through it 1,
    and a lesson asks for each scene."""
    installed = entry_points()
    groups = (group for group in installed.groups if group.startswith("quatviz."))
    return {
        group: tuple(sorted(installed.select(group=group), key=lambda point: (point.name, point.value)))
        for group in groups
    }


def _entry_name(entry: Any) -> str:
    return str(entry.name)
