"""Tick labels of a logarithmic axis of any length."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsView
from pytestqt.qtbot import QtBot

from quatviz.ui.tools.fit.interval_plot import IntervalPlot
from quatviz.ui.tools.fit.residuals import ResidualPlots
from quatviz.ui.tools.importing.recording_plots import RecordingPlots
from quatviz.ui.tools.study.plots import StudyPlots
from quatviz.ui.widgets.axes import DecadeAxis


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
