"""Table of the export dialogs, by name."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.tools.export.figure_dialog import FigureDialog
from quatviz.ui.tools.export.film_dialog import FilmDialog
from quatviz.ui.tools.export.lesson_dialogs import JoinDialog, PrepareDialog, QuizDialog, SheetDialog
from quatviz.ui.tools.export.run_dialogs import DataDialog, DocumentsDialog, PageDialog

EXPORTS: dict[str, Callable[[Exporter, QWidget], ExportDialog]] = {
    "figure": FigureDialog,
    "data": DataDialog,
    "page": PageDialog,
    "film": FilmDialog,
    "documents": DocumentsDialog,
    "sheet": SheetDialog,
    "quiz": QuizDialog,
    "prepare": PrepareDialog,
    "join": JoinDialog,
}
