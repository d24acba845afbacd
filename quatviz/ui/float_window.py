"""A window for one panel of the board, on the board's time axis; closing it gives the panel back."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from quatviz.ui.arrangement import Box
from quatviz.ui.guard import guarded
from quatviz.ui.plotting.board_view import Allowance, BoardView
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.plotting.grid import COLUMNS, Grid
from quatviz.ui.plotting.legend_row import LegendRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT, Theme

WIDTH, LEAST = 720, 240


class FloatWindow(QWidget):
    """A legend above one panel, in a viewport of its own. It stays above its parent's window, whose keys work in it,
    and closes with it."""

    closed = Signal()
    escaped = Signal()

    def __init__(
        self, theme: Theme, title: str, allowance: Allowance, choices: Choices, parent: QWidget
    ) -> None:
        # A tool window leaves the shortcuts of its parent's window in force.
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self.setWindowTitle(title)
        self.setMinimumSize(320, LEAST)
        self.view = BoardView(allowance)
        self.legend = LegendRow(PlotStyle(theme), choices)
        self.grid = Grid(self.view)
        self.view.ci.addItem(self.legend, row=0, col=0, colspan=COLUMNS)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.view)
        self.restyle(theme)

    def place_at(self, box: Box | None, strips: float) -> None:
        """Take the place and size that it had, or stand beside the board, high enough for so many strips."""
        if box is not None and _on_a_screen(box):
            self.setGeometry(QRect(*box))
            return
        self.resize(WIDTH, max(LEAST, round(16 * UNIT * strips)))
        owner = self.parentWidget()
        if owner is not None:
            self.move(owner.mapToGlobal(owner.rect().center()) - self.rect().center())

    @property
    def box(self) -> Box:
        """Where it is."""
        place = self.normalGeometry() if self.isMaximized() else self.geometry()
        return place.x(), place.y(), place.width(), place.height()

    def restyle(self, theme: Theme) -> None:
        self.view.setBackground(theme.surface)
        self.legend.restyle(PlotStyle(theme))

    def repaint_soon(self) -> None:
        """Ask for one repaint."""
        self.view.renew()

    def toggle_size(self) -> None:
        """As large as the screen, or as it was."""
        self.showNormal() if self.isMaximized() else self.showMaximized()

    def discard(self) -> None:
        """Close for good, and tell nobody."""
        self.blockSignals(True)
        self.close()
        self.deleteLater()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            event.ignore()


def _on_a_screen(box: Box) -> bool:
    place = QRect(*box)
    return any(screen.availableGeometry().intersects(place) for screen in QGuiApplication.screens())
