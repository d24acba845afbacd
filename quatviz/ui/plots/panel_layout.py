"""Layout of panels: on the board, maximized, stacked as tabs, or in windows."""

import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QRubberBand, QScrollArea, QSizePolicy, QWidget

from quatviz.base.errors import PLUGIN_EXCEPTIONS, exception_summary
from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import PaintedPanel, Panel, TimePanel, WidgetPanel
from quatviz.display.panels.base.globe import GlobePanel
from quatviz.display.view_state.arrangement import WindowBox
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.panel_arrangement import PanelArrangement, TabGroup
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_store import ViewStore
from quatviz.ui.plots.globe_view import GlobeView
from quatviz.ui.plots.legend_row import LegendRow
from quatviz.ui.plots.painted_view import PaintedView
from quatviz.ui.plots.panel_view import PanelContext, PanelView
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.plots.title_row import TitleRow
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import PlotStyled, with_opacity
from quatviz.ui.widgets.windows import WINDOW_FRAME_MARGINS, move_inside


class PanelLayoutManager(QObject):
    """Manager of the places of panels: the grid of the board, and floating windows. Which panels are visible is decided
    by the board."""

    status_message = Signal(str)
    status_expired = Signal(str)
    """Emitted with a status message that no longer applies."""

    def __init__(
        self,
        hosts: "Sequence[PanelHost]",
        grid: "PanelGrid",
        make_window: "Callable[[str], FloatingPanelWindow]",
        parent: QObject,
        store: ViewStore | None = None,
    ) -> None:
        super().__init__(parent)
        self._hosts = {host.name: host for host in hosts}
        self._grid = grid
        self._make_window = make_window
        self.arrangement = PanelArrangement(list(self._hosts), store)
        """Order, tab groups and windows of the panels as chosen by the user. The board calls `arrange` after a change."""
        self._tab_groups: list[TabGroup] = []
        self._restore_hint = ""
        self._drop_indicator = QRubberBand(QRubberBand.Shape.Rectangle, grid.content)
        """Frame that marks the drop target while a title is dragged."""
        self.windows: dict[str, FloatingPanelWindow] = {}
        grid.resized.connect(self.update_layout)
        for host in hosts:
            host.failed.connect(self.update_titles)

    # --- user actions

    @property
    def maximised(self) -> str | None:
        """The maximized panel if it is visible, else None."""
        shown = {name for tab_group in self._tab_groups for name in tab_group.names}
        return self.arrangement.maximised if self.arrangement.maximised in shown else None

    def toggle_size(self, name: str) -> None:
        """Maximize a panel or restore it, as a double click on its title does."""
        if name in self.windows:
            self.windows[name].toggle_maximized()
        elif self.maximised == name:
            self.arrangement.maximise(None)
        else:
            self.maximise(name)

    def maximise(self, name: str) -> None:
        """Maximize a panel on the board, and show a message that says how to restore it."""
        self.arrangement.maximise(name)
        title = tr(self._hosts[name].panel_class.title)
        self._restore_hint = tr(
            "{title} is maximized: press Escape or double-click the title to show all panels", title=title
        )
        self.status_message.emit(self._restore_hint)

    def bring_forward(self, name: str) -> None:
        """Bring a panel to the front of its tab group."""
        self.arrangement.bring_forward(name)

    def swap_targets(self, name: str) -> dict[str, str]:
        """Return the panels with which the panel `name` can swap places, by the name of the direction, such as
        "up"."""
        fronts = [tab_group.front for tab_group in self._tab_groups]
        if name not in fronts or len(fronts) < 2:
            return {}
        index = fronts.index(name)
        columns = self._grid.columns
        targets = {tr("up"): index - columns, tr("down"): index + columns}
        if columns > 1:
            targets[tr("to the other column")] = index + 1 if index % columns == 0 else index - 1
        return {
            direction: fronts[target] for direction, target in targets.items() if 0 <= target < len(fronts)
        }

    # --- called by the board

    @property
    def legends(self) -> list[LegendRow]:
        """Legends at the top of the floating windows."""
        return [window.legend for window in self.windows.values()]

    @property
    def drawn_panels(self) -> list[str]:
        """Visible panels in order: those on the board, then those in windows."""
        return [*(tab_group.front for tab_group in self._tab_groups), *self.windows]

    def arrange(self, shown_names: Collection[str], info: RunInfo) -> None:
        """Give all visible panels their places, on the board or in floating windows."""
        self._tab_groups = self.arrangement.tab_groups(shown_names)
        if self.maximised is None:
            self.status_expired.emit(self._restore_hint)
        floating = [name for name in self.arrangement.floating if name in shown_names]
        for name in [name for name in self.windows if name not in floating]:
            self._close_window(name)
        self.update_layout()
        for name in floating:
            if name not in self.windows:
                self._open_window(name, info)

    def update_layout(self) -> None:
        """Place the panels, and choose those that show time labels.

        The lowest panel over time of each column shows them, or every panel if the board scrolls.
        """
        hosts = [self._hosts[tab_group.front] for tab_group in self._tab_groups]
        over_time = [isinstance(host.view, TimeView) for host in hosts]
        self._grid.is_overview = self.arrangement.is_overview
        self._set_compact(hosts)
        scrolls = self._grid.overflows([host.min_height for host in hosts])
        with_times = set(range(len(hosts))) if scrolls else self._grid.lowest_panels(over_time)
        for index, host in enumerate(hosts):
            if isinstance(host.view, TimeView):
                host.view.set_time_labels_visible(index in with_times)
        self._grid.set_panels(hosts)

    def _set_compact(self, hosts: "Sequence[PanelHost]") -> None:
        """Set the compact mode of the plots in the overview. The plots are compact only if they fit without scrolling
        in compact mode, but not in normal mode."""
        lowest = self._grid.lowest_panels([isinstance(host.view, TimeView) for host in hosts])

        def overflows(compact: bool) -> bool:
            return self._grid.overflows(
                [
                    host.min_height + _height_change(host, compact) + (index in lowest) * _times_height(host)
                    for index, host in enumerate(hosts)
                ]
            )

        is_compact = self.arrangement.is_overview and overflows(False) and not overflows(True)
        for host in hosts:
            if isinstance(host.view, TimeView):
                host.view.set_compact(is_compact)
                host.activate_layouts()  # or `min_height` would be that of the other mode

    def shutdown(self) -> None:
        """Close all windows."""
        for name in list(self.windows):
            self._close_window(name)

    def _open_window(self, name: str, info: RunInfo) -> None:
        host = self._hosts[name]
        window = self.windows[name] = self._make_window(tr(host.panel_class.title))
        # deferred until the window has closed
        window.closed.connect(
            lambda: QTimer.singleShot(0, self, partial(self._return_to_board, name, window))
        )
        window.legend.start(info)
        window.set_panel(host)
        if isinstance(host.view, TimeView):
            host.view.set_time_labels_visible(True)
        window.set_window_box(self.arrangement.floating[name], host.weight)
        window.show()
        window.moved.connect(lambda: self.arrangement.set_window_box(name, window.window_box))
        self.arrangement.set_window_box(name, window.window_box)

    def _return_to_board(self, name: str, window: "FloatingPanelWindow") -> None:
        if self.windows.get(name) is window:
            self.arrangement.dock(name)

    def _close_window(self, name: str) -> None:
        """Close a floating window. The panel is moved out first, because closing deletes the contents of the window."""
        window, host = self.windows.pop(name), self._hosts[name]
        host.hide()
        host.setParent(self._grid.content)
        window.discard()

    # --- titles

    def update_titles(self, *_: object) -> None:
        """Update the tabs and buttons in the titles of all panels."""
        tabs = {tab_group.front: tab_group.names for tab_group in self._tab_groups}
        for name, host in self._hosts.items():
            names = tabs.get(name, ())
            tab_names = names if len(names) > 1 else ()
            host.set_tabs(
                self, tuple((other, tr(self._hosts[other].panel_class.title)) for other in tab_names)
            )
        self.update_layout()

    def drag(self, name: str, at: QPoint) -> None:
        """Show the drop target while a title is dragged over a screen position."""
        target = self._panel_at(name, at)
        self._drop_indicator.setVisible(target is not None)
        if target is not None:
            host = self._hosts[target]
            self._drop_indicator.setGeometry(QRect(host.mapTo(self._grid.content, QPoint(0, 0)), host.size()))
            self._drop_indicator.raise_()

    def drop(self, name: str, at: QPoint) -> None:
        """Swap the dragged panel with the one at a screen position."""
        self._drop_indicator.hide()
        target = self._panel_at(name, at)
        if target is not None:
            self.arrangement.swap(name, target)

    def _panel_at(self, name: str, at: QPoint) -> str | None:
        if name in self.windows:
            return None
        fronts = (tab_group.front for tab_group in self._tab_groups if tab_group.front != name)
        hosts = ((candidate, self._hosts[candidate]) for candidate in fronts)
        return next(
            (candidate for candidate, host in hosts if host.rect().contains(host.mapFromGlobal(at))), None
        )


