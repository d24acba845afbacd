"""How a globe is painted: where it stands in its room, and what is near and far."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QRadialGradient

from quatviz.export.figures.stripes import taken_in_turns
from quatviz.look.theme import UNIT
from quatviz.panels.base.globe import LABEL_AT, Gaze, GlobePicture, Label, broken
from quatviz.ui.kit.style import PlotStyle, clear, tint
from quatviz.ui.plots.curves import polylines

BEHIND = 0.32
"""How much of its colour is left of what is on the far side."""
BEYOND = 1.7
"""Points farther out than this many radii are left out."""
LEAP = 1.0
"""A step from row to row of more than this many radii is a jump, and no line."""
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
        self.width = 1.0 if hasty else 0.9 * style.theme.curve_width - 0.1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, places: tuple[Projection, ...]) -> None:
        for number, (place, caption) in enumerate(zip(places, self.picture.captions, strict=True)):
            self._caption(place, caption)
            self._ground(place)
            self._rings(place, self.picture.rings[number] if self.picture.rings else ())
            laid = self._lay(place, number)
            for front in (False, True):
                self._back_cloth(place, front)
                self._paths(place, laid, front)
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
                self._line(place, place.project(joined), near(self.picture, joined, place) == front)

    def _paths(self, place: Projection, laid: list["Laid"], front: bool) -> None:
        for path, (pixels, own, closer) in zip(self.picture.paths, laid, strict=True):
            colour = self._faded(self.style.lane(path.colour), front)
            self.painter.setPen(QPen(colour, self.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            self._line(place, pixels, own & (closer == front))

    def _lay(self, place: Projection, globe: int) -> list["Laid"]:
        """The paths of a globe."""
        paths = self.picture.paths
        seen = [(path.globes == globe) & (np.abs(path.points) < BEYOND).all(axis=1) for path in paths]
        pixels = [place.project(path.points) for path in paths]
        turns = taken_in_turns([path.times for path in paths], pixels, seen)
        own = map(np.logical_and, seen, turns)
        return list(zip(pixels, own, (near(self.picture, path.points, place) for path in paths), strict=True))

    def _words(self, place: Projection, globe: int, front: bool) -> None:
        theme, metrics = self.style.theme, self.style.symbol_metrics
        self.painter.setFont(self.style.symbol)
        for label in self.picture.labels:
            if label.globe == globe and bool(near(self.picture, label.point[None], place)[0]) == front:
                axis = label.axis
                colour = self.style.muted if axis is None else QColor(theme.components[1 + axis])
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

    def _line(self, place: Projection, pixels: np.ndarray, mask: np.ndarray) -> None:
        if mask.any():
            x, y = broken(pixels, mask, LEAP * place.radius)
            (path,) = polylines(x, y[None], np.isfinite(y)[None])
            self.painter.drawPath(path)


Laid = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of a path its pixels (m, 2), which of its points it draws (m,), and which are on the near side (m,)."""


def outline(place: Projection, surface: np.ndarray) -> QPolygonF:
    """Where a surface (3, 3) ends on the paper."""
    _, _, frame = np.linalg.svd(np.linalg.solve(surface, place.gaze[2])[None, :])
    rim = np.cos(_CIRCLE)[:, None] * frame[1] + np.sin(_CIRCLE)[:, None] * frame[2]
    return QPolygonF([QPointF(x, y) for x, y in place.project(rim @ surface.T).tolist()])


def near(picture: GlobePicture, points: np.ndarray, place: Projection) -> np.ndarray:
    """Whether points (m, 3) are on the near side."""
    return points @ (picture.normals @ place.gaze[2]) >= 0.0


def unit_circles() -> np.ndarray:
    """The three great circles (3, n, 3) across the axes."""
    flat = np.stack((np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros_like(_CIRCLE)), axis=1)
    return np.stack([np.roll(flat, shift, axis=1) for shift in range(3)])
