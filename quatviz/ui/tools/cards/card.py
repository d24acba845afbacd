"""Equation cards. One card shows a lane, with live numbers and notes on its formulation; another compares the six multiplier
forms."""

import math
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from quatviz.base.citations import written_out
from quatviz.base.formatting import capitalize_first, format_fixed
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.equations import EvaluationPoint
from quatviz.physics.equations.number_text import format_lambda
from quatviz.physics.equations.symbols import Symbol, equation_symbols
from quatviz.physics.formulations import equations, lane_title, make_formulation, symbols
from quatviz.physics.formulations._multiplier_forms import GYROSCOPIC, LOADS, MULTIPLIER_FORMS, MultiplierForm
from quatviz.teaching.help.generated import NOTE_TITLES, formulation_notes
from quatviz.ui.tools.cards.equation_view import LAYOUT_OPTIONS, EquationView
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import LayoutItem, column
from quatviz.ui.widgets.richtext import RichTextLabel

_MIN_WIDTH, _MIN_DOCKED_WIDTH = 44 * GRID_UNIT, 39 * GRID_UNIT
"""Minimum widths of a card [pixels], in a separate window and in a docked one.

The first width fits three terms side by side, so that an equation and its numbers are visible at once.
"""
_MARGINS = (3 * GRID_UNIT, GRID_UNIT, GRID_UNIT, 3 * GRID_UNIT)


