"""Measurement of a curve: the choice of the curve, its features, and the bar that shows them."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from quatviz.api.curve_measurement import (
    CurveFeatures,
    curve_evaluator,
    curve_features,
    measurement_script,
    rate_unit,
    slope_at,
)
from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError
from quatviz.base.formatting import MISSING_VALUE, format_error, format_number, format_unit, use_minus_sign
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.measurement import Measurement
from quatviz.display.view_state.signal import Signal as ModelSignal
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.lane import LaneRun
from quatviz.ui.widgets.background_job import BackgroundJobs, JobSpec
from quatviz.ui.widgets.buttons import IconButton, QuietButton
from quatviz.ui.widgets.labels import ElidedLabel, label
from quatviz.ui.widgets.layouts import WrappedRow, column, row
from quatviz.ui.widgets.scrolling import make_scroll_area
from quatviz.ui.widgets.style import Themed

LaneFinder = Callable[[str], LaneRun | None]
"""A function that returns the lane of the computed run by name, or None."""

_LINKS = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
_JOB = "measure"
_SEPARATOR = "&nbsp;· "
_DIGITS = 6
"""Number of significant digits that are displayed. Numbers are copied with all digits."""
_RESERVED_LINES = 4
"""Number of text lines for which the bar reserves space: values at the cursor, zeros, peaks and period."""
_MAX_HEIGHT_SHARE = 0.35
"""Largest height of the text in the bar, as a share of the board's height. Longer text scrolls."""
MAX_EQUAL_SPACING_DEVIATION = 1e-3
"""Largest relative deviation of the distances between zeros from their mean at which the zeros are reported as equally
spaced."""


def curve_symbol(trace: Trace) -> str:
    """Return the symbol of the quantity that a curve shows."""
    return QUANTITIES[trace.quantity].symbols[trace.component]


class CurveMeasurement:
    """The curve of a board that the user measures. The choice is part of the view state; features (zeros, peaks and period)
    are computed in the background."""

    def __init__(self, store: ViewStore, find_lane: LaneFinder, parent: QWidget) -> None:
        self._store, self._find_lane = store, find_lane
        self._jobs = BackgroundJobs(parent)
        self._jobs.failed.connect(self._fail)
        self._computed_key: object = None
        self.features: CurveFeatures | None = None
        """Features of the curve, or None until they are computed."""
        self.error_text = ""
        """The reason why the features of the curve could not be computed, or ""."""
        self.selected: tuple[float, float] | None = None
        """Start and end of the selected time range [s], or None."""
        self.changed = ModelSignal()
        """Emitted when another curve is measured, or the features of the curve change."""
        self.refused = ModelSignal()
        """Emitted with the reason when the user clicks a curve that cannot be measured."""
        self._pointed: Trace | None = None
        store.changed.connect(self._apply_view_change)

    @property
    def curve(self) -> Measurement:
        """The choice of the measured curve, as it is stored in the view state."""
        return self._store.state.measurement

    @property
    def lane(self) -> LaneRun | None:
        """The lane whose curve is measured, or None if no curve is chosen or the run lacks this lane."""
        curve = self.curve
        is_known = curve.quantity in QUANTITIES and curve.component < len(QUANTITIES[curve.quantity].symbols)
        return self._find_lane(curve.lane) if curve.on and is_known else None

    def toggle(self) -> None:
        """Toggle measuring."""
        self._store.update(measurement=replace(self.curve, on=not self.curve.on))

    def select(self, trace: Trace) -> None:
        """Measure a curve."""
        self._store.update(measurement=Measurement(True, trace.lane, trace.quantity, trace.component))

    def point_at(self, trace: Trace | None) -> None:
        """Remember the curve under the mouse for the context menu."""
        self._pointed = trace

    def take_pointed(self) -> Trace | None:
        """Return the curve that `point_at` has remembered, and forget it."""
        trace, self._pointed = self._pointed, None
        return trace

    def is_measured(self, trace: Trace) -> bool:
        """Return True if `trace` is the curve that is measured."""
        curve = self.curve
        key = (trace.lane, trace.quantity, trace.component)
        return curve.on and key == (curve.lane, curve.quantity, curve.component) and not trace.is_theory

    def follow(self, frame: Frame) -> None:
        """Recompute the features when the measured lane has been computed to its end, or when another run has replaced it."""
        self.selected = frame.selected
        lane = self.lane
        computed_to = next((state.computed_to for state in frame.lanes if state.name == self.curve.lane), 0.0)
        is_complete = lane is not None and (not lane.alive or computed_to >= frame.duration * (1.0 - 1e-9))
        key = (self.curve, id(lane), lane.samples) if lane is not None and is_complete else None
        if key == self._computed_key:
            return
        self._computed_key = key
        self._clear()
        if key is not None:
            self._jobs.start(_JOB, self._prepare, self._accept)

    def shutdown(self) -> None:
        """Stop the computation."""
        self._jobs.shutdown()

    def _prepare(self) -> JobSpec:
        lane, curve = self.lane, self.curve
        if lane is None:
            return JobSpec(None, lambda _: None)
        work = partial(curve_features, lane, curve.quantity, curve.component)
        return JobSpec((curve, id(lane), lane.samples), lambda _: work())

    def _accept(self, features: CurveFeatures | None) -> None:
        self.features = features
        self.changed.emit()

    def _fail(self, _: str, error: BaseException) -> None:
        self.error_text = format_error(error) if isinstance(error, InputError) else str(error)
        self.changed.emit()

    def _clear(self) -> None:
        self._jobs.cancel()
        self.features, self.error_text = None, ""
        self.changed.emit()

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        if old.measurement != new.measurement:
            self._computed_key = None
            self._clear()


