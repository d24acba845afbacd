"""The mean of the angle from the reference."""

from quatviz.analysis.studies.measures import Measure
from quatviz.analysis.studies.reference import Reference
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun


class MeanOrientation(Measure):
    name = "mean_orientation"
    title = "Mean orientation error"
    unit = "rad"
    saturation = 0.3
    told = "the mean angle, from outside"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(relative_angle(lane.p, reference.p).mean())
