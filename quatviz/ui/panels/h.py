"""Angular momentum in the body frame."""

from quatviz.ui.plotting.time_panel import Strip, TimePanel


class AngularMomentum(TimePanel):
    name = "h"
    title = "Angular momentum"
    order = 30
    strips = tuple(Strip("h", component) for component in range(3))
    emblem = ("h", "h")
