"""The protocol of a document's figure or table, and what both kinds share."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.base.markdown import table
from quatviz.base.words import scientific
from quatviz.export.figures.description import Curve, FigurePicture, PanelPicture, Strip
from quatviz.export.figures.figure import method_text
from quatviz.export.figures.paper import Paper, save
from quatviz.feed.breaks import CAUSES, NONE, find
from quatviz.look.theme import LIGHT
from quatviz.motion.observables import QUANTITIES, Motion, Quantity
from quatviz.motion.published import SOURCES
from quatviz.panels.base.canvas import component_colour
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.text.files import write_text

SOURCE = "S3, Shivarama and Fahrenthold, Hamilton's equations with Euler parameters for rigid body dynamics modeling"
OURS = "The curves are computed, not taken from the document, which gives the caption only; the time span is ours."


class Case(NamedTuple):
    """The run that an exhibit shows: preset, lane, step [s], duration [s], sample interval [s]."""

    preset: str
    dt: float
    duration: float
    sample_interval: float = 0.01
    lane: str = "hamilton"


class Exhibit(ABC):
    """One figure or table. The contract, from which one can be written:

    1. `quatviz/export/documents.py`, or an outside package behind an entry point of the group `quatviz.documents`, defines a
       concrete subclass. `name` is that of its files, `title` what the document calls it, `caption` its caption, word for
       word, `case` the run.
    2. `write` writes its files with the help of `text.files.replacing` and returns their paths; what stands in them
       comes from the run. Nothing is digitised, and nothing stated of the document that is not in it.
    3. `findings` are sentences: what the caption states, as it shows in this run, with numbers.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    caption: ClassVar[str]
    case: ClassVar[Case]

    @abstractmethod
    def write(self, run: Simulation, folder: Path, formats: Sequence[str], paper: Paper) -> list[Path]:
        """Write the exhibit of a complete `run` of its case into `folder`."""

    @abstractmethod
    def findings(self, lane: LaneRun) -> list[str]:
        """What the caption states, found in this lane."""

    def computed(self, lane: LaneRun) -> str:
        """What computed it, in a sentence."""
        return f"Computed by quatviz: preset {self.case.preset}, {lane.name}, {method_text(lane)}."


class DocumentFigure(Exhibit):
    """A figure over time: extend it with `panels` and `findings`."""

    @abstractmethod
    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        """What it shows."""

    def picture(self, lane: LaneRun) -> FigurePicture:
        """The figure as data, its caption and what was found below it."""
        words = [f"{self.title}. {self.caption}.", *self.findings(lane), OURS, self.computed(lane)]
        return FigurePicture(
            self.panels(lane), 0.0, self.case.duration, f"S3 {self.title}", footnote=" ".join(words)
        )

    def write(self, run: Simulation, folder: Path, formats: Sequence[str], paper: Paper) -> list[Path]:
        from quatviz.export.figures.drawing import draw

        (lane,) = run
        figure = draw(self.picture(lane), paper)
        paths = [folder / f"{self.name}.{kind}" for kind in formats]
        for path in paths:
            save(figure, path, paper, f"S3 {self.title}: {self.caption}")
        return paths


class Line(NamedTuple):
    """A row: what it is, its unit, the two published values as printed, ours, and with how many decimals."""

    variable: str
    unit: str
    printed: tuple[str, str]
    ours: float
    decimals: int


