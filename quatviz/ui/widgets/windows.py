"""Dialogs, and placement of windows on the screen."""

from PySide6.QtCore import (
    QEvent,
    QMargins,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QWidget,
)

from quatviz.base.translation import tr
from quatviz.ui.widgets.guard import Guarded, guarded
from quatviz.ui.widgets.style import theme_of


def bring_to_front(window: QWidget) -> None:
    """Show a window in front of all others and activate it."""
    window.show()
    window.raise_()
    window.activateWindow()


class Dialog(Guarded, QDialog):
    """A dialog whose minimum height fits wrapped text at its current width. By itself, Qt ignores this height.

    It is deleted when it is closed, unless `keep_on_close` is True.
    """

    def __init__(self, title: str, parent: QWidget | None, keep_on_close: bool = False) -> None:
        super().__init__(parent)
        # Otherwise Qt appends the application name with another dash.
        self.setWindowTitle(tr("{title} – quatviz", title=title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, not keep_on_close)

    def show_in_front(self) -> None:
        """Show the dialog in front of all other windows."""
        bring_to_front(self)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Resize):
            self._update_minimum_height()
        return handled

    @guarded
    def _update_minimum_height(self) -> None:
        layout = self.layout()
        if self.isVisible() and layout is not None and layout.hasHeightForWidth():
            min_height = layout.totalMinimumHeightForWidth(self.width())
            if min_height != self.minimumHeight():
                self.setMinimumHeight(min_height)


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Set the size of a window, limited to the screen, because not every desktop shrinks windows that are too large.

    If the content needs more space, the splitter in it is put into a scroll area, so that the parts below stay visible.
    """
    theme = theme_of(window)
    desired = QSize(theme.scaled_pixels(width), theme.scaled_pixels(height))
    available = window.screen().availableGeometry().size()
    window.resize(fit_size(desired, available))
    layout, max_size = window.layout(), available.shrunkBy(WINDOW_FRAME_MARGINS)
    if layout is None or layout.totalMinimumSize().boundedTo(max_size) == layout.totalMinimumSize():
        return
    first_item = layout.itemAt(0)
    content = (
        window.centralWidget()
        if isinstance(window, QMainWindow)
        else first_item.widget()
        if first_item
        else None
    )
    if not isinstance(content, QSplitter):
        return
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    if isinstance(window, QMainWindow):
        window.takeCentralWidget()
        window.setCentralWidget(area)
    else:
        layout.replaceWidget(content, area)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)


def fit_size(desired: QSize, available: QSize) -> QSize:
    """Return the desired size, limited to the available size less the window frame."""
    inner = available.shrunkBy(WINDOW_FRAME_MARGINS)
    width = desired.width() if desired.width() <= available.width() else inner.width()
    height = desired.height() if desired.height() <= available.height() else inner.height()
    return QSize(width, height)


def move_inside(rect: QRect, bounds: QRect) -> QRect:
    """Return the rectangle after it is moved, and shrunk if necessary, to fit inside `bounds`."""
    size = rect.size().boundedTo(bounds.size())
    x = max(min(rect.x(), bounds.right() + 1 - size.width()), bounds.left())
    return QRect(QPoint(x, max(min(rect.y(), bounds.bottom() + 1 - size.height()), bounds.top())), size)


WINDOW_FRAME_MARGINS = QMargins(8, 40, 8, 8)
"""Margins that a desktop adds around a window [pixels]."""
