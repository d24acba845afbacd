"""What a hand takes of a picture of the scene, and where a drag moves it."""

from collections.abc import Mapping

import numpy as np

from quatviz.display.scene.view_snapshot import ViewSnapshot

PICK_DISTANCE = 14.0
"""Pixels from the tip of an arrow at which it can be taken."""
_RADIANS_PER_PIXEL = 0.01
"""Radians for each pixel by which a dragged body turns."""


def pick_tip(shot: ViewSnapshot, tips: Mapping[str, np.ndarray], pixel: np.ndarray) -> str:
    """The name of the tip (3,) [space, body radii] that is nearest to a pixel (2,); empty where none is near."""
    if not tips:
        return ""
    distances = np.hypot(*(shot.project(np.array(list(tips.values()))) - pixel).T)
    nearest = int(np.argmin(np.nan_to_num(distances, nan=np.inf)))
    return list(tips)[nearest] if distances[nearest] <= PICK_DISTANCE else ""


def is_over_body(shot: ViewSnapshot, reach: float, pixel: np.ndarray) -> bool:
    """Whether a pixel (2,) lies within the sphere that holds a body with so much `reach` [body radii]."""
    middle, edge = shot.project(np.array([np.zeros(3), shot.view_matrix[0, :3] * reach]))
    return bool(np.hypot(*(pixel - middle)) <= np.hypot(*(edge - middle)))


def drag_tip(shot: ViewSnapshot, tip: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """A point (3,) [space] after a drag by pixels (2,), in the plane through it that faces the eye."""
    right, up, _ = shot.view_matrix[:3, :3]
    projected = shot.project(np.array([tip, tip + right, tip + up]))
    x, y = np.linalg.solve((projected[1:] - projected[0]).T, pixels)
    new_tip: np.ndarray = tip + x * right + y * up
    return new_tip


def drag_rotation(shot: ViewSnapshot, pixels: np.ndarray) -> np.ndarray:
    """The rotation vector (3,) [rad, space] by which a drag by pixels (2,) turns what faces the eye: with the hand."""
    right, up, _ = shot.view_matrix[:3, :3]
    rotation: np.ndarray = _RADIANS_PER_PIXEL * (pixels[0] * up + pixels[1] * right)
    return rotation
