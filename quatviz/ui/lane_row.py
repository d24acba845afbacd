"""One lane: colour, name and state in a line, its numbers in another; what it is made of below, when asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal
from quatviz.core.parameters import declared, from_table, to_table
from quatviz.core.preset import Lane
from quatviz.core.topics import NO_EFFECT, topic_of_status
from quatviz.formulations import FORMULATIONS, make_formulation
from quatviz.integrators import INTEGRATORS
from quatviz.simulation.lane_settings import RESTORES
from quatviz.ui.editing import Editor, State
from quatviz.ui.frame import LaneFrame
from quatviz.ui.guard import guarded
from quatviz.ui.lane_edits import removed
from quatviz.ui.lane_heading import Chip, Heading
from quatviz.ui.lane_menu import lane_menu
from quatviz.ui.lane_name import NameEntry
from quatviz.ui.lane_numbers import NumbersLine
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.refusal_label import RefusalLabel
from quatviz.ui.setup.form import Form
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr
from quatviz.ui.words import formulation_text, in_words, refusal_text, spoken


class LaneRow(QWidget):
    """Lane number `index`. A frame that says nothing new costs one comparison."""

    equations_wanted = Signal(int)

    def __init__(self, theme: Theme, editor: Editor, index: int) -> None:
        super().__init__()
        self._theme, self._editor, self._index = theme, editor, index
        self._shown: tuple[object, ...] = ()
        self._lane: LaneFrame | None = None
        self.chip = Chip(theme)
        self.chip.clicked.connect(self._open_menu)
        self.heading = Heading(theme)
        self.heading.clicked.connect(self._unfold)
        self.heading.renamed.connect(self.rename)
        self.name = NameEntry()
        self.name.named.connect(self._name)
        self.name.left.connect(self._end_naming)
        self.refused = RefusalLabel(left=4 * UNIT, below=UNIT)
        self.numbers = NumbersLine(theme)
        self.message = RefusalLabel(left=4 * UNIT, below=UNIT)
        self.remarks = RefusalLabel(left=4 * UNIT, below=UNIT, look="muted")
        self.details = QWidget()
        self.form = self._form()
        self.remove = QuietButton(tr("Remove this lane"))
        self.remove.clicked.connect(self._remove)
        self._lay_out()

    def show_lane(self, lane: LaneFrame) -> None:
        """Show how the lane fares."""
        key = (lane.formulation, lane.name, lane.status, lane.message, lane.remarks)
        look = (lane.colour, lane.solid, lane.visible, lane.drawn)
        if (*key, *look) == self._shown:
            return
        lane = replace(lane, pose=None, values={})  # these hold the whole run, and the row may outlive it
        self._shown, self._lane = (*key, *look), lane
        self.chip.show_lane(lane)
        self.heading.show_lane(lane)
        self.message.say(lane.message, topic_of_status(lane.status))
        self.remarks.say("\n".join(lane.remarks), NO_EFFECT)

    def show_spec(self, lane: Lane, alone: bool, fresh: bool) -> None:
        """Show what the lane is made of; `alone` cannot be removed, `fresh` forgets what was refused."""
        table = to_table(lane)
        table["formulation"] = make_formulation(lane.formulation).id  # with the variant that may be left out
        self.form.show_table(table)
        for name, useful in _uses(lane).items():
            self.form.blocks[name].setVisible(useful or name in table)
        if fresh:
            self.form.forget_refusals()
        self.remove.setEnabled(not alone)
        self.remove.setToolTip(tr("A run has at least one lane") if alone else "")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.chip.restyle(theme)
        self.heading.restyle(theme)
        self.numbers.restyle(theme)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.chip)
        top.addWidget(self.heading, 1)
        top.addWidget(self.name, 1)
        inside = QVBoxLayout(self.details)
        inside.setContentsMargins(4 * UNIT, UNIT // 2, 0, UNIT)
        inside.setSpacing(UNIT)
        inside.addWidget(self.form)
        inside.addWidget(self.remove)
        self.details.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.refused)
        column.addWidget(self.numbers)
        column.addWidget(self.message)
        column.addWidget(self.remarks)
        column.addWidget(self.details)

    def _form(self) -> Form:
        formulations = {
            (f"{name}/{variant}" if variant else name): formulation_text(kind, variant)
            for name, kind in FORMULATIONS.items()
            for variant in (kind.variants or ("",))
        }
        integrators: dict[Any, str] = {None: tr("As the run")}
        integrators.update({name: tr(kind.title) for name, kind in INTEGRATORS.items()})
        stabilisations: dict[Any, str] = {None: tr("None")}
        stabilisations.update({name: spoken(name) for name in RESTORES if name != "none"})
        choices = {
            "formulation": formulations, "integrator": integrators, "stabilisation": stabilisations,
        }  # fmt: skip
        return Form(declared(Lane), f"lanes[{self._index}]", self._propose, choices)

    def _propose(self, table: dict[str, Any], edited: str) -> Refusal | None:
        def make(state: State) -> State:
            lanes = list(state.preset.lanes)
            lanes[self._index] = from_table(Lane, table, self.form.path)
            return state.with_preset(lanes=tuple(lanes))

        return self._editor.propose(
            tr("lane {index}: {edited}", index=self._index + 1, edited=in_words(edited)), make
        )

    def rename(self) -> None:
        """Let a person type another name in the place of this one."""
        if self._lane is not None:
            self.heading.hide()
            self.name.ask(self._lane.name)

    def _name(self, name: str) -> None:
        def make(state: State) -> State:
            lanes = list(state.preset.lanes)
            lanes[self._index] = replace(lanes[self._index], name=name or None)  # without one it names itself
            return state.with_preset(lanes=tuple(lanes))

        refusal = self._editor.propose(tr("lane {index}: name", index=self._index + 1), make)
        if refusal is None:
            self._end_naming()
        else:
            self.refused.say(refusal_text(refusal), refusal.topic)

    def _end_naming(self) -> None:
        self.refused.hide()
        self.name.hide()
        self.heading.show()
        self.window().setFocus()  # keys play and pause again

    def _remove(self) -> None:
        name = self._lane.name if self._lane else f"{self._index + 1}"
        self._editor.propose(tr("remove lane {name}", name=name), lambda state: removed(state, self._index))

    def _unfold(self) -> None:
        opened = self.details.isHidden()
        self.details.setVisible(opened)
        self.heading.show_open(opened)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._popup(event.globalPos())

    def _open_menu(self) -> None:
        self._popup(self.chip.mapToGlobal(self.chip.rect().bottomLeft()))

    def _popup(self, place: QPoint) -> None:
        menu = lane_menu(self._theme, self._editor, self._index, self)
        first = menu.actions()[0]
        menu.insertAction(first, menu.addAction(tr("Rename…\tF2"), self.rename))
        wanted = menu.addAction(tr("Equations…"), lambda: self.equations_wanted.emit(self._index))
        menu.insertAction(first, wanted)
        menu.insertSeparator(first)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)


def _uses(lane: Lane) -> dict[str, bool]:
    """Which of the settings that few lanes have make sense for this one."""
    kind = FORMULATIONS[lane.formulation.partition("/")[0]]
    damped = lane.stabilisation == "baumgarte"
    stepped = not kind.closed_form
    return {
        "integrator": stepped, "dt": stepped,
        "stabilisation": len(kind.stabilisations) > 1, "alpha": damped, "beta": damped, "J0": kind.free_inertia,
    }  # fmt: skip
