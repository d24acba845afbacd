"""A panel that shows paths on a globe: what is drawn there, and from where it is seen. Nothing here paints."""

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
"""Rows of a lane that are drawn, at most."""
MAX_TURN_PER_ROW = 0.25
"""The body turns by no more than this [rad] from one row that is drawn to the next, where the samples are as dense."""
CONTOURS_PER_SIDE = 3
"""Energy contours on each side of the separatrix."""
AXIS_LABEL_RADIUS = 1.15
"""Where axes are labelled, in radii."""
_MAX_OUTLINE_SIZE = 3.0
"""How much larger than the globe the outline of the present surface may be."""


@dataclass(frozen=True)
class GlobeViewAngles:
    """From where the globe is seen [rad]; axis 3 always points up on the paper."""

    azimuth: float = math.radians(32.0)
    elevation: float = math.radians(24.0)

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3): its rows are right, up and towards the eye."""
        a, b = math.cos(self.azimuth), math.sin(self.azimuth)
        c, s = math.cos(self.elevation), math.sin(self.elevation)
        return np.array([[-b, a, 0.0], [-s * a, -s * b, c], [c * a, c * b, s]])

    def rotated(self, right: float, down: float) -> "GlobeViewAngles":
        """After a drag by these angles: the near side follows the pointer."""
        elevation = min(max(self.elevation + down, -math.pi / 2), math.pi / 2)
        return replace(self, azimuth=(self.azimuth - right) % (2 * math.pi), elevation=elevation)


@dataclass(frozen=True, eq=False)
class GlobePath:
    """The path of a lane: points (m, 3) in radii of the globe, NaN where it breaks, their times (m,) [s] and, of two
    globes, which one (m,) they are on."""

    lane: str
    colour: int
    points: np.ndarray
    times: np.ndarray
    globes: np.ndarray


@dataclass(frozen=True, eq=False)
class GlobeLabel:
    """A word at a point, in the colour of an axis or muted; on the surface it may be on the far side."""

    point: np.ndarray
    text: str
    axis: int | None = None
    globe: int = 0


@dataclass(frozen=True, eq=False)
class GlobePicture:
    """All that stays while only the cursor moves. `surface` (3, 3) maps the unit sphere to the one that is drawn."""

    surface: np.ndarray = field(default_factory=lambda: np.eye(3))
    has_inner_paths: bool = False
    """Whether paths run inside it, so that what is near has nothing to do with the surface."""
    shows_circles: bool = True
    curves: tuple[np.ndarray, ...] = ()
    """Faint curves (n, 3) on the surface."""
    separatrices: tuple[np.ndarray, ...] = ()
    """Curves that stand out among them."""
    rings: tuple[tuple[tuple[float, str], ...], ...] = ()
    """For each globe radii of spheres about its centre, each drawn as its outline, and what it says there."""
    paths: tuple[GlobePath, ...] = ()
    labels: tuple[GlobeLabel, ...] = ()
    captions: tuple[str, ...] = ("",)
    """A line above each globe: as many globes as captions."""
    marks: tuple[GlobeLabel, ...] = ()
    """Points with a small circle about them."""
    scale: float = 1.0
    """What a radius of the globe is, in the unit of what is drawn."""

    @cached_property
    def normals(self) -> np.ndarray:
        """(3, 3): what it makes of a point has a positive component towards the eye if the point is on the near side."""
        inverse = np.linalg.inv(self.surface)
        return np.eye(3) if self.has_inner_paths else inverse.T @ inverse


def axis_labels(reach: np.ndarray, both: bool = False, globes: int = 1) -> tuple[GlobeLabel, ...]:
    """The numbers of the axes, beyond where they leave the surface (3,); with `both`, of their far ends too."""
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
    """A lane at the cursor: a point (3,) in radii, on which globe, and what is said of it."""

    colour: int
    point: np.ndarray
    text: str
    globe: int = 0
    has_ended: bool = False
    """Whether the lane ended before: a cross where it did, and no numbers."""
    readings: tuple[ValueReading, ...] = ()
    """Its numbers, for copying."""


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """What is drawn of a lane's column: `values` (m, k) at `times` (m,) [s]."""

    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class GlobeContext:
    """What a globe is drawn from: the run as it is in a frame, and the option that is chosen. `quantity` is the one whose path
    is shown."""

    source: ColumnSource
    frame: Frame
    option: str
    quantity: str

    @property
    def info(self) -> RunInfo:
        return self.source.info

    @cached_property
    def lanes(self) -> list[LaneFrame]:
        """The lanes that are shown and have rows."""
        return [
            lane
            for lane in self.frame.lanes
            if lane.visible and len(self.source.values(lane.name, self.quantity)[0])
        ]

    def drawn_rows(self, lane: str) -> DrawnRows:
        """The rows of a lane that are drawn: of the whole run, or of the page about the cursor where the body turns so
        often that no line could follow it all."""
        times, values = self.source.values(lane, self.quantity)
        row_range = *self.drawn_row_range(lane), self.paging_and_stride[1]
        return DrawnRows(*(_subsample(column, *row_range) for column in (times, values)))

    def drawn_row_range(self, lane: str) -> tuple[int, int]:
        """Where these begin among all rows of the lane, and end."""
        count = len(self.source.values(lane, self.quantity)[0])
        is_paged, stride = self.paging_and_stride
        first = self.page_index * MAX_DRAWN_ROWS * stride
        return first, min(count, first + MAX_DRAWN_ROWS * stride + 1) if is_paged else count

    def value_at_cursor(self, lane: str) -> np.ndarray:
        """Values (k,) at the cursor, between rows; those of the last row beyond it."""
        values = self.source.values(lane, self.quantity)[1]
        return interpolate(values, self.frame.time / self.info.sample_interval)

    @cached_property
    def paging_and_stride(self) -> tuple[bool, int]:
        """Whether the run is shown in pages, and every how manieth row is drawn."""
        interval = self.info.sample_interval
        rows = self.frame.duration / interval + 1.0
        turn = self.frame.scales.get("omega", 0.0) * interval
        max_stride = max(int(MAX_TURN_PER_ROW / turn), 1) if turn > 0 else int(rows)
        needed_stride = max(math.ceil(rows / MAX_DRAWN_ROWS), 1)
        return needed_stride > max_stride, min(needed_stride, max_stride)

    @property
    def page_index(self) -> int:
        """The number of the stretch of `MAX_DRAWN_ROWS` strides about the cursor."""
        is_paged, stride = self.paging_and_stride
        return (
            int(self.frame.time / self.info.sample_interval) // (MAX_DRAWN_ROWS * stride) if is_paged else 0
        )

    @property
    def pages_text(self) -> str:
        """The stretch of time that is shown, where it is not the whole run."""
        is_paged, stride = self.paging_and_stride
        span = MAX_DRAWN_ROWS * stride * self.info.sample_interval
        return (
            tr("t = {low:g} to {high:g} s", low=self.page_index * span, high=(self.page_index + 1) * span)
            if is_paged
            else ""
        )


