"""A form made from declared parameters, and its fields. What is refused stays in its field, with the reason beside it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.expression import BadExpression, TooLarge, constant, explicit, fault_in
from quatviz.base.formatting import number, number_text, refusal_text, spoken, unit_text
from quatviz.base.help_topics import ANY
from quatviz.base.parameters import Parameter, joined, listed_text, value_text
from quatviz.base.translation import tr
from quatviz.base.units import in_unit, no_number, numbers_in
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.controls import (
    Callout,
    ChoiceBox,
    Entry,
    QuietButton,
    column,
    held,
    label,
    row,
    tip,
)
from quatviz.ui.widgets.scrub_slider import Handle
from quatviz.ui.widgets.style import theme_of


class Field(QWidget):
    """Shows a value and takes another. `committed` when a person is done typing or has chosen; `moved` while a hand drags a
    number, until it has `let_go`."""

    committed = Signal()
    taken_back = Signal()
    moved = Signal()
    let_go = Signal()
    wide = False
    """Whether it needs a row of its own below its label."""
    counts: tuple[int, ...] = ()
    """How many numbers may be pasted into one of its entries, for all of them."""

    def __init__(self, unit: str = "", timed: bool = False) -> None:
        super().__init__()
        self.unit, self._timed = unit, timed
        self.entries: list[Entry] = []
        self.handles: list[Handle] = []

    def show_value(self, value: Any) -> None:
        """Show what the run has; None where nothing was given."""
        raise NotImplementedError

    def value(self) -> Any:
        """What is typed or chosen; None for nothing."""
        raise NotImplementedError

    @property
    def unreadable(self) -> list[Entry]:
        """The entries whose text is no number, or no expression where it may be one."""
        return []

    @property
    def fault(self) -> BadExpression | None:
        """What is wrong with the first of the unreadable entries, where an expression may stand; elsewhere only a number that is
        too large."""
        texts = (in_unit(entry.text(), self.unit) for entry in self.unreadable)
        found = next((fault_in(explicit(text)) for text in texts if text is not None), None)
        return found if self._timed or isinstance(found, TooLarge) else None

    @property
    def pending(self) -> bool:
        """Whether what it shows is not what the run has."""
        return any(entry.pending for entry in self.entries)

    def show_texts(self, values: Iterable[float]) -> None:
        """Show other numbers, which the run does not have yet."""
        for entry, value in zip(self.entries, values, strict=True):
            entry.setText(number_text(value))

    def take_back(self) -> None:
        """Show again what the run has."""
        for entry in self.entries:
            entry.take_back()

    def forget(self) -> None:
        """Another preset is shown: nothing that a person did to it for the last one matters."""
        self.take_back()

    def _not_numbers(self, optional: bool) -> list[Entry]:
        if optional and not any(entry.text().strip() for entry in self.entries):
            return []
        return [entry for entry in self.entries if self._read(entry.text().strip()) is None]

    def _read(self, text: str) -> float | str | None:
        """A number of the field's unit; where it may be one, the text of an expression, as files write it; None for neither."""
        text = in_unit(text, self.unit) or ""
        found = number(text) if self._timed else constant(text)
        is_expression = found is None and self._timed and fault_in(explicit(text)) is None
        return explicit(text) if is_expression else found

    def _entry(self, name: str, optional: bool = False) -> Entry:
        entry = Entry(name, "–" if optional else "")
        entry.committed.connect(lambda: self._share(numbers_in(entry.text())))
        entry.committed.connect(self.committed)
        entry.taken_back.connect(self.take_back)  # it was refused as one
        entry.taken_back.connect(self.taken_back)
        self.entries.append(entry)
        return entry

    def _share(self, texts: Sequence[str]) -> None:
        """Numbers that were pasted into one entry, as many as fit, go to all of them."""
        if len(texts) in self.counts:
            for entry, text in zip(self.entries, texts, strict=True):
                entry.setText(text)

    def _handle(self, entry: Entry, parameter: Parameter, name: str = "") -> Handle:
        handle = Handle(entry, parameter, self.entries, name)
        handle.moved.connect(self.moved)
        handle.let_go.connect(self.let_go)
        self.handles.append(handle)
        return handle


