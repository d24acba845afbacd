"""Everything that can be taken out of one window, and the dialogs that ask how."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from quatviz.core.errors import Refusal
from quatviz.export.figures.description import FigurePicture
from quatviz.export.figures.of_run import footnote
from quatviz.export.film.plan import FilmPlan
from quatviz.lessons import Lesson
from quatviz.simulation.simulation import Simulation
from quatviz.ui.board import PlotBoard
from quatviz.ui.export.data_dialog import DataDialog
from quatviz.ui.export.describe import describe
from quatviz.ui.export.dialog import ExportDialog
from quatviz.ui.export.documents_dialog import DocumentsDialog
from quatviz.ui.export.figure_dialog import BOARD, FigureDialog
from quatviz.ui.export.film_dialog import FilmDialog
from quatviz.ui.export.page_dialog import PageDialog
from quatviz.ui.export.sheet_dialog import SheetDialog
from quatviz.ui.export.view_picture import view_image
from quatviz.ui.film.live import Takes
from quatviz.ui.film.takes import Take
from quatviz.ui.frame import Frame, Source
from quatviz.ui.panels.base import Panel
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import THEMES, Theme
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.export.figures.paper import Paper


class Exporter(QObject):
    """Follows the run that is shown, as the parts of the window do. `run` gives it."""

    said = Signal(str)
    """A sentence for the status row."""

    def __init__(
        self,
        window: QWidget,
        board: PlotBoard,
        scene: SceneView,
        theme: Callable[[], Theme],
        run: Callable[[], Simulation],
    ) -> None:
        super().__init__(window)
        self._window, self._board, self._scene, self._theme, self.run = window, board, scene, theme, run
        self._source: Source | None = None
        self._frame: Frame | None = None
        self.figure: FigureDialog | None = None
        self.data: DataDialog | None = None
        self.documents: DocumentsDialog | None = None
        self.page: PageDialog | None = None
        self.film: FilmDialog | None = None
        self.sheet: SheetDialog | None = None
        self.takes: Takes | None = None
        """What can be filmed; the window's root gives it."""
        self.lesson: Callable[[], Lesson | None] = lambda: None
        """The lesson that is presented; the window's root gives it."""
        board.exporter = self

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._frame = source, None

    def show_frame(self, frame: Frame) -> None:
        """Remember what is shown."""
        self._frame = frame

    # --- what a person asks for

    def ask(self, what: str) -> None:
        """Open the dialog called `figure`, `data`, `page`, `film`, `sheet` or `documents`."""
        dialogs = {
            "figure": self.ask_figure, "data": self.ask_data, "page": self.ask_page, "film": self.ask_film,
            "sheet": self.ask_sheet,
        }  # fmt: skip
        dialogs.get(what, self.ask_documents)()

    def ask_figure(self, name: str = BOARD) -> None:
        """Ask how a panel, or the whole board, is to be exported."""
        if self.figure is None:
            self.figure = FigureDialog(self, self._window)
        self.figure.offer(name)
        self._raise(self.figure)

    def ask_data(self) -> None:
        """Ask which data are to be exported."""
        if self.data is None:
            self.data = DataDialog(self, self._window)
        self.data.offer()
        self._raise(self.data)

    def ask_page(self) -> None:
        """Ask how the run is to be exported as a page for a browser."""
        if self.page is None:
            self.page = PageDialog(self, self._window)
        self.page.problem.hide()
        self.page.say("")
        self._raise(self.page)

    def ask_film(self) -> None:
        """Ask how the view or the window is to be filmed."""
        if self.film is None:
            self.film = FilmDialog(self, self._window)
        self.film.offer()
        self._raise(self.film)

    def ask_sheet(self) -> None:
        """Ask of which lesson a student's sheet is to be written; the one that is presented is marked."""
        if self.sheet is None:
            self.sheet = SheetDialog(self._window)
        self.sheet.offer(self.lesson())
        self._raise(self.sheet)

    def ask_documents(self) -> None:
        """Ask for a folder, and write the documents' figures into it."""
        folder = QFileDialog.getExistingDirectory(
            self._window, tr("Folder for the documents' figures and tables")
        )
        if folder:
            self.write_documents(Path(folder))

    def write_documents(self, folder: Path) -> None:
        """Write the documents' figures and tables into a folder, with progress in a dialog."""
        if self.documents is None:
            self.documents = DocumentsDialog(self._window)
        self._raise(self.documents)
        self.documents.write(folder)

    def add_to(self, menu: QMenu, panel: Panel | None = None) -> None:
        """Offer all this in a menu: of a panel, or of the board."""
        name = panel.name if panel is not None else BOARD
        menu.addSeparator()
        if panel is not None:
            menu.addAction(tr("Copy as picture")).triggered.connect(lambda: self.copy(name))
        menu.addAction(tr("Export a figure…\tCtrl+E")).triggered.connect(lambda: self.ask_figure(name))
        menu.addAction(tr("Export data…\tCtrl+Shift+E")).triggered.connect(self.ask_data)
        menu.addAction(tr("Export page…")).triggered.connect(self.ask_page)
        menu.addAction(tr("Export a film…")).triggered.connect(self.ask_film)

    def copy(self, name: str) -> None:
        """Put the picture of a panel on the clipboard, in the size and type chosen last."""
        self.ask_figure(name)
        assert self.figure is not None
        try:
            self.figure.copy_picture()
        except Refusal as refusal:
            self.figure.explain(refusal)

    def shut_down(self) -> None:
        """Cancel what runs and close the dialogs."""
        for dialog in self._dialogs:
            dialog.shut_down()
        self.figure = self.data = self.documents = self.page = self.film = self.sheet = None

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        for dialog in self._dialogs:
            dialog.restyle(theme)

    @property
    def _dialogs(self) -> list[ExportDialog]:
        made = (self.figure, self.data, self.documents, self.page, self.film, self.sheet)
        return [dialog for dialog in made if dialog is not None]

    def _raise(self, dialog: ExportDialog) -> None:
        dialog.restyle(self._theme())
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    # --- what there is to export

    @property
    def panel_titles(self) -> dict[str, str]:
        """Titles by name of the panels that are seen."""
        return {panel.name: tr(panel.title) for panel in self._board.panels}

    def panel(self, name: str) -> Panel | None:
        """A panel that is seen."""
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

    @property
    def window_size(self) -> tuple[int, int]:
        """Of the window [device pixels]."""
        return self._takes.window_size

    def films_as_it_stands(self, plan: FilmPlan) -> bool:
        """Whether the window itself is filmed, not one that is laid out anew in the size of the film."""
        return self._takes.is_own_size(plan)

    def take(self, window: bool, plan: FilmPlan, look: str) -> Take:
        """The window, or its views, to be filmed; `look` names a theme, or is empty for the window's own."""
        return self._takes.take(window, plan, THEMES.get(look, self._theme()))

    @property
    def _takes(self) -> Takes:
        if self.takes is None:
            raise Refusal(
                "the film",
                expected="a window",
                found="none",
                remedy="quatviz render in a terminal",
                topic="errors#exports",
            )
        return self.takes

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

    def picture(self, name: str, paper: Paper) -> FigurePicture:
        """The description of a panel, or of the whole board, as it is now."""
        from quatviz.export.figures.drawing import column_width

        run = self.run()
        one = self.panel(name)
        panels = self._board.panels if name == BOARD else [one] if one is not None else []
        lanes = [run[name] for name in self.visible_lanes]
        picture = describe(
            panels,
            self._board.axis,
            self._theme(),
            run.preset.title,
            footnote(run, lanes),
            column_width(len(panels), paper),
            paper.size,
        )
        if not picture.panels:
            raise Refusal(
                "the figure", expected="a panel with curves", found="nothing to draw",
                remedy="show a lane or another panel", topic="errors#exports",
            )  # fmt: skip
        return picture

    def view_image(self, pixels: int) -> QImage:
        """The 3D view, `pixels` wide."""
        if self._source is None or self._frame is None:
            raise Refusal(
                "the 3D view",
                expected="a run",
                found="none yet",
                remedy="wait until it is computed",
                topic="errors#exports",
            )
        return view_image(self._scene, self._source, self._frame, pixels)
