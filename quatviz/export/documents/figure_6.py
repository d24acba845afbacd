"""S3 Figure 6: the Euler angles of the torque-free body, with gaps where they jump."""

import numpy as np

from quatviz.export.documents.base import Case, DocumentFigure, components
from quatviz.export.figures.description import PanelPicture
from quatviz.simulation.lane import LaneRun


class Figure6(DocumentFigure):
    name = "figure_6"
    title = "Figure 6"
    caption = (
        "Second example problem, torque free motion of a rigid body, computed Euler angles versus time; note the "
        "discontinuities in the Euler angles"
    )
    case = Case("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Euler angles 3–1–3", "", [components(lane, "angles_313", weight=3.4)])]

    def findings(self, lane: LaneRun) -> list[str]:
        angles = np.degrees(lane.motion().angles("313"))
        jumps = np.abs(np.diff(angles, axis=0))
        return [
            f"Found: {(jumps > 180.0).sum()} jumps, the largest of {jumps.max():.1f} deg; dotted lines mark them. The "
            "motion begins at the singularity θ = 0, where φ and ψ by themselves mean nothing."
        ]
