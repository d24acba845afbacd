"""The points of a study as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from quatviz.studies.measures import Measure
from quatviz.studies.result import Result, Row
from quatviz.ui.plotting.numbers import MISSING, scientific
from quatviz.ui.study.look import lane_colour, swatch
from quatviz.ui.study.plots import time_text
from quatviz.ui.theme import UNIT, Theme

_NUMBERS = range(2, 7)


class StudyTable(QTableWidget):
    """One row for each point; a double click, or Enter, loads its run."""

    chosen = Signal(object)
    """A `studies.measurement.Point`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 8, parent)
        self._rows: list[Row] = []
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setAccessibleName("Runs of the study")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(3 * UNIT)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setStretchLastSection(True)
        self.cellActivated.connect(lambda row, _: self.chosen.emit(self._rows[row].point))

    def show_result(
        self, result: Result | None, measure: Measure, colours: Mapping[str, int], theme: Theme
    ) -> None:
        """Show every point, by a measure."""
        unit = f" [{measure.unit}]" if measure.unit else ""
        head = (
            "Lane", "Integrator", "dt [s]", f"Error{unit}", "Order", "Time per step", "Time per second of motion", "",
        )  # fmt: skip
        for column, text in enumerate(head):
            item = QTableWidgetItem(text)
            item.setTextAlignment(_side(column))
            self.setHorizontalHeaderItem(column, item)
        self._rows = [] if result is None else list(result.rows(measure.name))
        self.setRowCount(len(self._rows))
        for number, row in enumerate(self._rows):
            for column, text in enumerate(_texts(row)):
                item = QTableWidgetItem(text)
                item.setTextAlignment(_side(column))
                if column == 0:
                    item.setIcon(swatch(lane_colour(theme, colours, row.point.case.name)))
                if column == 7:
                    item.setForeground(QColor(theme.danger if row.point.status != "ok" else theme.muted))
                    item.setToolTip(row.point.message)
                self.setItem(number, column, item)


def _side(column: int) -> Qt.AlignmentFlag:
    across = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return across | Qt.AlignmentFlag.AlignVCenter


def _texts(row: Row) -> tuple[str, ...]:
    point = row.point
    known = point.steps > 0
    note = point.message if point.status != "ok" else "below what the reference can tell" if row.below else ""
    return (
        point.case.name,
        point.case.integrator,
        f"{point.step:.6g}",
        scientific(row.error, 2),
        f"{row.order:.2f}" if math.isfinite(row.order) and not row.below else MISSING,
        time_text(point.per_step) if known else MISSING,
        time_text(point.per_second) if known else MISSING,
        note,
    )
