"""A form made from declared parameters. What is refused stays in its field, with the reason under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.parameters import Parameter, joined
from quatviz.base.topics import ANY
from quatviz.base.tr import tr
from quatviz.base.words import refusal_text, spoken, unit_text
from quatviz.look.theme import UNIT
from quatviz.ui.kit.fields import Field, field_for
from quatviz.ui.kit.widgets import Entry, RefusalLabel, column, label, row

FIELD_WIDTH = 160

Propose = Callable[[dict[str, Any], str], InputError | None]
"""Try a table of values (None is left out); the second argument is what was edited, for the undo menu."""


class Form(QWidget):
    """One block per parameter. `path` is the table's place in a preset, such as `body` or `loads[0]`."""

    def __init__(
        self,
        parameters: Mapping[str, Parameter],
        path: str,
        propose: Propose,
        choices: Mapping[str, Mapping[Any, str]] | None = None,
    ) -> None:
        super().__init__()
        self.path = path
        self._propose = propose
        self._running: dict[str, Any] = {}
        self.blocks: dict[str, Block] = {}
        for name, parameter in parameters.items():
            block = Block(parameter, field_for(parameter, (choices or {}).get(name)))
            block.field.committed.connect(lambda name=name: self._commit(name))
            block.field.taken_back.connect(block.accept)
            self.blocks[name] = block
        self.setLayout(column(*self.blocks.values()))

    def show_table(self, table: Mapping[str, Any]) -> None:
        """Show what the run has. A field that was refused keeps its text while the run's value stays the same."""
        for name, block in self.blocks.items():
            value = table.get(name)
            if not (block.refused and name in self._running and self._running[name] == value):
                block.field.show_value(value)
                block.accept()
            self._running[name] = value

    def forget_refusals(self) -> None:
        """Another preset is shown: nothing that was typed for the last one matters."""
        for block in self.blocks.values():
            block.field.take_back()
            block.accept()

    def read(self) -> dict[str, Any] | None:
        """What is typed, taken or not; None, and the reason beside it, where it is no number."""
        for block in self.blocks.values():
            if block.field.unreadable:
                block.refuse_text()
                return None
        return {name: block.field.value() for name, block in self.blocks.items()}

    def show_refusal(self, refusal: InputError) -> None:
        """Say beside the field that it is about, or the first one, why the table was refused."""
        self._place_of(refusal, next(iter(self.blocks))).refuse(refusal, self.path)

    def _commit(self, name: str) -> None:
        """Try this field with all that were refused before, since values often only fit together; else it alone."""
        block = self.blocks[name]
        if block.field.unreadable:
            block.refuse_text()
            return
        waiting = [other for other, block in self.blocks.items() if other != name and block.field.pending]
        together = waiting and not any(self.blocks[other].field.unreadable for other in waiting)
        for names in ([*waiting, name], [name]) if together else ([name],):
            values = {other: self.blocks[other].field.value() for other in names}
            refusal = self._try({**self._running, **values}, name)
            if refusal is None:
                self._settle(names)
                return
        assert refusal is not None
        self._place_of(refusal, name).refuse(refusal, self.path)

    def _settle(self, names: list[str]) -> None:
        """These were taken; what was typed in another way is written as the run has it."""
        for name in names:
            self.blocks[name].field.take_back()
            self.blocks[name].accept()

    def _try(self, table: dict[str, Any], name: str) -> InputError | None:
        return self._propose({key: value for key, value in table.items() if value is not None}, name)

    def _place_of(self, refusal: InputError, name: str) -> Block:
        """The field that the refusal is about, if it is here; else the one that was edited."""
        for other, block in self.blocks.items():
            if refusal.key == joined(self.path, other):
                return block
        return self.blocks[name]


class Block(QWidget):
    """Label, field and unit of one parameter, and below them what was refused and why."""

    def __init__(self, parameter: Parameter, field: Field) -> None:
        super().__init__()
        self.name = parameter.name
        self.field = field
        self.refused = False
        self.message = RefusalLabel()
        title = QLabel(spoken(parameter.title))
        unit = label("muted", unit_text(parameter.unit), wraps=False)
        hint = spoken(parameter.explanation)
        for widget in (title, field, *field.entries):
            widget.setToolTip(hint)
            widget.setAccessibleDescription(hint)
        if field.wide:
            self.setLayout(column(row(title, (unit, 1)), field, self.message, gap=UNIT // 2))
        else:
            field.setFixedWidth(FIELD_WIDTH)
            self.setLayout(column(row(title, (unit, 1), field), self.message, gap=UNIT // 2))

    def refuse(self, refusal: InputError, path: str) -> None:
        """Keep what was typed, mark it, and say why the run goes on without it."""
        words = refusal_text(refusal, joined(path, self.name))
        self._refuse(words, refusal.topic, self.field.entries)

    def refuse_text(self) -> None:
        """Refuse what is no number, in the entries where it stands."""
        wrong, fault = self.field.unreadable, self.field.fault
        if fault is not None:
            self._refuse(refusal_text(fault, fault.key), fault.topic, wrong)
            wrong[0].point_at(fault.start, fault.stop)
            return
        quoted = ", ".join(f"“{entry.text()}”" for entry in wrong)
        self._refuse(
            tr("Expected a number.\nFound {quoted}.\nTry: write it like 0.25 or -1e-3.", quoted=quoted),
            ANY,
            wrong,
        )

    def accept(self) -> None:
        """What it shows is what the run has."""
        if self.refused:
            self.refused = False
            self.message.setVisible(False)
            self._mark([])

    def _refuse(self, words: str, topic: str, entries: list[Entry]) -> None:
        self.refused = True
        self.message.say(words, topic)
        self._mark(entries)

    def _mark(self, refused: list[Entry]) -> None:
        for entry in self.field.entries:
            entry.setProperty("refused", entry in refused)
            entry.style().unpolish(entry)  # a style sheet reads a property only when asked to
            entry.style().polish(entry)
