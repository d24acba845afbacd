"""The mean of the angle from the reference."""

from quatviz.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.studies.measures import Measure
from quatviz.studies.reference import Reference


class MeanOrientation(Measure):
    name = "mean_orientation"
    title = "Mean orientation error"
    unit = "rad"
    saturation = 0.3
    told = "the mean angle, from outside"

    @staticmethod
    def error(lane: LaneRun, reference: Reference) -> float:
        return float(relative_angle(lane.p, reference.p).mean())
