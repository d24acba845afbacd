"""Tables of a fit's estimates and of their correlations."""

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import (
    STRONG_CORRELATION,
    TABLE_TITLES,
    correlation_of,
    estimates_of,
    table_rows,
)
from quatviz.base.errors import phrase
from quatviz.base.formatting import capitalize_first, format_fixed, use_minus_sign
from quatviz.base.translation import tr
from quatviz.ui.widgets.lists import ReadOnlyTable
from quatviz.ui.widgets.style import Themed

_VISIBLE_CORRELATION = 0.3
"""Magnitude above which a correlation is shown in the normal text color."""
_NUMBER_COLUMNS = range(1, 4)


class _FitTable(Themed, ReadOnlyTable):
    """Base of the tables that show results of a fit. A subclass implements `_fill`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._fit: BodyFit | None = None
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def show_fit(self, fit: BodyFit | None) -> None:
        """Show the results of this fit, or clear the table for None."""
        self._fit = fit
        self._fill()

    def follow_theme(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Fill the table with the results of the current fit."""
        raise NotImplementedError


class EstimateTable(_FitTable):
    """Table with one row for each estimated parameter."""

    def __init__(self) -> None:
        super().__init__(tr("Estimates"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()

    def _fill(self) -> None:
        fit = self._fit
        self.set_column_titles([capitalize_first(tr(title)) for title in TABLE_TITLES], _NUMBER_COLUMNS)
        self.setRowCount(0)  # clears texts and colors of the previous fit
        estimate_rows = [] if fit is None else list(zip(table_rows(fit), estimates_of(fit), strict=True))
        self.setRowCount(len(estimate_rows))
        for line, (texts, estimate) in enumerate(estimate_rows):
            for column, text in enumerate(texts):
                words, is_number = tr(phrase(text)), column in _NUMBER_COLUMNS
                words = words if column else capitalize_first(words)
                item = self.set_cell(line, column, use_minus_sign(words) if is_number else words, is_number)
                if not estimate.is_known:
                    item.setForeground(QColor(self.theme.danger))


class CorrelationTable(_FitTable):
    """Correlation matrix of the estimates. Strong correlations have a more prominent text color."""

    def __init__(self) -> None:
        super().__init__(tr("Correlation matrix"))

    def _fill(self) -> None:
        correlations = None if self._fit is None else correlation_of(self._fit)
        symbols = [] if correlations is None else list(correlations.symbols)
        self.setRowCount(0)
        self.setRowCount(len(symbols))
        self.setColumnCount(len(symbols))
        self.setHorizontalHeaderLabels(symbols)
        self.setVerticalHeaderLabels(symbols)
        if correlations is None:
            return
        for line, values in enumerate(correlations.matrix.tolist()):
            for column, value in enumerate(values):
                item = self.set_cell(line, column, format_fixed(value, 2) if line != column else "1", True)
                item.setForeground(QColor(self._color(value) if line != column else self.theme.line))
                if line != column and abs(value) > STRONG_CORRELATION:
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)

    def _color(self, value: float) -> str:
        """Return the text color for a correlation. A stronger correlation has a more prominent color."""
        if abs(value) > STRONG_CORRELATION:
            return self.theme.danger
        return self.theme.text if abs(value) > _VISIBLE_CORRELATION else self.theme.muted