class LaneCard(Guarded, QWidget):
    """Card with the equations of one formulation, and their numbers at the cursor."""

    pointed = Signal(object)

    def __init__(self, lane_id: str, translates: bool = False, has_rotors: bool = False) -> None:
        """Create the card.

        Parameters
        ----------
        lane_id
            Id of the formulation.
        translates
            True to add the equation of the center of mass.
        has_rotors
            True to show the torque of the rotors as a term of its own.
        """
        super().__init__()
        self.setMinimumWidth(_MIN_WIDTH)
        self._available_height, self._card_row = math.inf, [self]
        self._fit_timer = QTimer(self, singleShot=True)
        self._fit_timer.timeout.connect(self._choose_layout)
        self._form = make_formulation(lane_id)
        self.lane_id = self._form.id
        self.views = [EquationView(equation) for equation in equations(self.lane_id, translates, has_rotors)]
        for view in self.views:
            view.pointed.connect(self.pointed)
        self.explanation_label, self.lam_label, self.singularity_label = (
            label("muted", " "),
            label(),
            label(word_wrap=False),
        )
        live_values = [
            (self.lam_label, self._form.has_multiplier, tr("Current λ")),
            (
                self.singularity_label,
                self._form.singularity_title,
                tr("Current distance from the singularity"),
            ),
        ]
        note_texts = formulation_notes(self._form.name)
        titled_notes = {
            title: note_texts[point] for point, title in NOTE_TITLES.items() if point in note_texts
        }
        self.notes = [RichTextLabel() for _ in titled_notes]
        self._title_label = label("heading", lane_title(self.lane_id))
        self.message_label = label("refusal")
        self.message_label.hide()
        parts: list[LayoutItem] = [self._title_label, self.message_label]
        parts += [part for view in self.views for part in (GRID_UNIT, view)]
        self.source_label = label("muted", self._source_text(translates))
        parts += [self.explanation_label, self.source_label]
        for value, is_known, text in live_values:
            head = label("subheading", text, word_wrap=False)
            parts += [head, value]
            if not is_known:  # hidden labels also need a parent, otherwise Qt makes them windows
                head.hide()
                value.hide()
        shown_symbols = symbols(self.lane_id, translates, has_rotors)
        self.symbol_table = RichTextLabel(self)
        if shown_symbols:
            parts += [GRID_UNIT, label("subheading", tr("Symbols"), word_wrap=False), self.symbol_table]
        for note, title in zip(self.notes, titled_notes, strict=True):
            parts += [GRID_UNIT, label("subheading", tr(title), word_wrap=False), note]
        self._layout = column(*parts, None, margins=_MARGINS)
        self.setLayout(self._layout)
        if shown_symbols:
            self.symbol_table.set_markdown(symbol_table(shown_symbols))
        for note, text in zip(self.notes, titled_notes.values(), strict=True):
            note.set_markdown(
                capitalize_first(text)
            )  # set_markdown shows the label, which needs a parent by then
        self.pointed.connect(self._explain)
        self.setAccessibleName(tr("Equations of {lane}", lane=lane_title(self.lane_id)))

    def _source_text(self, translates: bool) -> str:
        """Return a text about the formulation: its number of states, the order of its equations, and its source."""
        values = {
            "count": len(self._form.component_names),
            "order": self._order_text,
            "source": written_out(self._form.source),
        }
        if translates and not self._form.has_closed_form:
            return tr("{count} states and 6 of the center of mass, {order}. Source: {source}", **values)
        return tr("{count} states, {order}. Source: {source}", **values)

    @property
    def _order_text(self) -> str:
        if self._form.has_closed_form:
            return tr(self._form.evaluation_method or "evaluated, not integrated")
        return tr("second-order equations") if self._form.second_order else tr("first-order equations")

    def fit(self, available_height: float, *others: "LaneCard") -> None:
        """Arrange the equations so that the lower edge of the visible area cuts none of them.

        Parameters
        ----------
        available_height
            Visible height of the cards before scrolling [pixels]; infinite if they are not docked.
        others
            Cards beside this one, which get the same type size.
        """
        card_row = [self, *others]
        for card in card_row:
            card._available_height, card._card_row = available_height, card_row
            card.setMinimumWidth(_MIN_WIDTH if math.isinf(available_height) else _MIN_DOCKED_WIDTH)
        self._choose_layout()

    def _choose_layout(self) -> None:
        """Choose the type size with which the most equations are completely visible. A partly visible equation could be misread.

        If several sizes show equally many equations, the largest of them is chosen.
        """
        plans = [self._plan_layout(size) for size in dict.fromkeys(size for size, _ in LAYOUT_OPTIONS)]
        max_complete = max(complete_count for complete_count, _, _ in plans)
        _, placements, ends = (
            next(plan for plan in plans if plan[0] == max_complete) if max_complete else plans[-1]
        )
        for view, option, width, lead in placements:
            view.apply_layout(option, width, lead)
        for card, end in zip(self._card_row, ends, strict=True):
            card._place_source(self._available_height - end)

    def _place_source(self, free_height: float) -> None:
        """Move the source text below the visible area if it does not fit into the remaining height `free_height` [pixels]."""
        source_label, gap = self.source_label, self._layout.spacing()
        source_label.setContentsMargins(0, 0, 0, 0)
        free_height -= 2 * gap + self.explanation_label.heightForWidth(source_label.width())
        lead = (
            round(free_height) + 2 * GRID_UNIT
            if 0.0 < free_height < source_label.heightForWidth(source_label.width())
            else 0
        )
        source_label.setContentsMargins(0, lead, 0, 0)

    def _plan_layout(
        self, size: float
    ) -> tuple[int, list[tuple[EquationView, tuple[float, bool], int, int]], list[int]]:
        """Plan the layout of all cards for one type size. An equation that does not fit starts below the visible area,
        except for the first one of a card.

        Returns
        -------
        tuple
            Number of equations that fit on all cards; view, layout option, width and space above [pixels] of each equation; and
            bottom of the last equation of each card [pixels].
        """
        left, top, right, _ = _MARGINS
        widths = [card.width() - left - right for card in self._card_row]
        ends = [
            top + member._title_label.heightForWidth(wide)
            for member, wide in zip(self._card_row, widths, strict=True)
        ]
        complete_count, placements, gap = 0, [], self._layout.spacing() + GRID_UNIT
        for number in range(max(len(card.views) for card in self._card_row)):
            row = [
                (at, member.views[number])
                for at, member in enumerate(self._card_row)
                if number < len(member.views)
            ]
            free_heights = [self._available_height - end - gap for end in ends]
            options = [option for option in LAYOUT_OPTIONS if option[0] == size]
            fitting = [
                option
                for option in options
                if all(member.height_in_layout(option, widths[at]) <= free_heights[at] for at, member in row)
            ]
            complete_count += bool(fitting)
            option = (*fitting, options[-1] if number == 0 else options[0])[0]
            for at, view in row:
                lead = 0 if fitting or number == 0 else max(round(free_heights[at]) + 2 * GRID_UNIT, 0)
                ends[at] += gap + view.height_in_layout(option, widths[at], lead)
                placements.append((view, option, widths[at], lead))
        return complete_count, placements, ends

    def event(self, event: QEvent) -> bool:
        """Schedule a new layout after a change of width, font or content."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._card_row[0]._fit_timer.start()  # one timer for all cards of the row
        return super().event(event)

    def show_message(self, message: str) -> None:
        """Show why the lane ended early or is not accurate; "" hides the text."""
        if message != self.message_label.text():
            self.message_label.setText(message)
            self.message_label.setVisible(bool(message))

    def show_point(self, at: EvaluationPoint, singularity: float = math.nan, title: str = "") -> None:
        """Show the values of all terms at one time. `title` becomes the title of the card; it names the lane and the time."""
        if title and title != self._title_label.text():
            self._title_label.setText(title)
            self.setAccessibleName(tr("Equations of {lane}", lane=title))
        for view in self.views:
            view.show_point(at)
        if self._form.has_multiplier:
            self.lam_label.setText(format_lambda(at, self._form.multiplier_terms))
        if self._form.singularity_title and math.isfinite(singularity):
            self.singularity_label.setText(f"{self._form.singularity_title} = {format_fixed(singularity, 4)}")

    def _explain(self, view: object) -> None:
        words = getattr(view, "words", "")
        self.explanation_label.setText(f"{capitalize_first(words)}." if words else " ")


def symbol_table(shown_symbols: Iterable[Symbol]) -> str:
    """Return a table of symbols with their meaning, unit and frame, as Markdown."""
    heads = tr("symbol"), tr("meaning"), tr("unit"), tr("frame")
    rows = [
        (f"${symbol.latex}$", tr(symbol.meaning), symbol.unit, tr(symbol.frame) if symbol.frame else "")
        for symbol in shown_symbols
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ("---",) * len(heads), *rows))


_INTRODUCTION = (
    "Six ways to write one motion. They differ in the gyroscopic term (rows) and in the generalized force of the "
    "same loads (columns), marked in color. All six give the body the same acceleration: they differ along p only, which does "
    "no work and changes only λ. The numbers belong to the chosen lane at the cursor."
)


class MultiplierFormsCard(QWidget):
    """Card with one cell for each multiplier form, which compares their equations and values."""

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        title, introduction = (
            label("heading", tr("One motion, six lambdas"), word_wrap=False),
            label("", tr(_INTRODUCTION)),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID_UNIT)
        grid.setVerticalSpacing(4 * GRID_UNIT)
        self.cells = [MultiplierFormCell(form) for form in MULTIPLIER_FORMS]
        for cell in self.cells:
            cell.equation.pointed.connect(self.pointed)
            column_index = LOADS.index(cell.form.load)
            grid.addWidget(cell, GYROSCOPIC.index(cell.form.gyroscopic), column_index)
            grid.setColumnStretch(column_index, 1)
        margins = 3 * GRID_UNIT, 2 * GRID_UNIT, 3 * GRID_UNIT, 3 * GRID_UNIT
        head, self.symbol_table = label("subheading", tr("Symbols"), word_wrap=False), RichTextLabel()
        parts = title, introduction, grid, column(head, self.symbol_table), None
        self.setLayout(column(*parts, gap=2 * GRID_UNIT, margins=margins))
        self.symbol_table.set_markdown(symbol_table(multiplier_form_symbols()))
        self.setAccessibleName(tr("The six multiplier forms"))

    def show_point(self, at: EvaluationPoint) -> None:
        """Show the values of all multiplier forms at one time."""
        multipliers = [cell.form.multiplier(at) for cell in self.cells]
        greatest = max(map(abs, multipliers))
        for cell, value in zip(self.cells, multipliers, strict=True):
            cell.show_point(at, value, 2 if greatest >= 1e3 else 4)


def multiplier_form_symbols() -> tuple[Symbol, ...]:
    """Return the symbols of the equations of all multiplier forms."""
    theory = [term for form in MULTIPLIER_FORMS for term in form.multiplier_terms]
    return equation_symbols((form.equation for form in MULTIPLIER_FORMS), more=theory)


class MultiplierFormCell(QWidget):
    """Cell with the equation of one multiplier form and its λ."""

    def __init__(self, form: MultiplierForm) -> None:
        super().__init__()
        self.form = form
        self.equation = EquationView(form.equation, [form.is_optional(term) for term in form.equation.terms])
        self.lam_label = label("subheading", word_wrap=False)
        theory_text = tr("In theory λ = {parts}", parts=" + ".join(form.multiplier_terms) or "0")
        head, theory = (
            label("subheading", lane_title(form.id), word_wrap=False),
            label("muted", theory_text, word_wrap=False),
        )
        self.setLayout(column(head, self.equation, self.lam_label, theory, None))

    def show_point(self, at: EvaluationPoint, lam: float, decimals: int) -> None:
        """Show the multiplier λ [J] that the linear system of this form yields."""
        self.equation.show_point(at.with_lambda(lam))
        self.lam_label.setText(f"λ = {format_fixed(lam, decimals)} J")
