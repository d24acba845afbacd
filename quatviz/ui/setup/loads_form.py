"""The loads: one form each, made from what the kind declares, and a menu to add any kind."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal
from quatviz.core.loads import LOADS
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Parameter, declared, from_table, to_table
from quatviz.ui.editing import Editor, State
from quatviz.ui.icon_button import IconButton
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.setup.form import Form
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.words import spoken


class LoadsForm(QWidget):
    """Rebuilt only when loads come or go, so that a field that is being typed in stays where it is."""

    def __init__(self, theme: Theme, editor: Editor) -> None:
        super().__init__()
        self._theme = theme
        self._editor = editor
        self.cards: list[LoadCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * UNIT)
        self.add = QuietButton("Add a load")
        self.menu = QMenu(self.add)
        self.menu.setToolTipsVisible(True)
        for name, kind in LOADS.items():
            action = self.menu.addAction(spoken(name), lambda kind=kind: self._add(kind))
            action.setToolTip((kind.__doc__ or "").strip().split("\n")[0])
        self.add.setMenu(self.menu)
        self._column.addWidget(self.add)

    def show_state(self, state: State) -> None:
        """Show the loads of the preset."""
        loads = state.preset.loads
        if [type(load) for load in loads] != [card.kind for card in self.cards]:
            self._rebuild([type(load) for load in loads])
        for card, load in zip(self.cards, loads, strict=True):
            card.form.show_table(to_table(load))

    def forget_refusals(self) -> None:
        """Another preset is shown."""
        for card in self.cards:
            card.form.forget_refusals()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        for card in self.cards:
            card.remove.restyle(theme)

    def _rebuild(self, kinds: list[type[Load]]) -> None:
        for card in self.cards:
            card.hide()  # until it is deleted, which waits for the event loop
            card.deleteLater()
        self.cards = [LoadCard(self._theme, self._editor, kind, index) for index, kind in enumerate(kinds)]
        for index, card in enumerate(self.cards):
            self._column.insertWidget(index, card)

    def _add(self, kind: type[Load]) -> None:
        table = {name: starting_value(parameter) for name, parameter in declared(kind).items()}
        given = {name: value for name, value in table.items() if value is not None}

        def make(state: State) -> State:
            load = from_table(kind, given, "loads")
            return state.with_preset(loads=(*state.preset.loads, load))

        self._editor.propose(f"add {spoken(kind.name).lower()}", make)


class LoadCard(QWidget):
    """One load: its kind, its numbers, and a button that takes it away."""

    def __init__(self, theme: Theme, editor: Editor, kind: type[Load], index: int) -> None:
        super().__init__()
        self.kind = kind
        self._editor = editor
        self._index = index
        self._called = spoken(kind.name)
        title = QLabel(self._called)
        title.setObjectName("subheading")
        title.setToolTip((kind.__doc__ or "").strip().split("\n")[0])
        self.remove = IconButton(theme, "remove", f"Remove {self._called.lower()}")
        self.remove.clicked.connect(self._remove)
        self.form = Form(declared(kind), f"loads[{index}]", self._propose)
        top = QHBoxLayout()
        top.addWidget(title, 1)
        top.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT // 2)
        column.addLayout(top)
        column.addWidget(self.form)

    def _propose(self, table: dict[str, Any], edited: str) -> Refusal | None:
        def make(state: State) -> State:
            loads = list(state.preset.loads)
            loads[self._index] = from_table(self.kind, table, self.form.path)
            return state.with_preset(loads=tuple(loads))

        return self._editor.propose(f"{self._called.lower()}: {spoken(edited).lower()}", make)

    def _remove(self) -> None:
        def make(state: State) -> State:
            loads = list(state.preset.loads)
            del loads[self._index]
            return state.with_preset(loads=tuple(loads))

        self._editor.propose(f"remove {self._called.lower()}", make)


def starting_value(parameter: Parameter) -> Any:
    """What a new load begins with: its default, else the least that it may be, which mostly is no load at all."""
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
