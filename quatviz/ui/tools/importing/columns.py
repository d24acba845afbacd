"""Table with the first rows of a file and the role of each column. The user changes a role by a click or Enter."""

from collections.abc import Set
from functools import partial

import numpy as np
from PySide6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QInputDialog,
    QMenu,
    QSizePolicy,
    QTableWidgetItem,
)

from quatviz.base.formatting import MISSING_VALUE, use_minus_sign
from quatviz.base.spelled_units import unit_factor
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.observables.column_roles import (
    ColumnRole,
    all_roles,
    role_title,
    roles_by_column,
    unit_field,
)
from quatviz.physics.observables.read_options import UNIT_DIMENSIONS, UNITS, ReadOptions
from quatviz.recordings.column_detection import is_acceleration_unit
from quatviz.recordings.headers import parse_header
from quatviz.recordings.importing import PREVIEW_ROWS
from quatviz.ui.widgets.actions import add_toggle, show_menu
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.lists import ReadOnlyTable
from quatviz.ui.widgets.style import Themed

_ROW_INTERVALS = ("0.001 s", "0.002 s", "0.005 s", "0.01 s", "0.02 s", "0.05 s", "0.1 s")
"""Time steps that are offered for a column with row numbers instead of times."""
_EXAMPLES = {
    "time_unit": ("0.01 s", "100 us"), "angle_unit": ("gon", "0.001 deg"), "rate_unit": ("deg/min", "0.0175 rad/s"),
}  # fmt: skip
"""Examples for typed units, which the menus do not offer. The keys are fields of `ReadOptions`."""
_ROLE_ROW, _UNIT_ROW = 0, 1
"""Indices of the table rows with the roles and the units of the columns. The numbers are in the rows below."""
_MAX_COLUMNS = 1000
"""Maximum number of columns shown. It is also the maximum number of columns of a text table that can be read."""
_MAX_NAME_LETTERS = 24
"""Maximum length of a name that is shown in full [characters]."""
_MIN_ROW_HEIGHT = 3 * GRID_UNIT
_GROUP_TITLES = {"attitude": "Attitude", "rate": "Angular velocity", "gravity": "Accelerometer"}


