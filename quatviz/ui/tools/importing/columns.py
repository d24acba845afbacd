"""The first rows of a file, with what each column is: a click, or Enter, gives it another role."""

from functools import partial

import numpy as np
from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QTableWidgetItem,
)

from quatviz.base.formatting import MISSING, true_minus
from quatviz.base.translation import told, tr
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.observables.column_roles import Role, all_roles, roles_of, title_of
from quatviz.physics.observables.read_options import Reading
from quatviz.recordings.importing import ROWS
from quatviz.ui.widgets.actions import add_toggle, pop_up
from quatviz.ui.widgets.controls import ReadTable, tip
from quatviz.ui.widgets.style import Themed

_MOST = 1000
"""Columns that are shown: as many as a table of text may have."""
_WIDE = 24
"""Letters of the longest name that is shown whole."""
_ROW = 3 * UNIT
_GROUPS = {"attitude": "Attitude", "rate": "Angular velocity", "gravity": "Accelerometer"}


class RoleTable(Themed, ReadTable):
    """Roles stand above the numbers, names of the file above the roles."""

    chosen = Signal(str, object)
    """A column, and the `Role` that a person gives it, or None."""

    def __init__(self) -> None:
        super().__init__(tr("Columns of the file"), ROWS + 1)
        self._reading: Reading | None = None
        self.names: list[str] = []
        """The columns that are shown."""
        self._typed, self._typing = "", QElapsedTimer()
        """Letters by which a column is looked for, and since when."""
        self._cells: list[list[QTableWidgetItem]] = []
        """Those of each column: its role, then numbers."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cellClicked.connect(lambda row, column: self._offer(column) if row == 0 else None)
        self.cellActivated.connect(lambda row, column: self._offer(column))

    def show_rows(self, rows: dict[str, np.ndarray]) -> None:
        """Show the first rows of each column."""
        self.names, self._cells = list(rows)[:_MOST], []
        self.setColumnCount(len(self.names))
        for number, name in enumerate(self.names):
            head = QTableWidgetItem(name)
            head.setToolTip(tip(name))
            self.setHorizontalHeaderItem(number, head)
            texts = "", *(_text(rows[name], row) for row in range(ROWS))
            cells = [self.put(row, number, text, True) for row, text in enumerate(texts)]
            cells[0].setToolTip(tr("What this column is: a click, or Enter, changes it; letters find one"))
            self._cells.append(cells)

    def show_roles(self, reading: Reading) -> None:
        """Show what each column is."""
        self._reading = reading
        held = roles_of(reading)
        for name, cells in zip(self.names, self._cells, strict=True):
            role = held.get(name)
            said = told(title_of(role, reading)) if role is not None else tr("nothing")
            cells[0].setText(f"{said}  ▾")
            self._paint(cells, role is not None)
        self._fit()

    def offer(self, column: str) -> QMenu:
        """The roles that a column may have."""
        assert self._reading is not None
        menu = QMenu(self)
        mine = roles_of(self._reading).get(column)
        groups: dict[str, QMenu] = {}
        for role in all_roles(self._reading):
            if role.group in _GROUPS and role.group not in groups:
                groups[role.group] = menu.addMenu(tr(_GROUPS[role.group]))
            words = tr("Time") if role.group == "time" else told(title_of(role, self._reading))
            self._add(groups.get(role.group, menu), words, column, role, mine)
        menu.addSeparator()
        self._add(menu, tr("Nothing"), column, None, mine)
        return menu

    def follow_theme(self) -> None:
        if self._reading is not None:  # when its head has followed too
            QTimer.singleShot(0, self, partial(self.show_roles, self._reading))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
            and self.currentColumn() >= 0
        ):
            self._offer(self.currentColumn())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next column whose name has the letters that are typed."""
        slow = not self._typing.isValid() or self._typing.hasExpired(QApplication.keyboardInputInterval())
        self._typed = search.lower() if slow else self._typed + search.lower()
        self._typing.start()
        here = max(self.currentColumn(), 0) + slow
        order = [*range(here, len(self.names)), *range(min(here, len(self.names)))]
        found = next((number for number in order if self._typed in self.names[number].lower()), None)
        if found is not None:
            self.setCurrentCell(0, found)

    def _add(self, menu: QMenu, words: str, column: str, role: Role | None, mine: Role | None) -> None:
        add_toggle(menu, words, role == mine, lambda _: self.chosen.emit(column, role))

    def _offer(self, column: int) -> None:
        if self._reading is not None:
            place = self.visualItemRect(self._cells[column][0]).bottomLeft()
            pop_up(self.offer(self.names[column]), self.viewport().mapToGlobal(QPoint(place)))

    def _paint(self, cells: list[QTableWidgetItem], used: bool) -> None:
        """A column that is nothing is pale."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for row, cell in enumerate(cells):
            colour = self.theme.muted if not used else self.theme.accent if row == 0 else self.theme.text
            cell.setForeground(QColor(colour))
        cells[0].setFont(bold if used else self.font())

    def _fit(self) -> None:
        """Rows as high as the letters need, the table as high as its rows."""
        height = max(_ROW, self.fontMetrics().height() + UNIT // 2)
        head = self.horizontalHeader()
        head.setMaximumSectionSize(_WIDE * self.fontMetrics().averageCharWidth())
        head.resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(head.sizeHint().height() + (ROWS + 1) * height + bar)


def _text(values: np.ndarray, row: int) -> str:
    if row >= len(values):
        return ""
    return MISSING if np.isnan(values[row]) else true_minus(f"{values[row]:.7g}")
