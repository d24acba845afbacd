"""How a globe is painted: where it stands in its room, and what is near and far."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QRadialGradient

from quatviz.export.figures.stripes import TOUCH
from quatviz.look.theme import UNIT
from quatviz.panels.base.globe import LABEL_AT, Gaze, GlobePicture, Label, Path
from quatviz.ui.kit.style import PlotStyle, clear, tint
from quatviz.ui.plots.curves import polylines

BEHIND = 0.32
"""How much of its colour is left of what is on the far side."""
BEYOND = 1.7
"""Points farther out than this many radii are left out."""
LEAP = 1.0
"""A step from row to row of more than this many radii is a jump, and no line."""
CELL = 11.0
"""Side of the squares on the paper, in pixels, in which paths that agree take turns."""
MARGIN = 1.24
"""Room for the globe with its labels, in radii."""
ROOMY = 7.0
"""Radius in lines of text above which there is room for words beside marks."""
_AT = (0.643, 0.766)
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

    @property
    def box(self) -> QRectF:
        reach = self.radius * MARGIN
        return QRectF(self.x - reach, self.y - reach, 2 * reach, 2 * reach)


def places(room: QRectF, captions: tuple[str, ...], line: float, gaze: Gaze) -> tuple[Projection, ...]:
    """The globes of a picture in a room: side by side or one above the other, whichever is larger."""
    count, head = len(captions), line if any(captions) else 0.0
    rows = max((1, count), key=lambda rows: _radius(room, count, rows, head))
    columns, radius = count // rows, _radius(room, count, rows, head)
    wide, high = room.width() / columns, room.height() / rows
    return tuple(
        Projection(
            room.left() + (number % columns + 0.5) * wide,
            room.top() + (number // columns + 0.5) * high + head / 2,
            radius,
            gaze.matrix,
        )
        for number in range(count)
    )


def _radius(room: QRectF, count: int, rows: int, head: float) -> float:
    return max(min(room.width() * rows / count, room.height() / rows - head) / (2 * MARGIN), 4.0)


class GlobePainter:
    """Paints a picture with a style; `hasty` while a person turns it, with thin lines, which cost a fifth."""

    def __init__(
        self, painter: QPainter, style: PlotStyle, picture: GlobePicture, hasty: bool = False
    ) -> None:
        self.painter, self.style, self.picture = painter, style, picture
        self.width = 1.0 if hasty else 1.7 + 0.9 * (style.theme.curve_width - 1.0)
        self._turns: tuple[Projection, list[np.ndarray]] | None = None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, places: tuple[Projection, ...]) -> None:
        for number, (place, caption) in enumerate(zip(places, self.picture.captions, strict=True)):
            self._caption(place, caption)
            self._ground(place)
            self._rings(place, self.picture.rings[number] if self.picture.rings else ())
            for front in (False, True):
                self._back_cloth(place, front)
                self._paths(place, number, front)
                self._words(place, number, front)
            for mark in self.picture.marks:
                if mark.text and mark.globe == number and self._roomy(place):
                    self._say(place, mark)

    def _ground(self, place: Projection) -> None:
        theme = self.style.theme
        light = QRadialGradient(
            QPointF(place.x - 0.35 * place.radius, place.y - 0.4 * place.radius), 1.5 * place.radius
        )
        light.setColorAt(0.0, tint(theme.raised, theme.surface, 1.0))
        light.setColorAt(1.0, tint(theme.line, theme.surface, 0.35))
        self.painter.setBrush(QBrush(light))
        self.painter.setPen(QPen(tint(theme.muted, theme.surface, 0.55), 1))
        self.painter.drawPolygon(outline(place, self.picture.surface))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _rings(self, place: Projection, rings: tuple[tuple[float, str], ...]) -> None:
        metrics, theme = self.style.small_metrics, self.style.theme
        self.painter.setFont(self.style.small)
        for radius, text in rings:
            size = radius * place.radius
            self.painter.setPen(QPen(tint(theme.muted, theme.surface, 0.55), 1, Qt.PenStyle.DashLine))
            if radius < 1.0:
                self.painter.drawEllipse(QPointF(place.x, place.y), size, size)
            at = QPointF(place.x + _AT[0] * size + 3, place.y + _AT[1] * size + metrics.ascent())
            self.painter.setPen(self.style.muted)
            self.painter.drawText(at, text)

    def _back_cloth(self, place: Projection, front: bool) -> None:
        theme, part = self.style.theme, 1.0 if front else BEHIND
        circles = unit_circles() @ self.picture.surface.T if self.picture.circles else ()
        for curves, strength, width in (
            (circles, 0.25, 1.0),
            (self.picture.curves, 0.42, 1.0),
            (self.picture.strong, 0.85, 1.4),
        ):
            self.painter.setPen(QPen(tint(theme.muted, theme.surface, strength * (0.3 + 0.7 * part)), width))
            if len(curves):
                joined = np.concatenate([np.append(curve, _GAP, axis=0) for curve in curves])
                self._line(place, joined, near(self.picture, joined, place) == front)

    def _paths(self, place: Projection, globe: int, front: bool) -> None:
        paths = self.picture.paths
        masks = [self._drawn(path, place, globe) for path in paths]
        if self._turns is None or self._turns[0] is not place:
            self._turns = (place, taken_in_turns(paths, place, masks))
        for path, mask, turn in zip(paths, masks, self._turns[1], strict=True):
            colour = self._faded(self.style.lane(path.colour), front)
            self.painter.setPen(QPen(colour, self.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            self._line(place, path.points, mask & turn & (near(self.picture, path.points, place) == front))

    def _drawn(self, path: Path, place: Projection, globe: int) -> np.ndarray:
        """Which points of a path (m,) are to be seen on a globe."""
        return (path.globes == globe) & (np.abs(path.points).max(axis=1, initial=0.0) < BEYOND)

    def _words(self, place: Projection, globe: int, front: bool) -> None:
        theme, metrics = self.style.theme, self.style.symbol_metrics
        self.painter.setFont(self.style.symbol)
        for label in self.picture.labels:
            if label.globe == globe and bool(near(self.picture, label.point[None], place)[0]) == front:
                colour = (
                    self.style.muted
                    if label.axis is None
                    else QColor(self.style.theme.components[1 + label.axis])
                )
                colour = self._faded(colour, front)
                x, y = place.project(label.point)
                if label.axis is not None:
                    size = np.linalg.norm(label.point)
                    stub = place.project(
                        np.outer((size - LABEL_AT + 1.0, size - 0.5 * (LABEL_AT - 1.0)), label.point) / size
                    )
                    self.painter.setPen(QPen(colour, 1.5))
                    self.painter.drawLine(QPointF(*stub[0]), QPointF(*stub[1]))
                self.painter.setPen(colour)
                wide = metrics.horizontalAdvance(label.text)
                self.painter.drawText(QPointF(x - wide / 2, y + metrics.capHeight() / 2), label.text)
        for mark in self.picture.marks:
            if mark.globe == globe and bool(near(self.picture, mark.point[None], place)[0]) == front:
                self._mark(place, mark, self._faded(QColor(theme.text), front))

    def _mark(self, place: Projection, mark: Label, colour: QColor) -> None:
        x, y = place.project(mark.point)
        self.painter.setPen(QPen(colour, 1.3))
        self.painter.setBrush(self.style.ground)
        self.painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _roomy(self, place: Projection) -> bool:
        return place.radius > ROOMY * self.style.small_metrics.height()

    def _say(self, place: Projection, mark: Label) -> None:
        """The words of a mark beside it, outward."""
        metrics, (x, y) = self.style.small_metrics, place.project(mark.point)
        wide = metrics.horizontalAdvance(mark.text)
        left = x - wide - UNIT if x < place.x else x + UNIT
        left = min(max(left, place.box.left()), place.box.right() - wide)
        box = QRectF(left, y - metrics.height() / 2, wide, metrics.height())
        self.painter.fillRect(box.adjusted(-2, 0, 2, 0), clear(self.style.theme.surface, 0.8))
        self.painter.setFont(self.style.small)
        self.painter.setPen(self.style.text)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _caption(self, place: Projection, caption: str) -> None:
        self.painter.setFont(self.style.small)
        self.painter.setPen(self.style.muted)
        high = self.style.small_metrics.height()
        box = QRectF(place.x - 2 * place.radius, place.box.top() - high, 4 * place.radius, high)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, caption)

    def _faded(self, colour: QColor, front: bool) -> QColor:
        return colour if front else tint(colour.name(), self.style.theme.surface, BEHIND)

    def _line(self, place: Projection, points: np.ndarray, mask: np.ndarray) -> None:
        if mask.any():
            x, y = broken(place.project(points), mask, LEAP * place.radius)
            (path,) = polylines(x, y[None], np.isfinite(y)[None])
            self.painter.drawPath(path)


def taken_in_turns(paths: Sequence[Path], place: Projection, drawn: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Which points of each path are its own to draw: where paths agree they take turns, so that each is seen."""
    longest = max(paths, key=lambda path: len(path.times), default=None)
    if longest is None or len(paths) == 1 or len(longest.times) < 2:
        return [np.ones(len(path.times), dtype=bool) for path in paths]
    times = longest.times
    slack = 1e-3 * float(np.ptp(times)) / len(times)
    pixels = np.full((len(paths), len(times), 2), np.nan)
    for row, path, mask in zip(pixels, paths, drawn, strict=True):
        # The last row of a lane that has got less far is between the rows of the others.
        shared = mask & (np.abs(path.times - times[: len(mask)]) <= slack)
        row[: len(mask)][shared] = place.project(path.points[shared])
    away = np.abs(pixels[:, None] - pixels[None]).max(axis=3)
    touching = away <= TOUCH
    size = touching.sum(axis=1)
    below = np.tril(np.ones((len(paths), len(paths)), dtype=bool), -1)
    rank = np.sum(touching & below[:, :, None], axis=1)
    # One cell for all that touch: that of the first of them. Stripes have their places on the paper, not in time:
    # so a path that comes by again is striped as it was before.
    first = np.argmax(touching, axis=1)
    cells = np.floor(np.nan_to_num(pixels) / CELL) @ (1.0, 2.0)
    cell = np.take_along_axis(cells, first, axis=0)
    own = (cell % np.maximum(size, 1) == rank) | (size == 0)
    return [mask[: len(path.times)] for mask, path in zip(own, paths, strict=True)]


def near(picture: GlobePicture, points: np.ndarray, place: Projection) -> np.ndarray:
    """Whether points (m, 3) are on the near side."""
    return points @ (picture.normals @ place.gaze[2]) >= 0.0


def outline(place: Projection, surface: np.ndarray) -> QPolygonF:
    """Where a surface (3, 3) ends on the paper."""
    _, _, frame = np.linalg.svd(np.linalg.solve(surface, place.gaze[2])[None, :])
    rim = np.cos(_CIRCLE)[:, None] * frame[1] + np.sin(_CIRCLE)[:, None] * frame[2]
    return polygon(place.project(rim @ surface.T))


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


def polygon(pixels: np.ndarray) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pixels.tolist()])


def unit_circles() -> np.ndarray:
    """The three great circles (3, n, 3) across the axes."""
    flat = np.stack((np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros_like(_CIRCLE)), axis=1)
    return np.stack([np.roll(flat, shift, axis=1) for shift in range(3)])
