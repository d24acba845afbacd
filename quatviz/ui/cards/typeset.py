"""Formulae as vector pictures, typeset once for all themes and sizes."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

_SIZE = 100.0
"""The type size at which formulae are typeset."""
_INK = "#010203"
"""A colour to be replaced by that of the theme."""
_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


@dataclass(frozen=True, eq=False)
class Formula:
    """A picture with its extent about the base line [em]."""

    renderer: QSvgRenderer
    left: float
    width: float
    ascent: float
    descent: float

    def paint(self, painter: QPainter, x: float, base: float, size: float) -> None:
        """Draw it in type of `size` pixels, from `x` on the base line at `base`."""
        height = (self.ascent + self.descent) * size
        self.renderer.render(painter, QRectF(x, base - self.ascent * size, self.width * size, height))


@lru_cache(maxsize=2048)
def formula(latex: str, colour: str) -> Formula:
    """The picture of a LaTeX formula in a colour, `#rrggbb`."""
    svg = _drawn(latex)
    found = _VIEW_BOX.search(svg)
    assert found is not None, latex
    x, y, width, height = (float(number) / _SIZE for number in found.groups())
    renderer = QSvgRenderer(QByteArray(svg.replace(_INK, colour).encode()))
    return Formula(renderer, x, width, -y, height + y)


@cache
def _drawn(latex: str) -> str:
    """Half a second for the first formula, which reads the font; some 30 ms for each further one."""
    with warnings.catch_warnings():
        # It opens its own font by a function that Python 3.11 and 3.12 call deprecated, and 3.13 no longer does.
        warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning)
        import ziamath

    ziamath.config.svg2 = False  # paths where they stand: Qt draws no symbols
    return str(ziamath.Latex(latex, size=_SIZE, color=_INK).svg())
