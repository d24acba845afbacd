"""New name: a panel of the plot board.

It begins with the kinetic and the potential energy over time. What a panel has to give, point by point, stands in
`quatviz.display.panels.base.Panel`.
"""

from quatviz.display.panels.base import Strip, TimePanel


class NewName(TimePanel):
    name = "new_name"
    title = "New name"
    order = 500
    strips = (Strip("kinetic"), Strip("potential"))
