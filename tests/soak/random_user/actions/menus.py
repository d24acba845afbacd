"""Menus of the window."""

from random_user.actions.base import Action
from random_user.user import User


class Menus(Action):
    """Something from the menu bar."""

    name = "menus"
    weight = 3.0

    def do(self, user: User) -> None:
        menus = user.window.menus
        name = user.pick(sorted(menus))
        user.choose_from(menus[name], [user.window.acts["quit"]])
