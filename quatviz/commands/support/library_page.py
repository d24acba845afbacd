"""Help page of the Python library, generated from the docstrings of what `import quatviz` provides."""

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

All that `import quatviz as qv` provides, from the docstrings that `help(qv.simulate)` shows too; every example runs. For an
introduction see [scripts, notebooks and the command line](scripting.md). Units are SI, with degrees for angles that people read;
Euler parameters are scalar first, body to space; vectors are in body components unless stated otherwise.
"""
_MODULES = ("rotations", "euler_sequences")
_BASE_CLASSES = (Load, Event)
_PARAMETER = re.compile(r"^(\w+) : (.*)\n    (.*)$", re.MULTILINE)
_SECTION_HEADER = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_SECTION_ENTRY = re.compile(r"^(\S.*)\n((?:    .*(?:\n|\Z)|\n(?=    ))+)", re.MULTILINE)
_ENTRY_SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")


def library_page() -> str:
    """Return the text of the page in Markdown."""
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
    """Yield the Markdown of a function, or of a class with its methods."""
    name = thing.__name__.rpartition(".")[2]  # A module is an attribute of `quatviz`.
    yield f"### {name}\n\n{_call_and_docstring(thing, name)}"
    if inspect.isclass(thing) and not issubclass(thing, (*_BASE_CLASSES, BaseException)):
        yield from (
            _method_section(thing.__name__, name, member) for name, member in _documented_members(thing)
        )


def _documented_members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield public methods and properties with a docstring, except the quantities of a lane, which have their own table."""
    seen = set[str]()
    for owner in cls.__mro__:
        for name, member in vars(owner).items():
            # the function of a class method or a cached property
            function = getattr(member, "__func__", getattr(member, "func", member))
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
    """Return the signature and the docstring of an object in Markdown."""
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
    """Return the signature of a function with parameter names and defaults. Annotations are omitted, because the text
    describes the types."""
    signature = inspect.signature(thing)
    parameters = [
        parameter.replace(annotation=parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls", "_source", "_values")
    ]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def _fence_examples(text: str) -> str:
    """Return the text with each example, up to the next empty line, as a code block."""
    parts = text.split("\n\n")
    return "\n\n".join(f"```text\n{part}\n```" if part.startswith(">>> ") else part for part in parts)


def _module_table(name: str) -> Iterator[str]:
    """Yield a table of the functions of a module."""
    module = importlib.import_module(f"quatviz.physics.mechanics.{name}")
    yield f"## {name}\n\n{inspect.getdoc(module)}\n\n| function | result |\n|---|---|"
    for function_name, function in vars(module).items():
        if (
            isinstance(function, FunctionType)
            and function.__module__ == module.__name__
            and not function_name.startswith("_")
        ):
            summary = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()).replace("|", "\\|")
            yield f"| `qv.{name}.{function_name}{_signature(function)}` | {summary} |"
    yield ""
