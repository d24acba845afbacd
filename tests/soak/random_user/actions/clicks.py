"""The left button of the mouse, anywhere."""

from random_user.actions.base import Action
from random_user.user import User


class Clicks(Action):
    """A click somewhere in the window: on buttons, fields, plots, the timeline, the 3D view."""

    name = "clicks"
    weight = 4.0

    def do(self, user: User) -> None:
        point = user.spot(user.window)
        widget, place = user.under(point)
        user.note(f"click at {point.x()}, {point.y()} on {type(widget).__name__}")
        user.click(widget, place)
