"""Tick labels of a logarithmic axis of any length."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsView
from pytestqt.qtbot import QtBot

from quatviz.display.view_state.theme import DARK
from quatviz.ui.tools.fit.interval_plot import IntervalPlot
from quatviz.ui.tools.fit.residuals import ResidualPlots
from quatviz.ui.tools.importing.recording_plots import RecordingPlots
from quatviz.ui.tools.study.plots import StudyPlots
from quatviz.ui.widgets.axes import DecadeAxis, NumberAxis, style_axis


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (2.1, 4.9, ["3×10⁻¹", "4×10⁻¹"]),
        (1.99, 5.01, ["2×10⁻¹", "3×10⁻¹", "4×10⁻¹", "5×10⁻¹"]),  # labels at the ends are clipped
        (2.2, 3.1, ["2.5×10⁻¹", "3×10⁻¹"]),
        (2.52, 2.78, ["2.6×10⁻¹", "2.7×10⁻¹"]),
        (1.5, 6.5, ["2×10⁻¹", "5×10⁻¹"]),
        (4.0, 21.0, ["5×10⁻¹", "10⁰", "2×10⁰"]),
        (0.9, 110.0, ["10⁻¹", "10⁰", "10¹"]),  # more labels would overlap
        (1.0, 1000.0, ["10⁻¹", "10⁰", "10¹", "10²"]),
    ],
)
def test_axis_has_at_least_two_numbers(qtbot: object, low: float, high: float, expected: list[str]) -> None:
    """The times of a study were between 0.2 and 0.5 s, and their axis had no number."""
    axis = DecadeAxis(orientation="bottom")
    ends = (math.log10(0.1 * low), math.log10(0.1 * high))
    (spacing, values), _ = axis.tickValues(*ends, 240.0)
    assert axis.tickStrings(values, 1.0, spacing) == expected


@pytest.mark.parametrize("view_class", [ResidualPlots, IntervalPlot, RecordingPlots, StudyPlots])
def test_views_do_not_cache_their_background(qtbot: QtBot, view_class: Callable[[], Any]) -> None:
    """The cached image is as large as the view: windows that were opened once kept 23 MB."""
    view = view_class()
    qtbot.addWidget(view)
    view.follow_theme()
    assert view.cacheMode() == QGraphicsView.CacheModeFlag.CacheNone
    assert view.backgroundBrush().color() == QColor(view.theme.surface)


@pytest.mark.parametrize(("height", "count"), [(200.0, 5), (60.0, 3), (20.0, 1)])
def test_numbers_of_a_low_plot_do_not_overlap(qtbot: object, height: float, count: int) -> None:
    axis = NumberAxis(orientation="left")
    style_axis(axis, DARK)
    _, values = axis.tickValues(-0.2501, 0.2501, height)[0]
    assert 1 <= len(values) <= count
    assert len(values) * 1.3 * DARK.normal <= max(height + 1.3 * DARK.normal, 2.6 * DARK.normal)


def test_label_of_a_short_axis_loses_its_unit_before_letters(qtbot: object) -> None:
    axis = NumberAxis(orientation="left")
    style_axis(axis, DARK)
    axis.setLabel("Error [rad]", color=DARK.text)
    for height, shown in ((200.0, "Error [rad]"), (50.0, "Error"), (20.0, "…")):
        axis.resize(60.0, height)
        assert shown in axis.labelString()
        assert axis.labelText == "Error [rad]", "the label itself stays"
    assert "Error" not in axis.labelString()
