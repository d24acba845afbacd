"""Axis ranges change rarely, and their numbers are readable."""

import math

import numpy as np
import pytest

from quatviz.base.formatting import (
    format_fixed,
    format_power_of_ten,
    format_scientific,
    tick_step,
    tick_values,
)
from quatviz.display.data.scales import SCALE_CLASSES, LinearScale, LogScale
from quatviz.display.panels.base.time_axis import FOLLOW_POSITION, TimeAxis


def linear(low: float, high: float, floor: float = 0.0) -> LinearScale:
    scale = LinearScale()
    scale.extend_to(low, high, math.nan, floor)
    return scale


def test_numbers_have_true_minus_and_no_negative_zero() -> None:
    assert format_fixed(-1.25, 2) == "−1.25"
    assert format_fixed(-0.0001, 2, signed=True) == "+0.00"
    assert format_fixed(math.nan, 2) == "–"
    assert format_scientific(-3.2e-13) == "−3.2×10⁻¹³"
    assert format_power_of_ten(-17) == "10⁻¹⁷"


@pytest.mark.parametrize("span", [1.6, 2.0, 0.5, 200.0, 7e-5, 3e9, 1.0000001])
def test_axis_has_three_to_seven_ticks(span: float) -> None:
    assert 3 <= len(tick_values(-span / 2, span / 2, tick_step(-span / 2, span / 2, 3))) <= 7


def test_range_grows_and_never_shrinks() -> None:
    scale = linear(-0.9, 0.9)
    before = (scale.low, scale.high)
    assert scale.low <= -0.9
    assert scale.high >= 0.9
    assert not scale.extend_to(-0.1, 0.1, math.nan, 0.0)
    assert (scale.low, scale.high) == before
    assert scale.extend_to(2.5, 3.0, math.nan, 0.0)
    assert scale.low <= -0.9
    assert scale.high >= 3.0


def test_rounded_range_contains_its_values() -> None:
    """The energy of a lane fell to 6.147 and left its strip when another lane started above it."""
    scale = linear(3.5, 4.4)
    assert not scale.extend_to(3.45, 4.0, math.nan, 0.0)
    assert scale.extend_to(4.0, 6.4, math.nan, 0.0)
    assert scale.low <= 3.45


def test_round_off_is_not_magnified() -> None:
    scale = linear(-1e-15, 1e-15, floor=4e-4)
    assert scale.high - scale.low >= 1e-4
    constant = linear(346.41, 346.41)
    assert constant.high > constant.low
    assert linear(346.41, 346.41000001).project_value(346.41000001) - constant.project_value(346.41) < 1e-5


@pytest.mark.parametrize(("low", "high"), [(4.04661, 4.04681), (16.18667, 16.18831), (-16.18831, -16.18667)])
def test_small_change_fills_axis(low: float, high: float) -> None:
    """Energy and multiplier of a lesson on numerical loss covered only a twentieth of the axis."""
    scale = linear(low, high)
    assert high - low > 0.25 * (scale.high - scale.low)
    texts = [text for count in range(2, 7) for _, text in scale.ticks(count)]
    assert max(map(len, texts)) <= len("−0.00000")


@pytest.mark.parametrize("scale_type", ["linear", "degrees"])
@pytest.mark.parametrize("span", [1e-300, 1e-12, 1e-7, 1.0, 1e9, 1e300])
@pytest.mark.parametrize("middle", [0.0, 1e-12, 90.0, 1e17])
def test_every_range_has_nonzero_extent(scale_type: str, span: float, middle: float) -> None:
    """Ranges of round-off in angles were empty, because their ticks are whole degrees."""
    scale = SCALE_CLASSES[scale_type]()
    scale.extend_to(middle - span / 2, middle + span / 2, 1e-9, 0.0)
    assert scale.low < scale.high
    for count in (2, 5):
        assert len(scale.ticks(count)) < 40
        assert all(0.0 <= part <= 1.0 for part, _ in scale.ticks(count))


def test_tick_texts_fit_gutter() -> None:
    for low, high in ((-1, 1), (346.41, 346.4101), (-4e7, 4e7), (1e-8, 3e-8), (-12345, 99999), (0, 0)):
        scale = linear(low, high)
        assert all(len(text) <= 7 for _, text in scale.ticks(3)), (low, high)
        assert len(scale.ticks(3)) >= 3


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.2), (-400.0, 370.0), (0.001, 0.0072), (346.0, 346.4)])
def test_two_ticks_are_the_range_limits(low: float, high: float) -> None:
    """In a very low strip the multiples -1, 0, 1 would leave only -1."""
    scale = linear(low, high)
    (first, least), (last, greatest) = scale.ticks(2)
    assert (first, last) == (0.0, 1.0)
    power = 10.0 ** (0 if not scale.factor_text else -3)
    assert [float(text.replace("−", "-")) * power for text in (least, greatest)] == pytest.approx(
        [scale.low, scale.high]
    )


def test_decades_cover_the_data() -> None:
    scale = LogScale()
    scale.extend_to(2e-14, 3e-9, 2e-14, 0.0)
    assert (scale.low, scale.high) == (-14, -8)
    assert scale.project(np.array([1e-14, 1e-8])) == pytest.approx([0.0, 1.0])
    assert scale.project_value(1e-11) == pytest.approx(0.5)
    assert [text for _, text in scale.ticks(3)][-1] == "10⁻⁸"


