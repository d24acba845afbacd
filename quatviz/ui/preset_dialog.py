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
from quatviz.ui.tr import told, tr
from quatviz.ui.words import refusal_text

Keep = Callable[[str, str, str], Refusal | None]


class PresetDialog(Dialog):
    """Title, summary and what to watch. What is refused stays, with the reason below it."""

    def __init__(self, preset: Preset, keep: Keep, parent: QWidget) -> None:
        super().__init__(parent)
        self._keep = keep
        self.setWindowTitle(tr("Save as a preset"))
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
        self.do, leave = QPushButton(tr("Save")), QPushButton(tr("Cancel"))
        self.do.setDefault(True)
        self.do.clicked.connect(self.submit)
        leave.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT // 2)
        for words, field in (
            (tr("Title"), self.title),
            (tr("Summary: what it is, and why it matters"), self.summary),
            (tr("What to watch"), self.watch),
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
        self.problem.setText(refusal_text(refusal, refusal.key).replace("\n", " "))
        self.problem.show()

    def _say(self) -> None:
        """What the preset will be called, and whether another one goes."""
        self.problem.hide()
        title = self.title.text()
        try:
            there = own_path(title).exists()
        except Refusal as refusal:
            self.note.setText(tr("Needs {expected}.", expected=told(refusal.expected)))
        else:
            said = tr("In the gallery, and as “{title}” in commands.", title=name_of(title))
            self.note.setText(
                tr("{said} It replaces your preset of that name.", said=said) if there else said
            )

    def _room(self, text: str) -> QPlainTextEdit:
        room = QPlainTextEdit(" ".join(text.split()))
        room.setTabChangesFocus(True)
        room.setFixedHeight(88)
        return room
