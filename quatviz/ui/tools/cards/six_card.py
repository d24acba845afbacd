"""The six multiplier forms side by side: two gyroscopic terms by three load forms, what differs marked."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from quatviz.base.tr import tr
from quatviz.base.words import fixed
from quatviz.cards import Point
from quatviz.formulations._six import GYROSCOPIC, LOADS, SIX, MultiplierForm
from quatviz.look.theme import UNIT
from quatviz.ui.kit.widgets import column, label
from quatviz.ui.tools.cards.equation_view import EquationView

_SAID = (
    "Six ways to write one motion. They differ in the gyroscopic term (rows) and in the generalised force of the "
    "same loads (columns), marked in colour. All of them accelerate the body alike: a part along p does no work, and λ "
    "takes it up. Numbers are of the chosen lane at the cursor."
)


class SixCard(QWidget):
    """A cell for each form."""

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        title, said = label("heading", tr("One motion, six lambdas"), wraps=False), label("", tr(_SAID))
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * UNIT)
        grid.setVerticalSpacing(4 * UNIT)
        self.cells = [Cell(form) for form in SIX]
        for cell in self.cells:
            cell.equation.pointed.connect(self.pointed)
            across = LOADS.index(cell.form.load)
            grid.addWidget(cell, GYROSCOPIC.index(cell.form.gyroscopic), across)
            grid.setColumnStretch(across, 1)
        margins = 3 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT
        self.setLayout(column(title, said, grid, None, gap=2 * UNIT, margins=margins))
        self.setAccessibleName(tr("The six multiplier forms"))

    def show_point(self, at: Point) -> None:
        """Show the numbers of this moment."""
        found = [cell.form.multiplier(at) for cell in self.cells]
        greatest = max(map(abs, found))
        for cell, value in zip(self.cells, found, strict=True):
            cell.show_point(at, value, 2 if greatest >= 1e3 else 4)


class Cell(QWidget):
    """One form."""

    def __init__(self, form: MultiplierForm) -> None:
        super().__init__()
        self.form = form
        self.equation = EquationView(form.equation, [form.differs(term) for term in form.equation.terms])
        self.lam = label("subheading", wraps=False)
        said = tr("λ = {parts}, in theory", parts=" + ".join(form.parts) or "0")
        head, theory = label("subheading", form.id, wraps=False), label("muted", said, wraps=False)
        self.setLayout(column(head, self.equation, self.lam, theory, None))

    def show_point(self, at: Point, lam: float, decimals: int) -> None:
        """Its own lambda [J], as its system has it."""
        self.equation.show_point(at.with_lambda(lam))
        self.lam.setText(f"λ = {fixed(lam, decimals)} J")
