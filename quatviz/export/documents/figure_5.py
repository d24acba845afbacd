"""S3 Figure 5: the Euler parameters of the torque-free body."""

import numpy as np

from quatviz.export.documents.base import Case, DocumentFigure, components
from quatviz.export.figures.description import PanelPicture
from quatviz.simulation.lane import LaneRun


class Figure5(DocumentFigure):
    name = "figure_5"
    title = "Figure 5"
    caption = (
        "Second example problem, torque free motion of a rigid body, numerical solution for the Euler parameters versus "
        "time; note that the Euler parameters are continuous functions"
    )
    case = Case("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Euler parameters", "", [components(lane, "p", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        step = np.linalg.norm(np.diff(motion.unit_p, axis=0), axis=1).max()
        allowed = 0.5 * np.linalg.norm(motion.omega, axis=1).max() * lane.interval
        return [
            f"Found: from sample to sample e moves by at most {step:.4g}; 1/2 |ω| times the interval allows {allowed:.4g}."
        ]
