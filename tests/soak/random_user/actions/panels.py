"""Changes of the panel layout."""

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Panels(UserAction):
    """Show, hide, detach, dock, maximize, stack or swap a panel."""

    name = "panels"
    weight = 3.0

    def do(self, user: RandomUser) -> None:
        board = user.window.board
        names, arrangement = sorted(board.titles), board.arranger.arrangement
        name = user.pick(names)
        visible = [panel for panel in names if board.is_shown(panel)]
        operation = user.pick(
            ("show", "show", "hide", "float", "dock", "maximise", "stack", "unstack", "swap")
        )
        if operation in ("show", "hide") or name not in visible:
            user.log(f"{operation} panel {name}")
            board.show_panel(name, operation != "hide")
            return
        other_panels = [panel for panel in visible if panel != name] or [name]
        other = user.pick(other_panels)
        user.log(f"{operation} panel {name} (with {other})")
        if operation == "maximise":
            arrangement.maximise(user.pick((name, None)))
        elif operation in ("stack", "swap"):
            if other != name:
                (arrangement.stack_onto if operation == "stack" else arrangement.swap)(name, other)
        else:
            {
                "float": arrangement.detach,
                "dock": arrangement.dock,
                "unstack": arrangement.unstack,
            }[operation](name)