class LineField(Field):
    """Numbers, or expressions, side by side; or one of these, or a text."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.unit, parameter.timed)
        self._single, self.counts = not parameter.shape, parameter.shape
        self.wide = parameter.timed or not self._single
        self._is_text = parameter.kind is str
        self._optional = parameter.optional
        name = spoken(parameter.title)
        names = [name] if self._single else [f"{name} {number + 1}" for number in range(parameter.shape[0])]
        entries = [self._entry(name, parameter.optional) for name in names]
        if self._is_text:
            self.setLayout(row(*((entry, 1) for entry in entries), gap=UNIT // 2))
        elif self._single:
            self._handle(entries[0], parameter)
            self.setLayout(row(entries[0]))
        else:
            each = zip(entries, parameter.elements, strict=True)
            columns = [
                (column(self._handle(entry, parameter, name), entry, gap=0), 1) for entry, name in each
            ]
            self.setLayout(row(*columns, gap=UNIT // 2))

    def show_value(self, value: Any) -> None:
        for place, entry in enumerate(self.entries):
            entry.show_text(value_text(value if self._single or value is None else value[place]))

    def value(self) -> Any:
        texts = [entry.text().strip() for entry in self.entries]
        if self._optional and not any(texts):
            return None
        values = texts if self._is_text else [self._read(text) for text in texts]
        return values[0] if self._single else values

    @property
    def unreadable(self) -> list[Entry]:
        return [] if self._is_text else self._not_numbers(self._optional)


class SymmetricField(Field):
    """A symmetric matrix: its diagonal alone, or in full, where what is typed on one side stands on the other."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter.unit)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(UNIT // 2)
        self._size, self._diagonal = parameter.shape[0], True
        self.counts = (self._size, self._size**2)
        self._full = QCheckBox(tr("Products of inertia too"))
        self._full.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._full.setToolTip(tr("Off: the body axes are principal axes, and three moments say it all"))
        self._cells: dict[tuple[int, int], Entry] = {}
        self._rooms: dict[tuple[int, int], QWidget] = {}
        names = iter(parameter.elements)
        for i in range(self._size):
            for j in range(self._size):
                entry = self._entry(f"{spoken(parameter.title)} {i + 1}{j + 1}")
                handle = self._handle(
                    entry, parameter if i != j else replace(parameter, above=0.0), next(names)
                )
                mirror = partial(self._mirror, entry, (j, i))
                entry.textEdited.connect(mirror)
                handle.moved.connect(mirror)
                self._cells[i, j] = entry
                self._rooms[i, j] = held(column(handle, entry, gap=0))
        self._full.clicked.connect(self._switch)
        self._place()

    def show_value(self, value: Any) -> None:
        matrix = np.asarray(value)
        self._diagonal = np.array_equal(matrix, np.diag(np.diag(matrix)))
        if not self._diagonal:
            self._show_full(True)
        for place, entry in self._cells.items():
            entry.show_text(number_text(matrix[place]))

    def forget(self) -> None:
        super().forget()
        self._show_full(not self._diagonal)

    def value(self) -> Any:
        seen = self._seen
        read = [self._read(cell.text().strip()) if cell in seen else 0.0 for cell in self.entries]
        return [read[at : at + self._size] for at in range(0, len(read), self._size)]

    @property
    def _seen(self) -> list[Entry]:
        return [cell for (i, j), cell in self._cells.items() if i == j or self._full.isChecked()]

    @property
    def unreadable(self) -> list[Entry]:
        return [entry for entry in self._not_numbers(optional=False) if entry in self._seen]

    def _share(self, texts: Sequence[str]) -> None:
        if len(texts) == self._size:
            texts = [texts[i] if i == j else "0" for i, j in self._cells]
        elif len(texts) == len(self._cells):
            self._show_full(True)
        super()._share(texts)

    def _mirror(self, entry: Entry, at: tuple[int, int], text: str = "") -> None:
        if at[0] != at[1]:
            self._cells[at].setText(entry.text())

    def _show_full(self, on: bool) -> None:
        if on != self._full.isChecked():
            self._full.setChecked(on)
            self._place()  # no sooner: all of the column would be laid out and painted anew

    def _switch(self) -> None:
        self._place()
        if not self._full.isChecked():
            self.committed.emit()

    def _place(self) -> None:
        """The diagonal in one row, or the matrix in rows; tabbing follows what is seen."""
        full = self._full.isChecked()
        for (i, j), room in self._rooms.items():
            room.setVisible(full or i == j)
            self._grid.addWidget(room, i if full else 0, j)
        self._grid.addWidget(self._full, self._size, 0, 1, self._size)  # last: Tab follows the layout


