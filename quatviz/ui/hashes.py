"""The hashes of the run: what tells whether another one is the same to the last bit."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from quatviz.simulation.simulation import Simulation
from quatviz.ui.dialog import Dialog
from quatviz.ui.theme import UNIT

_SAID = (
    "SHA-256 of every recorded state of each lane. The same run on the same machine and versions has the same hashes, "
    "live, replayed from a file or by “quatviz run FILE --hash”."
)


class HashDialog(Dialog):
    """One line for each lane, to be read and copied."""

    def __init__(self, run: Simulation, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Hashes of the run")
        said = QLabel(_SAID)
        said.setWordWrap(True)
        unfinished = [lane.name for lane in run if run.missing(lane)]
        self.note = QLabel(f"Still computing: {', '.join(unfinished)}." if unfinished else "")
        self.note.setObjectName("refusal")
        self.note.setWordWrap(True)
        self.note.setVisible(bool(unfinished))
        self.text = QPlainTextEdit(hash_text(run))
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Hashes")
        self.copy, close = QPushButton("Copy"), QPushButton("Close")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.copy)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT)
        for part in (said, self.note, self.text):
            column.addWidget(part)
        column.addLayout(buttons)
        self.resize(720, 320)


def hash_text(run: Simulation) -> str:
    """Hash, name and reach of each lane."""
    return "\n".join(
        f"{lane.digest or '(not begun)'}  {lane.name}  to {lane.computed_to:.6g} s" for lane in run
    )
