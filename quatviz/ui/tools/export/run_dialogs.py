"""Dialogs that write a run as data or as a web page, and a dialog that writes the figures and tables of the papers."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from quatviz.analysis.executors.command import run_command
from quatviz.base.errors import InputError
from quatviz.base.formatting import capitalize_first
from quatviz.base.translation import tr, translated_error
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit_writer import PAGE_NAME
from quatviz.export.formats import FORMATS
from quatviz.export.table import DEFAULT_QUANTITIES, Progress, TableSelection, describe_selection
from quatviz.export.table_files import write_table
from quatviz.export.web.page import write_page
from quatviz.files.files import supported_endings
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.ui.tools.export.dialog import ExportDialog, open_path
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.labels import label, subheading
from quatviz.ui.widgets.layouts import column, make_form_layout, row
from quatviz.ui.widgets.lists import CheckList
from quatviz.ui.widgets.windows import set_initial_size

ALL, IN_SIGHT = "all", "in sight"


class DataDialog(ExportDialog):
    """Dialog that exports the data of a run. For a new run, the list of lanes is replaced, and checked quantities stay
    checked."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export data"), tr("Export…"))
        self.range_box = ChoiceBox({ALL: tr("whole run"), IN_SIGHT: tr("visible range")})
        available = supported_endings(FORMATS.entries_by_ending)
        self.format = ChoiceBox(
            {
                name: f"{file_format.title} ({file_format.suffixes[0]})"
                for name, file_format in FORMATS.items()
                if file_format.suffixes[0] in available
            }
        )
        self.lanes, self.quantities = CheckList(tr("Lanes")), CheckList(tr("Columns"))
        for name, quantity in QUANTITIES.items():
            if not quantity.rare:
                self.quantities.add_name(name, _title(quantity), name in DEFAULT_QUANTITIES)
        lanes, quantities = (
            column(subheading(check_list.accessibleName()), (check_list, 1), gap=GRID_UNIT // 2)
            for check_list in (self.lanes, self.quantities)
        )
        lists = row((lanes, 3), (quantities, 4), gap=2 * GRID_UNIT)
        for field in (self.range_box, self.format):
            field.chosen.connect(lambda _: self.update_note())
        for check_list in (self.lanes, self.quantities):
            check_list.itemChanged.connect(lambda _: self.update_note())
        self.lay_out(
            make_form_layout({tr("Time range"): self.range_box, tr("Format"): self.format}),
            lists,
            self.note_label,
        )
        set_initial_size(self, 760, 620)

    def offer(self, panel: str) -> None:
        super().offer(panel)
        names = [lane.name for lane in self.exporter.run]
        if names != self.lanes.names:
            self.lanes.clear()
            for name in names:
                self.lanes.add_name(name, lane_title(name), True)
        self.update_note()

    def selection(self) -> TableSelection:
        """Return the lanes, quantities and times chosen for the table. Raise `InputError` if nothing is chosen."""
        lanes, quantities = self.lanes.checked_names, self.quantities.checked_names
        if not lanes:
            raise _nothing_selected("the lanes", "at least one lane", "tick a lane")
        if not quantities:
            raise _nothing_selected("the columns", "at least one column", "tick a column")
        low, high = (
            self.exporter.visible_span
            if self.range_box.value == IN_SIGHT
            else (0.0, self.exporter.run.duration)
        )
        return TableSelection(tuple(quantities), tuple(lanes), low, high)

    def choose_path(self) -> Path | None:
        self.selection()
        file_format = FORMATS[str(self.format.value)]
        return self.ask_file(
            self.exporter.suggested_name(tr("data")), file_format.suffixes[0], file_format.title
        )

    def write(self, path: Path) -> None:
        """Write the chosen data to `path` in a thread."""
        selection, run, view_state = self.selection(), self.exporter.run, self.exporter.view_state()
        self.start_job(
            lambda progress: write_table(run, path, selection, progress, view_state),
            lambda _: tr(
                "Written to {path}. It contains the session, from which quatviz can repeat the run.",
                path=path,
            ),
        )

    def update_note(self) -> None:
        """Show how many rows and columns the table will have."""
        try:
            self.note_label.setText(describe_selection(self.selection(), self.exporter.run))
        except InputError as refusal:
            self.note_label.setText(f"{capitalize_first(translated_error(refusal).remedy)}.")


def _nothing_selected(subject: str, expected: str, remedy: str) -> InputError:
    return InputError(subject, expected=expected, found="none", remedy=remedy, topic="errors#exports")


def _title(quantity: Quantity) -> str:
    """Return a text with title, frame and unit of a quantity."""
    frame = f", {tr(quantity.frame)}" if quantity.frame else ""
    return f"{tr(quantity.title)}{frame}" + (f" [{quantity.unit}]" if quantity.unit else "")


_PAGE_TEXT = (
    "One HTML file with the body in 3D, the plots, lanes to switch and a time slider, for a course page or a colleague. It "
    "opens in any browser, without quatviz and without a network, and contains the preset."
)


class PageDialog(ExportDialog):
    """Dialog that exports a web page with all or the visible lanes of the run."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("Export a web page"), tr("Export…"))
        self.lanes = ChoiceBox({"all": tr("all"), "visible": tr("visible lanes")})
        self.theme_box = ChoiceBox({"light": tr("light"), "dark": tr("dark")})
        fields = make_form_layout({tr("Lanes"): self.lanes, tr("Initial theme"): self.theme_box})
        self._page = Path()
        tooltip = tr("Open the exported page in the default browser")
        self.browser_button = Button(tr("Open in browser"), lambda: open_path(self._page), tooltip)
        self.browser_button.hide()
        self.lay_out(label("", tr(_PAGE_TEXT)), fields, extras=(self.browser_button,))

    def choose_path(self) -> Path | None:
        return self.ask_file(self.exporter.suggested_name(tr("web page")), ".html", tr("Web page"))

    def write(self, path: Path) -> None:
        """Write the page to `path` in a thread, with the samples computed so far."""
        run, theme, view_state = self.exporter.run, str(self.theme_box.value), self.exporter.view_state()
        lanes = self.exporter.visible_lanes if self.lanes.value == "visible" else None
        self.browser_button.hide()

        def describe_result(_: object) -> str:
            self._page = path
            self.browser_button.show()
            return tr("Written to {path}, {size:.1f} MB", path=path, size=path.stat().st_size / 1e6)

        self.start_job(
            lambda progress: write_page(
                run, path, lanes, theme=theme, view_state=view_state, progress=progress
            ),
            describe_result,
        )


_DOCUMENTS_TEXT = (
    "Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, computed anew, as PDF, SVG and PNG; tables beside "
    "the published values, as CSV and Markdown too. The first time, compiling takes a minute."
)


class DocumentsDialog(ExportDialog):
    """Dialog that writes figures and tables of the papers into a folder, which the user chooses before the dialog appears."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        title = tr("Figures and tables of the papers")
        super().__init__(exporter, parent, title, tr("Write again"))
        self._folder: Path | None = None
        self.lay_out(label("", tr(_DOCUMENTS_TEXT)))

    def show_in_front(self) -> None:
        folder = self.ask_folder(tr("Folder for the figures and tables of the papers"))
        if folder is not None:
            self._folder = folder
            super().show_in_front()
            self.export()

    def choose_path(self) -> Path | None:
        return self._folder

    def files_to_replace(self, path: Path) -> list[Path]:
        stems = {Path(PAGE_NAME).stem, *EXHIBITS}
        return sorted(file for file in path.glob("*.*") if file.stem in stems)

    def write(self, path: Path) -> None:
        """Write all figures and tables into a folder."""
        if self.job is not None:
            return
        self.start_job(
            lambda progress: write_documents(path, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=path),
        )


def write_documents(folder: Path, progress: Progress) -> int:
    """Write figures and tables by running `quatviz figures`, and return the number of files written."""
    output_lines = run_command(["figures", "-o", str(folder)], folder, "figures and tables", progress)
    return int(output_lines[-1].split()[0])
