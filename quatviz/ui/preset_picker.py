"""Choosing another preset: from the gallery, from a file; and writing the one that is shown to a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal
from quatviz.core.preset_text import format_preset, located, read_preset
from quatviz.export.files import write_text
from quatviz.ui.editing import Editor, State
from quatviz.ui.gallery import Gallery
from quatviz.ui.icon_button import IconButton
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.words import refusal_text

_KIND = "Presets (*.toml)"


class PresetPicker(QWidget):
    """The head of the side column. What cannot be shown is explained below it, and the run goes on."""

    said = Signal(str)
    """A sentence for the status row."""

    def __init__(self, theme: Theme, editor: Editor, extras: tuple[IconButton, ...]) -> None:
        super().__init__()
        self._editor = editor
        self.button = QPushButton("Presets")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setToolTip("Choose a preset (Ctrl P)")
        self.button.clicked.connect(self.show_gallery)
        self.gallery = Gallery(theme, self)
        self.gallery.chosen.connect(self.take)
        self.gallery.open_wanted.connect(self.ask_open)
        self.problem = QLabel()
        self.problem.setObjectName("refusal")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        editor.changed.connect(lambda _: self.problem.hide())
        row = QHBoxLayout()
        row.setSpacing(UNIT // 2)
        row.addWidget(self.button, 1)
        row.addSpacing(UNIT // 2)
        for extra in extras:
            row.addWidget(extra)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT)
        column.addLayout(row)
        column.addWidget(self.problem)

    def show_gallery(self) -> None:
        """Let a person choose."""
        self.gallery.show_below(self.button, self._editor.state.preset.title)

    def take(self, path: Path) -> None:
        """Show the preset in a file, or say why that cannot be."""
        try:
            preset = read_preset(path)
        except Refusal as refusal:
            self._explain(refusal)
            return
        refused = self._editor.propose(f"choose “{preset.title}”", lambda _: State.of(preset), anew=True)
        if refused is not None:
            self._explain(located(refused, preset))

    def ask_open(self) -> None:
        """Let a person choose a file."""
        path, _ = QFileDialog.getOpenFileName(self.window(), "Open a preset", "", _KIND)
        if path:
            self.take(Path(path))

    def ask_save(self) -> None:
        """Let a person say where the preset that is shown is to be kept."""
        preset = self._editor.state.preset
        path, _ = QFileDialog.getSaveFileName(self.window(), "Save the preset", f"{preset.name}.toml", _KIND)
        if path:
            self.save(Path(path))

    def save(self, path: Path) -> None:
        """Write the preset that is shown."""
        try:
            write_text(path, format_preset(self._editor.state.preset))
        except Refusal as refusal:
            self.said.emit(f"{refusal.place} could not be written: {refusal.found}; {refusal.remedy}")
        else:
            self.said.emit(f"Saved as {path}")

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self.gallery.restyle(theme)

    def _explain(self, refusal: Refusal) -> None:
        self.problem.setText(f"{refusal.place}\n{refusal_text(refusal, refusal.key)}")
        self.problem.show()