log = logging.getLogger(__name__)


def _height_change(host: "PanelHost", compact: bool) -> float:
    """Return the change of a panel's smallest height [pixels] that switching to the given mode (compact or not) would
    cause."""
    return host.view.height_change(compact) if isinstance(host.view, TimeView) else 0.0


def _times_height(host: "PanelHost") -> float:
    """Return the height of the time labels below a panel [pixels], whether they are visible or not."""
    return float(host.view.time_row.height()) if isinstance(host.view, TimeView) else 0.0


T = TypeVar("T")

FADED_OPACITY = 0.25
"""Opacity of a panel without highlighted curves, while another panel has some."""


class PanelHost(PlotStyled, QWidget):
    """Container of one panel that isolates its failures.

    If the panel raises an exception, a notice replaces it until the panel is created again. Other panels are not affected.
    """

    failed = Signal(str)
    """Emitted when the panel raises an exception, with the reason."""
    menu_requested = Signal(QPoint)
    """Emitted with a screen position when the user asks for the context menu."""
    paint_failed = Signal(object)
    """Emitted with an exception raised during painting."""

    def __init__(
        self, panel_class: type[Panel], make_context: "Callable[[PanelHost], PanelContext]", parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.hide()
        self.panel_class = panel_class
        self.view: PanelView | None = None
        """The view of the panel, or None after a failure."""
        self.is_drawn = False
        """True if the panel is on the screen: not hidden, and not behind another tab."""
        self._make_context = make_context
        self._content: PanelView | FailureNotice | None = None
        self._layout = column(gap=0)
        self.setLayout(self._layout)
        self._fade_overlay = FadeOverlay(self)
        # Queued, because widgets must not be deleted during their paint event.
        self.paint_failed.connect(self._handle_failure, Qt.ConnectionType.QueuedConnection)

    @property
    def name(self) -> str:
        return self.panel_class.name

    @property
    def weight(self) -> float:
        return self.view.weight if self.view is not None else 3.0

    @property
    def min_height(self) -> float:
        """Least height of the panel without its time labels [pixels]."""
        times_height = self.view.times_height if isinstance(self.view, TimeView) else 0.0
        return self.minimumSizeHint().height() - times_height

    def create_view(self) -> None:
        """Create the view of the panel and show it."""
        try:
            self.view = create_panel_view(self.panel_class(), self._make_context(self))
        except PLUGIN_EXCEPTIONS as error:
            self._show_failure(error)
        else:
            self._set_content(self.view)
            self.follow_theme()

    def call_view(self, call: Callable[[PanelView], T]) -> T | None:
        """Call `call` with the view and return the result. Return None if the panel has failed before or fails now."""
        if self.view is None:
            return None
        try:
            return call(self.view)
        except PLUGIN_EXCEPTIONS as error:
            self._handle_failure(error)
            return None

    def set_tabs(self, handler: PanelLayoutManager, tabs: tuple[tuple[str, str], ...]) -> None:
        """Set names and titles of the tabs, and the `handler` of clicks and drags at the title."""
        if self._content is not None:
            self._content.title_row.set_tabs(handler, self.name, tabs)

    def activate_layouts(self) -> None:
        """Activate all layouts of the panel at once. Qt would activate one nested layout per iteration of the event loop."""
        if self._content is not None:
            self._content.body.activate()
        self._layout.activate()

    def set_faded(self, faded: bool) -> None:
        """Fade the panel because curves of other panels are highlighted, or restore it."""
        self._fade_overlay.setVisible(faded)
        self._fade_overlay.raise_()

    def follow_theme(self) -> None:
        self.call_view(lambda view: view.update_colors(self.theme))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Request the context menu for right clicks that the content ignored."""
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(event.globalPosition().toPoint())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fade_overlay.resize(self.size())

    def shutdown(self) -> None:
        """Close the view."""
        self.call_view(lambda view: view.shutdown())
        self.view = None

    def _set_content(self, content: "PanelView | FailureNotice") -> None:
        """Show `content`, and delete every other child widget except the fade overlay. These include the previous
        content and any widget left over from a view whose construction failed."""
        self._content = content
        self._layout.addWidget(content)
        for child in self.children():
            if isinstance(child, QWidget) and child not in (content, self._fade_overlay):
                child.hide()
                child.deleteLater()

    def _handle_failure(self, error: BaseException) -> None:
        if self.view is not None:
            self._show_failure(error)

    def _show_failure(self, error: BaseException) -> None:
        """Replace the panel by a failure notice."""
        log.error("the panel %s failed", self.panel_class.name, exc_info=error)
        failed_view, self.view = self.view, None
        try:
            if failed_view is not None:
                failed_view.shutdown()
        except PLUGIN_EXCEPTIONS:
            log.exception("the panel %s failed to close", self.panel_class.name)
        title, reason = tr(self.panel_class.title), exception_summary(error)
        self._set_content(FailureNotice(self, title, reason))
        self.failed.emit(f"{title}: {reason}")


class FailureNotice(PlotStyled, QWidget):
    """The notice in place of a panel that failed."""

    def __init__(self, parent: QWidget, title: str, reason: str) -> None:
        super().__init__(parent)
        self.title_row = TitleRow(self, title)
        text_label = self._text_label = label(
            text=tr("This panel failed and is left out of this run.\n{text}", text=reason)
        )
        text_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        text_label.setContentsMargins(self.plot_style.gutter, GRID_UNIT, self.plot_style.margin, GRID_UNIT)
        text_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.body = column(self.title_row, (text_label, 1), gap=0)
        self.setLayout(self.body)
        self.follow_theme()

    def follow_theme(self) -> None:
        self._text_label.setStyleSheet(f"color: {self.theme.danger}")


def create_panel_view(panel: Panel, context: PanelContext) -> PanelView:
    """Return the view for a panel. Its class depends on the base class of the panel."""
    if isinstance(panel, TimePanel):
        return TimeView(panel, context)
    if isinstance(panel, PaintedPanel):
        return PaintedView(panel, context)
    if isinstance(panel, GlobePanel):
        return GlobeView(panel, context)
    if isinstance(panel, WidgetPanel):
        view: PanelView = panel.create_view(context)
        return view
    raise TypeError(f"{panel.name} extends none of TimePanel, PaintedPanel, GlobePanel and WidgetPanel")


COLUMNS = 2
_MAX_STRETCH, _MAIN_PANEL_COUNT, _VISIBLE_FRACTION = 1.7, 2, 0.5
"""Limits of the layout of columns that scroll. They are: the largest factor by which the smallest heights of panels are
stretched, because wide low plots look flat; the number of main panels per column that should stay in view; and the
fraction of a panel's height that must be visible for it to count as in view."""
_OVERVIEW_COLUMN_FRACTION = 0.85
"""Smallest column width in the overview, relative to the usual smallest width. In the overview, it is more important
that all plots are visible."""
_SCROLL_STEP = 20
"""Scroll distance for one line of the mouse wheel [pixels]. One notch of the wheel scrolls three lines."""


class PlotBackground(PlotStyled, QWidget):
    """A widget with the background color of plots, independent of the palette."""

    opacity = 1.0

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), with_opacity(self.theme.surface, self.opacity))


