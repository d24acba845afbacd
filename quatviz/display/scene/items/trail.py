"""3D item that draws the path of the third body axis."""

from quatviz.display.scene.paths import AxisTrail


class Trail(AxisTrail):
    """Path of the tip of e3 in the last seconds, fading with age."""

    name = "trail"
    title = "Trail of e₃"
    summary = (
        "the path of the third body axis in the last five seconds, fading with age; one turn if the axis is slow, "
        "ten turns if it is fast"
    )
    order = 60
    axis = 2
