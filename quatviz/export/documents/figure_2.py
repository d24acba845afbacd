"""S3 Figure 2: the disk's angular momentum by Hamilton's equations and by its one angle."""

import numpy as np

from quatviz.base.words import scientific
from quatviz.export.documents.base import Case, DocumentFigure, vector
from quatviz.export.figures.description import INK, Curve, PanelPicture, Strip
from quatviz.motion.published import J, one_angle
from quatviz.simulation.lane import LaneRun

DIAMONDS = 20
"""Samples from one symbol to the next."""


class Figure2(DocumentFigure):
    name = "figure_2"
    title = "Figure 2"
    caption = (
        "First example problem, comparison of Euler angle based and Hamiltonian solutions for the angular momenta "
        "versus time; the computed Hamiltonian component h_z agrees with the Euler angle solution (diamond symbols) "
        "obtained using equation (46), while the Hamiltonian components h_x and h_y are identically zero"
    )
    case = Case("spring_disk", 1e-3, 10.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        strip = vector(motion, motion.h, ("h x", "h y", "h z"), "kg m²/s")
        places = slice(0, None, DIAMONDS)
        _, rate = one_angle(motion.t)
        diamonds = Curve(motion.t[places], J * rate[places], INK, "by one angle, (46)", marker="D")
        return [
            PanelPicture(
                "Angular momentum", "", [Strip([*strip.curves, diamonds], "", strip.unit, weight=3.0)]
            )
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        largest = np.abs(motion.h[:, :2]).max()
        _, rate = one_angle(motion.t)
        error = np.abs(motion.h[:, 2] - J * rate).max()
        return [
            f"Found: the largest |h x| and |h y| are {scientific(largest, 0)} kg m²/s; h z and (46), with r² for its printed r, "
            f"differ by at most {scientific(error)} kg m²/s."
        ]
