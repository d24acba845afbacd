"""The scene without OpenGL: edges, outlines, lines and ground drawn by QPainter."""

from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from quatviz.display.scene.base import Line, Mesh
from quatviz.display.scene.view_snapshot import ViewSnapshot
from quatviz.physics.geometry.polyhedron import Edges
from quatviz.physics.geometry.triangles import cofactors
from quatviz.ui.widgets.style import with_opacity

_HIDDEN_EDGE_OPACITY = 0.25
_GRID_HALF_CELLS = 5
"""Number of ground squares from the center to each edge."""
_FADE_PIECES = 12
"""Number of segments in which a fading line is drawn. Each has a constant opacity."""


class WireframeRenderer:
    """A renderer that draws the primitives of a snapshot as lines."""

    def __init__(self) -> None:
        self._edges: WeakKeyDictionary[Mesh, Edges] = WeakKeyDictionary()

    def draw(self, painter: QPainter, area: QRectF, snapshot: ViewSnapshot) -> None:
        """Draw a snapshot."""
        gradient = QLinearGradient(area.topLeft(), area.bottomLeft())
        gradient.setColorAt(0.0, QColor(snapshot.theme.sky_top))
        gradient.setColorAt(1.0, QColor(snapshot.theme.sky_bottom))
        painter.fillRect(area, gradient)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if any(mesh.visible and mesh.material == "floor" for mesh in snapshot.meshes):
            _draw_ground(painter, snapshot)
        for line in snapshot.lines:
            if line.visible and len(line.points) > 1:
                _draw_line(painter, snapshot.project(line.points), line)
        for mesh in snapshot.meshes:
            if mesh.visible and mesh.material != "floor":
                self._draw_mesh(painter, mesh, snapshot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _draw_mesh(self, painter: QPainter, mesh: Mesh, snapshot: ViewSnapshot) -> None:
        if mesh not in self._edges:
            self._edges[mesh] = Edges.from_vertices(mesh.vertices)
        edges = self._edges[mesh]
        matrix, offset = mesh.transform[:3, :3], mesh.transform[:3, 3]
        starts, ends = (points @ matrix.T + offset for points in (edges.starts, edges.ends))
        # Normals transform by the cofactor matrix; only their direction matters here.
        normals = edges.normals @ cofactors(matrix[None])[0].T
        facing = np.einsum("nki,ni->nk", normals, snapshot.camera.eye - starts) > 0.0
        is_outline, is_front = facing[:, 0] != facing[:, 1], facing.any(axis=1)
        screen_starts, screen_ends = snapshot.project(starts), snapshot.project(ends)
        is_drawn = is_outline | edges.sharp
        if mesh.material == "painted":
            is_drawn |= edges.between_octants
        for selected, alpha in ((is_drawn & ~is_front, _HIDDEN_EDGE_OPACITY), (is_drawn & is_front, 1.0)):
            if mesh.material == "glass" and alpha < 1.0:
                continue
            painter.setPen(QPen(with_opacity(mesh.color, alpha), 1.5))
            _draw_segments(painter, screen_starts[selected], screen_ends[selected])


def _draw_segments(painter: QPainter, starts: np.ndarray, ends: np.ndarray) -> None:
    is_finite = np.isfinite(starts).all(axis=1) & np.isfinite(ends).all(axis=1)
    rows = np.hstack((starts, ends))[is_finite].tolist()
    painter.drawLines([QLineF(*row) for row in rows])


def _draw_line(painter: QPainter, points: np.ndarray, line: Line) -> None:
    """Draw a line. A line that fades is drawn as segments of increasing opacity."""
    count = _FADE_PIECES if line.fade else 1
    for piece, indices in enumerate(np.array_split(np.arange(len(points) - 1), count)):
        if len(indices):
            color = with_opacity(line.color, (piece + 1) / count)
            painter.setPen(QPen(color, line.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            piece_points = points[indices[0] : indices[-1] + 2]
            painter.drawPolyline(
                [QPointF(*row) for row in piece_points[np.isfinite(piece_points).all(axis=1)].tolist()]
            )


def _draw_ground(painter: QPainter, snapshot: ViewSnapshot) -> None:
    steps = np.arange(-_GRID_HALF_CELLS, _GRID_HALF_CELLS)
    along, across = (
        grid.ravel() for grid in np.meshgrid(steps, np.arange(-_GRID_HALF_CELLS, _GRID_HALF_CELLS + 1))
    )
    flat = np.full(len(along), snapshot.floor)
    painter.setPen(QPen(QColor(snapshot.theme.ground_line), 1))
    for transposed in (False, True):
        ends = []
        for shift in (0, 1):
            columns = (along + shift, across) if not transposed else (across, along + shift)
            ends.append(snapshot.project(np.column_stack((*columns, flat)).astype(float)))
        _draw_segments(painter, *ends)
