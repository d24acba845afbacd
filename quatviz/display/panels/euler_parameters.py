"""The orientation in four Euler parameters, with the signs that every lane holds or with signs that can be compared."""

from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import components
from quatviz.display.view_state.choices import SIGN


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    told = "$p$, scalar first"
    order = 10
    form = SIGN
    strips = components("p")
    note = "scalar first"
