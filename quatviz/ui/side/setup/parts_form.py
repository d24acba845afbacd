"""Parts of one family, such as loads: one form each, made from what its kind declares, and a menu to add any kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from typing import Any

import numpy as np
from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.parameters import Parameter, declared, from_table, plain, to_table
from quatviz.base.tr import tr
from quatviz.base.words import in_words, short_number, spoken, unit_text, within
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.events import offers
from quatviz.loads import LOADS
from quatviz.look.theme import UNIT
from quatviz.mechanics.body import Body, is_diagonal
from quatviz.ui.kit.form import Form
from quatviz.ui.kit.widgets import IconButton, QuietButton, column, label, row


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

    def put(self, state: State, parts: Sequence[Any]) -> State:
        return state.with_preset(**{self.field: tuple(parts)})


def load_family() -> Family:
    """Loads, each kind with the least that it may be."""
    return Family("loads", tr("a load"), [Addition(kind, spoken(name)) for name, kind in LOADS.items()])


def event_family() -> Family:
    """Events, as a window offers them."""
    additions = [Addition(kind, tr(offer.text), offer.values) for kind, offer in offers().values()]
    return Family("events", tr("an event"), additions)


class PartsForm(QWidget):
    """Rebuilt only when parts come or go, so that a field that is being typed in stays where it is.

    `now` gives values that a new part takes from the moment, such as the time of the cursor.
    """

    def __init__(
        self, document: Document, family: Family, now: Callable[[], Mapping[str, Any]] = dict
    ) -> None:
        super().__init__()
        self._document = document
        self._family = family
        self._now = now
        self.cards: list[PartCard] = []
        self.add = QuietButton(tr("Add {word}", word=family.word))
        self.menu = QMenu(self.add)
        self.menu.setToolTipsVisible(True)
        for addition in family.additions:
            action = self.menu.addAction(addition.text, lambda addition=addition: self._add(addition))
            action.setToolTip(_said_of(addition.kind))
        self.add.setMenu(self.menu)
        self._column = column(self.add, gap=2 * UNIT)
        self.setLayout(self._column)

    def show_state(self, state: State) -> None:
        """Show the parts of the preset."""
        parts = self._family.parts(state)
        if [type(part) for part in parts] != [card.kind for card in self.cards]:
            self._rebuild([type(part) for part in parts])
        for card, part in zip(self.cards, parts, strict=True):
            card.show_part(part)

    def compare(self, origin: Sequence[Any]) -> None:
        """Mark what is not as the parts of the preset have it."""
        for card, was in zip_longest(self.cards, origin[: len(self.cards)]):
            card.form.compare(to_table(was) if type(was) is card.kind else {})

    def forget_refusals(self) -> None:
        """Another preset is shown."""
        for card in self.cards:
            card.form.forget_refusals()

    def _rebuild(self, kinds: list[type]) -> None:
        for card in self.cards:
            card.hide()  # until it is deleted, which waits for the event loop
            card.deleteLater()
        self.cards = [PartCard(self._document, self._family, kind, index) for index, kind in enumerate(kinds)]
        for index, card in enumerate(self.cards):
            self._column.insertWidget(index, card)

    def _add(self, addition: Addition) -> None:
        kind = addition.kind
        table = {name: starting_value(parameter) for name, parameter in declared(kind).items()}
        table.update(self._now())
        table.update(addition.values)
        given = {name: value for name, value in table.items() if value is not None}

        def make(state: State) -> State:
            part: Any = from_table(kind, given, self._family.field)
            return self._family.put(state, (*self._family.parts(state), part))

        self._document.propose(tr("add {kind}", kind=mentioned(kind)), make)


class PartCard(QWidget):
    """One part: its kind, its numbers, and a button that takes it away."""

    def __init__(self, document: Document, family: Family, kind: type, index: int) -> None:
        super().__init__()
        self.kind = kind
        self._document = document
        self._family = family
        self._index = index
        title = label("subheading", called(kind), wraps=False)
        title.setToolTip(_said_of(kind))
        self.remove = IconButton("remove", tr("Remove {called}", called=mentioned(kind)))
        self.remove.clicked.connect(lambda: remove_part(document, family, index))
        self.form = Form(declared(kind), f"{family.field}[{index}]", self._propose)
        self.further = label("muted")
        self.further.setContentsMargins(0, UNIT // 2, 0, 0)
        self.setLayout(column(row((title, 1), self.remove), self.form, self.further, gap=UNIT // 2))

    def show_part(self, part: Any) -> None:
        """Show its numbers, and in words what else it has."""
        self.form.show_table(to_table(part))
        words = "\n".join(words_of(undeclared(part)))
        self.further.setText(words)
        self.further.setVisible(bool(words))

    def _propose(self, table: dict[str, Any], edited: str, goes_on: bool) -> InputError | None:
        def make(state: State) -> State:
            parts = list(self._family.parts(state))
            parts[self._index] = remade(parts[self._index], table, self.form.path)
            return self._family.put(state, parts)

        said = f"{mentioned(self.kind)}: {in_words(declared(self.kind)[edited].title)}"
        return self._document.propose(said, make, goes_on)


def remove_part(document: Document, family: Family, index: int) -> None:
    """Take one part out of the preset."""

    def make(state: State) -> State:
        parts = list(family.parts(state))
        del parts[index]
        return family.put(state, parts)

    document.propose(tr("remove {part}", part=mentioned(type(family.parts(document.state)[index]))), make)


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


def _said_of(kind: type) -> str:
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
