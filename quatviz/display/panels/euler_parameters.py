"""Panel of the attitude in Euler parameters, with the computed signs or with signs that make lanes
comparable."""

from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import component_strips
from quatviz.display.view_state.choices import SIGN_CHOICE


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    summary = "$p$, scalar first or last"
    order = 10
    form = SIGN_CHOICE
    strips = component_strips("p")
