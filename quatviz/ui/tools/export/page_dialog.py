"""The dialog that exports the run as a page for a browser."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from quatviz.base.tr import tr
from quatviz.export.web.page import write_page
from quatviz.ui.kit.widgets import ChoiceBox, form_of, label
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.tools.export.exporter import Exporter

_TEXT = (
    "One HTML file with the body in 3D, the plots, lanes to switch and a time slider, for a course page or a colleague. It "
    "opens in any browser, without quatviz and without a network, and holds the preset."
)


class PageDialog(ExportDialog):
    """All lanes of the run, or those that are visible."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a page for a browser"), tr("Export…"))
        self.lanes = ChoiceBox({"all": tr("all"), "visible": tr("those that are visible")})
        self.look = ChoiceBox({"light": tr("light"), "dark": tr("dark")})
        fields = form_of({tr("Lanes"): self.lanes, tr("Look to begin with"): self.look})
        self.lay_out(label("", tr(_TEXT)), fields)

    def place(self) -> Path | None:
        return self.ask(self.exporter.file_name("page"), ".html", tr("A page for a browser"))

    def write(self, path: Path) -> None:
        """Write the page to `path`, in a thread, with what is computed by then."""
        run, theme, look = self.exporter.run, str(self.look.value), self.exporter.look()
        lanes = self.exporter.visible_lanes if self.lanes.value == "visible" else None
        self.begin(
            lambda progress: write_page(run, path, lanes, theme=theme, look=look, progress=progress),
            lambda _: tr("Written to {path}, {size:.1f} MB", path=path, size=path.stat().st_size / 1e6),
        )
