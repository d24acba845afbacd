"""What a person chooses for a fit: recording, stretch, what is sought beside the body, samples far off, the form that runs it."""

from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLayout, QWidget

from quatviz.analysis.fitting.noise import LEAST_SQUARES, LOSSES
from quatviz.analysis.fitting.tables import forms
from quatviz.base.errors import InputError
from quatviz.base.formatting import number_text
from quatviz.base.translation import tr
from quatviz.base.units import number_in
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.controls import (
    Button,
    ChoiceBox,
    ReadEntry,
    Scrolled,
    chapters,
    column,
    form_of,
    label,
    row,
    scrolling,
)

_SCALES = {"": "None", "common": "One for all axes", "each": "One for each axis"}
_LOSSES = {
    LEAST_SQUARES: "As all others",
    "huber": "By their size (Huber)",
    "soft_l1": "By their size, smoothly",
    "cauchy": "Next to nothing (Cauchy)",
}
assert _LOSSES.keys() == LOSSES.keys()
_TOPIC = "fit#in-the-window"


class FitChoices(Scrolled):
    """Follows the recording that is looked at: what it cannot tell cannot be chosen, and says why."""

    span_changed = Signal(float, float)
    """A person has written another stretch [s]."""

    def __init__(self) -> None:
        super().__init__()
        self.recording = ChoiceBox({}, tr("Recording"))
        """Numbers of lanes."""
        self.start, self.stop = map(_time, ("the beginning", "the end"))
        said = tr("The stretch in which some body keeps its angular momentum")
        self.seek, self.whole = Button(tr("Find it"), tip=said), Button(tr("All of it"))
        self.flight = label("muted")
        self.axes = QCheckBox(tr("Turned principal axes"))
        self.bias = QCheckBox(tr("Bias of the rates"))
        self.misalignment = QCheckBox(tr("Axes of the rates, turned"))
        self.damping = QCheckBox(tr("Viscous damping"))
        self.scale = ChoiceBox({name: tr(text) for name, text in _SCALES.items()})
        self.loss = ChoiceBox({name: tr(text) for name, text in _LOSSES.items()})
        self.form = ChoiceBox(forms(), tr("Taken over as"))
        self.form.show_value("newton_euler")
        self.axes.setChecked(True)
        self.bias.setChecked(True)
        self._lay_out()
        for entry in (self.start, self.stop):
            entry.committed.connect(self._tell_span)

    @property
    def span(self) -> tuple[float, float]:
        """From when to when the recording is fitted [s]; an `InputError` where that is no stretch of it."""
        start, stop = self.start.read(), self.stop.read()
        if not start < stop:
            refusal = InputError(
                "the free flight", expected="a beginning before its end", found=f"{start:g} s, {stop:g} s",
                remedy="write other times, or draw the stretch in the curve", topic=_TOPIC,
            )  # fmt: skip
            self.start.refuse(refusal)
            raise refusal
        return start, stop

    def show_span(self, start: float, stop: float) -> None:
        """Show another stretch, as the curve has it."""
        self.start.show_text(number_text(float(f"{start:.6g}")))
        self.stop.show_text(number_text(float(f"{stop:.6g}")))

    def bar(self, attitudes: bool, rates: bool) -> None:
        """Leave out what a recording with attitudes, or rates, or both, does not tell."""
        needs_rates = "" if rates else tr("It takes recorded rates")
        needs_both = "" if attitudes and rates else tr("It takes attitudes beside the rates")
        for part, lack in (
            (self.bias, needs_rates),
            (self.scale, needs_rates),
            (self.misalignment, needs_both),
        ):
            part.setEnabled(not lack)
            part.setToolTip(lack)
        self.scale.offer(
            {name: tr(text) for name, text in _SCALES.items() if name != "each" or not needs_both}
        )

    def arguments(self) -> dict[str, Any]:
        """What is sought, as `fitting.fit.search_of` is told."""
        return {
            "axes": self.axes.isChecked(),
            "bias": self.bias.isEnabled() and self.bias.isChecked(),
            "scale": str(self.scale.value) if self.scale.isEnabled() else "",
            "misalignment": self.misalignment.isEnabled() and self.misalignment.isChecked(),
            "damping": self.damping.isChecked(),
            "loss": str(self.loss.value),
        }

    def _tell_span(self) -> None:
        with suppress(InputError):
            self.span_changed.emit(*self.span)

    def _lay_out(self) -> None:
        stretch = column(
            form_of({tr("From [s]"): self.start, tr("To [s]"): self.stop}),
            row(self.seek, self.whole, None),
            self.flight,
        )
        sensor = form_of({tr("Scale of the rates"): self.scale, tr("Samples far off count"): self.loss})
        sensor.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        sought = column(
            label("muted", tr("Always: the ratios of the moments, and the start.")),
            self.axes, self.bias, self.misalignment, self.damping, sensor, gap=UNIT // 2,
        )  # fmt: skip
        self.form.setToolTip(tr("The form of the equations that runs beside the recording"))
        parts: dict[str, QWidget | QLayout] = {
            tr("Recording"): self.recording, tr("The free flight"): stretch, tr("What is sought"): sought,
            tr("Taken over as"): self.form,
        }  # fmt: skip
        scrolling(chapters(parts), self)


def _time(place: str) -> ReadEntry:
    read = partial(number_in, place=place, expected="a time of the run [s]", example="0.5")
    return ReadEntry(partial(read, topic=_TOPIC, unit="s"))
