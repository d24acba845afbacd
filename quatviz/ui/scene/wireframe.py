"""The scene without OpenGL: edges, outlines, lines and a ground, drawn by QPainter from the same primitives."""

from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from quatviz.display.scene.base import Line, Mesh
from quatviz.display.scene.view_snapshot import Shot
from quatviz.physics.geometry.polyhedron import Edges
from quatviz.physics.geometry.triangles import cofactors
from quatviz.ui.widgets.style import clear

_HIDDEN = 0.25
_GRID = 5
"""Squares of the ground to each side."""
_PIECES = 12
"""Parts of a fading line."""


class Wireframe:
    """Draws what the OpenGL renderer would, as lines."""

    def __init__(self) -> None:
        self._edges: WeakKeyDictionary[Mesh, Edges] = WeakKeyDictionary()

    def draw(self, painter: QPainter, area: QRectF, shot: Shot) -> None:
        """One picture."""
        sky = QLinearGradient(area.topLeft(), area.bottomLeft())
        sky.setColorAt(0.0, QColor(shot.theme.sky_top))
        sky.setColorAt(1.0, QColor(shot.theme.sky_bottom))
        painter.fillRect(area, sky)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if any(mesh.visible and mesh.look == "floor" for mesh in shot.meshes):
            _draw_ground(painter, shot)
        for line in shot.lines:
            if line.visible and len(line.points) > 1:
                _draw_line(painter, shot.project(line.points), line)
        for mesh in shot.meshes:
            if mesh.visible and mesh.look != "floor":
                self._draw_mesh(painter, mesh, shot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _draw_mesh(self, painter: QPainter, mesh: Mesh, shot: Shot) -> None:
        if mesh not in self._edges:
            self._edges[mesh] = Edges.of(mesh.vertices)
        edges = self._edges[mesh]
        matrix, offset = mesh.transform[:3, :3], mesh.transform[:3, 3]
        starts, ends = (points @ matrix.T + offset for points in (edges.starts, edges.ends))
        # Normals turn by the cofactors; their lengths do not matter here.
        turned = edges.normals @ cofactors(matrix[None])[0].T
        facing = np.einsum("nki,ni->nk", turned, shot.camera.eye - starts) > 0.0
        outline, front = facing[:, 0] != facing[:, 1], facing.any(axis=1)
        from_, to = shot.project(starts), shot.project(ends)
        drawn = outline | edges.sharp
        if mesh.look == "painted":
            drawn |= edges.painted
        for chosen, alpha in ((drawn & ~front, _HIDDEN), (drawn & front, 1.0)):
            if mesh.look == "glass" and alpha < 1.0:
                continue
            painter.setPen(QPen(clear(mesh.colour, alpha), 1.5))
            _draw_segments(painter, from_[chosen], to[chosen])


def _draw_segments(painter: QPainter, starts: np.ndarray, ends: np.ndarray) -> None:
    good = np.isfinite(starts).all(axis=1) & np.isfinite(ends).all(axis=1)
    rows = np.hstack((starts, ends))[good].tolist()
    painter.drawLines([QLineF(*row) for row in rows])


def _draw_line(painter: QPainter, points: np.ndarray, line: Line) -> None:
    """In pieces, each a little less clear than the next, if it fades."""
    count = _PIECES if line.fade else 1
    for piece, part in enumerate(np.array_split(np.arange(len(points) - 1), count)):
        if len(part):
            colour = clear(line.colour, (piece + 1) / count)
            painter.setPen(QPen(colour, line.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            kept = points[part[0] : part[-1] + 2]
            painter.drawPolyline([QPointF(*row) for row in kept[np.isfinite(kept).all(axis=1)].tolist()])


def _draw_ground(painter: QPainter, shot: Shot) -> None:
    steps = np.arange(-_GRID, _GRID)
    along, across = (grid.ravel() for grid in np.meshgrid(steps, np.arange(-_GRID, _GRID + 1)))
    flat = np.full(len(along), shot.floor)
    painter.setPen(QPen(QColor(shot.theme.ground_line), 1))
    for turn in (False, True):
        ends = []
        for shift in (0, 1):
            columns = (along + shift, across) if not turn else (across, along + shift)
            ends.append(shot.project(np.column_stack((*columns, flat)).astype(float)))
        _draw_segments(painter, *ends)
