"""Picking: the object under the mouse in a picture of the scene, and the movement or rotation that a drag means."""

from collections.abc import Mapping

import numpy as np

from quatviz.display.scene.view_snapshot import ViewSnapshot

PICK_DISTANCE = 14.0
"""Distance from an arrow tip at which it can be dragged [pixels]."""
_RADIANS_PER_PIXEL = 0.01
"""Rotation of a dragged body per pixel of mouse movement [rad]."""


def pick_tip(shot: ViewSnapshot, tips: Mapping[str, np.ndarray], pixel: np.ndarray) -> str:
    """Return the name of the arrow tip nearest to a pixel, or an empty string if none is within reach.

    Parameters
    ----------
    shot
        Camera and size of the picture.
    tips
        Positions (3,) by name [space frame, body radii].
    pixel
        Position (2,) of the mouse [logical pixels].
    """
    if not tips:
        return ""
    distances = np.hypot(*(shot.project(np.array(list(tips.values()))) - pixel).T)
    nearest = int(np.argmin(np.nan_to_num(distances, nan=np.inf)))
    return list(tips)[nearest] if distances[nearest] <= PICK_DISTANCE else ""


def is_over_body(shot: ViewSnapshot, reach: float, pixel: np.ndarray) -> bool:
    """Return True if a pixel (2,) lies within the bounding sphere of radius `reach` [body radii]."""
    middle, edge = shot.project(np.array([np.zeros(3), shot.view_matrix[0, :3] * reach]))
    return bool(np.hypot(*(pixel - middle)) <= np.hypot(*(edge - middle)))


def drag_tip(shot: ViewSnapshot, tip: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """Return the position (3,) of a point after a drag by `pixels` (2,) [space frame].

    The point moves in the plane that contains it and is parallel to the screen.
    """
    right, up, _ = shot.view_matrix[:3, :3]
    projected = shot.project(np.array([tip, tip + right, tip + up]))
    x, y = np.linalg.solve((projected[1:] - projected[0]).T, pixels)
    new_tip: np.ndarray = tip + x * right + y * up
    return new_tip


def drag_rotation(shot: ViewSnapshot, pixels: np.ndarray) -> np.ndarray:
    """Return the rotation vector (3,) [rad, space frame] of a drag by `pixels` (2,). The near side follows
    the mouse."""
    right, up, _ = shot.view_matrix[:3, :3]
    rotation: np.ndarray = _RADIANS_PER_PIXEL * (pixels[0] * up + pixels[1] * right)
    return rotation
