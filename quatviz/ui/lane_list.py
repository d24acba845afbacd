"""The lanes of the run: colour, name, and how each one fares."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.theme import UNIT, Theme

WORDS = {
    "preparing": "preparing…",
    "running": "computing",
    "ok": "complete",
    "singular": "ended: singular",
    "not_finite": "ended: not finite",
    "step_failed": "ended: step failed",
}


class LaneList(QWidget):
    """One row per lane, written only when its words change; a lane that ended early says why below its name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[_Row] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(UNIT)
        self._grid.setVerticalSpacing(UNIT // 2)
        self._grid.setColumnStretch(1, 1)

    def start(self, source: Source) -> None:
        """A run begins: one row for each of its lanes."""
        for row in self._rows:
            row.remove()
        self._rows = [_Row(self._grid, index, self._theme) for index in range(len(source.info.lanes))]

    def show_frame(self, frame: Frame) -> None:
        """Show how the lanes fare."""
        for row, lane in zip(self._rows, frame.lanes, strict=True):
            row.show(lane)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        for row in self._rows:
            row.restyle(theme)


class _Row:
    def __init__(self, grid: QGridLayout, index: int, theme: Theme) -> None:
        self._theme = theme
        self._shown: tuple[str, ...] = ()
        self._lane: LaneFrame | None = None
        self._chip, self._name, self._status, self._message = (QLabel() for _ in range(4))
        self._chip.setFixedSize(12, 12)
        self._message.setWordWrap(True)
        self._message.setVisible(False)
        self._status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._chip, 2 * index, 0)
        grid.addWidget(self._name, 2 * index, 1)
        grid.addWidget(self._status, 2 * index, 2)
        grid.addWidget(self._message, 2 * index + 1, 1, 1, 2)

    def show(self, lane: LaneFrame) -> None:
        words = (lane.formulation, lane.name, lane.status, lane.message)
        if words == self._shown:
            return
        self._shown, self._lane = words, lane
        self._name.setText(lane.formulation)
        self._name.setToolTip(lane.name + (" (the body)" if lane.solid else " (a ghost)"))
        self._status.setText(WORDS.get(lane.status, lane.status))
        self._message.setText(lane.message)
        self._message.setVisible(bool(lane.message))
        self.restyle(self._theme)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        if self._lane is None:
            return
        colour = theme.lanes[self._lane.colour % len(theme.lanes)]
        fill = colour if self._lane.solid else "transparent"
        self._chip.setStyleSheet(f"background: {fill}; border: 2px solid {colour}; border-radius: 3px;")
        self._name.setStyleSheet(f"color: {theme.text};")
        ended = self._lane.status not in ("preparing", "running", "ok")
        self._status.setStyleSheet(f"color: {theme.danger if ended else theme.muted};")
        self._message.setStyleSheet(f"color: {theme.danger};")

    def remove(self) -> None:
        for label in (self._chip, self._name, self._status, self._message):
            label.deleteLater()
