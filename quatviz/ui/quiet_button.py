"""A button that is only a word in the accent colour."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget


class QuietButton(QPushButton):
    """Adds or removes something; the style sheet knows it by its name."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setObjectName("quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the window
        self.setCursor(Qt.CursorShape.PointingHandCursor)
