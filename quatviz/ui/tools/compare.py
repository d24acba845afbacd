"""The front door to the comparison: which formulations are to be seen beside each other."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from quatviz.base.tr import tr
from quatviz.base.words import refusal_text
from quatviz.document.comparison import compared, lacks, lanes_for
from quatviz.document.document import Document
from quatviz.formulations import lane_title
from quatviz.look.session import Session
from quatviz.look.theme import UNIT
from quatviz.ui.kit.widgets import Button, Dialog, Ticks, column, label, row

_SAID = (
    "Two or more formulations over the motion that is open: each in a view of its own, λ where they have one, how far they part, "
    "and their equations below. One step of Undo leads back."
)


class CompareDialog(Dialog):
    """Those of the run are ticked; those that cannot take its motion stay off, and say why."""

    def __init__(self, document: Document, show: Callable[[Session, str], object], parent: QWidget) -> None:
        """`show` is given the session that is chosen, and what the step is called."""
        super().__init__(tr("Compare formulations"), parent)
        self._preset, self._show = document.state.preset, show
        self._lanes = lanes_for(self._preset)
        self._lacks = lacks(self._preset, self._lanes)
        of_run = {lane.formulation for lane in self._preset.lanes}
        self.ticks, self.note = Ticks(tr("Formulations")), label("muted")
        for lane_id, lanes in self._lanes.items():
            lack = self._lacks.get(lane_id)
            ticked = any(lane.formulation in of_run for lane in lanes)
            self.ticks.add(lane_id, lane_title(lane_id), ticked, refusal_text(lack) if lack else "")
        self.ticks.itemChanged.connect(lambda _: self._tell())
        self.leave = Button(tr("Cancel"), self.reject)
        self.compare = Button(tr("Compare"), self._take, look="primary")
        self.compare.setDefault(True)
        parts = label("", tr(_SAID)), (self.ticks, 1), self.note, row(None, self.leave, self.compare)
        self.setLayout(column(*parts, gap=UNIT, margins=2 * UNIT))
        self.resize(520, 640)
        self._tell()

    def _take(self) -> None:
        self.accept()
        session = compared(self._preset, self._lanes, self.ticks.ticked)
        self._show(session, tr("compare formulations"))

    def _tell(self) -> None:
        """How many are chosen, and what is missing."""
        chosen, able = len(self.ticks.ticked), len(self._lanes) - len(self._lacks)
        said = tr("{chosen} of {able} are chosen.", chosen=chosen, able=able)
        if able < 2:
            said = tr("No two formulations can take this motion.")
        elif chosen < 2:
            said += " " + tr("Tick at least two.")
        if self._lacks:
            said += " " + tr(
                "{count} cannot take this motion: the pointer over one shows why.", count=len(self._lacks)
            )
        self.note.setText(said)
        self.compare.setEnabled(chosen > 1)
