"""3D item that draws the path of the first body axis."""

from quatviz.display.scene.paths import AxisTrail


class FirstAxisTrail(AxisTrail):
    """Path of the tip of e1 in the last seconds, fading with age."""

    name = "trail_e1"
    title = "Trail of e₁"
    summary = "the path of the first body axis, over the same time as the trail of e₃"
    order = 61
    axis = 0
    visible_by_default = False
