"""What pages of the help, and README, say of the kinds that there are: made from the kinds, those of plug-ins included.

A page has a comment where a list, a table or the sections of a kind belong: `<!-- made from the kinds: NAME -->`, the names being
those of `MADE`.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.sweeps.measures import MEASURES as SWEEP_MEASURES
from quatviz.base.class_metadata import Measured, help_of
from quatviz.base.markdown import formulae_of
from quatviz.base.registry import FAMILIES, Commands, Registry, names_of
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.physics.exact import solutions
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.shapes import SHAPES
from quatviz.verification.judging.mistakes import MISTAKES

_PLACE = re.compile(r"<!-- made from the kinds: ([\w ]+) -->")
_POINT = re.compile(r"^- \*\*(\w+)\*\*: (.*?)(?=^- |\n\n|\Z)", re.MULTILINE | re.DOTALL)

TITLES = {
    "State": "State",
    "Singularity": "Where it is singular",
    "Lambda": "What λ is, and why",
    "Variants": "Variants",
    "Source": "Source",
    "Errata": "Errata that concern it",
    "Cost": "Cost of a step",
    "Accuracy": "Accuracy",
}
"""Points of a formulation's notes in the order of its card, and what a person reads above them."""


def filled(text: str) -> str:
    """The text of a page with what is made in its places. KeyError for a name that nothing is made for."""
    return _PLACE.sub(lambda place: MADE[place[1]](), text)


def notes(name: str) -> Mapping[str, str]:
    """Source, State, Singularity, Lambda, Errata and so on of a formulation, in Markdown; empty for one that says none."""
    said = help_of(FORMULATIONS[name]) if name in FORMULATIONS else ""
    return {point: " ".join(words.split()) for point, words in _POINT.findall(said)}


def formulae_in(notes: Mapping[str, str]) -> list[str]:
    """What has to be typeset before these are shown."""
    return [latex for point in TITLES for latex in formulae_of(notes.get(point, ""))]


def _in_order(registry: Registry[Any]) -> list[Any]:
    """The kinds of a registry in the order of reading."""
    return sorted(registry.values(), key=lambda kind: (kind.place, kind.name))


def _sections(registry: Registry[Any]) -> str:
    """A section for each kind: what it says, or what its docstring says."""
    return "\n\n".join(
        f"## {kind.name}: {kind.title}\n\n{help_of(kind) or _summary(kind)}" for kind in _in_order(registry)
    )


def _summary(kind: type) -> str:
    """What the docstring of a kind says, as one paragraph."""
    return " ".join((kind.__doc__ or "").split())


def _costs(registry: Registry[Any], unit: str) -> Iterator[tuple[Any, list[str]]]:
    """The rows of all kinds, the cheapest first; ratios compare with the kind called `unit`."""
    usual = tuple(registry[unit].measured[0][:2])
    rows = [(kind, row) for kind in _in_order(registry) for row in kind.measured]
    for kind, row in sorted(rows, key=lambda found: _by_cost(found[1])):
        free, gravity = row.relative_to or usual
        name = f"`{kind.name}`, {row.form}" if row.form else f"`{kind.name}`"
        times = [*_time(row.free, free), *_time(row.gravity, gravity)]
        yield kind, [name, *times, *row.errors]


def _by_cost(row: Measured) -> tuple[float, float]:
    """What is not stepped stands behind all others."""
    return _number(row.free), _number(row.gravity)


def _number(cost: float | str | None) -> float:
    return cost if isinstance(cost, int | float) else math.inf


def _time(cost: float | str | None, unit: float) -> tuple[str, str]:
    """A time and its ratio to the unit."""
    if not isinstance(cost, int | float):
        return cost or "", ""
    ratio = cost / unit + 1e-9  # 6.25 is 6.3 to people
    return f"{cost:g}", "1" if cost == unit else f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def _lines(rows: Iterable[list[str]]) -> str:
    return "\n".join(re.sub(r" +\|", " |", f"| {' | '.join(row)} |") for row in rows)


