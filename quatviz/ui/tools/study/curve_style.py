"""How the curves of a study look: colour and dashes of each lane, as in the main window, one marker for each integrator; and the
legend that says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QBuffer, QLineF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy

from quatviz.analysis.studies.plot_guides import layers, legend_text
from quatviz.analysis.studies.result import Curve, Findings
from quatviz.base.formatting.text_layout import in_rows
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import lane_colour as coloured
from quatviz.display.view_state.line_styles import pattern_of
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.controls import column, scrolling
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.painting import drawn

_MARKERS = ("o", "s", "d", "t1", "t", "p", "+", "star")
_SIZE, _RING = 9.0, 6.0


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


def looks_of(result: Findings, measure: str, colours: Mapping[str, int], theme: Theme) -> list[CurveStyle]:
    """How each curve is drawn; `colours` numbers lanes by name."""
    curves = result.curves(measure)
    return [
        CurveStyle(
            curve,
            lane_colour(theme, colours, str(curve.lane.name)),
            _MARKERS[result.plan.integrators.index(curve.integrator) % len(_MARKERS)],
            pattern_of(colours.get(str(curve.lane.name), 0)),
            _SIZE + min(_RING * layer, 20.0),
            filled=layer == 0,
        )
        for curve, layer in zip(curves, layers(curves), strict=True)
    ]


def lane_colour(theme: Theme, colours: Mapping[str, int], name: str) -> QColor:
    """The colour of a lane."""
    return QColor(coloured(theme, colours.get(name, 0)))


_SWATCH = QSize(48, 28)
"""Wide enough for two periods of any pattern, of which the marker hides one."""
_RISE = 3.0
"""Of the middle of small letters over their base line [pixels], on which Qt puts the middle of a picture."""
_NO_BREAK = "\u00a0"
_BETWEEN = 6 * _NO_BREAK
"""Two curves on a line."""


class StudyLegend(Guarded, QScrollArea):
    """Marker, lane, integrator and fitted order of each curve. It is scrolled where the plots leave it no room for all."""

    def __init__(self) -> None:
        super().__init__()
        self.words = QLabel(wordWrap=True)
        scrolling(column(self.words), self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.texts: list[str] = []
        """What it says, in order."""
        self._told: list[str] = []
        """The same with its markers."""
        self.words.setAccessibleName(tr("Legend"))

    def show_looks(self, looks: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self.texts = [look.text for look in looks]
        self._told = list(map(self._with_marker, looks))
        self._break()

    def sizeHint(self) -> QSize:
        wide = self.viewport().width()
        return QSize(wide, self.words.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(super().minimumSizeHint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        """Begin a line before a marker that has no room with its name: Qt would end one behind any picture."""
        wide = self.words.fontMetrics().horizontalAdvance
        needed = [_SWATCH.width() + wide(f" {text}") for text in self.texts]
        rows = in_rows(needed, wide(_BETWEEN), self.viewport().width())
        said = "<br>".join(_BETWEEN.join(self._told[number] for number in row) for row in rows)
        if said != self.words.text():
            self.words.setText(said)
        self.updateGeometry()

    def _with_marker(self, look: CurveStyle) -> str:
        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = _SWATCH.height() / 2 - _RISE
            pen = look.pen(1.6)
            painter.setPen(pen)
            painter.drawLine(QLineF(0, middle, _SWATCH.width(), middle))
            painter.translate(_SWATCH.width() / 2, middle)
            painter.scale(*[min(look.size, 18.0)] * 2)
            pen.setStyle(Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.setBrush(look.colour if look.filled else Qt.BrushStyle.NoBrush)
            painter.drawPath(Symbols[look.symbol])

        held = QBuffer()
        held.open(QBuffer.OpenModeFlag.WriteOnly)
        ratio = self.devicePixelRatioF()
        drawn(_SWATCH, ratio, Qt.GlobalColor.transparent, draw).save(held, "PNG")
        source = bytes(held.data().toBase64().data()).decode()
        size = f'width="{_SWATCH.width()}" height="{_SWATCH.height()}"'
        picture = f'<img src="data:image/png;base64,{source}" {size} style="vertical-align: middle">'
        return picture + escape(f" {look.text}").replace(" ", _NO_BREAK)
