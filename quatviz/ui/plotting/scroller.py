"""A window onto columns that may be higher than it is: they move below its edges, and a bar says where they are."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QGraphicsGridLayout,
    QGraphicsSceneResizeEvent,
    QGraphicsSceneWheelEvent,
    QGraphicsWidget,
    QScrollBar,
)

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

NOTCH = 0.5
"""Pixels for each unit of a wheel, of which a notch has 120."""


class Scroller(QGraphicsWidget):
    """Gives what is in `layout` the height that there is, or the least that it needs, and then scrolls it.

    The bar stands in the margin at the right of the view, so that it takes no width from the columns.
    """

    def __init__(self, view: BoardView) -> None:
        super().__init__()
        self.resized: Callable[[], None] = lambda: None
        """Called when there is another height."""
        self.ease = 1.0
        """How much higher than the least height the columns are where they have to be scrolled at all."""
        self._view = view
        self._content = _Content(self)
        self.layout_ = QGraphicsGridLayout(self._content)
        self.layout_.setContentsMargins(0, 0, 0, 0)
        self.bar = QScrollBar(Qt.Orientation.Vertical, view)
        self.bar.setAccessibleName(tr("Scroll the plots"))
        self.bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.bar.hide()
        self.bar.valueChanged.connect(self._scroll)

    @property
    def crowded(self) -> bool:
        """Whether there is more than can be seen at once."""
        return self.bar.maximum() > 0

    def fit(self) -> None:
        """Give the columns their height."""
        room = math.floor(self.size().height())
        needed = math.ceil(self._content.effectiveSizeHint(Qt.SizeHint.MinimumSize).height())
        needed = needed if needed <= room else math.ceil(self.ease * needed)
        self.bar.setPageStep(max(room, 1))
        self.bar.setSingleStep(5 * UNIT)
        self.bar.setMaximum(max(needed - room, 0))
        self.bar.setVisible(self.crowded)
        # Clipping costs something for each item that is painted.
        self.setFlag(self.GraphicsItemFlag.ItemClipsChildrenToShape, self.crowded)
        self._content.setGeometry(
            0, -self.bar.value(), self.size().width(), max(needed, self.size().height())
        )
        place = self.sceneBoundingRect().toAlignedRect()
        self.bar.setGeometry(self._view.width() - UNIT, place.top(), UNIT, place.height())

    def _scroll(self, value: int) -> None:
        self._content.setPos(0, -value)
        self._view.renew()

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self.fit()
        self.resized()

    @guarded
    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:
        event.setAccepted(self.crowded)
        self.bar.setValue(self.bar.value() - round(NOTCH * event.delta()))


class _Content(QGraphicsWidget):
    """What is scrolled; it says when it needs another height."""

    def __init__(self, scroller: Scroller) -> None:
        super().__init__(scroller)
        self._scroller = scroller

    @guarded
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._scroller.fit()
        return done
