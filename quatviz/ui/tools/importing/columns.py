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

from quatviz.base.formatting import MISSING_VALUE, use_minus_sign
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.observables.column_roles import ColumnRole, all_roles, role_title, roles_by_column
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.recordings.importing import PREVIEW_ROWS
from quatviz.ui.widgets.actions import add_toggle, show_menu
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.lists import ReadOnlyTable
from quatviz.ui.widgets.style import Themed

_MAX_COLUMNS = 1000
"""Columns that are shown: as many as a table of text may have."""
_MAX_NAME_LETTERS = 24
"""Letters of the longest name that is shown whole."""
_MIN_ROW_HEIGHT = 3 * GRID_UNIT
_GROUP_TITLES = {"attitude": "Attitude", "rate": "Angular velocity", "gravity": "Accelerometer"}


class RoleTable(Themed, ReadOnlyTable):
    """Roles stand above the numbers, names of the file above the roles."""

    chosen = Signal(str, object)
    """A column, and the `ColumnRole` that a person gives it, or None."""

    def __init__(self) -> None:
        super().__init__(tr("Columns of the file"), PREVIEW_ROWS + 1)
        self._reading: ReadOptions | None = None
        self.names: list[str] = []
        """The columns that are shown."""
        self._search_text, self._search_timer = "", QElapsedTimer()
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
        self.cellClicked.connect(lambda row, column: self._show_role_menu(column) if row == 0 else None)
        self.cellActivated.connect(lambda row, column: self._show_role_menu(column))

    def show_rows(self, rows: dict[str, np.ndarray]) -> None:
        """Show the first rows of each column."""
        self.names, self._cells = list(rows)[:_MAX_COLUMNS], []
        self.setColumnCount(len(self.names))
        for number, name in enumerate(self.names):
            head = QTableWidgetItem(name)
            head.setToolTip(tooltip_text(name))
            self.setHorizontalHeaderItem(number, head)
            texts = "", *(_cell_text(rows[name], row) for row in range(PREVIEW_ROWS))
            cells = [self.set_cell(row, number, text, True) for row, text in enumerate(texts)]
            cells[0].setToolTip(tr("What this column is: a click, or Enter, changes it; letters find one"))
            self._cells.append(cells)

    def show_roles(self, reading: ReadOptions) -> None:
        """Show what each column is."""
        self._reading = reading
        roles = roles_by_column(reading)
        for name, cells in zip(self.names, self._cells, strict=True):
            role = roles.get(name)
            title = tr(role_title(role, reading)) if role is not None else tr("nothing")
            cells[0].setText(f"{title}  ▾")
            self._color_cells(cells, role is not None)
        self._fit_heights()

    def role_menu(self, column: str) -> QMenu:
        """The roles that a column may have."""
        assert self._reading is not None
        menu = QMenu(self)
        current = roles_by_column(self._reading).get(column)
        groups: dict[str, QMenu] = {}
        for role in all_roles(self._reading):
            if role.group in _GROUP_TITLES and role.group not in groups:
                groups[role.group] = menu.addMenu(tr(_GROUP_TITLES[role.group]))
            words = tr("Time") if role.group == "time" else tr(role_title(role, self._reading))
            self._add_role(groups.get(role.group, menu), words, column, role, current)
        menu.addSeparator()
        self._add_role(menu, tr("Nothing"), column, None, current)
        return menu

    def follow_theme(self) -> None:
        if self._reading is not None:  # when its head has followed too
            QTimer.singleShot(0, self, partial(self.show_roles, self._reading))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
            and self.currentColumn() >= 0
        ):
            self._show_role_menu(self.currentColumn())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next column whose name has the letters that are typed."""
        is_new_search = not self._search_timer.isValid() or self._search_timer.hasExpired(
            QApplication.keyboardInputInterval()
        )
        self._search_text = search.lower() if is_new_search else self._search_text + search.lower()
        self._search_timer.start()
        start = max(self.currentColumn(), 0) + is_new_search
        order = [*range(start, len(self.names)), *range(min(start, len(self.names)))]
        match = next((number for number in order if self._search_text in self.names[number].lower()), None)
        if match is not None:
            self.setCurrentCell(0, match)

    def _add_role(
        self, menu: QMenu, words: str, column: str, role: ColumnRole | None, current: ColumnRole | None
    ) -> None:
        add_toggle(menu, words, role == current, lambda _: self.chosen.emit(column, role))

    def _show_role_menu(self, column: int) -> None:
        if self._reading is not None:
            corner = self.visualItemRect(self._cells[column][0]).bottomLeft()
            show_menu(self.role_menu(self.names[column]), self.viewport().mapToGlobal(QPoint(corner)))

    def _color_cells(self, cells: list[QTableWidgetItem], is_used: bool) -> None:
        """A column that is nothing is pale."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for row, cell in enumerate(cells):
            colour = self.theme.muted if not is_used else self.theme.accent if row == 0 else self.theme.text
            cell.setForeground(QColor(colour))
        cells[0].setFont(bold if is_used else self.font())

    def _fit_heights(self) -> None:
        """Rows as high as the letters need, the table as high as its rows."""
        height = max(_MIN_ROW_HEIGHT, self.fontMetrics().height() + GRID_UNIT // 2)
        head = self.horizontalHeader()
        head.setMaximumSectionSize(_MAX_NAME_LETTERS * self.fontMetrics().averageCharWidth())
        head.resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(head.sizeHint().height() + (PREVIEW_ROWS + 1) * height + bar)


def _cell_text(values: np.ndarray, row: int) -> str:
    if row >= len(values):
        return ""
    return MISSING_VALUE if np.isnan(values[row]) else use_minus_sign(f"{values[row]:.7g}")
