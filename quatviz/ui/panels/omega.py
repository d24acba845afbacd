"""Angular velocity in the body frame."""

from quatviz.ui.plotting.time_panel import Strip, TimePanel


class Omega(TimePanel):
    name = "omega"
    title = "Angular velocity"
    order = 20
    strips = tuple(Strip("omega", component) for component in range(3))
    emblem = ("ω", "omega")
