"""The 3D views."""

from quatviz.display.view_state.view_layout import NUMBERS
from random_user.actions.base import Action
from random_user.user import User


class Views(Action):
    """One, two or four views; from space or the body; linked, one for each lane; magnified."""

    name = "views"
    weight = 2.0

    def do(self, user: User) -> None:
        actions = user.window.acts
        names = [*(f"views_{number}" for number in NUMBERS), "each", "link", "next_view", "from_body", "fit"]
        action = actions[user.pick([*names, "magnify", "magnify_less"])]
        if action.isEnabled():
            user.note(f"views: {action.text()}")
            action.trigger()
