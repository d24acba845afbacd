"""The camera goes from where it is to where a scene wants it, in a little less than a second."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QVariantAnimation

from quatviz.look.camera import Stance
from quatviz.ui.scene.view import SceneView

_MS = 800


def goal_of(view: SceneView, direction: str | None, zoom: float) -> Stance:
    """Where the camera would be if it looked from there and showed everything, or `1/zoom` of it."""
    before = view.stance
    view.fit()
    if direction is not None:
        view.look(direction)
    goal = view.stance
    view.move_camera(lambda camera: camera.stand(before, view.aspect))
    return replace(goal, shown=goal.shown / zoom)


def between(start: Stance, goal: Stance, share: float) -> Stance:
    """On the way; along a great circle where the direction turns."""
    part = share * share * (3.0 - 2.0 * share)
    target, back = (np.array((getattr(start, name), getattr(goal, name))) for name in ("target", "back"))
    angle = float(np.arccos(np.clip(back[0] @ back[1], -1.0, 1.0)))
    if 1e-6 < angle < np.pi - 1e-3:
        way = (np.sin((1 - part) * angle) * back[0] + np.sin(part * angle) * back[1]) / np.sin(angle)
    else:
        way = back[int(part > 0.5)]
    x, y, z = (target[0] + part * (target[1] - target[0])).tolist()
    u, v, w = (way / np.linalg.norm(way)).tolist()
    return Stance((x, y, z), (u, v, w), start.shown * (goal.shown / start.shown) ** part)


class CameraMove(QVariantAnimation):
    """Moves one view's camera at a time."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._view: SceneView | None = None
        self._start, self._goal = Stance(), Stance()
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(_MS)
        self.valueChanged.connect(self._show)

    def go(self, view: SceneView, goal: Stance) -> None:
        """Begin."""
        self.stop()
        self._view, self._start, self._goal = view, view.stance, goal
        self.start()

    def _show(self, share: float) -> None:
        view = self._view
        if view is not None:
            view.move_camera(
                lambda camera: camera.stand(between(self._start, self._goal, share), view.aspect)
            )
