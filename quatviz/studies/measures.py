"""What a study measures of a run: one number each, against the reference or against what must stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quatviz.core.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.studies.reference import Reference


@dataclass(frozen=True)
class Measure:
    """`title` and `unit` are what people read; an error above `saturation` no longer tells how it falls with the step."""

    name: str
    title: str
    unit: str
    saturation: float
    error: Callable[[LaneRun, Reference], float]
    """The error of a run that reached the end; NaN where the form has no such quantity."""

    @property
    def axis(self) -> str:
        """Title and unit, for an axis."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def _orientation(lane: LaneRun, reference: Reference) -> float:
    return float(relative_angle(lane.p, reference.p).max())


def _orientation_at_end(lane: LaneRun, reference: Reference) -> float:
    return float(relative_angle(lane.p[-1], reference.p[-1]))


def _momentum(lane: LaneRun, reference: Reference) -> float:
    gap = np.linalg.norm(lane.h - reference.h, axis=1).max()
    return float(gap / np.linalg.norm(reference.h, axis=1).max())


def _energy(lane: LaneRun, reference: Reference) -> float:
    return float(np.abs(lane.energy - reference.energy).max() / lane.motion(stop=1).reference.size)


def _constraint(lane: LaneRun, reference: Reference) -> float:
    return float(np.abs(lane.constraint).max())


def _multiplier(lane: LaneRun, reference: Reference) -> float:
    return float(np.abs(lane.lam - lane.lam_theory).max())


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("orientation", "Largest orientation error", "rad", 0.3, _orientation),
        Measure("orientation_end", "Orientation error at the end", "rad", 0.3, _orientation_at_end),
        Measure("momentum", "Largest error of h, over the largest |h|", "", 0.1, _momentum),
        Measure("energy", "Largest energy error, over the energy scale", "", 0.1, _energy),
        Measure("constraint", "Largest | |p|² − 1 |", "", 0.1, _constraint),
        Measure("multiplier", "Largest |λ − λ in theory|", "J", np.inf, _multiplier),
    )
}
DEFAULT_MEASURE = "orientation"


def errors(lane: LaneRun, reference: Reference) -> dict[str, float]:
    """Every measure of a run that reached the end of the study, by name."""
    with np.errstate(all="ignore"):
        return {name: measure.error(lane, reference) for name, measure in MEASURES.items()}
