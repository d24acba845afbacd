"""The orientation in four Euler parameters, with the signs that every lane holds or with signs that can be compared."""

from quatviz.look.choices import SIGN
from quatviz.panels.base import TimePanel
from quatviz.panels.base.strip import components


class EulerParameters(TimePanel):
    name = "euler_parameters"
    title = "Euler parameters"
    told = "$p$, scalar first"
    order = 10
    form = SIGN
    strips = components("p")
    note = "scalar first"
