"""The window of the cards: which lane, and its card; or the six multiplier forms."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from quatviz.cards import Point
from quatviz.ui.cards.lane_card import LaneCard
from quatviz.ui.cards.six_card import SixCard
from quatviz.ui.guard import guarded
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.setup.entry import ChoiceBox
from quatviz.ui.theme import UNIT, Theme


class CardWindow(QWidget):
    """It stays above the main window, whose keys work in it."""

    pointed = Signal(str)
    """The quantity of the term that is pointed at; empty for none."""
    lane_chosen = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self._theme = theme
        self.card: LaneCard | SixCard | None = None
        self.six = False
        """Whether the six forms are shown."""
        self._lane_id = ""
        self.setWindowTitle("Equations – quatviz")
        self.lanes = ChoiceBox({})
        self.lanes.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.lanes.setAccessibleName("Lane whose equations are shown")
        self.lanes.activated.connect(lambda _: self.lane_chosen.emit(self.lanes.currentText()))
        self.switch = QuietButton("")
        self.switch.clicked.connect(lambda: self.show_six(not self.six))
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        top = QHBoxLayout()
        top.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, UNIT)
        top.addWidget(self.lanes)
        top.addStretch(1)
        top.addWidget(self.switch)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(top)
        box.addWidget(self._area, 1)
        self.resize(880, 760)

    def show_lanes(self, names: tuple[str, ...], chosen: str, lane_id: str) -> None:
        """These lanes are to choose from; the chosen one is of this id."""
        if names != tuple(self.lanes.itemText(row) for row in range(self.lanes.count())):
            self.lanes.clear()
            self.lanes.addItems(names)
        self.lanes.setCurrentText(chosen)
        fresh, self._lane_id = lane_id != self._lane_id, lane_id
        if self.card is None or (fresh and not self.six):
            self._put()

    def show_six(self, on: bool) -> None:
        """Show the six multiplier forms, or the lane's own card."""
        if on != self.six or self.card is None:
            self.six = on
            self._put()
            if on:
                self.resize(max(self.width(), 1560), max(self.height(), 860))

    def show_point(self, at: Point, singularity: float) -> None:
        """Show the numbers of this moment."""
        if isinstance(self.card, LaneCard):
            self.card.show_point(at, singularity)
        elif self.card is not None:
            self.card.show_point(at)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        if self.card is not None:
            self.card.restyle(theme)

    def _put(self) -> None:
        self.pointed.emit("")
        self.card = SixCard(self._theme) if self.six else LaneCard(self._theme, self._lane_id)
        self.card.pointed.connect(
            lambda view: self.pointed.emit(view.term.quantity if view is not None else "")
        )
        self._area.setWidget(self.card)  # which deletes the one before
        self.switch.setText("Equations of the lane" if self.six else "Compare the six multiplier forms")

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            event.ignore()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.pointed.emit("")
        self.closed.emit()
