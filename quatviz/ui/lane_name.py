"""A lane's name, typed where it stands."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from quatviz.ui.setup.entry import Entry
from quatviz.ui.tr import tr


class NameEntry(Entry):
    """Enter, or leaving it, takes the name; Escape leaves everything as it was."""

    named = Signal(str)
    left = Signal()
    """Nothing was typed, or it was taken back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Name of the lane"))
        self.taken_back.connect(self.left)
        self.hide()

    def ask(self, name: str) -> None:
        """Let a person type another name."""
        self.show_text(name)
        self.show()
        self.setFocus()
        self.selectAll()

    def _finish(self) -> None:
        if not self.isVisible():
            return  # it went away by itself
        if self.pending:
            self.setModified(False)
            self.named.emit(self.text().strip())
        else:
            self.left.emit()
