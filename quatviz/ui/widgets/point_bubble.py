"""Text lines that float beside a point of a plot."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    Qt,
)
from PySide6.QtWidgets import (
    QLabel,
    QWidget,
)

from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.guard import Guarded


class PointBubble(Guarded, QLabel):
    """Text lines beside a point of a widget. They ignore the mouse.

    They are hidden when the widget is resized, because this moves the point, and when the mouse leaves the widget. With
    `rich_text` the lines are HTML.
    """

    def __init__(self, target: QWidget, rich_text: bool = False) -> None:
        super().__init__(target)
        self._target, self._separator = target, "<br>" if rich_text else "\n"
        self.setObjectName("bubble")
        self.setTextFormat(Qt.TextFormat.RichText if rich_text else Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        target.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Leave):
            self.hide()
        return False

    def show_at(self, lines: Sequence[str], point: QPoint) -> None:
        """Show these lines beside a point, so that they stay within the widget."""
        self.setText(self._separator.join(lines))
        self.adjustSize()
        target = self._target
        left = point.x() + 2 * GRID_UNIT
        if left + self.width() > target.width():
            left = point.x() - 2 * GRID_UNIT - self.width()
        top = min(max(point.y() - self.height() // 2, 0), max(target.height() - self.height(), 0))
        self.move(max(left, 0), top)
        self.show()
        self.raise_()
