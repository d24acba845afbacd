"""The hashes of the run: what tells whether another one is the same to the last bit."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QPushButton, QScrollArea, QWidget

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT, Theme
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.kit.style import fixed_pitch, theme_of
from quatviz.ui.kit.widgets import Dialog, column, label, row, scrolling

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
        super().__init__(parent)
        theme = theme_of(self)
        self.setWindowTitle(tr("Hashes of the run"))
        self._run = run
        command = label("", _COMMAND, wraps=False)
        command.setFont(fixed_pitch(theme.normal))
        command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.rows = [_Row(theme, lane) for lane in run]
        self.note = label("muted", wraps=False)
        self.copy, close = QPushButton(tr("Copy")), QPushButton(tr("Close"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(hash_text(run)))
        close.clicked.connect(self.accept)
        buttons = row((self.note, 1), self.copy, close)
        self.setLayout(column(label("", tr(_SAID)), command, self._table(), buttons, margins=2 * UNIT))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._renew)
        self._timer.start(_EVERY_MS)
        self._renew()

    def done(self, result: int) -> None:
        self._timer.stop()
        super().done(result)

    def _table(self) -> QScrollArea:
        grid = QGridLayout()
        grid.setContentsMargins(0, UNIT, UNIT, UNIT)
        grid.setHorizontalSpacing(2 * UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for number, lane in enumerate(self.rows):
            grid.addWidget(lane.name, 2 * number, 0)
            grid.addWidget(lane.reach, 2 * number, 1)
            grid.addWidget(lane.hash, 2 * number + 1, 0, 1, 2)
        grid.setRowStretch(2 * len(self.rows), 1)
        area, needed = scrolling(grid), grid.sizeHint()
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setMinimumSize(needed.width() + 3 * UNIT, min(needed.height(), 50 * UNIT))
        area.setAccessibleName(tr("Hashes"))
        return area

    def _renew(self) -> None:
        for lane in self.rows:
            lane.show_now(self._run)
        left = sum(self._run.missing(lane) > 0 for lane in self._run)
        self.note.setText(
            tr("Still computing {left} of {count} lanes", left=left, count=len(self.rows))
            if left
            else tr("All is computed")
        )
        if not left:
            self._timer.stop()


class _Row:
    """What stands of one lane."""

    def __init__(self, theme: Theme, lane: LaneRun) -> None:
        self._lane = lane
        self.name, self.reach = label("subheading", lane.name, wraps=False), label("muted", wraps=False)
        self.hash = label("", " ".join(["0" * _GROUP] * 8), wraps=False)
        self.hash.setFont(fixed_pitch(theme.small))
        self.hash.setContentsMargins(0, 0, 0, UNIT)
        for part in (self.name, self.hash):
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def show_now(self, run: Simulation) -> None:
        """Write what is computed so far."""
        lane = self._lane
        digits = lane.digest
        self.hash.setText(
            " ".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP)) or tr("not begun")
        )
        going_on = tr(", still computing") if run.missing(lane) else ""
        self.reach.setText(
            tr("to {computed_to:.6g} s{going_on}", computed_to=lane.computed_to, going_on=going_on)
        )


def hash_text(run: Simulation) -> str:
    """Hash, name and reach of each lane."""
    return "\n".join(
        f"{lane.digest or '(not begun)'}  {lane.name}  to {lane.computed_to:.6g} s" for lane in run
    )
