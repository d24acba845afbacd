"""The hashes of the run: what tells whether another one is the same to the last bit."""

from html import escape

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTextEdit, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.formulations import lane_title
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.widgets.controls import Button, Dialog, column, fitting, label, row
from quatviz.ui.widgets.style import fixed_pitch, theme_of

_SAID = (
    "SHA-256 of every recorded state of each lane. The same run on the same machine and versions has the same hashes, "
    "live, replayed from a file, or by the command"
)
_COMMAND = "quatviz run FILE --hash"
_EVERY_MS = 500
_GROUP = 8
"""Digits that stand together, for the eye."""


class HashDialog(Dialog):
    """Name, reach and hash of each lane, to be read and copied; written anew until all is computed."""

    def __init__(self, run: Simulation, parent: QWidget) -> None:
        super().__init__(tr("Hashes of the run"), parent)
        self._run, self._shown = run, ""
        command = label("", _COMMAND, wraps=False, read=True)
        command.setFont(fixed_pitch(theme_of(self).normal))
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Hashes"))
        self.note = label("muted", wraps=False)
        self.copy = Button(tr("Copy"), lambda: QGuiApplication.clipboard().setText(run.hashes))
        close = Button(tr("Close"), self.accept)
        buttons = row((self.note, 1), self.copy, close)
        self.setLayout(column(label("", tr(_SAID)), command, (self.text, 1), buttons, margins=2 * UNIT))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._renew)
        self._timer.start(_EVERY_MS)
        self._renew()
        wanted = QSize(54 * theme_of(self).small, 36 * UNIT)
        self.resize(fitting(wanted, self.screen().availableGeometry().size()))

    def done(self, result: int) -> None:
        self._timer.stop()
        super().done(result)

    def _renew(self) -> None:
        """Write what is computed so far; what has not changed may be selected."""
        theme = theme_of(self)
        name = "font-weight: 600"
        style = f"font-family: '{fixed_pitch(theme.small).family()}'; font-size: {theme.small}px"
        reached = f"<span style='color: {theme.muted}'>"
        shown = "".join(
            f"<p><span style='{name}'>{escape(lane_title(lane.name))}</span> {reached}{self._reach(lane)}</span>"
            f'<br><span style="{style}">{_grouped(lane.digest) or tr("not begun")}</span></p>'
            for lane in self._run
        )
        if shown != self._shown:
            self._shown = shown
            self.text.setHtml(shown)
        left, count = sum(self._run.missing(lane) > 0 for lane in self._run), len(self._run.lanes)
        computing = tr("Still computing {left} of {count} lanes", left=left, count=count)
        self.note.setText(computing if left else tr("All is computed"))
        if not left:
            self._timer.stop()

    def _reach(self, lane: LaneRun) -> str:
        going_on = tr(", still computing") if self._run.missing(lane) else ""
        return tr("to {computed_to:.6g} s{going_on}", computed_to=lane.computed_to, going_on=going_on)


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP))
