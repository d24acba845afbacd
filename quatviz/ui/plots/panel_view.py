"""The base class of panel views, whose docstring states when the board calls each method, and the objects that the board
passes to all views."""

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
    """Objects and callbacks that the board passes to each of its views."""

    parent: QWidget
    axis: TimeAxis
    choices: Choices
    redraws: Redraws
    """Register of the parts of the window that must be redrawn."""
    measurement: CurveMeasurement
    """The measured curve."""
    seek: Callable[[float], object]
    """Called with a time [s] at which the user points. The cursor moves there in the next frame."""
    show_menu: Callable[[QPoint], object]
    """Called with a screen position where the user asks for the context menu."""
    report_failure: Callable[[BaseException], object]
    """Called with an exception raised outside the board's calls, such as during painting."""


class PanelPaintWidget(PlotStyled, QWidget):
    """A widget that paints itself and expands horizontally. Exceptions during painting are reported."""

    def __init__(self, parent: QWidget, context: PanelContext, name: str) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    @property
    def min_height(self) -> float:
        """Height below which the content is unreadable [pixels], at an interface scale of 100 %."""
        return 0.0

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        """Paint the whole widget. `ratio` is the device pixel ratio."""

    def invalidate(self) -> None:
        """Discard a cached picture and schedule a repaint."""
        self.update()

    def follow_theme(self) -> None:
        self.invalidate()

    def hideEvent(self, event: QHideEvent) -> None:
        # Release the pixmap, because otherwise every panel that once filled the window would keep one of its size.
        self.invalidate()

    def paintEvent(self, event: QPaintEvent) -> None:
        try:
            with QPainter(self) as painter:
                self.draw_on(painter, self.devicePixelRatioF())
        except PLUGIN_EXCEPTIONS as error:
            self._context.report_failure(error)


class CachedPaintWidget(PanelPaintWidget):
    """A widget that caches the part of its picture that does not change with every frame. A resize or `invalidate` clears
    the cache."""

    _pixmap: QPixmap | None = None
    """The cached picture, or None if it must be redrawn."""

    def draw(self, painter: QPainter) -> None:
        """Paint the part that is cached. `cached_pixmap` calls this when the cache is empty."""
        raise NotImplementedError

    def invalidate(self) -> None:
        self._pixmap = None
        self.setMinimumHeight(self.theme.scaled_pixels(self.min_height))
        super().invalidate()

    def cached_pixmap(self, ratio: float) -> QPixmap:
        """Return the cached picture, redrawn if necessary. `ratio` is the device pixel ratio."""
        if self._pixmap is None or self._pixmap.size() != self.size() * ratio:
            self._pixmap = draw_pixmap(self.size(), ratio, self.plot_style.background, self.draw)
        return self._pixmap

    def draw_on(self, painter: QPainter, ratio: float) -> None:
        painter.drawPixmap(0, 0, self.cached_pixmap(ratio))


class PanelView(PlotStyled, QWidget):
    """One panel in one window: a title above the content in `body`. The board calls it on the main thread.

    1. `start` is called when a run begins or is replaced; `show_frame` with every frame at rest, and in turn while a run plays;
       `draw` with every frame, for redraws that are due (`PanelContext.redraws`); `update_colors` after construction and when the
       theme or lane colors change; `shutdown` once.
    2. `show_frame` must take well below a millisecond if only the cursor moved. It reads new rows from the source and keeps no
       copy of the run's data. It marks itself as due for rows that it reads later. It calls `update` on changed widgets, which
       Qt repaints once.
    3. `weight` is the height relative to other panels of the column, in plots; it may change from frame to frame. `readings` are
       the values at the cursor, for copying.
    4. `highlight` emphasizes the curves of a target and returns True if the panel shows any; the board fades other panels.
    5. If a method raises an exception, a notice with the reason replaces the panel. Other panels are not affected.
    """

    def __init__(self, panel: Panel, context: PanelContext) -> None:
        super().__init__(context.parent)
        self.panel, self.context = panel, context
        self.source: ColumnSource | None = None
        """Source of the columns of the run shown, or None."""
        self.title_row = TitleRow(self, tr(panel.title), context.choices, panel.choices, panel.emblem)
        self.body = column(self.title_row, gap=0)
        self.setLayout(self.body)

    @property
    def name(self) -> str:
        return self.panel.name

    @property
    def weight(self) -> float:
        """Height of the view relative to other views: 1 for a plot with one curve, less than 0.5 for a title."""
        return 3.0

    @property
    def cursor_count(self) -> float:
        """Number of plots in which a cursor moves. The time to draw a frame of this panel is proportional to it."""
        return 1.0

    def reserve_side_width(self) -> None:
        """Reserve the width that lane names to the right of the plots need, so that the times of all plots line up."""

    def start(self, source: ColumnSource) -> None:
        """Show the lanes of a new run and discard the previous run. The new run has no samples yet."""
        self.source = source
        self.title_row.set_choices(self.panel.choices_in(source.info))

    def keeps_previous_run(self, info: RunInfo) -> bool:
        """Return True if the view should keep the curves of the previous run instead of showing this one.

        This avoids flicker if yet another run will follow soon, as during a drag.
        """
        return False

    def release(self) -> None:
        """Release the data of the run, because another run began while the view is hidden. `start` is called when the
        view is shown again."""
        self.source = None

    def show_frame(self, frame: Frame) -> None:
        """Show a frame: the new samples, and the cursor at its new time."""

    def readings(self) -> list[ValueReading]:
        """Return the values at the cursor, for copying."""
        return []

    def draw(self, budget: FrameBudget) -> None:
        """Draw the parts that are marked in `PanelContext.redraws`, as far as the time budget of the frame allows."""

    def update_colors(self, theme: Theme) -> None:
        """Draw the panel in the colors of the theme and of the lanes."""

    def highlight(self, pointed: HighlightTarget | None) -> bool:
        """Highlight the curves of the target `pointed`, or end the highlight for None. Return True if the panel shows such a
        curve."""
        return False

    def shutdown(self) -> None:
        """Release objects, such as signal connections, that would outlive the view."""
