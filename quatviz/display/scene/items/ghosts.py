"""3D item that draws the bodies of all other lanes as ghosts."""

from collections.abc import Sequence

import numpy as np

from quatviz.base.formatting import format_factor
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, LaneFrame
from quatviz.display.scene.base import Label, Line, Mesh, SceneItem, transform_matrix
from quatviz.display.view_state.line_styles import (
    MARKER_GLYPHS,
    lane_color,
    marker_of,
    short_titles,
    title_with_glyph,
)
from quatviz.display.view_state.theme import mix_colors
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import magnify_rotation, rotation_matrix

_GHOST_SCALE = 1.035
"""Size of the smallest ghost relative to the body."""
_SIZE_STEP, _MAX_SIZE_DIFFERENCE = 0.012, 0.12
"""Difference between the sizes of successive ghosts, and largest difference between any two ghosts, relative to the
body."""
_ENDED_OPACITY = 0.4
"""Opacity with which the ghost of an ended lane is drawn."""
_FLAT_FACE_OPACITY = 0.45
"""Opacity of a ghost with flat faces. A whole flat face seen from the side would have the high opacity of the rim and
hide the body."""
_EDGE_WIDTH_FACTOR = 1.5
"""Width of a ghost's edges relative to that of curves. The edges are needed because flat glass alone is hardly visible."""
_DEPTH_BIAS_FACTOR = 2.0
"""Depth bias of a ghost, as a multiple of its distance from the surface of a round body. The bias is at most
one radius.

It avoids jagged intersections of surfaces that cross at a small angle. Boxes need none: they intersect in straight
lines.
"""
_LABEL_PRIORITY = 20
"""Priority of marker labels. All other labels are placed first."""
_INVISIBLE_DIFFERENCE = 1e-3
"""Largest difference of two rotation matrices that is invisible on any screen."""
_OBVIOUS_DIFFERENCE = 0.03
"""Difference of two rotation matrices above which a ghost has its full opacity."""


def ghost_sizes(count: int) -> list[float]:
    """Return the sizes of the ghosts of `count` lanes, relative to the body. They differ, so that faces of ghosts with
    the same attitude do not coincide.

    >>> [round(size / ghost_sizes(1)[0], 2) for size in (ghost_sizes(3)[-1], ghost_sizes(200)[-1])]
    [1.02, 1.12]
    """
    step = min(_SIZE_STEP, _MAX_SIZE_DIFFERENCE / max(count - 1, 1))
    return [_GHOST_SCALE + step * index for index in range(count)]


