"""What the mouse does with the camera: left drag turns, middle or Shift-left drag moves, the wheel zooms."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from quatviz.ui.scene.camera import Change

_ORBIT = 0.008
"""Radians for each pixel."""


class Hand:
    """Follows the mouse over one view."""

    def __init__(self) -> None:
        self._at: QPointF | None = None

    def press(self, event: QMouseEvent) -> None:
        """A drag begins."""
        self._at = event.position()

    def release(self) -> None:
        """The drag is over."""
        self._at = None

    def drag(self, event: QMouseEvent, height: int) -> Change | None:
        """What the camera of a view of this height [pixels] does; None where nothing is dragged."""
        if self._at is None:
            return None
        moved = event.position() - self._at
        self._at = event.position()
        x, y = moved.x(), moved.y()
        if (
            event.buttons() & Qt.MouseButton.MiddleButton
            or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            return lambda camera: camera.pan(x / height, -y / height)
        if event.buttons() & Qt.MouseButton.LeftButton:
            return lambda camera: camera.orbit(_ORBIT * x, _ORBIT * y)
        return None

    @staticmethod
    def wheel(event: QWheelEvent) -> Change:
        """Nearer, or further away."""
        factor = 1.0015 ** event.angleDelta().y()
        return lambda camera: camera.zoom(factor)
