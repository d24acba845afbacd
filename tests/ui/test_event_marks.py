"""The marks of many events are drawn once per column of pixels."""

import pytest
from PySide6.QtCore import QRectF

import quatviz as qv
from quatviz.base import formatting
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.ui.plots.overlays import event_positions


def axis_with_events(count: int) -> TimeAxis:
    axis = TimeAxis()
    axis.start(10.0, 0.01, [qv.FlipSign(at=round(0.01 * (n + 1), 2)) for n in range(count)])
    return axis


def test_events_in_a_column_of_pixels_are_drawn_once() -> None:
    axis, area = axis_with_events(999), QRectF(20.0, 0.0, 100.0, 50.0)
    positions = event_positions(axis, area)
    assert positions == [20.5 + column for column in range(101)]
    axis.show_span((1.0, 1.1))
    assert event_positions(axis, area) == [20.5 + 10 * n for n in range(11)]
    assert event_positions(axis_with_events(0), area) == []


def test_time_formats_only_events_that_may_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    formatted: list[float] = []
    format_fixed = formatting.format_fixed

    def recorded(value: float, decimals: int) -> str:
        formatted.append(value)
        return format_fixed(value, decimals)

    monkeypatch.setattr(formatting, "format_fixed", recorded)
    events = axis_with_events(999).event_times.tolist()
    assert formatting.format_time(1.9999, 2, events) == "2.00⁻"
    assert formatting.format_time(2.0, 2, events) == "2.00"
    assert len(formatted) <= 5
