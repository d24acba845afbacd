"""The cards: of one lane, its equations with live numbers and what there is to know of its form; and of the six multiplier
forms, side by side."""

import math

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from quatviz.base.formatting import begun, fixed
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.equations import Point
from quatviz.physics.equations.number_text import lambda_text
from quatviz.physics.formulations import equations, lane_title, make_formulation
from quatviz.physics.formulations._multiplier_forms import GYROSCOPIC, LOADS, SIX, MultiplierForm
from quatviz.teaching.help.generated import TITLES, notes
from quatviz.ui.tools.cards.equation_view import WAYS, EquationView
from quatviz.ui.widgets.controls import Part, column, label
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.richtext import Words

_LEAST, _LOW = 44 * UNIT, 39 * UNIT
"""Width of a card [pixels]: three terms beside each other, so that an equation and its numbers are seen at once; and where there
is little room."""
_MARGINS = (3 * UNIT, UNIT, UNIT, 3 * UNIT)


class LaneCard(Guarded, QWidget):
    """Made for one lane id."""

    pointed = Signal(object)

    def __init__(self, lane_id: str) -> None:
        super().__init__()
        self.setMinimumWidth(_LEAST)
        self._room, self._row = math.inf, [self]
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._fit)
        self._form = make_formulation(lane_id)
        self.lane_id = self._form.id
        count, source = len(self._form.state), self._form.source
        below = tr("{count} states, {order}. Source: {source}", count=count, order=self._order, source=source)
        self.views = [EquationView(equation) for equation in equations(self.lane_id)]
        for view in self.views:
            view.pointed.connect(self.pointed)
        self.explained, self.lam, self.measure = label("muted", " "), label(), label(wraps=False)
        now = [
            (self.lam, self._form.has_multiplier, tr("λ now")),
            (self.measure, self._form.singularity_title, tr("Distance from its singularity now")),
        ]
        said = notes(self._form.name)
        noted = {title: said[point] for point, title in TITLES.items() if point in said}
        self.notes = [Words() for _ in noted]
        self._title = label("heading", lane_title(self.lane_id))
        parts: list[Part] = [self._title]
        parts += [part for view in self.views for part in (UNIT, view)]
        self.sourced = label("muted", below)
        parts += [self.explained, self.sourced]
        for value, known, text in now:
            head = label("subheading", text, wraps=False)
            parts += [head, value]
            if not known:  # they belong to the card all the same, or Qt has them for windows
                head.hide()
                value.hide()
        for note, title in zip(self.notes, noted, strict=True):
            parts += [UNIT, label("subheading", tr(title), wraps=False), note]
        self._box = column(*parts, None, margins=_MARGINS)
        self.setLayout(self._box)
        for note, text in zip(self.notes, noted.values(), strict=True):
            note.say(begun(text))  # which shows it: before it belonged to the card, it would be a window
        self.pointed.connect(self._explain)
        self.setAccessibleName(tr("Equations of {lane}", lane=lane_title(self.lane_id)))

    @property
    def _order(self) -> str:
        if self._form.closed_form:
            return tr("evaluated, not integrated")
        return tr("second order in its coordinates") if self._form.second_order else tr("first order")

    def fit(self, room: float, *others: "LaneCard") -> None:
        """Show no equation in part where so much of the cards is seen [pixels] before they are scrolled, nor in other type than
        the `others` do, which stand beside it."""
        row = [self, *others]
        for card in row:
            card._room, card._row = room, row
            card.setMinimumWidth(_LEAST if math.isinf(room) else _LOW)
        self._fit()

    def _fit(self) -> None:
        """In the largest type in which most equations are whole, or else in the smallest: a part of one reads as another."""
        plans = [self._plan(size) for size in dict.fromkeys(size for size, _ in WAYS)]
        most = max(whole for whole, _, _ in plans)
        _, places, ends = next(plan for plan in plans if plan[0] == most) if most else plans[-1]
        for view, way, width, lead in places:
            view.stand(way, width, lead)
        for card, end in zip(self._row, ends, strict=True):
            card._place_source(self._room - end)

    def _place_source(self, room: float) -> None:
        """Below what is seen, where so much of that is left below the equations [pixels] that it would be cut there."""
        said, gap = self.sourced, self._box.spacing()
        said.setContentsMargins(0, 0, 0, 0)
        room -= 2 * gap + self.explained.heightForWidth(said.width())
        lead = round(room) + 2 * UNIT if 0.0 < room < said.heightForWidth(said.width()) else 0
        said.setContentsMargins(0, lead, 0, 0)

    def _plan(
        self, size: float
    ) -> tuple[int, list[tuple[EquationView, tuple[float, bool], int, int]], list[int]]:
        """How many rows are whole in type of this size, with or without numbers, and how each equation stands: what cannot be whole
        begins below what is seen, but for the first of a card. And where the last of each card ends."""
        left, top, right, _ = _MARGINS
        widths = [card.width() - left - right for card in self._row]
        ends = [top + one._title.heightForWidth(wide) for one, wide in zip(self._row, widths, strict=True)]
        count, places, gap = 0, [], self._box.spacing() + UNIT
        for number in range(max(len(card.views) for card in self._row)):
            row = [(at, one.views[number]) for at, one in enumerate(self._row) if number < len(one.views)]
            rooms = [self._room - end - gap for end in ends]
            ways = [way for way in WAYS if way[0] == size]
            whole = [way for way in ways if all(one.high_in(way, widths[at]) <= rooms[at] for at, one in row)]
            count += bool(whole)
            way = (*whole, ways[-1] if number == 0 else ways[0])[0]
            for at, view in row:
                lead = 0 if whole or number == 0 else max(round(rooms[at]) + 2 * UNIT, 0)
                ends[at] += gap + view.high_in(way, widths[at], lead)
                places.append((view, way, widths[at], lead))
        return count, places, ends

    def event(self, event: QEvent) -> bool:
        """Its width, its type, or what an equation has to say may be another."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._row[0]._later.start()  # once for all of them
        return super().event(event)

    def show_point(self, at: Point, singularity: float = math.nan, heading: str = "") -> None:
        """Show the numbers of this moment, below what says whose they are."""
        if heading and heading != self._title.text():
            self._title.setText(heading)
            self.setAccessibleName(tr("Equations of {lane}", lane=heading))
        for view in self.views:
            view.show_point(at)
        if self._form.has_multiplier:
            self.lam.setText(lambda_text(at, self._form.multiplier_terms))
        if self._form.singularity_title and math.isfinite(singularity):
            self.measure.setText(f"{self._form.singularity_title} = {fixed(singularity, 4)}")

    def _explain(self, view: object) -> None:
        words = getattr(view, "words", "")
        self.explained.setText(f"{begun(words)}." if words else " ")


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
