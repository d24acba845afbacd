"""A globe in the window: drawn once and kept, turned by dragging, with the points at the cursor over it."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.lazy_columns import large_numbers
from quatviz.display.panels.base import Pointed, Reading
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.globe import Gaze, GlobePanel, GlobePicture, Sight, Spot
from quatviz.display.view_state.theme import UNIT
from quatviz.export.figures.globe import Projection, near, places
from quatviz.ui.plots.globe_painter import GlobePainter, outline
from quatviz.ui.plots.panel_view import Given, Kept, PanelView
from quatviz.ui.plots.strip_plot import SLIP
from quatviz.ui.widgets.painting import draw_cross
from quatviz.ui.widgets.style import tint

REACH = 14.0
"""How far from a path, in pixels, a click still means it."""
SAME = 3.0
"""Points of paths that are this many pixels apart are at one place."""
BACK = 4.0
"""By how many pixels what is on the far side counts as farther away."""
SPOT, LEAST_SPOT = 6.5, 2.5
"""Radii of the points at the cursor, from the first lane to the last: where lanes agree, all are seen."""
LEAST, WITH_WORDS = 150.0, 200.0
"""Height in pixels below which a globe says nothing, and that which words must leave to it."""
_WRAPPED = Qt.TextFlag.TextWordWrap
_ARM = 4.0


INTERVAL = 0.5
"""Seconds between drawings of paths that grow while the run plays."""


class GlobeView(PanelView):
    """Asks its panel for another picture when rows, lanes or the choice change, and for spots in every frame."""

    panel: GlobePanel

    def __init__(self, panel: GlobePanel, given: Given) -> None:
        super().__init__(panel, given)
        self.globe = GlobeItem(self, given, tr(panel.title))
        self.body.addWidget(self.globe, 1)
        self._prompt: object = None
        self._grown: object = None

    @property
    def weight(self) -> float:
        return self.panel.weight

    @property
    def option(self) -> str:
        """What is chosen in it."""
        return self.given.choices.option(self.panel.choice) if self.panel.choice is not None else ""

    def start(self, source: Source) -> None:
        super().start(source)
        self._prompt = None
        self.globe.take(GlobePicture(), self.panel.words(self.option, source.info))
        self._say()

    def forget(self) -> None:
        super().forget()
        self.globe.take(GlobePicture(), "")

    @large_numbers
    def show_frame(self, frame: Frame) -> None:
        if self.source is None:
            return
        sight = Sight(self.source, frame, self.option, self.panel.quantity)
        prompt = (
            tuple((lane.name, lane.colour, lane.visible, lane.status) for lane in frame.lanes),
            self.option,
            sight.stride,
            sight.page,
        )
        grown = (frame.duration, *(sight.stretch(lane.name) for lane in sight.lanes))
        urgent = prompt != self._prompt or not frame.playing
        if (prompt, grown) != (self._prompt, self._grown) and frame.budget.pictures.grants(
            self.name, len(sight.lanes), INTERVAL, urgent
        ):
            self._prompt, self._grown = prompt, grown
            words = self.panel.words(self.option, sight.info)
            self.globe.take(self.panel.picture(sight), words, sight.info.sketched)
            self._say(sight.pages_text)
        picture = self.globe.picture
        self.globe.point(
            frame.time, self.panel.spots(sight, picture), self.panel.outline(sight, picture), frame.reads
        )

    def readings(self) -> list[Reading]:
        return [reading for spot in self.globe.spots for reading in spot.readings]

    def point_at(self, pointed: Pointed | None) -> bool:
        return pointed is not None and pointed.quantity == self.panel.quantity

    def _say(self, pages: str = "") -> None:
        self.heading.say(", ".join(part for part in (tr(self.panel.note), pages) if part))


class GlobeItem(Kept):
    """Keeps its picture; the points at the cursor are drawn over it."""

    least = LEAST

    def __init__(self, parent: QWidget, given: Given, name: str) -> None:
        super().__init__(parent, given, name)
        self.gaze = Gaze()
        self.picture = GlobePicture()
        self.words = ""
        """What is seen, in plain words, below it where there is room."""
        self.spots: list[Spot] = []
        self.outline: np.ndarray | None = None
        """The surface (3, 3) whose edge is drawn at the cursor, where it changes with time."""
        self._places: tuple[Projection, ...] = ()
        self._painted: list[QRectF] = []
        self._read: list[tuple[str, int | None]] = []
        self._told = self._read
        self._time = 0.0
        self._pressed = self._dragged = QPointF()
        self._turning = self._hasty = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(tr("Drag to turn, double-click to turn back, click a path to go to its time"))

    # The panel's side

    def take(self, picture: GlobePicture, words: str, hasty: bool = False) -> None:
        """Show another picture; a `hasty` one, which another follows soon, by thin lines."""
        self.picture, self.words, self._hasty = picture, words, hasty
        self.renew()

    def point(self, time: float, spots: list[Spot], outline: np.ndarray | None, reads: bool = True) -> None:
        """Put the cursor's points there, and what is said of them where the frame `reads` numbers."""
        self._time, self.spots, self.outline = time, spots, outline
        self._read = self.numbers() if reads else self._read
        for rect in self._changed():
            self.update(rect.toAlignedRect())

    @large_numbers
    def _changed(self) -> list[QRectF]:
        """What has changed since it was painted."""
        told = [self._foot] if self._read != self._told else []
        if self.outline is not None:
            return [QRectF(*place.box) for place in self.places] + told
        return [*self._painted, *self._boxes(), *told]

    @property
    def places(self) -> tuple[Projection, ...]:
        if not self._places:
            room = Box(0.0, 0.0, self._foot.right(), self._foot.top())
            self._places = places(room, self.picture.captions, self.style_.small_metrics.height(), self.gaze)
        return self._places

    @large_numbers
    def time_near(self, pixel: QPointF) -> float | None:
        """The time of the nearest path within reach; of several turns that pass there, that nearest to the cursor."""
        found: list[tuple[float, float]] = []
        for globe, place in enumerate(self.places):
            for path in self.picture.paths:
                away = np.hypot(*(place.project(path.points) - (pixel.x(), pixel.y())).T)
                away = away + np.where(near(self.picture, path.points, place), 0.0, BACK)
                away[(path.globes != globe) | ~np.isfinite(away)] = np.inf
                least = min(REACH, float(away.min(initial=np.inf)) + SAME)
                there = np.flatnonzero(away <= least)
                found += zip(away[there].tolist(), path.times[there].tolist(), strict=True)
        if not found:
            return None
        least = min(away for away, _ in found) + SAME
        return min((time for away, time in found if away <= least), key=lambda time: abs(time - self._time))

    def turn(self, right: float, down: float) -> None:
        """Turn the globe by a drag of so many pixels."""
        radius = self.places[0].radius
        self.gaze = self.gaze.turned(right / radius, down / radius)
        self.renew()

    # Qt's side

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._turning = event.position(), False
        event.setAccepted(event.button() != Qt.MouseButton.RightButton)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        moved = (event.position() - self._pressed).manhattanLength()
        if not event.buttons() & Qt.MouseButton.LeftButton or (moved <= SLIP and not self._turning):
            return
        step = event.position() - (self._dragged if self._turning else self._pressed)
        self._turning, self._dragged = True, event.position()
        self.turn(step.x(), step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._turning:
            self._turning = False
            self.renew()
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        time = self.time_near(event.position())
        if time is not None:
            self._given.seek(time)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.gaze = Gaze()
        self.renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.renew()

    @large_numbers
    def draw_on(self, painter: QPainter, ratio: float) -> None:
        super().draw_on(painter, ratio)
        self._draw_cursor(painter)

    # Drawing

    @property
    def _foot(self) -> QRectF:
        """The line below the globe, for numbers."""
        high = self.style_.normal_metrics.height() + UNIT / 2
        return QRectF(0.0, self.height() - self._told_high - high, self.width(), high)

    @property
    def _told_high(self) -> float:
        """Height of the words, 0 where they would leave too little of the globe."""
        style = self.style_
        room = QRectF(0.0, 0.0, max(self.width() - style.gutter - style.margin, 1.0), 1e6)
        high = style.small_metrics.boundingRect(room, _WRAPPED, self.words).height() + UNIT / 2
        return high if self.words and self.height() > high + WITH_WORDS else 0.0

    def renew(self) -> None:
        self._places = ()
        super().renew()

    def numbers(self) -> list[tuple[str, int | None]]:
        """The numbers of all lanes with their colours, once where they agree."""
        alive = [spot for spot in self.spots if not spot.ended]
        if len({spot.text for spot in alive}) == 1:
            return [(alive[0].text, None)]
        return [(spot.text, spot.colour) for spot in alive]

    def draw(self, painter: QPainter) -> None:
        GlobePainter(painter, self.style_, self.picture, hasty=self._turning or self._hasty).paint(
            self.places
        )
        if self._told_high:
            painter.setFont(self.style_.small)
            painter.setPen(self.style_.muted)
            room = QRectF(self.rect()).adjusted(self.style_.gutter, 0, -self.style_.margin, 0)
            room.setTop(self._foot.bottom())
            painter.drawText(room, _WRAPPED, self.words)

    def _draw_cursor(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.outline is not None:
            painter.setPen(QPen(tint(self.style_.theme.text, self.style_.theme.surface, 0.6), 1.2))
            for place in self.places:
                painter.drawPolygon(outline(place, self.outline))
        self._painted = self._boxes()
        for (spot, place, size), box in zip(self._placed(), self._painted, strict=True):
            colour = self.style_.lane(spot.colour)
            front = bool(near(self.picture, spot.point[None], place)[0])
            if spot.ended:
                painter.setPen(QPen(colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                draw_cross(painter, box.center(), _ARM)
                continue
            painter.setPen(QPen(self.style_.ground if front and size == SPOT else colour, 1.2))
            painter.setBrush(colour if front else self.style_.ground)
            painter.drawEllipse(box.center(), size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._told = self._read
        self._write(painter, self._told)

    def _write(self, painter: QPainter, said: list[tuple[str, int | None]]) -> None:
        style, foot = self.style_, self._foot
        right, baseline = (
            foot.right() - style.margin,
            foot.bottom() - style.normal_metrics.descent() - UNIT / 4,
        )
        whole = style.width(style.normal_metrics, said[0][0]) if said else 0.0
        x = max(min(float(style.gutter), right - whole), float(style.margin))  # the first is read whole
        painter.setFont(style.normal)
        for number, (text, colour) in enumerate(said):
            room = right - x
            wide = style.width(style.normal_metrics, text)
            if number and wide > room:
                painter.setPen(style.muted)
                painter.drawText(QPointF(x, baseline), "…")
                return
            painter.setPen(style.text if colour is None else style.lane(colour))
            painter.drawText(QPointF(x, baseline), text)
            x += wide + 2 * UNIT

    def _placed(self) -> list[tuple[Spot, Projection, float]]:
        """The points that can be drawn, the globes they are on, and their radii."""
        places = self.places
        step = (SPOT - LEAST_SPOT) / max(len(self.spots) - 1, 1.5)
        return [
            (spot, places[spot.globe], SPOT - number * step)
            for number, spot in enumerate(self.spots)
            if spot.globe < len(places) and bool(np.isfinite(spot.point).all())
        ]

    def _boxes(self) -> list[QRectF]:
        boxes = []
        for spot, place, size in self._placed():
            x, y = place.project(spot.point)
            reach = max(size, _ARM) + 2.0
            boxes.append(QRectF(x - reach, y - reach, 2 * reach, 2 * reach))
        return boxes
