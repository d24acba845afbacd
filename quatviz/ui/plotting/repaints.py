"""Asking views for a repaint of a few places, where all of it would cost a hundred times as much."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QGraphicsItem, QGraphicsView


def repaint(view: QGraphicsView | None, places: Iterable[QRectF]) -> None:
    """Repaint these places of the scene in its view."""
    region = QRegion()
    if view is not None:
        for place in places:
            region += view.mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1)
        view.viewport().update(region)


def repaint_items(items: Iterable[QGraphicsItem]) -> None:
    """Repaint these items where they are."""
    for item in items:
        for view in item.scene().views():
            repaint(view, [item.sceneBoundingRect()])
