"""Base classes of exhibits. An exhibit is a figure or table of a published document, recomputed with quatviz."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.base import resources
from quatviz.base.citations import REFERENCES
from quatviz.base.formatting import format_scientific
from quatviz.base.markdown import format_markdown_table
from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import Series
from quatviz.display.panels.base.canvas import component_color
from quatviz.display.panels.base.curves import Plot, Trace, series_of
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.figure import FigurePicture, PanelPicture, method_text
from quatviz.export.figures.paper import Paper, PrintFigure
from quatviz.export.figures.typeset import draw_table
from quatviz.files.files import write_text
from quatviz.files.preset_edits import read_title
from quatviz.files.preset_files import find_preset
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.published_values import PUBLISHED_TABLES
from quatviz.physics.observables.quantities import QUANTITIES, Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

DOCUMENT_SOURCE = (
    "Shivarama and Fahrenthold, Hamilton's equations with Euler parameters for rigid body dynamics modeling"
)
COMPUTED_NOTE = "The curves are computed, not taken from the document, which gives the caption only; the time span is ours."


class ExhibitRun(NamedTuple):
    """The run from which an exhibit is drawn: preset, lane, step [s], duration [s] and sample interval [s]."""

    preset: str
    dt: float
    duration: float
    sample_interval: float = 0.01
    lane: str = "hamilton"


class Exhibit(ABC):
    """One figure or table of a document. The contract for authors of exhibits:

    1. `quatviz/export/documents.py`, or a plug-in package with an entry point of the group `quatviz.documents`,
       defines a concrete subclass. `name` is the stem of its files, `title` its name in the document, `caption` the
       literal caption, and `run_settings` the run.
    2. `figure` draws the exhibit. If `write` writes additional files, it uses `files.files.replace_atomically`. All
       content comes from the run: nothing is digitized, and nothing is attributed to the document that is not in
       it.
    3. `findings` returns sentences with numbers that compare the caption with the run.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    caption: ClassVar[str]
    run_settings: ClassVar[ExhibitRun]
    authors: ClassVar[str] = REFERENCES["S3"].authors
    """Authors and year of the document, in the form of a citation in running text."""

    @property
    def cited_title(self) -> str:
        """Authors and year of the document, and title of the exhibit in it."""
        return f"{self.authors}, {self.title}"

    @abstractmethod
    def figure(self, lane: LaneRun, paper: Paper) -> PrintFigure:
        """Return the exhibit as a printable figure."""

    def write(self, run: Simulation, folder: Path, formats: Sequence[str], paper: Paper) -> list[Path]:
        """Write the exhibit from a completely computed `run` to `folder`, one file per format. Return the paths."""
        (lane,) = run
        figure = self.figure(lane, paper)
        paths = [folder / f"{self.name}.{file_format}" for file_format in formats]
        for path in paths:
            figure.save(path)
        return paths

    @abstractmethod
    def findings(self, lane: LaneRun) -> list[str]:
        """Return sentences that compare the statements of the caption with the results of a lane."""

    def method_sentence(self, lane: LaneRun) -> str:
        """Return a sentence that names the preset, lane and method with which the exhibit was computed."""
        preset_title = read_title(find_preset(self.run_settings.preset, resources.preset_folder()))
        return f"Computed by quatviz, preset “{preset_title}”: {lane_title(lane.name)}; {method_text(lane)}."


class DocumentFigure(Exhibit):
    """An exhibit that is a figure over time. A subclass defines `panel_name`, `panels` and `findings`."""

    panel_name: ClassVar[str] = ""
    """Name of the panel in the window that shows the same quantity, or ""."""

    @abstractmethod
    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        """Return the panels of the figure, with the curves of this lane."""

    def picture(self, lane: LaneRun) -> FigurePicture:
        """Return the figure as data for drawing. Caption and findings are its footnote."""
        sentences = [
            f"{self.title}. {self.caption}.",
            *self.findings(lane),
            COMPUTED_NOTE,
            self.method_sentence(lane),
        ]
        return FigurePicture(
            self.panels(lane),
            0.0,
            self.run_settings.duration,
            self.cited_title,
            footnote=" ".join(sentences),
        )

    def figure(self, lane: LaneRun, paper: Paper) -> PrintFigure:
        return draw_figure(self.picture(lane), paper, f"{self.cited_title}: {self.caption}")


class ExhibitRow(NamedTuple):
    """A row of a table: a quantity with its unit, two published values, the computed value, and the number of decimals
    of the computed value."""

    variable: str
    unit: str
    printed: tuple[str, str]
    computed: float
    decimals: int


