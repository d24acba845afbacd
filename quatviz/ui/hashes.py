"""The hashes of the run: what tells whether another one is the same to the last bit."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.dialog import Dialog
from quatviz.ui.fonts import fixed_pitch
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

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

    def __init__(self, run: Simulation, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Hashes of the run"))
        self._run = run
        said, command = QLabel(tr(_SAID)), QLabel(_COMMAND)
        said.setWordWrap(True)
        command.setFont(fixed_pitch(theme.normal))
        command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.rows = [_Row(theme, lane) for lane in run]
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.copy, close = QPushButton(tr("Copy")), QPushButton(tr("Close"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(hash_text(run)))
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(self.note, 1)
        buttons.addWidget(self.copy)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT)
        for part in (said, command, self._table()):
            column.addWidget(part)
        column.addLayout(buttons)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._renew)
        self._timer.start(_EVERY_MS)
        self._renew()

    def done(self, result: int) -> None:
        self._timer.stop()
        super().done(result)

    def _table(self) -> QScrollArea:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, UNIT, UNIT, UNIT)
        grid.setHorizontalSpacing(2 * UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        for number, row in enumerate(self.rows):
            grid.addWidget(row.name, 2 * number, 0)
            grid.addWidget(row.reach, 2 * number, 1)
            grid.addWidget(row.hash, 2 * number + 1, 0, 1, 2)
        grid.setRowStretch(2 * len(self.rows), 1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setMinimumSize(inside.sizeHint().width() + 3 * UNIT, min(inside.sizeHint().height(), 50 * UNIT))
        area.setAccessibleName(tr("Hashes"))
        return area

    def _renew(self) -> None:
        for row in self.rows:
            row.show_now(self._run)
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
        self.name, self.reach, self.hash = QLabel(lane.name), QLabel(), QLabel(" ".join(["0" * _GROUP] * 8))
        self.name.setObjectName("subheading")
        self.reach.setObjectName("muted")
        self.hash.setFont(fixed_pitch(theme.small))
        self.hash.setContentsMargins(0, 0, 0, UNIT)
        for label in (self.name, self.hash):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

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
