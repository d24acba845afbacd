"""The dialog that exports the run as a page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from quatviz.export.web.page import write_page
from quatviz.ui.export.dialog import WIDTH, ExportDialog
from quatviz.ui.setup.entry import ChoiceBox
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.export.exporter import Exporter

_TEXT = (
    "One HTML file with the body in 3D, the plots, lanes to switch and a time slider, for a course page or a colleague. It "
    "opens in any browser, without quatviz and without a network, and holds the preset."
)


class PageDialog(ExportDialog):
    """All lanes of the run, or those that are visible."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(parent, tr("Export a page for a browser"), tr("Export…"))
        self._exporter = exporter
        self.lanes = ChoiceBox({"all": tr("all"), "visible": tr("those that are visible")})
        self.look = ChoiceBox({"light": tr("light"), "dark": tr("dark")})
        text = QLabel(tr(_TEXT))
        text.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(2 * UNIT)
        form.setVerticalSpacing(UNIT)
        for name, field in ((tr("Lanes"), self.lanes), (tr("Look to begin with"), self.look)):
            form.addRow(name, field)
            field.setAccessibleName(name)
        column = QVBoxLayout()
        column.setSpacing(2 * UNIT)
        column.addWidget(text)
        column.addLayout(form)
        self.heading.setMinimumWidth(WIDTH)
        self.lay_out(column)

    def export(self) -> None:
        path = self.ask(self._exporter.file_name("page"), ".html", tr("A page for a browser"))
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the page to `path`, in a thread, with what is computed by then."""
        run, look = self._exporter.run(), str(self.look.value)
        lanes = self._exporter.visible_lanes if self.lanes.value == "visible" else None
        self.begin(
            lambda progress: write_page(run, path, lanes, theme=look, progress=progress),
            lambda _: tr("Written to {path}, {size:.1f} MB", path=path, size=path.stat().st_size / 1e6),
        )
