"""Projection of a globe and of its lines on the near and far side. The window and printed figures use it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.globe import (
    AXIS_LABEL_RADIUS,
    GlobeLabel,
    GlobePicture,
    GlobeViewAngles,
    with_line_breaks,
)
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import Theme, mix_colors
from quatviz.export.figures.stripes import assign_path_turns

FAR_SIDE_OPACITY = 0.32
"""Opacity of lines on the far side: the fraction of the line's color in its mixture with the color of the globe."""
MAX_POINT_RADIUS = 1.7
"""Largest magnitude of the coordinates of a point that is drawn [globe radii]."""
MAX_STEP = 1.0
"""Largest distance [globe radii] between consecutive points of a path that are connected by a line."""
MARGIN = 1.24
"""Half the side of the square that contains the globe with its labels [globe radii]."""
RING_LABEL_POSITION = (0.643, 0.766)
"""Position of the label of a ring, to the right and down [ring radii]."""
_NAN_POINT = np.full((1, 3), np.nan)
_CIRCLE_ANGLES = np.linspace(0.0, 2.0 * np.pi, 97)


@dataclass(frozen=True, eq=False)
class GlobeProjection:
    """Parallel projection of a globe. It has the center and the radius of the globe [pixels], and the view matrix (3, 3)."""

    x: float
    y: float
    radius: float
    view_matrix: np.ndarray

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return the positions [pixels] (..., 2) of points (..., 3) [globe radii]."""
        projected = points @ self.view_matrix[:2].T
        return projected * (self.radius, -self.radius) + (self.x, self.y)

    def rim(self, surface: np.ndarray) -> np.ndarray:
        """Return the outline (n, 2) [pixels] of an ellipsoid, given the matrix `surface` (3, 3) that maps the unit
        sphere to it."""
        _, _, frame = np.linalg.svd(np.linalg.solve(surface, self.view_matrix[2])[None, :])
        rim = np.cos(_CIRCLE_ANGLES)[:, None] * frame[1] + np.sin(_CIRCLE_ANGLES)[:, None] * frame[2]
        return self.project(rim @ surface.T)

    @property
    def box(self) -> Rect:
        half_size = self.radius * MARGIN
        return Rect(self.x - half_size, self.y - half_size, 2 * half_size, 2 * half_size)


def globe_projections(
    room: Rect, captions: tuple[str, ...], line: float, view: GlobeViewAngles
) -> tuple[GlobeProjection, ...]:
    """Return the projections of globes in the box `room`, one globe per caption.

    The globes are placed side by side or one above the other, whichever makes them larger.
    """
    count, head = len(captions), line if any(captions) else 0.0
    rows = max((1, count), key=lambda rows: _radius(room, count, rows, head))
    columns, radius = count // rows, _radius(room, count, rows, head)
    wide, high = room.width / columns, room.height / rows
    return tuple(
        GlobeProjection(
            room.x + (number % columns + 0.5) * wide,
            room.y + (number // columns + 0.5) * high + head / 2,
            radius,
            view.matrix,
        )
        for number in range(count)
    )


def _radius(room: Rect, count: int, rows: int, head: float) -> float:
    return max(min(room.width * rows / count, room.height / rows - head) / (2 * MARGIN), 4.0)


def is_on_near_side(picture: GlobePicture, points: np.ndarray, projection: GlobeProjection) -> np.ndarray:
    """Return a mask (m,) that is True for those `points` (m, 3) [globe radii] that are on the near side of the globe."""
    return points @ (picture.normals @ projection.view_matrix[2]) >= 0.0


@dataclass(frozen=True, eq=False)
class GlobeLine:
    """A line through points (2, n) [pixels], with NaN at breaks."""

    pixels: np.ndarray
    color: str
    width: float


@dataclass(frozen=True, eq=False)
class GlobeLines:
    """Lines of one globe of a picture, in the colors of a theme.

    `globe` is the index of the globe in the picture, `projection` its projection, and `width` the width of paths [pixels].
    """

    picture: GlobePicture
    projection: GlobeProjection
    globe: int
    theme: Theme
    width: float

    def rings(self) -> Iterator[tuple[GlobeLine, str]]:
        """Yield the dashed outline of each concentric sphere around the globe, with the text that is written at this
        outline."""
        rings = self.picture.rings[self.globe] if self.picture.rings else ()
        for radius, text in rings:
            flat = (
                np.stack((np.cos(_CIRCLE_ANGLES), np.sin(_CIRCLE_ANGLES))) * radius * self.projection.radius
            )
            yield (
                GlobeLine(flat + np.array([[self.projection.x], [self.projection.y]]), self.rim_color, 1.0),
                text,
            )

    @property
    def rim_color(self) -> str:
        return mix_colors(self.theme.muted, self.theme.surface, 0.55)

    def lines(self, front: bool) -> Iterator[GlobeLine]:
        """Yield the lines on one side of the globe in drawing order: the near side if `front` is True,
        otherwise the far side."""
        picture, theme, projection, strength_factor = (
            self.picture,
            self.theme,
            self.projection,
            1.0 if front else FAR_SIDE_OPACITY,
        )
        circles = unit_circles() @ picture.surface.T if picture.shows_circles else ()
        for curves, strength, width in (
            (circles, 0.25, 1.0),
            (picture.curves, 0.42, 1.0),
            (picture.separatrices, 0.85, 1.4),
        ):
            if len(curves):
                joined = np.concatenate([np.append(curve, _NAN_POINT, axis=0) for curve in curves])
                color = mix_colors(theme.muted, theme.surface, strength * (0.3 + 0.7 * strength_factor))
                yield from self._line(
                    projection.project(joined),
                    is_on_near_side(picture, joined, projection) == front,
                    color,
                    width,
                )
        for path, (pixels, own, closer) in zip(picture.paths, self._projected_paths, strict=True):
            yield from self._line(
                pixels,
                own & (closer == front),
                self.side_color(lane_color(theme, path.color), front),
                self.width,
            )
        for label in self.labels(front):
            if label.axis is not None:
                size = np.linalg.norm(label.point)
                ends = (
                    np.array((size - AXIS_LABEL_RADIUS + 1.0, size - 0.5 * (AXIS_LABEL_RADIUS - 1.0))) / size
                )
                yield GlobeLine(
                    projection.project(np.outer(ends, label.point)).T, self.label_color(label, front), 1.5
                )

    def labels(self, front: bool) -> Iterator[GlobeLabel]:
        """Yield the labels on the near side of the globe if `front` is True, otherwise the labels on the far
        side."""
        return self._labels_on_side(self.picture.labels, front)

    def marks(self, front: bool) -> Iterator[GlobeLabel]:
        """Yield the marked points on the near side of the globe if `front` is True, otherwise the points on the
        far side."""
        return self._labels_on_side(self.picture.marks, front)

    def label_color(self, label: GlobeLabel, front: bool) -> str:
        theme = self.theme
        return self.side_color(theme.muted if label.axis is None else theme.components[1 + label.axis], front)

    def side_color(self, color: str, front: bool) -> str:
        """Return a color for lines on the near side if `front` is True, otherwise the same color faded for the far side."""
        return color if front else mix_colors(color, self.theme.surface, FAR_SIDE_OPACITY)

    def _labels_on_side(self, labels: tuple[GlobeLabel, ...], front: bool) -> Iterator[GlobeLabel]:
        for label in labels:
            if (
                label.globe == self.globe
                and bool(is_on_near_side(self.picture, label.point[None], self.projection)[0]) == front
            ):
                yield label

    @cached_property
    def _projected_paths(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return, for each path, its points (m, 2) [pixels] and two masks (m,), which are True for drawn points and for
        points on the near side."""
        paths = self.picture.paths
        is_drawn = [
            (path.globes == self.globe) & (np.abs(path.points) < MAX_POINT_RADIUS).all(axis=1)
            for path in paths
        ]
        pixels = [self.projection.project(path.points) for path in paths]
        turns = assign_path_turns([path.times for path in paths], pixels, is_drawn)
        is_own = map(np.logical_and, is_drawn, turns)
        is_near = (is_on_near_side(self.picture, path.points, self.projection) for path in paths)
        return list(zip(pixels, is_own, is_near, strict=True))

    def _line(self, pixels: np.ndarray, mask: np.ndarray, color: str, width: float) -> Iterator[GlobeLine]:
        if mask.any():
            yield GlobeLine(with_line_breaks(pixels, mask, MAX_STEP * self.projection.radius), color, width)


def unit_circles() -> np.ndarray:
    """Return three great circles (3, n, 3) as points [globe radii]. Each is perpendicular to one axis."""
    flat = np.stack((np.cos(_CIRCLE_ANGLES), np.sin(_CIRCLE_ANGLES), np.zeros_like(_CIRCLE_ANGLES)), axis=1)
    return np.stack([np.roll(flat, shift, axis=1) for shift in range(3)])
