"""The curves of a strip as they were drawn last, laid where the time axis has rolled to since."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPixmap

from quatviz.ui.plotting.time_axis import TimeAxis

ROLLED = 0.05
"""Part of the axis by which a picture may have rolled on before it is due to be drawn anew."""
TOO_FAR = 0.4
"""Part by which it shows too little of what is in sight."""


class StripPicture:
    """A pixmap with the time that stands at its left edge. While a run plays on a rolling axis it is moved by pixels,
    not drawn anew: eight lanes on twenty strips would cost five frames each time."""

    def __init__(self, axis: TimeAxis) -> None:
        self._axis = axis
        self._pixmap: QPixmap | None = None
        self._low = self._span = 0.0
        self.outdated = False
        """Whether it shows less than the series hold."""
        self.drawings = 0
        """How often it has been drawn."""

    def drop(self) -> None:
        """Nothing of it can be used any more."""
        self._pixmap = None

    @property
    def lost(self) -> bool:
        """Whether there is nothing to show before it is drawn."""
        return self._pixmap is None

    def shift(self, width: float) -> int:
        """Pixels by which the axis, `width` pixels long, has taken it to the right."""
        return round((self._low - self._axis.low) / self._axis.span * width)

    def roll(self) -> bool:
        """The axis has moved; whether it can be shown at another place."""
        moved = abs(self._low - self._axis.low) / self._axis.span
        same = abs(self._span - self._axis.span) <= 1e-9 * self._span
        if self._pixmap is None or not self._axis.allowance.limited or not same or moved > TOO_FAR:
            return False
        self.outdated = self.outdated or moved > ROLLED
        return True

    def renew(
        self,
        size: QSizeF,
        ratio: float,
        ground: QColor,
        wanted: bool,
        draw: Callable[[QPainter, float], None],
    ) -> bool:
        """Draw it if it has to be, of `size` logical pixels, or if it is `wanted`; whether it was drawn."""
        pixels = QSizeF(size.width() * ratio, size.height() * ratio).toSize()
        if self._pixmap is not None and self._pixmap.size() == pixels and not wanted:
            return False
        picture = QPixmap(pixels)
        picture.setDevicePixelRatio(ratio)
        picture.fill(ground)
        inner = QPainter(picture)
        try:
            draw(inner, ratio)
        finally:
            inner.end()  # a painter that outlives its picture, in a traceback, ends the process
        self._pixmap, self.outdated = picture, False
        self.drawings += 1
        self._low, self._span = self._axis.low, self._axis.span
        return True

    def lay(self, painter: QPainter, area: QRectF, ground: QColor) -> None:
        """Put it down, its curves moved within `area`; what comes into sight meanwhile is empty."""
        if self._pixmap is None:
            return
        painter.drawPixmap(0, 0, self._pixmap)
        shift = self.shift(area.width())
        if shift:
            inside = area.adjusted(1, 0, 1, 0)  # beside the axis
            painter.save()
            painter.setClipRect(inside)
            painter.fillRect(inside, ground)
            painter.drawPixmap(QPointF(shift, 0), self._pixmap)
            painter.restore()
