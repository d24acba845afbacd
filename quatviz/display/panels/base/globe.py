"""Panels that show paths on a globe: what they draw, and the direction of view."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, LaneFrame, RunInfo
from quatviz.display.data.lazy_columns import Column, interpolate
from quatviz.display.panels.base import Panel, ValueReading
from quatviz.physics.geometry.polhodes import evenly_spaced_levels, polhode_curves, separatrix
from quatviz.physics.observables.quantities import QUANTITIES

MAX_DRAWN_ROWS = 2000
"""Largest number of rows of a lane that are drawn."""
MAX_TURN_PER_ROW = 0.25
"""Largest rotation of the body between drawn rows [rad], if the samples are dense enough."""
CONTOURS_PER_SIDE = 3
"""Number of energy contours on each side of the separatrix."""
AXIS_LABEL_RADIUS = 1.15
"""Distance of axis labels from the center, in globe radii."""
_MAX_OUTLINE_SIZE = 3.0
"""Largest size of the outline of the current surface, in globe radii."""


@dataclass(frozen=True)
class GlobeViewAngles:
    """Direction of view of the globe [rad]. Axis 3 always points upwards."""

    azimuth: float = math.radians(32.0)
    elevation: float = math.radians(24.0)

    @property
    def matrix(self) -> np.ndarray:
        """Rotation matrix (3, 3) whose rows point right, up and towards the eye."""
        a, b = math.cos(self.azimuth), math.sin(self.azimuth)
        c, s = math.cos(self.elevation), math.sin(self.elevation)
        return np.array([[-b, a, 0.0], [-s * a, -s * b, c], [c * a, c * b, s]])

    def rotated(self, right: float, down: float) -> "GlobeViewAngles":
        """Return the view after a drag by these angles [rad]. The near side follows the pointer."""
        elevation = min(max(self.elevation + down, -math.pi / 2), math.pi / 2)
        return replace(self, azimuth=(self.azimuth - right) % (2 * math.pi), elevation=elevation)


@dataclass(frozen=True, eq=False)
class GlobePath:
    """Path of a lane.

    Attributes
    ----------
    lane, color
        Name of the lane, and its color and marker number.
    points
        Points (m, 3) in globe radii; NaN in gaps.
    times
        Times (m,) [s].
    globes
        Index of the globe (m,), if there are two.
    """

    lane: str
    color: int
    points: np.ndarray
    times: np.ndarray
    globes: np.ndarray


@dataclass(frozen=True, eq=False)
class GlobeLabel:
    """A text at a point, in the color of an axis or muted."""

    point: np.ndarray
    text: str
    axis: int | None = None
    globe: int = 0


@dataclass(frozen=True, eq=False)
class GlobePicture:
    """The part of a globe's picture that does not depend on the cursor. The matrix `surface` (3, 3) maps the
    unit sphere to the drawn surface."""

    surface: np.ndarray = field(default_factory=lambda: np.eye(3))
    has_inner_paths: bool = False
    """True if paths run inside the globe. The near side is then the half of space that faces the eye. Otherwise it is
    the part of the surface whose normals point towards the eye."""
    shows_circles: bool = True
    curves: tuple[np.ndarray, ...] = ()
    """Faint curves (n, 3) on the surface."""
    separatrices: tuple[np.ndarray, ...] = ()
    """Highlighted curves (n, 3) on the surface."""
    rings: tuple[tuple[tuple[float, str], ...], ...] = ()
    """Rings of each globe. A ring is the outline of a concentric sphere, given by its radius [globe radii] and a text."""
    paths: tuple[GlobePath, ...] = ()
    labels: tuple[GlobeLabel, ...] = ()
    captions: tuple[str, ...] = ("",)
    """Text above each globe; there is one entry per globe."""
    marks: tuple[GlobeLabel, ...] = ()
    """Points marked by a small circle."""
    scale: float = 1.0
    """Globe radius in the unit of the quantity."""

    @cached_property
    def normals(self) -> np.ndarray:
        """Matrix (3, 3) that maps a point of the surface to its outward normal. A point is on the near side if its
        normal points towards the eye."""
        inverse = np.linalg.inv(self.surface)
        return np.eye(3) if self.has_inner_paths else inverse.T @ inverse


def axis_labels(reach: np.ndarray, both: bool = False, globes: int = 1) -> tuple[GlobeLabel, ...]:
    """Return labels of the axes on each globe, just outside the surface with half-axes `reach` (3,) [globe
    radii]. With `both`, the negative ends are labeled, too."""
    labels = []
    for globe in range(globes):
        for axis, size in enumerate(reach):
            for sign in (1.0, -1.0) if both else (1.0,):
                text = f"{axis + 1}" if sign > 0 else f"−{axis + 1}"
                labels.append(
                    GlobeLabel(sign * (size + AXIS_LABEL_RADIUS - 1.0) * np.eye(3)[axis], text, axis, globe)
                )
    return tuple(labels)


@dataclass(frozen=True, eq=False)
class CursorPoint:
    """Marker of a lane at the cursor: its point (3,) in globe radii, the index of the globe, and the text at
    the point."""

    color: int
    point: np.ndarray
    text: str
    globe: int = 0
    has_ended: bool = False
    """True if the lane ended earlier: a cross is drawn at its last point, without numbers."""
    readings: tuple[ValueReading, ...] = ()
    """Numbers for copying."""


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """The drawn rows of a lane: `values` (m, k) at `times` (m,) [s]."""

    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class GlobeContext:
    """The data of a globe: the run in a frame, the chosen option, and the name of the `quantity` of the path."""

    source: ColumnSource
    frame: Frame
    option: str
    quantity: str

    @property
    def info(self) -> RunInfo:
        return self.source.info

    @cached_property
    def lanes(self) -> list[LaneFrame]:
        """Visible lanes that have computed rows."""
        return [
            lane
            for lane in self.frame.lanes
            if lane.visible and len(self.source.values(lane.name, self.quantity)[0])
        ]

    def drawn_rows(self, lane: str) -> DrawnRows:
        """Return the rows of a lane that are drawn: rows of the whole run, or of the page at the cursor if the
        run is divided into pages."""
        times, values = self.source.values(lane, self.quantity)
        row_range = *self.drawn_row_range(lane), self.paging_and_stride[1]
        return DrawnRows(*(_subsample(column, *row_range) for column in (times, values)))

    def drawn_row_range(self, lane: str) -> tuple[int, int]:
        """Return the range start:stop of the drawn rows in the column of the lane."""
        count = len(self.source.values(lane, self.quantity)[0])
        is_paged, stride = self.paging_and_stride
        first = self.page_index * MAX_DRAWN_ROWS * stride
        return first, min(count, first + MAX_DRAWN_ROWS * stride + 1) if is_paged else count

    def value_at_cursor(self, lane: str) -> np.ndarray:
        """Return the values (k,) of a lane, interpolated at the cursor. Beyond the last row, return the values
        of the last row."""
        values = self.source.values(lane, self.quantity)[1]
        return interpolate(values, self.frame.time / self.info.sample_interval)

    @cached_property
    def paging_and_stride(self) -> tuple[bool, int]:
        """Two values: True if the run is divided into pages, and the number of rows from one drawn row to the
        next.

        A run is divided into pages if the body rotates so often that a path of the whole run would be unreadable.
        """
        interval = self.info.sample_interval
        rows = self.frame.duration / interval + 1.0
        turn = self.frame.scales.get("omega", 0.0) * interval
        max_stride = max(int(MAX_TURN_PER_ROW / turn), 1) if turn > 0 else int(rows)
        needed_stride = max(math.ceil(rows / MAX_DRAWN_ROWS), 1)
        return needed_stride > max_stride, min(needed_stride, max_stride)

    @property
    def page_index(self) -> int:
        """Index of the page at the cursor. A page has `MAX_DRAWN_ROWS` drawn rows."""
        is_paged, stride = self.paging_and_stride
        return (
            int(self.frame.time / self.info.sample_interval) // (MAX_DRAWN_ROWS * stride) if is_paged else 0
        )

    @property
    def pages_text(self) -> str:
        """Time range of the page as a text; "" for the whole run."""
        is_paged, stride = self.paging_and_stride
        span = MAX_DRAWN_ROWS * stride * self.info.sample_interval
        return (
            tr("t = {low:g} to {high:g} s", low=self.page_index * span, high=(self.page_index + 1) * span)
            if is_paged
            else ""
        )


class GlobePanel(Panel):
    """A panel with a globe.

    A subclass defines `picture`, which is called when rows, lanes or choices change, and `cursor_points`, which is
    called in every frame. `note` is shown beside the title, `explanation` below the picture.
    """

    quantity: ClassVar[str]
    """Quantity of the path, a name in `physics.observables.quantities.QUANTITIES`."""
    weight: ClassVar[float] = 4.5

    @abstractmethod
    def picture(self, context: GlobeContext) -> GlobePicture:
        """Return the part of the picture that does not depend on the cursor."""

    @abstractmethod
    def cursor_points(self, context: GlobeContext, picture: GlobePicture) -> list[CursorPoint]:
        """Return the point of each lane at the cursor, in the coordinates of `picture`."""

    @abstractmethod
    def explanation(self, option: str, info: RunInfo) -> str:
        """Return a short explanation of the picture."""

    def outline_surface(self, context: GlobeContext, picture: GlobePicture) -> np.ndarray | None:
        """Return a surface (3, 3) that changes with the cursor and is drawn as an outline, or None."""
        return None

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return False. The panel suits every run, but is shown only if the user asks for it."""
        return False


