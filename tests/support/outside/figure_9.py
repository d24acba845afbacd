"""A figure for the figure command."""

from quatviz.export.exhibit import DocumentFigure, ExhibitRun, component_plot
from quatviz.export.figures.figure import PanelPicture
from quatviz.simulation.lane import LaneRun


class Figure9(DocumentFigure):
    name = "figure_9"
    title = "Figure 9"
    caption = "A figure from outside"
    run_settings = ExhibitRun("torque_free", 1e-2, 1.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Angular momentum", "body frame", [component_plot(lane, "h", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        return ["No findings."]
