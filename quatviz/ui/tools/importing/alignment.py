"""Fields for the time range of a recording and for its alignment to a lane. The user types the values or has them estimated."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import format_number
from quatviz.base.translation import tr
from quatviz.base.units import require_number
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.mechanics.rotations import from_rotation_vector, normalize, to_rotation_vector
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.labels import ElidedLabel, MessageLabel, label, subheading, tooltip_text
from quatviz.ui.widgets.layouts import WrappedRow, column, make_form_layout, row, wrap_layout

_TOPIC = "recordings#time-range-and-free-flight"
_CHOICE_LETTERS = 13
"""Width of the box in which the rotations to be estimated are chosen [characters]."""
NO_LANE = ""
"""Value of the lane box if no lane is chosen."""


class IntervalChoices(QWidget):
    """Fields for the start and the end of the time range in the file."""

    edited = Signal()
    flight_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.start = LineEntry(tr("Start [s in the file]"), tr("start of file"))
        self.stop = LineEntry(tr("End [s in the file]"), tr("end of file"))
        tooltip = tr("Detect the free flight with the accelerometer, or from constant angular momentum")
        self.flight_button = Button(tr("Find the free flight"), self.flight_requested, tooltip)
        self.all_button = Button(tr("Whole file"), self._clear)
        self.source_label = ElidedLabel()
        for button in (self.flight_button, self.all_button):
            button.setAutoDefault(False)
        for entry in (self.start, self.stop):
            entry.committed.connect(self.edited)
        title = subheading(tr("Time range"))
        ends = self.start, label("", "–", word_wrap=False), self.stop, label("muted", "s", word_wrap=False)
        fields, buttons = row(title, *ends, None), row(self.flight_button, self.all_button)
        fields_and_buttons = WrappedRow(wrap_layout(fields), wrap_layout(buttons))
        self.setLayout(column(fields_and_buttons, self.source_label, gap=GRID_UNIT // 2))

    def show_interval(self, start: float | None, stop: float | None, source: str | None = None) -> None:
        """Show start and end of the time range [s], and `source`, a text on how they were found. None keeps the previous text."""
        for entry, value in ((self.start, start), (self.stop, stop)):
            entry.show_text("" if value is None else format_number(float(f"{value:.9g}")))
        if source is not None:
            self.source_label.setText(source)
            self.source_label.setToolTip(tooltip_text(source))

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Start and end of the time range as typed [s]. None stands for the start or end of the recording.

        Raises `InputError` for an invalid number, or if the end is before the start.
        """
        start, stop = (_read_number(field, "s") for field in (self.start, self.stop))
        if start is not None and stop is not None and stop <= start:
            raise InputError(
                self.stop.accessibleName(), expected=phrase("a time after {start:g} s", start=start), found=f"{stop:g} s",
                remedy="enter an earlier start, or a later end", topic=_TOPIC,
            )  # fmt: skip
        return start, stop

    def _clear(self) -> None:
        self.show_interval(None, None, "")
        self.edited.emit()


