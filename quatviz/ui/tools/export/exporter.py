"""What there is to export of one window, as it shows it now, and the dialogs that ask how."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.data.frame_builder import Framer
from quatviz.display.data.row_cache import Resting
from quatviz.display.view_state.choices import Choices
from quatviz.display.view_state.view_state import Look
from quatviz.export.figures.figure import Described, figure_of, footnote, nothing_to_draw
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons import Lesson
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.tools.export.frame_sources import Take, ViewTake, view_image

BOARD = ""
"""Stands for the whole board where the name of a panel is asked for."""


class Shown(Protocol):
    """The run that the window shows."""

    framer: Framer
    frame: Frame | None
    """The last of it that was shown."""
    ticks: int
    """How many were."""


class Exporter(QObject):
    """Of the plots of `board` and the 3D views in a window, which are as large as a picture of them is by itself; `shown` is
    the run, and `look` how it is shown."""

    def __init__(
        self,
        window: QWidget,
        board: PlotBoard,
        views: QWidget,
        look: Callable[[], Look],
        shown: Shown,
        film_window: Callable[[FilmPlan, Look], Take],
        lesson: Callable[[], Lesson | None],
        dialogs: "Mapping[str, Callable[[Exporter, QWidget], Any]]",
    ) -> None:
        """`film_window` films the whole window, `lesson` is the one that is presented, `dialogs` make each export's dialog."""
        super().__init__(window)
        self.window, self.lesson = window, lesson
        self._board, self._views, self.look = board, views, look
        self._shown, self._film_window, self._make = shown, film_window, dialogs
        self.dialogs: dict[str, Any] = {}
        """Those that were opened, by their names in `EXPORTS`."""

    def ask(self, what: str, panel: str = BOARD) -> Any:
        """Open the dialog of this name; of one panel, where it is named."""
        if what not in self.dialogs:
            self.dialogs[what] = self._make[what](self, self.window)
        dialog = self.dialogs[what]
        dialog.offer(panel)
        dialog.appear()
        return dialog

    def copy(self, panel: str = BOARD) -> None:
        """Put the picture of a panel on the clipboard, in the size and type chosen last."""
        dialog = self.ask("figure", panel)
        dialog.attempt(dialog.copy_picture)

    def shut_down(self) -> None:
        """Cancel what runs and close the dialogs."""
        for dialog in self.dialogs.values():
            dialog.shut_down()
        self.dialogs.clear()

    @property
    def run(self) -> Simulation:
        """The run that is shown."""
        return self._shown.framer.simulation

    @property
    def frames(self) -> int | None:
        """How many frames were shown; None where the run rests, and none has to be."""
        frame = self._shown.frame
        return self._shown.ticks if frame is not None and frame.playing else None

    @property
    def panel_titles(self) -> dict[str, str]:
        """Titles by name of the panels that are seen."""
        return {panel.name: tr(panel.panel.title) for panel in self._board.panels}

    @property
    def sight(self) -> tuple[float, float]:
        """The times between which the plots show the run [s]."""
        axis = self._board.axis
        return max(axis.low, 0.0), min(axis.high, self.run.duration)

    @property
    def selected(self) -> tuple[float, float] | None:
        """The times [s] that a person has selected."""
        frame = self._shown.frame
        return frame.selected if frame is not None else None

    @property
    def computed_to(self) -> float:
        """Up to where all living lanes are computed [s]."""
        frame = self._shown.frame
        return frame.computed_to if frame is not None else 0.0

    @property
    def visible_lanes(self) -> list[str]:
        """Names of the lanes that are shown; of all where none is."""
        frame = self._shown.frame
        seen = {lane.name for lane in frame.lanes if lane.visible} if frame is not None else set()
        names = [lane.name for lane in self.run]
        return [name for name in names if name in seen] or names

    def file_name(self, what: str) -> str:
        """A name to begin with, without its ending."""
        name = "-".join(part for part in (self.run.preset.name or "run", what or "board") if part)
        return re.sub(r"[^\w.-]+", "-", name)

    def figure_of(self, name: str) -> Described:
        """What describes, in any thread, the figure of a panel, or of the whole board, as it is now."""
        run, board, frame = self.run, self._board, self._shown.frame
        panels = [view.panel for view in board.panels if name in (BOARD, view.name)]
        if frame is None or board.info is None or not panels:
            raise nothing_to_draw()
        chosen = Choices.of(board.info, board.choices.chosen, board.choices.difference, board.choices.wanted)
        span = board.axis.low, board.axis.high
        said = footnote(run, [run[name] for name in self.visible_lanes])
        return partial(figure_of, panels, Resting(run, board.info), frame, chosen, span, said)

    def view_image(self, pixels: int) -> QImage:
        """The 3D views, `pixels` wide."""
        frame = self._shown.frame
        if frame is None:
            raise InputError(
                "the 3D view",
                expected="a run",
                found="none yet",
                remedy="wait until it is computed",
                topic="errors#exports",
            )
        source = self._shown.framer.columns
        return view_image(source, frame, self.look(), self._views.size(), pixels)

    def take(self, window: bool, plan: FilmPlan, theme: str) -> Take:
        """The window, or its views, to be filmed as they are seen; `theme` is empty for the window's own."""
        look = self.look()
        look = replace(look, theme=theme) if theme else look
        return self._film_window(plan, look) if window else ViewTake(self._shown.framer, plan, look)
