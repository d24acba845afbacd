"""How the curves of a study look: colour and dashes of each lane, as in the main window, one marker for each integrator; and the
legend that says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QBuffer, QLineF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel

from quatviz.base.tr import tr
from quatviz.look.lanes import lane_colour as coloured
from quatviz.look.lanes import pattern_of
from quatviz.look.theme import Theme
from quatviz.studies.aids import layers, legend_text
from quatviz.studies.result import Curve, Findings
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.painting import drawn

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


def paint_marker(painter: QPainter, look: CurveStyle, x: float, y: float, size: float) -> None:
    """Draw a curve's marker around a point."""
    painter.save()
    painter.translate(x, y)
    painter.setPen(QPen(look.colour, 1.6))
    painter.setBrush(look.colour if look.filled else Qt.BrushStyle.NoBrush)
    path = Symbols[look.symbol]
    painter.scale(size, size)
    pen = painter.pen()
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.drawPath(path)
    painter.restore()


_SWATCH = QSize(32, 28)
_RISE = 3.0
"""Of the middle of small letters over their base line [pixels], on which Qt puts the middle of a picture."""
_NO_BREAK = "\u00a0"
_BETWEEN = 6 * _NO_BREAK
"""Two curves on a line."""


class StudyLegend(Guarded, QLabel):
    """Marker, lane, integrator and fitted order of each curve."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        """What it says, in order."""
        self._told: list[str] = []
        """The same with its markers."""
        self.setWordWrap(True)
        self.setAccessibleName(tr("Legend"))

    def show_looks(self, looks: Sequence[CurveStyle]) -> None:
        """Show these curves."""
        self.texts = [look.text for look in looks]
        self._told = list(map(self._with_marker, looks))
        self._break()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        """Begin a line before a marker that has no room with its name: Qt would end one behind any picture."""
        lines: list[list[str]] = []
        wide, left = self.fontMetrics().horizontalAdvance, 0
        for text, told in zip(self.texts, self._told, strict=True):
            needed = _SWATCH.width() + wide(f" {text}{_BETWEEN}")
            if needed > left:
                lines.append([])
                left = self.contentsRect().width() + wide(_BETWEEN)
            lines[-1].append(told)
            left -= needed
        said = "<br>".join(map(_BETWEEN.join, lines))
        if said != self.text():
            self.setText(said)

    def _with_marker(self, look: CurveStyle) -> str:
        def draw(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = _SWATCH.height() / 2 - _RISE
            painter.setPen(look.pen(2))
            painter.drawLine(QLineF(0, middle, _SWATCH.width(), middle))
            paint_marker(painter, look, _SWATCH.width() / 2, middle, min(look.size, 18.0))

        held = QBuffer()
        held.open(QBuffer.OpenModeFlag.WriteOnly)
        ratio = self.devicePixelRatioF()
        drawn(_SWATCH, ratio, Qt.GlobalColor.transparent, draw).save(held, "PNG")
        source = bytes(held.data().toBase64().data()).decode()
        size = f'width="{_SWATCH.width()}" height="{_SWATCH.height()}"'
        picture = f'<img src="data:image/png;base64,{source}" {size} style="vertical-align: middle">'
        return picture + escape(f" {look.text}").replace(" ", _NO_BREAK)
