"""Error measures of a study: one number per run, relative to the reference or to a conserved quantity."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.studies.reference import ReferenceSolution
from quatviz.base.registry import Registry
from quatviz.base.translation import tr
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun


class StudyMeasure(ABC):
    """Base class of error measures: one number per run.

    A measure is a concrete subclass in this module, or in another package behind an entry point of the group
    `quatviz.measures`. It defines:

    1. `title` and `unit` for plots and tables, and `summary` for the table in the help.
    2. `error`, the error of a run that reached the end; NaN if the formulation does not have the measured quantity.
    3. `saturation`, the limit above which errors are ignored when the order is fitted, because they do not yet decrease
       as the order predicts.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = ""
    saturation: ClassVar[float]
    summary: ClassVar[str] = ""

    @staticmethod
    @abstractmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        """Return the error of a run, in the unit of the measure."""

    @classmethod
    def axis_label(cls) -> str:
        """Title and unit as an axis label."""
        title = tr(cls.title)
        return f"{title} [{cls.unit}]" if cls.unit else title


class OrientationErrorMeasure(StudyMeasure):
    name = "orientation"
    title = "Largest orientation error"
    unit = "rad"
    saturation = 0.3
    summary = "the largest angle from the reference"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(relative_angle(lane.p, reference.p).max())


class FinalOrientationErrorMeasure(StudyMeasure):
    name = "orientation_end"
    title = "Orientation error at the end"
    unit = "rad"
    saturation = 0.3
    summary = "the angle from the reference at the end"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(relative_angle(lane.p[-1], reference.p[-1]))


class MomentumErrorMeasure(StudyMeasure):
    name = "momentum"
    title = "Largest error of h, over the largest |h|"
    saturation = 0.1
    summary = r"the largest error of h in body components, over the largest \|h\|"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        difference = np.linalg.norm(lane.h - reference.h, axis=1).max()
        return float(difference / np.linalg.norm(reference.h, axis=1).max())


class EnergyErrorMeasure(StudyMeasure):
    name = "energy"
    title = "Largest energy error, over the energy scale"
    saturation = 0.1
    summary = "the largest difference of the energy from the reference, over the energy scale"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(
            np.abs(lane.energy - reference.energy).max() / lane.motion(stop=1).reference.energy_scale
        )


class ConstraintErrorMeasure(StudyMeasure):
    name = "constraint"
    title = "Largest | |p|² − 1 |"
    saturation = 0.1
    summary = r"\|\|p\|² − 1\|"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(np.abs(lane.constraint).max())


class MultiplierErrorMeasure(StudyMeasure):
    name = "multiplier"
    title = "Largest |λ − λ in theory|"
    unit = "J"
    saturation = np.inf
    summary = "the largest difference between λ and its theoretical value"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(np.abs(lane.lam - lane.lam_theory).max())


MEASURES: Registry[type[StudyMeasure]] = Registry(__name__, StudyMeasure)
DEFAULT_MEASURE = "orientation"


def measure_errors(lane: LaneRun, reference: ReferenceSolution) -> dict[str, float]:
    """Return all error measures of a run that reached the end of the study, by name."""
    with np.errstate(all="ignore"):
        return {name: measure.error(lane, reference) for name, measure in MEASURES.items()}
