"""Exporter of a window. It gives the export dialogs access to the current run, the plots and the 3D views."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.data.frame_builder import FrameBuilder
from quatviz.display.data.row_cache import StaticColumns
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.figures.figure import (
    FigurePicture,
    MakeFigurePicture,
    make_figure,
    nothing_to_draw_error,
    run_footnote,
)
from quatviz.export.film.plan import FilmPlan
from quatviz.export.table import Progress
from quatviz.files.preset_edits import shown_title
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons import Lesson
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.tools.export.frame_sources import FrameSource, ViewFrameSource, render_views
from quatviz.ui.widgets.file_dialogs import suggested_name

WHOLE_BOARD = ""
"""Panel name that stands for the whole board."""


class DisplayedRun(Protocol):
    """Interface to the run that the window shows."""

    builder: FrameBuilder
    frame: Frame | None
    """Frame that was shown last, or None."""
    tick_count: int
    """Number of frames shown so far."""


class Exporter(QObject):
    """Exporter for the plots and the 3D views of a window. Images of the 3D views keep the aspect ratio from the window."""

    def __init__(
        self,
        window: QWidget,
        board: PlotBoard,
        views: QWidget,
        view_state: Callable[[], ViewState],
        displayed: DisplayedRun,
        window_source: Callable[[FilmPlan, ViewState], FrameSource],
        lesson: Callable[[], Lesson | None],
        make_dialog: "Callable[[str, Exporter], Any]",
    ) -> None:
        """Create the exporter.

        Parameters
        ----------
        window
            The main window.
        board
            The board with the plots.
        views
            Widget with the 3D views.
        view_state
            Function that returns the current view state.
        displayed
            The run that is shown.
        window_source
            Function that makes a frame source for films of the whole window.
        lesson
            Function that returns the presented lesson, or None.
        make_dialog
            Function that creates the export dialog of a name.
        """
        super().__init__(window)
        self.window, self.lesson = window, lesson
        self._board, self._views, self.view_state = board, views, view_state
        self._displayed, self._window_source, self._make_dialog = displayed, window_source, make_dialog
        self.dialogs: dict[str, Any] = {}
        """Dialogs that were opened, by their names in `EXPORTS`."""

    def open_dialog(self, name: str, panel: str = WHOLE_BOARD) -> Any:
        """Open the export dialog `name`. If `panel` is not empty, select this panel."""
        if name not in self.dialogs:
            self.dialogs[name] = self._make_dialog(name, self)
        dialog = self.dialogs[name]
        dialog.offer(panel)
        dialog.show_in_front()
        return dialog

    def copy_figure(self, panel: str = WHOLE_BOARD) -> None:
        """Copy the figure of a panel to the clipboard, with the size and font chosen last."""
        dialog = self.open_dialog("figure", panel)
        dialog.attempt(dialog.copy_picture)

    def shutdown(self) -> None:
        """Cancel exports and close the dialogs."""
        for dialog in self.dialogs.values():
            dialog.shutdown()
        self.dialogs.clear()

    @property
    def run(self) -> Simulation:
        """The run that the window shows."""
        return self._displayed.builder.simulation

    @property
    def frame_count(self) -> int | None:
        """Number of frames shown so far, None if the run is not playing."""
        frame = self._displayed.frame
        return self._displayed.tick_count if frame is not None and frame.playing else None

    @property
    def panel_titles(self) -> dict[str, str]:
        """Titles of the visible panels by name."""
        return {panel.name: tr(panel.panel.title) for panel in self._board.panels}

    @property
    def visible_span(self) -> tuple[float, float]:
        """Start and end of the time range shown by the plots [s]."""
        axis = self._board.axis
        return max(axis.low, 0.0), min(axis.high, self.run.duration)

    @property
    def selected_span(self) -> tuple[float, float] | None:
        """Start and end of the selected time range [s], or None."""
        frame = self._displayed.frame
        return frame.selected if frame is not None else None

    @property
    def computed_to(self) -> float:
        """Time up to which all running lanes are computed [s]."""
        frame = self._displayed.frame
        return frame.computed_to if frame is not None else 0.0

    @property
    def visible_lanes(self) -> list[str]:
        """Names of the visible lanes, or of all lanes if none is visible."""
        frame = self._displayed.frame
        visible = {lane.name for lane in frame.lanes if lane.visible} if frame is not None else set()
        names = [lane.name for lane in self.run]
        return [name for name in names if name in visible] or names

    def suggested_name(self, subject: str) -> str:
        """Return a file name without suffix for an export of the run. `subject` is a translated name of the content."""
        return suggested_name(shown_title(self.run.preset), subject)

    def describe_figure(self, name: str) -> MakeFigurePicture:
        """Return a function that builds the current figure of the panel `name`, or of the whole board for `WHOLE_BOARD`. The
        function can be called in any thread."""
        run, board, frame = self.run, self._board, self._displayed.frame
        panels = [view.panel for view in board.panels if name in (WHOLE_BOARD, view.name)]
        if frame is None or board.info is None or not panels:
            raise nothing_to_draw_error()
        chosen = Choices.for_run(
            board.info, board.choices.chosen, board.choices.difference, board.choices.chosen_reference
        )
        span = board.axis.low, board.axis.high
        columns, lanes = StaticColumns(run, board.info), [run[name] for name in self.visible_lanes]

        def make(progress: Progress) -> FigurePicture:
            # The footnote states the accuracy of the lanes, which may take half as long as the run to compute.
            return make_figure(panels, columns, frame, chosen, span, run_footnote(run, lanes), progress)

        return make

    def view_image(self, pixels: int) -> QImage:
        """Return an image of the 3D views that is `pixels` wide."""
        frame = self._displayed.frame
        if frame is None:
            raise InputError(
                "the 3D view",
                expected="a run",
                found="none yet",
                remedy="wait until it is computed",
                topic="errors#exports",
            )
        source = self._displayed.builder.columns
        return render_views(source, frame, self.view_state(), self._views.size(), pixels)

    def frame_source(self, window: bool, plan: FilmPlan, theme: str) -> FrameSource:
        """Return a frame source for a film of the window (`window` True) or of its 3D views. An empty `theme` selects the theme
        of the window."""
        view_state = self.view_state()
        view_state = replace(view_state, theme=theme) if theme else view_state
        return (
            self._window_source(plan, view_state)
            if window
            else ViewFrameSource(self._displayed.builder, plan, view_state)
        )
