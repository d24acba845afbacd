"""The front door to the comparison: which formulations are to be seen beside each other."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.formatting import refusal_text
from quatviz.base.translation import tr
from quatviz.display.document.comparison import compared, known_as, lacks, lanes_for, shared
from quatviz.display.document.document import Document
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.formulations import lane_title
from quatviz.teaching.help.entry_search import Entry, narrowed
from quatviz.ui.widgets.controls import Button, Dialog, SearchField, Ticks, column, label, open_at, row

_SAID = (
    "Two or more formulations over the motion that is open, in views beside each other where there is room: λ where they have "
    "one, how far they part, and their equations below. One step of Undo leads back."
)


class CompareDialog(Dialog):
    """Those of the run are ticked; those that cannot take its motion stay off, and say why."""

    def __init__(self, document: Document, show: Callable[[Session, str], object], parent: QWidget) -> None:
        """`show` is given the session that is chosen, and what the step is called."""
        super().__init__(tr("Compare formulations"), parent)
        self._preset, self._show, self._parent = document.state.preset, show, parent
        self._lanes = lanes_for(self._preset)
        self._lacks = lacks(self._preset, self._lanes)
        self._sought = ""
        """What is typed where nothing has it."""
        of_run = {lane.formulation for lane in self._preset.lanes}
        self.field = SearchField(tr("Find a formulation"))
        self.ticks, self.note = Ticks(tr("Formulations")), label("muted")
        self.field.textChanged.connect(self._seek)
        self.field.stepped.connect(lambda _: self.ticks.setFocus())
        for lane_id, lanes in self._lanes.items():
            lack = self._lacks.get(lane_id)
            ticked = any(lane.formulation in of_run for lane in lanes)
            self.ticks.add(lane_id, lane_title(lane_id), ticked, refusal_text(lack) if lack else "")
        self.ticks.itemChanged.connect(lambda _: self._tell())
        self.leave = Button(tr("Cancel"), self.reject)
        self.compare = Button(tr("Compare"), self._take, look="primary")
        self.compare.setDefault(True)
        low = 3 * self.note.fontMetrics().lineSpacing()
        self.note.setMinimumHeight(low)  # or the list would move while it changes
        foot = row(None, self.leave, self.compare)
        parts = label("", tr(_SAID)), self.field, (self.ticks, 1), self.note, foot
        self.setLayout(column(*parts, gap=UNIT, margins=2 * UNIT))
        open_at(self, 520, 640)
        self._tell()

    def _seek(self, typed: str) -> None:
        """List those alone that have what is typed, the best of them for Enter."""
        entries = [
            Entry(lane_title(lane_id), lane_id, lambda: None, known=known_as(lane_id))
            for lane_id in self._lanes
        ]
        found = [entry.where for entry in narrowed(entries, typed)]
        for place, lane_id in enumerate(self._lanes):
            self.ticks.item(place).setHidden(lane_id not in found)
        self.ticks.setCurrentRow(list(self._lanes).index(found[0]) if found else -1)
        self._sought = "" if found else typed.strip()
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter compares, but where something is sought: there it ticks what is found."""
        enter, item = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter), self.ticks.currentItem()
        if not (enter and self.field.text() and self.focusWidget() is not self.ticks):
            super().keyPressEvent(event)
        elif item is not None:
            self.ticks.toggle(item)

    def _take(self) -> None:
        self.accept()
        session = compared(self._preset, self._lanes, self.ticks.ticked, self._parent.width())
        self._show(session, tr("compare formulations"))

    def _tell(self) -> None:
        """How many are chosen, and what is missing; or that nothing is found."""
        chosen, able = len(self.ticks.ticked), len(self._lanes) - len(self._lacks)
        said = tr("{chosen} of {able} are chosen.", chosen=chosen, able=able)
        if shared([lane for lane_id in self.ticks.ticked for lane in self._lanes[lane_id]]):
            said += " " + tr(
                "More than four lie over each other in one view, where differences can be magnified."
            )
        if able < 2:
            said = tr("No two formulations can take this motion.")
        elif chosen < 2:
            said += " " + tr("Tick at least two.")
        if self._lacks:
            said += " " + tr(
                "{count} cannot take this motion: the pointer over one shows why.", count=len(self._lacks)
            )
        if self._sought:
            said = tr(
                "No formulation is known as “{typed}”. Try a name, such as Lagrange, or what one is written in or has, such as "
                "Euler angles, momentum or lambda.",
                typed=self._sought,
            )
        self.note.setText(said)
        self.compare.setEnabled(chosen > 1)
