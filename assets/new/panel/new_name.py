"""New name: a panel of the plot board.

The template shows the kinetic and the potential energy over time. See `quatviz.display.panels.base.Panel` for everything that a
panel must define.
"""

from quatviz.display.panels.base import Strip, TimePanel


class NewName(TimePanel):
    name = "new_name"
    title = "New name"
    order = 500
    strips = (Strip("kinetic"), Strip("potential"))
