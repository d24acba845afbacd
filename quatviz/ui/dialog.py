"""A dialog that is never lower than its words need."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog

from quatviz.ui.guard import guarded


class Dialog(QDialog):
    """Qt asks a window's layout how low it may be as if words that wrap stood in one line; this one asks for its width."""

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hold()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._hold()
        return done

    @guarded
    def _hold(self) -> None:
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():
            least = layout.totalMinimumHeightForWidth(self.width())
            if least != self.minimumHeight():
                self.setMinimumHeight(least)
