"""The 3D views."""

from quatviz.display.view_state.view_layout import VIEW_COUNTS
from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Views(UserAction):
    """Change the number, frame, linking or magnification of the 3D views."""

    name = "views"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        actions = user.window.action_registry
        names = [
            *(f"views_{number}" for number in VIEW_COUNTS),
            "each",
            "link",
            "next_view",
            "from_body",
            "fit",
        ]
        action = actions[user.pick([*names, "magnify", "magnify_less"])]
        if action.isEnabled():
            user.log(f"views: {action.text()}")
            action.trigger()
