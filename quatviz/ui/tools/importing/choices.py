"""How the numbers of a file are meant: a choice for each convention that matters, and those conventions by how well they hold."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QListWidgetItem, QWidget

from quatviz.base.formatting import spoken
from quatviz.base.parameters import declared
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.observables.read_options import Reading, choice_title
from quatviz.recordings.conventions import Candidate, ConventionsFound, words_beside
from quatviz.recordings.loading import mattering, reads_so
from quatviz.ui.widgets.controls import ChoiceBox, SteppedList, form_of, tip

_TITLES = {
    "attitude": "Attitude", "order": "Order", "direction": "Direction", "product": "Product", "sequence": "Sequence",
    "axes": "Turned about", "angle_unit": "Unit of angles", "rate_axes": "Axes of rates", "rate_unit": "Unit of rates",
    "time_unit": "Unit of times",
}  # fmt: skip
_SHOWN = 8
"""Conventions in the list, beside the one that is chosen."""


class ReadingChoices(QWidget):
    """A box for each field; those that say nothing of such columns are not seen."""

    chosen = Signal(str, object)
    """A field of the reading, and what a person says of it."""

    def __init__(self) -> None:
        super().__init__()
        self.part = ChoiceBox({})
        self.boxes = {name: self._box(name) for name in _TITLES}
        rows: dict[str, QWidget] = {tr("Part of the file"): self.part}
        rows |= {tr(title): self.boxes[name] for name, title in _TITLES.items()}
        self._form = form_of(rows)
        self.setLayout(self._form)
        self.part.chosen.connect(lambda value: self.chosen.emit("part", value))

    def show_reading(self, reading: Reading, parts: Sequence[str]) -> None:
        """Show what a reading says, and the parts of its file."""
        self.part.offer({part: part for part in parts})
        if reading.part is not None:
            self.part.show_value(reading.part)
        self._form.setRowVisible(self.part, len(parts) > 1)
        seen = mattering(reading)
        for name, box in self.boxes.items():
            self._form.setRowVisible(box, name in seen)
            if name in seen and getattr(reading, name) is not None:
                box.show_value(getattr(reading, name))

    def _box(self, name: str) -> ChoiceBox:
        parameter = declared(Reading)[name]
        box = ChoiceBox({value: choice_title(name, value) for value in parameter.choices or ()})
        box.setToolTip(tip(spoken(parameter.explanation)))
        box.chosen.connect(lambda value: self.chosen.emit(name, value))
        return box


class RankedConventions(SteppedList):
    """Conventions, the best first; the one by which the file is read now is chosen."""

    taken = Signal(object)
    """The `Convention` that a person takes."""

    def __init__(self) -> None:
        super().__init__(tr("Conventions, the best first"))
        self.setWordWrap(True)
        self.setObjectName("rows")
        self.setFixedHeight(20 * UNIT)
        self._listed: list[Candidate] = []
        self.itemClicked.connect(self._take)
        self.itemActivated.connect(self._take)

    def show_ranking(self, ranked: ConventionsFound, reading: Reading) -> None:
        """Show the best of them, and the one that the reading has."""
        mine = next((each for each in ranked.candidates if reads_so(each.convention, reading)), None)
        listed = list(ranked.candidates[:_SHOWN])
        if mine is not None and mine not in listed:
            listed.append(mine)
        if listed != self._listed:
            self._listed = listed
            self.clear()
            for each in listed:
                item = QListWidgetItem(words_beside(each, ranked.best))
                item.setToolTip(tip(tr("Read the file so")))
                self.addItem(item)
        self.setCurrentRow(listed.index(mine) if mine is not None else -1)

    def _take(self, item: QListWidgetItem) -> None:
        self.taken.emit(self._listed[self.row(item)].convention)
