"""The dialogs that ask how something is to be taken out of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtWidgets import QWidget

from quatviz.ui.tools.export.data_dialog import DataDialog
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.tools.export.exportable import BOARD, Exportable
from quatviz.ui.tools.export.figure_dialog import FigureDialog
from quatviz.ui.tools.export.film_dialog import FilmDialog
from quatviz.ui.tools.export.folder_dialogs import DocumentsDialog, SheetDialog
from quatviz.ui.tools.export.page_dialog import PageDialog

EXPORTS: dict[str, Callable[[Exportable, QWidget], ExportDialog]] = {
    "figure": FigureDialog,
    "data": DataDialog,
    "page": PageDialog,
    "film": FilmDialog,
    "documents": DocumentsDialog,
    "sheet": SheetDialog,
}


class Exporter(Exportable):
    """Lets a person take it out."""

    @cached_property
    def dialogs(self) -> dict[str, ExportDialog]:
        """Those that were opened, by their names in `EXPORTS`."""
        return {}

    def ask(self, what: str, panel: str = BOARD) -> ExportDialog:
        """Open the dialog of this name; of one panel, where it is named."""
        if what not in self.dialogs:
            self.dialogs[what] = EXPORTS[what](self, self.window)
        dialog = self.dialogs[what]
        dialog.offer(panel)
        dialog.appear()
        return dialog

    def copy(self, panel: str = BOARD) -> None:
        """Put the picture of a panel on the clipboard, in the size and type chosen last."""
        dialog = self.ask("figure", panel)
        assert isinstance(dialog, FigureDialog)
        dialog.attempt(dialog.copy_picture)

    def shut_down(self) -> None:
        """Cancel what runs and close the dialogs."""
        for dialog in self.dialogs.values():
            dialog.shut_down()
        self.dialogs.clear()
