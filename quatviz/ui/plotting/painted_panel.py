"""A panel that is no curve over time: a title above one picture, painted anew only when what it says changes."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable
from time import monotonic
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QGraphicsSceneMouseEvent,
    QGraphicsWidget,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.frame import Frame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.plotting.rows import TitleRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr


class PaintedPanel(Panel):
    """Extend it with `content`, what it says in a frame, and `draw`. The board repaints everything in each frame;
    this picture comes from a cache. `content` is asked for at most once per `interval`, but at once when `prompt`
    changes."""

    interval: ClassVar[float] = 0.5
    """Seconds between changes."""
    note: ClassVar[str] = ""

    def __init__(self) -> None:
        self.report: Callable[[Exception], None] = lambda error: None
        self.offer: Callable[[QPoint], None] = lambda point: None
        self.said: tuple[Hashable, ...] = ()
        """The content that is shown."""
        self.source: Source | None = None
        self._prompt: Hashable = None
        self._at = -self.interval

    @abstractmethod
    def content(self, frame: Frame) -> tuple[Hashable, ...]:
        """What there is to say."""

    @abstractmethod
    def draw(self, painter: QPainter, style: PlotStyle, room: QRectF) -> None:
        """Paint `said` into `room`, which begins below the title."""

    def prompt(self, frame: Frame) -> Hashable:
        """What a person must not wait for: which lanes are shown, and how they fare."""
        return tuple((lane.name, lane.visible, lane.status) for lane in frame.lanes)

    def build(self, layout: pg.GraphicsLayout, theme: Theme) -> None:
        layout.layout.setContentsMargins(0, 0, 0, 0)
        layout.layout.setSpacing(0)
        style = PlotStyle(theme)
        self._title = TitleRow(style, tr(self.title), "", None, Choices())
        self._picture = _Picture(self, style)
        layout.addItem(self._title, row=0, col=0)
        layout.addItem(self._picture, row=1, col=0)
        self.restyle(theme)

    def start(self, source: Source) -> None:
        self.source, self.said, self._prompt = source, (), None
        self._title.say(tr(self.note))
        self._picture.renew()

    def show(self, frame: Frame) -> None:
        prompt, now = self.prompt(frame), monotonic()
        if prompt == self._prompt and now - self._at < self.interval:
            return
        self._prompt, self._at = prompt, now
        said = self.content(frame)
        if said != self.said:
            self.said = said
            self._picture.outdate()

    def dirty(self) -> list[QRectF]:
        return [self._picture.sceneBoundingRect()] if self._picture.outdated else []

    def restyle(self, theme: Theme) -> None:
        style = PlotStyle(theme)
        self._title.restyle(style, style.text)
        self._picture.style_ = style
        self._picture.renew()

    def colour_of(self, lane: str) -> int:
        """The number of a lane's colour."""
        assert self.source is not None
        info = self.source.info
        return info.colours[info.lanes.index(lane)]


class _Picture(QGraphicsWidget):
    def __init__(self, panel: PaintedPanel, style: PlotStyle) -> None:
        super().__init__()
        self._panel, self.style_ = panel, style
        self._drawn = QPixmap()
        """What the panel drew last; null where it has something else to say."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(48)
        self.setAcceptedMouseButtons(Qt.MouseButton.RightButton)

    @guarded
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self._panel.offer(event.screenPos())

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        try:
            if widget is None:
                self._draw(painter)  # into a figure
            else:
                self._lay(painter, widget.devicePixelRatioF())
        except Exception as error:
            self._panel.report(error)

    @property
    def outdated(self) -> bool:
        """Whether it has yet to be drawn anew."""
        return self._drawn.isNull()

    def outdate(self) -> None:
        """Draw it anew when it is painted next."""
        self._drawn = QPixmap()

    def renew(self) -> None:
        """Draw it anew, and soon."""
        self.outdate()
        self.update()

    def _draw(self, painter: QPainter) -> None:
        if self._panel.said:
            self._panel.draw(painter, self.style_, self.rect())

    def _lay(self, painter: QPainter, ratio: float) -> None:
        size = QSize(math.ceil(self.size().width()), math.ceil(self.size().height())) * ratio
        if self._drawn.size() != size:
            drawn = QPixmap(size)
            drawn.setDevicePixelRatio(ratio)
            drawn.fill(self.style_.ground)
            with QPainter(drawn) as inner:
                self._draw(inner)
            self._drawn = drawn
        painter.drawPixmap(0, 0, self._drawn)
