"""The one viewport of all plots, and how much of it may be drawn anew in one repaint."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Protocol, runtime_checkable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QRegion, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView, QStyleOptionGraphicsItem

from quatviz.ui.guard import guarded
from quatviz.ui.tr import tr

PICTURES_PER_REPAINT = 2
"""Pictures of plots that one repaint draws anew while a run plays: drawing all of them would hold up the 3D view for
three frames."""

HASTE = 0.03
"""Seconds of one repaint for pictures of which there is nothing to show, where all of them are to be drawn at once: the
others show their ground until the next one."""


class Allowance:
    """How many pictures may still be drawn in this repaint. An item that is refused shows what it had, and is owed."""

    def __init__(self) -> None:
        self.limited = False
        """Whether time matters: while a run plays."""
        self.hasty = False
        """Whether the first picture is waited for: the axis has leapt."""
        self._until = 0.0
        self._bare: list[QGraphicsItem] = []
        """Items that show their ground."""
        self._owed: list[QGraphicsItem] = []
        self._left = 0

    def renew(self) -> None:
        """A repaint begins."""
        self._left, self._until = PICTURES_PER_REPAINT, monotonic() + HASTE

    def begin(self, item: QGraphicsItem) -> bool:
        """Whether this item, which has nothing to show, is drawn whole now, and not with the next repaint."""
        refused = self.hasty and monotonic() > self._until
        if refused and item not in self._bare:
            self._bare.append(item)
        return not refused

    def take(self, item: QGraphicsItem) -> bool:
        """Whether this item may be drawn anew."""
        self._left -= 1
        refused = self.limited and self._left < 0
        if refused and item not in self._owed:
            self._owed.append(item)
        return not refused

    def due(self) -> list[QGraphicsItem]:
        """The items whose turn it is: those that show their ground, and as many others as one repaint draws, or all where
        time does not matter."""
        count = PICTURES_PER_REPAINT if self.limited else len(self._owed)
        due, self._owed = [*self._bare, *self._owed[:count]], self._owed[count:]
        self._bare = []
        return [item for item in due if item.scene() is not None]


@runtime_checkable
class Mover(Protocol):
    """An item with something that moves over it: a cursor, which leaves the rest of the item as it was drawn."""

    def draw_moving(self, painter: QPainter) -> None:
        """Draw that alone, in the item's coordinates."""
        ...


_UNSEEN = (pg.GraphicsLayout,)
"""Items that paint nothing themselves."""


@dataclass(frozen=True)
class _Place:
    """Where an item stands in the viewport, and what it covers."""

    item: QGraphicsItem
    transform: QTransform
    rect: QRect
    moves: Mover | None
    """The item, if something moves over it."""
    shown: QRect | None = None
    """As much of the rectangle as can be seen, where that is less than all of it."""