class VectorGlobe(GlobePanel):
    """Path of a vector in the body frame on a surface, such as a momentum sphere.

    Without torque, the surface through the vector is constant: the surface of the first lane at t = 0 is
    drawn, with the curves of all motions on it. With torque, it changes: the largest surface so far is drawn,
    with the current one as an outline. A subclass defines `quantity`, `surface_parameter`, `surface_matrix`,
    `on_surface` and `vector_text`.
    """

    @abstractmethod
    def surface_parameter(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Return the parameter (n,), such as |h| or 2T, of the surface through each of the vectors (n, 3)."""

    @abstractmethod
    def surface_matrix(self, inertia: np.ndarray, size: float) -> np.ndarray:
        """Return the matrix (3, 3) that maps the unit sphere to the surface with the parameter `size`."""

    @abstractmethod
    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        """Return the points (n, 3) of the surface with the parameter `size` at which h has the directions of the unit
        vectors `curve` (n, 3)."""

    @abstractmethod
    def vector_text(self, info: RunInfo, vector: np.ndarray) -> str:
        """Return the text that shows the components of a vector (3,) at the cursor."""

    def picture(self, context: GlobeContext) -> GlobePicture:
        info, lanes, is_free = context.info, context.lanes, context.info.is_free
        columns = [context.drawn_rows(lane.name) for lane in lanes]
        size = self._globe_parameter(context)
        surface = self.surface_matrix(info.body.inertia, size) if size > 0 else np.eye(3)
        scale = float(np.linalg.norm(surface, axis=0).max())
        surface = surface / scale
        normals = np.linalg.inv(surface @ surface.T)
        return GlobePicture(
            surface,
            curves=self._curves(info, size, scale, all_levels=True) if is_free and size > 0 else (),
            separatrices=self._curves(info, size, scale, all_levels=False) if is_free and size > 0 else (),
            paths=tuple(
                GlobePath(lane.name, lane.color, rows.values / scale, rows.times, np.zeros(len(rows.times)))
                for lane, rows in zip(lanes, columns, strict=True)
            ),
            labels=axis_labels(1.0 / np.sqrt(np.diagonal(normals))),
            scale=scale,
        )

    def cursor_points(self, context: GlobeContext, picture: GlobePicture) -> list[CursorPoint]:
        quantity = QUANTITIES[self.quantity]
        points = []
        for lane in context.lanes:
            vector = context.value_at_cursor(lane.name)
            readings = tuple(
                ValueReading(lane.name, quantity.name, symbol, float(value), quantity.unit, quantity.frame)
                for symbol, value in zip(quantity.symbols, vector, strict=True)
            )
            text = self.vector_text(context.info, vector)
            points.append(
                CursorPoint(
                    lane.color, vector / picture.scale, text, has_ended=lane.frozen, readings=readings
                )
            )
        return points

    def outline_surface(self, context: GlobeContext, picture: GlobePicture) -> np.ndarray | None:
        if context.info.is_free or not context.lanes:
            return None
        inertia = context.info.body.inertia
        size = float(self.surface_parameter(inertia, context.value_at_cursor(context.lanes[0].name)[None])[0])
        surface = self.surface_matrix(inertia, size) / picture.scale
        reach = float(np.abs(surface).max()) if size > 0 else 0.0
        return surface if 0.01 < reach < _MAX_OUTLINE_SIZE else None

    def _globe_parameter(self, context: GlobeContext) -> float:
        """Return the surface parameter of the first lane: its initial value in a torque-free run, otherwise the largest
        value of the drawn rows. Return 0 if there is no lane."""
        if not context.lanes:
            return 0.0
        first = context.lanes[0].name
        is_free = context.info.is_free
        rows = (
            np.asarray(context.source.values(first, self.quantity)[1][:1])
            if is_free
            else context.drawn_rows(first).values
        )
        sizes = self.surface_parameter(context.info.body.inertia, rows)
        return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))

    def _curves(self, info: RunInfo, size: float, scale: float, all_levels: bool) -> tuple[np.ndarray, ...]:
        inertia = info.body.inertia
        if all_levels:
            curves = [
                curve
                for level in evenly_spaced_levels(inertia, CONTOURS_PER_SIDE)
                for curve in polhode_curves(inertia, level)
            ]
        else:
            curves = separatrix(inertia)
        return tuple(self.on_surface(inertia, size, curve) / scale for curve in curves)


def _subsample(column: Column, first: int, last: int, stride: int) -> np.ndarray:
    """Return every `stride`-th row (m, k) of a column from `first` on, and the row `last`."""
    rows = np.asarray(column[first:last:stride])
    if last > first and (last - 1 - first) % stride:
        rows = np.concatenate((rows, np.asarray(column[last - 1 : last])))
    return rows


def with_line_breaks(pixels: np.ndarray, mask: np.ndarray, max_step: float) -> np.ndarray:
    """Return a line (2, k) through the `pixels` (n, 2) in `mask` (n,) and their successors, with NaN at breaks.

    Steps longer than `max_step` [pixels] are breaks.
    """
    with np.errstate(invalid="ignore"):
        is_joined = np.abs(np.diff(pixels, axis=0)).max(axis=1, initial=0.0) < max_step
    drawn = mask[:-1] & is_joined
    is_drawn = np.zeros(len(pixels), dtype=bool)
    is_drawn[:-1] |= drawn
    is_drawn[1:] |= drawn
    line = np.where(is_drawn[:, None], pixels, np.nan)
    break_indices = np.flatnonzero(is_drawn[:-1] & is_drawn[1:] & ~drawn) + 1
    return np.insert(line, break_indices, np.nan, axis=0).T if len(break_indices) else line.T
