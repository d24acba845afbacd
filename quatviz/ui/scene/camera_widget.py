"""A widget with a camera that the mouse moves."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from quatviz.ui.guard import guarded
from quatviz.ui.scene.camera import Camera, Change
from quatviz.ui.scene.hand import Hand

_CENTRE = np.array([0.0, 0.0, -0.15])
_MARGIN = 0.35


class CameraWidget(QWidget):
    """What is drawn here is somebody else's business: they give `reach`, and `redraw`."""

    touched = Signal()
    """A person has pressed a button of the mouse here."""
    moved = Signal(object)
    """The `Change` that a hand has made to the camera."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.camera = Camera()
        self._hand = Hand()

    def _taken(self, event: QMouseEvent) -> bool:
        """Whether something else than the camera takes this event of the mouse."""
        return False

    @property
    def reach(self) -> float:
        """How far from the origin there is something to see, in body radii."""
        return 1.0

    @property
    def aspect(self) -> float:
        """Width by height."""
        return self.width() / max(self.height(), 1)

    def redraw(self) -> None:
        """Draw the picture anew with the next repaint."""
        self.update()

    def move_camera(self, change: Change) -> None:
        """Draw it from where the camera is after `change`."""
        change(self.camera)
        self.redraw()

    def fit(self) -> None:
        """Show everything around the body."""
        self.move_camera(self._fitting())

    def follow(self, other: CameraWidget) -> None:
        """Look from where another view does, in this view's own frame, and show as much."""
        self.camera.follow(other.camera)
        self.camera.reshape(other.aspect, self.aspect)
        self.redraw()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        before = event.oldSize()
        if before.width() > 0 and before.height() > 0:
            self.camera.reshape(before.width() / before.height(), self.aspect)
        self.redraw()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._taken(event):
            self._hand.press(event)
        self.touched.emit()

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._taken(event):
            self._hand.release()

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        change = None if self._taken(event) else self._hand.drag(event, self.height())
        if change is not None:
            self._by_hand(change)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._by_hand(self._fitting())

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        self._by_hand(self._hand.wheel(event))

    def _by_hand(self, change: Change) -> None:
        self.move_camera(change)
        self.moved.emit(change)

    def _fitting(self) -> Change:
        reach, aspect = self.reach + _MARGIN, self.aspect
        return lambda camera: camera.fit(_CENTRE, reach, aspect)