class FadeOverlay(PlotBackground):
    """A translucent overlay that fades a panel."""

    opacity = 1.0 - FADED_OPACITY

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Dimmed plot"))
        self.hide()


class _ScrolledColumns(PlotBackground):
    """The content of the scroll area: columns of panels. If the panels do not fit, they are stretched beyond their least
    height."""

    columns: Sequence[Sequence[QWidget]] = ()

    def minimumSizeHint(self) -> QSize:
        hint, area = super().minimumSizeHint(), self.parentWidget()
        if area is None or hint.height() <= area.height():
            return hint
        stretch = min(self._stretch_factor(parts, area.height()) for parts in self.columns if parts)
        return QSize(hint.width(), round(stretch * hint.height()))

    def _stretch_factor(self, parts: Sequence[QWidget], available: int) -> float:
        """Return the largest factor by which the smallest heights of panels can be multiplied without moving the main
        panels out of view."""
        stretch, bottom = _MAX_STRETCH, 0.0
        for min_height in [part.minimumSizeHint().height() for part in parts[:_MAIN_PANEL_COUNT]]:
            if bottom + _VISIBLE_FRACTION * min_height > available:
                break
            bottom += min_height + GRID_UNIT
            stretch = min(max(available / bottom, 1.0), _MAX_STRETCH)
        return stretch


