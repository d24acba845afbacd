"""Which stretch of a recording counts, and how it lies on a lane: by hand, or found."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import number_text
from quatviz.base.translation import tr
from quatviz.base.units import number_in
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.mechanics.rotations import from_rotation_vector, normalise, to_rotation_vector
from quatviz.physics.observables.read_options import Reading
from quatviz.ui.widgets.controls import (
    Button,
    ChoiceBox,
    ElidedLabel,
    Entry,
    RefusalLabel,
    column,
    form_of,
    label,
    row,
    subheading,
    tip,
)

_TOPIC = "recordings#the-stretch-that-counts"
ALONE = ""
"""No lane to lie on."""


class StretchChoices(QWidget):
    """From where to where in the file."""

    typed = Signal()
    flight_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.start = Entry(tr("Stretch, from [s in the file]"), tr("its beginning"))
        self.stop = Entry(tr("Stretch, to [s in the file]"), tr("its end"))
        said = tr("By the accelerometer, or where one body keeps its angular momentum")
        self.flight = Button(tr("Find the free flight"), self.flight_wanted, said)
        self.whole = Button(tr("All of it"), self._forget)
        self.said = ElidedLabel()
        for button in (self.flight, self.whole):
            button.setAutoDefault(False)
        for entry in (self.start, self.stop):
            entry.committed.connect(self.typed)
            entry.setFixedWidth(12 * UNIT)
        title = subheading(tr("The stretch that counts"))
        ends = self.start, label("", "–", wraps=False), self.stop, label("muted", "s", wraps=False)
        self.setLayout(column(row(title, *ends, self.flight, self.whole, None), self.said, gap=UNIT // 2))

    def show_stretch(self, start: float | None, stop: float | None, said: str | None = None) -> None:
        """Show these ends, and how they were found."""
        for entry, value in ((self.start, start), (self.stop, stop)):
            entry.show_text("" if value is None else number_text(float(f"{value:.9g}")))
        if said is not None:
            self.said.setText(said)
            self.said.setToolTip(tip(said))

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """What is typed; None for an end of the recording. `InputError` where it is no number, or runs back."""
        start, stop = (_typed(each, "s") for each in (self.start, self.stop))
        if start is not None and stop is not None and stop <= start:
            raise InputError(
                self.stop.accessibleName(), expected=phrase("a time after {start:g} s", start=start), found=f"{stop:g} s",
                remedy="let it begin earlier, or end later", topic=_TOPIC,
            )  # fmt: skip
        return start, stop

    def _forget(self) -> None:
        self.show_stretch(None, None, "")
        self.typed.emit()


class AlignChoices(QWidget):
    """Where the stretch stands in the time of the run, and turns of space and body, as rotation vectors in degrees."""

    typed = Signal()
    wanted = Signal()
    """Lay it on the lane that is chosen."""
    compared = Signal()
    """Another lane is to be seen beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.lane = ChoiceBox({ALONE: tr("nothing")})
        self.offset = Entry()
        self.space, self.body = ([Entry() for _ in range(3)] for _ in range(2))
        self.clock = QCheckBox(tr("its clock"))
        sides = {
            "": "no turn",
            "space": "a turn of space",
            "body": "a turn of the body",
            "both": "turns of both",
        }
        self.side = ChoiceBox({side: tr(words) for side, words in sides.items()}, tr("Which turn is found"))
        said = tr("Find them by the likeness of the two motions")
        self.align = Button(tr("Align"), self.wanted, said)
        self.undo = Button(tr("As in the file"), self._forget)
        self.problem = RefusalLabel()
        self.said = label("muted")
        self.clock.setChecked(True)
        self.side.show_value("both")
        for button in (self.align, self.undo):
            button.setAutoDefault(False)
        rows: dict[str, QWidget] = {tr("Beside lane"): self.lane, tr("Begins at [s]"): self.offset}
        form = form_of(rows)
        for title, entries in ((tr("Space turned [deg]"), self.space), (tr("Body turned [deg]"), self.body)):
            form.addRow(title, row(*((entry, 1) for entry in entries), gap=UNIT // 2))
            for place, entry in enumerate(entries, 1):
                entry.setAccessibleName(f"{title} {place}")
        form.addRow(tr("Find"), row(self.clock, (self.side, 1)))
        self.setLayout(column(form, row(self.align, self.undo, None), self.said, self.problem))
        for entry in (self.offset, *self.space, *self.body):
            entry.committed.connect(self.typed)
        self.lane.chosen.connect(lambda _: self._choose())
        self._choose()

    def offer(self, names: Sequence[str]) -> None:
        """Offer the lanes of the run."""
        self.lane.offer({ALONE: tr("nothing"), **{name: name for name in names}})
        self._choose()

    @property
    def name(self) -> str:
        """The lane that is chosen, or nothing."""
        return str(self.lane.value)

    def show_reading(self, reading: Reading) -> None:
        """Show where a reading has it."""
        self.offset.show_text(number_text(reading.offset or 0.0))
        for entries, turn in ((self.space, reading.turn_space), (self.body, reading.turn_body)):
            vector = np.zeros(3) if turn is None else np.degrees(to_rotation_vector(normalise(turn)))
            for entry, value in zip(entries, vector, strict=True):
                entry.show_text(number_text(float(f"{value:.5g}") + 0.0))

    def says(self) -> dict[str, object]:
        """What is typed, as fields of a reading; a turn that nobody has typed stays as exact as it was."""
        offset = _typed(self.offset, "s") or None
        said: dict[str, object] = {"offset": offset}
        for key, entries in (("turn_space", self.space), ("turn_body", self.body)):
            if any(entry.pending for entry in entries):
                vector = np.radians([_typed(entry, "deg") or 0.0 for entry in entries])
                said[key] = from_rotation_vector(vector).tolist() if vector.any() else None
        return said

    def _choose(self) -> None:
        for part in (self.align, self.clock, self.side):
            part.setEnabled(self.name != ALONE)
        self.compared.emit()

    def _forget(self) -> None:
        for entry in (self.offset, *self.space, *self.body):
            entry.setText("0")
        self.said.setText("")
        self.problem.hide()
        self.typed.emit()


def _typed(entry: Entry, unit: str) -> float | None:
    """The number in a field; None where it is empty."""
    return (
        number_in(entry.text(), entry.accessibleName(), _TOPIC, unit=unit, example="0.25")
        if entry.text().strip()
        else None
    )
