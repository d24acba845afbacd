"""The path of the third body axis."""

from quatviz.ui.scene.axis_trail import AxisTrail


class Trail(AxisTrail):
    """Where the tip of e3 has been in the last seconds, fading with age."""

    name = "trail"
    title = "Trail of e₃"
    order = 60
    axis = 2