class BoardView(pg.GraphicsLayoutWidget):
    """It repaints when the board says so: Qt would flush the window once per item. Items are painted into one picture,
    when they change; a cursor that moves over them costs a copy of it and a line."""

    def __init__(self, allowance: Allowance) -> None:
        super().__init__()
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setAccessibleName(tr("Plots"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys belong to the window
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.repaints = 0
        self._allowance = allowance
        self._picture = QPixmap()
        self._stale = QRegion()
        """What of the picture shows items as they no longer are."""
        self._places: list[_Place] | None = None
        """Visible items; None where they may have been moved."""
        self.scene().changed.connect(self._renew_changed)

    def renew(self, region: QRegion | None = None) -> None:
        """Paint the items of this region anew with the next repaint, or all."""
        if region is None:
            region, self._places = QRegion(self.viewport().rect()), None
        self._stale += region
        self.viewport().update(region)

    def move_over(self, region: QRegion | None = None) -> None:
        """Something has moved over the items of this region, or anywhere."""
        self.viewport().update(QRegion(self.viewport().rect()) if region is None else region)

    def _renew_changed(self, regions: list[QRectF]) -> None:
        """Items have changed there: been moved, or asked to be painted. The others stand where they stood."""
        region = QRegion()
        for place in regions:
            region += self.mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1)
        if self._places is not None:  # also of those that are out of sight: they may come from there
            items = self._visible()
            known = {place.item: place for place in self._places if not region.intersects(place.rect)}
            self._places = [known.get(item) or self._place(item) for item in items]
        region &= self.viewport().rect()
        if not region.isEmpty():
            self.renew(region)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        self.repaints += 1
        region, viewport = event.region(), self.viewport()
        ratio = viewport.devicePixelRatioF()
        size = (viewport.size().toSizeF() * ratio).toSize()
        if self._picture.size() != size:
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._stale, self._places = QRegion(viewport.rect()), None
        if not self._stale.isEmpty():
            self.scene().prepareForPaint()  # pyqtgraph's own items bring their transforms up to date
            stale, self._stale = self._stale, QRegion()
            self._allowance.renew()
            self._paint_items(stale)
        with QPainter(viewport) as painter:
            painter.setClipRegion(region)
            painter.drawPixmap(0, 0, self._picture)
            for place in self._places_in(region):
                if place.moves is not None:
                    painter.resetTransform()  # which a clip would otherwise be moved by
                    painter.setClipRegion(region if place.shown is None else region & place.shown)
                    painter.setTransform(place.transform)
                    painter.setOpacity(place.item.effectiveOpacity())
                    place.moves.draw_moving(painter)

    def _paint_items(self, region: QRegion) -> None:
        option = QStyleOptionGraphicsItem()
        with QPainter(self._picture) as painter:
            painter.setClipRegion(region)
            painter.fillRect(region.boundingRect(), self.backgroundBrush())
            for place in self._places_in(region):
                painter.save()
                painter.setTransform(place.transform)
                painter.setOpacity(place.item.effectiveOpacity())
                if place.item.isClipped():
                    painter.setClipPath(place.item.clipPath(), Qt.ClipOperation.IntersectClip)
                try:
                    place.item.paint(painter, option, self.viewport())
                finally:
                    painter.restore()

    def _places_in(self, region: QRegion) -> list[_Place]:
        """The items there, from the lowest to the topmost."""
        if self._places is None:
            self._places = [self._place(item) for item in self._visible()]
        return [place for place in self._places if region.intersects(place.rect)]

    def _visible(self) -> list[QGraphicsItem]:
        """What paints anything, from the lowest to the topmost; Qt lists hidden items too."""
        items = reversed(QGraphicsView.items(self))
        return [item for item in items if not isinstance(item, _UNSEEN) and item.isVisible()]

    def _place(self, item: QGraphicsItem) -> _Place:
        """Where it stands. A layout places items between pixels; hairlines must not be."""
        rect = self.mapFromScene(item.sceneBoundingRect()).boundingRect().adjusted(-1, -1, 1, 1)
        moves = item if isinstance(item, Mover) else None
        shown = self._shown(item, rect) if moves is not None else None
        whole = item.deviceTransform(self.viewportTransform())
        if whole.isScaling() or whole.isRotating():
            return _Place(item, whole, rect, moves, shown)  # of a panel from outside
        ratio = self.viewport().devicePixelRatioF()
        at = whole.map(QPointF(0.0, 0.0))
        rounded = QTransform.fromTranslate(round(at.x() * ratio) / ratio, round(at.y() * ratio) / ratio)
        return _Place(item, rounded, rect, moves, shown)

    def _shown(self, item: QGraphicsItem, rect: QRect) -> QRect | None:
        """What of an item in `rect` a scrolled parent leaves to be seen; None where that is all of it."""
        if not item.isClipped():
            return None
        part = self.mapFromScene(item.mapToScene(item.clipPath().boundingRect())).boundingRect()
        return None if part.contains(rect.adjusted(2, 2, -2, -2)) else part