class Ghosts(SceneItem):
    """The bodies of all other lanes. Each is drawn as glass in the color of its lane and slightly larger than the body.

    The opacity decreases to zero as the lane approaches the body. Edges are always drawn. A lane that has ended stays
    at its last attitude, paler, and the corner legend says so. If the view magnifies differences, the rotation of the
    ghosts relative to the body is magnified, and the corner legend shows the factor.
    """

    name = "ghosts"
    title = "Ghosts of the other lanes"
    summary = "transparent bodies in the colors of the other lanes, visible where they differ; pale after a lane has ended"
    order = 90

    def make(self) -> None:
        has_flat_faces = self.source.info.body.shape == "box"
        self._max_opacity, self._depth_bias_factor = (
            (_FLAT_FACE_OPACITY, 0.0) if has_flat_faces else (1.0, _DEPTH_BIAS_FACTOR)
        )
        self._titles = short_titles(self.source.info.lanes)
        sizes = ghost_sizes(len(self.source.info.lanes))
        vertices = self.shape.vertices()  # shared by all ghosts, since there may be hundreds
        self._meshes = [self.stage.add(Mesh(vertices, "#ffffff", "glass")) for _ in sizes]
        self._inflations = [self.shape.inflation_matrix(size) for size in sizes]
        self._edge_paths = [self.shape.edges(size) for size in sizes]
        """Points along the edges of each ghost (n, 3), in its own frame."""
        self._edges = [self.stage.add(Line("#ffffff")) for _ in sizes]
        self._glyphs = [self.stage.add(Label("", "#ffffff", _LABEL_PRIORITY)) for _ in sizes]

    def show(self, frame: Frame) -> None:
        rotations, limited = self._rotations(frame)
        covered = _hidden_ghosts(frame.lanes, rotations)
        body_rotations = (
            lane_rotation for lane, lane_rotation in zip(frame.lanes, rotations, strict=True) if lane.solid
        )
        body_is_visible = frame.shows_body and "body" in self.stage.items and self.stage.is_visible("body")
        body = next(body_rotations, None) if body_is_visible else None
        for index, (mesh, lane) in enumerate(zip(self._meshes, frame.lanes, strict=True)):
            is_drawn = lane.visible and lane.drawn and lane.pose is not None
            rotation = rotations[index] if is_drawn and not lane.solid and index not in covered else None
            difference = (
                float(np.abs(rotation - body).max()) if rotation is not None and body is not None else 1.0
            )
            opacity = min(
                max(
                    (difference - _INVISIBLE_DIFFERENCE) / (_OBVIOUS_DIFFERENCE - _INVISIBLE_DIFFERENCE), 0.0
                ),
                1.0,
            )
            mesh.visible = rotation is not None and opacity > 0.0
            mesh.color = lane_color(self.theme, lane.color)
            mesh.depth_bias = min(self._depth_bias_factor * difference, 1.0)
            mesh.alpha = self._max_opacity * opacity * (_ENDED_OPACITY if lane.frozen else 1.0)
            if rotation is not None:
                mesh.transform = transform_matrix(rotation) @ self._inflations[index]
            self._draw_edges(index, rotation, lane.frozen)
            self._place_glyph(index, rotation, lane.color)
            ended_text = ""
            if is_drawn and lane.frozen:
                ended_text = tr(
                    "{lane}: frozen at its last valid time",
                    lane=title_with_glyph(self._titles[index], lane.color),
                )
            self.stage.set_legend_line(f"{self.name} {index}", ended_text, mesh.color)
        self._update_factor_text(frame, limited)

    def _draw_edges(self, index: int, rotation: np.ndarray | None, frozen: bool) -> None:
        """Draw the edges of a ghost with the given rotation (3, 3), or hide them if it is None. Lines have no
        opacity, so pale edges are drawn in a mixture with the color of the sky."""
        mesh, edges, edge_path, theme = (
            self._meshes[index],
            self._edges[index],
            self._edge_paths[index],
            self.theme,
        )
        edges.visible = rotation is not None and len(edge_path) > 0
        if edges.visible and rotation is not None:
            edges.set_points(edge_path @ rotation.T)
            edges.width = _EDGE_WIDTH_FACTOR * (theme.curve_width - 1)
            edges.color = mix_colors(mesh.color, theme.sky_bottom, _ENDED_OPACITY if frozen else 1.0)

    def _place_glyph(self, index: int, rotation: np.ndarray | None, color: int) -> None:
        """Draw a lane's marker at the end of the ghost's first axis. The marker distinguishes lanes of the same
        color. `rotation` (3, 3) is that of the ghost, or None if it is hidden."""
        glyph, text = self._glyphs[index], MARKER_GLYPHS[marker_of(color)]
        glyph.visible = rotation is not None and bool(text)
        if rotation is not None:
            glyph.text, glyph.color, glyph.position = text, self._meshes[index].color, rotation[:, 0]

    def _rotations(self, frame: Frame) -> tuple[list[np.ndarray | None], list[str]]:
        """Return the drawn rotation (3, 3) of each lane, and the titles of ghosts whose magnified rotation
        was limited to half a turn.

        A lane under other loads than the body makes another motion, not an error: its rotation
        is not magnified.
        """
        lanes = frame.lanes
        poses = [lane.pose for lane in lanes]
        solid = next((lane for lane in lanes if lane.solid), None)
        body = solid.pose if solid is not None else None
        if self.stage.magnification == 0 or solid is None or body is None:
            return [pose.rotation if pose is not None else None for pose in poses], []
        magnified_poses = [
            magnify_rotation(body.p, lane.pose.p, self._factor(solid, lane))
            if lane.pose is not None
            else None
            for lane in lanes
        ]
        limited = [
            lane_title(lane.name)
            for lane, magnified_pose in zip(lanes, magnified_poses, strict=True)
            if magnified_pose is not None and magnified_pose[1] and lane.visible and lane.drawn
        ]
        return [
            rotation_matrix(magnified_pose[0]) if magnified_pose is not None else None
            for magnified_pose in magnified_poses
        ], limited

    def _factor(self, body: LaneFrame, lane: LaneFrame) -> float:
        """Return the factor by which the difference of a lane from the body is magnified."""
        return (
            10.0**self.stage.magnification if self.source.info.has_same_loads(body.name, lane.name) else 1.0
        )

    def _update_factor_text(self, frame: Frame, limited: Sequence[str]) -> None:
        """Show the magnification factor in the corner legend, and which lanes are limited or not magnified."""
        power = self.stage.magnification
        bodies = [lane.name for lane in frame.lanes if lane.solid]
        factor_line = limit_text = loads_text = ""
        if power > 0 and bodies:
            ghosts = [lane.name for lane in frame.lanes if lane.visible and lane.drawn and not lane.solid]
            others = [name for name in ghosts if not self.source.info.has_same_loads(bodies[0], name)]
            if others:
                names = "; ".join(map(lane_title, others))
                loads_text = tr("Not magnified, because their loads differ: {lanes}", lanes=names)
            if not others or len(others) < len(ghosts):
                factor_line = tr(
                    "Differences from {body} magnified {power}",
                    body=lane_title(bodies[0]),
                    power=format_factor(power),
                )
            if limited:
                limit_text = tr(
                    "Magnified rotation limited to half a turn: {limited}", limited="; ".join(limited)
                )
        self.stage.set_legend_line(f"{self.name} factor", factor_line, self.theme.accent)
        self.stage.set_legend_line(f"{self.name} limit", limit_text, self.theme.danger)
        self.stage.set_legend_line(f"{self.name} loads", loads_text, self.theme.muted)


def _hidden_ghosts(lanes: Sequence[LaneFrame], rotations: Sequence[np.ndarray | None]) -> set[int]:
    """Return the indices of ghosts that are not drawn, because they coincide with a later ghost. This saves a software
    renderer much time."""
    hidden: set[int] = set()
    visible_rotations: list[np.ndarray] = []
    for index in reversed(range(len(lanes))):
        lane, rotation = lanes[index], rotations[index]
        if rotation is None or lane.solid or lane.frozen or not (lane.visible and lane.drawn):
            continue
        if any(np.abs(rotation - other).max() < _INVISIBLE_DIFFERENCE for other in visible_rotations):
            hidden.add(index)
        else:
            visible_rotations.append(rotation)
    return hidden
