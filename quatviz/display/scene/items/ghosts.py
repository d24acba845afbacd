"""The bodies of the other lanes."""

from collections.abc import Sequence

import numpy as np

from quatviz.base.formatting import factor_text
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, LaneFrame
from quatviz.display.scene.base import Label, Line, Mesh, SceneItem, placed
from quatviz.display.view_state.line_styles import GLYPHS, lane_colour, lane_text, shape_of, short_titles
from quatviz.display.view_state.theme import mixed
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import magnified, rotation_matrix

_INFLATED = 1.035
_FROZEN = 0.4
"""Opacity of a ghost that stands where its lane ended."""
_FLAT = 0.45
"""Opacity of a ghost with flat faces: seen from the side the whole of a face is rim, and would hide the body."""
_EDGE = 1.5
"""Width of a ghost's edges, as part of the width of curves [pixels]: flat glass alone is hardly seen."""
_BEFORE = 2.0
"""Of what parts a ghost from a round body: what it goes before that by, one radius at most, for surfaces of facets that cross at
a small angle cut each other along teeth and ripples. Boxes meet in straight lines, and their edges tell what is behind."""
_RANK = 20
"""The shapes of lanes give way to all other words."""
_HAIR = 1e-3
"""Difference of two rotation matrices that no screen shows,"""
_PARTED = 0.03
"""and that from which on everybody sees it."""


class Ghosts(SceneItem):
    """Glass in the lane's colour, a little larger than the body, where the lane parts from it: the closer it stands the clearer it
    is, and a lane that agrees with the body leaves it its own colours. Where a ghost has edges they are drawn, however close.

    A lane that ended stays where it ended, paler, and a line in the corner says since when. Where the view magnifies
    differences, their rotation away from the body is drawn larger than it is, and the corner says by how much.
    """

    name = "ghosts"
    title = "Ghosts of the other lanes"
    told = "glass in the colour of each other lane where it parts from the body; pale where a lane has ended"
    order = 90

    def make(self) -> None:
        flat = self.source.info.body.shape == "box"
        self._clearest, self._before = (_FLAT, 0.0) if flat else (1.0, _BEFORE)
        self._titles = short_titles(self.source.info.lanes)
        sizes = [_INFLATED + 0.012 * index for index in range(len(self.source.info.lanes))]
        self._meshes = [self.stage.add(Mesh(self.shape.vertices(size), "#ffffff", "glass")) for size in sizes]
        self._walks = [self.shape.edges(size) for size in sizes]
        """Along the edges of each ghost (n, 3), in its own frame."""
        self._edges = [self.stage.add(Line("#ffffff")) for _ in sizes]
        self._glyphs = [self.stage.add(Label("", "#ffffff", _RANK)) for _ in sizes]

    def show(self, frame: Frame) -> None:
        rotations, limited = self._rotations(frame.lanes)
        covered = _covered(frame.lanes, rotations)
        solids = (place for lane, place in zip(frame.lanes, rotations, strict=True) if lane.solid)
        seen = frame.shows_body and "body" in self.stage.items and self.stage.shows("body")
        body = next(solids, None) if seen else None
        for index, (mesh, lane) in enumerate(zip(self._meshes, frame.lanes, strict=True)):
            drawn = lane.visible and lane.drawn and lane.pose is not None
            rotation = rotations[index] if drawn and not lane.solid and index not in covered else None
            apart = float(np.abs(rotation - body).max()) if rotation is not None and body is not None else 1.0
            parted = min(max((apart - _HAIR) / (_PARTED - _HAIR), 0.0), 1.0)
            mesh.visible = rotation is not None and parted > 0.0
            mesh.colour = lane_colour(self.theme, lane.colour)
            mesh.lift = min(self._before * apart, 1.0)
            mesh.alpha = self._clearest * parted * (_FROZEN if lane.frozen else 1.0)
            if rotation is not None:
                mesh.transform = placed(rotation)
            self._draw_edges(index, rotation, lane.frozen)
            self._place_glyph(index, rotation, lane.colour)
            ended = ""
            if drawn and lane.frozen:
                ended = tr("{lane}: stands where it ended", lane=lane_text(self._titles[index], lane.colour))
            self.stage.set_corner(f"{self.name} {index}", ended, mesh.colour)
        self._say_factor(frame.lanes, limited)

    def _draw_edges(self, index: int, rotation: np.ndarray | None, frozen: bool) -> None:
        """The edges of a ghost that is seen; a line is never clear, so that paler is nearer to the sky."""
        mesh, edges, walk, theme = self._meshes[index], self._edges[index], self._walks[index], self.theme
        edges.visible = rotation is not None and len(walk) > 0
        if edges.visible and rotation is not None:
            edges.set_points(walk @ rotation.T)
            edges.width = _EDGE * (theme.curve_width - 1)
            edges.colour = mixed(mesh.colour, theme.sky_bottom, _FROZEN if frozen else 1.0)

    def _place_glyph(self, index: int, rotation: np.ndarray | None, colour: int) -> None:
        """The shape of a lane that shares its colour, at the end of the ghost's first axis."""
        glyph, text = self._glyphs[index], GLYPHS[shape_of(colour)]
        glyph.visible = rotation is not None and bool(text)
        if rotation is not None:
            glyph.text, glyph.colour, glyph.position = text, self._meshes[index].colour, rotation[:, 0]

    def _rotations(self, lanes: Sequence[LaneFrame]) -> tuple[list[np.ndarray | None], list[str]]:
        """How each lane is drawn, and the ghosts whose magnified rotation was more than half a turn."""
        poses = [lane.pose for lane in lanes]
        body = next((lane.pose for lane in lanes if lane.solid), None)
        if self.stage.magnification == 0 or body is None:
            return [pose.rotation if pose is not None else None for pose in poses], []
        factor = 10.0**self.stage.magnification
        drawn = [magnified(body.p, pose.p, factor) if pose is not None else None for pose in poses]
        limited = [
            lane_title(lane.name)
            for lane, found in zip(lanes, drawn, strict=True)
            if found is not None and found[1] and lane.visible and lane.drawn
        ]
        return [rotation_matrix(found[0]) if found is not None else None for found in drawn], limited

    def _say_factor(self, lanes: Sequence[LaneFrame], limited: Sequence[str]) -> None:
        """The factor in the corner, as long as there is one; and where it was too much."""
        power = self.stage.magnification
        bodies = [lane_title(lane.name) for lane in lanes if lane.solid]
        factor = most = ""
        if power > 0 and bodies:
            factor = tr("Differences from {body} drawn {power}", body=bodies[0], power=factor_text(power))
            if limited:
                most = tr("Half a turn, the most that is drawn: {limited}", limited="; ".join(limited))
        self.stage.set_corner(f"{self.name} factor", factor, self.theme.accent)
        self.stage.set_corner(f"{self.name} limit", most, self.theme.danger)


def _covered(lanes: Sequence[LaneFrame], rotations: Sequence[np.ndarray | None]) -> set[int]:
    """Ghosts that stand within a hair's breadth of a later one, whose glass hides theirs: drawing them costs a
    software renderer as much as the body does."""
    hidden: set[int] = set()
    seen: list[np.ndarray] = []
    for index in reversed(range(len(lanes))):
        lane, rotation = lanes[index], rotations[index]
        if rotation is None or lane.solid or lane.frozen or not (lane.visible and lane.drawn):
            continue
        if any(np.abs(rotation - other).max() < _HAIR for other in seen):
            hidden.add(index)
        else:
            seen.append(rotation)
    return hidden
