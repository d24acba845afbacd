"""Menus of the window."""

from __future__ import annotations

from quatviz.steady.actions.base import Action
from quatviz.steady.user import User


class Menus(Action):
    """Something from the menu bar."""

    name = "menus"
    weight = 3.0

    def do(self, user: User) -> None:
        menus = user.window.menus
        name = user.pick(sorted(menus))
        user.choose_from(menus[name], [user.window.actions_["quit"]])
