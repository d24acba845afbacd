"""Fields for the units and conventions of a file: a box for each read option, and a list of conventions ranked by their fit."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QListWidgetItem, QWidget

from quatviz.base.formatting import humanize_title
from quatviz.base.parameters import parameters_of
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.observables.read_options import UNITS, ReadOptions, choice_title
from quatviz.recordings.conventions import Candidate, ConventionRanking, candidate_text
from quatviz.recordings.loading import has_convention, relevant_conventions
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.layouts import make_form_layout
from quatviz.ui.widgets.lists import NavigableList

_TITLES = {
    "attitude": "Attitude", "order": "Order", "direction": "Direction", "product": "Product", "sequence": "Sequence",
    "axes": "Rotations about",
    "signs": "Signs of angles", "angle_unit": "Unit of angles", "rate_axes": "Axes of rates", "rate_unit": "Unit of rates",
    "time_unit": "Unit of times",
}  # fmt: skip
_CHOICE_LETTERS = 13
"""Width of a box with read options [characters]."""
_MAX_LISTED = 8
"""Maximum number of listed conventions, in addition to the chosen one."""


class ReadOptionsForm(QWidget):
    """Form with a box for each read option. Options that do not apply to the columns are hidden."""

    chosen = Signal(str, object)
    """Emitted when an option was chosen, with the name of the field of `ReadOptions` and its value."""

    def __init__(self) -> None:
        super().__init__()
        self.part_box = ChoiceBox({})
        self.boxes = {name: self._make_box(name) for name in _TITLES}
        rows: dict[str, QWidget] = {tr("Part of the file"): self.part_box}
        rows |= {tr(title): self.boxes[name] for name, title in _TITLES.items()}
        self._form = make_form_layout(rows)
        self.setLayout(self._form)
        self.part_box.chosen.connect(lambda value: self.chosen.emit("part", value))

    def show_reading(self, reading: ReadOptions, parts: Sequence[str]) -> None:
        """Show these read options. `parts` are the names of the parts of the file; the user chooses one of them."""
        self.part_box.set_choices({part: part for part in parts})
        if reading.part is not None:
            self.part_box.show_value(reading.part)
        self._form.setRowVisible(self.part_box, len(parts) > 1)
        visible_options = relevant_conventions(reading)
        for name, box in self.boxes.items():
            self._form.setRowVisible(box, name in visible_options)
            if name in visible_options and getattr(reading, name) is not None:
                box.show_value(getattr(reading, name))

    def _make_box(self, name: str) -> ChoiceBox:
        parameter = parameters_of(ReadOptions)[name]
        choices = UNITS.get(name) or parameter.choices or ()
        box = ChoiceBox(
            {value: choice_title(name, value) for value in choices}, min_characters=_CHOICE_LETTERS
        )
        box.setToolTip(tooltip_text(humanize_title(parameter.explanation)))
        box.chosen.connect(lambda value: self.chosen.emit(name, value))
        return box


class ConventionList(NavigableList):
    """List of conventions, with the one that fits the recording best at the top. The convention in use is selected."""

    convention_chosen = Signal(object)
    """A convention was chosen. Emitted with the `Convention`."""

    def __init__(self) -> None:
        super().__init__(tr("Conventions, the best first"))
        self.setWordWrap(True)
        self.setObjectName("rows")
        self.setFixedHeight(20 * GRID_UNIT)
        self._listed: list[Candidate] = []
        self.itemClicked.connect(self._emit_chosen)
        self.itemActivated.connect(self._emit_chosen)

    def show_ranking(self, ranked: ConventionRanking, reading: ReadOptions) -> None:
        """Show the conventions that fit best, and the one in use."""
        current = next(
            (candidate for candidate in ranked.candidates if has_convention(candidate.convention, reading)),
            None,
        )
        listed = list(ranked.candidates[:_MAX_LISTED])
        if current is not None and current not in listed:
            listed.append(current)
        if listed != self._listed:
            self._listed = listed
            self.clear()
            for candidate in listed:
                item = QListWidgetItem(candidate_text(candidate, ranked.best))
                item.setToolTip(tooltip_text(tr("Use this convention")))
                self.addItem(item)
        self.setCurrentRow(listed.index(current) if current is not None else -1)

    def _emit_chosen(self, item: QListWidgetItem) -> None:
        self.convention_chosen.emit(self._listed[self.row(item)].convention)