class DocumentTable(Exhibit):
    """An exhibit that is a table with two published columns. A subclass defines `lines` and `findings`.

    `compared_column` is the index (0 or 1) of the published column that is subtracted from the computed values.
    """

    source_headings: ClassVar[tuple[str, str]]
    compared_column: ClassVar[int]

    @abstractmethod
    def lines(self, lane: LaneRun) -> list[ExhibitRow]:
        """Return the rows of the table, in the order of the document."""

    def column_headings(self) -> list[str]:
        """Return the column headings."""
        return [
            "Variable",
            *(f"printed, {head}" for head in self.source_headings),
            "quatviz",
            f"quatviz \u2212 printed, {self.source_headings[self.compared_column]}",
        ]

    def rows(self, lane: LaneRun) -> list[list[str]]:
        """Return the cells of all rows as text."""
        rows = []
        for line in self.lines(lane):
            difference = line.computed - float(line.printed[self.compared_column])
            rows.append(
                [
                    f"{line.variable} ({line.unit})",
                    *line.printed,
                    f"{line.computed:.{line.decimals}f}",
                    f"{'+' if difference > 0 else ''}{format_scientific(difference)}",
                ]
            )
        return rows

    def table_title(self) -> str:
        """Return the title above the table."""
        return f"{self.cited_title}. {self.caption}"

    def notes(self, lane: LaneRun) -> list[str]:
        """Return the notes below the table."""
        return [*self.findings(lane), self.method_sentence(lane)]

    def figure(self, lane: LaneRun, paper: Paper) -> PrintFigure:
        return draw_table(
            self.table_title(), self.column_headings(), self.rows(lane), " ".join(self.notes(lane)), paper
        )

    def write(self, run: Simulation, folder: Path, formats: Sequence[str], paper: Paper) -> list[Path]:
        (lane,) = run
        csv_path, markdown_path = (folder / f"{self.name}.{suffix}" for suffix in ("csv", "md"))
        paths = super().write(run, folder, formats, paper)
        write_text(csv_path, self._csv(lane))
        parts = (
            f"# {self.table_title()}",
            format_markdown_table(self.column_headings(), self.rows(lane), range(1, 5)),
            *self.notes(lane),
        )
        write_text(markdown_path, "\n\n".join(parts) + "\n")
        return [*paths, csv_path, markdown_path]

    def _csv(self, lane: LaneRun) -> str:
        text = io.StringIO()
        for note in (self.table_title(), *self.notes(lane)):
            text.write(f"# {note}\n")
        writer = csv.writer(text, lineterminator="\n")
        head = self.column_headings()
        writer.writerow(["variable", "unit", *head[1:]])
        for line in self.lines(lane):
            difference = line.computed - float(line.printed[self.compared_column])
            writer.writerow([line.variable, line.unit, *line.printed, repr(line.computed), repr(difference)])
        return text.getvalue()


def component_plot(lane: LaneRun, quantity: str, weight: float = 2.6) -> Plot:
    """Return a plot with one curve for each component of a quantity, in the component's color. Curves have gaps at jumps."""
    quantity_info, motion = QUANTITIES[quantity], lane.motion()
    series = series_of(Strip(quantity))
    series.set_data(motion.t, quantity_info.column_values(motion))
    return make_plot(series, quantity_info.symbols, quantity_info.unit, weight)


def vector_plot(
    motion: Motion, values: np.ndarray, symbols: Sequence[str], unit: str, weight: float = 2.6
) -> Plot:
    """Return a plot of the three components of a vector with values (n, 3)."""
    series = Series(3)
    series.set_data(motion.t, values)
    return make_plot(series, symbols, unit, weight)


def make_plot(series: Series, symbols: Sequence[str], unit: str, weight: float) -> Plot:
    """Return a plot with one curve for each component of a series, in the component's color."""
    scale_name = "degrees" if unit == "deg" else "linear"
    traces = [
        Trace(series, number, component_color(LIGHT, number, len(symbols)), symbol)
        for number, symbol in enumerate(symbols)
    ]
    return Plot(SCALE_CLASSES[scale_name](), "", unit, scale_name, weight, traces=traces)


def measured_value(lane: LaneRun, name: str) -> float:
    """Return, for a lane, a value that `quatviz verify` also measures. `name` is the name of the value there, without
    the unit."""
    for source in PUBLISHED_TABLES:
        for value in source.values:
            if value.name.partition(" [")[0] == name:
                return value.measure(lane.motion())
    raise KeyError(name)
