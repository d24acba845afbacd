"""Qt fonts, palettes and style sheets made from themes.

Qt sends each widget an event when its palette changes. Widgets that paint with the colors of a theme then follow the new
theme.
"""

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.util import find_spec

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base import resources
from quatviz.base.formatting.text_layout import DIGITS_TO_ZERO, TextMetrics
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import GRID_UNIT, Theme, mix_colors, scaled_theme, style_sheet
from quatviz.ui.widgets.focus import iter_descendants
from quatviz.ui.widgets.guard import Guarded

log = logging.getLogger(__name__)


def load_fonts() -> None:
    """Register the bundled fonts with Qt, so that text appears on machines without fonts."""
    for path in sorted(resources.asset_path("fonts").glob("*.[ot]tf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            log.warning("the font %s could not be loaded", path.name)
    plot_style.cache_clear()  # a cached style holds font metrics
    text_metrics.cache_clear()


def tabular_font(theme: Theme, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the theme's font at `pixels`, with digits of equal width."""
    return _tabular_font(theme.font, pixels, weight)


def _tabular_font(family: str, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = QFont(family)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


_MAX_CACHED_WIDTHS = 10_000
"""Number of texts whose widths are cached per font. It is enough for the words of 200 lane names of the largest length."""


@cache
def text_metrics(family: str, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> TextMetrics:
    """Return the metrics of a font with digits of equal width. Widths are cached, and themes with the same font share them."""
    metrics = QFontMetricsF(_tabular_font(family, pixels, weight))
    return TextMetrics(lru_cache(_MAX_CACHED_WIDTHS)(metrics.horizontalAdvance), metrics.height())


@cache
def _fixed_family() -> str:
    """Return the desktop's fixed-width font family, or matplotlib's if the desktop has none."""
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    if QFontDatabase.isFixedPitch(family):
        return family
    package = find_spec("matplotlib")
    for folder in (package.submodule_search_locations or []) if package is not None else []:
        font_id = QFontDatabase.addApplicationFont(f"{folder}/mpl-data/fonts/ttf/DejaVuSansMono.ttf")
        if font_id >= 0:
            return QFontDatabase.applicationFontFamilies(font_id)[0]
    return family


def fixed_pitch_font(pixels: int) -> QFont:
    """Return a fixed-width font for code and plain-text formulas."""
    font = QFont(_fixed_family())
    font.setPixelSize(pixels)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font


def tint(color: str, background: str, fraction: float) -> QColor:
    """Return `color` blended over `background` with weight `fraction`."""
    return QColor(mix_colors(color, background, fraction))


def with_opacity(name: str, opacity: float) -> QColor:
    """Return a color with an opacity from 0 to 1."""
    color = QColor(name)
    color.setAlphaF(opacity)
    return color


@cache
def cached_color(name: str) -> QColor:
    """Return a shared QColor for `#rrggbb`; do not modify it."""
    return QColor(name)


class PlotStyle:
    """Pens, colors, fonts and sizes with which plots are drawn in one theme."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.background = QColor(theme.surface)
        self.text_color = QColor(theme.text)
        self.muted_color = QColor(theme.muted)
        self.axis_pen = QPen(QColor(theme.line), 1)
        self.grid_pen = QPen(tint(theme.line, theme.surface, 0.45), 1)
        self.cursor_pen = QPen(tint(theme.text, theme.surface, 0.8), 1)
        self.hover_pen = QPen(tint(theme.muted, theme.surface, 0.6), 1, Qt.PenStyle.DotLine)
        self.wrap_pen = QPen(tint(theme.muted, theme.surface, 0.7), 1, Qt.PenStyle.DotLine)
        self.singular_pen = QPen(tint(theme.danger, theme.surface, 0.8), 1, Qt.PenStyle.DotLine)
        self.event_pen = QPen(tint(theme.accent, theme.surface, 0.8), 1, Qt.PenStyle.DashLine)
        self.singular_text_color = QColor(theme.danger)
        self.danger_tint = tint(theme.danger, theme.surface, 0.3)
        self.accent_color = QColor(theme.accent)
        self.small_font = tabular_font(theme, theme.small)
        self.normal_font = tabular_font(theme, theme.normal)
        self.large_font = tabular_font(theme, theme.title)
        self.symbol_font = tabular_font(theme, theme.normal, QFont.Weight.DemiBold)
        self.title_font = tabular_font(theme, theme.title, QFont.Weight.DemiBold)
        self.small_metrics = QFontMetricsF(self.small_font)
        self.normal_metrics = QFontMetricsF(self.normal_font)
        self.small_type, self.normal_type = (
            text_metrics(theme.font, pixels) for pixels in (theme.small, theme.normal)
        )
        self.large_metrics = QFontMetricsF(self.large_font)
        self.symbol_metrics = QFontMetricsF(self.symbol_font)
        self.title_metrics = QFontMetricsF(self.title_font)
        self.gutter = round(self.small_metrics.horizontalAdvance("\u22120.00000") + GRID_UNIT)
        """Width to the left of every plot for its tick labels [pixels]. All plots share it, so that plots in
        a column line up."""
        self.min_column_width = (
            self.gutter + self.title_metrics.horizontalAdvance("Angular momentum") + 6 * GRID_UNIT
        )
        """Smallest column width in which a title and its controls are readable [pixels]."""
        self.margin = GRID_UNIT
        self._widths: dict[tuple[int, str], float] = {}
        self.header_height = round(self.normal_metrics.height() + GRID_UNIT / 2)
        self.bottom_margin = max(4, round(self.small_metrics.capHeight() / 2))
        """Space below a plot for the lower half of its lowest tick label [pixels]."""

    def min_height(self, weight: float) -> int:
        """Return the smallest height of a plot [pixels] in which the shape of a curve is visible and two tick labels fit.
        `weight` scales the curve area."""
        return round(self.header_height + 2.3 * weight * self.small_metrics.height() + self.bottom_margin)

    def text_width(self, metrics: QFontMetricsF, text: str) -> float:
        """Return the width of `text` [pixels]. Digits are equally wide, so numbers of the same format share one measurement."""
        key = (id(metrics), text.translate(DIGITS_TO_ZERO))
        if key not in self._widths:
            self._widths[key] = metrics.horizontalAdvance(text)
        return self._widths[key]

    def lane_color(self, color: int) -> QColor:
        return QColor(lane_color(self.theme, color))


@cache
def plot_style(theme: Theme) -> PlotStyle:
    """Return the plot style of a theme. Plots of the same theme share it."""
    return PlotStyle(theme)


def make_palette(theme: Theme) -> QPalette:
    """Return the palette for Qt's own widgets."""
    result = QPalette()
    role = QPalette.ColorRole
    for color, roles in (
        (theme.window, (role.Window, role.HighlightedText, role.Shadow)),
        (theme.surface, (role.Base,)),
        (theme.raised, (role.AlternateBase, role.Button, role.ToolTipBase, role.Light, role.Midlight)),
        (theme.line, (role.Mid, role.Dark)),
        (theme.text, (role.WindowText, role.Text, role.ButtonText, role.ToolTipText)),
        (theme.muted, (role.PlaceholderText,)),
        (theme.accent, (role.Highlight, role.Link)),
        (theme.danger, (role.BrightText,)),
    ):
        for color_role in roles:
            result.setColor(color_role, QColor(color))
    for color_role in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, color_role, tint(theme.muted, theme.window, 0.6))
    return result


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Apply a theme to the application. The Fusion style is used, because native styles ignore parts of a palette.

    The old style sheet is removed first. Replacing one style sheet by another makes Qt resolve the rules of every widget repeatedly
    (0.8 s for 1100 widgets); removing and setting takes 0.1 s.
    """
    app.setProperty(_THEME_PROPERTY, theme.name)
    theme = theme_of(app)
    rules = "" if app.property(_BUILDING_PROPERTY) else style_sheet(theme)
    font, new_palette = tabular_font(theme, theme.normal), make_palette(theme)
    if (app.font(), app.palette(), app.styleSheet()) == (font, new_palette, rules):
        return
    with _gc_paused():
        app.setStyleSheet("")
        if app.style().name() != _QT_STYLE:
            app.setStyle(_QT_STYLE)
        app.setFont(font)
        app.setPalette(new_palette)
        app.setStyleSheet(rules)


def set_startup_scale(app: QApplication, scale: int) -> None:
    """Store the interface scale [%] that Qt applies from the start. Later scales are applied relative to it."""
    app.setProperty(_STARTUP_SCALE_PROPERTY, scale)


def apply_scale(scale: int) -> None:
    """Apply an interface scale [%] to all windows except those with their own theme."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    before = theme_of(app).size
    app.setProperty(_SIZE_PROPERTY, scale / float(app.property(_STARTUP_SCALE_PROPERTY) or 100))
    if theme_of(app).size == before:
        return
    apply_theme(app, theme_of(app))
    with _gc_paused():
        # Themed widgets come last, because they may set widths of other widgets.
        for widget in sorted(app.allWidgets(), key=lambda widget: isinstance(widget, Themed)):
            if isinstance(widget, Themed):
                widget.refresh_theme()
            else:
                _rescale_widths(widget, before, theme_of(widget).size)


def _rescale_widths(widget: QWidget, old_scale: float, new_scale: float) -> None:
    """Scale the minimum and maximum width that a widget sets explicitly."""
    min_width, max_width = widget.minimumWidth(), widget.maximumWidth()
    stored, unscaled = widget.property(_WIDTHS_PROPERTY), [min_width / old_scale, max_width / old_scale]
    if stored is not None and stored[2:] == [min_width, max_width]:
        unscaled = stored[:2]
    scaled = [
        round(unscaled[0] * new_scale),
        round(unscaled[1] * new_scale) if max_width < _MAX_WIDGET_SIZE else max_width,
    ]
    widget.setMinimumWidth(scaled[0])
    widget.setMaximumWidth(scaled[1])
    widget.setProperty(_WIDTHS_PROPERTY, [*unscaled, *scaled])


_WIDTHS_PROPERTY = "unscaled_widths"
"""Name of the widget property that holds the minimum and maximum width at 100 %, followed by the present scaled values
of both."""
_MAX_WIDGET_SIZE = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause garbage collection while Qt iterates over all widgets and calls Python.

    Otherwise a widget of a closed window could be collected during the iteration. Qt would then still visit it and
    crash the process.
    """
    restore = gc.enable if gc.isenabled() else gc.disable
    gc.disable()
    try:
        yield
    finally:
        restore()


@contextmanager
def deferred_style_sheet() -> Iterator[None]:
    """Build a window without a style sheet, and apply the style sheet once at the end.

    Otherwise Qt polishes a widget at every change of its parent, which took two thirds of the time to build the window.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setProperty(_BUILDING_PROPERTY, True)
    with _gc_paused():
        app.setStyleSheet("")
    try:
        yield
    finally:
        app.setProperty(_BUILDING_PROPERTY, False)
        apply_theme(app, theme_of(app))


_QT_STYLE = "fusion"

_BUILDING_PROPERTY = "is_building"
"""Name of the application property that is True while a window is built."""

_THEME_PROPERTY = "theme"
"""Name of the property that holds the name of the theme. The application has this property, and so does each window
with its own theme."""


_SIZE_PROPERTY, _STARTUP_SCALE_PROPERTY = "size", "scale"
"""Names of two properties of the application: the interface scale relative to startup, and the startup scale
[%]."""


def theme_of(widget: QWidget | QCoreApplication) -> Theme:
    """Return the theme of a widget at the current scale: that of its window if the window has its own, otherwise that
    of the application."""
    owner: QWidget | QCoreApplication | None = widget
    while isinstance(owner, QWidget):
        owner = owner.window()
        if owner.property(_THEME_PROPERTY):
            break
        owner = owner.parentWidget() or QApplication.instance()
    size = owner.property(_SIZE_PROPERTY) if isinstance(owner, QCoreApplication) else None
    return scaled_theme(str(owner.property(_THEME_PROPERTY)) if owner is not None else "", float(size or 1.0))


def set_own_theme(widget: QWidget, theme: Theme) -> None:
    """Apply a theme to one window. It is also set on each present child, because Qt does not propagate palettes if
    there is a style sheet."""
    widget.setProperty(_THEME_PROPERTY, theme.name)
    widget.setFont(tabular_font(theme, theme.normal))
    widget.setStyleSheet(style_sheet(theme))
    for descendant in (widget, *iter_descendants(widget)):
        descendant.setPalette(make_palette(theme))


class Themed(Guarded):
    """A mixin for widgets that paint by the theme of their window.

    List it first among the base classes. Override `follow_theme` for further work after a change of theme.
    """

    _cached_theme: Theme | None = None

    @property
    def theme(self) -> Theme:
        """The current theme."""
        if self._cached_theme is None:
            self._cached_theme = theme_of(self)  # type: ignore[arg-type]
        return self._cached_theme

    def follow_theme(self) -> None:
        """Update the layout after a change of theme; Qt repaints the widget itself."""
        self.updateGeometry()  # type: ignore[attr-defined]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        # A widget that has not used its theme yet, for example during construction, has nothing to update.
        if event.type() == QEvent.Type.PaletteChange:
            self.refresh_theme()

    def refresh_theme(self) -> None:
        """Call `follow_theme` if the theme of the window, or its scale, has changed."""
        if self._cached_theme is not None:
            before, self._cached_theme = self._cached_theme, theme_of(self)  # type: ignore[arg-type]
            if self._cached_theme is not before:
                self.follow_theme()


class PaintedWidget(Themed):
    """A mixin for widgets that paint themselves with antialiasing. The painter is ended even if the painting raises an
    exception."""

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:  # type: ignore[call-overload]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Paint the widget."""
        raise NotImplementedError


class PlotStyled(Themed):
    """A mixin for widgets that paint in the style of plots."""

    @property
    def plot_style(self) -> PlotStyle:
        """The plot style of the current theme."""
        return plot_style(self.theme)
