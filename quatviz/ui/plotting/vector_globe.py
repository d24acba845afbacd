"""What the pictures of h on its sphere and of omega on its ellipsoid share."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np

from quatviz.core.observables import QUANTITIES
from quatviz.core.polhodes import directions, levels, separatrix
from quatviz.ui.frame import Frame, LaneFrame, RunInfo, Source
from quatviz.ui.panels.base import Reading
from quatviz.ui.plotting.globe import Path, Picture, axis_labels
from quatviz.ui.plotting.globe_item import Spot
from quatviz.ui.plotting.globe_panel import GlobePanel
from quatviz.ui.plotting.numbers import fixed, scientific

CURVES = 3
"""Energy contours on each side of the separatrix."""
_LARGEST = 3.0
"""How much larger than the globe the outline of the present surface may be."""


class VectorGlobe(GlobePanel):
    """The path of a vector in body axes on the surface that its `size` belongs to: that of the first lane at the start
    where nothing acts, with the curves of all motions on it, else the largest one so far, with the present one as an
    outline. A subclass gives `quantity`, `size`, `surface` and `on_surface`."""

    def __init__(self) -> None:
        super().__init__()
        self._free = False
        self._scale = 1.0
        self._now: list[tuple[LaneFrame, np.ndarray]] = []

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

    def start(self, source: Source) -> None:
        self._free = is_free(source.info)
        super().start(source)

    def picture(self, frame: Frame) -> Picture:
        assert self.source is not None
        info, lanes = self.source.info, self.lanes(frame)
        columns = [self.rows(lane.name, frame) for lane in lanes]
        size = self._globe_size(info, frame, lanes)
        surface = self.surface(info.body.inertia, size) if size > 0 else np.eye(3)
        self._scale = float(np.linalg.norm(surface, axis=0).max())
        surface = surface / self._scale
        normals = np.linalg.inv(surface @ surface.T)
        return Picture(
            surface,
            curves=self._curves(info, size, everything=True) if self._free and size > 0 else (),
            strong=self._curves(info, size, everything=False) if self._free and size > 0 else (),
            paths=tuple(
                Path(lane.name, lane.colour, rows.values / self._scale, rows.times, np.zeros(len(rows.times)))
                for lane, rows in zip(lanes, columns, strict=True)
            ),
            labels=axis_labels(1.0 / np.sqrt(np.diagonal(normals))),
        )

    def spots(self, frame: Frame) -> list[Spot]:
        assert self.source is not None
        info = self.source.info
        self._now = [(lane, self.at_cursor(lane.name, frame.time)) for lane in self.lanes(frame)]
        return [
            Spot(lane.colour, now / self._scale, self.text(info, now), ended=lane.frozen)
            for lane, now in self._now
        ]

    def outline(self, frame: Frame) -> np.ndarray | None:
        if self._free or not self._now:
            return None
        assert self.source is not None
        inertia = self.source.info.body.inertia
        size = float(self.size(inertia, self._now[0][1][None])[0])
        now = self.surface(inertia, size) / self._scale
        reach = float(np.abs(now).max()) if size > 0 else 0.0
        return now if 0.01 < reach < _LARGEST else None

    def readings(self) -> list[Reading]:
        called = QUANTITIES[self.quantity]
        return [
            Reading(lane.name, called.name, symbol, float(value), called.unit, called.frame)
            for lane, now in self._now
            for symbol, value in zip(called.symbols, now, strict=True)
        ]

    def _globe_size(self, info: RunInfo, frame: Frame, lanes: list[LaneFrame]) -> float:
        """Of the first lane, at the start or the largest so far; 0 where there is none."""
        if not lanes:
            return 0.0
        rows = self.rows(lanes[0].name, frame).values
        if self._free:
            assert self.source is not None
            rows = np.asarray(self.source.values(lanes[0].name, self.quantity)[1][:1])
        sizes = self.size(info.body.inertia, rows)
        return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))

    def _curves(self, info: RunInfo, size: float, everything: bool) -> tuple[np.ndarray, ...]:
        inertia = info.body.inertia
        if everything:
            found = [curve for level in levels(inertia, CURVES) for curve in directions(inertia, level)]
        else:
            found = separatrix(inertia)
        return tuple(self.on_surface(inertia, size, curve) / self._scale for curve in found)


def four_digits(value: float) -> str:
    """`value` with four digits, in powers of ten where it is very large or small."""
    if value == 0:
        return "0"
    decade = math.floor(math.log10(abs(value))) if math.isfinite(value) else 0
    return fixed(value, max(3 - decade, 0)) if -4 < decade < 6 else scientific(value, 3)


def is_free(info: RunInfo) -> bool:
    """Whether |h| and T stay: no load acts, and there is no ring inside."""
    return not info.loads and info.body.ring is None
