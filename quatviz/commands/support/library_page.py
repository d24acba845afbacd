"""The help's page of the library, made from the docstrings of what `import quatviz` brings."""

import importlib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import quatviz
from quatviz.analysis.studies.files import StudyResult
from quatviz.base.registry import CallableModule
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import Load

_HEAD = """# The library

What `import quatviz as qv` brings, from the docstrings that `help(qv.simulate)` shows too; every example runs. How it goes
together stands under [scripts, notebooks and the command line](scripting.md). SI units, degrees where people read angles; Euler
parameters scalar first, body to space; vectors in body components unless something else is said.
"""
_MODULES = ("rotations", "euler_sequences")
_BASE_CLASSES = (Load, Event)
_PARAMETER = re.compile(r"^(\w+) : (.*)\n    (.*)$", re.MULTILINE)
_SECTION_HEADER = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_SECTION_ENTRY = re.compile(r"^(\S.*)\n((?:    .*(?:\n|\Z)|\n(?=    ))+)", re.MULTILINE)
_ENTRY_SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")


def library_page() -> str:
    """The page, Markdown."""
    things = [getattr(quatviz, name) for name in quatviz.__all__]
    functions = [thing for thing in things if isinstance(thing, FunctionType | CallableModule)]
    classes = [*filter(inspect.isclass, things), StudyResult]
    values = [cls for cls in classes if not issubclass(cls, _BASE_CLASSES)]
    parts = [_HEAD]
    for title, members in (
        ("Functions", functions),
        ("Values and results", sorted(values, key=lambda cls: cls.__name__)),
        ("Loads", [cls for cls in classes if issubclass(cls, Load)]),
        ("Events", [cls for cls in classes if issubclass(cls, Event)]),
    ):
        parts += [f"## {title}\n", *(part for thing in members for part in _describe(thing))]
    parts += [part for name in _MODULES for part in _module_table(name)]
    return "\n".join(parts)


def _describe(thing: Any) -> Iterator[str]:
    """A function, or a class with its methods."""
    name = thing.__name__.rpartition(".")[2]  # a module is reached as an attribute of `quatviz`
    yield f"### {name}\n\n{_call_and_docstring(thing, name)}"
    if inspect.isclass(thing) and not issubclass(thing, (*_BASE_CLASSES, BaseException)):
        yield from (
            _method_section(thing.__name__, name, member) for name, member in _documented_members(thing)
        )


def _documented_members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties with a docstring, but for the quantities of a lane, which have a table of their own."""
    seen = set[str]()
    for owner in cls.__mro__:
        for name, member in vars(owner).items():
            function = getattr(member, "__func__", getattr(member, "func", member))  # of a class, or cached
            is_own = isinstance(function, FunctionType | property) and owner.__module__.startswith("quatviz.")
            is_documented = (
                is_own
                and inspect.getdoc(function)
                and getattr(function, "__module__", owner.__module__) == owner.__module__
            )
            if is_documented and not name.startswith("_") and name not in seen and not _is_quantity(member):
                seen.add(name)
                yield name, function


def _is_quantity(member: Any) -> bool:
    return (
        isinstance(member, property)
        and member.fget is not None
        and member.fget.__qualname__.startswith("_property")
    )


def _method_section(owner: str, name: str, member: Any) -> str:
    qualified_name = f"{owner}.{name}"
    return f"#### {qualified_name}\n\n{_call_and_docstring(member, qualified_name)}"


def _call_and_docstring(thing: Any, qualified_name: str) -> str:
    """Its call and its docstring, Markdown."""
    docstring = inspect.getdoc(thing) or ""
    call = f"```text\n{qualified_name}{_signature(thing)}\n```\n\n" if callable(thing) else ""
    docstring = _PARAMETER.sub(r"- `\1`: \2. \3", docstring.replace("\n\nParameters\n\n", "\n\n"))
    text = sections_to_markdown(docstring)
    return f"{call}{_fence_examples(text)}\n"


def sections_to_markdown(docstring: str) -> str:
    """Return a docstring in NumPy's format with bold headings, and with lists in place of parameters and results."""
    first, *sections = _SECTION_HEADER.split(docstring)
    parts = [first.rstrip()]
    for title, content in zip(sections[::2], sections[1::2], strict=True):
        if title in _ENTRY_SECTIONS:
            content = _SECTION_ENTRY.sub(
                lambda entry: f"- `{entry[1]}`: {' '.join(entry[2].split())}\n", content
            )
        parts.append(f"**{title}**\n\n{content.strip()}")
    return "\n\n".join(parts)


def _signature(thing: Any) -> str:
    """Names and defaults: what they may be stands in the words."""
    signature = inspect.signature(thing)
    parameters = [
        parameter.replace(annotation=parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls", "_source", "_values")
    ]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def _fence_examples(text: str) -> str:
    """Each example up to the next free line as code."""
    parts = text.split("\n\n")
    return "\n\n".join(f"```text\n{part}\n```" if part.startswith(">>> ") else part for part in parts)


def _module_table(name: str) -> Iterator[str]:
    """A table of its functions."""
    module = importlib.import_module(f"quatviz.physics.mechanics.{name}")
    yield f"## {name}\n\n{inspect.getdoc(module)}\n\n| function | what it gives |\n|---|---|"
    for function_name, function in vars(module).items():
        if (
            isinstance(function, FunctionType)
            and function.__module__ == module.__name__
            and not function_name.startswith("_")
        ):
            summary = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()).replace("|", "\\|")
            yield f"| `qv.{name}.{function_name}{_signature(function)}` | {summary} |"
    yield ""
