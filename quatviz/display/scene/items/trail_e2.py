"""3D item that draws the path of the second body axis."""

from quatviz.display.scene.paths import AxisTrail


class SecondAxisTrail(AxisTrail):
    """Path of the tip of e2 in the last seconds, fading with age."""

    name = "trail_e2"
    title = "Trail of e₂"
    summary = "the path of the second body axis, over the same time as the trail of e₃"
    order = 62
    axis = 1
    visible_by_default = False
