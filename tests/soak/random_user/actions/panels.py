"""Panels come, go, float, fill the board and share a place."""

from random_user.actions.base import Action
from random_user.user import User


class Panels(Action):
    """One change of the arrangement of the panels."""

    name = "panels"
    weight = 3.0

    def do(self, user: User) -> None:
        board = user.window.board
        names, arrangement = sorted(board.titles), board.arranger.arrangement
        name = user.pick(names)
        shown = [one for one in names if board.shows(one)]
        doing = user.pick(("show", "show", "hide", "float", "dock", "maximise", "stack", "unstack", "swap"))
        if doing in ("show", "hide") or name not in shown:
            user.note(f"{doing} panel {name}")
            board.show_panel(name, doing != "hide")
            return
        others = [one for one in shown if one != name] or [name]
        other = user.pick(others)
        user.note(f"{doing} panel {name} (with {other})")
        if doing == "maximise":
            arrangement.maximise(user.pick((name, None)))
        elif doing in ("stack", "swap"):
            if other != name:
                (arrangement.stack if doing == "stack" else arrangement.swap)(name, other)
        else:
            {
                "float": arrangement.float,
                "dock": arrangement.dock,
                "unstack": arrangement.unstack,
            }[doing](name)