class DocumentTable(Exhibit):
    """A table of two published columns: extend it with `lines` and `findings`; `compared` is the column that ours is
    subtracted from."""

    heads: ClassVar[tuple[str, str]]
    compared: ClassVar[int]

    @abstractmethod
    def lines(self, lane: LaneRun) -> list[Line]:
        """The rows, in the order of the document."""

    def head(self) -> list[str]:
        """What stands above the columns."""
        return [
            "Variable",
            *(f"S3, {head}" for head in self.heads),
            "quatviz",
            f"quatviz \u2212 S3, {self.heads[self.compared]}",
        ]

    def rows(self, lane: LaneRun) -> list[list[str]]:
        """The cells as text."""
        rows = []
        for line in self.lines(lane):
            away = line.ours - float(line.printed[self.compared])
            rows.append(
                [
                    f"{line.variable} ({line.unit})",
                    *line.printed,
                    f"{line.ours:.{line.decimals}f}",
                    f"{'+' if away > 0 else ''}{scientific(away)}",
                ]
            )
        return rows

    def write(self, run: Simulation, folder: Path, formats: Sequence[str], paper: Paper) -> list[Path]:
        from quatviz.export.figures.typeset import draw_table

        (lane,) = run
        notes = [*self.findings(lane), self.computed(lane)]
        title, rows = f"S3 {self.title}. {self.caption}", self.rows(lane)
        figure = draw_table(title, self.head(), rows, " ".join(notes), paper)
        paths = [folder / f"{self.name}.{kind}" for kind in (*formats, "csv", "md")]
        for path in paths[: len(formats)]:
            save(figure, path, paper, title)
        write_text(paths[-2], self._csv(lane, notes))
        parts = (f"# {title}", table(self.head(), rows, range(1, 5)), *notes)
        write_text(paths[-1], "\n\n".join(parts) + "\n")
        return paths

    def _csv(self, lane: LaneRun, notes: Sequence[str]) -> str:
        text = io.StringIO()
        for note in (f"S3 {self.title}. {self.caption}", *notes):
            text.write(f"# {note}\n")
        writer = csv.writer(text, lineterminator="\n")
        head = self.head()
        writer.writerow(["variable", "unit", *head[1:]])
        for line in self.lines(lane):
            away = line.ours - float(line.printed[self.compared])
            writer.writerow([line.variable, line.unit, *line.printed, repr(line.ours), repr(away)])
        return text.getvalue()


def components(lane: LaneRun, quantity: str, weight: float = 2.6) -> Strip:
    """The components of a quantity of a lane in one strip, each in its colour."""
    kind = QUANTITIES[quantity]
    count = len(kind.symbols)
    curves = [
        curve_of(lane, kind, number, component_colour(LIGHT, number, count), symbol)
        for number, symbol in enumerate(kind.symbols)
    ]
    return Strip(curves, "", kind.unit, "degrees" if kind.unit == "deg" else "linear", weight)


def vector(
    motion: Motion, values: np.ndarray, symbols: Sequence[str], unit: str, weight: float = 2.6
) -> Strip:
    """Three curves (n, 3) of a vector in one strip."""
    columns = values.T
    curves = [
        Curve(motion.t, column, component_colour(LIGHT, number, 3), symbol)
        for number, (column, symbol) in enumerate(zip(columns, symbols, strict=True))
    ]
    return Strip(curves, "", unit, weight=weight)


def curve_of(lane: LaneRun, quantity: Quantity, component: int, colour: str, label: str) -> Curve:
    """One component of a quantity of a lane; jumps of Euler angles are gaps with their causes."""
    motion = lane.motion()
    times, values = motion.t, quantity.of(motion)
    own = values[:, component].astype(float)
    jumps: list[tuple[float, str]] = []
    if quantity.name.startswith("angles_"):
        causes = find(values, quantity.sequence)[:, component]
        (rows,) = np.nonzero(causes != NONE)
        jumps = [(0.5 * (times[row] + times[row + 1]), CAUSES[causes[row]]) for row in rows.tolist()]
        own = np.insert(own, rows + 1, np.nan)
        times = np.insert(times, rows + 1, times[rows + 1])
    return Curve(times, own, colour, label, jumps=jumps)


def measured(lane: LaneRun, name: str) -> float:
    """One of the values that `quatviz verify` measures, by its name there without the unit."""
    for source in SOURCES:
        for value in source.values:
            if value.name.partition(" [")[0] == name:
                return value.measure(lane.motion())
    raise KeyError(name)
