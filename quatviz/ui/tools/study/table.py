"""Table with all points of a convergence study."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from quatviz.analysis.studies.measures import StudyMeasure
from quatviz.analysis.studies.result import StudyData, StudyRow
from quatviz.analysis.studies.tables import window_row
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import marker_of
from quatviz.display.view_state.theme import Theme
from quatviz.ui.tools.study.curve_style import lane_color
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.lists import ReadOnlyTable
from quatviz.ui.widgets.painting import swatch

_NUMBER_COLUMNS, _TOLERANCE_COLUMN, _NOTE_COLUMN = range(2, 8), 2, 8
_SHOWN_ROLE = Qt.ItemDataRole.UserRole


class StudyTable(ReadOnlyTable):
    """Table with one row for each point. A double click or Enter loads its run."""

    chosen = Signal(object)
    """Emitted when a run was chosen, with its `analysis.studies.measurement.StudyPoint`."""

    def __init__(self) -> None:
        super().__init__(tr("Runs of the study"))
        self._rows: list[StudyRow] = []
        self.setTabKeyNavigation(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setResizeContentsPrecision(
            0
        )  # only visible rows are measured, since all of them would take long
        head.setStretchLastSection(True)
        self.cellActivated.connect(lambda row, _: self.chosen.emit(self._rows[row].point))

    def show_result(
        self, result: StudyData | None, measure: type[StudyMeasure], colors: Mapping[str, int], theme: Theme
    ) -> None:
        """Show all points of a study, with their errors in one measure."""
        unit = f" [{measure.unit}]" if measure.unit else ""
        head = (
            tr("Lane"), tr("Integrator"), tr("Tolerance"), "dt [s]", tr("Error{unit}", unit=unit), tr("Order"),
            tr("Time per step"), tr("Time per second of motion"), "",
        )  # fmt: skip
        self.set_column_titles(head, _NUMBER_COLUMNS)
        self.setColumnHidden(_TOLERANCE_COLUMN, result is None or not result.is_over_tolerances)
        self._rows = [] if result is None else list(result.rows(measure.name))
        self.setRowCount(len(self._rows))
        for number, row in enumerate(self._rows):
            name = row.point.case.name
            self._show_row(
                number, row, lane_color(theme, colors, name), marker_of(colors.get(name, 0)), theme
            )

    def _show_row(self, number: int, row: StudyRow, color: QColor, shape: str, theme: Theme) -> None:
        """Update a row if its content changed."""
        shown = (*window_row(row), color.name(), shape, theme)
        first = self.item(number, 0)
        if first is not None and first.data(_SHOWN_ROLE) == shown:
            return
        items = [
            self.set_cell(number, column, text, column in _NUMBER_COLUMNS)
            for column, text in enumerate(window_row(row))
        ]
        items[0].setData(_SHOWN_ROLE, shown)
        items[0].setIcon(swatch(color, shape=shape))
        items[_NOTE_COLUMN].setForeground(QColor(theme.danger if row.point.status != "ok" else theme.muted))
        items[_NOTE_COLUMN].setToolTip(tooltip_text(tr(row.point.message)))
