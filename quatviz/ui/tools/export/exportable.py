"""What there is to export of one window, as it shows it now."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.tr import tr
from quatviz.export.figures.figure import FigureLook, FigureRequest, footnote, nothing_to_draw
from quatviz.export.film.plan import FilmPlan
from quatviz.feed.columns import Resting
from quatviz.feed.frame import Frame, Source
from quatviz.lessons import Lesson
from quatviz.look.choices import Choices
from quatviz.look.look import Look
from quatviz.simulation.simulation import Simulation
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.plots.views import PanelView
from quatviz.ui.tools.export.takes import Take, Takes, view_image

BOARD = ""
"""Stands for the whole board where the name of a panel is asked for."""


class Exportable(QObject):
    """Follows the run that is shown, as the parts of the window do. `run` gives it, `look` how it is shown, and `views` are as
    large as a picture of them is by itself."""

    def __init__(
        self,
        window: QWidget,
        board: PlotBoard,
        views: QWidget,
        look: Callable[[], Look],
        run: Callable[[], Simulation],
        takes: Takes,
        lesson: Callable[[], Lesson | None] = lambda: None,
    ) -> None:
        """`takes` is what can be filmed, `lesson` the one that is presented."""
        super().__init__(window)
        self.window = window
        self._board, self._views, self.run, self._look = board, views, run, look
        self._source: Source | None = None
        self._frame: Frame | None = None
        self.takes, self.lesson = takes, lesson

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._frame = source, None

    def show_frame(self, frame: Frame) -> None:
        """Remember what is shown."""
        self._frame = frame

    @property
    def panel_titles(self) -> dict[str, str]:
        """Titles by name of the panels that are seen."""
        return {panel.name: tr(panel.panel.title) for panel in self._board.panels}

    def panel(self, name: str) -> PanelView | None:
        """What shows a panel that is seen."""
        return next((panel for panel in self._board.panels if panel.name == name), None)

    @property
    def sight(self) -> tuple[float, float]:
        """The times between which the plots show the run [s]."""
        axis = self._board.axis
        return max(axis.low, 0.0), min(axis.high, self.run().duration)

    @property
    def selected(self) -> tuple[float, float] | None:
        """The times [s] that a person has selected."""
        return self._frame.selected if self._frame is not None else None

    @property
    def computed_to(self) -> float:
        """Up to where all living lanes are computed [s]."""
        return self._frame.computed_to if self._frame is not None else 0.0

    def take(self, window: bool, plan: FilmPlan, theme: str) -> Take:
        """The window, or its views, to be filmed as they are seen; `theme` is empty for the window's own."""
        look = self._look()
        return self.takes.take(window, plan, replace(look, theme=theme) if theme else look)

    def file_name(self, what: str) -> str:
        """A name to begin with, without its ending."""
        name = "-".join(part for part in (self.run().preset.name or "run", what or "board") if part)
        return re.sub(r"[^\w.-]+", "-", name)

    @property
    def visible_lanes(self) -> list[str]:
        """Names of the lanes that are shown; of all where none is."""
        seen = {lane.name for lane in self._frame.lanes if lane.visible} if self._frame is not None else set()
        names = [lane.name for lane in self.run()]
        return [name for name in names if name in seen] or names

    def figure_of(self, name: str) -> FigureRequest:
        """What a figure of a panel, or of the whole board, shows as it is now."""
        run, board = self.run(), self._board
        one = self.panel(name)
        views = board.panels if name == BOARD else [one] if one is not None else []
        choices, axis = board.choices, board.axis
        panels = [view.panel for view in views]
        lanes = [run[name] for name in self.visible_lanes]
        if self._frame is None or board.info is None or not panels:
            raise nothing_to_draw()
        chosen = Choices.of(board.info, choices.chosen, choices.difference, choices.wanted)
        look = FigureLook(axis.low, axis.high, chosen)
        return FigureRequest(panels, Resting(run, board.info), self._frame, look, footnote(run, lanes))

    def view_image(self, pixels: int) -> QImage:
        """The 3D view, `pixels` wide."""
        if self._source is None or self._frame is None:
            raise InputError(
                "the 3D view",
                expected="a run",
                found="none yet",
                remedy="wait until it is computed",
                topic="errors#exports",
            )
        return view_image(self._source, self._frame, self._look(), self._views.size(), pixels)
