"""What there is to export of one window, as it shows it now, and the dialogs that ask how."""

import re
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
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons import Lesson
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.tools.export.frame_sources import FrameSource, ViewFrameSource, render_views

WHOLE_BOARD = ""
"""Stands for the whole board where the name of a panel is asked for."""


class DisplayedRun(Protocol):
    """The run that the window shows."""

    builder: FrameBuilder
    frame: Frame | None
    """The last of it that was shown."""
    tick_count: int
    """How many were."""


class Exporter(QObject):
    """Of the plots of `board` and the 3D views in a window, which are as large as a picture of them is by itself; `shown` is
    the run, and `view_state` how it is shown."""

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
        """`window_source` films the whole window, `lesson` is the one that is presented, `make_dialog` makes the dialog
        of a name."""
        super().__init__(window)
        self.window, self.lesson = window, lesson
        self._board, self._views, self.view_state = board, views, view_state
        self._displayed, self._window_source, self._make_dialog = displayed, window_source, make_dialog
        self.dialogs: dict[str, Any] = {}
        """Those that were opened, by their names in `EXPORTS`."""

    def open_dialog(self, name: str, panel: str = WHOLE_BOARD) -> Any:
        """Open the dialog of this name; of one panel, where it is named."""
        if name not in self.dialogs:
            self.dialogs[name] = self._make_dialog(name, self)
        dialog = self.dialogs[name]
        dialog.offer(panel)
        dialog.show_in_front()
        return dialog

    def copy_figure(self, panel: str = WHOLE_BOARD) -> None:
        """Put the picture of a panel on the clipboard, in the size and type chosen last."""
        dialog = self.open_dialog("figure", panel)
        dialog.attempt(dialog.copy_picture)

    def shutdown(self) -> None:
        """Cancel what runs and close the dialogs."""
        for dialog in self.dialogs.values():
            dialog.shutdown()
        self.dialogs.clear()

    @property
    def run(self) -> Simulation:
        """The run that is shown."""
        return self._displayed.builder.simulation

    @property
    def frame_count(self) -> int | None:
        """How many frames were shown; None where the run rests, and none has to be."""
        frame = self._displayed.frame
        return self._displayed.tick_count if frame is not None and frame.playing else None

    @property
    def panel_titles(self) -> dict[str, str]:
        """Titles by name of the panels that are seen."""
        return {panel.name: tr(panel.panel.title) for panel in self._board.panels}

    @property
    def visible_span(self) -> tuple[float, float]:
        """The times between which the plots show the run [s]."""
        axis = self._board.axis
        return max(axis.low, 0.0), min(axis.high, self.run.duration)

    @property
    def selected_span(self) -> tuple[float, float] | None:
        """The times [s] that a person has selected."""
        frame = self._displayed.frame
        return frame.selected if frame is not None else None

    @property
    def computed_to(self) -> float:
        """Up to where all living lanes are computed [s]."""
        frame = self._displayed.frame
        return frame.computed_to if frame is not None else 0.0

    @property
    def visible_lanes(self) -> list[str]:
        """Names of the lanes that are shown; of all where none is."""
        frame = self._displayed.frame
        visible = {lane.name for lane in frame.lanes if lane.visible} if frame is not None else set()
        names = [lane.name for lane in self.run]
        return [name for name in names if name in visible] or names

    def suggested_name(self, subject: str) -> str:
        """A name to begin with, without its ending."""
        name = "-".join(part for part in (self.run.preset.name or "run", subject or "board") if part)
        return re.sub(r"[^\w.-]+", "-", name)

    def describe_figure(self, name: str) -> MakeFigurePicture:
        """What describes, in any thread, the figure of a panel, or of the whole board, as it is now."""
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
            # The accuracy of the lanes is part of the footnote, and may take as long as half of the run.
            return make_figure(panels, columns, frame, chosen, span, run_footnote(run, lanes), progress)

        return make

    def view_image(self, pixels: int) -> QImage:
        """The 3D views, `pixels` wide."""
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
        """The window, or its views, to be filmed as they are seen; `theme` is empty for the window's own."""
        view_state = self.view_state()
        view_state = replace(view_state, theme=theme) if theme else view_state
        return (
            self._window_source(plan, view_state)
            if window
            else ViewFrameSource(self._displayed.builder, plan, view_state)
        )
