"""How the curves of a study look: colour and dashes of each lane, as in the main window, one marker for each integrator; and the
legend that says so."""

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
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import dash_pattern
from quatviz.display.view_state.line_styles import lane_colour as coloured
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.painting import draw_pixmap
from quatviz.ui.widgets.scrolling import make_scroll_area

_MARKERS = ("o", "s", "d", "t1", "t", "p", "+", "star")
_MARKER_SIZE, _RING_STEP = 9.0, 6.0


@dataclass(frozen=True)
class CurveStyle:
    """One curve as it is drawn. `size` is that of its markers [pixels]; `filled`, or a ring around other curves. `pattern` has
    the lengths of dash and gap in turn, by the width of its line; none of a whole one."""

    curve: Curve
    colour: QColor
    symbol: str
    pattern: Sequence[float]
    size: float
    filled: bool

    @property
    def text(self) -> str:
        """What the legend says."""
        return legend_text(self.curve)

    def pen(self, width: float) -> QPen:
        """What draws its line."""
        pen = QPen(self.colour, width, c=Qt.PenCapStyle.FlatCap)
        pen.setCosmetic(True)
        if self.pattern:
            pen.setDashPattern(self.pattern)
        return pen


def curve_styles(
    result: StudyData, measure: str, colours: Mapping[str, int], theme: Theme
) -> list[CurveStyle]:
    """How each curve is drawn; `colours` numbers lanes by name."""
    curves = result.curves(measure)
    return [
        CurveStyle(
            curve,
            lane_colour(theme, colours, str(curve.lane.name)),
            _MARKERS[result.plan.integrators.index(curve.integrator) % len(_MARKERS)],
            dash_pattern(colours.get(str(curve.lane.name), 0)),
            _MARKER_SIZE + min(_RING_STEP * layer, 20.0),
            filled=layer == 0,
        )
        for curve, layer in zip(curves, overlap_counts(curves), strict=True)
    ]


def lane_colour(theme: Theme, colours: Mapping[str, int], name: str) -> QColor:
    """The colour of a lane."""
    return QColor(coloured(theme, colours.get(name, 0)))


_SWATCH_SIZE = QSize(48, 28)
"""Wide enough for two periods of any pattern, of which the marker hides one."""
_BASELINE_RISE = 3.0
"""Of the middle of small letters over their base line [pixels], on which Qt puts the middle of a picture."""
_NO_BREAK = "\u00a0"
_SEPARATOR = 6 * _NO_BREAK
"""Two curves on a line."""


class StudyLegend(Guarded, QScrollArea):
    """Marker, lane, integrator and fitted order of each curve. It is scrolled where the plots leave it no room for all."""

    def __init__(self) -> None:
        super().__init__()
        self.text_label = QLabel(wordWrap=True)
        make_scroll_area(column(self.text_label), self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.texts: list[str] = []
        """What it says, in order."""
        self._html_items: list[str] = []
        """The same with its markers."""
        self.text_label.setAccessibleName(tr("Legend"))

    def show_styles(self, styles: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self.texts = [style.text for style in styles]
        self._html_items = list(map(self._item_html, styles))
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
        """Begin a line before a marker that has no room with its name: Qt would end one behind any picture."""
        text_width = self.text_label.fontMetrics().horizontalAdvance
        item_widths = [_SWATCH_SIZE.width() + text_width(f" {text}") for text in self.texts]
        rows = pack_rows(item_widths, text_width(_SEPARATOR), self.viewport().width())
        html = "<br>".join(_SEPARATOR.join(self._html_items[number] for number in row) for row in rows)
        if html != self.text_label.text():
            self.text_label.setText(html)
        self.updateGeometry()

    def _item_html(self, style: CurveStyle) -> str:
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
            painter.setBrush(style.colour if style.filled else Qt.BrushStyle.NoBrush)
            painter.drawPath(Symbols[style.symbol])

        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        ratio = self.devicePixelRatioF()
        draw_pixmap(_SWATCH_SIZE, ratio, Qt.GlobalColor.transparent, draw).save(buffer, "PNG")
        source = bytes(buffer.data().toBase64().data()).decode()
        size = f'width="{_SWATCH_SIZE.width()}" height="{_SWATCH_SIZE.height()}"'
        image_tag = f'<img src="data:image/png;base64,{source}" {size} style="vertical-align: middle">'
        return image_tag + escape(f" {style.text}").replace(" ", _NO_BREAK)