class ChoiceField(Field):
    """One of several names."""

    def __init__(self, parameter: Parameter, choices: Mapping[Any, str]) -> None:
        super().__init__()
        self._choices = choices
        self.box = ChoiceBox(choices, spoken(parameter.title))
        self.box.chosen.connect(lambda _: self.committed.emit())
        self._running = self.box.value
        self.wide = any(len(text) > 16 for text in choices.values())
        self.setLayout(row(self.box))

    def show_value(self, value: Any) -> None:
        self._running = value
        if self.box.count() > len(
            self._choices
        ):  # what was shown before, such as the mesh of another body, is no choice
            self.box.offer(self._choices)
        self.box.show_value(value)

    def value(self) -> Any:
        return self.box.value

    @property
    def pending(self) -> bool:
        return self.box.value != self._running

    def take_back(self) -> None:
        self.box.show_value(self._running)


class TruthField(Field):
    """Yes or no."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self._box = QCheckBox()
        self._box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._box.setAccessibleName(spoken(parameter.title))
        self._box.clicked.connect(lambda _: self.committed.emit())
        self.setLayout(row(self._box))

    def show_value(self, value: Any) -> None:
        self._box.setChecked(bool(value))

    def value(self) -> Any:
        return self._box.isChecked()


def field_for(parameter: Parameter, choices: Mapping[Any, str] | None = None) -> Field:
    """The field of a parameter; `choices` (value: what people read) where they are known outside its declaration."""
    if choices is None and parameter.choices is not None:
        choices = {choice: spoken(choice) for choice in parameter.choices}
    if choices is not None:
        return ChoiceField(parameter, choices)
    if len(parameter.shape) == 2:
        return SymmetricField(parameter)  # an inertia is the only matrix that is declared
    return TruthField(parameter) if parameter.kind is bool else LineField(parameter)


FIELD_WIDTH = 160
_EDITED = " \u2022"
"""Behind the name of what was edited."""

Propose = Callable[[dict[str, Any], str, bool], InputError | None]
"""Try a table of values (None is left out); the second argument is what was edited, for the undo menu, the third whether that
takes the place of what was tried last, while a hand is at it."""


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
        self._held, self._goes_on = "", False
        self._next = QTimer(self, singleShot=True)
        """For what a hand has moved: the window draws what was tried last before the next is."""
        self._next.timeout.connect(self._follow)
        self.blocks: dict[str, Block] = {}
        for name, parameter in parameters.items():
            block = Block(parameter, field_for(parameter, (choices or {}).get(name)))
            block.field.committed.connect(lambda name=name: self._commit(name))
            block.field.taken_back.connect(lambda name=name: self._accept(name))
            block.field.moved.connect(lambda name=name: self._move(name))
            block.field.let_go.connect(self._let_go)
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

    def compare(self, origin: Mapping[str, Any]) -> None:
        """Mark what is not as the preset has it, which the tip says."""
        for name, block in self.blocks.items():
            same = self._running.get(name) == origin.get(name)
            block.mark_edited(None if same else listed_text(origin.get(name)))

    def forget_refusals(self) -> None:
        """Another preset is shown: nothing that was typed for the last one matters."""
        for block in self.blocks.values():
            block.field.forget()
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

    def _move(self, name: str) -> None:
        """A hand has moved a number of this field: try it as soon as all is drawn."""
        self._held = name
        if not self._next.isActive():
            self._next.start(0)

    def _follow(self) -> None:
        self._goes_on = self._commit(self._held, self._goes_on) or self._goes_on

    def _let_go(self) -> None:
        if self._next.isActive():
            self._next.stop()
            self._follow()
        self._goes_on = False

    def _commit(self, name: str, goes_on: bool = False) -> bool:
        """Try this field with all that were refused before, since values often only fit together; else it alone. True
        where it was taken; else why not is said, under a hand too: curves that stop following would be a riddle."""
        block = self.blocks[name]
        goes_on |= any(entry.steps_on and entry.hasFocus() for entry in block.field.entries)
        if block.field.unreadable:
            block.refuse_text()
            return False
        waiting = [other for other, block in self.blocks.items() if other != name and block.field.pending]
        together = waiting and not any(self.blocks[other].field.unreadable for other in waiting)
        for names in ([*waiting, name], [name]) if together else ([name],):
            table = {**self._running, **{other: self.blocks[other].field.value() for other in names}}
            given = {key: value for key, value in table.items() if value is not None}
            refusal = self._propose(given, name, goes_on)
            if refusal is None:
                for taken in names:  # what was typed in another way is written as the run has it
                    self.blocks[taken].field.take_back()
                self._accept(*names)
                return True
        assert refusal is not None
        self._place_of(refusal, name).refuse(refusal, self.path)
        return False

    def _accept(self, *names: str) -> None:
        """These show what the run has. Where all do, nothing is refused, whichever field it was said at."""
        pending = any(block.field.pending for block in self.blocks.values())
        for name in names if pending else self.blocks:
            self.blocks[name].accept()

    def _place_of(self, refusal: InputError, name: str) -> "Block":
        """The field that the refusal is about, if it is here; else the one that was edited."""
        for other, block in self.blocks.items():
            if refusal.key == joined(self.path, other):
                return block
        return self.blocks[name]


class Block(QWidget):
    """Label, field and unit of one parameter, and beside them what was refused and why."""

    def __init__(self, parameter: Parameter, field: Field) -> None:
        super().__init__()
        self.name = parameter.name
        self.field = field
        self.refused = False
        self.message = Callout(self)
        self.mend: QuietButton | None = None
        self._instead: Any = None
        self._title, self._hint = QLabel(spoken(parameter.title)), spoken(parameter.explanation)
        title, unit = self._title, label("muted", unit_text(parameter.unit), wraps=False)
        self.mark_edited(None)
        if field.wide:
            self.setLayout(column(row(title, (unit, 1)), field, gap=UNIT // 2))
        else:
            field.setFixedWidth(theme_of(field).pixels(FIELD_WIDTH))
            self.setLayout(row(title, (unit, 1), field))
        if len(field.handles) == 1:
            field.handles[0].take(title)

    def mark_edited(self, origin: str | None) -> None:
        """Say that the preset has something else, and what; nothing where it is the same."""
        said = tr("{hint}\nEdited: the preset has {origin}", hint=self._hint, origin=origin or tr("nothing"))
        said = self._hint if origin is None else said.strip()
        if said != self._title.toolTip():
            self._title.setText(
                self._title.text().removesuffix(_EDITED) + ("" if origin is None else _EDITED)
            )
            for widget in (self._title, self.field, *self.field.entries):
                widget.setToolTip(tip(said))
                widget.setAccessibleDescription(said)

    def refuse(self, refusal: InputError, path: str) -> None:
        """Keep what was typed, mark it, and say why the run goes on without it."""
        self._refuse(refusal_text(refusal, joined(path, self.name)), refusal.topic, self.field.entries)

    def offer(self, words: str, value: Any) -> None:
        """Let a person take another value in place of what was refused, by a button with these words; None is nothing to take."""
        if self.mend is None:
            self.mend = QuietButton("", self._take)
            self.message.add(self.mend)
        self._instead = value
        self.mend.setText(words)
        self.mend.setVisible(value is not None)

    def _take(self) -> None:
        self.field.show_value(self._instead)
        self.field.committed.emit()

    def refuse_text(self) -> None:
        """Refuse what is no number, in the entries where it stands."""
        self.accept()  # what was offered is no remedy of this
        wrong, fault = self.field.unreadable, self.field.fault
        if fault is not None:
            self._refuse(refusal_text(fault, fault.key), fault.topic, wrong)
            wrong[0].point_at(fault.start, fault.stop)
            return
        self._refuse(no_number(map(Entry.text, wrong), self.field.unit, self.field.counts), ANY, wrong)

    def accept(self) -> None:
        """What it shows is what the run has."""
        if self.refused:
            self.refused = False
            self.message.say("")
            if self.mend is not None:
                self.mend.hide()
            self._mark([])

    def _refuse(self, words: str, topic: str, entries: list[Entry]) -> None:
        self.refused = True
        self.message.say(words, topic)
        self._mark(entries)

    def _mark(self, refused: list[Entry]) -> None:
        for entry in self.field.entries:
            entry.mark(entry in refused)
