"""What a hand takes of a picture of the scene, and where a drag moves it."""

from collections.abc import Mapping

import numpy as np

from quatviz.display.scene.view_snapshot import Shot

NEAR = 14.0
"""Pixels from the tip of an arrow at which it can be taken."""
_TURN = 0.01
"""Radians for each pixel by which a dragged body turns."""


def tip_at(shot: Shot, tips: Mapping[str, np.ndarray], at: np.ndarray) -> str:
    """The name of the tip (3,) [space, body radii] that is nearest to a pixel (2,); empty where none is near."""
    if not tips:
        return ""
    away = np.hypot(*(shot.project(np.array(list(tips.values()))) - at).T)
    nearest = int(np.argmin(np.nan_to_num(away, nan=np.inf)))
    return list(tips)[nearest] if away[nearest] <= NEAR else ""


def over_body(shot: Shot, reach: float, at: np.ndarray) -> bool:
    """Whether a pixel (2,) lies within the sphere that holds a body with so much `reach` [body radii]."""
    middle, edge = shot.project(np.array([np.zeros(3), shot.view[0, :3] * reach]))
    return bool(np.hypot(*(at - middle)) <= np.hypot(*(edge - middle)))


def moved_tip(shot: Shot, tip: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """A point (3,) [space] after a drag by pixels (2,), in the plane through it that faces the eye."""
    right, up, _ = shot.view[:3, :3]
    places = shot.project(np.array([tip, tip + right, tip + up]))
    x, y = np.linalg.solve((places[1:] - places[0]).T, pixels)
    moved: np.ndarray = tip + x * right + y * up
    return moved


def turned_by(shot: Shot, pixels: np.ndarray) -> np.ndarray:
    """The rotation vector (3,) [rad, space] by which a drag by pixels (2,) turns what faces the eye: with the hand."""
    right, up, _ = shot.view[:3, :3]
    turn: np.ndarray = _TURN * (pixels[0] * up + pixels[1] * right)
    return turn
