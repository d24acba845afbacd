"""Axes of pyqtgraph's plots in the window's themes, and a stretch of time in such a plot."""

from html import escape
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPen

from quatviz.base.formatting import decade_ticks, format_decade, use_minus_sign
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed, tabular_font, with_opacity


def style_axis(axis: Any, theme: Theme) -> None:
    """Font and colours of a theme; numbers are in the unit that the words name, not in thousands of it."""
    if axis.autoSIPrefix:  # told so again, pyqtgraph would scale numbers below 1 by what it was told to leave
        axis.enableAutoSIPrefix(False)
    axis.setStyle(tickFont=tabular_font(theme, theme.normal), tickLength=-5, tickTextOffset=6)
    axis.setPen(QPen(QColor(theme.line), 1))
    axis.setTextPen(QColor(theme.text))


def set_axis_label(axis: Any, text: str, theme: Theme) -> None:
    """What stands along it, as it is: pyqtgraph makes HTML of it."""
    axis.setLabel(escape(text, quote=False), **{"color": theme.text, "font-size": f"{theme.normal}px"})


_TICK_SPACING = {"left": 34.0, "right": 34.0, "bottom": 76.0}
"""Pixels that a tick's text needs along the axis."""


class DecadeAxis(Guarded, pg.AxisItem):
    """Ticks at whole decades, as many as have room; finer ones without text."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        ends = min(minVal, maxVal), max(minVal, maxVal)
        labelled, unlabelled = decade_ticks(*ends, max(size, 1.0) / _TICK_SPACING[self.orientation])
        return [(1.0, labelled), (0.1, unlabelled)] if labelled or unlabelled else []

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [format_decade(value) if spacing == 1.0 else "" for value in values]


class NumberAxis(Guarded, pg.AxisItem):
    """Numbers with a minus sign in the place of a hyphen."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [use_minus_sign(text) for text in super().tickStrings(values, scale, spacing)]


AXIS_HEIGHT_IN_LINES = 3.7
"""Height of an axis below a plot with words along it [heights of a letter]: left to itself each would have that of its numbers."""


VERTICAL_AXIS_WIDTH_IN_LETTERS = 5.0
"""Width of an axis beside a plot that is aligned with another one [heights of a letter]."""


TickLabels = list[tuple[float, str]]


def configure_axis(
    plot: Any,
    side: str,
    log: bool,
    title: str,
    theme: Theme,
    grid: bool = False,
    tick_labels: TickLabels | None = None,
) -> Any:
    """The axis at a side of a plot: in decades or not, with these words along it, a `grid` behind the curves, and texts at the
    values that are `tick_labels` in place of numbers, in a theme."""
    axis = plot.getAxis(side)
    axis_class = DecadeAxis if log else NumberAxis
    if type(axis) is not axis_class:
        axis = axis_class(orientation=side)
        plot.setAxisItems({side: axis})
        axis.linkedViewChanged(plot.getViewBox())  # which tells of changes alone
    plot.showAxis(side)
    style_axis(axis, theme)
    set_axis_label(axis, title, theme)
    axis.setTicks([tick_labels] if tick_labels else None)
    if side == "bottom" and title:
        axis.setHeight(round(AXIS_HEIGHT_IN_LINES * theme.normal))
    if grid:
        show_grid(axis)
    return axis


def show_grid(axis: Any, opacity: int = 80) -> None:
    """Lines across the plot at its ticks, behind the curves; `opacity` is 255 at most."""
    axis.setGrid(opacity)
    axis.setZValue(-1000)


def set_plot_background(view: Any, theme: Theme) -> None:
    """The theme's ground below all of a view of pyqtgraph, which would keep a picture of it, as large as the view."""
    view.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
    view.setBackground(theme.surface)


def remove_builtin_controls(plot: Any) -> Any:
    """A plot without the menu and the buttons of pyqtgraph, which know no theme and no language."""
    plot.setMenuEnabled(False)
    plot.hideButtons()
    return plot


_KEY_STEP = 0.01
"""Of all that can be drawn: what an arrow key moves an end by; with Ctrl a tenth of it."""


class SpanSelector(Themed):
    """First among the bases of a view of pyqtgraph whose `bands` are all the same stretch, within `ends`. The arrow keys move its
    begin, with Shift its end, with Ctrl finely; Home and End take them to where all begins and ends."""

    bands: list[pg.LinearRegionItem]
    ends: tuple[float, float] = (0.0, 1.0)
    """From where to where it can be drawn."""

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it is drawn."""
        low, high = self.bands[0].getRegion()
        return float(low), float(high)

    def show_span(self, low: float, high: float) -> None:
        """Show another stretch, and tell nobody."""
        for band in self.bands:
            band.blockSignals(True)
            band.setRegion((low, max(high, low)))
            band.blockSignals(False)

    def set_span_by_key(self, low: float, high: float) -> None:
        """A key has moved it there."""
        raise NotImplementedError

    def follow_theme(self) -> None:
        self._update_pens(self.hasFocus())  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        new_span = self._span_after_key(event) if self.bands[0].isVisible() else None
        if new_span is None:
            super().keyPressEvent(event)  # type: ignore[misc]
        elif new_span[0] < new_span[1]:
            self.set_span_by_key(*new_span)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)  # type: ignore[misc]
        self._update_pens(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[misc]
        self._update_pens(False)

    def _span_after_key(self, event: QKeyEvent) -> tuple[float, float] | None:
        """The stretch after a key; None of one that moves nothing."""
        (low, high), (first, last) = self.span, self.ends
        key, modifiers = event.key(), event.modifiers()
        if key == Qt.Key.Key_Home:
            return first, high
        if key == Qt.Key.Key_End:
            return low, last
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return None
        step = _KEY_STEP * (last - first) * (0.1 if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0)
        step = -step if key == Qt.Key.Key_Left else step
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return low, min(high + step, last)
        return max(low + step, first), high

    def _update_pens(self, focused: bool) -> None:
        """In the colours of the theme; ends that keys move stand out."""
        theme = self.theme
        pen: Any = pg.mkPen(theme.text if focused else theme.accent, width=3 if focused else 2)
        for band in self.bands:
            band.setBrush(with_opacity(theme.accent, 0.14))
            band.setHoverBrush(with_opacity(theme.accent, 0.22))
            for line in band.lines:
                line.setPen(pen)
                line.setHoverPen(pg.mkPen(theme.text, width=3))
