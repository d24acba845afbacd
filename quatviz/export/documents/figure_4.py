"""S3 Figure 4: the angular momentum of the torque-free body."""

import numpy as np

from quatviz.base.words import scientific
from quatviz.export.documents.base import Case, DocumentFigure, components
from quatviz.export.figures.description import PanelPicture
from quatviz.simulation.lane import LaneRun


class Figure4(DocumentFigure):
    name = "figure_4"
    title = "Figure 4"
    caption = "Second example problem, torque free motion of a rigid body, numerical solution for the angular momenta versus time"
    case = Case("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Angular momentum", "body frame", [components(lane, "h", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        drift = np.abs(lane.motion().momentum_drift).max()
        return [
            f"Found: |h| keeps its length within {scientific(drift)} of it; extremes and periods are in Table 3."
        ]
