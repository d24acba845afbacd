"""The path of the first body axis."""

from quatviz.display.scene.paths import AxisTrail


class FirstAxisTrail(AxisTrail):
    """Where the tip of e1 has been in the last seconds, fading with age."""

    name = "trail_e1"
    title = "Trail of e₁"
    summary = "the same of the first body axis"
    order = 61
    axis = 0
    visible_by_default = False
