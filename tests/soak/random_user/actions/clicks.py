"""Clicks with the left mouse button at any position."""

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Clicks(UserAction):
    """Click at a random position in the main window."""

    name = "clicks"
    weight = 4.0

    def do(self, user: RandomUser) -> None:
        point = user.random_point(user.window)
        widget, local_point = user.widget_at(point)
        user.log(f"click at {point.x()}, {point.y()} on {type(widget).__name__}")
        user.click(widget, local_point)
