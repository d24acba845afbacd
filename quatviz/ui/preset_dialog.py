"""Asks for the words of a preset that a person keeps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quatviz.core.errors import Refusal
from quatviz.core.preset import Preset
from quatviz.ui.dialog import Dialog
from quatviz.ui.own_presets import name_of, own_path
from quatviz.ui.theme import UNIT

Keep = Callable[[str, str, str], Refusal | None]


class PresetDialog(Dialog):
    """Title, summary and what to watch. What is refused stays, with the reason below it."""

    def __init__(self, preset: Preset, keep: Keep, parent: QWidget) -> None:
        super().__init__(parent)
        self._keep = keep
        self.setWindowTitle("Save as a preset")
        self.title = QLineEdit(preset.title)
        self.summary = self._room(preset.summary)
        self.watch = self._room(preset.watch)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.problem = QLabel()
        self.problem.setObjectName("refusal")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self.do, leave = QPushButton("Save"), QPushButton("Cancel")
        self.do.setDefault(True)
        self.do.clicked.connect(self.submit)
        leave.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT // 2)
        for words, field in (
            ("Title", self.title),
            ("Summary: what it is, and why it matters", self.summary),
            ("What to watch", self.watch),
        ):
            label = QLabel(words)
            label.setBuddy(field)
            field.setAccessibleName(words)
            column.addWidget(label)
            column.addWidget(field)
            column.addSpacing(UNIT // 2)
        column.addWidget(self.note)
        column.addWidget(self.problem)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(leave)
        buttons.addWidget(self.do)
        column.addLayout(buttons)
        self.title.textChanged.connect(self._say)
        self.title.selectAll()
        self.resize(520, self.sizeHint().height())
        self._say()

    def submit(self) -> None:
        """Keep it, or say why that cannot be."""
        refusal = self._keep(self.title.text(), self.summary.toPlainText(), self.watch.toPlainText())
        if refusal is None:
            self.accept()
            return
        self.problem.setText(f"Expected {refusal.expected}. Found {refusal.found}. Try: {refusal.remedy}.")
        self.problem.show()

    def _say(self) -> None:
        """What the preset will be called, and whether another one goes."""
        self.problem.hide()
        title = self.title.text()
        try:
            there = own_path(title).exists()
        except Refusal as refusal:
            self.note.setText(f"Needs {refusal.expected}.")
        else:
            said = f"In the gallery, and as “{name_of(title)}” in commands."
            self.note.setText(f"{said} It replaces your preset of that name." if there else said)

    def _room(self, text: str) -> QPlainTextEdit:
        room = QPlainTextEdit(" ".join(text.split()))
        room.setTabChangesFocus(True)
        room.setFixedHeight(88)
        return room
