"""What a fit has found, as a table, and how its numbers go together, as another."""

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import STRONG, TABLE, correlation, estimates, rows
from quatviz.base.errors import phrase
from quatviz.base.formatting import fixed, true_minus
from quatviz.base.translation import told, tr
from quatviz.ui.widgets.controls import ReadTable
from quatviz.ui.widgets.style import Themed

_SEEN = 0.3
"""A correlation that is to be seen."""
_NUMBERS = range(1, 4)


class _Table(Themed, ReadTable):
    """What there is of a fit. A subclass has its own `_fill`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._fit: BodyFit | None = None
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def show_fit(self, fit: BodyFit | None) -> None:
        """Show what there is of this one."""
        self._fit = fit
        self._fill()

    def follow_theme(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Show the fit that is known now."""
        raise NotImplementedError


class EstimateTable(_Table):
    """One row for each number."""

    def __init__(self) -> None:
        super().__init__(tr("Numbers that were found"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)

    def _fill(self) -> None:
        fit = self._fit
        self.entitle([told(title) for title in TABLE], _NUMBERS)
        self.setRowCount(0)  # what is known of a number, and its colour, is another
        found = [] if fit is None else list(zip(rows(fit), estimates(fit), strict=True))
        self.setRowCount(len(found))
        for line, (texts, one) in enumerate(found):
            for column, text in enumerate(texts):
                words, is_number = told(phrase(text)), column in _NUMBERS
                item = self.put(line, column, true_minus(words) if is_number else words, is_number)
                if not one.known:
                    item.setForeground(QColor(self.theme.danger))


class CorrelationTable(_Table):
    """A square of correlations: the more two numbers go together, the more a cell is seen."""

    def __init__(self) -> None:
        super().__init__(tr("Correlation of the numbers"))

    def _fill(self) -> None:
        known = None if self._fit is None else correlation(self._fit)
        symbols = [] if known is None else list(known.symbols)
        self.setRowCount(0)
        self.setRowCount(len(symbols))
        self.setColumnCount(len(symbols))
        self.setHorizontalHeaderLabels(symbols)
        self.setVerticalHeaderLabels(symbols)
        if known is None:
            return
        for line, values in enumerate(known.matrix.tolist()):
            for column, value in enumerate(values):
                item = self.put(line, column, fixed(value, 2) if line != column else "1", True)
                item.setForeground(QColor(self._ink(value) if line != column else self.theme.line))
                if line != column and abs(value) > STRONG:
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)

    def _ink(self, value: float) -> str:
        """The stronger, the more it is seen."""
        if abs(value) > STRONG:
            return self.theme.danger
        return self.theme.text if abs(value) > _SEEN else self.theme.muted
