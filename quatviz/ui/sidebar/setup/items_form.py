"""Parts of one family, such as loads: one form each, made from what its kind declares, and a menu to add any kind."""

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import in_words
from quatviz.base.parameters import declared, from_table, to_table
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.preset_items import (
    Addition,
    Family,
    called,
    mentioned,
    remade,
    remove_part,
    starting_value,
    summary_of,
    undeclared,
    words_of,
)
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.ui.widgets.controls import IconButton, QuietButton, column, label, row, subheading
from quatviz.ui.widgets.form import Form


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
            action.setToolTip(summary_of(addition.kind))
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

        self._document.propose(
            tr("add {kind}", kind=mentioned(kind)),
            lambda state: self._family.added(state, from_table(kind, given, self._family.field)),
        )


class PartCard(QWidget):
    """One part: its kind, its numbers, and a button that takes it away."""

    def __init__(self, document: Document, family: Family, kind: type, index: int) -> None:
        super().__init__()
        self.kind = kind
        self._document = document
        self._family = family
        self._index = index
        title = subheading(called(kind))
        title.setToolTip(summary_of(kind))
        said = tr("Remove {called}", called=mentioned(kind))
        self.remove = IconButton("remove", said, lambda: remove_part(document, family, index))
        stays: dict[Any, str] = {None: tr("As before")}
        stays.update({name: tr(title) for name, title in STABILISATIONS.items()})
        self.form = Form(declared(kind), f"{family.field}[{index}]", self._propose, {"stabilisation": stays})
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
            part = remade(self._family.parts(state)[self._index], table, self.form.path)
            return self._family.put(state, self._index, part)

        said = f"{mentioned(self.kind)}: {in_words(declared(self.kind)[edited].title)}"
        return self._document.propose(said, make, goes_on)
