"""What shows a panel in the window: the contract between a board and its views, and what they share."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.base.errors import PLUGIN_EXCEPTIONS
from quatviz.base.translation import tr
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.data.redraws import Redraws
from quatviz.display.panels.base import HighlightTarget, Panel, ValueReading
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import Theme
from quatviz.ui.plots.measurement import CurveMeasurement
from quatviz.ui.plots.title_row import TitleRow
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.painting import draw_pixmap
from quatviz.ui.widgets.style import PlotStyled


@dataclass(frozen=True)
class PanelContext:
    """Where a view stands, what it has in common with the others of its board, and whom it tells."""

    parent: QWidget
    axis: TimeAxis
    choices: Choices
    redraws: Redraws
    """Which parts of the window are due, and why."""
    measurement: CurveMeasurement
    """The curve that is measured."""
    seek: Callable[[float], object]
    """A person points at a time [s]; the next frame then shows it."""
    show_menu: Callable[[QPoint], object]
    """A person asks, at a place on the screen, what can be done here."""
    report_failure: Callable[[BaseException], object]
    """The view has failed where nobody called it: while it was painted, or at a choice."""


class PanelPaintWidget(PlotStyled, QWidget):
    """Paints all of itself, and is as wide as it may be. What it raises meanwhile is reported."""

    def __init__(self, parent: QWidget, context: PanelContext, name: str) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    @property
    def min_height(self) -> float:
        """Height below which it says nothing [pixels at 100 %]."""
        return 0.0

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        """Paint it, for a screen with `ratio` device pixels to a logical one."""

    def invalidate(self) -> None:
        """Forget its picture: it is drawn anew with the next repaint."""
        self.update()

    def follow_theme(self) -> None:
        self.invalidate()

    def hideEvent(self, event: QHideEvent) -> None:
        # All panels that ever filled the window would keep a picture of its size.
        self.invalidate()

    def paintEvent(self, event: QPaintEvent) -> None:
        try:
            with QPainter(self) as painter:
                self.draw_on(painter, self.devicePixelRatioF())
        except PLUGIN_EXCEPTIONS as error:
            self._context.report_failure(error)


class CachedPaintWidget(PanelPaintWidget):
    """Draws all that does not change with every frame once, and keeps it until it has another size, or is renewed."""

    _pixmap: QPixmap | None = None
    """What was drawn last; None where it is to be drawn anew."""

    def draw(self, painter: QPainter) -> None:
        """Paint what is kept."""
        raise NotImplementedError

    def invalidate(self) -> None:
        self._pixmap = None
        self.setMinimumHeight(self.theme.scaled_pixels(self.min_height))
        super().invalidate()

    def cached_pixmap(self, ratio: float) -> QPixmap:
        """The picture, of `ratio` device pixels to a logical one."""
        if self._pixmap is None or self._pixmap.size() != self.size() * ratio:
            self._pixmap = draw_pixmap(self.size(), ratio, self.plot_style.background, self.draw)
        return self._pixmap

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        painter.drawPixmap(0, 0, self.cached_pixmap(ratio))


class PanelView(PlotStyled, QWidget):
    """One panel in one window, a title above what it adds to `body`. The board makes it and calls, on the window's thread only:

    1. `start` when a run begins or is replaced; `show_frame` with every frame at rest, and in its turn while a run plays;
       `draw` with every frame, to draw anew what is due (`PanelContext.redraws`); `update_colors` when it is made, and where
       the theme or the colours of lanes change; `shutdown` once.
    2. `show_frame` must cost well below a millisecond when nothing but the cursor moved. It reads what is new from the source,
       keeps no copy of a run's data, marks itself as due for rows that it leaves to a turn of its own, and has its widgets
       updated where they have changed: Qt repaints these once.
    3. `weight` is its height beside others of its column, in strips; it may change from frame to frame. `readings` are its
       numbers at the cursor, for copying.
    4. `highlight` lets what a person points at elsewhere stand out, and says whether the panel shows it: the board fades those
       that do not.
    5. What it raises costs the panel its place, where the reason is shown, and nobody else anything.
    """

    def __init__(self, panel: Panel, context: PanelContext) -> None:
        super().__init__(context.parent)
        self.panel, self.context = panel, context
        self.source: ColumnSource | None = None
        """The run that it shows."""
        self.title_row = TitleRow(self, tr(panel.title), context.choices, panel.choices, panel.emblem)
        self.body = column(self.title_row, gap=0)
        self.setLayout(self.body)

    @property
    def name(self) -> str:
        return self.panel.name

    @property
    def weight(self) -> float:
        """Its height, where a strip with one curve has 1 and a title less than half of that."""
        return 3.0

    @property
    def cursor_count(self) -> float:
        """In how many plots a cursor moves."""
        return 1.0

    @property
    def wanted_side_width(self) -> float:
        """What its plots want beside them for names [pixels]."""
        return 0.0

    def reserve_side_width(self, width: float) -> None:
        """Keep as much free beside its plots as one of their column wants, so that all have the same times below each other."""

    def start(self, source: ColumnSource) -> None:
        """A run begins: forget the last one and show the lanes of this one, still empty."""
        self.source = source
        self.title_row.set_choices(self.panel.choices_in(source.info))

    def keeps_previous_run(self, info: RunInfo) -> bool:
        """Whether it keeps to the run before this one, which another follows soon, and says so."""
        return False

    def release(self) -> None:
        """Let go of the run: another has begun while it is hidden, and begins here when it is shown."""
        self.source = None

    def show_frame(self, frame: Frame) -> None:
        """Show the frame: new rows of the source and the cursor."""

    def readings(self) -> list[ValueReading]:
        """Its numbers at the cursor."""
        return []

    def draw(self, budget: FrameBudget) -> None:
        """Draw anew what is due, as far as there is room for it."""

    def update_colors(self, theme: Theme) -> None:
        """Take the colours of this theme, and those that the lanes of the run have now."""

    def highlight(self, pointed: HighlightTarget | None) -> bool:
        """Let the curves of this stand out among the panel's own until it is None; whether there are any."""
        return False

    def shutdown(self) -> None:
        """Let go of what would outlive the view."""
