"""Searchable list of formulations, grouped by family, with details of the current formulation beside it."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QListWidgetItem, QSizePolicy, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import format_error
from quatviz.base.translation import tr
from quatviz.display.document.formulation_catalog import by_family, formulation_entry, search_terms
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.formula_cache import formula_cache
from quatviz.physics.formulations import lane_title
from quatviz.teaching.help.entry_search import SearchEntry, filter_entries
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.lists import CheckList, SearchField
from quatviz.ui.widgets.style import PaintedWidget
from quatviz.ui.widgets.typeset import Formula, Typesetter, formula_picture

_LIST_WIDTH, _DETAILS_WIDTH = 330, 380
"""Minimum widths of the list of formulations and of the details beside it [pixels]."""
_RELATIVE_SIZE = 1.3
"""Type size of the displayed equation, relative to the type size of titles."""


class EquationLabel(PaintedWidget, QWidget):
    """Label that paints an equation on as many lines as its width requires."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[tuple[str, str], ...] = ()
        self._typesetter = Typesetter(self)
        self._typesetter.finished.connect(lambda _: self._fit())
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: tuple[tuple[str, str], ...]) -> None:
        """Show an equation, which is typeset in the background. `parts` are pairs (operator, term) of LaTeX code. An operator
        may be empty."""
        self._parts = parts
        self.setAccessibleName(tr("Equation: {latex}", latex=" ".join(map(" ".join, parts))))
        self._typesetter.start(latex for part in parts for latex in part if latex)
        self._fit()

    def follow_theme(self) -> None:
        self._fit()

    def shutdown(self) -> None:
        """Cancel typesetting."""
        self._typesetter.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(0, round(sum(ascent + descent for _, ascent, descent in self._lines())))

    def draw(self, painter: QPainter) -> None:
        y = 0.0
        for pieces, ascent, descent in self._lines():
            x = 0.0
            for piece in pieces:
                piece.paint(painter, x, y + ascent, self._em)
                x += piece.width * self._em + GRID_UNIT / 2
            y += ascent + descent

    @property
    def _em(self) -> float:
        return _RELATIVE_SIZE * self.theme.title

    def _lines(self) -> list[tuple[list[Formula], float, float]]:
        """Return the lines of the equation, each with its formulas, ascent and descent [pixels]. The list is empty during
        typesetting."""
        requested = [latex for part in self._parts for latex in part if latex]
        if formula_cache().missing_formulae(requested):
            return []
        lines: list[list[Formula]] = [[]]
        used = 0.0
        for part in self._parts:
            pieces = [formula_picture(latex, self.theme.text) for latex in part if latex]
            width = sum(piece.width * self._em + GRID_UNIT / 2 for piece in pieces)
            if lines[-1] and used + width > self.width():
                lines.append([])
                used = 0.0
            lines[-1] += pieces
            used += width
        return [
            (
                pieces,
                max(piece.ascent for piece in pieces) * self._em + GRID_UNIT / 2,
                max(piece.descent for piece in pieces) * self._em + GRID_UNIT / 2,
            )
            for pieces in lines
            if pieces
        ]

    def _fit(self) -> None:
        self.setFixedHeight(max(self.sizeHint().height(), 4 * GRID_UNIT))
        self.update()


class FormulationDetails(QWidget):
    """Area with the equation, source and description of one formulation."""

    def __init__(self) -> None:
        super().__init__()
        self.title_label, self.sentence_label = label("heading"), label()
        self.equation_label = EquationLabel()
        self.facts_label, self.citation_label = label(), label("muted", selectable=True)
        self.refusal_label = label("refusal")
        self.setLayout(
            column(
                self.title_label,
                self.sentence_label,
                self.equation_label,
                self.facts_label,
                self.citation_label,
                self.refusal_label,
                None,
                gap=GRID_UNIT,
                margins=(2 * GRID_UNIT, 0, 0, 0),
            )
        )

    def show_formulation(self, lane_id: str, refusal: str = "") -> None:
        """Show the details of a formulation. If it cannot be chosen, `refusal` gives the reason."""
        entry = formulation_entry(lane_id)
        self.title_label.setText(entry.title)
        self.sentence_label.setText(entry.sentence)
        self.equation_label.set_parts(entry.equation)
        self.facts_label.setText(tr("{facts}.", facts=entry.facts))
        self.citation_label.setText(tr("Source: {citation}", citation=entry.citation))
        self.refusal_label.setText(refusal)
        self.refusal_label.setVisible(bool(refusal))


class FormulationPicker(QWidget):
    """Search field, check list and details of formulations. `refusals` has the reason for each disabled formulation, by its id."""

    changed = Signal()
    """Emitted after the checked or the listed formulations changed."""

    def __init__(
        self, lane_ids: Iterable[str], ticked: Iterable[str], refusals: Mapping[str, InputError]
    ) -> None:
        super().__init__()
        self._lane_ids, checked = list(lane_ids), set(ticked)
        self._refusals = {lane_id: format_error(refusal) for lane_id, refusal in refusals.items()}
        self.unmatched_text = ""
        """Text of the search if nothing matches, else empty."""
        self.search_field = SearchField(tr("Find a formulation"))
        self.check_list, self.details = CheckList(tr("Formulations")), FormulationDetails()
        for family, members in by_family(self._lane_ids).items():
            self.check_list.add_heading(tr(family))
            for lane_id in members:
                self.check_list.add_name(
                    lane_id, lane_title(lane_id), lane_id in checked, self._refusals.get(lane_id, "")
                )
        self.check_list.setMinimumWidth(_LIST_WIDTH)
        self.check_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.details.setMinimumWidth(_DETAILS_WIDTH)
        self.search_field.textChanged.connect(self._filter)
        self.search_field.stepped.connect(lambda _: self.check_list.setFocus())
        self.check_list.itemChanged.connect(lambda _: self.changed.emit())
        self.check_list.currentItemChanged.connect(lambda item, _: self._show_details(item))
        self.check_list.setMouseTracking(True)
        self.check_list.itemEntered.connect(self._show_details)
        parts = row((self.check_list, 1), (self.details, 1), gap=0)
        self.setLayout(column(self.search_field, (parts, 1), gap=GRID_UNIT))
        first = next((name for name in self._lane_ids if name in checked), self._lane_ids[0])
        self.details.show_formulation(first)

    def choose_match(self) -> bool:
        """Check or uncheck the formulation that matches the search best. Return False if the search field is empty."""
        item = self.check_list.currentItem()
        if not self.search_field.text():
            return False
        if item is not None:
            self.check_list.toggle(item)
        return True

    def shutdown(self) -> None:
        """Cancel typesetting."""
        self.details.equation_label.shutdown()

    def _show_details(self, item: QListWidgetItem | None) -> None:
        name = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        if name is not None:
            self.details.show_formulation(name, self._refusals.get(name, ""))

    def _filter(self, typed: str) -> None:
        """List only the formulations that match the search, and select the best match."""
        entries = [
            SearchEntry(lane_title(lane_id), lane_id, lambda: None, keywords=search_terms(lane_id))
            for lane_id in self._lane_ids
        ]
        matches = [entry.location for entry in filter_entries(entries, typed)]
        self.check_list.show_only(matches)
        if matches and typed.strip():
            self.check_list.setCurrentItem(self.check_list.item_of(matches[0]))
        else:
            self.check_list.setCurrentRow(-1)
        self.unmatched_text = "" if matches else typed.strip()
        self.changed.emit()


UNMATCHED_MESSAGE = (
    "No formulation matches “{typed}”. Try a name, such as Lagrange, or a property, such as "
    "Euler angles, momentum or lambda."
)
