"""`quatviz list`: list presets, formulations, integrators, loads and other parts.

quatviz list                                list presets, formulations, integrators, loads and events
quatviz list shapes                         list one group, here the shapes of bodies
"""

import shutil
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from quatviz.base import resources
from quatviz.base.citations import written_out
from quatviz.base.class_metadata import first_sentence
from quatviz.base.errors import InputError
from quatviz.base.parameters import parameters_of
from quatviz.base.registry import FAMILIES, PluginPackage, load_registry
from quatviz.commands.support.terminal import CommandParser, format_table, print_error, print_json, print_safe
from quatviz.files.preset_files import preset_paths
from quatviz.files.preset_reading import read_preset

PLACE = 10


DEFAULT_GROUPS = ("presets", "formulations", "integrators", "loads", "events")
"""Groups that are listed by default."""
OTHER_GROUPS = tuple(group for group in FAMILIES if group not in (*DEFAULT_GROUPS, "commands"))

Row = dict[str, Any]
"""Description of one listed part: `id`, `title`, `source`, `summary`, the `package` that adds it, and in some
groups further details."""


def main(argv: Sequence[str]) -> int:
    """Print one group of parts, or the default groups."""
    parser = CommandParser(
        prog="quatviz list", description="List presets, formulations, integrators, loads and other parts."
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=(*DEFAULT_GROUPS, *OTHER_GROUPS),
        help="list only this group (default: the first five)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print a list of objects, or an object of lists for several groups",
    )
    args = parser.parse_args(argv)
    rows_by_group = {group: list(_rows(group)) for group in ([args.what] if args.what else DEFAULT_GROUPS)}
    if args.json:
        print_json(rows_by_group[args.what] if args.what else rows_by_group)
    else:
        print_safe("\n\n".join(_format_rows(group, rows) for group, rows in rows_by_group.items()))
    return 0


def _rows(group: str) -> Iterator[Row]:
    if group == "presets":
        yield from _preset_rows()
        return
    registry = load_registry(group)
    for name, entry in registry.items():
        yield {
            "id": name,
            "title": entry.__name__ if group in ("loads", "events") else getattr(entry, "title", name),
            "source": written_out(getattr(entry, "source", "")),
            "summary": entry.description
            if group == "quantities"
            else written_out(first_sentence(entry) or getattr(entry, "summary", "")),
            "package": str(registry.plugin_package(name) or ""),
            **_DETAILS.get(group, lambda entry: {})(entry),
        }


def _preset_rows() -> Iterator[Row]:
    packages: dict[str, PluginPackage] = {}
    paths = preset_paths(resources.preset_folder(), resources.user_preset_folder(), packages)
    for name, path in paths.items():
        try:
            preset = read_preset(path)
        except InputError as refusal:  # A bad preset must not hide the good ones.
            print_error(refusal)
            continue
        yield {
            "id": name,
            "title": preset.title,
            "source": preset.source,
            "summary": " ".join(preset.summary.split()),
            "package": str(packages.get(name, "")),
            "path": str(path),
        }


def _formulation_details(formulation: Any) -> Row:
    state = list(formulation().component_names)
    return {
        "variants": list(formulation.variants),
        "state": state,
        "state_size": len(state),
        "multiplier": formulation.has_multiplier,
        "singularity": formulation.singularity_title,
    }


def _integrator_details(method: Any) -> Row:
    tolerances = method.usual_tolerances
    return {
        "order": method.order, "preserves": list(method.preserves), "fixed_step": method.fixed_step,
        "tolerances": None if tolerances is None else {"rtol": tolerances.relative, "atol": tolerances.absolute},
    }  # fmt: skip


def _parameter_details(entry: Any) -> Row:
    """Return the parameters that a load or event declares, each with a description of its values."""
    return {"parameters": {field.name: field.expected for field in parameters_of(entry).values()}}


_DETAILS: dict[str, Callable[[Any], Row]] = {
    "formulations": _formulation_details,
    "integrators": _integrator_details,
    "loads": _parameter_details,
    "events": _parameter_details,
}
"""Functions that return additional details of a listed part, by name of the group."""

_COLUMNS = {
    "presets": ("title", "source"),
    "formulations": ("title", "state_size", "multiplier", "singularity"),
    "integrators": ("title", "source", "order", "preserves"),
    "loads": (),
    "events": (),
}
"""Keys of a row that are printed in a column of their own, by group. Variants, parameters and the summary are
printed below the row."""


def _format_rows(group: str, rows: Sequence[Row]) -> str:
    keys = _COLUMNS.get(group, ("title",))
    names = {"state_size": "states", "multiplier": "lambda"}
    table = format_table(
        (group, *(names.get(key, key) for key in keys)),
        [(row["id"], *(_cell(row[key]) for key in keys)) for row in rows],
    ).splitlines()
    lines = [table[0]]
    for line, row in zip(table[1:], rows, strict=True):
        lines += [line, *_detail_lines(row, shows_source="source" not in keys)]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value) or "-"
    return str(value) or "-"


def _detail_lines(row: Row, shows_source: bool) -> Iterator[str]:
    width = min(shutil.get_terminal_size((110, 24)).columns, 130)
    texts = [f"variants: {', '.join(row['variants'])}"] if row.get("variants") else []
    texts += [f"from the package {row['package']}"] if row["package"] else []
    texts += [row["summary"]]
    texts += [row["source"]] if shows_source and row["source"] else []
    texts += [f"{name}: {expected}" for name, expected in row.get("parameters", {}).items()]
    for text in texts:
        yield from textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    ")
