"""A panel that shows paths on a globe: what is drawn there, and from where it is seen. Nothing here paints."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, LaneFrame, RunInfo, Source
from quatviz.display.data.lazy_columns import Column, between
from quatviz.display.panels.base import Panel, Reading
from quatviz.physics.geometry.polhodes import directions, levels, separatrix
from quatviz.physics.observables.quantities import QUANTITIES

POINTS = 2000
"""Rows of a lane that are drawn, at most."""
TURN = 0.25
"""The body turns by no more than this [rad] from one row that is drawn to the next, where the samples are as dense."""
CURVES = 3
"""Energy contours on each side of the separatrix."""
LABEL_AT = 1.15
"""Where axes are labelled, in radii."""
_LARGEST = 3.0
"""How much larger than the globe the outline of the present surface may be."""


@dataclass(frozen=True)
class Gaze:
    """From where the globe is seen [rad]; axis 3 always points up on the paper."""

    azimuth: float = math.radians(32.0)
    elevation: float = math.radians(24.0)

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3): its rows are right, up and towards the eye."""
        a, b = math.cos(self.azimuth), math.sin(self.azimuth)
        c, s = math.cos(self.elevation), math.sin(self.elevation)
        return np.array([[-b, a, 0.0], [-s * a, -s * b, c], [c * a, c * b, s]])

    def turned(self, right: float, down: float) -> "Gaze":
        """After a drag by these angles: the near side follows the pointer."""
        elevation = min(max(self.elevation + down, -math.pi / 2), math.pi / 2)
        return replace(self, azimuth=(self.azimuth - right) % (2 * math.pi), elevation=elevation)


@dataclass(frozen=True, eq=False)
class Path:
    """The path of a lane: points (m, 3) in radii of the globe, NaN where it breaks, their times (m,) [s] and, of two
    globes, which one (m,) they are on."""

    lane: str
    colour: int
    points: np.ndarray
    times: np.ndarray
    globes: np.ndarray


@dataclass(frozen=True, eq=False)
class Label:
    """A word at a point, in the colour of an axis or muted; on the surface it may be on the far side."""

    point: np.ndarray
    text: str
    axis: int | None = None
    globe: int = 0


@dataclass(frozen=True, eq=False)
class GlobePicture:
    """All that stays while only the cursor moves. `surface` (3, 3) maps the unit sphere to the one that is drawn."""

    surface: np.ndarray = field(default_factory=lambda: np.eye(3))
    solid: bool = False
    """Whether paths run inside it, so that what is near has nothing to do with the surface."""
    circles: bool = True
    curves: tuple[np.ndarray, ...] = ()
    """Faint curves (n, 3) on the surface."""
    strong: tuple[np.ndarray, ...] = ()
    """Curves that stand out among them."""
    rings: tuple[tuple[tuple[float, str], ...], ...] = ()
    """For each globe radii of spheres about its centre, each drawn as its outline, and what it says there."""
    paths: tuple[Path, ...] = ()
    labels: tuple[Label, ...] = ()
    captions: tuple[str, ...] = ("",)
    """A line above each globe: as many globes as captions."""
    marks: tuple[Label, ...] = ()
    """Points with a small circle about them."""
    scale: float = 1.0
    """What a radius of the globe is, in the unit of what is drawn."""

    @cached_property
    def normals(self) -> np.ndarray:
        """(3, 3): what it makes of a point has a positive component towards the eye if the point is on the near side."""
        inverse = np.linalg.inv(self.surface)
        return np.eye(3) if self.solid else inverse.T @ inverse


def axis_labels(reach: np.ndarray, both: bool = False, globes: int = 1) -> tuple[Label, ...]:
    """The numbers of the axes, beyond where they leave the surface (3,); with `both`, of their far ends too."""
    made = []
    for globe in range(globes):
        for axis, size in enumerate(reach):
            for sign in (1.0, -1.0) if both else (1.0,):
                text = f"{axis + 1}" if sign > 0 else f"−{axis + 1}"
                made.append(Label(sign * (size + LABEL_AT - 1.0) * np.eye(3)[axis], text, axis, globe))
    return tuple(made)