class PanelGrid(PlotStyled, QScrollArea):
    """A grid of panel columns that fills the available height, or scrolls."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keyboard shortcuts belong to the window
        self.verticalScrollBar().setAccessibleName(tr("Scroll the plots"))
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setSingleStep(_SCROLL_STEP)
        self.is_overview = False
        """True if all panels should fit without scrolling."""
        self._layout_key: tuple[int, list[tuple[PanelHost, float]]] = (COLUMNS, [])
        self.content = _ScrolledColumns()
        self._column_layouts = [column() for _ in range(COLUMNS)]
        self._row_layout = row(*self._column_layouts)
        self.content.setLayout(self._row_layout)
        self.setWidget(self.content)
        self.content.setAccessibleName(tr("Panels"))
        self.content.setAutoFillBackground(False)  # QScrollArea enables it for its content

    @property
    def columns(self) -> int:
        """The number of panel columns: two, or one if two columns would be too narrow."""
        fraction = _OVERVIEW_COLUMN_FRACTION if self.is_overview else 1.0
        min_width = fraction * self.plot_style.min_column_width
        return COLUMNS if (self.width() - GRID_UNIT) / COLUMNS >= min_width else 1

    def set_panels(self, hosts: Sequence[PanelHost]) -> None:
        """Show only these panels. They are placed alternately in the columns, with heights in proportion to their weights."""
        columns, weighted = self.columns, [(host, host.weight) for host in hosts]
        if (columns, weighted) != self._layout_key:
            for host, _ in self._layout_key[1]:
                if host not in hosts and host.parentWidget() is self.content:
                    host.hide()
            for column_layout in self._column_layouts:
                while column_layout.count():
                    column_layout.takeAt(0)
            for index in range(COLUMNS):
                self._row_layout.setStretch(index, 1 if index < min(len(hosts), columns) else 0)
            for index, (host, weight) in enumerate(weighted):
                self._column_layouts[index % columns].addWidget(host, max(round(10 * weight), 1))
                host.show()
            self._layout_key = columns, weighted
        self.content.columns = [hosts[index::columns] for index in range(columns)]
        for host in hosts:
            host.activate_layouts()
        self._row_layout.activate()

    def overflows(self, heights: Sequence[float]) -> bool:
        """Return True if panels with these smallest `heights` [pixels] do not fit into the visible area of the grid."""
        columns = self.columns
        columns_of_heights = (heights[first::columns] for first in range(columns))
        needed = max(
            sum(column_heights) + GRID_UNIT * (len(column_heights) - 1)
            for column_heights in columns_of_heights
        )
        return needed > self.viewport().height()

    def lowest_panels(self, over_time: Sequence[bool]) -> set[int]:
        """Return the index of the lowest panel of each column among the panels that are True in `over_time`."""
        columns = self.columns
        columns_of_indices = (range(first, len(over_time), columns) for first in range(columns))
        time_panels = (
            [index for index in column_indices if over_time[index]] for column_indices in columns_of_indices
        )
        return {indices[-1] for indices in time_panels if indices}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


WINDOW_WIDTH, MIN_WINDOW_HEIGHT = 720, 240


class FloatingPanelWindow(PlotBackground):
    """A floating window with a legend above one panel.

    It stays above its parent window and closes with it. Shortcuts of the parent window also work in it.
    """

    closed = Signal()
    escape_pressed = Signal()
    moved = Signal()
    """Emitted after the floating window was moved or resized."""

    def __init__(self, title: str, choices: Choices, parent: QWidget) -> None:
        # A tool window keeps the shortcuts of its parent window active.
        flags = (
            Qt.WindowType.Tool | Qt.WindowType.WindowMaximizeButtonHint | Qt.WindowType.WindowCloseButtonHint
        )
        super().__init__(parent, flags)
        self.setWindowTitle(title)
        self.setMinimumSize(320, MIN_WINDOW_HEIGHT)
        self.legend = LegendRow(self, choices)
        self._layout = column(self.legend, margins=GRID_UNIT)
        self.setLayout(self._layout)

    def set_panel(self, host: PanelHost) -> None:
        """Show a panel."""
        self._layout.addWidget(host)
        host.show()

    def set_window_box(self, window_box: WindowBox | None, strip_count: float) -> None:
        """Restore position and size of the window, and move it onto a screen if necessary.

        If `window_box` is None, the window is centered over the board, with a height for `strip_count` plots.
        """
        owner, size = (
            self.parentWidget() or self,
            QSize(WINDOW_WIDTH, max(MIN_WINDOW_HEIGHT, round(16 * GRID_UNIT * strip_count))),
        )
        center = owner.mapToGlobal(owner.rect().center())
        rect = (
            QRect(center - QRect(QPoint(), size).center(), size) if window_box is None else QRect(*window_box)
        )
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        screen_area = next(
            (screen_area for screen_area in screens if screen_area.intersects(rect)), screens[0]
        )
        self.setGeometry(move_inside(rect, screen_area.marginsRemoved(WINDOW_FRAME_MARGINS)))

    @property
    def window_box(self) -> WindowBox:
        """Position and size of the window while it is not maximized."""
        rect = self.normalGeometry() if self.isMaximized() else self.geometry()
        return rect.x(), rect.y(), rect.width(), rect.height()

    def toggle_maximized(self) -> None:
        """Maximize or restore the window."""
        self.showNormal() if self.isMaximized() else self.showMaximized()

    def discard(self) -> None:
        """Close the window without signals and delete it."""
        self.blockSignals(True)
        self.legend.shutdown()
        self.close()
        self.deleteLater()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape_pressed.emit()
        else:
            event.ignore()