class RoleTable(Themed, ReadOnlyTable):
    """Table of the columns of a file. Its header has the names from the file; roles, units and numbers are below."""

    chosen = Signal(str, object)
    """Emitted when a role was chosen, with the column's name and its `ColumnRole`, or None for no role."""
    unit_chosen = Signal(str, str)
    """A unit was chosen. Emitted with the field of `ReadOptions`, such as "rate_unit", and the unit."""

    def __init__(self) -> None:
        super().__init__(tr("Columns of the file"), PREVIEW_ROWS + 2)
        self._reading: ReadOptions | None = None
        self._known_fields: Set[str] = frozenset()
        self.names: list[str] = []
        """Names of the columns that are shown."""
        self._search_text, self._search_timer = "", QElapsedTimer()
        """Letters typed so far to search for a column, and the time since the last letter."""
        self._cells: list[list[QTableWidgetItem]] = []
        """Cells of each column: role, unit and numbers."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cellClicked.connect(self._show_menu)
        self.cellActivated.connect(lambda row, column: self._show_role_menu(column))

    def show_rows(self, rows: dict[str, np.ndarray]) -> None:
        """Show the first rows of each column."""
        self.names, self._cells = list(rows)[:_MAX_COLUMNS], []
        self.setColumnCount(len(self.names))
        for number, name in enumerate(self.names):
            head = QTableWidgetItem(name)
            head.setToolTip(tooltip_text(name))
            self.setHorizontalHeaderItem(number, head)
            texts = "", "", *(_cell_text(rows[name], row) for row in range(PREVIEW_ROWS))
            cells = [self.set_cell(row, number, text, True) for row, text in enumerate(texts)]
            cells[_ROLE_ROW].setToolTip(tr("Role of this column. Click or press Enter to change it."))
            cells[_UNIT_ROW].setToolTip(tr("Unit of this column. Click to change it."))
            self._cells.append(cells)

    def show_roles(self, reading: ReadOptions, known_fields: Set[str] | None = None) -> None:
        """Show the role and the unit of each column.

        `known_fields` are the fields of `ReadOptions` that the file states or the user has chosen; None keeps the previous set.
        Other units are marked as assumed.
        """
        self._reading = reading
        if known_fields is not None:
            self._known_fields = known_fields
        roles = roles_by_column(reading)
        for name, cells in zip(self.names, self._cells, strict=True):
            role = roles.get(name)
            title = tr(role_title(role, reading)) if role is not None else tr("no role")
            cells[_ROLE_ROW].setText(f"{title}  ▾")
            self._color_cells(cells, role is not None)
            self._show_unit(cells[_UNIT_ROW], name, role)
        self._fit_heights()

    def role_menu(self, column: str) -> QMenu:
        """Return the menu with the roles that a column may have."""
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
        self._add_role(menu, tr("No role"), column, None, current)
        return menu

    def unit_menu(self, column: str) -> QMenu | None:
        """Return the menu with the units of a column's role, or None if the role has no unit."""
        assert self._reading is not None
        field = unit_field(roles_by_column(self._reading).get(column), self._reading)
        if not field:
            return None
        menu, current = QMenu(self), getattr(self._reading, field)
        intervals = _ROW_INTERVALS if parse_header(column).quantity == "counter" else ()
        for unit in dict.fromkeys((*intervals, *UNITS[field], *([current] if current else []))):
            add_toggle(menu, unit, unit == current, lambda _, unit=unit: self.unit_chosen.emit(field, unit))
        menu.addSeparator()
        menu.addAction(tr("Other unit…"), lambda: self._ask_unit(field, current or ""))
        return menu

    def _ask_unit(self, field: str, current: str) -> None:
        """Ask the user to type a unit. If the unit is not understood, explain this and ask again."""
        title, text = tr("Unit of the column"), current
        prompt = tr("Unit, such as {names}", names=", ".join(_EXAMPLES[field]))
        while True:
            text, is_accepted = QInputDialog.getText(self.window(), title, prompt, text=text)
            if not is_accepted:
                return
            if unit_factor(text, UNIT_DIMENSIONS[field]) is not None:
                self.unit_chosen.emit(field, text.strip())
                return
            unknown = tr("“{unit}” is not understood as a unit here.", unit=text[:40])
            prompt = unknown + "\n" + tr("Unit, such as {names}", names=", ".join(_EXAMPLES[field]))

    def _show_menu(self, row: int, column: int) -> None:
        """Show the menu of roles or units for a cell that was clicked."""
        if row == _ROLE_ROW:
            self._show_role_menu(column)
        elif row == _UNIT_ROW and self._reading is not None:
            menu = self.unit_menu(self.names[column])
            if menu is not None:
                corner = self.visualItemRect(self._cells[column][_UNIT_ROW]).bottomLeft()
                show_menu(menu, self.viewport().mapToGlobal(QPoint(corner)))

    def _show_unit(self, cell: QTableWidgetItem, name: str, role: ColumnRole | None) -> None:
        """Show the unit of a column in its cell. Mark a unit that is assumed or not understood."""
        assert self._reading is not None
        header = parse_header(name)
        field = unit_field(role, self._reading)
        text = (getattr(self._reading, field) if field else None) or header.unit_text or MISSING_VALUE
        is_unknown = (
            bool(header.unit_text) and header.unit is None and not is_acceleration_unit(header.unit_text)
        )
        if is_unknown:
            text = tr("{unit} not understood", unit=header.unit_text) if not field else f"{text} ⚠"
        cell.setText(f"{text}  ▾" if field else text)
        is_marked = is_unknown or (bool(field) and field not in self._known_fields)
        cell.setForeground(
            QColor(self.theme.danger if is_marked else self.theme.text if role else self.theme.muted)
        )
        if is_marked and not is_unknown:
            cell.setToolTip(tr("The file does not state this unit. Check the unit, and click to change it."))
        elif not is_unknown:
            cell.setToolTip(tr("Unit of this column. Click to change it."))

    def follow_theme(self) -> None:
        if self._reading is not None:  # after the header has its new theme
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
        """Select the next column whose name contains the typed letters."""
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
        """Color the cells of a column. Cells of an unused column are pale."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for row, cell in enumerate(cells):
            color = self.theme.muted if not is_used else self.theme.accent if row == 0 else self.theme.text
            cell.setForeground(QColor(color))
        cells[0].setFont(bold if is_used else self.font())

    def _fit_heights(self) -> None:
        """Fit the row heights to the font, and the table's height to its rows."""
        height = max(_MIN_ROW_HEIGHT, self.fontMetrics().height() + GRID_UNIT // 2)
        head = self.horizontalHeader()
        head.setMaximumSectionSize(_MAX_NAME_LETTERS * self.fontMetrics().averageCharWidth())
        head.resizeSections(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(head.sizeHint().height() + (PREVIEW_ROWS + 2) * height + bar)


def _cell_text(values: np.ndarray, row: int) -> str:
    if row >= len(values):
        return ""
    return MISSING_VALUE if np.isnan(values[row]) else use_minus_sign(f"{values[row]:.7g}")
