"""A stretch of time in a plot, as bands whose ends a hand draws and keys move."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent

from quatviz.ui.kit.style import Themed, clear

_STEP = 0.01
"""Of all that can be drawn: what an arrow key moves an end by; with Ctrl a tenth of it."""


class Stretching(Themed):
    """First among the bases of a view of pyqtgraph whose `bands` are all the same stretch, within `ends`. The arrow keys move its
    begin, with Shift its end, with Ctrl finely; Home and End take them to where all begins and ends."""

    bands: list[pg.LinearRegionItem]
    ends: tuple[float, float] = (0.0, 1.0)
    """From where to where it can be drawn."""

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it is drawn."""
        low, high = self.bands[0].getRegion()
        return float(low), float(high)

    def show_span(self, low: float, high: float) -> None:
        """Show another stretch, and tell nobody."""
        for band in self.bands:
            band.blockSignals(True)
            band.setRegion((low, max(high, low)))
            band.blockSignals(False)

    def move_span(self, low: float, high: float) -> None:
        """A key has moved it there."""
        raise NotImplementedError

    def follow_theme(self) -> None:
        self._dress(self.hasFocus())  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moved = self._after(event) if self.bands[0].isVisible() else None
        if moved is None:
            super().keyPressEvent(event)  # type: ignore[misc]
        elif moved[0] < moved[1]:
            self.move_span(*moved)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)  # type: ignore[misc]
        self._dress(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[misc]
        self._dress(False)

    def _after(self, event: QKeyEvent) -> tuple[float, float] | None:
        """The stretch after a key; None of one that moves nothing."""
        (low, high), (first, last) = self.span, self.ends
        key, held = event.key(), event.modifiers()
        if key == Qt.Key.Key_Home:
            return first, high
        if key == Qt.Key.Key_End:
            return low, last
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return None
        step = _STEP * (last - first) * (0.1 if held & Qt.KeyboardModifier.ControlModifier else 1.0)
        step = -step if key == Qt.Key.Key_Left else step
        if held & Qt.KeyboardModifier.ShiftModifier:
            return low, min(high + step, last)
        return max(low + step, first), high

    def _dress(self, focused: bool) -> None:
        """In the colours of the theme; ends that keys move stand out."""
        theme = self.theme
        pen: Any = pg.mkPen(theme.text if focused else theme.accent, width=3 if focused else 2)
        for band in self.bands:
            band.setBrush(clear(theme.accent, 0.14))
            band.setHoverBrush(clear(theme.accent, 0.22))
            for line in band.lines:
                line.setPen(pen)
                line.setHoverPen(pg.mkPen(theme.text, width=3))
