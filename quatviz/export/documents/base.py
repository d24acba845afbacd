"""The protocol of a document's figure or table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.export.figures.description import Curve, FigurePicture, PanelPicture, Strip
from quatviz.export.figures.figure import method_text
from quatviz.export.figures.paper import Paper
from quatviz.feed.breaks import CAUSES, NONE, find
from quatviz.look.theme import LIGHT
from quatviz.motion.observables import QUANTITIES, Motion, Quantity
from quatviz.panels.base.canvas import component_colour
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

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

    1. One module in `quatviz/export/documents/`, or in an outside package behind an entry point of the group
       `quatviz.documents`, defines one concrete subclass. `name` is the module's name (free for a plug-in), `title` what
       the document calls it, `caption` its caption, word for word, `case` the run.
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
        from quatviz.export.figures.paper import save

        (lane,) = run
        figure = draw(self.picture(lane), paper)
        paths = [folder / f"{self.name}.{kind}" for kind in formats]
        for path in paths:
            save(figure, path, paper, f"S3 {self.title}: {self.caption}")
        return paths


def components(lane: LaneRun, quantity: str, symbols: Sequence[str] = (), weight: float = 2.6) -> Strip:
    """The components of a quantity of a lane in one strip, each in its colour."""
    kind = QUANTITIES[quantity]
    count = len(kind.symbols)
    curves = [
        curve_of(lane, kind, number, component_colour(LIGHT, number, count), symbol)
        for number, symbol in enumerate(symbols or kind.symbols)
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
    if quantity.name.startswith("angles_") and len(times) > 1:
        causes = find(values, quantity.sequence)[:, component]
        (rows,) = np.nonzero(causes != NONE)
        jumps = [(0.5 * (times[row] + times[row + 1]), CAUSES[causes[row]]) for row in rows.tolist()]
        own = np.insert(own, rows + 1, np.nan)
        times = np.insert(times, rows + 1, times[rows + 1])
    end = None
    if not lane.alive:
        good = np.flatnonzero(np.isfinite(own))
        end = (float(times[good[-1]]), float(own[good[-1]])) if len(good) else None
    return Curve(times, own, colour, label, jumps=jumps, end=end)
