"""Asking views for a repaint of a few places, where all of it would cost a hundred times as much."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QGraphicsItem

from quatviz.ui.plotting.board_view import BoardView


def repaint(view: BoardView | None, places: Iterable[QRectF]) -> None:
    """Paint the items at these places of the scene anew in its view."""
    if view is not None:
        view.renew(_region(view, places))


def repaint_cursors(view: BoardView | None, places: Iterable[QRectF]) -> None:
    """Paint what moves over the items at these places, and not the items."""
    if view is not None:
        view.move_over(_region(view, places))


def repaint_items(items: Iterable[QGraphicsItem]) -> None:
    """Repaint these items where they are."""
    for item in items:
        for view in item.scene().views():
            if isinstance(view, BoardView):
                repaint(view, [item.sceneBoundingRect()])


def _region(view: BoardView, places: Iterable[QRectF]) -> QRegion:
    region = QRegion()
    for place in places:
        region += view.mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1)
    return region