def test_exact_zero_has_its_own_labelled_end() -> None:
    scale = LogScale()
    scale.extend_to(0.0, 3e-9, 2e-14, 0.0)
    assert (scale.low, scale.high) == (-15, -8)
    zero, least, greatest = scale.project(np.array([0.0, 1e-14, 1e-8]))
    assert (zero, greatest) == pytest.approx((0.0, 1.0))
    assert least == pytest.approx(1 / 7)
    assert [scale.project_value(value) for value in (0.0, 1e-14)] == pytest.approx([0.0, 1 / 7])
    assert scale.ticks(3)[0] == (0.0, "0")
    assert [text for _, text in scale.ticks(3)[1:]] == ["10⁻¹²", "10⁻⁹"]
    assert scale.format_value(0.0) == "0"
    assert not scale.extend_to(1e-13, 1e-9, 1e-13, 0.0)
    assert (scale.low, scale.high) == (-15, -8)


def test_zeros_alone_lie_at_lower_end() -> None:
    scale = LogScale()
    assert scale.extend_to(0.0, 0.0, math.nan, 0.0)
    assert scale.project(np.zeros(3)) == pytest.approx(0.0)
    assert scale.ticks(3)[0] == (0.0, "0")


def test_values_below_last_decade_are_shown_as_zero() -> None:
    scale = LogScale()
    scale.extend_to(1e-30, 1e-12, 1e-30, 0.0)
    assert scale.low == -17
    assert scale.format_value(1e-30) == "0"
    assert scale.format_value(6e-17) == "6.0×10⁻¹⁷"


def test_values_near_one_have_no_power_of_ten() -> None:
    scale = LogScale()
    assert [scale.format_value(value) for value in (0.12, 0.999, -1.0, 42.0)] == [
        "0.12",
        "1.00",
        "1.0",
        "42.0",
    ]
    assert [scale.format_value(value, short=True) for value in (0.02, 0.8, 0.9999, 2.7)] == [
        "2×10⁻²",
        "0.8",
        "1.0",
        "2.7",
    ]


def test_narrow_value_text_drops_digits() -> None:
    scale = LogScale()
    assert [scale.format_value(value, short=True, fewer=1) for value in (0.0, 3.2e-15, 0.8)] == [
        "0",
        "3e−15",
        "0.8",
    ]
    assert scale.format_value(3.2e-15, fewer=1) == "3.2×10⁻¹⁵", "where it stands alone"


def test_zoom_keeps_time_under_pointer() -> None:
    axis = TimeAxis()
    axis.start(40.0, 0.01)
    axis.zoom(0.25, 10.0)
    assert axis.span == pytest.approx(10.0)
    assert (10.0 - axis.low) / axis.span == pytest.approx(0.25)
    axis.pan(100.0)
    assert axis.high == 40.0
    axis.zoom(1e-9, 35.0)
    assert axis.span == pytest.approx(8 * 0.01)
    axis.zoom(1e9, 35.0)
    assert axis.shows_all


def test_axis_rolls_with_playing_cursor_without_jumps() -> None:
    axis = TimeAxis()
    axis.start(40.0, 0.01)
    axis.zoom(0.1, 0.0)
    before, rolled = axis.low, False
    for time in np.arange(0.0, 20.0, 0.04):
        axis.follow(float(time))
        assert axis.low - before <= 0.08 + 1e-9
        assert time <= axis.low + (FOLLOW_POSITION + 0.02) * axis.span
        rolled, before = rolled or axis.low > 0, axis.low
    assert rolled


def test_seek_scrolls_to_cursor_and_pan_keeps_view() -> None:
    axis = TimeAxis()
    axis.start(40.0, 0.01)
    axis.zoom(0.1, 0.0)
    axis.follow(30.0)
    assert axis.low < 30.0 < axis.high
    axis.pan(-20.0)
    seen = axis.low
    axis.follow(30.1)
    assert axis.low == seen


def test_longer_run_stays_fully_visible() -> None:
    axis = TimeAxis()
    axis.start(10.0, 0.01)
    axis.set_duration(20.0)
    assert axis.shows_all
    assert axis.high == 20.0


def test_round_off_is_a_flat_line_on_log_axis() -> None:
    """Round-off covered the axis with vertical lines."""
    scale = LogScale()
    scale.extend_to(0.0, 9e-8, 1e-18, 1e-13)
    noise = np.array([0.0, 3e-18, 2e-14, 1e-13])
    assert (scale.project(noise) == 0.0).all()
    assert [scale.project_value(value) for value in noise] == [0.0] * 4, "the dot stays on the line"
    assert scale.ticks(4)[0] == (0.0, "round-off")
    assert scale.low == -14.0, "one decade below the smallest shown value"
    assert scale.project_value(1e-7) == 1.0
    assert scale.format_value(2e-14) == "2.0×10⁻¹⁴", "the number is still the value"
    assert math.isnan(scale.project_value(math.nan))
    agreeing = LogScale()
    agreeing.extend_to(0.0, 2e-14, 1e-18, 1e-13)
    assert (agreeing.project(noise) == 0.0).all()


def test_accumulated_round_off_stays_low_on_log_axis() -> None:
    """It rose over the whole axis like a divergence, because the axis ended just above it."""
    known = 2.0**-48
    scale = LogScale()
    scale.extend_to(0.0, 2e-14, 1e-18, known)
    assert scale.high == -9.0
    assert 0.0 < scale.project_value(2e-14) < 0.4
    scale.extend_to(0.0, 3e-5, 1e-18, known)
    assert scale.high == -4.0, "a real signal uses the whole axis"
    unknown = LogScale()
    unknown.extend_to(1e-13, 2e-13, 1e-13, 0.0)
    assert (unknown.low, unknown.high) == (-13.0, -11.0)


@pytest.mark.parametrize("floor", [math.nan, math.inf])
def test_overflowed_lane_does_not_affect_log_axis(floor: float) -> None:
    """The scales of an overflowed run are unknown, and the plots raised."""
    scale = LogScale()
    scale.extend_to(1e-13, 2e-13, 1e-13, floor)
    assert (scale.low, scale.high) == (-13.0, -11.0)
