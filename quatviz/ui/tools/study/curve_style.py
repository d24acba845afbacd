"""Styles of the curves of a convergence study, and their legend.

A curve has the color and dash pattern of its lane in the main window, and a marker for its integrator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QBuffer, QLineF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy

from quatviz.analysis.studies.plot_guides import legend_text, overlap_counts
from quatviz.analysis.studies.result import Curve, StudyData
from quatviz.base.formatting.text_layout import pack_rows
from quatviz.base.markdown import WORD_JOINER
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import dash_pattern
from quatviz.display.view_state.line_styles import lane_color as colored
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.painting import draw_pixmap
from quatviz.ui.widgets.scrolling import make_scroll_area

_MARKERS = ("o", "s", "d", "t1", "t", "p", "+", "star")
_MARKER_SIZE, _RING_STEP = 9.0, 6.0


@dataclass(frozen=True)
class CurveStyle:
    """Style of one curve.

    `size` is the marker size [pixels]. Where curves coincide, all but one have larger, unfilled markers, so that all remain
    visible. `pattern` has the lengths of dashes and gaps in units of the line width, and is empty for a solid line.
    """

    curve: Curve
    color: QColor
    symbol: str
    pattern: Sequence[float]
    size: float
    filled: bool

    @property
    def text(self) -> str:
        """Text of this curve in the legend."""
        return legend_text(self.curve)

    def pen(self, width: float) -> QPen:
        """Return the pen with which the line of the curve is drawn."""
        pen = QPen(self.color, width, c=Qt.PenCapStyle.FlatCap)
        pen.setCosmetic(True)
        if self.pattern:
            pen.setDashPattern(self.pattern)
        return pen


def curve_styles(
    result: StudyData, measure: str, colors: Mapping[str, int], theme: Theme
) -> list[CurveStyle]:
    """Return the style of each curve; `colors` has the color number of each lane by name."""
    curves = result.curves(measure)
    return [
        CurveStyle(
            curve,
            lane_color(theme, colors, str(curve.lane.name)),
            _MARKERS[result.plan.integrators.index(curve.integrator) % len(_MARKERS)],
            dash_pattern(colors.get(str(curve.lane.name), 0)),
            _MARKER_SIZE + min(_RING_STEP * layer, 20.0),
            filled=layer == 0,
        )
        for curve, layer in zip(curves, overlap_counts(curves), strict=True)
    ]


def lane_color(theme: Theme, colors: Mapping[str, int], name: str) -> QColor:
    """Return the color of a lane."""
    return QColor(colored(theme, colors.get(name, 0)))


_SWATCH_SIZE = QSize(48, 28)
"""Size of a legend swatch [pixels]. It shows two periods of any dash pattern, although the marker covers a part."""
_BASELINE_RISE = 3.0
"""Height of the middle of lower-case letters above the baseline [pixels]. Qt centers images in a text at this
height."""
_NO_BREAK = "\u00a0"
_DASHES = "-–—"
"""Characters after which Qt may break a line."""
_SEPARATOR = 6 * _NO_BREAK
"""Space between two entries on a line of the legend."""


class StudyLegend(Guarded, QScrollArea):
    """Legend with marker, lane, integrator and fitted order of each curve. It scrolls if the plots leave too little space."""

    def __init__(self) -> None:
        super().__init__()
        self.text_label = QLabel(wordWrap=True)
        make_scroll_area(column(self.text_label), self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.texts: list[str] = []
        """Texts of the legend entries in their order."""
        self._pictures: list[str] = []
        """Markers of the entries as HTML."""
        self.text_label.setAccessibleName(tr("Legend"))

    def show_styles(self, styles: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self.texts = [style.text for style in styles]
        self._pictures = list(map(self._picture_html, styles))
        self._wrap_lines()

    def sizeHint(self) -> QSize:
        wide = self.viewport().width()
        return QSize(wide, self.text_label.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(super().minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap_lines()

    def _wrap_lines(self) -> None:
        """Break the legend into lines between entries. Qt itself could separate a marker from its text, because it breaks lines
        after images."""
        text_width = self.text_label.fontMetrics().horizontalAdvance
        item_widths, line_width = (
            [_SWATCH_SIZE.width() + text_width(f" {text}") for text in self.texts],
            self.viewport().width(),
        )
        rows = pack_rows(item_widths, text_width(_SEPARATOR), line_width)
        items = [
            picture + _NO_BREAK + _unbroken_words(text, breaks_at_spaces=width > line_width)
            for picture, text, width in zip(self._pictures, self.texts, item_widths, strict=True)
        ]
        html = "<br>".join(_SEPARATOR.join(items[number] for number in row) for row in rows)
        if html != self.text_label.text():
            self.text_label.setText(html)
        self.updateGeometry()

    def _picture_html(self, style: CurveStyle) -> str:
        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = _SWATCH_SIZE.height() / 2 - _BASELINE_RISE
            pen = style.pen(1.6)
            painter.setPen(pen)
            painter.drawLine(QLineF(0, middle, _SWATCH_SIZE.width(), middle))
            painter.translate(_SWATCH_SIZE.width() / 2, middle)
            painter.scale(*[min(style.size, 18.0)] * 2)
            pen.setStyle(Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.setBrush(style.color if style.filled else Qt.BrushStyle.NoBrush)
            painter.drawPath(Symbols[style.symbol])

        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        ratio = self.devicePixelRatioF()
        draw_pixmap(_SWATCH_SIZE, ratio, Qt.GlobalColor.transparent, draw).save(buffer, "PNG")
        source = bytes(buffer.data().toBase64().data()).decode()
        size = f'width="{_SWATCH_SIZE.width()}" height="{_SWATCH_SIZE.height()}"'
        return f'<img src="data:image/png;base64,{source}" {size} style="vertical-align: middle">'


def _unbroken_words(text: str, breaks_at_spaces: bool) -> str:
    """Return HTML of a text that Qt breaks at no dash, and at spaces only if `breaks_at_spaces` is True."""
    joined = "".join(
        f"{character}{WORD_JOINER}" if character in _DASHES else character for character in escape(text)
    )
    return joined if breaks_at_spaces else joined.replace(" ", _NO_BREAK)
