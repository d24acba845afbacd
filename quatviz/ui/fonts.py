"""The bundled typeface, and fonts whose digits do not dance."""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec

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


@cache
def _fixed_family() -> str:
    """A typeface whose letters are equally wide: that of the desktop, or where there is none the one that matplotlib has."""
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    if QFontDatabase.isFixedPitch(family):
        return family
    package = find_spec("matplotlib")
    for folder in (package.submodule_search_locations or []) if package is not None else []:
        number = QFontDatabase.addApplicationFont(f"{folder}/mpl-data/fonts/ttf/DejaVuSansMono.ttf")
        if number >= 0:
            return QFontDatabase.applicationFontFamilies(number)[0]
    return family


def fixed_pitch(pixels: int) -> QFont:
    """A font for code and formulae in letters of equal width."""
    font = QFont(_fixed_family())
    font.setPixelSize(pixels)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font
