"""The orientation in four Euler parameters, with the signs that every lane holds or with signs that can be compared."""

from quatviz.ui.plotting.choices import SIGN
from quatviz.ui.plotting.strip import components
from quatviz.ui.plotting.time_panel import TimePanel


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    order = 10
    form = SIGN
    strips = components("p")
    note = "scalar first"
