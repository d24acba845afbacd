"""The six multiplier forms side by side: two gyroscopic terms by three load forms, what differs marked."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from quatviz.cards import Point
from quatviz.cards._six import GYROSCOPIC, LOADS, SIX, MultiplierForm
from quatviz.ui.cards.equation_view import EquationView
from quatviz.ui.cards.notes_view import heading
from quatviz.ui.plotting.numbers import fixed
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

_SAID = (
    "Six ways to write one motion. They differ in the gyroscopic term (rows) and in the generalised force of the "
    "same loads (columns), marked in colour. All of them accelerate the body alike: a part along p does no work, and λ "
    "takes it up. Numbers are of the chosen lane at the cursor."
)


class SixCard(QWidget):
    """A cell for each form."""

    pointed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT)
        box.setSpacing(2 * UNIT)
        title = QLabel(tr("One motion, six lambdas"))
        title.setObjectName("heading")
        said = QLabel(tr(_SAID))
        said.setWordWrap(True)
        box.addWidget(title)
        box.addWidget(said)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * UNIT)
        grid.setVerticalSpacing(4 * UNIT)
        self.cells = [Cell(theme, form) for form in SIX]
        for cell in self.cells:
            cell.equation.pointed.connect(self.pointed)
            row, column = GYROSCOPIC.index(cell.form.gyroscopic), LOADS.index(cell.form.load)
            grid.addWidget(cell, row, column)
            grid.setColumnStretch(column, 1)
        box.addLayout(grid)
        box.addStretch(1)
        self.setAccessibleName(tr("The six multiplier forms"))

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        for cell in self.cells:
            cell.equation.restyle(theme)

    def show_point(self, at: Point) -> None:
        """Show the numbers of this moment."""
        found = [cell.form.multiplier(at) for cell in self.cells]
        greatest = max(map(abs, found))
        for cell, value in zip(self.cells, found, strict=True):
            cell.show_point(at, value, 2 if greatest >= 1e3 else 4)


class Cell(QWidget):
    """One form."""

    def __init__(self, theme: Theme, form: MultiplierForm) -> None:
        super().__init__()
        self.form = form
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(UNIT)
        self.equation = EquationView(
            theme, form.equation, [form.differs(term) for term in form.equation.terms]
        )
        self.lam = heading("")
        theory = QLabel(tr("λ = {parts}, in theory", parts=" + ".join(form.parts) or "0"))
        theory.setObjectName("muted")
        for part in (heading(form.id), self.equation, self.lam, theory):
            box.addWidget(part)
        box.addStretch(1)

    def show_point(self, at: Point, lam: float, decimals: int) -> None:
        """Its own lambda [J], as its system has it."""
        self.equation.show_point(at.with_lambda(lam))
        self.lam.setText(f"λ = {fixed(lam, decimals)} J")
