"""The help's page of the library, made from the docstrings of what `import quatviz` brings."""

import importlib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import quatviz
from quatviz.analysis.studies.files import Result
from quatviz.base.registry import Family
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import Load

_HEAD = """# The library

What `import quatviz as qv` brings, from the docstrings that `help(qv.simulate)` shows too; every example runs. How it goes
together stands under [scripts, notebooks and the command line](scripting.md). SI units, degrees where people read angles; Euler
parameters scalar first, body to space; vectors in body components unless something else is said.
"""
_MODULES = ("rotations", "euler_sequences")
_KINDS = (Load, Event)
_PARAMETER = re.compile(r"^(\w+) : (.*)\n    (.*)$", re.MULTILINE)


def library_page() -> str:
    """The page, Markdown."""
    things = [getattr(quatviz, name) for name in quatviz.__all__]
    functions = [thing for thing in things if isinstance(thing, FunctionType | Family)]
    classes = [*filter(inspect.isclass, things), Result]
    values = [kind for kind in classes if not issubclass(kind, _KINDS)]
    parts = [_HEAD]
    for title, members in (
        ("Functions", functions),
        ("Values and results", sorted(values, key=lambda kind: kind.__name__)),
        ("Loads", [kind for kind in classes if issubclass(kind, Load)]),
        ("Events", [kind for kind in classes if issubclass(kind, Event)]),
    ):
        parts += [f"## {title}\n", *(part for thing in members for part in _told(thing))]
    parts += [part for name in _MODULES for part in _of_module(name)]
    return "\n".join(parts)


def _told(thing: Any) -> Iterator[str]:
    """A function, or a class with its methods."""
    name = thing.__name__.removeprefix("quatviz.")
    yield f"### {name}\n\n{_described(thing, name)}"
    if inspect.isclass(thing) and not issubclass(thing, (*_KINDS, BaseException)):
        yield from (_method(thing.__name__, name, member) for name, member in _members(thing))


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties with a docstring, but for the quantities of a lane, which have a table of their own."""
    seen = set[str]()
    for owner in kind.__mro__:
        for name, member in vars(owner).items():
            plain = getattr(member, "__func__", getattr(member, "func", member))  # of a class, or cached
            known = isinstance(plain, FunctionType | property) and owner.__module__.startswith("quatviz.")
            told = (
                known
                and inspect.getdoc(plain)
                and getattr(plain, "__module__", owner.__module__) == owner.__module__
            )
            if told and not name.startswith("_") and name not in seen and not _is_quantity(member):
                seen.add(name)
                yield name, plain


def _is_quantity(member: Any) -> bool:
    return (
        isinstance(member, property)
        and member.fget is not None
        and member.fget.__qualname__.startswith("_property")
    )


def _method(owner: str, name: str, member: Any) -> str:
    called = f"{owner}.{name}"
    return f"#### {called}\n\n{_described(member, called)}"


def _described(thing: Any, called: str) -> str:
    """Its call and its docstring, Markdown."""
    said = inspect.getdoc(thing) or ""
    call = f"```text\n{called}{_signature(thing)}\n```\n\n" if callable(thing) else ""
    text = _PARAMETER.sub(r"- `\1`: \2. \3", said.replace("\n\nParameters\n\n", "\n\n"))
    return f"{call}{_examples_fenced(text)}\n"


def _signature(thing: Any) -> str:
    """Names and defaults: what they may be stands in the words."""
    bare = inspect.signature(thing)
    given = [
        each.replace(annotation=each.empty)
        for each in bare.parameters.values()
        if each.name not in ("self", "cls", "_source", "_values")
    ]
    return str(bare.replace(parameters=given, return_annotation=bare.empty))


def _examples_fenced(text: str) -> str:
    """Each example up to the next free line as code."""
    parts = text.split("\n\n")
    return "\n\n".join(f"```text\n{part}\n```" if part.startswith(">>> ") else part for part in parts)


def _of_module(name: str) -> Iterator[str]:
    """A table of its functions."""
    module = importlib.import_module(f"quatviz.physics.mechanics.{name}")
    yield f"## {name}\n\n{inspect.getdoc(module)}\n\n| function | what it gives |\n|---|---|"
    for each, thing in vars(module).items():
        if (
            isinstance(thing, FunctionType)
            and thing.__module__ == module.__name__
            and not each.startswith("_")
        ):
            said = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()).replace("|", "\\|")
            yield f"| `qv.{name}.{each}{_signature(thing)}` | {said} |"
    yield ""
