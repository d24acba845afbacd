"""How the window's themes become Qt's: fonts, a palette, a style sheet. Qt tells every widget where its palette changes, and
those that paint by a theme follow."""

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base import resources
from quatviz.base.formatting.text_layout import ANY_DIGIT, Type
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import UNIT, Theme, mixed, sheet, sized
from quatviz.ui.widgets.focus import widgets_in
from quatviz.ui.widgets.guard import Guarded

log = logging.getLogger(__name__)


def load_fonts() -> None:
    """Make the bundled fonts known to Qt: a machine without any font shows text all the same."""
    for path in sorted(resources.asset("fonts").glob("*.[ot]tf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            log.warning("the font %s could not be loaded", path.name)
    plot_style.cache_clear()  # for it measures


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


def tint(one: str, other: str, part: float) -> QColor:
    """`part` of the colour `one` on the ground `other`, for a pen or a brush."""
    return QColor(mixed(one, other, part))


def clear(colour: str, opacity: float) -> QColor:
    """A colour through which so much is seen of what lies below: nothing at 1."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made


@cache
def colour_named(name: str) -> QColor:
    """The colour `#rrggbb`; do not change it, for there is one of each."""
    return QColor(name)


class PlotStyle:
    """Everything a strip needs to know of a `Theme`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.ground = QColor(theme.surface)
        self.text = QColor(theme.text)
        self.muted = QColor(theme.muted)
        self.axis = QPen(QColor(theme.line), 1)
        self.grid = QPen(tint(theme.line, theme.surface, 0.45), 1)
        self.cursor = QPen(tint(theme.text, theme.surface, 0.8), 1)
        self.hover = QPen(tint(theme.muted, theme.surface, 0.6), 1, Qt.PenStyle.DotLine)
        self.wrap = QPen(tint(theme.muted, theme.surface, 0.7), 1, Qt.PenStyle.DotLine)
        self.singular = QPen(tint(theme.danger, theme.surface, 0.8), 1, Qt.PenStyle.DotLine)
        self.event = QPen(tint(theme.accent, theme.surface, 0.8), 1, Qt.PenStyle.DashLine)
        self.singular_text = QColor(theme.danger)
        self.danger_tint = tint(theme.danger, theme.surface, 0.3)
        self.accent = QColor(theme.accent)
        self.small = tabular(theme, theme.small)
        self.normal = tabular(theme, theme.normal)
        self.large = tabular(theme, theme.title)
        self.symbol = tabular(theme, theme.normal, QFont.Weight.DemiBold)
        self.title = tabular(theme, theme.title, QFont.Weight.DemiBold)
        self.small_metrics = QFontMetricsF(self.small)
        self.normal_metrics = QFontMetricsF(self.normal)
        self.small_type, self.normal_type = (
            Type(one.horizontalAdvance, one.height()) for one in (self.small_metrics, self.normal_metrics)
        )
        self.large_metrics = QFontMetricsF(self.large)
        self.symbol_metrics = QFontMetricsF(self.symbol)
        self.title_metrics = QFontMetricsF(self.title)
        self.gutter = round(self.small_metrics.horizontalAdvance("\u22120.00000") + UNIT)
        """Width left of every plot for its numbers: one for all, so that the plots of a column line up."""
        self.least_column = self.gutter + self.title_metrics.horizontalAdvance("Angular momentum") + 6 * UNIT
        """Width of a column in which a title and its choices can be read."""
        self.margin = UNIT
        self._widths: dict[tuple[int, str], float] = {}
        self.header = round(self.normal_metrics.height() + UNIT / 2)
        self.foot = max(4, round(self.small_metrics.capHeight() / 2))
        """Room below a plot for the half of a number at its lower end."""

    def least(self, weight: float) -> int:
        """Height of a strip whose curve still has a form, with a number at each end: more where it carries the point."""
        return round(self.header + 2.3 * weight * self.small_metrics.height() + self.foot)

    def width(self, metrics: QFontMetricsF, text: str) -> float:
        """Width of `text`. Digits are all of one width, so one measuring does for all numbers of a form."""
        key = (id(metrics), text.translate(ANY_DIGIT))
        if key not in self._widths:
            self._widths[key] = metrics.horizontalAdvance(text)
        return self._widths[key]

    def lane(self, colour: int) -> QColor:
        return QColor(lane_colour(self.theme, colour))


@cache
def plot_style(theme: Theme) -> PlotStyle:
    """The one of a theme."""
    return PlotStyle(theme)


def palette(theme: Theme) -> QPalette:
    """Roles that Qt's own widgets paint with."""
    made = QPalette()
    role = QPalette.ColorRole
    for colour, roles in (
        (theme.window, (role.Window, role.HighlightedText, role.Shadow)),
        (theme.surface, (role.Base,)),
        (theme.raised, (role.AlternateBase, role.Button, role.ToolTipBase, role.Light, role.Midlight)),
        (theme.line, (role.Mid, role.Dark)),
        (theme.text, (role.WindowText, role.Text, role.ButtonText, role.ToolTipText)),
        (theme.muted, (role.PlaceholderText,)),
        (theme.accent, (role.Highlight, role.Link)),
        (theme.danger, (role.BrightText,)),
    ):
        for where in roles:
            made.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, where, tint(theme.muted, theme.window, 0.6))
    return made


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress the application, unless it wears this theme. Fusion, because native styles ignore parts of a palette.

    It is undressed first: where one style sheet follows another Qt looks up the rules of every widget again and again, and
    takes 0.8 s for the eleven hundred of a window; between none and one 0.1 s."""
    app.setProperty(_WORN, theme.name)
    theme = theme_of(app)
    rules = "" if app.property(_MAKING) else sheet(theme)
    font, colours = tabular(theme, theme.normal), palette(theme)
    if (app.font(), app.palette(), app.styleSheet()) == (font, colours, rules):
        return
    with _garbage_kept():
        app.setStyleSheet("")
        if app.style().name() != _STYLE:
            app.setStyle(_STYLE)
        app.setFont(font)
        app.setPalette(colours)
        app.setStyleSheet(rules)


def begin_scale(app: QApplication, scale: int) -> None:
    """Qt shows everything at this size [%] from the start on, until the end: what a window asks for later is beside that."""
    app.setProperty(_BEGAN, scale)


def apply_scale(scale: int) -> None:
    """Show everything at this size [%] from now on, but windows with a theme of their own."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    before = theme_of(app).size
    app.setProperty(_SIZE, scale / float(app.property(_BEGAN) or 100))
    if theme_of(app).size == before:
        return
    apply_theme(app, theme_of(app))
    with _garbage_kept():
        # First those that may be told another width by one that follows.
        for widget in sorted(app.allWidgets(), key=lambda widget: isinstance(widget, Themed)):
            if isinstance(widget, Themed):
                widget.renew_theme()
            else:
                _resize(widget, before, theme_of(widget).size)


def _resize(widget: QWidget, before: float, now: float) -> None:
    """Give it as much more, or less, of the width that it was told to have at least or at most."""
    least, most = widget.minimumWidth(), widget.maximumWidth()
    told, given = widget.property(_TOLD), [least / before, most / before]
    if told is not None and told[2:] == [least, most]:
        given = told[:2]
    scaled = [round(given[0] * now), round(given[1] * now) if most < _UNBOUNDED else most]
    widget.setMinimumWidth(scaled[0])
    widget.setMaximumWidth(scaled[1])
    widget.setProperty(_TOLD, [*given, *scaled])


_TOLD = "told"
"""The property of a widget that keeps its least and largest width at 100 %, and what was made of them."""
_UNBOUNDED = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Qt goes through a list of all widgets and tells each, which then runs Python: were a widget of a closed window collected
    meanwhile, Qt would come to it all the same, and the process end."""
    again = gc.enable if gc.isenabled() else gc.disable
    gc.disable()
    try:
        yield
    finally:
        again()


@contextmanager
def dressed_when_whole() -> Iterator[None]:
    """While a window is made the application has no style sheet, and all parts get it at the end, once: else Qt would polish
    a part whenever it, or what it stands in, is put somewhere, which took two thirds of the time to make the window."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setProperty(_MAKING, True)
    with _garbage_kept():
        app.setStyleSheet("")
    try:
        yield
    finally:
        app.setProperty(_MAKING, False)
        apply_theme(app, theme_of(app))


_STYLE = "fusion"

_MAKING = "making"
"""The property of the application that says so."""

_WORN = "theme"
"""The property of the application, or of a window with a theme of its own, that holds the theme's name."""


_SIZE, _BEGAN = "size", "scale"
"""The properties of the application that say how large everything is, by how large it was at the start, and that [%]."""


def theme_of(widget: QWidget | QCoreApplication) -> Theme:
    """The theme that a widget wears: that of its window where it has one of its own, else of the application, in its size."""
    part: QWidget | QCoreApplication | None = widget
    while isinstance(part, QWidget):
        if part.property(_WORN):
            break
        part = part.parentWidget() or QApplication.instance()
    size = part.property(_SIZE) if isinstance(part, QCoreApplication) else None
    return sized(str(part.property(_WORN)) if part is not None else "", float(size or 1.0))


def wear(widget: QWidget, theme: Theme) -> None:
    """Dress one window, and all that is in it now, in a theme of its own. Below a style sheet Qt hands no palette down."""
    widget.setProperty(_WORN, theme.name)
    widget.setFont(tabular(theme, theme.normal))
    widget.setStyleSheet(sheet(theme))
    for part in (widget, *widgets_in(widget)):
        part.setPalette(palette(theme))


class Themed(Guarded):
    """First among the bases of a widget that paints by the theme of its window; `follow_theme` is for what it has to do besides
    where that becomes another one."""

    _worn: Theme | None = None

    @property
    def theme(self) -> Theme:
        """What it wears now."""
        if self._worn is None:
            self._worn = theme_of(self)  # type: ignore[arg-type]
        return self._worn

    def follow_theme(self) -> None:
        """It wears another theme, and may take another room; Qt paints it anew anyhow."""
        self.updateGeometry()  # type: ignore[attr-defined]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        # One who has not asked for it yet, such as a widget that is still being made, has nothing to follow.
        if event.type() == QEvent.Type.PaletteChange:
            self.renew_theme()

    def renew_theme(self) -> None:
        """Follow the theme if it is another, or of another size."""
        if self._worn is not None:
            before, self._worn = self._worn, theme_of(self)  # type: ignore[arg-type]
            if self._worn is not before:
                self.follow_theme()


class Painted(Themed):
    """Paints all of itself, with smooth edges, by a painter that ends whatever happens."""

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:  # type: ignore[call-overload]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Paint it."""
        raise NotImplementedError


class Styled(Themed):
    """Paints as plots do."""

    @property
    def style_(self) -> PlotStyle:
        """That of the theme that it wears now."""
        return plot_style(self.theme)