class AlignmentChoices(QWidget):
    """Fields for the alignment of a recording: the time offset, and the rotations of space and body frame as rotation
    vectors in degrees."""

    edited = Signal()
    align_requested = Signal()
    """Emitted when the user asks to align the recording to the chosen lane."""
    comparison_changed = Signal()
    """Emitted when the user has chosen another lane for comparison."""

    def __init__(self) -> None:
        super().__init__()
        self.lane_box = ChoiceBox({NO_LANE: tr("none")})
        self.offset_field = LineEntry()
        self.space_fields, self.body_fields = ([LineEntry() for _ in range(3)] for _ in range(2))
        self.clock_box = QCheckBox(tr("from angular speeds"))
        side_titles = {
            "": "none",
            "space": "of the world frame",
            "body": "of the body frame",
            "both": "of both frames",
        }
        self.side_box = ChoiceBox(
            {side: tr(words) for side, words in side_titles.items()},
            tr("Rotations to estimate"),
            _CHOICE_LETTERS,
        )
        tooltip = tr("Estimate the alignment by comparing the two motions")
        self.align_button = Button(tr("Align"), self.align_requested, tooltip)
        self.reset_button = Button(tr("Reset"), self._reset)
        self.problem = MessageLabel()
        self.status_label = label("muted")
        self.clock_box.setChecked(True)
        self.side_box.show_value("both")
        for button in (self.align_button, self.reset_button):
            button.setAutoDefault(False)
        rows: dict[str, QWidget] = {
            tr("Compare with lane"): self.lane_box,
            tr("Starts in the run at [s]"): self.offset_field,
        }
        form = make_form_layout(rows)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for title, entries in (
            (tr("Rotate world frame [deg]"), self.space_fields),
            (tr("Rotate body frame [deg]"), self.body_fields),
        ):
            form.addRow(title, row(*((entry, 1) for entry in entries), gap=GRID_UNIT // 2))
            for number, entry in enumerate(entries, 1):
                entry.setAccessibleName(f"{title} {number}")
        form.addRow(tr("Estimate time offset"), self.clock_box)
        form.addRow(tr("Estimate rotations"), self.side_box)
        self.setLayout(
            column(form, row(self.align_button, self.reset_button, None), self.status_label, self.problem)
        )
        for entry in (self.offset_field, *self.space_fields, *self.body_fields):
            entry.committed.connect(self.edited)
        self.lane_box.chosen.connect(lambda _: self._follow_lane())
        self._follow_lane()

    def offer(self, names: Sequence[str]) -> None:
        """Offer the lanes with these names for the alignment."""
        self.lane_box.set_choices({NO_LANE: tr("none"), **{name: name for name in names}})
        self._follow_lane()

    @property
    def lane_name(self) -> str:
        """Name of the chosen lane, or `NO_LANE`."""
        return str(self.lane_box.value)

    def show_reading(self, reading: ReadOptions) -> None:
        """Show the time offset and the rotations of these read options."""
        self.offset_field.show_text(format_number(reading.offset or 0.0))
        for entries, turn in ((self.space_fields, reading.turn_space), (self.body_fields, reading.turn_body)):
            vector = np.zeros(3) if turn is None else np.degrees(to_rotation_vector(normalize(turn)))
            for entry, value in zip(entries, vector, strict=True):
                entry.show_text(format_number(float(f"{value:.5g}") + 0.0))

    def typed_options(self) -> dict[str, object]:
        """Return the typed alignment as fields of `ReadOptions`. A rotation that was not edited keeps its full precision."""
        offset = _read_number(self.offset_field, "s") or None
        options: dict[str, object] = {"offset": offset}
        for key, entries in (("turn_space", self.space_fields), ("turn_body", self.body_fields)):
            if any(entry.is_pending for entry in entries):
                vector = np.radians([_read_number(entry, "deg") or 0.0 for entry in entries])
                options[key] = from_rotation_vector(vector).tolist() if vector.any() else None
        return options

    def _follow_lane(self) -> None:
        for part in (self.align_button, self.clock_box, self.side_box):
            part.setEnabled(self.lane_name != NO_LANE)
        self.comparison_changed.emit()

    def _reset(self) -> None:
        for entry in (self.offset_field, *self.space_fields, *self.body_fields):
            entry.setText("0")
        self.status_label.setText("")
        self.problem.hide()
        self.edited.emit()


def _read_number(entry: LineEntry, unit: str) -> float | None:
    """Return the number in a field, or None if it is empty. Mark the field and raise `InputError` if it has another text."""
    try:
        number = (
            require_number(entry.text(), entry.accessibleName(), _TOPIC, unit=unit, example="0.25")
            if entry.text().strip()
            else None
        )
    except InputError:
        entry.set_refused(True)
        raise
    entry.set_refused(False)
    return number
