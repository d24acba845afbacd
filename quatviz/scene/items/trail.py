"""The path of the third body axis."""

from quatviz.scene.paths import AxisTrail


class Trail(AxisTrail):
    """Where the tip of e3 has been in the last seconds, fading with age."""

    name = "trail"
    title = "Trail of e₃"
    told = "the path of the third body axis in the last five seconds, or ten turns, fading with age"
    order = 60
    axis = 2
