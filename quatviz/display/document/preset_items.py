"""Parts of one family, such as loads: how one is added, remade and removed, and what people read of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from quatviz.base.formatting import in_words, short_number, spoken, unit_text, within
from quatviz.base.parameters import Parameter, declared, from_table, plain
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.physics.events import offers
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.body import Body, is_diagonal


@dataclass(frozen=True)
class Addition:
    """A part that can be added: its kind, what the menu calls it, and values of fields that differ from the start."""

    kind: type
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """The field of `Preset` that holds the parts, what one of them is called, and what can be added."""

    field: str
    word: str
    additions: Sequence[Addition]

    def parts(self, state: State) -> tuple[Any, ...]:
        return tuple(getattr(state.preset, self.field))

    def put(self, state: State, index: int, *parts: Any) -> State:
        """With these in the place of one part, none to take it away; behind the last one they are added."""
        there = self.parts(state)
        return state.with_preset(**{self.field: (*there[:index], *parts, *there[index + 1 :])})

    def added(self, state: State, part: Any) -> State:
        """With one more."""
        return self.put(state, len(self.parts(state)), part)


def load_family() -> Family:
    """Loads, each kind with the least that it may be."""
    return Family("loads", tr("a load"), [Addition(kind, spoken(name)) for name, kind in LOADS.items()])


def event_family() -> Family:
    """Events, as a window offers them."""
    additions = [Addition(kind, tr(offer.text), offer.values) for kind, offer in offers().values()]
    return Family("events", tr("an event"), additions)


def remove_part(document: Document, family: Family, index: int) -> None:
    """Take one part out of the preset."""
    said = tr("remove {part}", part=mentioned(type(family.parts(document.state)[index])))
    document.propose(said, lambda state: family.put(state, index))


def undeclared(part: Any) -> dict[str, Any]:
    """What a part has besides its declared parameters, such as the body of a branch."""
    names = (field.name for field in fields(part) if field.init and field.name not in declared(type(part)))
    return {name: getattr(part, name) for name in names if getattr(part, name) is not None}


def words_of(parts: Mapping[str, Any]) -> list[str]:
    """A line for each body, each list of loads and each function of a script."""
    return [f"{spoken(name)}: {_told(value)}" for name, value in parts.items()]


def _told(value: Any) -> str:
    if not isinstance(value, tuple):
        return value.__name__ if callable(value) else described(value)
    loads = [f"{in_words(load.name)} ({described(load)})" for load in value]
    return "; ".join(loads) or tr("none")


def described(thing: Any) -> str:
    """What is declared of a body or a load and differs from what it is without a word, with units."""
    said = []
    for name, parameter in declared(type(thing)).items():
        value = getattr(thing, name)
        if value is not None and plain(value) != plain(parameter.default):
            unit = f" {unit_text(parameter.unit)}" if parameter.unit else ""
            said.append(f"{in_words(name) if len(name) > 2 else name} {_value(value)}{unit}")
    return ", ".join(said)


def _value(value: Any) -> str:
    """Numbers in their order, of a diagonal matrix those on the diagonal."""
    if isinstance(value, np.ndarray) and value.ndim == 2 and is_diagonal(value):
        value = np.diagonal(value)
    said = plain(value)
    if isinstance(said, list):
        return ", ".join(map(_value, said))
    return short_number(said) if isinstance(said, float) else str(said)


def remade(thing: Any, table: Mapping[str, Any], key: str) -> Any:
    """A thing of the same kind, said by the table of its parameters that stands under `key`. What it has besides them, such as
    the ring of a body, and the folder of its mesh, stays."""
    made = from_table(type(thing), {**undeclared(thing), **table}, key)
    return made.beside(thing.folder) if isinstance(made, Body) else made


def called(kind: Any) -> str:
    """What people read for a kind of part: its title, or its name."""
    title = str(getattr(kind, "title", ""))
    return tr(title) if title else spoken(kind.name)


def mentioned(kind: Any) -> str:
    """The same in the middle of a sentence."""
    title = str(getattr(kind, "title", ""))
    return within(title) if title else in_words(kind.name)


def summary_of(kind: type) -> str:
    """The first sentence of its documentation, for a tool tip."""
    said = (kind.__doc__ or "").strip().split("\n\n")[0]
    return tr(" ".join(said.split()))


def starting_value(parameter: Parameter) -> Any:
    """What a new part begins with: its default, else the least that it may be, which mostly is nothing at all."""
    if not parameter.required:
        return parameter.default
    if parameter.choices is not None:
        return parameter.choices[0]
    if parameter.shape:
        return [0.0] * parameter.shape[0]
    if parameter.kind is str:
        return ""
    if parameter.above is not None:
        return max(1.0, 2.0 * parameter.above)
    return max(0.0, parameter.minimum or 0.0)
