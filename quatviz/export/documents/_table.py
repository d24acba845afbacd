"""A published table beside ours: typeset for print, as CSV, and in Markdown."""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from quatviz.base.markdown import table
from quatviz.base.words import scientific
from quatviz.export.documents.base import Exhibit
from quatviz.export.figures.paper import Paper
from quatviz.motion.published import SOURCES
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.text.files import write_text


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
        from quatviz.export.figures.paper import save
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


def measured(lane: LaneRun, name: str) -> float:
    """One of the values that `quatviz verify` measures, by its name there without the unit."""
    for source in SOURCES:
        for value in source.values:
            if value.name.partition(" [")[0] == name:
                return value.measure(lane.motion())
    raise KeyError(name)