@dataclass(frozen=True, eq=False)
class Spot:
    """A lane at the cursor: a point (3,) in radii, on which globe, and what is said of it."""

    colour: int
    point: np.ndarray
    text: str
    globe: int = 0
    ended: bool = False
    """Whether the lane ended before: a cross where it did, and no numbers."""
    readings: tuple[Reading, ...] = ()
    """Its numbers, for copying."""


@dataclass(frozen=True, eq=False)
class Rows:
    """What is drawn of a lane's column: `values` (m, k) at `times` (m,) [s]."""

    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Sight:
    """What a globe is drawn from: the run as it is in a frame, and the option that is chosen. `quantity` is the one whose path
    is shown."""

    source: Source
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

    def rows(self, lane: str) -> Rows:
        """The rows of a lane that are drawn: of the whole run, or of the page about the cursor where the body turns so
        often that no line could follow it all."""
        times, values = self.source.values(lane, self.quantity)
        stretch = *self.stretch(lane), self.stride[1]
        return Rows(*(_thinned(column, *stretch) for column in (times, values)))

    def stretch(self, lane: str) -> tuple[int, int]:
        """Where these begin among all rows of the lane, and end."""
        count = len(self.source.values(lane, self.quantity)[0])
        paged, stride = self.stride
        first = self.page * POINTS * stride
        return first, min(count, first + POINTS * stride + 1) if paged else count

    def at_cursor(self, lane: str) -> np.ndarray:
        """Values (k,) at the cursor, between rows; those of the last row beyond it."""
        values = self.source.values(lane, self.quantity)[1]
        return between(values, self.frame.time / self.info.sample_interval)

    @cached_property
    def stride(self) -> tuple[bool, int]:
        """Whether the run is shown in pages, and every how manieth row is drawn."""
        interval = self.info.sample_interval
        rows = self.frame.duration / interval + 1.0
        turn = self.frame.scales.get("omega", 0.0) * interval
        densest = max(int(TURN / turn), 1) if turn > 0 else int(rows)
        wanted = max(math.ceil(rows / POINTS), 1)
        return wanted > densest, min(wanted, densest)

    @property
    def page(self) -> int:
        """The number of the stretch of `POINTS` strides about the cursor."""
        paged, stride = self.stride
        return int(self.frame.time / self.info.sample_interval) // (POINTS * stride) if paged else 0

    @property
    def pages_text(self) -> str:
        """The stretch of time that is shown, where it is not the whole run."""
        paged, stride = self.stride
        span = POINTS * stride * self.info.sample_interval
        return (
            tr("t = {low:g} to {high:g} s", low=self.page * span, high=(self.page + 1) * span)
            if paged
            else ""
        )


class GlobePanel(Panel):
    """Extend it with `picture`, which is asked for when rows, lanes or the choice change, and `spots`, which is asked for
    in every frame. `note` stands beside the title, `words` below the picture."""

    quantity: ClassVar[str]
    """Whose path it is, of `motion.observables.QUANTITIES`."""
    weight: ClassVar[float] = 4.5

    @abstractmethod
    def picture(self, sight: Sight) -> GlobePicture:
        """What stays while only the cursor moves."""

    @abstractmethod
    def spots(self, sight: Sight, picture: GlobePicture) -> list[Spot]:
        """The lanes at the cursor, on this picture."""

    @abstractmethod
    def words(self, option: str, info: RunInfo) -> str:
        """What is seen, in plain words."""

    def outline(self, sight: Sight, picture: GlobePicture) -> np.ndarray | None:
        """A surface (3, 3) that changes with the cursor, drawn as its outline."""
        return None

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """True of every run: a person asks for it."""
        return False


