"""Dots at the cursor: legible from a distance, in every theme and size, and rings where lanes agree."""

from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from quatviz.display.view_state.theme import THEMES, scaled_theme
from quatviz.ui.plots.overlays import draw_dots

SIDE = 200
COLORS = ("#ff0000", "#00ff00", "#0000ff", "#ffff00")


@dataclass
class ConstantCurve:
    """Constant curve at a height of the plot between 0 and 1."""

    color: str
    height: float
    is_theory: bool = False
    is_part: bool = False

    def value_at(self, time: float) -> float:
        return self.height


class UnitScale:
    is_empty = False

    def project_value(self, value: float) -> float:
        return value


def heights(width: int, *places: float) -> list[int]:
    """Return how many pixels of the cursor line the dots at these positions cover, for each color."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    traces = [ConstantCurve(*values) for values in zip(COLORS, places, strict=False)]
    draw_dots(painter, SIDE / 2 + 0.5, 0.0, traces, UnitScale(), QRectF(0, 0, SIDE, SIDE), width)  # type: ignore[arg-type]
    painter.end()
    column = np.array([image.pixelColor(SIDE // 2, y).name() for y in range(SIDE)])
    return [int((column == color).sum()) for color in COLORS[: len(places)]]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [1.0, 1.5, 2.0])
def test_dot_is_three_times_as_wide_as_its_curve(qapp: QApplication, theme: str, size: float) -> None:
    width = scaled_theme(theme, size).curve_width
    assert width == round(size * THEMES[theme].curve_width)
    for seen in heights(width, 0.1, 0.4, 0.6, 0.9):
        assert 2.6 * width < seen < 4.1 * width


def test_dots_of_agreeing_lanes_are_concentric_rings(qapp: QApplication) -> None:
    first, second, third, fourth = heights(3, 0.5, 0.5, 0.5, 0.5)
    assert first >= 8
    assert second >= 2
    assert third >= 2
    assert fourth == 0, "only three rings can be distinguished"


def test_values_outside_axis_have_no_dot(qapp: QApplication) -> None:
    here, beyond, below, nowhere = heights(3, 0.5, 1e9, -1e9, float("nan"))
    assert here >= 8
    assert beyond == below == nowhere == 0
