"""Canvas on which a painted panel is drawn in a figure: vector graphics, and text in the font of the figure."""

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from quatviz.base.formatting.text_layout import elide, wrap
from quatviz.display.panels.base.canvas import Align, FontSize, Rect
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import PrintFigure


class PaperCanvas:
    """A `display.panels.base.canvas.Canvas` on matplotlib axes.

    Parameters
    ----------
    axes
        Axes that the canvas fills.
    width, height
        Size of the canvas [ems].
    figure
        Figure that provides the font.
    gutter, margin
        Left and right margin [ems] of the plots in the same column.
    """

    theme = LIGHT

    def __init__(
        self,
        axes: Axes,
        width: float,
        height: float,
        figure: PrintFigure,
        gutter: float,
        margin: float,
    ) -> None:
        em = float(LIGHT.normal)
        self.width, self.height, self.gutter, self.margin = (
            em * length for length in (width, height, gutter, margin)
        )
        self._axes, self._figure = axes, figure
        self._widths: dict[tuple[str, FontSize], float] = {}
        axes.set_xlim(0.0, self.width)
        axes.set_ylim(self.height, 0.0)
        axes.set_axis_off()

    def text_width(self, text: str, size: FontSize = "normal") -> float:
        key = (text, size)
        if key not in self._widths:
            self._widths[key] = (
                LIGHT.normal * self._figure.text_width(text, _relative_size(size)) if text else 0.0
            )
        return self._widths[key]

    def line_height(self, size: FontSize = "normal") -> float:
        return 1.2 * LIGHT.normal * _relative_size(size)

    def elide(self, text: str, room: float, size: FontSize = "normal") -> str:
        return elide(text, room, lambda part: self.text_width(part, size))

    def draw_text(
        self,
        x: float,
        baseline: float,
        text: str,
        color: str,
        size: FontSize = "normal",
        align: Align = "left",
    ) -> None:
        self._draw_text(x, baseline, text, color, size, align, "baseline")

    def draw_text_in(
        self, box: Rect, text: str, color: str, size: FontSize = "normal", align: Align = "left"
    ) -> None:
        x = {"left": box.x, "center": box.x + box.width / 2, "right": box.right}[align]
        self._draw_text(x, box.y + box.height / 2, text, color, size, align, "center_baseline")

    def wrap(self, text: str, room: float, size: FontSize = "small") -> list[str]:
        return wrap(text, room, lambda part: self.text_width(part, size))

    def fill_box(self, box: Rect, color: str) -> None:
        self._axes.add_patch(Rectangle(box[:2], box.width, box.height, color=color, linewidth=0))

    def fill_gradient(self, box: Rect, colors: tuple[str, ...]) -> None:
        shades = LinearSegmentedColormap.from_list("ramp", list(colors))
        limits = self._axes.get_xlim(), self._axes.get_ylim()
        extent = (box.x, box.right, box.bottom, box.y)
        steps = [[number / 255.0 for number in range(256)]]
        self._axes.imshow(steps, cmap=shades, extent=extent, aspect="auto", interpolation="bilinear")
        self._axes.set_xlim(limits[0])
        self._axes.set_ylim(limits[1])

    def _draw_text(
        self, x: float, y: float, text: str, color: str, size: FontSize, align: Align, upright: str
    ) -> None:
        points = self._figure.paper.size * _relative_size(size)
        self._axes.text(x, y, text, color=color, size=points, ha=align, va=upright)


def _relative_size(size: FontSize) -> float:
    return {"small": LIGHT.small, "normal": LIGHT.normal, "large": LIGHT.title}[size] / LIGHT.normal