def _named(names: Iterable[str]) -> str:
    *some, last = (f"`{name}`" for name in names)
    return f"{', '.join(some)} and {last}"


def _panels() -> str:
    return _lines(
        [kind.title, kind.told or _summary(kind), _unit(kind) or "none"]
        for kind in sorted(PANELS.values(), key=lambda kind: (kind.order, kind.name))
    )


def _unit(kind: Any) -> str:
    """What a panel declares, or that of its strips."""
    units = dict.fromkeys(QUANTITIES[strip.quantity].unit for strip in getattr(kind, "strips", ()))
    return kind.unit or ", ".join(filter(None, units))


def _items() -> str:
    return _lines(
        [kind.title, kind.told or _summary(kind), "" if kind.shown_at_first else "when asked for"]
        for kind in sorted(ITEMS.values(), key=lambda kind: (not kind.shown_at_first, kind.order))
    )


def _table_of_formulations() -> str:
    return _lines(
        [f"`{kind.name}`", f"{kind.told or kind.title}{_variants(kind)}", kind.source]
        for kind in _in_order(FORMULATIONS)
    )


def _variants(kind: Any) -> str:
    several = kind.variants
    return f"; {len(several)} variants, such as `{kind.name}/{several[0]}`" if several else ""


def _loads() -> str:
    told = [kind for kind in _in_order(LOADS) if help_of(kind)]
    return "\n\n".join(f"## {kind.name.replace('_', ' ').capitalize()}\n\n{help_of(kind)}" for kind in told)


def _quantities() -> str:
    return _lines(
        [f"`{name}`", kind.shape, kind.unit, kind.said.replace("|", "\\|")]
        for name, kind in QUANTITIES.items()
        if not kind.sequence
    )


def _everything() -> str:
    return _lines(
        [what, f"`quatviz.{group}`", ", ".join(f"`{name}`" for name in names_of(group))]
        for group, (_, what) in FAMILIES.items()
    )


def _sweep_measures() -> str:
    return _lines(
        [f"`{kind.name}`", kind.told or kind.title, kind.unit] for kind in _in_order(SWEEP_MEASURES)
    )


MADE: dict[str, Callable[[], str]] = {
    "formulations": lambda: _sections(FORMULATIONS),
    "table of formulations": _table_of_formulations,
    "costs of formulations": lambda: _lines(row for _, row in _costs(FORMULATIONS, "newton_euler")),
    "sweep measures": _sweep_measures,
    "integrators": lambda: _sections(INTEGRATORS),
    "costs of integrators": lambda: _lines(
        [name, str(method.order), *rest] for method, (name, *rest) in _costs(INTEGRATORS, "rk4")
    ),
    "table of loads": lambda: _lines(
        [f"`{kind.name}`", kind.acts or _summary(kind), kind.potential_is] for kind in _in_order(LOADS)
    ),
    "loads": _loads,
    "names of loads": lambda: _named(kind.__name__ for kind in _in_order(LOADS)),
    "names of shapes": lambda: ", ".join(f"`{name}`" for name in SHAPES),
    "commands": lambda: "\n".join(
        f"    {line}" for command in Commands("quatviz.commands").values() for line in command.usage
    ),
    "everything": _everything,
    "exact solutions": lambda: _lines(
        [kind.title, kind.conditions or kind.needs, kind.functions] for kind in solutions()
    ),
    "measures": lambda: _lines(
        [f"`{name}`", kind.unit, kind.told or kind.title] for name, kind in MEASURES.items()
    ),
    "mistakes": lambda: _lines([f"`{name}`", kind.told, kind.source] for name, kind in MISTAKES.items()),
    "quantities": _quantities,
    "panels": _panels,
    "items": _items,
}
"""What stands in a place of a page, by the name that is written there."""
