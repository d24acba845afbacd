"""The left button of the mouse, anywhere."""

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Clicks(UserAction):
    """A click somewhere in the window: on buttons, fields, plots, the timeline, the 3D view."""

    name = "clicks"
    weight = 4.0

    def do(self, user: RandomUser) -> None:
        point = user.random_point(user.window)
        widget, local_point = user.widget_at(point)
        user.log(f"click at {point.x()}, {point.y()} on {type(widget).__name__}")
        user.click(widget, local_point)
