"""A study measure: the mean angle from the reference."""

from quatviz.analysis.studies.measures import StudyMeasure
from quatviz.analysis.studies.reference import ReferenceSolution
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun


class MeanOrientation(StudyMeasure):
    name = "mean_orientation"
    title = "Mean orientation error"
    unit = "rad"
    saturation = 0.3
    summary = "the mean angle, from outside"

    @staticmethod
    def error(lane: LaneRun, reference: ReferenceSolution) -> float:
        return float(relative_angle(lane.p, reference.p).mean())
