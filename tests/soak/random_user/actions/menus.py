"""Menus of the main window."""

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Menus(UserAction):
    """Trigger an action of the menu bar."""

    name = "menus"
    weight = 3.0

    def do(self, user: RandomUser) -> None:
        menus = user.window.menus
        name = user.pick(sorted(menus))
        user.trigger_from_menu(menus[name], [user.window.action_registry["quit"]])
