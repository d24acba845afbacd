"""The dialogs that write a whole run: its data, a page for a browser; and the documents' figures and tables, computed anew."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError
from quatviz.base.formatting import begun
from quatviz.base.translation import tr, translated
from quatviz.display.view_state.theme import UNIT
from quatviz.export.formats import FORMATS
from quatviz.export.table import QUANTITIES_OF_A_TABLE, Part, Progress, words_of
from quatviz.export.table_files import write_table
from quatviz.export.web.page import write_page
from quatviz.files.files import offered
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.controls import ChoiceBox, Ticks, column, form_of, label, open_at, row, subheading

ALL, IN_SIGHT = "all", "in sight"


class DataDialog(ExportDialog):
    """What was ticked stays ticked; a new run brings its lanes."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export data"), tr("Export…"))
        self.range_ = ChoiceBox({ALL: tr("the whole run"), IN_SIGHT: tr("what is in sight")})
        there = offered(FORMATS.claimed)
        self.format = ChoiceBox(
            {
                name: f"{kind.title} ({kind.suffixes[0]})"
                for name, kind in FORMATS.items()
                if kind.suffixes[0] in there
            }
        )
        self.lanes, self.quantities = Ticks(tr("Lanes")), Ticks(tr("Columns"))
        for name, quantity in QUANTITIES.items():
            if not quantity.rare:
                self.quantities.add(name, _title(quantity), name in QUANTITIES_OF_A_TABLE)
        lanes, quantities = (
            column(subheading(ticks.accessibleName()), (ticks, 1), gap=UNIT // 2)
            for ticks in (self.lanes, self.quantities)
        )
        lists = row((lanes, 2), (quantities, 3), gap=2 * UNIT)
        for field in (self.range_, self.format):
            field.chosen.connect(lambda _: self.tell())
        for ticks in (self.lanes, self.quantities):
            ticks.itemChanged.connect(lambda _: self.tell())
        self.lay_out(form_of({tr("Samples"): self.range_, tr("Format"): self.format}), lists, self.note)
        open_at(self, 640, 620)

    def offer(self, panel: str) -> None:
        super().offer(panel)
        names = [lane.name for lane in self.exporter.run]
        if names != self.lanes.names:
            self.lanes.clear()
            for name in names:
                self.lanes.add(name, lane_title(name), True)
        self.tell()

    def part(self) -> Part:
        """What is chosen; an `InputError` where that is nothing."""
        lanes, quantities = self.lanes.ticked, self.quantities.ticked
        if not lanes:
            raise _nothing("the lanes", "at least one lane", "tick a lane")
        if not quantities:
            raise _nothing("the columns", "at least one column", "tick a column")
        low, high = (
            self.exporter.sight if self.range_.value == IN_SIGHT else (0.0, self.exporter.run.duration)
        )
        return Part(tuple(quantities), tuple(lanes), low, high)

    def place(self) -> Path | None:
        self.part()
        kind = FORMATS[str(self.format.value)]
        return self.ask(self.exporter.file_name("data"), kind.suffixes[0], kind.title)

    def write(self, path: Path) -> None:
        """Write what is chosen to `path`, in a thread."""
        part, run = self.part(), self.exporter.run
        self.begin(
            lambda progress: write_table(run, path, part, progress),
            lambda _: tr(
                "Written to {path}. It holds the preset: opened in quatviz it repeats the run.", path=path
            ),
        )

    def tell(self) -> None:
        """How much it will be."""
        try:
            self.note.setText(words_of(self.part(), self.exporter.run))
        except InputError as refusal:
            self.note.setText(f"{begun(translated(refusal).remedy)}.")


def _nothing(place: str, expected: str, remedy: str) -> InputError:
    return InputError(place, expected=expected, found="none", remedy=remedy, topic="errors#exports")


def _title(quantity: Quantity) -> str:
    """Title, frame and unit."""
    frame = f", {tr(quantity.frame)}" if quantity.frame else ""
    return f"{tr(quantity.title)}{frame}" + (f" [{quantity.unit}]" if quantity.unit else "")


_PAGE = (
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
        self.lay_out(label("", tr(_PAGE)), fields)

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


_DOCUMENTS = (
    "Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, computed anew, as PDF, SVG and PNG; tables beside "
    "the published values, as CSV and Markdown too. The first time, compiling takes a minute."
)


class DocumentsDialog(ExportDialog):
    """Asks for a folder before it appears; its button writes into the same one again."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        title = tr("The documents' figures and tables")
        super().__init__(exporter, parent, title, tr("Write again"))
        self._folder: Path | None = None
        self.lay_out(label("", tr(_DOCUMENTS)))

    def appear(self) -> None:
        folder = self.ask_folder(tr("Folder for the documents' figures and tables"))
        if folder is not None:
            self._folder = folder
            super().appear()
            self.export()

    def place(self) -> Path | None:
        return self._folder

    def write(self, path: Path) -> None:
        """Write them all into a folder."""
        if self.job is not None:
            return
        self.begin(
            lambda progress: write_documents(path, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=path),
        )


def write_documents(folder: Path, progress: Progress) -> int:
    """Run `quatviz figures`; the number of files that it wrote."""
    said = run_command(["figures", "-o", str(folder)], folder, "figures and tables", progress)
    return int(said[-1].split()[0])
