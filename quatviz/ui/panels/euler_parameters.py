"""The orientation as every lane holds it: four Euler parameters."""

from quatviz.ui.plotting.strip import components
from quatviz.ui.plotting.time_panel import TimePanel


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    order = 10
    strips = components("p")
    note = "scalar first, body to space"
