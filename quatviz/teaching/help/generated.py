"""Generated parts of help pages and README: lists and tables of the installed extensions, including plug-ins.

A comment `<!-- made from the kinds: NAME -->` in a page, with a name in `GENERATORS`, marks the position of a
generated part.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.sweeps.measures import MEASURES as SWEEP_MEASURES
from quatviz.base.citations import REFERENCES, written_out
from quatviz.base.class_metadata import Performance, help_text
from quatviz.base.markdown import find_formulae
from quatviz.base.registry import FAMILIES, CommandRegistry, Registry, entry_names
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.physics.exact import solution_classes
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.shapes import SHAPES
from quatviz.verification.errata import ERRATA, Erratum
from quatviz.verification.judging.mistakes import MISTAKES

_PLACEHOLDER = re.compile(r"<!-- made from the kinds: ([\w ]+) -->")
_COST_PLACEHOLDER = re.compile(r"<!-- cost((?: \w+)*) -->")
_COST_UNITS = {"formulations": "newton_euler", "integrators": "rk4"}
"""Name of the extension whose cost is the unit of the displayed cost ratios, by name of the family."""
_NOTE_POINT = re.compile(r"^- \*\*(\w+)\*\*: (.*?)(?=^- |\n\n|\Z)", re.MULTILINE | re.DOTALL)

NOTE_TITLES = {
    "State": "State",
    "Singularity": "Where it is singular",
    "Lambda": "What λ is, and why",
    "Variants": "Variants",
    "Source": "Source",
    "Errata": "Known misprints in the sources",
    "Cost": "Cost of a step",
    "Accuracy": "Accuracy",
}
"""Headings of the notes on a formulation, by name of the note. They are in the order of the equation card."""


def fill_generated(text: str) -> str:
    """Replace the placeholder comments in a page by the generated parts.

    Raises
    ------
    KeyError
        If a placeholder has a name without a generator.
    """
    return _PLACEHOLDER.sub(lambda match: GENERATORS[match[1]](), text)


def formulation_notes(name: str) -> Mapping[str, str]:
    """Return the notes on a formulation as Markdown, by name of the note (Source, State, Singularity and so on).

    Return {} if the formulation has no notes.
    """
    page_text = _filled_help(FORMULATIONS[name], FORMULATIONS) if name in FORMULATIONS else ""
    notes = {point: " ".join(words.split()) for point, words in _NOTE_POINT.findall(page_text)}
    return {point: written_out(words) if point == "Source" else words for point, words in notes.items()}


def note_formulae(notes: Mapping[str, str]) -> list[str]:
    """Return the LaTeX formulas in the notes of a formulation."""
    return [latex for point in NOTE_TITLES for latex in find_formulae(notes.get(point, ""))]


def _sorted_entries(registry: Registry[Any]) -> list[Any]:
    """Return the extensions of a registry in the order in which the help lists them."""
    return sorted(registry.values(), key=lambda entry: (entry.sort_order, entry.name))


def _entry_sections(registry: Registry[Any]) -> str:
    """Return a section for each extension with its help text. An extension without help is described by its docstring."""
    return "\n\n".join(
        f"## {entry.name}: {entry.title}\n\n{_cite_in_full(_filled_help(entry, registry)) or _summary(entry)}"
        for entry in _sorted_entries(registry)
    )


def _cite_in_full(markdown: str) -> str:
    """Replace the tags of references by full references in the note Source. Other notes keep the short tags."""
    return _NOTE_POINT.sub(
        lambda match: written_out(match[0]) if match[1] == "Source" else match[0], markdown
    )


def _reference_sections() -> str:
    """Return a help section for each source document."""
    sections = []
    for reference in REFERENCES.values():
        link = (
            f" [{reference.address.removeprefix('https://')}]({reference.address})"
            if reference.address
            else ""
        )
        sections.append(
            f"## {reference.tag}: {reference.authors}\n\n*{reference.title}*. {reference.publication}.{link}\n\n"
            f"{reference.subject}"
        )
    return "\n\n".join(sections)


def _errata_sections() -> str:
    """Return a section for each source document with errata, with a subsection for each erratum."""
    return "\n\n".join(
        "\n\n".join([f"## {tag}: {REFERENCES[tag].authors}", *map(_erratum_section, errata)])
        for tag, errata in ERRATA.items()
    )


def _erratum_section(erratum: Erratum) -> str:
    check = (
        f"`{erratum.check}`, one of `quatviz verify {erratum.part}`"
        if erratum.check
        else "none: it is about words"
    )
    return (
        f"### {erratum.title}\n\n- **Printed**: {erratum.printed}.\n- **Correct**: {erratum.correct}.\n"
        f"- **Why**: {erratum.derivation}\n- **Check**: {check}."
    )


def _summary(entry: type) -> str:
    """Return the docstring of an extension as one paragraph."""
    return " ".join((entry.__doc__ or "").split())


def _filled_help(entry: Any, registry: Registry[Any]) -> str:
    """Return the help of an extension, with its measured costs in place of each comment `<!-- cost -->`.

    The comment may also contain the name of a variant, and `free` or `gravity` to select one of the two times.
    """

    def cost(match: re.Match[str]) -> str:
        words = match[1].split()
        variant = " ".join(word for word in words if word not in ("free", "gravity"))
        row = next((row for row in entry.measured if row.variant in (variant, "")), None)
        if row is None:
            return "not measured"
        units = row.relative_to or _default_baseline(registry)
        times = {"free": row.torque_free_cost, "gravity": row.gravity_cost}
        labels = {"free": "free", "gravity": "with gravity"}
        return ", ".join(
            _cost_text(time, unit, labels[name])
            for (name, time), unit in zip(times.items(), units, strict=True)
            if time is not None and (name in words or not {"free", "gravity"} & set(words))
        )

    return _COST_PLACEHOLDER.sub(cost, help_text(entry))


def _cost_text(cost: float | str, unit: float, label: str) -> str:
    """Return the text of a measured time per step [ns] and its ratio to the reference time `unit`, for
    example "146 ns free (2.8 x)"."""
    time, ratio = _time_cells(cost, unit)
    return f"{time} ns {label}" + (f" ({ratio} x)" if cost != unit else "")


def _default_baseline(registry: Registry[Any]) -> tuple[float, float]:
    """Return the times per step [ns], torque-free and with gravity, with which the costs of a family are compared."""
    free, gravity = registry[_COST_UNITS[registry.family]].measured[0][:2]
    return free, gravity


def _cost_rows(registry: Registry[Any]) -> Iterator[tuple[Any, list[str]]]:
    """Yield each extension of a family with the table cells of its costs, fastest first."""
    default_baseline = _default_baseline(registry)
    rows = [(entry, row) for entry in _sorted_entries(registry) for row in entry.measured]
    for entry, row in sorted(rows, key=lambda item: _cost_key(item[1])):
        free, gravity = row.relative_to or default_baseline
        name = f"`{entry.name}`, {row.variant}" if row.variant else f"`{entry.name}`"
        times = [*_time_cells(row.torque_free_cost, free), *_time_cells(row.gravity_cost, gravity)]
        yield entry, [name, *times, *row.errors]


def _cost_key(row: Performance) -> tuple[float, float]:
    """Return the sort key of a row of costs: its two times, or infinity for extensions that do not step in time."""
    return _cost_value(row.torque_free_cost), _cost_value(row.gravity_cost)


def _cost_value(cost: float | str | None) -> float:
    return cost if isinstance(cost, int | float) else math.inf


def _time_cells(cost: float | str | None, unit: float) -> tuple[str, str]:
    """Return the texts of a time per step [ns] and of its ratio to the reference time `unit` [ns]."""
    if not isinstance(cost, int | float):
        return cost or "", ""
    ratio = cost / unit + 1e-9  # so that 6.25 is rounded to 6.3
    return f"{cost:g}", "1" if cost == unit else f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def _table_lines(rows: Iterable[list[str]]) -> str:
    return "\n".join(re.sub(r" +\|", " |", f"| {' | '.join(row)} |") for row in rows)


def _join_names(names: Iterable[str]) -> str:
    *some, last = (f"`{name}`" for name in names)
    return f"{', '.join(some)} and {last}"


def _panel_table() -> str:
    return _table_lines(
        [panel.title, panel.summary or _summary(panel), _panel_unit(panel) or "none"]
        for panel in sorted(PANELS.values(), key=lambda panel: (panel.order, panel.name))
    )


def _panel_unit(panel: Any) -> str:
    """Return the unit that a panel declares, or the units of its plots."""
    units = dict.fromkeys(QUANTITIES[strip.quantity].unit for strip in getattr(panel, "strips", ()))
    return panel.unit or ", ".join(filter(None, units))


def _item_table() -> str:
    return _table_lines(
        [item.title, item.summary or _summary(item), "" if item.visible_by_default else "when asked for"]
        for item in sorted(ITEMS.values(), key=lambda item: (not item.visible_by_default, item.order))
    )


def _formulation_table() -> str:
    return _table_lines(
        [
            f"`{formulation.name}`",
            f"{formulation.summary or formulation.title}{_variants_note(formulation)}",
            written_out(formulation.source),
        ]
        for formulation in _sorted_entries(FORMULATIONS)
    )


def _variants_note(formulation: Any) -> str:
    variants = formulation.variants
    return f"; {len(variants)} variants, such as `{formulation.name}/{variants[0]}`" if variants else ""


def _load_sections() -> str:
    documented = [load for load in _sorted_entries(LOADS) if help_text(load)]
    return "\n\n".join(
        f"## {load.name.replace('_', ' ').capitalize()}\n\n{help_text(load)}" for load in documented
    )


def _quantity_table() -> str:
    return _table_lines(
        [f"`{name}`", quantity.shape, quantity.unit, quantity.summary.replace("|", "\\|")]
        for name, quantity in QUANTITIES.items()
        if not quantity.sequence
    )


def _extension_points() -> str:
    return _table_lines(
        [description, f"`quatviz.{group}`", ", ".join(f"`{name}`" for name in entry_names(group))]
        for group, (_, description) in FAMILIES.items()
    )


def _sweep_measure_table() -> str:
    return _table_lines(
        [f"`{measure.name}`", measure.summary or measure.title, measure.unit]
        for measure in _sorted_entries(SWEEP_MEASURES)
    )


GENERATORS: dict[str, Callable[[], str]] = {
    "formulations": lambda: _entry_sections(FORMULATIONS),
    "table of formulations": _formulation_table,
    "costs of formulations": lambda: _table_lines(row for _, row in _cost_rows(FORMULATIONS)),
    "sweep measures": _sweep_measure_table,
    "integrators": lambda: _entry_sections(INTEGRATORS),
    "costs of integrators": lambda: _table_lines(
        [name, str(method.order), *cells] for method, (name, *cells) in _cost_rows(INTEGRATORS)
    ),
    "table of loads": lambda: _table_lines(
        [f"`{entry.name}`", entry.action_text or _summary(entry), entry.potential_text]
        for entry in _sorted_entries(LOADS)
    ),
    "loads": _load_sections,
    "names of loads": lambda: _join_names(entry.__name__ for entry in _sorted_entries(LOADS)),
    "names of shapes": lambda: ", ".join(f"`{name}`" for name in SHAPES),
    "commands": lambda: "\n".join(
        f"    {line}" for command in CommandRegistry("quatviz.commands").values() for line in command.usage
    ),
    "everything": _extension_points,
    "exact solutions": lambda: _table_lines(
        [entry.title, entry.conditions or entry.needs, entry.functions] for entry in solution_classes()
    ),
    "measures": lambda: _table_lines(
        [f"`{name}`", entry.unit, entry.summary or entry.title] for name, entry in MEASURES.items()
    ),
    "errata": _errata_sections,
    "sources": _reference_sections,
    "mistakes": lambda: _table_lines(
        [f"`{name}`", entry.summary, written_out(entry.source)] for name, entry in MISTAKES.items()
    ),
    "quantities": _quantity_table,
    "panels": _panel_table,
    "items": _item_table,
}
"""Function that generates a part of a page, by the name of the part."""