class MeasurementBar(Themed, QFrame):
    """A bar with the features of the measured curve. Each number is a link that copies it with all digits.

    While a curve is measured the bar only grows, so that the plots above it keep their places.
    """

    status_message = Signal(str)
    """Emitted after copying, with a message."""

    def __init__(self, measurement: CurveMeasurement) -> None:
        super().__init__()
        self.measurement = measurement
        self.setAccessibleName(tr("Measurement"))
        self._frame: Frame | None = None
        self._values: dict[str, float] = {}
        """The displayed numbers, by the name under which their link copies them."""
        self.heading_label, self.text_label = ElidedLabel(), label()
        self.heading_label.setObjectName("subheading")
        self.text_label.setTextFormat(Qt.TextFormat.RichText)
        self.text_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text_label.setTextInteractionFlags(_LINKS)
        self.text_label.linkActivated.connect(self.copy_value)
        self.text_label.setToolTip(
            tr("Click a number to copy it with all digits.\nDrag in a plot with Shift to compare two times.")
        )
        self.script_button = QuietButton(
            tr("Copy as Python script"),
            self.copy_script,
            tr("Copy a Python script that computes these numbers"),
        )
        close_button = IconButton("remove", tr("Stop measuring"), measurement.toggle, "", "quiet")
        heading_row = row((WrappedRow(self.heading_label, self.script_button), 1), close_button)
        self._text_height = 0
        """Largest height that the text has needed since measuring began [pixels]. The bar does not shrink below it."""
        self._text_area = make_scroll_area(column(self.text_label, None, gap=0))
        self.setLayout(column(heading_row, self._text_area, gap=0))
        measurement.changed.connect(self.update_text)
        measurement.refused.connect(self.status_message.emit)
        self.update_text()

    @property
    def values(self) -> dict[str, float]:
        """The displayed numbers, by the name under which each can be copied."""
        return dict(self._values)

    def show_frame(self, frame: Frame) -> None:
        """Show the values of the measured curve at the cursor."""
        if not self.measurement.curve.on:
            return
        self.measurement.follow(frame)
        key = (frame.time, frame.selected)
        if self._frame is None or key != (self._frame.time, self._frame.selected):
            self._frame = frame
            self.update_text()
        self._frame = frame

    def follow_theme(self) -> None:
        self._text_height = 0  # a smaller type needs less
        self.update_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._text_height = 0
            self._fit_height()

    def _fit_height(self) -> None:
        """Make the text area as high as the highest text since measuring began, up to the limit `_MAX_HEIGHT_SHARE`."""
        board = self.parentWidget()
        if board is None or not self.isVisible():
            return  # without its final width
        reserved = _RESERVED_LINES * self.text_label.fontMetrics().lineSpacing()
        needed = self.text_label.heightForWidth(self._text_area.viewport().width())
        self._text_height = max(self._text_height, reserved, needed)
        self._text_area.setFixedHeight(min(self._text_height, round(_MAX_HEIGHT_SHARE * board.height())))

    def copy_value(self, name: str) -> None:
        """Copy the number with this name to the clipboard, with all digits."""
        text = format_number(self._values[name])
        QGuiApplication.clipboard().setText(text)
        self.status_message.emit(tr("Copied {number}", number=use_minus_sign(text)))

    def copy_script(self) -> None:
        """Copy a Python script to the clipboard that computes the displayed numbers."""
        lane, curve, frame = self.measurement.lane, self.measurement.curve, self._frame
        if lane is None or frame is None:
            return
        try:
            script = measurement_script(
                *(lane.problem.preset, lane.name, curve.quantity, curve.component),
                *(min(frame.time, lane.computed_to), frame.duration, frame.selected or ()),
            )
        except InputError as error:
            self.status_message.emit(format_error(error))
            return
        QGuiApplication.clipboard().setText(script)
        self.status_message.emit(tr("Copied a Python script that computes these numbers"))

    def update_text(self) -> None:
        """Update the text."""
        self.setVisible(self.measurement.curve.on)
        if not self.measurement.curve.on:
            self._text_height = 0
        self._values = {}
        lane = self.measurement.lane
        self.script_button.setVisible(lane is not None)
        if not self.measurement.curve.on:
            return
        if lane is None:
            self.heading_label.setText(tr("Click a curve"))
            prompt = tr(
                "The zeros, peaks, period and slope of the curve are shown here. Drag with Shift to compare two times."
            )
            self._show_lines([escape(prompt)])
            return
        curve = self.measurement.curve
        quantity = QUANTITIES[curve.quantity]
        title = tr("{symbol} of {lane}", symbol=quantity.symbols[curve.component], lane=lane_title(lane.name))
        try:
            lines = list(self._lines(lane, format_unit(quantity.unit)))
        except PLUGIN_EXCEPTIONS as error:
            lines = [escape(str(error))]
        self.heading_label.setText(title)
        self.heading_label.setToolTip(title)
        self._show_lines(lines)

    def _show_lines(self, lines: Sequence[str]) -> None:
        self.text_label.setText("<br>".join(lines))
        self._fit_height()

    def _lines(self, lane: LaneRun, unit: str) -> Iterator[str]:
        frame, measurement = self._frame, self.measurement
        if frame is None:
            return
        time = frame.time
        if time <= lane.computed_to:
            yield self._line(tr("At the cursor"), self._cursor_parts(lane, time, unit))
        features = measurement.features
        if features is None:
            waiting = tr("Zeros, peaks and period appear when the run is computed …")
            yield escape(measurement.error_text or waiting)
        else:
            if features.settling_times:
                yield self._line(tr("Stays within"), self._settling_parts(features.settling_times, unit))
            else:
                yield self._line(tr("Zeros"), self._zero_parts(features.zeros, time))
            yield self._line(tr("Peaks"), self._peak_parts(features, time, unit))
            yield self._line(tr("Period (full cycle)"), self._period_parts(features))
        if frame.selected is not None and frame.selected[1] <= lane.computed_to:
            yield self._line(tr("Selected time range"), self._range_parts(lane, frame.selected, unit))

    def _line(self, title: str, parts: Sequence[str]) -> str:
        muted = self.theme.muted
        return f'<span style="color:{muted}">{escape(title)}:</span> ' + _SEPARATOR.join(parts)

    def _number(self, name: str, value: float, unit: str) -> str:
        """Return a number with its unit as HTML. It is a link that copies the number."""
        if not math.isfinite(value):
            return MISSING_VALUE
        self._values[name] = value
        text = use_minus_sign(f"{value:.{_DIGITS}g}")
        style = f"color:{self.theme.accent}; text-decoration:none"
        suffix = f"&nbsp;{escape(unit)}" if unit else ""
        return f'<a href="{name}" style="{style}">{text}</a>{suffix}'

    def _cursor_parts(self, lane: LaneRun, time: float, unit: str) -> list[str]:
        curve = self.measurement.curve
        value = float(curve_evaluator(lane, curve.quantity, curve.component)(np.array([time]))[0])
        slope = slope_at(lane, curve.quantity, curve.component, time) if lane.samples > 1 else math.nan
        return [
            f"t&nbsp;= {self._number('time', time, 's')}",
            f"{tr('value')}&nbsp;{self._number('value', value, unit)}",
            f"{tr('slope')}&nbsp;{self._number('slope', slope, rate_unit(unit))}",
        ]

    def _zero_parts(self, zeros: np.ndarray, time: float) -> list[str]:
        if not len(zeros):
            return [escape(tr("none"))]
        before, after = zeros[zeros <= time], zeros[zeros > time]
        parts = []
        if len(before):
            parts.append(f"{tr('last')}&nbsp;{self._number('zero_before', float(before[-1]), 's')}")
        if len(after):
            parts.append(f"{tr('next')}&nbsp;{self._number('zero_after', float(after[0]), 's')}")
        if len(zeros) > 2:
            spacing = np.diff(zeros)
            mean = float(np.mean(spacing))
            is_equal = bool(np.max(np.abs(spacing - mean)) <= MAX_EQUAL_SPACING_DEVIATION * mean)
            text = tr("spacing") if is_equal else tr("{count} zeros, mean spacing", count=len(zeros))
            parts.append(f"{text}&nbsp;{self._number('zero_distance', mean, 's')}")
        return parts

    def _peak_parts(self, features: CurveFeatures, time: float, unit: str) -> list[str]:
        parts = []
        for is_maximum, name, text in ((True, "maximum", tr("maximum")), (False, "minimum", tr("minimum"))):
            (numbers,) = np.nonzero(features.is_maximum == is_maximum)
            if len(numbers):
                nearest = numbers[np.argmin(np.abs(features.extrema[numbers] - time))]
                value = self._number(name, float(features.extreme_values[nearest]), unit)
                at = self._number(f"{name}_time", float(features.extrema[nearest]), "s")
                parts.append(f"{text}&nbsp;{value} {tr('at')}&nbsp;{at}")
        return parts or [escape(tr("none"))]

    def _period_parts(self, features: CurveFeatures) -> list[str]:
        period = features.period
        if period is None:
            return [escape(tr("the curve does not repeat in this run"))]
        return [
            self._number("period", period.period, "s"),
            f"{tr('frequency')}&nbsp;{self._number('frequency', 1.0 / period.period, 'Hz')}",
            escape(tr("{count} periods in the run", count=f"{period.cycles:.1f}")),
        ]

    def _settling_parts(self, settling_times: Mapping[float, float], unit: str) -> list[str]:
        sign = "°" if unit == "deg" else f" {unit}"
        return [
            f"{limit:g}{sign}&nbsp;{tr('from')} t&nbsp;= {self._number(f'settling_time_{limit:g}', time, 's')}"
            if math.isfinite(time)
            else escape(tr("{limit}: not in this run", limit=f"{limit:g}{sign}"))
            for limit, time in settling_times.items()
        ]

    def _range_parts(self, lane: LaneRun, selected: tuple[float, float], unit: str) -> list[str]:
        curve = self.measurement.curve
        first, last = curve_evaluator(lane, curve.quantity, curve.component)(np.array(selected)).tolist()
        length = selected[1] - selected[0]
        mean_slope = (last - first) / length if length else math.nan
        return [
            f"Δt&nbsp;= {self._number('time_difference', length, 's')}",
            f"{tr('from')}&nbsp;{self._number('first_value', first, unit)}",
            f"{tr('to')}&nbsp;{self._number('last_value', last, unit)}",
            f"{tr('difference')}&nbsp;{self._number('difference', last - first, unit)}",
            f"{tr('mean slope')}&nbsp;{self._number('mean_slope', mean_slope, rate_unit(unit))}",
        ]
