"""The labels of the time axis below the plots."""

from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.theme import THEMES, Theme
from quatviz.ui.plots.time_view import TimeRow
from quatviz.ui.widgets.style import set_own_theme, tabular_font


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_unit_of_time_is_separate_from_the_first_label(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rects: dict[str, QRectF] = {}

    def record(painter: QPainter, *given: Any) -> None:
        rects[str(given[-1])] = QRectF(given[0])

    monkeypatch.setattr(QPainter, "drawText", record)
    parent = QWidget()
    qtbot.addWidget(parent)
    axis = TimeAxis()
    axis.start(10.0, 0.01)
    labels = TimeRow(parent, axis)
    labels.resize(600, 40)
    set_own_theme(parent, theme)
    labels.grab()
    digit = QFontMetricsF(tabular_font(theme, theme.small)).horizontalAdvance("0")
    first = rects["0"].center().x() - digit / 2
    assert first - rects["t [s]"].right() >= digit / 2
