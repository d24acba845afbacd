"""Numbers composed of cached glyph pictures look like normal text."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from quatviz.display.view_state.theme import DARK
from quatviz.ui.widgets.painting import GlyphCache
from quatviz.ui.widgets.style import tabular_font

TEXT, BEFORE = "−12.8047×10⁻³", "−12.7951×10⁻³"


def picture(ratio: float) -> QImage:
    image = QImage(round(160 * ratio), round(30 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(DARK.surface))
    return image


def pen(ratio: float) -> GlyphCache:
    return GlyphCache(DARK, DARK.normal, DARK.text, DARK.surface, ratio)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_new_glyphs_overwrite_old_ones(qapp: QApplication, ratio: float) -> None:
    anew, over = picture(ratio), picture(ratio)
    with QPainter(anew) as painter:
        pen(ratio).draw_text(painter, 7.3, 20.0, TEXT)
    with QPainter(over) as painter:
        pen(ratio).draw_text(painter, 7.3, 20.0, BEFORE)
        pen(ratio).draw_text(painter, 7.3, 20.0, TEXT, BEFORE)
    assert over == anew
    width = pen(ratio).width(TEXT)
    assert width == pen(ratio).width(BEFORE), "all digits have the same width"
    assert (width * ratio) % 1.0 == pytest.approx(0.0, abs=1e-9), "whole screen pixels"


def test_cached_glyphs_look_like_drawn_text(qapp: QApplication) -> None:
    laid, text = picture(1.0), picture(1.0)
    with QPainter(laid) as painter:
        pen(1.0).draw_text(painter, 8.0, 20.0, TEXT)
    with QPainter(text) as painter:
        painter.setFont(tabular_font(DARK, DARK.normal))
        painter.setPen(QColor(DARK.text))
        painter.drawText(QPointF(8.0, 20.0), TEXT)
    rows, columns = (ink(laid).sum(axis=axis) - ink(text).sum(axis=axis) for axis in (1, 0))
    assert np.abs(rows).max() < 0.03 * ink(text).sum(), "on the same line"
    assert abs(np.cumsum(columns)).max() < 0.1 * ink(text).sum(), "in the same positions, within a pixel"


def ink(image: QImage) -> np.ndarray:
    """Return how much each pixel differs from the background."""
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return np.abs(pixels[..., :3].astype(float) - pixels[0, 0, :3]).sum(axis=2)
