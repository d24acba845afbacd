"""Scene data for renderers that draw triangles: lines as triangle strips, matrices and colors of meshes."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.display.scene.base import Line, Mesh

_NO_POINTS = np.empty((0, 3), np.float32)


class LineStrips(NamedTuple):
    """The lines of a scene as triangle strips, for renderers that draw only triangles."""

    rows: np.ndarray
    """Two vertices per point (2 n, 15), float32: the point, its neighbors before and after, side, fade, color and
    width."""
    starts: np.ndarray
    """Index in `rows` of the first row of each line (m,)."""
    counts: np.ndarray
    """Number of rows of each line (m,)."""
    points: np.ndarray
    """Points of all lines (n, 3), in space."""
    margin: float
    """Half the width of the widest line plus a margin for its smooth edge [device pixels]."""

    @classmethod
    def from_lines(cls, lines: Sequence[Line], pixel_ratio: float) -> "LineStrips":
        """Build the strips of lines, for `pixel_ratio` device pixels per logical pixel."""
        points = np.concatenate([_NO_POINTS, *(line.points for line in lines)])
        counts = np.array([len(line.points) for line in lines], np.int32)
        stops = np.cumsum(counts, dtype=np.int32)
        starts, ends = stops - counts, stops - 1
        rows = np.empty((len(points), 2, 15), np.float32)
        rows[:, :, :3] = points[:, None]
        rows[1:, :, 3:6], rows[:-1, :, 6:9] = points[:-1, None], points[1:, None]
        rows[starts, :, 3:6], rows[ends, :, 6:9] = points[starts, None], points[ends, None]
        rows[:, :, 9] = -1.0, 1.0
        rows[:, :, 10] = 1.0
        for line, start, stop in zip(lines, starts.tolist(), stops.tolist(), strict=True):
            if line.fade:
                rows[start:stop, :, 10] = np.linspace(0.0, 1.0, stop - start, dtype=np.float32)[:, None]
            rows[start:stop, :, 11:] = (*rgb(line.color), line.width * pixel_ratio)
        reach = 0.5 * pixel_ratio * max((line.width for line in lines), default=0.0) + 2.0
        return cls(rows.reshape(-1, 15), 2 * starts, 2 * counts, points, reach)


@cache
def rgb(color: str) -> tuple[float, float, float]:
    """Return a color `#rrggbb` as three numbers from 0 to 1."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@cache
def _linear(color: str) -> tuple[float, float, float]:
    """Return a color in linear light, for a gamma of two."""
    red, green, blue = rgb(color)
    return red * red, green * green, blue * blue


def model_view_rows(meshes: Sequence[Mesh], view: np.ndarray) -> np.ndarray:
    """Return the first three rows (n, 3, 4) of each mesh's matrix to eye coordinates, for the matrix `view` (4, 4)."""
    matrices: np.ndarray = view[:3] @ np.array([mesh.transform for mesh in meshes])
    for matrix, mesh in zip(matrices, meshes, strict=True):
        if mesh.depth_bias:
            # Scaling towards the eye brings a mesh nearer without moving it in the picture. The near plane is
            # closer than half the distance.
            matrix *= 1.0 - min(mesh.depth_bias / float(np.linalg.norm(view[:3, 3])), 0.5)
    return matrices


@lru_cache(maxsize=1024)
def mesh_colors(
    material: str, color: str, second: str, alpha: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return two colors of a mesh as red, green, blue and alpha: the first with the opacity `alpha`, the second opaque."""
    shade = _linear if material in ("solid", "painted") else rgb
    return (*shade(color), alpha), (*shade(second or color), 1.0)


def shadow_matrix(light: np.ndarray, floor: float) -> np.ndarray:
    """Return the matrix (4, 4) that projects space onto the plane z = floor, away from `light`."""
    matrix = np.eye(4)
    matrix[:2, 2] = -light[:2] / light[2]
    matrix[:2, 3] = light[:2] / light[2] * floor
    matrix[2] = (0.0, 0.0, 0.0, floor)
    return matrix
