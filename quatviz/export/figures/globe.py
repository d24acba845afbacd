"""Where a globe stands in its room, and the lines that are drawn of it, of what is near and far: for the window and for paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.globe import LABEL_AT, Gaze, GlobePicture, Label, broken
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import Theme, mixed
from quatviz.export.figures.stripes import taken_in_turns

BEHIND = 0.32
"""How much of its colour is left of what is on the far side."""
BEYOND = 1.7
"""Points farther out than this many radii are left out."""
LEAP = 1.0
"""A step from row to row of more than this many radii is a jump, and no line."""
MARGIN = 1.24
"""Room for the globe with its labels, in radii."""
RING_AT = (0.643, 0.766)
"""Where a ring is labelled, in its radii to the right and down."""
_GAP = np.full((1, 3), np.nan)
_CIRCLE = np.linspace(0.0, 2.0 * np.pi, 97)


@dataclass(frozen=True, eq=False)
class Projection:
    """Where a globe is on the paper: its centre and radius in pixels, and the gaze."""

    x: float
    y: float
    radius: float
    gaze: np.ndarray

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels (..., 2) of points (..., 3)."""
        seen = points @ self.gaze[:2].T
        return seen * (self.radius, -self.radius) + (self.x, self.y)

    def rim(self, surface: np.ndarray) -> np.ndarray:
        """Pixels (n, 2) where a surface (3, 3) ends on the paper."""
        _, _, frame = np.linalg.svd(np.linalg.solve(surface, self.gaze[2])[None, :])
        rim = np.cos(_CIRCLE)[:, None] * frame[1] + np.sin(_CIRCLE)[:, None] * frame[2]
        return self.project(rim @ surface.T)

    @property
    def box(self) -> Box:
        reach = self.radius * MARGIN
        return Box(self.x - reach, self.y - reach, 2 * reach, 2 * reach)


def places(room: Box, captions: tuple[str, ...], line: float, gaze: Gaze) -> tuple[Projection, ...]:
    """The globes of a picture in a room: side by side or one above the other, whichever is larger."""
    count, head = len(captions), line if any(captions) else 0.0
    rows = max((1, count), key=lambda rows: _radius(room, count, rows, head))
    columns, radius = count // rows, _radius(room, count, rows, head)
    wide, high = room.width / columns, room.height / rows
    return tuple(
        Projection(
            room.x + (number % columns + 0.5) * wide,
            room.y + (number // columns + 0.5) * high + head / 2,
            radius,
            gaze.matrix,
        )
        for number in range(count)
    )


def _radius(room: Box, count: int, rows: int, head: float) -> float:
    return max(min(room.width * rows / count, room.height / rows - head) / (2 * MARGIN), 4.0)


def near(picture: GlobePicture, points: np.ndarray, place: Projection) -> np.ndarray:
    """Whether points (m, 3) are on the near side."""
    return points @ (picture.normals @ place.gaze[2]) >= 0.0


@dataclass(frozen=True, eq=False)
class Line:
    """A line through pixels (2, n), NaN where it breaks."""

    pixels: np.ndarray
    colour: str
    width: float


@dataclass(frozen=True, eq=False)
class GlobeLines:
    """What is drawn of one `globe` of a picture at its `place`, in a theme; paths are `width` pixels wide."""

    picture: GlobePicture
    place: Projection
    globe: int
    theme: Theme
    width: float

    def rings(self) -> Iterator[tuple[Line, str]]:
        """Outlines of spheres about the centre, dashed, and what each says; that of the globe itself is there already."""
        rings = self.picture.rings[self.globe] if self.picture.rings else ()
        for radius, text in rings:
            flat = np.stack((np.cos(_CIRCLE), np.sin(_CIRCLE))) * radius * self.place.radius
            yield Line(flat + np.array([[self.place.x], [self.place.y]]), self.rim_colour, 1.0), text

    @property
    def rim_colour(self) -> str:
        return mixed(self.theme.muted, self.theme.surface, 0.55)

    def lines(self, front: bool) -> Iterator[Line]:
        """Those of one side, each over those before it."""
        picture, theme, place, part = self.picture, self.theme, self.place, 1.0 if front else BEHIND
        circles = unit_circles() @ picture.surface.T if picture.circles else ()
        for curves, strength, width in (
            (circles, 0.25, 1.0),
            (picture.curves, 0.42, 1.0),
            (picture.strong, 0.85, 1.4),
        ):
            if len(curves):
                joined = np.concatenate([np.append(curve, _GAP, axis=0) for curve in curves])
                colour = mixed(theme.muted, theme.surface, strength * (0.3 + 0.7 * part))
                yield from self._line(
                    place.project(joined), near(picture, joined, place) == front, colour, width
                )
        for path, (pixels, own, closer) in zip(picture.paths, self._laid, strict=True):
            yield from self._line(
                pixels, own & (closer == front), self.seen(lane_colour(theme, path.colour), front), self.width
            )
        for label in self.labels(front):
            if label.axis is not None:
                size = np.linalg.norm(label.point)
                ends = np.array((size - LABEL_AT + 1.0, size - 0.5 * (LABEL_AT - 1.0))) / size
                yield Line(place.project(np.outer(ends, label.point)).T, self.colour_of(label, front), 1.5)

    def labels(self, front: bool) -> Iterator[Label]:
        """Those of one side."""
        return self._there(self.picture.labels, front)

    def marks(self, front: bool) -> Iterator[Label]:
        """Those of one side."""
        return self._there(self.picture.marks, front)

    def colour_of(self, label: Label, front: bool) -> str:
        theme = self.theme
        return self.seen(theme.muted if label.axis is None else theme.components[1 + label.axis], front)

    def seen(self, colour: str, front: bool) -> str:
        """A colour as it is on one side."""
        return colour if front else mixed(colour, self.theme.surface, BEHIND)

    def _there(self, labels: tuple[Label, ...], front: bool) -> Iterator[Label]:
        for label in labels:
            if (
                label.globe == self.globe
                and bool(near(self.picture, label.point[None], self.place)[0]) == front
            ):
                yield label

    @cached_property
    def _laid(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Of each path its pixels (m, 2), which of its points it draws (m,), and which are on the near side (m,)."""
        paths = self.picture.paths
        seen = [(path.globes == self.globe) & (np.abs(path.points) < BEYOND).all(axis=1) for path in paths]
        pixels = [self.place.project(path.points) for path in paths]
        turns = taken_in_turns([path.times for path in paths], pixels, seen)
        own = map(np.logical_and, seen, turns)
        closer = (near(self.picture, path.points, self.place) for path in paths)
        return list(zip(pixels, own, closer, strict=True))

    def _line(self, pixels: np.ndarray, mask: np.ndarray, colour: str, width: float) -> Iterator[Line]:
        if mask.any():
            yield Line(broken(pixels, mask, LEAP * self.place.radius), colour, width)


def unit_circles() -> np.ndarray:
    """The three great circles (3, n, 3) across the axes."""
    flat = np.stack((np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros_like(_CIRCLE)), axis=1)
    return np.stack([np.roll(flat, shift, axis=1) for shift in range(3)])
