"""Scales of plot axes: how a range grows with the data, its ticks, and the format of values."""

import math
from abc import ABC, abstractmethod

import numpy as np

from quatviz.base.formatting import (
    format_brief,
    format_fixed,
    format_power_of_ten,
    format_scientific,
    nice_step,
    tick_decimals,
    tick_step,
    tick_values,
    to_superscript,
)
from quatviz.base.translation import tr

MIN_LOG_DECADE = -17
"""Lowest decade of a log axis, below the round-off of numbers of size one."""


def min_tick_count(text_lines: float) -> int:
    """Return the smallest suitable number of ticks for an axis that is `text_lines` lines of text high."""
    return int(min(max(text_lines // 3, 2 if text_lines < 4 else 3), 6))


class Scale(ABC):
    """The axis of one strip (plotted component). Its range grows as soon as the data need it and never
    shrinks within a run."""

    magnitude = False
    """True if the axis shows absolute values of the data."""

    def __init__(self) -> None:
        self.low = math.nan
        self.high = math.nan

    def reset(self) -> None:
        self.low = self.high = math.nan

    @property
    def is_empty(self) -> bool:
        return math.isnan(self.low)

    @abstractmethod
    def extend_to(self, least: float, greatest: float, least_positive: float, floor: float) -> bool:
        """Extend the axis to the extremes of the data. Return True if its range changed.

        `floor` is the smallest span of a linear axis. On a log axis, values below `floor` count as zero.
        """

    def to_axis_units(self, values: np.ndarray) -> np.ndarray:
        """Convert values (n,) to the units of the axis (n,): unchanged on a linear axis, decimal logarithms
        on a log axis."""
        return values

    def project(self, values: np.ndarray) -> np.ndarray:
        """Convert values (n,) to fractions of the axis (n,), from 0 at the low end to 1 at the high end."""
        return (self.to_axis_units(values) - self.low) / (self.high - self.low)

    @abstractmethod
    def project_value(self, value: float) -> float:
        """Convert one value as `project`, without the cost of an array."""

    @abstractmethod
    def ticks(self, count: int) -> list[tuple[float, str]]:
        """Return about `count` ticks as pairs: position as a fraction of the axis, and text."""

    @property
    def factor_text(self) -> str:
        """Power of ten that multiplies the tick texts; "" if there is none."""
        return ""

    @abstractmethod
    def format_value(self, value: float, short: bool = False, fewer: int = 0) -> str:
        """Format a value at the cursor, in the unit of the strip.

        Parameters
        ----------
        value
            The value.
        short
            True if it shares its line with many others.
        fewer
            Number of decimals to drop if there is little room.
        """

    def resolves_range(self, fewer: int) -> bool:
        """Return True if values formatted with `fewer` decimals dropped still show useful differences within the range
        of the axis."""
        return True


_MIN_RESOLVED_PARTS = 20
"""Smallest number of distinct values that a readout must be able to show over the range of its axis. Below it, 0.5
could be shown as 0."""
_USEFUL_RESOLVED_PARTS = 200
"""Number of distinct values over the range of the axis that a readout should be able to show: 0.71 instead of 0.7 for
a range from -1 to 1."""
MIN_RELATIVE_SPAN = 1e-4
"""Smallest span of a linear axis relative to its largest value.

Round-off and the last digits of a constant must not fill the strip, but integration errors of 1e-4 must be visible.
"""


class LinearScale(Scale):
    """A linear range whose ends are rounded, so that it changes in few steps as data grow."""

    def extend_to(self, least: float, greatest: float, least_positive: float, floor: float) -> bool:
        if math.isnan(least):
            return False
        low, high = (
            (least, greatest) if self.is_empty else (min(least, self._least), max(greatest, self._greatest))
        )
        self._least, self._greatest = low, high
        if not self.is_empty and low >= self.low and high <= self.high:
            return False
        span = max(high - low, MIN_RELATIVE_SPAN * max(abs(low), abs(high)), floor) or 1.0
        middle = (low + high) / 2
        step = self._rounding_step(span)
        low = math.floor((middle - span / 2) / step + 1e-6) * step
        high = math.ceil((middle + span / 2) / step - 1e-6) * step
        if low == high:  # The step may be much larger than the span, as for whole degrees.
            low, high = low - step, high + step
        changed = (low, high) != (self.low, self.high)
        self.low, self.high = low, high
        return changed

    def project_value(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def ticks(self, count: int) -> list[tuple[float, str]]:
        if self.is_empty:
            return []
        scale = 10.0**self._power
        if count < 3:
            # A small axis may not have room for two ticks inside. Its ends are round numbers, too, and as far
            # apart as possible.
            step, positions = self._rounding_step(self.high - self.low), [self.low, self.high]
        else:
            step = self._tick_step(count)
            positions = tick_values(self.low, self.high, step)
        decimals = tick_decimals(step / scale)
        return [
            ((x - self.low) / (self.high - self.low), format_fixed(x / scale, decimals)) for x in positions
        ]

    @property
    def factor_text(self) -> str:
        return "" if self.is_empty or self._power == 0 else f"×{format_power_of_ten(self._power)}"

    def format_value(self, value: float, short: bool = False, fewer: int = 0) -> str:
        if self.is_empty or not math.isfinite(value):
            return format_fixed(value, 0)
        self._update_digits()
        power, max_decimals, min_decimals = self._digits
        text = format_fixed(value / 10.0**power, max(max_decimals - fewer, min_decimals), signed=True)
        return f"{text}×10{to_superscript(power)}" if power else text

    def resolves_range(self, fewer: int) -> bool:
        if self.is_empty:
            return True
        self._update_digits()
        return self._digits[1] - fewer >= self._decimals_for(_USEFUL_RESOLVED_PARTS)

    def _update_digits(self) -> None:
        """Update the power of ten and the decimals of values if the range has changed."""
        if self._digits_range != (self.low, self.high):
            self._digits_range = self.low, self.high
            min_decimals = self._decimals_for(_MIN_RESOLVED_PARTS)
            most = tick_decimals(self._tick_step(3) / 10.0**self._power) + 3
            self._digits = self._power, max(min(most, 8), min_decimals), min_decimals

    def _decimals_for(self, parts: int) -> int:
        """Return the number of decimals with which the range of the axis is divided into at least `parts` distinct
        values."""
        step = (self.high - self.low) / 10.0**self._power / parts
        return max(-math.floor(math.log10(step) + 1e-9), 0)

    def _rounding_step(self, span: float) -> float:
        """Return the step to whose multiples the ends of a range of this `span` are rounded."""
        return nice_step(span, 6)

    def _tick_step(self, least: int) -> float:
        return tick_step(self.low, self.high, least)

    @property
    def _power(self) -> int:
        size = max(abs(self.low), abs(self.high))
        power = math.floor(math.log10(size)) if size > 0 else 0
        return 0 if -3 < power < 5 else power

    _least = math.nan
    _greatest = math.nan
    _digits_range = (math.nan, math.nan)
    _digits = (0, 0, 0)


class DegreeScale(LinearScale):
    """A linear range whose ticks are round fractions of a turn."""

    def _rounding_step(self, span: float) -> float:
        return next(
            (step for step in reversed(_DEGREE_STEPS) if 6 * step >= span), super()._rounding_step(span)
        )

    def _tick_step(self, least: int) -> float:
        # beyond this range, single turns are not distinguished
        if self.high - self.low > 6 * _DEGREE_STEPS[0]:
            return super()._tick_step(least)
        fine = (step for step in _DEGREE_STEPS if len(tick_values(self.low, self.high, step)) >= least)
        return next(fine, super()._tick_step(least))


_DEGREE_STEPS = (
    *(turns * 360.0 for turns in (10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)),
    *(180.0, 90.0, 45.0, 30.0, 15.0, 10.0, 5.0, 2.0, 1.0),
)


MIN_DECADES_ABOVE_ROUNDOFF = 5
"""Smallest number of decades above the level of round-off on a log axis. With fewer decades, accumulated round-off
would fill the axis and look like a growing error."""


class LogScale(Scale):
    """Axis of absolute values on a logarithmic scale.

    Exact zeros are drawn at the lower end of the axis, one decade below the smallest value, and this end is
    labeled 0. If a level of round-off is known, values below it are drawn at the lower end too, and the label
    is "round-off". Drawn at their own heights, they would form steep spikes.
    """

    magnitude = True

    def __init__(self) -> None:
        super().__init__()
        self.has_zero = False
        """True if the lower end of the axis represents zero."""
        self._roundoff = 0.0
        """Absolute value up to which data count as round-off."""

    def reset(self) -> None:
        super().reset()
        self.has_zero = False

    def extend_to(self, least: float, greatest: float, least_positive: float, floor: float) -> bool:
        if math.isnan(least):
            return False
        if math.isnan(least_positive):
            least_positive = greatest = 1e-16  # only zeros so far
        before = (self.low, self.high, self.has_zero, self._roundoff)
        if not math.isfinite(floor):  # A diverging lane gives no usable size.
            floor = 0.0
        self._roundoff = floor
        least_positive, greatest = max(least_positive, floor), max(greatest, floor)
        low = max(math.floor(math.log10(least_positive)), MIN_LOG_DECADE)
        high = max(math.ceil(math.log10(greatest) + 1e-9), low + 2)
        if floor:
            high = max(high, math.ceil(math.log10(floor)) + MIN_DECADES_ABOVE_ROUNDOFF)
        if not self.is_empty:
            low, high = min(low, round(self._least_decade)), max(high, round(self.high))
        self.has_zero = self.has_zero or least <= floor
        self.low, self.high = float(low - self.has_zero), float(high)
        return (self.low, self.high, self.has_zero, self._roundoff) != before

    @property
    def _least_decade(self) -> float:
        return self.low + self.has_zero

    def to_axis_units(self, values: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):
            decades = np.log10(np.abs(values))
        return np.where(np.abs(values) <= self._roundoff, self.low, np.maximum(decades, self._least_decade))

    def project_value(self, value: float) -> float:
        if abs(value) <= self._roundoff or math.isnan(value):
            return 0.0 * value  # zeros are drawn at the lower end; NaN stays NaN
        return (max(math.log10(abs(value)), self._least_decade) - self.low) / (self.high - self.low)

    def ticks(self, count: int) -> list[tuple[float, str]]:
        if self.is_empty:
            return []
        step = math.ceil((self.high - self.low) / count)
        # A decade next to the zero would overlap its label.
        decade_range = range(
            round(self.low) + 1 + step // 2 if self.has_zero else round(self.low), round(self.high) + 1
        )
        decades = [
            ((decade - self.low) / (self.high - self.low), format_power_of_ten(decade))
            for decade in decade_range
            if decade % step == 0
        ]
        return [(0.0, tr("round-off") if self._roundoff else "0"), *decades] if self.has_zero else decades

    def format_value(self, value: float, short: bool = False, fewer: int = 0) -> str:
        if 0.1 <= abs(value) < 1000.0:
            return format_fixed(abs(value), 1 if short or abs(value) >= 1.0 else 2)
        if abs(value) < 10.0**MIN_LOG_DECADE:  # It is drawn at the lower end, as zero.
            value = 0.0
        return (
            format_brief(abs(value)) if short and fewer else format_scientific(abs(value), 0 if short else 1)
        )


SCALE_CLASSES: dict[str, type[Scale]] = {"linear": LinearScale, "degrees": DegreeScale, "log": LogScale}
