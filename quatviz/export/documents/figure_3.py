"""S3 Figure 3: the disk's Euler parameters."""

import numpy as np

from quatviz.base.words import scientific
from quatviz.export.documents.base import Case, DocumentFigure, components
from quatviz.export.figures.description import PanelPicture
from quatviz.motion.published import one_angle
from quatviz.simulation.lane import LaneRun


class Figure3(DocumentFigure):
    name = "figure_3"
    title = "Figure 3"
    caption = (
        "First example problem, numerical solution for the Euler parameters versus time; note that the Euler parameters "
        "e_1 and e_2 are identically zero, and along with the computed solutions for e_0 and e_3 determine the nonzero "
        "Euler angle in accordance with equation (2)"
    )
    case = Case("spring_disk", 1e-3, 10.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Euler parameters", "", [components(lane, "p", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        angle, _ = one_angle(motion.t)
        turned = 2.0 * np.arctan2(motion.p[:, 3], motion.p[:, 0])
        error = np.abs(2.0 * np.sin(0.5 * (turned - angle))).max()
        others = np.abs(motion.p[:, 1:3]).max()
        return [
            f"Found: the largest |e₁| and |e₂| are {scientific(others, 0)}; the angle, here 2 atan2(e₃, e₀) "
            f"because (2) is 0/0 where e₁ = e₂ = 0, is that of (46) within {scientific(error)} rad."
        ]
