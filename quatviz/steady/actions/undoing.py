"""Back and forth among the steps."""

from __future__ import annotations

from quatviz.steady.actions.base import Action
from quatviz.steady.user import User


class Undoing(Action):
    """Some steps of undo or redo."""

    name = "undoing"
    weight = 2.0

    def do(self, user: User) -> None:
        stack, steps = user.session.editor.stack, user.random.randint(1, 3)
        back = user.random.random() < 0.6
        user.note(f"{'undo' if back else 'redo'} {steps} times")
        for _ in range(steps):
            stack.undo() if back else stack.redo()
