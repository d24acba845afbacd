"""The numbers of an axis in decades, however short it is."""

import math

import pytest

from quatviz.ui.kit.axes import DecadeAxis


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (2.1, 4.9, ["3×10⁻¹", "4×10⁻¹"]),
        (1.99, 5.01, ["2×10⁻¹", "3×10⁻¹", "4×10⁻¹", "5×10⁻¹"]),  # those at the ends are cut
        (2.2, 3.1, ["2.5×10⁻¹", "3×10⁻¹"]),
        (2.52, 2.78, ["2.6×10⁻¹", "2.7×10⁻¹"]),
        (1.5, 6.5, ["2×10⁻¹", "5×10⁻¹"]),
        (4.0, 21.0, ["5×10⁻¹", "10⁰", "2×10⁰"]),
        (0.9, 110.0, ["10⁻¹", "10⁰", "10¹"]),  # more would lie over each other
        (1.0, 1000.0, ["10⁻¹", "10⁰", "10¹", "10²"]),
    ],
)
def test_an_axis_has_two_numbers_at_least(qtbot: object, low: float, high: float, told: list[str]) -> None:
    """A study's times lay between 0.2 and 0.5 s, and its axis had none."""
    axis = DecadeAxis(orientation="bottom")
    ends = (math.log10(0.1 * low), math.log10(0.1 * high))
    (spacing, values), _ = axis.tickValues(*ends, 240.0)
    assert axis.tickStrings(values, 1.0, spacing) == told
