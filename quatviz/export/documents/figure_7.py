"""S3 Figure 7: the angular momentum of the top, over its length."""

import numpy as np

from quatviz.base.words import scientific
from quatviz.export.documents.base import Case, DocumentFigure, vector
from quatviz.export.figures.description import PanelPicture
from quatviz.simulation.lane import LaneRun


class Figure7(DocumentFigure):
    name = "figure_7"
    title = "Figure 7"
    caption = (
        "Third example problem, translation and rotation of a spinning top, numerical solution for the normalized "
        "components of the angular momentum versus time"
    )
    case = Case("heavy_top", 1e-4, 2.0, 2e-3)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        values = motion.h / np.linalg.norm(motion.h[0])
        symbols = ("h₁/|h₀|", "h₂/|h₀|", "h₃/|h₀|")
        return [PanelPicture("Angular momentum", "body frame", [vector(motion, values, symbols, "", 3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        change = np.abs(motion.h[:, 2] - motion.h[0, 2]).max() / motion.h[0, 2]
        return [
            f"The caption does not say by what h is normalised: here by |h₀| = {np.linalg.norm(motion.h[0]):g} kg m²/s. "
            f"Found: h₃ is constant{f' within {scientific(change)} of it' if change else ', to the last bit'}."
        ]
