"""A theme turned into the pens, fonts and measures that strips draw with: made once, used every frame."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPen

from quatviz.ui.fonts import tabular
from quatviz.ui.lane_look import lane_colour
from quatviz.ui.theme import UNIT, Theme

_ANY_DIGIT = str.maketrans("123456789", "0" * 9)


def mixed(one: str, other: str, part: float) -> QColor:
    """`part` of the colour `one` on the ground `other`."""
    a, b = QColor(one), QColor(other)
    return QColor.fromRgbF(
        part * a.redF() + (1 - part) * b.redF(),
        part * a.greenF() + (1 - part) * b.greenF(),
        part * a.blueF() + (1 - part) * b.blueF(),
    )


class PlotStyle:
    """Everything a strip needs to know of a `Theme`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.ground = QColor(theme.surface)
        self.text = QColor(theme.text)
        self.muted = QColor(theme.muted)
        self.axis = QPen(QColor(theme.line), 1)
        self.grid = QPen(mixed(theme.line, theme.surface, 0.45), 1)
        self.cursor = QPen(mixed(theme.text, theme.surface, 0.8), 1)
        self.hover = QPen(mixed(theme.muted, theme.surface, 0.6), 1, Qt.PenStyle.DotLine)
        self.wrap = QPen(mixed(theme.muted, theme.surface, 0.7), 1, Qt.PenStyle.DotLine)
        self.singular = QPen(mixed(theme.danger, theme.surface, 0.8), 1, Qt.PenStyle.DotLine)
        self.event = QPen(mixed(theme.accent, theme.surface, 0.8), 1, Qt.PenStyle.DashLine)
        self.singular_text = QColor(theme.danger)
        self.danger_tint = mixed(theme.danger, theme.surface, 0.3)
        self.accent = QColor(theme.accent)
        self.small = tabular(theme, theme.small)
        self.normal = tabular(theme, theme.normal)
        self.large = tabular(theme, theme.title)
        self.symbol = tabular(theme, theme.normal, QFont.Weight.DemiBold)
        self.title = tabular(theme, theme.title, QFont.Weight.DemiBold)
        self.small_metrics = QFontMetricsF(self.small)
        self.normal_metrics = QFontMetricsF(self.normal)
        self.large_metrics = QFontMetricsF(self.large)
        self.symbol_metrics = QFontMetricsF(self.symbol)
        self.title_metrics = QFontMetricsF(self.title)
        self.gutter = round(self.small_metrics.horizontalAdvance("\u22120.0000") + UNIT)
        """Width left of every plot for its numbers: one for all, so that the plots of a column line up."""
        self.least_column = self.gutter + self.title_metrics.horizontalAdvance("Angular momentum") + 6 * UNIT
        """Width of a column in which a title and its choices can be read."""
        self.margin = UNIT
        self._widths: dict[tuple[int, str], float] = {}
        self.header = round(self.normal_metrics.height() + UNIT / 2)
        self.least = round(self.header + 1.6 * self.small_metrics.height() + 4)
        """Height of a strip that leaves room for its ends to be told apart, with a number at each."""

    def width(self, metrics: QFontMetricsF, text: str) -> float:
        """Width of `text`. Digits are all of one width, so one measuring does for all numbers of a form."""
        key = (id(metrics), text.translate(_ANY_DIGIT))
        if key not in self._widths:
            self._widths[key] = metrics.horizontalAdvance(text)
        return self._widths[key]

    def lane(self, colour: int) -> QColor:
        return lane_colour(self.theme, colour)

    def component(self, number: int, count: int) -> QColor:
        """Colour of a component: four are scalar first, three are x, y, z, one is the scalar's grey."""
        colours = self.theme.components[1:] if count == 3 else self.theme.components
        return QColor(colours[number % len(colours)])
