"""How large a window is before a person has made it another size."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

_FRAME = QSize(16, 48)
"""What a desktop puts around a window."""


def open_at(window: QWidget, width: int, height: int) -> None:
    """Give it this size, or what the screen has room for: not every desktop makes a window smaller that is too large."""
    window.resize(fitting(QSize(width, height), window.screen().availableGeometry().size()))


def fitting(wanted: QSize, room: QSize) -> QSize:
    """The size within `room`, with its frame where that is too small for it."""
    width = wanted.width() if wanted.width() <= room.width() else room.width() - _FRAME.width()
    height = wanted.height() if wanted.height() <= room.height() else room.height() - _FRAME.height()
    return QSize(width, height)
