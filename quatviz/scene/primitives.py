"""What items draw with: plain data, which a view turns into pixels.

No primitive knows OpenGL, so that the same scene can be drawn by other means. A primitive that is not `visible` is left out.
"""

from dataclasses import dataclass, field

import numpy as np

Colour = str
"""`#rrggbb`."""

ARROW = 1.4
"""Length in body radii of the largest vector of its kind in a run."""


@dataclass(eq=False)
class Mesh:
    """Triangles: float32 rows of position and normal, in the mesh's own frame.

    `look`: `solid`, `painted` (two tones by octant), `glass` (a rim, else clear), `floor` (a grid that fades away),
    `pane` (clear and even, seen from both sides).
    """

    vertices: np.ndarray
    colour: Colour
    look: str = "solid"
    second: Colour = ""
    alpha: float = 1.0
    shadow: bool = False
    visible: bool = True
    transform: np.ndarray = field(default_factory=lambda: np.eye(4))
    """4x4, own frame to space."""


@dataclass(eq=False)
class Line:
    """A polyline of constant width on the screen; `fade` lets its beginning vanish."""

    colour: Colour
    width: float = 2.0
    fade: bool = False
    visible: bool = True
    points: np.ndarray = field(default_factory=lambda: np.empty((0, 3), np.float32))

    def set_points(self, points: np.ndarray) -> None:
        """Replace its points (n, 3), space."""
        self.points = np.ascontiguousarray(points, dtype=np.float32)


@dataclass(eq=False)
class Label:
    """A word beside a point of space. Lower `rank` is placed first."""

    text: str
    colour: Colour
    rank: int = 10
    visible: bool = True
    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """(3,), space."""


def placed(rotation: np.ndarray | None = None, offset: np.ndarray | None = None) -> np.ndarray:
    """4x4 of a 3x3 and a translation."""
    matrix = np.eye(4)
    if rotation is not None:
        matrix[:3, :3] = rotation
    if offset is not None:
        matrix[:3, 3] = offset
    return matrix