class GlobePanel(Panel):
    """Extend it with `picture`, which is asked for when rows, lanes or the choice change, and `cursor_points`, which is asked for
    in every frame. `note` stands beside the title, `explanation` below the picture."""

    quantity: ClassVar[str]
    """Whose path it is, of `physics.observables.quantities.QUANTITIES`."""
    weight: ClassVar[float] = 4.5

    @abstractmethod
    def picture(self, context: GlobeContext) -> GlobePicture:
        """What stays while only the cursor moves."""

    @abstractmethod
    def cursor_points(self, context: GlobeContext, picture: GlobePicture) -> list[CursorPoint]:
        """The lanes at the cursor, on this picture."""

    @abstractmethod
    def explanation(self, option: str, info: RunInfo) -> str:
        """What is seen, in plain words."""

    def outline_surface(self, context: GlobeContext, picture: GlobePicture) -> np.ndarray | None:
        """A surface (3, 3) that changes with the cursor, drawn as its outline."""
        return None

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """True of every run: a person asks for it."""
        return False


class VectorGlobe(GlobePanel):
    """The path of a vector in body axes on the surface that its `surface_parameter` belongs to: that of the first lane at the start
    where nothing acts, with the curves of all motions on it, else the largest one so far, with the present one as an
    outline. A subclass gives `quantity`, `surface_parameter`, `surface_matrix`, `on_surface` and `vector_text`."""

    @abstractmethod
    def surface_parameter(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """What a surface is named by (n,), of vectors (n, 3): |h|, or 2T."""

    @abstractmethod
    def surface_matrix(self, inertia: np.ndarray, size: float) -> np.ndarray:
        """(3, 3), from the unit sphere to the surface of a `size`, as `surface_parameter` gives it."""

    @abstractmethod
    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        """Points (n, 3) on the surface of a `size`, of unit vectors along h."""

    @abstractmethod
    def vector_text(self, info: RunInfo, vector: np.ndarray) -> str:
        """What is said of a vector at the cursor."""

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
                GlobePath(lane.name, lane.colour, rows.values / scale, rows.times, np.zeros(len(rows.times)))
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
                    lane.colour, vector / picture.scale, text, has_ended=lane.frozen, readings=readings
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
        """Of the first lane, at the start or the largest so far; 0 where there is none."""
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
    """Every so manieth row from `first`, and the last one."""
    rows = np.asarray(column[first:last:stride])
    if last > first and (last - 1 - first) % stride:
        rows = np.concatenate((rows, np.asarray(column[last - 1 : last])))
    return rows


def with_line_breaks(pixels: np.ndarray, mask: np.ndarray, max_step: float) -> np.ndarray:
    """A line (2, k) through the `pixels` (n, 2) of `mask` (n,), and on to the next one, NaN where it breaks: there
    is no line over a leap."""
    with np.errstate(invalid="ignore"):
        is_joined = np.abs(np.diff(pixels, axis=0)).max(axis=1, initial=0.0) < max_step
    drawn = mask[:-1] & is_joined
    is_drawn = np.zeros(len(pixels), dtype=bool)
    is_drawn[:-1] |= drawn
    is_drawn[1:] |= drawn
    line = np.where(is_drawn[:, None], pixels, np.nan)
    break_indices = np.flatnonzero(is_drawn[:-1] & is_drawn[1:] & ~drawn) + 1
    return np.insert(line, break_indices, np.nan, axis=0).T if len(break_indices) else line.T
