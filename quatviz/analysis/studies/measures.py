"""What a study measures of a run: one number each, against the reference or against what must stay."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.studies.reference import Reference
from quatviz.base.registry import Registry
from quatviz.base.translation import tr
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun


class Measure(ABC):
    """One number of a run. The contract, from which a measure can be written:

    1. This module, or an outside package behind an entry point of the group `quatviz.measures`, defines a concrete subclass;
       `title` and `unit` are what people read, `told` is what the help's table says of it.
    2. `error` is that of a run that reached the end; NaN where the form has no such quantity. Above `saturation` it no longer
       tells how it falls with the step.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = ""
    saturation: ClassVar[float]
    told: ClassVar[str] = ""

    @staticmethod
    @abstractmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        """The error of a run, in its unit."""

    @classmethod
    def axis(cls) -> str:
        """Title and unit, for an axis."""
        title = tr(cls.title)
        return f"{title} [{cls.unit}]" if cls.unit else title


class Orientation(Measure):
    name = "orientation"
    title = "Largest orientation error"
    unit = "rad"
    saturation = 0.3
    told = "the largest angle from the reference"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(relative_angle(lane.p, reference.p).max())


class OrientationAtEnd(Measure):
    name = "orientation_end"
    title = "Orientation error at the end"
    unit = "rad"
    saturation = 0.3
    told = "the angle from the reference at the end"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(relative_angle(lane.p[-1], reference.p[-1]))


class Momentum(Measure):
    name = "momentum"
    title = "Largest error of h, over the largest |h|"
    saturation = 0.1
    told = r"h in body components, over the largest \|h\|"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        gap = np.linalg.norm(lane.h - reference.h, axis=1).max()
        return float(gap / np.linalg.norm(reference.h, axis=1).max())


class Energy(Measure):
    name = "energy"
    title = "Largest energy error, over the energy scale"
    saturation = 0.1
    told = "from the reference, over the energy scale"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(np.abs(lane.energy - reference.energy).max() / lane.motion(stop=1).reference.size)


class Constraint(Measure):
    name = "constraint"
    title = "Largest | |p|² − 1 |"
    saturation = 0.1
    told = r"\|\|p\|² − 1\|"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(np.abs(lane.constraint).max())


class Multiplier(Measure):
    name = "multiplier"
    title = "Largest |λ − λ in theory|"
    unit = "J"
    saturation = np.inf
    told = "λ against its theory"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(np.abs(lane.lam - lane.lam_theory).max())


MEASURES: Registry[type[Measure]] = Registry(__name__, Measure)
DEFAULT_MEASURE = "orientation"


def errors(lane: LaneRun, reference: Reference) -> dict[str, float]:
    """Every measure of a run that reached the end of the study, by name."""
    with np.errstate(all="ignore"):
        return {name: measure.error(lane, reference) for name, measure in MEASURES.items()}
