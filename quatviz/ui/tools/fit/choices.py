"""Form for the choices of a fit: recording, time range, further parameters, treatment of outliers, and the formulation for
the result."""

from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLayout, QWidget

from quatviz.analysis.fitting.noise import LEAST_SQUARES, LOSSES
from quatviz.analysis.fitting.tables import available_formulations
from quatviz.base.errors import InputError
from quatviz.base.formatting import format_number
from quatviz.base.translation import tr
from quatviz.base.units import require_number
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.entries import ParsedEntry
from quatviz.ui.widgets.inline_message import with_message
from quatviz.ui.widgets.labels import label, make_section_layout
from quatviz.ui.widgets.layouts import column, make_form_layout, row
from quatviz.ui.widgets.scrolling import VerticalScrollArea, make_scroll_area

_SCALE_TITLES = {"": "None", "common": "One for all axes", "each": "One for each axis"}
_LOSS_TITLES = {
    LEAST_SQUARES: "Keep",
    "huber": "Reduce weight (Huber)",
    "soft_l1": "Reduce weight (soft L1)",
    "cauchy": "Nearly ignore (Cauchy)",
}
assert _LOSS_TITLES.keys() == LOSSES.keys()
_TOPIC = "fit#in-the-window"


class FitChoices(VerticalScrollArea):
    """Form with the choices of a fit. A parameter that the recording cannot determine is disabled, and a tooltip gives the
    reason."""

    span_changed = Signal(float, float)
    """The user entered another time range. Emitted with its start and end [s]."""

    def __init__(self) -> None:
        super().__init__()
        self.recording = ChoiceBox({}, tr("Recording"))
        """Choice box with the lanes that show a recording, by lane number."""
        self.start, self.stop = map(_make_time_field, ("the beginning", "the end"))
        tooltip = tr("The interval in which the angular momentum is constant")
        self.find_button, self.all_button = (
            Button(tr("Find free flight"), tip=tooltip),
            Button(tr("Whole recording")),
        )
        self.flight_label = label("muted")
        self.axes = QCheckBox(tr("Directions of principal axes"))
        self.bias = QCheckBox(tr("Bias of the rates"))
        self.misalignment = QCheckBox(tr("Rotation of the rate sensor"))
        self.damping = QCheckBox(tr("Viscous damping"))
        self.scale = ChoiceBox({name: tr(text) for name, text in _SCALE_TITLES.items()})
        self.loss = ChoiceBox({name: tr(text) for name, text in _LOSS_TITLES.items()})
        self.form = ChoiceBox(available_formulations(), tr("Formulation of the new lane"))
        self.form.show_value("newton_euler")
        self.axes.setChecked(True)
        self.bias.setChecked(True)
        self._lay_out()
        for entry in (self.start, self.stop):
            entry.committed.connect(self._emit_span)

    @property
    def span(self) -> tuple[float, float]:
        """Start and end of the fitted time range [s]. Raises `InputError` if the range is invalid."""
        start, stop = self.start.read_value(), self.stop.read_value()
        if not start < stop:
            refusal = InputError(
                "the free flight", expected="a start before the end", found=f"{start:g} s, {stop:g} s",
                remedy="enter other times, or drag the interval in the plot", topic=_TOPIC,
            )  # fmt: skip
            self.start.show_refusal(refusal)
            raise refusal
        return start, stop

    def show_span(self, start: float, stop: float) -> None:
        """Show the time range that is selected in the plot in the fields."""
        self.start.show_text(format_number(float(f"{start:.6g}")))
        self.stop.show_text(format_number(float(f"{stop:.6g}")))

    def disable_unsupported(self, has_attitudes: bool, has_rates: bool) -> None:
        """Disable the parameters that this recording cannot determine: some need rates, and others both attitudes and rates."""
        needs_rates = "" if has_rates else tr("Needs recorded rates")
        needs_both = "" if has_attitudes and has_rates else tr("Needs recorded attitudes and rates")
        for field, reason in (
            (self.bias, needs_rates),
            (self.scale, needs_rates),
            (self.misalignment, needs_both),
        ):
            field.setEnabled(not reason)
            field.setToolTip(reason)
        self.scale.set_choices(
            {name: tr(text) for name, text in _SCALE_TITLES.items() if name != "each" or not needs_both}
        )

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments for `analysis.fitting.fit.make_search`."""
        return {
            "axes": self.axes.isChecked(),
            "bias": self.bias.isEnabled() and self.bias.isChecked(),
            "scale": str(self.scale.value) if self.scale.isEnabled() else "",
            "misalignment": self.misalignment.isEnabled() and self.misalignment.isChecked(),
            "damping": self.damping.isChecked(),
            "loss": str(self.loss.value),
        }

    def _emit_span(self) -> None:
        with suppress(InputError):
            self.span_changed.emit(*self.span)

    def _lay_out(self) -> None:
        interval_layout = column(
            make_form_layout(
                {
                    text: with_message(entry, entry.message)
                    for text, entry in ((tr("From [s]"), self.start), (tr("To [s]"), self.stop))
                }
            ),
            row(self.find_button, self.all_button, None),
            self.flight_label,
        )
        sensor = make_form_layout({tr("Scale factor of the rates"): self.scale, tr("Outliers"): self.loss})
        sensor.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        parameter_layout = column(
            label("muted", tr("Always fitted: the ratios of the moments and the initial state.")),
            self.axes, self.bias, self.misalignment, self.damping, sensor, gap=GRID_UNIT // 2,
        )  # fmt: skip
        self.form.setToolTip(tr("Formulation of the lane that “Apply to run” adds beside the recording"))
        parts: dict[str, QWidget | QLayout] = {
            tr("Recording"): self.recording, tr("Free flight"): interval_layout, tr("Fit parameters"): parameter_layout,
            tr("Formulation of the new lane"): self.form,
        }  # fmt: skip
        make_scroll_area(make_section_layout(parts), self)


def _make_time_field(name: str) -> ParsedEntry:
    read = partial(require_number, place=name, expected="a time of the run [s]", example="0.5")
    return ParsedEntry(partial(read, topic=_TOPIC, unit="s"))
