"""The path of the second body axis."""

from quatviz.display.scene.paths import AxisTrail


class SecondAxisTrail(AxisTrail):
    """Where the tip of e2 has been in the last seconds, fading with age."""

    name = "trail_e2"
    title = "Trail of e₂"
    summary = "the same of the second body axis"
    order = 62
    axis = 1
    visible_by_default = False
