"""The orientation as every lane holds it: four Euler parameters."""

from quatviz.ui.plotting.time_panel import Strip, TimePanel


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    order = 10
    strips = tuple(Strip("p", component) for component in range(4))
    note = "scalar first, body to space"
