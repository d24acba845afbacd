"""Axes for pyqtgraph plots in the themes of the window, and a selector for a time range in a plot."""

from html import escape, unescape
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QKeyEvent, QPen

from quatviz.base.formatting import decade_ticks, format_decade, nice_step, use_minus_sign
from quatviz.display.view_state.theme import DARK, Theme
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.style import Themed, tabular_font, with_opacity


def style_axis(axis: Any, theme: Theme) -> None:
    """Apply the fonts and colors of a theme and disable SI prefixes, so that numbers are in the unit of the label."""
    if axis.autoSIPrefix:  # disabling the prefixes twice would make pyqtgraph rescale numbers below 1
        axis.enableAutoSIPrefix(False)
    axis.setStyle(tickFont=tabular_font(theme, theme.normal), tickLength=-5, tickTextOffset=6)
    axis.setPen(QPen(QColor(theme.line), 1))
    axis.setTextPen(QColor(theme.text))


def set_axis_label(axis: Any, text: str, theme: Theme) -> None:
    """Set the axis label as plain text; pyqtgraph would interpret it as HTML."""
    axis.setLabel(escape(text, quote=False), **{"color": theme.text, "font-size": f"{theme.normal}px"})


_TICK_SPACING = {"left": 2.6, "right": 2.6, "bottom": 5.8}
"""Smallest distance between tick labels along an axis, in font heights, by side of the plot."""


def _shorten_label(text: str, metrics: QFontMetricsF, length: float) -> str:
    """Return an axis label that is shortened to `length` [pixels]: first the unit is left out, then the text is elided."""
    if metrics.horizontalAdvance(text) > length and text.endswith("]"):
        text = text.rpartition(" [")[0]
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, length)


_LINE_SPACING = 1.3
"""Smallest distance between tick labels of a linear vertical axis, in font heights."""


class _Axis(Guarded, pg.AxisItem):
    """An axis that shortens its label to the length of the axis. In pyqtgraph, a long label would extend beyond the
    plot."""

    def labelString(self) -> str:
        """Return the shortened label as HTML. No unit is appended, because the label text contains it."""
        length = self.size().width() if self.orientation == "bottom" else self.size().height()
        text, font = str(self.labelText), self.style["tickFont"]
        if length > 0 and font is not None:
            text = escape(_shorten_label(unescape(text), QFontMetricsF(font), length), quote=False)
        style = ";".join(f"{name}: {value}" for name, value in self.labelStyle.items())
        return f"<span style='{style}'>{text}</span>"

    def resizeEvent(self, event: Any = None) -> None:
        if self.label is not None:
            self.label.setHtml(self.labelString())
        super().resizeEvent(event)


class DecadeAxis(_Axis):
    """A logarithmic axis. As many whole decades as fit have labels; minor ticks have none."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        ends = min(minVal, maxVal), max(minVal, maxVal)
        font = self.style["tickFont"]
        spacing = _TICK_SPACING[self.orientation] * (DARK.normal if font is None else font.pixelSize())
        labelled, unlabelled = decade_ticks(*ends, max(size, 1.0) / spacing)
        return [(1.0, labelled), (0.1, unlabelled)] if labelled or unlabelled else []

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [format_decade(value) if spacing == 1.0 else "" for value in values]


class NumberAxis(_Axis):
    """A linear axis that writes a minus sign instead of a hyphen. In a low plot it has fewer ticks, so that their
    numbers do not overlap."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        levels = super().tickSpacing(minVal, maxVal, size)
        font = self.style["tickFont"]
        if not levels or self.orientation == "bottom" or font is None:
            return levels
        label_count = max(size / (_LINE_SPACING * font.pixelSize()), 1.0)
        needed = abs(maxVal - minVal) / label_count
        return levels if levels[0][0] >= needed else [(nice_step(abs(maxVal - minVal), int(label_count)), 0)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [use_minus_sign(text) for text in super().tickStrings(values, scale, spacing)]


AXIS_HEIGHT_IN_LINES = 3.2
"""Height of a bottom axis with a label, in font heights. A fixed value keeps plots with different numbers aligned."""


_VERTICAL_AXIS_WIDTH_IN_LETTERS = 5.2


def aligned_axis_width(theme: Theme) -> int:
    """Return the width [pixels] of a vertical axis in plots that are aligned with each other. Numbers such as −0.0005
    and a label fit into it."""
    return round(_VERTICAL_AXIS_WIDTH_IN_LETTERS * theme.normal)


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
    """Set up one axis of a plot and return it.

    Parameters
    ----------
    plot
        Plot item of pyqtgraph.
    side
        "left", "right" or "bottom".
    log
        True for an axis in decades.
    title
        Label of the axis.
    theme
        Theme that gives fonts and colors.
    grid
        True to draw grid lines behind the curves.
    tick_labels
        Positions and texts that replace the numbers.
    """
    axis = plot.getAxis(side)
    axis_class = DecadeAxis if log else NumberAxis
    if type(axis) is not axis_class:
        axis = axis_class(orientation=side)
        plot.setAxisItems({side: axis})
        axis.linkedViewChanged(plot.getViewBox())  # a new axis receives only later changes of the view
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
    """Draw grid lines at the ticks of an axis, behind the curves. `opacity` is 0 to 255."""
    axis.setGrid(opacity)
    axis.setZValue(-1000)


def set_plot_background(view: Any, theme: Theme) -> None:
    """Set the background of a plot view and disable its cache, which would hold a pixmap as large as the view."""
    view.setCacheMode(pg.GraphicsView.CacheModeFlag.CacheNone)
    view.setBackground(theme.surface)


def remove_builtin_controls(plot: Any) -> Any:
    """Remove the menu and the buttons of pyqtgraph from a plot, and return the plot. They follow neither theme nor language."""
    plot.setMenuEnabled(False)
    plot.hideButtons()
    return plot


_KEY_STEP = 0.01
"""Step of an arrow key that moves an end of the selected range, as a fraction of the full range. With Ctrl, the step is
a tenth of it."""


class SpanSelector(Themed):
    """A mixin for plot views whose `bands` all show the same selected range. List it first among the base classes.

    The arrow keys move the start of the range, and its end with Shift. With Ctrl, the steps are finer. Home and End extend
    the range to the limits in `ends`.
    """

    bands: list[pg.LinearRegionItem]
    ends: tuple[float, float] = (0.0, 1.0)
    """Lower and upper limit of the selectable range."""

    @property
    def span(self) -> tuple[float, float]:
        """The selected range."""
        low, high = self.bands[0].getRegion()
        return float(low), float(high)

    def show_span(self, low: float, high: float) -> None:
        """Show a time range in all bands without emitting signals."""
        for band in self.bands:
            band.blockSignals(True)
            band.setRegion((low, max(high, low)))
            band.blockSignals(False)

    def set_span_by_key(self, low: float, high: float) -> None:
        """Set the range that the user has selected with a key."""
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
        """Return the range that a key press produces, or None for keys that do not change the range."""
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
        """Set the pens of the range's edges for the current theme. A selector with the focus has stronger edges."""
        theme = self.theme
        pen: Any = pg.mkPen(theme.text if focused else theme.accent, width=3 if focused else 2)
        for band in self.bands:
            band.setBrush(with_opacity(theme.accent, 0.14))
            band.setHoverBrush(with_opacity(theme.accent, 0.22))
            for line in band.lines:
                line.setPen(pen)
                line.setHoverPen(pg.mkPen(theme.text, width=3))
