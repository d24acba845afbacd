"""The camera goes from where it is to where a scene wants it, in a little less than a second."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer

from quatviz.ui.scene.view import SceneView

SECONDS = 0.8
_BEAT_MS = 16
Place = tuple[np.ndarray, np.ndarray, float]
"""Target, direction to the eye, distance."""


def place_of(view: SceneView) -> Place:
    """Where the camera of a view is."""
    camera = view.camera
    return camera.target.copy(), camera.back.copy(), camera.distance


def put(view: SceneView, place: Place) -> None:
    """Put the camera there at once."""
    target, back, distance = place

    def change(camera: object) -> None:
        view.camera.target, view.camera.back, view.camera.distance = target.copy(), back.copy(), distance

    view.move_camera(change)


def goal_of(view: SceneView, direction: str | None, zoom: float) -> Place:
    """Where the camera would be if it looked from there and showed everything, or `1/zoom` of it."""
    before = place_of(view)
    view.fit()
    if direction is not None:
        view.look(direction)
    target, back, distance = place_of(view)
    put(view, before)
    return target, back, distance / zoom


def between(start: Place, goal: Place, share: float) -> Place:
    """On the way; along a great circle where the direction turns."""
    part = share * share * (3.0 - 2.0 * share)
    cosine = float(np.clip(start[1] @ goal[1], -1.0, 1.0))
    angle = float(np.arccos(cosine))
    if angle < 1e-6:
        back = goal[1]
    elif angle > np.pi - 1e-3:
        back = goal[1] if part > 0.5 else start[1]
    else:
        back = (np.sin((1 - part) * angle) * start[1] + np.sin(part * angle) * goal[1]) / np.sin(angle)
    if np.hypot(back[0], back[1]) < 1e-3:
        back = np.array([0.0, -1e-3, float(np.sign(back[2]))])
    back = back / np.linalg.norm(back)
    return start[0] + part * (goal[0] - start[0]), back, start[2] * (goal[2] / start[2]) ** part


class CameraMove(QObject):
    """Moves one view's camera at a time."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_BEAT_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._view: SceneView | None = None
        self._start: Place | None = None
        self._goal: Place | None = None
        self._began = 0.0

    @property
    def moving(self) -> bool:
        """Whether it is on the way."""
        return self._timer.isActive()

    def go(self, view: SceneView, goal: Place) -> None:
        """Begin."""
        self._view, self._start, self._goal = view, place_of(view), goal
        self._began = time.monotonic()
        self._timer.start()

    def stop(self) -> None:
        """Stay where it is."""
        self._timer.stop()

    def finish(self) -> None:
        """Be there."""
        if self._timer.isActive() and self._view is not None and self._goal is not None:
            put(self._view, self._goal)
        self._timer.stop()

    def _beat(self) -> None:
        assert self._view is not None
        assert self._start is not None
        assert self._goal is not None
        share = min((time.monotonic() - self._began) / SECONDS, 1.0)
        put(self._view, between(self._start, self._goal, share))
        if share == 1.0:
            self._timer.stop()
