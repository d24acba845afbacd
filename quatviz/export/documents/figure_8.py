"""S3 Figure 8: where the top's centre of mass goes."""

import numpy as np

from quatviz.export.documents.base import Case, DocumentFigure, vector
from quatviz.export.figures.description import PanelPicture
from quatviz.mechanics.rotations import rotate
from quatviz.simulation.lane import LaneRun

CENTRE = (0.0, 0.0, 1.0)
"""m, body, from the pivot."""


class Figure8(DocumentFigure):
    name = "figure_8"
    title = "Figure 8"
    caption = (
        "Third example problem, translation and rotation of a spinning top, numerical solution for the center of mass "
        "position versus time"
    )
    case = Case("heavy_top", 1e-4, 15.1)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        values = rotate(motion.p, np.broadcast_to(CENTRE, (len(motion.t), 3)))
        return [
            PanelPicture(
                "Centre of mass", "space frame, from the pivot", [vector(motion, values, "xyz", "m", 3.0)]
            )
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        height = rotate(motion.p, np.broadcast_to(CENTRE, (len(motion.t), 3)))[:, 2]
        return [
            f"The pivot is 1 m from the centre of mass, which Table 4 leaves out. Found: its height stays between "
            f"{height.min():.5f} and {height.max():.5f} m; the time shown is one turn of precession."
        ]
