"""The lanes of the run: how each one fares, what it is made of, and a menu to add more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from quatviz.core.preset import Lane
from quatviz.formulations import FORMULATIONS
from quatviz.ui.editing import Editor, State
from quatviz.ui.frame import Frame, Source
from quatviz.ui.lane_edits import added
from quatviz.ui.lane_numbers import LaneNumbers, NumbersHead
from quatviz.ui.lane_row import LaneRow
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.refusal_label import RefusalLabel
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr
from quatviz.ui.words import refusal_text, spoken


class LaneList(QWidget):
    """One row per lane, written only when its words change. Rows are made and removed only as lanes come and go."""

    equations_wanted = Signal(int)
    """Of which lane, by its number."""

    def __init__(self, theme: Theme, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._editor = editor
        self._title = ""
        self.rows: list[LaneRow] = []
        self.reference: Callable[[], str] = lambda: ""
        """The lane that errors are against."""
        self.seen: Callable[[State], State] = lambda state: state
        """The state as edits find it now: at the start of the run, or at the cursor."""
        self._lanes: Sequence[Lane] = ()
        self._numbers = LaneNumbers()
        self.head = NumbersHead(theme)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.add = QuietButton(tr("Add a lane"))
        self.menu = self._formulation_menu()
        self.add.setMenu(self.menu)
        self.toggle = QuietButton(tr("Hide numbers"))
        self.toggle.clicked.connect(lambda: self.show_numbers(not self.numbered))
        below = QHBoxLayout()
        below.addWidget(self.add)
        below.addStretch(1)
        below.addWidget(self.toggle)
        self._column.addWidget(self.head)
        self._column.addSpacing(UNIT // 2)
        self._column.addLayout(below)
        self.problem = RefusalLabel()
        self._column.addWidget(self.problem)
        editor.changed.connect(self.show_state)

    def start(self, source: Source) -> None:
        """A run begins: one row for each of its lanes."""
        self._numbers.start(source)
        if len(source.info.lanes) != len(self.rows):
            for row in self.rows:
                row.hide()  # until it is deleted, which waits for the event loop
                row.deleteLater()
            self.rows = [LaneRow(self._theme, self._editor, index) for index in range(len(source.info.lanes))]
            for index, row in enumerate(self.rows):
                self._column.insertWidget(index + 1, row)
                row.numbers.setVisible(self.numbered)
                row.equations_wanted.connect(self.equations_wanted)
            self.show_state(self._editor.state)

    def show_frame(self, frame: Frame) -> None:
        """Show how the lanes fare."""
        for row, lane in zip(self.rows, frame.lanes, strict=True):
            row.show_lane(lane)
        if self.seen(self._editor.state).preset.lanes != self._lanes:
            self.show_state(self._editor.state)
        if self.numbered and self.isVisible():
            reference = self.reference()
            self.head.name_reference(reference)
            for row, texts in zip(self.rows, self._numbers.texts(frame, reference) or (), strict=False):
                row.numbers.say(texts)

    @property
    def numbered(self) -> bool:
        """Whether the numbers at the cursor stand below the lanes' names."""
        return not self.head.isHidden()

    def show_numbers(self, on: bool) -> None:
        """Show the numbers at the cursor, or hide them."""
        self._numbers.forget()
        self.head.setVisible(on)
        for row in self.rows:
            row.numbers.setVisible(on)
        self.toggle.setText(tr("Hide numbers") if on else tr("Show numbers"))

    def show_state(self, state: State) -> None:
        """Show what the lanes are made of. The run that has them may have begun already, or begin next."""
        lanes = self._lanes = self.seen(state).preset.lanes
        self.problem.hide()
        if len(lanes) == len(self.rows):
            fresh, self._title = state.preset.title != self._title, state.preset.title
            for row, lane in zip(self.rows, lanes, strict=True):
                row.show_spec(lane, alone=len(lanes) == 1, fresh=fresh)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.head.restyle(theme)
        for row in self.rows:
            row.restyle(theme)

    def _formulation_menu(self) -> QMenu:
        """Every formulation; one with variants has a menu of its own."""
        menu = QMenu(self.add)
        for name, kind in FORMULATIONS.items():
            if not kind.variants:
                menu.addAction(tr(kind.title), lambda name=name: self._add(name))
                continue
            variants = menu.addMenu(tr(kind.title))
            for variant in kind.variants:
                lane_id = f"{name}/{variant}"
                variants.addAction(spoken(variant), lambda lane_id=lane_id: self._add(lane_id))
        return menu

    def _add(self, lane_id: str) -> None:
        refusal = self._editor.propose(
            tr("add lane {lane_id}", lane_id=lane_id), lambda state: added(state, Lane(lane_id))
        )
        if refusal is not None:
            self.problem.say(refusal_text(refusal), refusal.topic)
