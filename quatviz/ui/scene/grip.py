"""What a hand can take hold of in a 3D view, and where it moves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from quatviz.ui.scene.view import SceneView

NEAR = 14.0
"""Pixels from the tip of an arrow at which it can be taken."""
_TURN = 0.01
"""Radians for each pixel by which a dragged body turns."""


class Grip(Protocol):
    """Takes a drag in a view away from the camera; each method says whether it did."""

    def press(self, view: SceneView, event: QMouseEvent) -> bool: ...

    def move(self, view: SceneView, event: QMouseEvent) -> bool: ...

    def release(self, view: SceneView) -> bool: ...


def tip_at(view: SceneView, tips: Mapping[str, np.ndarray], at: np.ndarray) -> str:
    """The name of the tip (3,) [space, body radii] that is nearest to a pixel (2,); empty where none is near."""
    if not tips:
        return ""
    places = view.project(np.array(list(tips.values())))
    away = np.hypot(*(places - at).T)
    nearest = int(np.argmin(np.nan_to_num(away, nan=np.inf)))
    return list(tips)[nearest] if away[nearest] <= NEAR else ""


def over_body(view: SceneView, at: np.ndarray) -> bool:
    """Whether a pixel (2,) lies within the sphere that holds the body."""
    if view.shape is None:
        return False
    right = view.camera.view()[0, :3]
    middle, edge = view.project(np.array([np.zeros(3), right * view.shape.reach]))
    return bool(np.hypot(*(at - middle)) <= np.hypot(*(edge - middle)))


def moved_tip(view: SceneView, tip: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """A point (3,) [space] after a drag by pixels (2,), in the plane through it that faces the eye."""
    right, up, _ = view.camera.view()[:3, :3]
    places = view.project(np.array([tip, tip + right, tip + up]))
    across = (places[1:] - places[0]).T
    x, y = np.linalg.solve(across, pixels)
    moved: np.ndarray = tip + x * right + y * up
    return moved


def turned_by(view: SceneView, pixels: np.ndarray) -> np.ndarray:
    """The rotation vector (3,) [rad, space] by which a drag by pixels (2,) turns what faces the eye: with the hand."""
    right, up, _ = view.camera.view()[:3, :3]
    turn: np.ndarray = _TURN * (pixels[0] * up + pixels[1] * right)
    return turn
