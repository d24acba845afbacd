"""`quatviz list`: presets, formulations, integrators and loads.

quatviz list                                presets, formulations, integrators, loads, events
quatviz list shapes                         one kind only, here what a body can look like
"""

import shutil
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from quatviz.base import resources
from quatviz.base.class_metadata import sentence_of
from quatviz.base.errors import InputError
from quatviz.base.parameters import declared
from quatviz.base.registry import FAMILIES, Package, registry_of
from quatviz.commands.support.terminal import Parser, as_text, complain, print_json, say
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_preset

PLACE = 10


FIRST = ("presets", "formulations", "integrators", "loads", "events")
"""What is told where nothing is asked for."""
FURTHER = tuple(group for group in FAMILIES if group not in (*FIRST, "commands"))

Row = dict[str, Any]
"""`id`, `title`, `source`, `summary` and the `package` that adds it, with its version, and what else a part has to tell."""


def main(words: Sequence[str]) -> int:
    """Print one kind of part, or all."""
    parser = Parser(prog="quatviz list", description="What there is to run.")
    parser.add_argument(
        "what", nargs="?", choices=(*FIRST, *FURTHER), help="one kind only; without it the first five"
    )
    parser.add_argument(
        "--json", action="store_true", help="print a list of objects, or an object of lists for all kinds"
    )
    choice = parser.parse_args(words)
    found = {what: list(_rows(what)) for what in ([choice.what] if choice.what else FIRST)}
    if choice.json:
        print_json(found[choice.what] if choice.what else found)
    else:
        say("\n\n".join(_text(what, rows) for what, rows in found.items()))
    return 0


def _rows(what: str) -> Iterator[Row]:
    if what == "presets":
        yield from _presets()
        return
    registry = registry_of(what)
    for name, kind in registry.items():
        yield {
            "id": name,
            "title": kind.__name__ if what in ("loads", "events") else kind.title,
            "source": getattr(kind, "source", ""),
            "summary": kind.described
            if what == "quantities"
            else sentence_of(kind) or getattr(kind, "told", ""),
            "package": str(registry.package(name) or ""),
            **_MORE.get(what, lambda kind: {})(kind),
        }


def _presets() -> Iterator[Row]:
    packages: dict[str, Package] = {}
    paths = preset_paths(resources.preset_folder(), resources.own_preset_folder(), packages)
    for name, path in paths.items():
        try:
            preset = read_preset(path)
        except InputError as refusal:  # a package's bad preset must not hide the good ones
            complain(refusal)
            continue
        yield {
            "id": name,
            "title": preset.title,
            "source": preset.source,
            "summary": " ".join(preset.summary.split()),
            "package": str(packages.get(name, "")),
            "path": str(path),
        }


def _of_formulation(family: Any) -> Row:
    state = list(family().state)
    return {
        "variants": list(family.variants),
        "state": state,
        "state_size": len(state),
        "multiplier": family.has_multiplier,
        "singularity": family.singularity_title,
    }


def _of_integrator(method: Any) -> Row:
    usual = method.usual_tolerances
    return {
        "order": method.order, "preserves": list(method.preserves), "fixed_step": method.fixed_step,
        "tolerances": None if usual is None else {"rtol": usual.relative, "atol": usual.absolute},
    }  # fmt: skip


def _of_declared(kind: Any) -> Row:
    """Of a kind that says all by what it declares."""
    return {"parameters": {field.name: field.expected for field in declared(kind).values()}}


_MORE: dict[str, Callable[[Any], Row]] = {
    "formulations": _of_formulation,
    "integrators": _of_integrator,
    "loads": _of_declared,
    "events": _of_declared,
}
"""What else there is to tell of some families."""

_SHOWN = {
    "presets": ("title", "source"),
    "formulations": ("title", "source", "state_size", "multiplier", "singularity"),
    "integrators": ("title", "source", "order", "preserves"),
    "loads": (),
    "events": (),
}
"""Keys that have a column of their own; variants, parameters and the summary stand below, where there is room."""


def _text(what: str, rows: Sequence[Row]) -> str:
    keys = _SHOWN.get(what, ("title",))
    names = {"state_size": "states", "multiplier": "lambda"}
    table = as_text(
        (what, *(names.get(key, key) for key in keys)),
        [(row["id"], *(_cell(row[key]) for key in keys)) for row in rows],
    ).splitlines()
    lines = [table[0]]
    for line, row in zip(table[1:], rows, strict=True):
        lines += [line, *_below(row)]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value) or "-"
    return str(value) or "-"


def _below(row: Row) -> Iterator[str]:
    width = min(shutil.get_terminal_size((110, 24)).columns, 130)
    texts = [f"variants: {', '.join(row['variants'])}"] if row.get("variants") else []
    texts += [f"of the package {row['package']}"] if row["package"] else []
    texts += [row["summary"]]
    texts += [f"{name}: {expected}" for name, expected in row.get("parameters", {}).items()]
    for text in texts:
        yield from textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