class VectorGlobe(GlobePanel):
    """The path of a vector in body axes on the surface that its `size` belongs to: that of the first lane at the start
    where nothing acts, with the curves of all motions on it, else the largest one so far, with the present one as an
    outline. A subclass gives `quantity`, `size`, `surface`, `on_surface` and `text`."""

    @abstractmethod
    def size(self, inertia: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """What a surface is named by (n,), of vectors (n, 3): |h|, or 2T."""

    @abstractmethod
    def surface(self, inertia: np.ndarray, size: float) -> np.ndarray:
        """(3, 3), from the unit sphere to the surface of a `size`."""

    @abstractmethod
    def on_surface(self, inertia: np.ndarray, size: float, curve: np.ndarray) -> np.ndarray:
        """Points (n, 3) on the surface of a `size`, of unit vectors along h."""

    @abstractmethod
    def text(self, info: RunInfo, vector: np.ndarray) -> str:
        """What is said of a vector at the cursor."""

    def picture(self, sight: Sight) -> GlobePicture:
        info, lanes, free = sight.info, sight.lanes, sight.info.is_free
        columns = [sight.rows(lane.name) for lane in lanes]
        size = self._globe_size(sight)
        surface = self.surface(info.body.inertia, size) if size > 0 else np.eye(3)
        scale = float(np.linalg.norm(surface, axis=0).max())
        surface = surface / scale
        normals = np.linalg.inv(surface @ surface.T)
        return GlobePicture(
            surface,
            curves=self._curves(info, size, scale, everything=True) if free and size > 0 else (),
            strong=self._curves(info, size, scale, everything=False) if free and size > 0 else (),
            paths=tuple(
                Path(lane.name, lane.colour, rows.values / scale, rows.times, np.zeros(len(rows.times)))
                for lane, rows in zip(lanes, columns, strict=True)
            ),
            labels=axis_labels(1.0 / np.sqrt(np.diagonal(normals))),
            scale=scale,
        )

    def spots(self, sight: Sight, picture: GlobePicture) -> list[Spot]:
        called = QUANTITIES[self.quantity]
        made = []
        for lane in sight.lanes:
            now = sight.at_cursor(lane.name)
            readings = tuple(
                Reading(lane.name, called.name, symbol, float(value), called.unit, called.frame)
                for symbol, value in zip(called.symbols, now, strict=True)
            )
            text = self.text(sight.info, now)
            made.append(Spot(lane.colour, now / picture.scale, text, ended=lane.frozen, readings=readings))
        return made

    def outline(self, sight: Sight, picture: GlobePicture) -> np.ndarray | None:
        if sight.info.is_free or not sight.lanes:
            return None
        inertia = sight.info.body.inertia
        size = float(self.size(inertia, sight.at_cursor(sight.lanes[0].name)[None])[0])
        now = self.surface(inertia, size) / picture.scale
        reach = float(np.abs(now).max()) if size > 0 else 0.0
        return now if 0.01 < reach < _LARGEST else None

    def _globe_size(self, sight: Sight) -> float:
        """Of the first lane, at the start or the largest so far; 0 where there is none."""
        if not sight.lanes:
            return 0.0
        first = sight.lanes[0].name
        free = sight.info.is_free
        rows = (
            np.asarray(sight.source.values(first, self.quantity)[1][:1]) if free else sight.rows(first).values
        )
        sizes = self.size(sight.info.body.inertia, rows)
        return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))

    def _curves(self, info: RunInfo, size: float, scale: float, everything: bool) -> tuple[np.ndarray, ...]:
        inertia = info.body.inertia
        if everything:
            found = [curve for level in levels(inertia, CURVES) for curve in directions(inertia, level)]
        else:
            found = separatrix(inertia)
        return tuple(self.on_surface(inertia, size, curve) / scale for curve in found)


def _thinned(column: Column, first: int, last: int, stride: int) -> np.ndarray:
    """Every so manieth row from `first`, and the last one."""
    kept = np.asarray(column[first:last:stride])
    if last > first and (last - 1 - first) % stride:
        kept = np.concatenate((kept, np.asarray(column[last - 1 : last])))
    return kept


def broken(pixels: np.ndarray, mask: np.ndarray, leap: float) -> np.ndarray:
    """A line (2, k) through the `pixels` (n, 2) of `mask` (n,), and on to the next one, NaN where it breaks: there
    is no line over a leap."""
    with np.errstate(invalid="ignore"):
        joined = np.abs(np.diff(pixels, axis=0)).max(axis=1, initial=0.0) < leap
    drawn = mask[:-1] & joined
    kept = np.zeros(len(pixels), dtype=bool)
    kept[:-1] |= drawn
    kept[1:] |= drawn
    line = np.where(kept[:, None], pixels, np.nan)
    leaps = np.flatnonzero(kept[:-1] & kept[1:] & ~drawn) + 1
    return np.insert(line, leaps, np.nan, axis=0).T if len(leaps) else line.T
