"""The bundled typeface, and fonts whose digits do not dance."""

from __future__ import annotations

import logging

from PySide6.QtGui import QFont, QFontDatabase

from quatviz import resources
from quatviz.ui.theme import Theme

log = logging.getLogger(__name__)


def load_fonts() -> None:
    """Make the bundled fonts known to Qt: a machine without any font shows text all the same."""
    for path in sorted(resources.asset("fonts").glob("*.[ot]tf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            log.warning("the font %s could not be loaded", path.name)


def tabular(theme: Theme, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The theme's font at `pixels`, with digits of equal width."""
    font = QFont(theme.font)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
